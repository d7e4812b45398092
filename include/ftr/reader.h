/** @file
 *  Reads FTR files: their content, their transactions in any order, their relations, and their
 *  errors. docs/reading.md is the guide, docs/format.md the format.
 *
 *  A reader maps its file and indexes the chunks without expanding the transactions; chunks are
 *  loaded on demand and evicted to stay within the memory budget. A reader can also read from a
 *  pipe, in stored order. For any input, a reader neither crashes nor exceeds its budget: it skips
 *  invalid parts, and reports them as findings.
 *
 *  A reader and all objects opened on it must be used by one thread at a time. A cursor can read
 * ahead on further threads (ftr_query.threads); of the caller's functions, only `prepare` and
 * `conclude` are called on these threads. */
#ifndef FTR_READER_H
#define FTR_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/file_info.h>
#include <ftr/finding.h>
#include <ftr/file_repair.h>
#include <ftr/reader_objects.h>
#include <ftr/reader_options.h>
#include <ftr/status.h>
#include <ftr/trace_index.h>
#include <ftr/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ftr_reader ftr_reader;

/* ---- opening --------------------------------------------------------------------------------- */

/** Opens the file at @p path; "-" is the standard input.
 *  @param options  NULL: all defaults
 *  @param[out] reader must be closed with ftr_reader_close(); untouched on error
 *  @return FTR_OK, also for a file with findings; FTR_ERR_IO with errno set; FTR_ERR_FORMAT if the
 *          file is not an FTR file, or if its info chunk is missing and nothing else is readable;
 *          FTR_ERR_LIMIT if the index alone exceeds the budget; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_reader_open(const char *path, const ftr_reader_options *options,
                                                ftr_reader **reader);

/** Like ftr_reader_open(), for a descriptor that the caller must close. A descriptor that cannot be
 * mapped is read as a pipe. */
FTR_API FTR_MUST_USE ftr_status ftr_reader_open_fd(int fd, const ftr_reader_options *options,
                                                   ftr_reader **reader);

/** Like ftr_reader_open(), for @p size bytes at @p bytes, borrowed until the reader is closed. */
FTR_API FTR_MUST_USE ftr_status ftr_reader_open_memory(const void *bytes, size_t size,
                                                       const ftr_reader_options *options,
                                                       ftr_reader **reader);

/** Frees the reader and its cursors. The parsers of the reader must be destroyed before this call.
 * Accepts NULL. */
FTR_API void ftr_reader_close(ftr_reader *reader);

/** Counts @p size bytes of the caller's memory against ftr_reader_options.memory, so that reader
 *  and caller together stay below this limit. If necessary, the reader frees chunks that it can
 *  read again. It keeps an eighth of the limit for chunks.
 *  @return false if the rest of the limit is exceeded nevertheless; then nothing is counted */
FTR_API FTR_MUST_USE bool ftr_reader_reserve(ftr_reader *reader, size_t size);

/** Gives back bytes that were counted by ftr_reader_reserve(). */
FTR_API void ftr_reader_give_back(ftr_reader *reader, size_t size);

/** Indexes the bytes that were added to the file since it was opened or last refreshed. Cursors in
 * stored order then continue with these bytes.
 *   @param[out] grown true if bytes were added; may be NULL
 *   @return FTR_OK; FTR_ERR_IO; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_reader_refresh(ftr_reader *reader, bool *grown);

/* ---- navigation ------------------------------------------------------------------------------ */

FTR_API void ftr_reader_get_info(ftr_reader *reader, ftr_file_info *info);

/** Returns the numbering of this file's types: from the options, or detected in some chunks.
 *    @param[out] known false if the file contains no evidence: the result is then the default,
 *    DEPLOYED; may be NULL */
FTR_API ftr_numbering ftr_reader_get_numbering(ftr_reader *reader, bool *known);

