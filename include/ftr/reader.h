/** @file
 *  Reads FTR files: what is in them, their transactions in any order, their relations, and what is
 *  wrong with them. docs/reading.md is the guide, docs/format.md the format.
 *
 *  A reader maps its file and indexes the chunks without expanding the transactions; chunks are
 *  loaded when they are asked for and forgotten when the memory budget asks for it. It reads from a
 *  pipe too, in the order of the bytes. Whatever the bytes are, a reader neither crashes nor takes
 *  more memory than its budget: what it cannot use it skips, and says so in a finding.
 *
 *  A reader and all that was opened on it belong to one thread at a time. Texts are views: UTF-8
 *  as far as the file keeps to it, of a given size, not 0-terminated. Times are ticks of the file's
 *  time scale. */
#ifndef FTR_READER_H
#define FTR_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/file_summary.h>
#include <ftr/finding.h>
#include <ftr/file_repair.h>
#include <ftr/status.h>
#include <ftr/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ftr_reader ftr_reader;

/** Text in memory of the reader; data is NULL when the file does not define the text. */
typedef struct ftr_view {
    const char *data;
    size_t size; /**< bytes */
} ftr_view;

/* ---- opening --------------------------------------------------------------------------------- */

/** How attribute types are numbered (docs/format.md, "Attribute types"). */
typedef enum ftr_reader_numbering {
    FTR_READER_NUMBERING_DETECT = 0, /**< told from the values; deployed when they do not tell */
    FTR_READER_NUMBERING_DEPLOYED = 1,
    FTR_READER_NUMBERING_TEXT = 2
} ftr_reader_numbering;

/** How to read. Zero-initialise it, then set what differs. */
typedef struct ftr_reader_options {
    size_t size;   /**< bytes of this struct; 0: as the program was compiled */
    size_t memory; /**< budget in bytes for all that the reader holds; 0: 128 MiB */
    ftr_reader_numbering numbering;
    bool spool; /**< copy a pipe to a temporary file first, and read that with an index */
    const char *directory; /**< of temporary files; NULL: TMPDIR, else /tmp */
    /** Told of each finding when it is met, again when the same bytes are read again. NULL: nobody
     *  is. */
    void (*finding)(void *user, const ftr_finding *finding);
    void *finding_user;
    /** ftr_reader_check() also reports what concerns FTR_FOR_SURFER_WEB alone. */
    bool surfer_web;
} ftr_reader_options;

/** Opens the file at @p path; "-" is the standard input.
 *  @param options  NULL: all defaults
 *  @param[out] reader the caller's until ftr_reader_close(); untouched on error
 *  @return FTR_OK, also for a file with findings; FTR_ERR_IO with errno set; FTR_ERR_FORMAT when it
 *          is no FTR file or has no info chunk in front of which nothing else can be understood;
 *          FTR_ERR_LIMIT when the index alone exceeds the budget; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_reader_open(const char *path, const ftr_reader_options *options,
                                                ftr_reader **reader);

/** The same for an open descriptor, which stays the caller's. What cannot be mapped is a pipe. */
FTR_API FTR_MUST_USE ftr_status ftr_reader_open_fd(int fd, const ftr_reader_options *options,
                                                   ftr_reader **reader);

/** The same for @p size bytes at @p bytes, borrowed until the reader closes. */
FTR_API FTR_MUST_USE ftr_status ftr_reader_open_memory(const void *bytes, size_t size,
                                                       const ftr_reader_options *options,
                                                       ftr_reader **reader);

/** Frees the reader, and its cursors and parsers with it. Nothing for NULL. */
FTR_API void ftr_reader_close(ftr_reader *reader);

/** Looks whether the file has grown and indexes what is new. Cursors in stored order go on into it.
 *  @param[out] grown may be NULL
 *  @return FTR_OK; FTR_ERR_IO; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_reader_refresh(ftr_reader *reader, bool *grown);

/* ---- navigating ------------------------------------------------------------------------------ */

FTR_API void ftr_reader_get_summary(ftr_reader *reader, ftr_summary *summary);

/** How the types of this file are numbered: asked for, or told by a look at a sample of its chunks.
 *  @param[out] known false when it is deployed only because nothing tells; may be NULL */
FTR_API ftr_numbering ftr_reader_get_numbering(ftr_reader *reader, bool *known);

/** A stream; lives until the reader closes, and changes only by what is read from the file. */
typedef struct ftr_stream_info {
    uint64_t id;
    ftr_view name; /**< "#ID" for a stream that is used but not defined */
    ftr_view kind;
    bool defined;
    uint32_t index;  /**< its number in this reader: 0, 1, ... */
    uint64_t chunks; /**< its transaction chunks */
    uint64_t bytes;  /**< of them in the file */
    uint64_t bytes_expanded;
    uint64_t first_time; /**< least start of its chunks; UINT64_MAX without one */
    uint64_t last_time;
} ftr_stream_info;

