/** @file
 *  Reads CBOR (RFC 8949) from memory, one item per call.
 *
 *  The reader allocates nothing, does not recurse, and never reads outside the given bytes: a
 *  length or count that exceeds the remaining bytes is an error. Numbers are accepted in every
 *  width, not only the shortest.
 *
 *  Every get checks the type of the next item and moves past the item. On a mismatch the get
 *  returns an error, which latches: `status` keeps the error, the cursor stays at the item,
 *  out-parameters are not changed, and every later get returns the same error. ftr_cbor_peek()
 *  returns the type of the next item; a copy of the struct serves as a bookmark. The errors:
 *    FTR_ERR_TRUNCATED  the bytes end before the item does
 *    FTR_ERR_FORMAT     the item is malformed or has the wrong type
 *    FTR_ERR_LIMIT      a number or string does not fit into the caller's variable, or an item is
 *                       nested too deep for ftr_cbor_skip()
 *
 *  A reader must be used by one thread at a time. Several readers may read the same bytes. */
#ifndef FTR_CBOR_READER_H
#define FTR_CBOR_READER_H

#include "cbor_item.h"

#include <ftr/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ftr_cbor_reader {
    const uint8_t *begin;
    const uint8_t *cursor; /**< position of the next item */
    const uint8_t *end;
    ftr_status status; /**< the first error, or FTR_OK */
} ftr_cbor_reader;

/** The type of the next item. */
typedef enum ftr_cbor_type {
    FTR_CBOR_UINT,
    FTR_CBOR_NEGATIVE,
    FTR_CBOR_BYTES,
    FTR_CBOR_TEXT,
    FTR_CBOR_ARRAY,
    FTR_CBOR_MAP,
    FTR_CBOR_TAG,
    FTR_CBOR_SIMPLE, /**< a simple value that has no enumerator below */
    FTR_CBOR_BOOL,
    FTR_CBOR_NULL,
    FTR_CBOR_UNDEFINED,
    FTR_CBOR_HALF,   /**< a float of 16 bits */
    FTR_CBOR_FLOAT,  /**< a float of 32 bits */
    FTR_CBOR_DOUBLE, /**< a float of 64 bits */
    FTR_CBOR_BREAK,
    FTR_CBOR_MALFORMED, /**< the next byte cannot begin an item */
    FTR_CBOR_END        /**< there are no more bytes, or an error is latched */
} ftr_cbor_type;

/** The head of an item. */
typedef struct ftr_cbor_head {
    uint64_t argument; /**< number, length, count, tag, simple value or float bits */
    uint8_t major;     /**< FTR_CBOR_MAJOR_... */
    uint8_t info;      /**< additional information: the lower five bits of the first byte */
    /** there is no argument, because the item lasts until a break. If `major` is
     *  FTR_CBOR_MAJOR_SIMPLE, the item is itself a break */
    bool indefinite;
} ftr_cbor_head;

/** The count of an array or map that lasts until a break. Real counts never have this value: counts
 *  that exceed the remaining bytes are errors. */
#define FTR_CBOR_INDEFINITE UINT64_MAX

/** Maximum depth of nested indefinite arrays and maps for ftr_cbor_skip(). Definite arrays and
 *  maps, and tags, can be nested without limit. */
#define FTR_CBOR_SKIP_DEPTH 64

/** Initialises a reader for @p size bytes at @p bytes (may be NULL if @p size is 0). The bytes are
 *  borrowed as long as the reader or its views are in use. */
static inline void ftr_cbor_reader_init(ftr_cbor_reader *r, const void *bytes, size_t size)
{
    r->begin = (const uint8_t *)bytes;
    r->cursor = r->begin;
    r->end = size > 0 ? r->begin + size : r->begin;
    r->status = FTR_OK;
}

/** Returns the offset of the next item in the bytes; after an error, the offset of the item with
 *  the error. */
static inline size_t ftr_cbor_reader_offset(const ftr_cbor_reader *r)
{
    return (size_t)(r->cursor - r->begin);
}

/** Returns the number of bytes from the next item to the end. */
static inline size_t ftr_cbor_reader_left(const ftr_cbor_reader *r)
{
    return (size_t)(r->end - r->cursor);
}

/** Loads a big-endian argument of @p size (1, 2, 4 or 8) bytes at @p p. @p left is the number of
 *  bytes that may be read there, at least @p size. */
static inline uint64_t ftr_cbor_load(const uint8_t *p, unsigned size, size_t left)
{
    uint64_t value = 0;
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (left >= 8) {
        memcpy(&value, p, sizeof value);
        return __builtin_bswap64(value) >> (64 - 8 * size);
    }
#else
    (void)left;
#endif
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | p[i];
    return value;
}

/** Latches an error that the caller found, unless an error is already latched.
 *  @return the latched error */
ftr_status ftr_cbor_reader_fail(ftr_cbor_reader *r, ftr_status status);

/** Returns the type of the next item. Does not move the reader and latches no error. The item may
 * be truncated. */
ftr_cbor_type ftr_cbor_peek(const ftr_cbor_reader *r);

/** Returns true if the next item is a string, array or map that lasts until a break. */
bool ftr_cbor_peek_indefinite(const ftr_cbor_reader *r);

/** Returns true if the next item is a break. */
static inline bool ftr_cbor_at_break(const ftr_cbor_reader *r)
{
    return r->cursor < r->end && *r->cursor == FTR_CBOR_BYTE_BREAK;
}

/** Reads the head of any item, also of a break, and moves past the head. After the head of a
 *  string, the reader is at the content; the length is not checked against the remaining bytes.
 *  Callers use this function for items that the other functions reject, for example a truncated
 *  string. */
