/** @file
 *  Reads CBOR (RFC 8949) from memory, item by item, at the caller's pull.
 *
 *  Nothing is allocated, nothing recurses, and nothing outside of the given bytes is touched,
 *  whatever they say: a length or count is only believed as far as bytes are there for it. Numbers
 *  are accepted in every width, not only the shortest.
 *
 *  Every get checks that the item is of its kind and moves behind it. If not, it answers an error,
 *  which latches: `status` keeps it, the cursor stays at the item, out-parameters stay untouched,
 *  and each later get answers the same. ftr_cbor_peek() says beforehand what comes; a copy of the
 *  struct is a bookmark. The errors:
 *    FTR_ERR_TRUNCATED  the bytes end before the item does
 *    FTR_ERR_FORMAT     the item is malformed, or of another kind than was asked for
 *    FTR_ERR_LIMIT      a number or string exceeds what the caller has to hold it
 *
 *  Not thread-safe: one reader, one thread at a time. Several may read the same bytes. */
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
    const uint8_t *cursor; /**< the next item */
    const uint8_t *end;
    ftr_status status; /**< the first error, or FTR_OK */
} ftr_cbor_reader;

/** What the next item is. */
typedef enum ftr_cbor_type {
    FTR_CBOR_UINT,
    FTR_CBOR_NEGATIVE,
    FTR_CBOR_BYTES,
    FTR_CBOR_TEXT,
    FTR_CBOR_ARRAY,
    FTR_CBOR_MAP,
    FTR_CBOR_TAG,
    FTR_CBOR_SIMPLE, /**< a simple value without a type of its own here */
    FTR_CBOR_BOOL,
    FTR_CBOR_NULL,
    FTR_CBOR_UNDEFINED,
    FTR_CBOR_HALF, /**< the three floats, by width: 16, 32 and 64 bits */
    FTR_CBOR_FLOAT,
    FTR_CBOR_DOUBLE,
    FTR_CBOR_BREAK,
    FTR_CBOR_MALFORMED, /**< no item begins with this byte */
    FTR_CBOR_END        /**< there are no more bytes, or an error is latched */
} ftr_cbor_type;

/** The head of an item. */
typedef struct ftr_cbor_head {
    uint64_t argument; /**< number, length, count, tag, simple value or float bits */
    uint8_t major;     /**< FTR_CBOR_MAJOR_... */
    uint8_t info;      /**< additional information: how wide the argument is */
    bool indefinite;   /**< no argument: lasts until a break. With MAJOR_SIMPLE: is the break */
} ftr_cbor_head;

/** The count of an array or map that lasts until a break. No other can have it: counts that exceed
 *  the bytes there are get refused. */
#define FTR_CBOR_INDEFINITE UINT64_MAX

/** How many indefinite arrays and maps within each other ftr_cbor_skip() follows; definite ones and
 *  tags nest without limit. */
#define FTR_CBOR_SKIP_DEPTH 64

/** Reads @p size bytes at @p bytes (may be NULL if 0), borrowed as long as the reader and the views
 *  it gave are in use. */
static inline void ftr_cbor_reader_init(ftr_cbor_reader *r, const void *bytes, size_t size)
{
    r->begin = (const uint8_t *)bytes;
    r->cursor = r->begin;
    r->end = size > 0 ? r->begin + size : r->begin;
    r->status = FTR_OK;
}

/** Bytes before the next item; after an error, before the item that has it. */
static inline size_t ftr_cbor_reader_offset(const ftr_cbor_reader *r)
{
    return (size_t)(r->cursor - r->begin);
}

/** Bytes from the next item to the end. */
static inline size_t ftr_cbor_reader_left(const ftr_cbor_reader *r)
{
    return (size_t)(r->end - r->cursor);
}

/** The @p size (1, 2, 4 or 8) bytes of an argument at @p p as a number; @p left bytes may be read
 *  there, as many at least. */
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

/** Latches @p status unless an error is latched already, for errors that the caller found.
 *  @return the latched error */
ftr_status ftr_cbor_reader_fail(ftr_cbor_reader *r, ftr_status status);

/** What the next item is. Moves nothing, latches nothing; the item may still turn out truncated. */
ftr_cbor_type ftr_cbor_peek(const ftr_cbor_reader *r);

/** True when the next item is a string, array or map that lasts until a break. */
bool ftr_cbor_peek_indefinite(const ftr_cbor_reader *r);

/** True when the next item is a break. */
static inline bool ftr_cbor_at_break(const ftr_cbor_reader *r)
{
    return r->cursor < r->end && *r->cursor == FTR_CBOR_BYTE_BREAK;
}