/** A generator; lives until the reader closes. */
typedef struct ftr_generator_info {
    uint64_t id; /**< UINT64_MAX: stands for all generators of its stream that are not defined */
    ftr_view name;
    const ftr_stream_info *stream;
    bool defined;
    uint32_t index; /**< its number in this reader: 0, 1, ... */
} ftr_generator_info;

FTR_API size_t ftr_reader_stream_count(const ftr_reader *reader);
/** @return NULL when @p index is not below the count */
FTR_API const ftr_stream_info *ftr_reader_get_stream(const ftr_reader *reader, size_t index);
/** @return NULL when no stream has this id */
FTR_API const ftr_stream_info *ftr_reader_find_stream(const ftr_reader *reader, uint64_t id);

FTR_API size_t ftr_reader_generator_count(const ftr_reader *reader);
FTR_API const ftr_generator_info *ftr_reader_get_generator(const ftr_reader *reader, size_t index);
FTR_API const ftr_generator_info *ftr_reader_find_generator(const ftr_reader *reader, uint64_t id);

/** A chunk as it lies in the file. */
typedef struct ftr_chunk_info {
    ftr_chunk_kind kind;
    bool compressed;
    uint64_t offset;               /**< bytes into the file */
    uint64_t size;                 /**< bytes in the file, frame included */
    uint64_t bytes_expanded;       /**< of its content, as the chunk says */
    const ftr_stream_info *stream; /**< transactions: whose; else NULL */
    uint64_t start, end;           /**< transactions: the times it says */
} ftr_chunk_info;

FTR_API size_t ftr_reader_chunk_count(const ftr_reader *reader);
/** @return false when @p index is not below the count; then @p chunk is untouched */
FTR_API bool ftr_reader_get_chunk(const ftr_reader *reader, size_t index, ftr_chunk_info *chunk);

/* ---- pulling transactions -------------------------------------------------------------------- */

/** A transaction, valid until its cursor moves or closes. */
typedef struct ftr_transaction {
    uint64_t id;
    uint64_t begin;
    uint64_t end;
    const ftr_stream_info *stream; /**< of its generator; of its chunk when that is not defined */
    const ftr_generator_info *generator; /**< never NULL */
    uint64_t generator_id;               /**< as stored */
    uint64_t chunk_offset;               /**< of its chunk, bytes into the file */
    uint64_t chunk_within;               /**< of it, bytes into the chunk's expanded content */
    /** For ftr_reader_next_attribute() alone. */
    struct {
        const uint8_t *first, *next, *last;
        uint64_t within;
    } attributes;
} ftr_transaction;

typedef enum ftr_order {
    FTR_ORDER_STORED = 0, /**< as in the file: the fastest, and the only one from a pipe */
    FTR_ORDER_BEGIN = 1,  /**< by begin; equal ones as stored */
    FTR_ORDER_END = 2     /**< by end; equal ones: those without duration last, else as stored */
} ftr_order;

/** Which transactions, in which order. Zero-initialised: all, as stored. */
typedef struct ftr_query {
    size_t size; /**< bytes of this struct; 0: as the program was compiled */
    ftr_order order;
    bool windowed; /**< only those whose [begin, end] has a tick in [from, to] */
    uint64_t from, to;
    bool by_id; /**< only the one of this id */
    uint64_t id;
    /** Asked once for each stream and generator, when it is first met; NULL: all. */
    bool (*choose_stream)(void *user, const ftr_stream_info *stream);
    bool (*choose_generator)(void *user, const ftr_generator_info *generator);
    void *user;
} ftr_query;

typedef struct ftr_cursor ftr_cursor;

/** Begins a pass over transactions. Chunks of other streams or outside of the window are not
 *  expanded. When more chunks overlap in time than the budget holds, sorted runs are kept in a
 *  temporary file. Several cursors may be open.
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_STATE for another order from a pipe; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_cursor_open(ftr_reader *reader, const ftr_query *query,
                                                ftr_cursor **cursor);

/** Moves to the next transaction.
 *  @return FTR_OK; FTR_ERR_END; FTR_ERR_IO (a pipe, the temporary file); FTR_ERR_LIMIT;
 *          FTR_ERR_MEMORY; with stored order it may go on after FTR_ERR_END once the file has grown
 */
FTR_API ftr_status ftr_cursor_next(ftr_cursor *cursor, ftr_transaction *tx);

