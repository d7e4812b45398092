/** @file
 *  Writes CBOR (RFC 8949) into memory, each item with its shortest head.
 *
 *  A writer is a plain struct in the caller's storage. Its buffer is fixed or grows. Errors latch:
 *  the first error stays in `status`, later puts do nothing, and the caller checks `status` once,
 *  when the item is complete. After an error, the bytes may end in the middle of an item.
 *
 *  There are two levels of functions. ftr_cbor_put_*() check for room. ftr_cbor_*_at() do not; they
 *  are for code that reserves room for a whole record and writes it at once:
 *
 *      uint8_t *p = ftr_cbor_reserve(w, 3 * FTR_CBOR_HEAD_MAX);
 *      if (p != NULL) {
 *          p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 2);
 *          p = ftr_cbor_uint_at(p, id);
 *          p = ftr_cbor_int_at(p, value);
 *          ftr_cbor_advance(w, p);
 *      }
 *
 *  A writer must be used by one thread at a time. */
#ifndef FTR_CBOR_WRITER_H
#define FTR_CBOR_WRITER_H

#include "cbor_item.h"

#include <ftr/status.h>

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ftr_cbor_writer {
    uint8_t *begin;    /**< start of the buffer */
    uint8_t *cursor;   /**< position of the next byte */
    uint8_t *end;      /**< end of the buffer; after an error, equal to `cursor` */
    size_t capacity;   /**< size of the buffer in bytes; an error does not change it */
    size_t max;        /**< limit of a growing writer, in bytes; 0: the buffer is fixed */
    ftr_status status; /**< the first error, or FTR_OK */
} ftr_cbor_writer;

/** Initialises a writer with the fixed buffer @p buffer, which must outlive the writer. Overflow
 *  latches FTR_ERR_LIMIT. */
void ftr_cbor_writer_init(ftr_cbor_writer *w, uint8_t *buffer, size_t capacity);

/** Initialises a writer with a growing buffer. The writer allocates the buffer and doubles it as
 *  needed, up to @p max bytes (0: no limit). Nothing is allocated before the first put. Latches
 *  FTR_ERR_MEMORY if out of memory, and FTR_ERR_LIMIT if more than @p max bytes are needed. Release
 *  with ftr_cbor_writer_free(). */
void ftr_cbor_writer_init_growing(ftr_cbor_writer *w, size_t max);

/** Discards the bytes and the error, and keeps the buffer. */
void ftr_cbor_writer_reset(ftr_cbor_writer *w);

/** Releases the memory of a growing writer and sets the writer to its initial state. */
void ftr_cbor_writer_free(ftr_cbor_writer *w);

/** Latches @p status, which the caller has found, so that nothing more is written. Does nothing if
 *  an error is already latched or @p status is FTR_OK. */
void ftr_cbor_writer_fail(ftr_cbor_writer *w, ftr_status status);

/** Returns the number of bytes between begin and cursor. */
static inline size_t ftr_cbor_writer_size(const ftr_cbor_writer *w)
{
    return (size_t)(w->cursor - w->begin);
}

/** Returns the number of free bytes of the buffer; 0 after an error. */
static inline size_t ftr_cbor_writer_room(const ftr_cbor_writer *w)
{
    return (size_t)(w->end - w->cursor);
}

/** The slow path of ftr_cbor_reserve(), used if there is not enough room. Not for direct use. */
uint8_t *ftr_cbor_reserve_slow(ftr_cbor_writer *w, size_t size);

/** Makes room for @p size bytes (not 0).
 *  @return the cursor, behind which at least @p size bytes are free; NULL if an error is latched.
 *          The caller writes at the cursor and then calls ftr_cbor_advance() */
static inline uint8_t *ftr_cbor_reserve(ftr_cbor_writer *w, size_t size)
{
    /* An error sets the room to 0, so this comparison covers errors, too. */
    return ftr_cbor_writer_room(w) >= size ? w->cursor : ftr_cbor_reserve_slow(w, size);
}