FTR_API size_t ftr_reader_stream_count(const ftr_reader *reader);
/** @return NULL if @p index is not below the count */
FTR_API const ftr_stream_info *ftr_reader_get_stream(const ftr_reader *reader, size_t index);
/** @return NULL if no stream has this id */
FTR_API const ftr_stream_info *ftr_reader_find_stream(const ftr_reader *reader, uint64_t id);

FTR_API size_t ftr_reader_generator_count(const ftr_reader *reader);
FTR_API const ftr_generator_info *ftr_reader_get_generator(const ftr_reader *reader, size_t index);
FTR_API const ftr_generator_info *ftr_reader_find_generator(const ftr_reader *reader, uint64_t id);

FTR_API size_t ftr_reader_chunk_count(const ftr_reader *reader);
/** @return false if @p index is not below the count; then @p chunk is untouched */
FTR_API bool ftr_reader_get_chunk(const ftr_reader *reader, size_t index, ftr_chunk_info *chunk);

/* ---- reading transactions -------------------------------------------------------------------- */

typedef enum ftr_order {
    FTR_ORDER_STORED = 0, /**< as in the file: the fastest order, and the only one for a pipe */
    FTR_ORDER_BEGIN = 1,  /**< by begin; if equal, in stored order */
    /** By end; if equal, transactions without duration last, otherwise in stored order. */
    FTR_ORDER_END = 2,
    /** The transactions of each stream by begin; if equal, in stored order. The streams are not
     * merged by time: a group of transactions of one stream is followed by a group of another
     * stream. Takes less time than FTR_ORDER_BEGIN. */
    FTR_ORDER_STREAM = 3
} ftr_order;

/** Receives the bytes that ftr_query.prepare makes from one transaction, or that ftr_query.conclude
 * makes from several. */
typedef struct ftr_prepared ftr_prepared;

/** Appends @p size bytes, to which the caller must write. The first bytes that a call of `prepare`
 * or `conclude` appends are aligned to 8 bytes.
 *  @return the bytes, valid until the next call; NULL if out of memory, which also ends the pass
 * with FTR_ERR_MEMORY */
FTR_API void *ftr_prepared_append(ftr_prepared *prepared, size_t size);

/** Selection and order of transactions. Zero-initialised: all transactions, in stored order. */
typedef struct ftr_query {
    size_t size; /**< size of this struct; 0: the struct of this version */
    ftr_order order;
    /** Only transactions with begin <= `to` and end >= `from`: those that overlap [from, to], or,
     * if `from` is after `to`, those that contain [to, from]. */
    bool windowed;
    uint64_t from, to;
    bool by_id; /**< only the transaction with the id `id` */
    uint64_t id;
    /** Called once for each stream or generator, at its first occurrence; true selects its
     * transactions. NULL: selects all. */
    bool (*choose_stream)(void *user, const ftr_stream_info *stream);
    bool (*choose_generator)(void *user, const ftr_generator_info *generator);
    void *user;
    /** As ftr_reader_options.threads, for this cursor; 0: the reader's number. With more than one
     * thread, `choose_generator` is called for all generators when the cursor is opened. */
    unsigned threads;
    /** Called for each transaction before ftr_cursor_next_prepared() returns it: perhaps on another
     * thread, in any order, and more than once. ftr_cursor_next_prepared() returns only the bytes
     * that `prepare` appends to @p prepared. `prepare` must read attributes with @p reader, which
     * is a view for this thread, and must not call other functions of readers. The number @p thread
     * is 0 or below `threads`; calls with the same number do not overlap.
     *  @return false to skip the transaction */
    bool (*prepare)(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                    ftr_prepared *prepared);
    void *prepare_user;
    /** Called with the same @p thread after `prepare` was called for the last transaction of a
     *  chunk, or of a part of a chunk. Appends bytes about these transactions together, for example
     *  their number. ftr_cursor_next_prepared() returns these bytes after the bytes of the
     *  transactions. If transactions must be prepared again, the bytes of the first time are
     *  dropped, so each call must cover only the transactions since the previous call with this
     *  @p thread. If nothing is appended, nothing is returned. NULL: not called. */
    void (*conclude)(void *user, unsigned thread, ftr_prepared *prepared);
} ftr_query;

