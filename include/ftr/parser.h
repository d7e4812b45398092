/** @file
 *  Parses a file by callbacks: a program says what it wants to hear of, and one call reads the file
 *  and tells it, in order of time, whatever the order and the chunks in the file.
 *
 *      ftr_parser_create(reader, &parser);
 *      ftr_parser_on_begin(parser, NULL, my_begin, my_data);
 *      ftr_parser_on_end(parser, &(ftr_parser_range){.generator_first = 3, .generator_last = 5},
 * ...); ftr_parser_run(parser);
 *
 *  A callback answers whether to go on. What it is given is valid until it returns. */
#ifndef FTR_PARSER_H
#define FTR_PARSER_H

#include <ftr/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ftr_parser ftr_parser;

/** Ids of streams and generators a callback is for, both ends included. A last of 0 is no limit. */
typedef struct ftr_parser_range {
    uint64_t stream_first, stream_last;
    uint64_t generator_first, generator_last;
} ftr_parser_range;

typedef bool ftr_parser_stream(void *user, const ftr_stream_info *stream);
typedef bool ftr_parser_generator(void *user, const ftr_generator_info *generator);
/** Of a begin, an end. */
typedef bool ftr_parser_transaction(void *user, const ftr_transaction *tx);
typedef bool ftr_parser_attribute(void *user, const ftr_transaction *tx,
                                  const ftr_attribute_value *attribute);
typedef bool ftr_parser_relation(void *user, const ftr_relation_info *relation);

/** @param[out] parser the caller's until ftr_parser_destroy(), which comes before the reader closes
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_parser_create(ftr_reader *reader, ftr_parser **parser);
FTR_API void ftr_parser_destroy(ftr_parser *parser);

/** Register a callback; several may be registered for the same. @p range NULL: for all.
 *  Streams come first, then generators, then the transactions, then the relations, as stored. An
 *  attribute of class BEGIN comes behind the begin of its transaction, others before its end.
 *  Of events at one time, ends come before begins, but a transaction's own begin before its end.
 *  A relation is in a range when its `from` is in one of the streams.
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_parser_on_stream(ftr_parser *parser, const ftr_parser_range *range,
                                        ftr_parser_stream *callback, void *user);
FTR_API ftr_status ftr_parser_on_generator(ftr_parser *parser, const ftr_parser_range *range,
                                           ftr_parser_generator *callback, void *user);
FTR_API ftr_status ftr_parser_on_begin(ftr_parser *parser, const ftr_parser_range *range,
                                       ftr_parser_transaction *callback, void *user);
FTR_API ftr_status ftr_parser_on_attribute(ftr_parser *parser, const ftr_parser_range *range,
                                           ftr_parser_attribute *callback, void *user);
FTR_API ftr_status ftr_parser_on_end(ftr_parser *parser, const ftr_parser_range *range,
                                     ftr_parser_transaction *callback, void *user);
FTR_API ftr_status ftr_parser_on_relation(ftr_parser *parser, const ftr_parser_range *range,
                                          ftr_parser_relation *callback, void *user);

/** Reads the whole file and calls. May be run again.
 *  @return FTR_OK; FTR_ERR_END when a callback answered false; FTR_ERR_STATE from a pipe;
 *          FTR_ERR_IO; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_parser_run(ftr_parser *parser);

#ifdef __cplusplus
}
#endif

#endif
