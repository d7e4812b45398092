/* The rules for files, and the findings that are counted and reported to the caller's callback. */
#ifndef FTR_FINDINGS_H
#define FTR_FINDINGS_H

#include "cbor_reader.h"

#include <ftr/reader.h>

/* The rules for reading and checking a file. Users and scripts refer to rules by number, so numbers
 * never change, and new rules are added at the end. docs/reading.md lists the rules. X(identifier,
 * number, name, severity, concerns, demand) */
#define FTR_RULE_TABLE(X)                                                                     \
    X(MAGIC, 1, "magic", ERROR, FTR_FOR_ALL, "the file begins with d9 d9 f7 9f")              \
    X(TORN, 2, "torn", ERROR, FTR_FOR_ALL, "the last chunk is complete")                      \
    X(DAMAGED, 3, "damaged", ERROR, FTR_FOR_ALL,                                              \
      "there is nothing between one chunk and the next")                                      \
    X(TOP_LEVEL, 4, "top-level", ERROR, FTR_FOR_ALL,                                          \
      "the top level contains only tags 6 and 8 to 15")                                       \
    X(END, 5, "end", ERROR, FTR_FOR_ALL, "one break ends the file, and no byte follows it")   \
    X(INFO, 6, "info", ERROR, FTR_FOR_ALL, "the first chunk, and no other, is the info")      \
    X(INFO_SHAPE, 7, "info-shape", ERROR, FTR_FOR_ALL,                                        \
      "the info is a byte string of [int, 1(int)]")                                           \
    X(CHUNK_SHAPE, 8, "chunk-shape", ERROR, FTR_FOR_ALL,                                      \
      "a chunk has the fields of its tag, in definite form")                                  \
    X(CHUNK_LZ4, 9, "chunk-lz4", ERROR, FTR_FOR_ALL,                                          \
      "a compressed chunk is one sound LZ4 block of exactly its declared size")               \
    X(CHUNK_BUDGET, 10, "chunk-budget", ERROR, FTR_FOR_ALL,                                   \
      "a chunk fits into the memory budget of the reader")                                    \
    X(BODY_SHAPE, 11, "body-shape", ERROR, FTR_FOR_ALL,                                       \
      "the content of a chunk is one indefinite array, of a dictionary one definite map")     \
    X(DICTIONARY_ENTRY, 12, "dictionary-entry", ERROR, FTR_FOR_ALL,                           \
      "a dictionary maps unsigned ids to texts")                                              \
    X(DICTIONARY_IDS, 13, "dictionary-ids", ERROR, FTR_FOR_SCVIEWER,                          \
      "dictionary ids are 0, 1, 2, ... over all dictionaries")                                \
    X(UTF8, 14, "utf8", ERROR, FTR_FOR_ALL, "text is valid UTF-8")                            \
    X(DIRECTORY_ENTRY, 15, "directory-entry", ERROR, FTR_FOR_ALL,                             \
      "a directory entry is 16([id, name, kind]) or 17([id, name, stream])")                  \
    X(DEFINED_TWICE, 16, "defined-twice", ERROR, FTR_FOR_SCVIEWER | FTR_FOR_SURFER,           \
      "every stream and generator is defined once")                                           \
    X(UNDEFINED_STREAM, 17, "undefined-stream", ERROR, FTR_FOR_ALL,                           \
      "a stream is defined before its generators and transactions")                           \
    X(UNDEFINED_GENERATOR, 18, "undefined-generator", ERROR, FTR_FOR_ALL,                     \
      "a generator is defined before its transactions")                                       \
    X(UNDEFINED_TEXT, 19, "undefined-text", ERROR, FTR_FOR_ALL,                               \
      "a text is in a dictionary before its id is used")                                      \
    X(TX_SHAPE, 20, "tx-shape", ERROR, FTR_FOR_ALL,                                           \
      "a transaction is a definite [6([id, generator, begin, end]), attribute...]")           \
    X(TX_ID, 21, "tx-id", ERROR, FTR_FOR_ALL, "transaction ids are unique over the file")     \
    X(TX_STREAM, 22, "tx-stream", ERROR, FTR_FOR_ALL,                                         \
      "a transaction is in a chunk of its generator's stream")                                \
    X(TX_TIMES, 23, "tx-times", ERROR, FTR_FOR_ALL, "no transaction ends before it begins")   \
    X(CHUNK_RANGE, 24, "chunk-range", ERROR, FTR_FOR_ALL,                                     \
      "a chunk's start and end enclose the times of its transactions")                        \
    X(ATTRIBUTE_SHAPE, 25, "attribute-shape", ERROR, FTR_FOR_ALL,                             \
      "an attribute is a definite 7, 8 or 9([name, type, value])")                            \
    X(ATTRIBUTE_TYPE, 26, "attribute-type", ERROR, FTR_FOR_ALL,                               \
      "an attribute has a type of the numbering and a value of that type")                    \
    X(NUMBERING, 27, "numbering", ERROR, FTR_FOR_SCVIEWER | FTR_FOR_SURFER,                   \
      "attribute types are numbered as the viewers number them")                              \
    X(FLOAT_WIDTH, 28, "float-width", ERROR, FTR_FOR_SCVIEWER | FTR_FOR_SURFER,               \
      "floats are in single precision")                                                       \
    X(UNSIGNED_RANGE, 29, "unsigned-range", WARNING, FTR_FOR_SCVIEWER,                        \
      "unsigned values are below 2^63")                                                       \
    X(RELATION_SHAPE, 30, "relation-shape", ERROR, FTR_FOR_ALL,                               \
      "a relation is a definite array of unsigned numbers")                                   \
    X(RELATION_ELEMENTS, 31, "relation-elements", ERROR, FTR_FOR_SCVIEWER | FTR_FOR_SPEC,     \
      "a relation has five elements")                                                         \
    X(RELATION_ENDS, 32, "relation-ends", ERROR, FTR_FOR_SCVIEWER,                            \
      "both transactions of a relation are in the file")                                      \
    X(RELATION_STREAMS, 33, "relation-streams", ERROR, FTR_FOR_SCVIEWER,                      \
      "a relation names the streams its transactions are in")                                 \
    X(STREAM_NAME_UNIQUE, 34, "stream-name-unique", ERROR, FTR_FOR_SCVIEWER | FTR_FOR_SURFER, \
      "stream names are unique")                                                              \
    X(STREAM_NAME_PREFIX, 35, "stream-name-prefix", ERROR, FTR_FOR_SCVIEWER,                  \
      "no stream name is a dotted prefix of a later one")                                     \
    X(TIME_RANGE, 36, "time-range", WARNING, FTR_FOR_SCVIEWER,                                \
      "the time scale is -15 or more and times in fs fit 63 bits")                            \
    X(ATTRIBUTE_NAME, 37, "attribute-name", WARNING, FTR_FOR_SCVIEWER,                        \
      "attributes of one name have one type and one class")                                   \
    X(NOT_CHECKED, 38, "not-checked", NOT_CHECKED, FTR_FOR_ALL,                               \
      "the data to be checked fits into the memory budget")                                   \
    X(IMPOSSIBLE_ID, 39, "text-id", ERROR, FTR_FOR_SCVIEWER | FTR_FOR_SURFER,                 \
      "dictionary ids are below 2^31")                                                        \
    X(TEXT_DEFINED_TWICE, 40, "text-defined-twice", ERROR, FTR_FOR_ALL,                       \
      "every dictionary id is defined once")                                                  \
    X(STREAM_NAME_DOT, 41, "stream-name-dot", ERROR, FTR_FOR_SCVIEWER,                        \
      "no part of a stream name, between its dots, is empty")                                 \
    X(WEB_COMPRESSED, 42, "web-compressed", ERROR, FTR_FOR_SURFER_WEB,                        \
      "transaction chunks are not compressed")                                                \
    X(WEB_RELATION_ORDER, 43, "web-relation-order", ERROR, FTR_FOR_SURFER_WEB,                \
      "a relation is stored after both of its transactions")                                  \
    X(WEB_UNUSED_GENERATOR, 44, "web-unused-generator", ERROR, FTR_FOR_SURFER_WEB,            \
      "every generator has a transaction")                                                    \
    X(FILE_NAME, 45, "file-name", WARNING, FTR_FOR_SURFER,                                    \
      "the file name ends with .ftr and has no other dot")                                    \
    X(EVENT_NAME, 46, "event-name", WARNING, FTR_FOR_SURFER,                                  \
      "an event (of generator NAME.events) has a begin attribute 'name'")                     \
    X(EVENT_NAME_TYPE, 47, "event-name-type", WARNING, FTR_FOR_SURFER,                        \
      "the name of an event is a STRING")                                                     \
    X(EVENT_PARENT, 48, "event-parent", WARNING, FTR_FOR_SURFER,                              \
      "a relation 'parent_of' leads to each event")                                           \
    X(EVENT_PARENTS, 49, "event-parents", WARNING, FTR_FOR_SURFER,                            \
      "only one relation 'parent_of' leads to an event")                                      \
    X(EVENT_STREAM, 50, "event-stream", WARNING, FTR_FOR_SURFER,                              \
      "an event is in the stream of its parent")                                              \
    X(EVENT_RELATION, 51, "event-relation", WARNING, FTR_FOR_SURFER,                          \
      "the relation to an event has five elements")                                           \
    X(EVENT_TIMES, 52, "event-times", WARNING, FTR_FOR_SURFER,                                \
      "an event lies within the time of its parent")