/** Marks the reserved bytes before @p p as written. */
static inline void ftr_cbor_advance(ftr_cbor_writer *w, uint8_t *p)
{
    assert(p >= w->cursor && p <= w->end);
    w->cursor = p;
}

/* Functions that do not check for room. Those that write a head or an item write it at @p p and
 * return the position behind it. */

/** Stores 32 bits at @p p, most significant byte first. */
static inline void ftr_cbor_store_32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

/** Stores 64 bits at @p p, most significant byte first. */
static inline void ftr_cbor_store_64(uint8_t *p, uint64_t value)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* Not every compiler recognises the two stores below as a byte swap. */
    value = __builtin_bswap64(value);
    memcpy(p, &value, sizeof value);
#else
    ftr_cbor_store_32(p, (uint32_t)(value >> 32));
    ftr_cbor_store_32(p + 4, (uint32_t)value);
#endif
}

/** Forms of heads; index: number of the argument's highest bit. Bits 0 to 7: the shift that moves
 *  the argument to the top of 64 bits; bits 8 to 15: additional information; bits 16 to 31: number
 *  of bytes of the head. A form is one word, so that one load reads it. */
extern const uint32_t ftr_cbor_head_forms[64] __attribute__((visibility("hidden")));

/** Returns the number of the highest bit of @p value, which is not 0. */
static inline size_t ftr_cbor_highest_bit(uint64_t value)
{
#if defined(__GNUC__) && defined(__x86_64__)
    /* This is one instruction. For __builtin_clzll(), compilers generate up to four
     * instructions. */
    size_t bit;
    __asm__("bsrq %1, %0" : "=r"(bit) : "r"(value) : "cc");
    return bit;
#else
    return 63 - (size_t)__builtin_clzll(value);
#endif
}

/** Writes the shortest head of @p major and @p argument. Needs FTR_CBOR_HEAD_MAX bytes of room even
 *  if the head is shorter, because bytes behind the head may be overwritten.
 *  @param forms ftr_cbor_head_forms, or a copy that the caller can address faster */
static inline uint8_t *ftr_cbor_head_by(const uint32_t *forms, uint8_t *p, uint8_t major,
                                        uint64_t argument)
{
    const uint8_t type = (uint8_t)(major << 5);
    if (argument < FTR_CBOR_INFO_8) {
        *p = (uint8_t)(type | argument);
        return p + 1;
    }
    /* A table instead of a branch for each width: the widths of the numbers in a trace are
     * unpredictable. */
    const uint64_t form = forms[ftr_cbor_highest_bit(argument)];
    ftr_cbor_store_64(p + 1, argument << (form & 63));
    *p = (uint8_t)(type | form >> 8);
    return p + (form >> 16);
}

static inline uint8_t *ftr_cbor_head_at(uint8_t *p, uint8_t major, uint64_t argument)
{
    return ftr_cbor_head_by(ftr_cbor_head_forms, p, major, argument);
}

/** Writes an unsigned integer. Needs FTR_CBOR_HEAD_MAX bytes of room. */
static inline uint8_t *ftr_cbor_uint_at(uint8_t *p, uint64_t value)
{
    return ftr_cbor_head_at(p, FTR_CBOR_MAJOR_UINT, value);
}

/** Writes a signed integer. Needs FTR_CBOR_HEAD_MAX bytes of room. */
static inline uint8_t *ftr_cbor_int_at(uint8_t *p, int64_t value)
{
    /* CBOR stores a negative number as the argument -1 - value, which is its complement. */
    const uint64_t bits = (uint64_t)value;
    const uint64_t sign = bits >> 63;
    return ftr_cbor_head_at(p, (uint8_t)sign, bits ^ (0 - sign));
}

/** Writes false or true. Needs 1 byte of room. */
static inline uint8_t *ftr_cbor_bool_at(uint8_t *p, bool value)
{
    *p = value ? FTR_CBOR_BYTE_TRUE : FTR_CBOR_BYTE_FALSE;
    return p + 1;
}