/** The head of any item, break included, and moves behind the head: to the content of a string,
 *  whose length is not compared with the bytes there are. For what the other gets do not cover, a
 *  string that is cut short say. */
ftr_status ftr_cbor_get_head(ftr_cbor_reader *r, ftr_cbor_head *head);

/** What ftr_cbor_get_argument() does with an argument that is not in the first byte: not for others
 *  to call. */
ftr_status ftr_cbor_get_argument_slowly(ftr_cbor_reader *r, uint8_t major, uint64_t *argument);

/** The argument of a definite head of type @p major, and moves behind that head. */
static inline ftr_status ftr_cbor_get_argument(ftr_cbor_reader *r, uint8_t major,
                                               uint64_t *argument)
{
    if (r->status == FTR_OK && r->cursor < r->end) {
        /* Wraps to a large number for any other major type. */
        const uint8_t info = (uint8_t)(*r->cursor - (major << 5));
        if (info < FTR_CBOR_INFO_8) {
            *argument = info;
            r->cursor++;
            return FTR_OK;
        }
    }
    return ftr_cbor_get_argument_slowly(r, major, argument);
}

static inline ftr_status ftr_cbor_get_uint(ftr_cbor_reader *r, uint64_t *value)
{
    return ftr_cbor_get_argument(r, FTR_CBOR_MAJOR_UINT, value);
}

/** An unsigned or negative integer; FTR_ERR_LIMIT when it is outside of int64_t. */
ftr_status ftr_cbor_get_int(ftr_cbor_reader *r, int64_t *value);

/** A float of any width; not an integer. */
ftr_status ftr_cbor_get_double(ftr_cbor_reader *r, double *value);

ftr_status ftr_cbor_get_bool(ftr_cbor_reader *r, bool *value);
ftr_status ftr_cbor_get_null(ftr_cbor_reader *r);

/** Any simple value, those with a type of their own (20 to 23) included. */
ftr_status ftr_cbor_get_simple(ftr_cbor_reader *r, uint8_t *value);

/** A tag; what it tags is the next item. */
static inline ftr_status ftr_cbor_get_tag(ftr_cbor_reader *r, uint64_t *tag)
{
    return ftr_cbor_get_argument(r, FTR_CBOR_MAJOR_TAG, tag);
}

/** A definite text as a view into the bytes: not 0-terminated, UTF-8 not checked. One in chunks is
 *  FTR_ERR_FORMAT: see ftr_cbor_copy_string(). */
ftr_status ftr_cbor_get_text(ftr_cbor_reader *r, const char **text, size_t *size);

/** A definite byte string as a view into the bytes. */
ftr_status ftr_cbor_get_bytes(ftr_cbor_reader *r, const uint8_t **bytes, size_t *size);

/** The bytes that ftr_cbor_copy_string() will copy. Moves nothing, but latches. @p major is
 *  FTR_CBOR_MAJOR_TEXT or FTR_CBOR_MAJOR_BYTES. */
ftr_status ftr_cbor_measure_string(ftr_cbor_reader *r, uint8_t major, size_t *size);

/** Copies a string, definite or in chunks, to @p to; FTR_ERR_LIMIT, with nothing copied, when it
 *  is longer than @p capacity. */
ftr_status ftr_cbor_copy_string(ftr_cbor_reader *r, uint8_t major, void *to, size_t capacity,
                                size_t *size);

/** Enters an array: its items are next. @param[out] count items, or FTR_CBOR_INDEFINITE */
ftr_status ftr_cbor_get_array(ftr_cbor_reader *r, uint64_t *count);

/** Enters a map: its keys and values are next, in turn. @param[out] count pairs, or
 *  FTR_CBOR_INDEFINITE */
ftr_status ftr_cbor_get_map(ftr_cbor_reader *r, uint64_t *count);

/** Whether the array or map that @p count was got for has another item (or pair); takes the break
 *  that ends it. An error ends it too, so that a loop looks at the status behind it alone:
 *
 *      for (ftr_cbor_get_array(r, &count); ftr_cbor_next(r, &count);)
 *          ...
 *
 *  with count initialised to 0 for the array that is none. */
bool ftr_cbor_next(ftr_cbor_reader *r, uint64_t *count);

/** The break that ends what is indefinite. */
ftr_status ftr_cbor_get_break(ftr_cbor_reader *r);

/** Moves behind the next item and all that is in it, which must be well-formed. FTR_ERR_LIMIT past
 *  FTR_CBOR_SKIP_DEPTH. Takes time by the bytes skipped, and no memory. */
ftr_status ftr_cbor_skip(ftr_cbor_reader *r);

#ifdef __cplusplus
}
#endif

#endif