typedef enum ftr_rule {
#define FTR_RULE_ENUMERATOR(identifier, number, name, severity, concerns, demand) \
    FTR_RULE_##identifier = (number),
    FTR_RULE_TABLE(FTR_RULE_ENUMERATOR)
#undef FTR_RULE_ENUMERATOR
        FTR_RULES
} ftr_rule;

typedef struct ftr_findings {
    void (*callback)(void *user, const ftr_finding *finding);
    void *user;
    uint64_t count;
    /* nonzero: findings are neither counted nor reported, because another pass over the same bytes
     * reports them */
    unsigned muted;
    /* a bit for each rule number: findings of these rules are neither counted nor reported */
    uint64_t ignored;
} ftr_findings;

_Static_assert(FTR_RULES <= 64, "`ignored` has a bit for each rule");

/* Counts a finding and reports it. @p within is 0, or 1 + the offset in the expanded content. */
__attribute__((format(printf, 5, 6))) void ftr_findings_add(ftr_findings *findings, ftr_rule rule,
                                                            uint64_t offset, uint64_t within,
                                                            const char *format, ...);

/* Reports bytes of a chunk's content that follow the end of its array or map. Each function that
 * reads a content to its end calls this function. Otherwise, a damaged byte that ends an array too
 * early would not be noticed. */
void ftr_findings_add_trailing(ftr_findings *findings, uint64_t offset, const ftr_cbor_reader *r);

#endif