ftr_status ftr_cbor_get_head(ftr_cbor_reader *r, ftr_cbor_head *head);

/** The slow path of ftr_cbor_get_argument(), for arguments that are not in the first byte. Not for
 *  direct use. */
ftr_status ftr_cbor_get_argument_slow(ftr_cbor_reader *r, uint8_t major, uint64_t *argument);

/** Reads the head of an item of major type @p major and stores the argument of the head. The item
 * must not be indefinite. */
static inline ftr_status ftr_cbor_get_argument(ftr_cbor_reader *r, uint8_t major,
                                               uint64_t *argument)
{
    if (r->status == FTR_OK && r->cursor < r->end) {
        /* If the item has another major type, the difference is at least 32, because it wraps at
         * 256. */
        const uint8_t info = (uint8_t)(*r->cursor - (major << 5));
        if (info < FTR_CBOR_INFO_8) {
            *argument = info;
            r->cursor++;
            return FTR_OK;
        }
    }
    return ftr_cbor_get_argument_slow(r, major, argument);
}

static inline ftr_status ftr_cbor_get_uint(ftr_cbor_reader *r, uint64_t *value)
{
    return ftr_cbor_get_argument(r, FTR_CBOR_MAJOR_UINT, value);
}

/** Reads an unsigned or negative integer; FTR_ERR_LIMIT if it does not fit into int64_t. */
ftr_status ftr_cbor_get_int(ftr_cbor_reader *r, int64_t *value);

/** Reads a float of any width; integers are errors. */
ftr_status ftr_cbor_get_double(ftr_cbor_reader *r, double *value);

ftr_status ftr_cbor_get_bool(ftr_cbor_reader *r, bool *value);

/** Reads any simple value, including false, true, null and undefined (20 to 23). */
ftr_status ftr_cbor_get_simple(ftr_cbor_reader *r, uint8_t *value);

/** Reads a tag; the tagged item is the next item. */
static inline ftr_status ftr_cbor_get_tag(ftr_cbor_reader *r, uint64_t *tag)
{
    return ftr_cbor_get_argument(r, FTR_CBOR_MAJOR_TAG, tag);
}

/** Returns a definite text as a view into the bytes: not NUL-terminated, UTF-8 not checked. For a
 *  text in chunks, returns FTR_ERR_FORMAT; ftr_cbor_copy_string() reads such a text. */
ftr_status ftr_cbor_get_text(ftr_cbor_reader *r, const char **text, size_t *size);

/** Returns a definite byte string as a view into the bytes. */
ftr_status ftr_cbor_get_bytes(ftr_cbor_reader *r, const uint8_t **bytes, size_t *size);

/** Gets the number of bytes that ftr_cbor_copy_string() will copy. Does not move the reader, but
 *  latches errors. @p major is FTR_CBOR_MAJOR_TEXT or FTR_CBOR_MAJOR_BYTES. */
ftr_status ftr_cbor_measure_string(ftr_cbor_reader *r, uint8_t major, size_t *size);

/** Copies a string, definite or in chunks, to @p to. FTR_ERR_LIMIT if the string is longer than
 *  @p capacity; then nothing is copied. */
ftr_status ftr_cbor_copy_string(ftr_cbor_reader *r, uint8_t major, void *to, size_t capacity,
                                size_t *size);

/** Enters an array: its items are next. @param[out] count number of items, or
 * FTR_CBOR_INDEFINITE */
ftr_status ftr_cbor_get_array(ftr_cbor_reader *r, uint64_t *count);

/** Enters a map: its keys and values are next, alternately. @param[out] count number of pairs, or
 *  FTR_CBOR_INDEFINITE */
ftr_status ftr_cbor_get_map(ftr_cbor_reader *r, uint64_t *count);

/** Returns true if an array or map has another item (or pair); @p count is the variable that
 *  ftr_cbor_get_array() or ftr_cbor_get_map() has set. Returns false at the end, after reading the
 *  break if there is one. Also returns false on an error, so a loop can check the status once, at
 *  its end:
 *
 *      for (ftr_cbor_get_array(r, &count); ftr_cbor_next(r, &count);)
 *          ...
 *
 *  @p count must be initialised to 0, because ftr_cbor_get_array() does not set it if the next item
 *  is not an array. */
bool ftr_cbor_next(ftr_cbor_reader *r, uint64_t *count);

/** Moves past the break that ends an indefinite item. */
ftr_status ftr_cbor_get_break(ftr_cbor_reader *r);

/** Moves past the next item and all items in it, which must be well-formed. FTR_ERR_LIMIT if
 *  indefinite arrays and maps are nested deeper than FTR_CBOR_SKIP_DEPTH. The time is proportional
 *  to the number of skipped bytes; no memory is allocated. */
ftr_status ftr_cbor_skip(ftr_cbor_reader *r);

#ifdef __cplusplus
}
#endif

/* Reads an array, definite or not, of exactly @p count unsigned numbers. Latches FTR_ERR_FORMAT for
 * any other item. */
static inline ftr_status ftr_cbor_get_fields(ftr_cbor_reader *r, unsigned count, uint64_t *field)
{
    uint64_t found = 0;
    (void)ftr_cbor_get_array(r, &found);
    if (found != count && found != FTR_CBOR_INDEFINITE)
        return ftr_cbor_reader_fail(r, FTR_ERR_FORMAT);
    for (unsigned i = 0; i < count; i++)
        (void)ftr_cbor_get_uint(r, &field[i]);
    return found == FTR_CBOR_INDEFINITE ? ftr_cbor_get_break(r) : r->status;
}

#endif