typedef struct ftr_cursor ftr_cursor;

/** Begins a pass over transactions. Chunks of other streams or outside of the window are not
 *  expanded. If more chunks overlap in time than fit into the budget, sorted sequences are written
 *  to a temporary file. Several cursors may be open at the same time.
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_STATE for a pipe in another order than the stored one;
 *          FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_cursor_open(ftr_reader *reader, const ftr_query *query,
                                                ftr_cursor **cursor);

/** Moves to the next transaction.
 *   @return FTR_OK; FTR_ERR_END; FTR_ERR_IO (a pipe, the temporary file); FTR_ERR_LIMIT;
 *           FTR_ERR_MEMORY. In stored order, a call after FTR_ERR_END may return FTR_OK once the
 *           file has grown. */
FTR_API ftr_status ftr_cursor_next(ftr_cursor *cursor, ftr_transaction *tx);

/** Moves to the next transaction for which the query's function `prepare` returns true, or to the
 *  next bytes of the function `conclude`.
 *  @param[out] bytes the bytes that the function appended, valid until the cursor moves or is
 * closed
 *  @return as ftr_cursor_next(); FTR_ERR_ARGUMENT if the query has no function `prepare` */
FTR_API ftr_status ftr_cursor_next_prepared(ftr_cursor *cursor, const void **bytes, size_t *size);

/** Moves to the transaction at a position that a cursor of the same reader returned before.
 * ftr_cursor_next() then continues with the transaction stored after it. The query is not applied
 * to this transaction.
 * @param cursor in stored order
 * @param chunk_offset,chunk_within as in ftr_transaction
 * @return FTR_OK; FTR_ERR_ARGUMENT if the cursor has another order, or no transaction begins there;
 *         FTR_ERR_FORMAT; FTR_ERR_LIMIT; FTR_ERR_MEMORY. After an error the position is
 * undefined. */
FTR_API FTR_MUST_USE ftr_status ftr_cursor_seek(ftr_cursor *cursor, uint64_t chunk_offset,
                                                uint64_t chunk_within, ftr_transaction *tx);

/** Closes a cursor. Accepts NULL. */
FTR_API void ftr_cursor_close(ftr_cursor *cursor);

/** Gets the next attribute of @p tx, in stored order. Malformed attributes are skipped and reported
 * as findings.
 *  @return false after the last attribute */
FTR_API bool ftr_reader_next_attribute(ftr_reader *reader, ftr_transaction *tx,
                                       ftr_attribute_value *attribute);

/** Makes ftr_reader_next_attribute() continue with the first attribute. */
FTR_API void ftr_transaction_rewind(ftr_transaction *tx);

/* ---- relations ------------------------------------------------------------------------------- */

typedef struct ftr_relation_cursor ftr_relation_cursor;

/** Begins a pass over all relations, in stored order; with @p by_id, only over relations from or to
 * the transaction @p id. The reader remembers the range of transaction ids in each chunk of
 * relations that it has read. A later pass by id expands only chunks whose range contains @p id.
 *  @return FTR_OK; FTR_ERR_STATE for a pipe; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_relation_cursor_open(ftr_reader *reader, bool by_id,
                                                         uint64_t id, ftr_relation_cursor **cursor);
/** @return FTR_OK; FTR_ERR_END; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_relation_cursor_next(ftr_relation_cursor *cursor,
                                            ftr_relation_info *relation);
FTR_API void ftr_relation_cursor_close(ftr_relation_cursor *cursor);

/* ---- checks ------------------------------------------------------------------------------- */

/** Reads the whole file and reports the violations of the rules in docs/reading.md through the
 * reader's finding function. The rule about the name of the file is not checked.
 *  @return FTR_OK, independent of findings; FTR_ERR_STATE for a pipe; FTR_ERR_MEMORY; FTR_ERR_IO */
FTR_API ftr_status ftr_reader_check(ftr_reader *reader);

#ifdef __cplusplus
}
#endif

#endif