/** Moves to the transaction that a cursor of the same reader found at this place before; the next
 * one is the one stored behind it. Whether the query wants the transaction is not tested.
 *  @param cursor in stored order
 *  @param chunk_offset,chunk_within as in ftr_transaction
 *  @return FTR_OK; FTR_ERR_ARGUMENT if the cursor has another order, or no transaction begins
 * there; FTR_ERR_FORMAT; FTR_ERR_LIMIT; FTR_ERR_MEMORY. After an error the position is unspecified.
 */
FTR_API FTR_MUST_USE ftr_status ftr_cursor_seek(ftr_cursor *cursor, uint64_t chunk_offset,
                                                uint64_t chunk_within, ftr_transaction *tx);

/** Nothing for NULL. */
FTR_API void ftr_cursor_close(ftr_cursor *cursor);

/** Which member of an attribute's value holds it. */
typedef enum ftr_form {
    FTR_FORM_NONE, /**< no value */
    FTR_FORM_BOOLEAN,
    FTR_FORM_INTEGER, /**< a negative integer */
    FTR_FORM_NUMBER,  /**< an integer that is not negative */
    FTR_FORM_REAL,
    FTR_FORM_TEXT
} ftr_form;

/** The type of an attribute without a value: only the published text's numbering has it. */
#define FTR_TYPE_NONE ((ftr_type)12)

/** An attribute, decoded. Its texts are valid until any cursor of the reader moves. */
typedef struct ftr_attribute_value {
    ftr_view name;
    ftr_attribute_class class_;
    ftr_type type; /**< whatever the numbering of the file */
    ftr_form form;
    uint8_t real_size; /**< bytes of a stored float: 2, 4 or 8 */
    union {
        bool boolean;
        int64_t integer;
        uint64_t number;
        double real;
        ftr_view text; /**< data NULL: the file does not define the text */
    } as;
    uint64_t name_id;
    uint64_t text_id; /**< FTR_FORM_TEXT */
    uint32_t size;    /**< bytes it takes in the expanded chunk, its texts not counted */
} ftr_attribute_value;

/** The next attribute of @p tx, in stored order. Malformed ones are skipped, with a finding.
 *  @return false after the last one */
FTR_API bool ftr_reader_next_attribute(ftr_reader *reader, ftr_transaction *tx,
                                       ftr_attribute_value *attribute);

/** Begins again at the first attribute. */
FTR_API void ftr_transaction_rewind(ftr_transaction *tx);

/* ---- relations ------------------------------------------------------------------------------- */

/** A relation; its name is valid until any cursor of the reader moves. */
typedef struct ftr_relation_info {
    ftr_view name;
    uint64_t from_tx, to_tx;
    bool has_streams; /**< false: it was stored with three elements */
    uint64_t from_stream, to_stream;
    uint64_t chunk_offset; /**< bytes into the file */
    uint64_t chunk_within; /**< bytes into the chunk's expanded content */
} ftr_relation_info;

typedef struct ftr_relation_cursor ftr_relation_cursor;

/** Begins a pass over all relations, as stored; with @p by_id only over those from or to
 *  transaction @p id. The first pass notes which ids each chunk has, later ones expand no others.
 *  @return FTR_OK; FTR_ERR_STATE from a pipe; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_relation_cursor_open(ftr_reader *reader, bool by_id,
                                                         uint64_t id, ftr_relation_cursor **cursor);
/** @return FTR_OK; FTR_ERR_END; FTR_ERR_LIMIT; FTR_ERR_MEMORY */
FTR_API ftr_status ftr_relation_cursor_next(ftr_relation_cursor *cursor,
                                            ftr_relation_info *relation);
FTR_API void ftr_relation_cursor_close(ftr_relation_cursor *cursor);

/* ---- checking ----------------------------------------------------------------------------- */

/** Reads the whole file and reports, through the reader's finding function, all that the viewers
 *  and the format ask of a file and this one does not keep.
 *  @return FTR_OK, whatever it found; FTR_ERR_STATE from a pipe; FTR_ERR_MEMORY; FTR_ERR_IO */
FTR_API ftr_status ftr_reader_check(ftr_reader *reader);

/* ---- sizes of structs ------------------------------------------------------------------------
 *
 * A program passes the sizes of the structs that it was compiled with: a library of another size
 * reads and writes no byte outside of them. */

FTR_API FTR_MUST_USE ftr_status ftr_reader_open_sized(const char *path,
                                                      const ftr_reader_options *options,
                                                      size_t size, ftr_reader **reader);
FTR_API FTR_MUST_USE ftr_status ftr_reader_open_fd_sized(int fd, const ftr_reader_options *options,
                                                         size_t size, ftr_reader **reader);
