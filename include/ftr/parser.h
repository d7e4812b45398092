/** @file
 *  Parses a file by callbacks. A program registers callbacks for events; then one call reads the
 * file and calls the callbacks in order of time, independent of the order in the file.
 *
 *      ftr_parser_create(reader, &parser);
 *      ftr_parser_on_begin(parser, NULL, my_begin, my_data);
 *      ftr_parser_on_end(parser, &range, my_end, my_data);
 *      ftr_parser_run(parser);
 *
 *  A callback returns true to continue. Its arguments are valid until it returns. */
#ifndef FTR_PARSER_H
#define FTR_PARSER_H

#include <ftr/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ftr_parser ftr_parser;

/** Range of ids of streams and generators for a callback, both ends included. A last id of 0 means
 * no limit. */
typedef struct ftr_parser_range {
    uint64_t stream_first, stream_last;
    uint64_t generator_first, generator_last;
} ftr_parser_range;

typedef bool ftr_parser_stream(void *user, const ftr_stream_info *stream);
typedef bool ftr_parser_generator(void *user, const ftr_generator_info *generator);
/** Called for the begin or the end of a transaction. */
typedef bool ftr_parser_transaction(void *user, const ftr_transaction *tx);
typedef bool ftr_parser_attribute(void *user, const ftr_transaction *tx,
                                  const ftr_attribute_value *attribute);
typedef bool ftr_parser_relation(void *user, const ftr_relation_info *relation);

/** Creates a parser.
 *  @param[out] parser must be destroyed with ftr_parser_destroy() before the reader is closed
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_parser_create(ftr_reader *reader, ftr_parser **parser);
FTR_API void ftr_parser_destroy(ftr_parser *parser);

/** Register a callback for an event; an event may have several callbacks. @p range NULL: all
 *  streams and generators. Events of streams come first, then those of generators, then those of
 *  transactions, then the relations in stored order. An attribute of class BEGIN comes after the
 *  begin of its transaction; other attributes come before its end. Among events at the same time,
 *  ends come before begins, but the begin of a transaction always comes before its end. A relation
 *  belongs to a range if its `from` is in one of the streams, or if it is stored without streams.
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

/** Reads the whole file and calls the callbacks. May be called again.
 *  @return FTR_OK; FTR_ERR_END if a callback returned false; FTR_ERR_STATE for a pipe; FTR_ERR_IO;
 *          FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_parser_run(ftr_parser *parser);

#ifdef __cplusplus
}
#endif

#endif