/** Writes a float of 32 bits. Needs 5 bytes of room. */
static inline uint8_t *ftr_cbor_float_at(uint8_t *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    *p = FTR_CBOR_BYTE_FLOAT;
    ftr_cbor_store_32(p + 1, bits);
    return p + 5;
}

/** Writes a float of 64 bits. Needs 9 bytes of room. */
static inline uint8_t *ftr_cbor_double_at(uint8_t *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *p = FTR_CBOR_BYTE_DOUBLE;
    ftr_cbor_store_64(p + 1, bits);
    return p + 9;
}

/* Checked puts. */

/** Puts the head of @p major and @p argument; the caller must put the announced content. */
void ftr_cbor_put_head(ftr_cbor_writer *w, uint8_t major, uint64_t argument);

/** Puts @p size bytes unchanged: items that are already encoded, or the content of a string after
 *  its head. @p bytes may be NULL if @p size is 0. */
void ftr_cbor_put_encoded(ftr_cbor_writer *w, const void *bytes, size_t size);

/** Puts one byte unchanged. */
void ftr_cbor_put_byte(ftr_cbor_writer *w, uint8_t byte);

void ftr_cbor_put_int(ftr_cbor_writer *w, int64_t value);
/** Puts a text. @p text must be UTF-8 (not checked), need not be NUL-terminated, and may be NULL if
 * @p size is 0. */
void ftr_cbor_put_text(ftr_cbor_writer *w, const char *text, size_t size);

/** Puts a byte string. @p bytes may be NULL if @p size is 0. */
void ftr_cbor_put_bytes(ftr_cbor_writer *w, const void *bytes, size_t size);

static inline void ftr_cbor_put_uint(ftr_cbor_writer *w, uint64_t value)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_UINT, value);
}

static inline void ftr_cbor_put_bool(ftr_cbor_writer *w, bool value)
{
    ftr_cbor_put_byte(w, value ? FTR_CBOR_BYTE_TRUE : FTR_CBOR_BYTE_FALSE);
}

static inline void ftr_cbor_put_null(ftr_cbor_writer *w)
{
    ftr_cbor_put_byte(w, FTR_CBOR_BYTE_NULL);
}

/** Puts tag @p tag; the next item is the tagged item. */
static inline void ftr_cbor_put_tag(ftr_cbor_writer *w, uint64_t tag)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_TAG, tag);
}

/** Puts the head of an array that consists of the next @p count items. */
static inline void ftr_cbor_put_array(ftr_cbor_writer *w, uint64_t count)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_ARRAY, count);
}

/** Puts the head of a map that consists of the next @p count pairs of items. */
static inline void ftr_cbor_put_map(ftr_cbor_writer *w, uint64_t count)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_MAP, count);
}

/** Opens an array, map, text or byte string (the type is @p major) that lasts until
 *  ftr_cbor_put_break(). */
static inline void ftr_cbor_put_indefinite(ftr_cbor_writer *w, uint8_t major)
{
    ftr_cbor_put_byte(w, (uint8_t)((major << 5) | FTR_CBOR_INFO_INDEFINITE));
}

static inline void ftr_cbor_put_indefinite_array(ftr_cbor_writer *w)
{
    ftr_cbor_put_indefinite(w, FTR_CBOR_MAJOR_ARRAY);
}

static inline void ftr_cbor_put_indefinite_map(ftr_cbor_writer *w)
{
    ftr_cbor_put_indefinite(w, FTR_CBOR_MAJOR_MAP);
}

/** Closes the item that ftr_cbor_put_indefinite() opened. */
static inline void ftr_cbor_put_break(ftr_cbor_writer *w)
{
    ftr_cbor_put_byte(w, FTR_CBOR_BYTE_BREAK);
}

#ifdef __cplusplus
}
#endif

#endif