FTR_API FTR_MUST_USE ftr_status ftr_reader_open_memory_sized(const void *bytes, size_t count,
                                                             const ftr_reader_options *options,
                                                             size_t size, ftr_reader **reader);
FTR_API void ftr_reader_get_summary_sized(ftr_reader *reader, ftr_summary *summary, size_t size);
FTR_API bool ftr_reader_get_chunk_sized(const ftr_reader *reader, size_t index,
                                        ftr_chunk_info *chunk, size_t size);
FTR_API FTR_MUST_USE ftr_status ftr_cursor_open_sized(ftr_reader *reader, const ftr_query *query,
                                                      size_t size, ftr_cursor **cursor);
FTR_API ftr_status ftr_cursor_next_sized(ftr_cursor *cursor, ftr_transaction *tx, size_t size);
FTR_API FTR_MUST_USE ftr_status ftr_cursor_seek_sized(ftr_cursor *cursor, uint64_t chunk_offset,
                                                      uint64_t chunk_within, ftr_transaction *tx,
                                                      size_t size);
FTR_API bool ftr_reader_next_attribute_sized(ftr_reader *reader, ftr_transaction *tx,
                                             ftr_attribute_value *attribute, size_t size);
FTR_API ftr_status ftr_relation_cursor_next_sized(ftr_relation_cursor *cursor,
                                                  ftr_relation_info *relation, size_t size);

#ifndef FTR_BUILDING_LIBRARY

FTR_MUST_USE static inline ftr_status
ftr_reader_open_inline(const char *path, const ftr_reader_options *options, ftr_reader **reader)
{
    return ftr_reader_open_sized(path, options, sizeof *options, reader);
}

FTR_MUST_USE static inline ftr_status
ftr_reader_open_fd_inline(int fd, const ftr_reader_options *options, ftr_reader **reader)
{
    return ftr_reader_open_fd_sized(fd, options, sizeof *options, reader);
}

FTR_MUST_USE static inline ftr_status
ftr_reader_open_memory_inline(const void *bytes, size_t count, const ftr_reader_options *options,
                              ftr_reader **reader)
{
    return ftr_reader_open_memory_sized(bytes, count, options, sizeof *options, reader);
}

static inline void ftr_reader_get_summary_inline(ftr_reader *reader, ftr_summary *summary)
{
    ftr_reader_get_summary_sized(reader, summary, sizeof *summary);
}

static inline bool ftr_reader_get_chunk_inline(const ftr_reader *reader, size_t index,
                                               ftr_chunk_info *chunk)
{
    return ftr_reader_get_chunk_sized(reader, index, chunk, sizeof *chunk);
}

FTR_MUST_USE static inline ftr_status
ftr_cursor_open_inline(ftr_reader *reader, const ftr_query *query, ftr_cursor **cursor)
{
    return ftr_cursor_open_sized(reader, query, sizeof *query, cursor);
}

static inline ftr_status ftr_cursor_next_inline(ftr_cursor *cursor, ftr_transaction *tx)
{
    return ftr_cursor_next_sized(cursor, tx, sizeof *tx);
}

FTR_MUST_USE static inline ftr_status ftr_cursor_seek_inline(ftr_cursor *cursor,
                                                             uint64_t chunk_offset,
                                                             uint64_t chunk_within,
                                                             ftr_transaction *tx)
{
    return ftr_cursor_seek_sized(cursor, chunk_offset, chunk_within, tx, sizeof *tx);
}

static inline bool ftr_reader_next_attribute_inline(ftr_reader *reader, ftr_transaction *tx,
                                                    ftr_attribute_value *attribute)
{
    return ftr_reader_next_attribute_sized(reader, tx, attribute, sizeof *attribute);
}

static inline ftr_status ftr_relation_cursor_next_inline(ftr_relation_cursor *cursor,
                                                         ftr_relation_info *relation)
{
    return ftr_relation_cursor_next_sized(cursor, relation, sizeof *relation);
}

#define ftr_reader_open ftr_reader_open_inline
#define ftr_reader_open_fd ftr_reader_open_fd_inline
#define ftr_reader_open_memory ftr_reader_open_memory_inline
#define ftr_reader_get_summary ftr_reader_get_summary_inline
#define ftr_reader_get_chunk ftr_reader_get_chunk_inline
#define ftr_cursor_open ftr_cursor_open_inline
#define ftr_cursor_next ftr_cursor_next_inline
#define ftr_cursor_seek ftr_cursor_seek_inline
#define ftr_reader_next_attribute ftr_reader_next_attribute_inline
#define ftr_relation_cursor_next ftr_relation_cursor_next_inline

#endif

#ifdef __cplusplus
}
#endif

#endif
