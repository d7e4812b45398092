/** @file
 *  Writes CBOR (RFC 8949) into memory, always with the shortest head.
 *
 *  A writer is a plain struct on the caller's storage over a buffer that is fixed, grows, or is
 *  handed to a sink whenever it is full. Errors latch: the first one sticks in `status`, later puts
 *  do nothing, and the caller looks once, when the item is complete. The bytes of a writer that
 *  holds an error may end in the middle of an item.
 *
 *  Two levels: ftr_cbor_put_*() check for room. ftr_cbor_*_at() are the unchecked blocks below
 *  them, for code that has reserved room for a whole record and writes it in one go:
 *
 *      uint8_t *p = ftr_cbor_reserve(w, 3 * FTR_CBOR_HEAD_MAX);
 *      if (p != NULL) {
 *          p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 2);
 *          p = ftr_cbor_uint_at(p, id);
 *          p = ftr_cbor_int_at(p, value);
 *          ftr_cbor_advance(w, p);
 *      }
 *
 *  Not thread-safe: one writer, one thread at a time. */
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

typedef struct ftr_cbor_writer ftr_cbor_writer;

/** Called when fewer than @p size bytes are free; size is never 0. It leaves some free, by moving
 *  begin, cursor and end to a larger buffer or by handing out what lies between begin and cursor
 *  and setting cursor back. Fewer than asked is no error of its own: text and bytes are then
 *  written piece by piece, and only a reservation of that size fails.
 *  @return FTR_OK, or the error that the writer latches */
typedef ftr_status ftr_cbor_make_room(ftr_cbor_writer *w, size_t size);

struct ftr_cbor_writer {
    uint8_t *begin;                /**< the first byte not yet handed out */
    uint8_t *cursor;               /**< where the next byte goes */
    uint8_t *end;                  /**< one past the buffer; pulled to cursor by an error */
    size_t capacity;               /**< bytes at begin, with or without an error */
    size_t max;                    /**< growing writer: never more bytes than this */
    ftr_status status;             /**< the first error, or FTR_OK */
    ftr_cbor_make_room *make_room; /**< NULL: the buffer is all there is */
    void *user;                    /**< for make_room */
};

/** Takes @p size bytes at @p bytes from a writer that is full or flushed. They are the callee's
 *  until it returns. */
typedef struct ftr_cbor_sink {
    ftr_status (*write)(void *user, const uint8_t *bytes, size_t size);
    void *user;
} ftr_cbor_sink;

/** Writes into @p buffer, borrowed until the writer is no longer used. What does not fit latches
 *  FTR_ERR_LIMIT. */
void ftr_cbor_writer_init(ftr_cbor_writer *w, uint8_t *buffer, size_t capacity);

/** Writes into memory of the writer's own that doubles as needed, up to @p max bytes (0: no limit).
 *  Nothing is allocated before the first put. Latches FTR_ERR_MEMORY, and FTR_ERR_LIMIT past max.
 *  Release with ftr_cbor_writer_free(). */
void ftr_cbor_writer_init_growing(ftr_cbor_writer *w, size_t max);

/** Writes into @p buffer (at least 1 byte) and hands it to @p sink whenever it is full; both are
 *  borrowed until the writer is no longer used. Latches what the sink answers. A reservation larger
 *  than the buffer is FTR_ERR_LIMIT; puts have no such limit. */
void ftr_cbor_writer_init_sink(ftr_cbor_writer *w, uint8_t *buffer, size_t capacity,
                               ftr_cbor_sink *sink);

/** Hands what a writer with a sink still holds to the sink. @return the writer's status */
ftr_status ftr_cbor_writer_flush(ftr_cbor_writer *w);

/** Forgets the bytes and the error, keeps the buffer. */
void ftr_cbor_writer_reset(ftr_cbor_writer *w);

/** Releases the memory of a growing writer and leaves it as it was initialised. */
void ftr_cbor_writer_free(ftr_cbor_writer *w);

/** Latches @p status, unless an error is latched already. For errors of the caller's own that shall
 *  stop the writing. */
void ftr_cbor_writer_fail(ftr_cbor_writer *w, ftr_status status);

/** Bytes between begin and cursor. */
static inline size_t ftr_cbor_writer_size(const ftr_cbor_writer *w)
{
    return (size_t)(w->cursor - w->begin);
}

/** Bytes that can be written before room must be made. */
static inline size_t ftr_cbor_writer_room(const ftr_cbor_writer *w)
{
    return (size_t)(w->end - w->cursor);
}

/** What ftr_cbor_reserve() does when there is no room: not for others to call. */
uint8_t *ftr_cbor_reserve_slowly(ftr_cbor_writer *w, size_t size);

/** Every byte passes here. @return the cursor with at least @p size bytes free behind it (size is
 *  not 0), to be moved with ftr_cbor_advance(); NULL when an error is, or was, latched */
static inline uint8_t *ftr_cbor_reserve(ftr_cbor_writer *w, size_t size)
{
    /* An error leaves no room, so this one comparison looks for it as well. */
    return ftr_cbor_writer_room(w) >= size ? w->cursor : ftr_cbor_reserve_slowly(w, size);
}

/** Takes the reserved bytes before @p p as written. */
static inline void ftr_cbor_advance(ftr_cbor_writer *w, uint8_t *p)
{
    assert(p >= w->cursor && p <= w->end);
    w->cursor = p;
}

/* Unchecked blocks: each writes at p and returns the byte behind what it wrote. */

/** Most significant byte first. */
static inline void ftr_cbor_store_32(uint8_t *p, uint32_t value)
{
    p[0] = (uint8_t)(value >> 24);
    p[1] = (uint8_t)(value >> 16);
    p[2] = (uint8_t)(value >> 8);
    p[3] = (uint8_t)value;
}

/** Most significant byte first. */
static inline void ftr_cbor_store_64(uint8_t *p, uint64_t value)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    /* Not every compiler finds out that the two stores below are this. */
    value = __builtin_bswap64(value);
    memcpy(p, &value, sizeof value);
#else
    ftr_cbor_store_32(p, (uint32_t)(value >> 32));
    ftr_cbor_store_32(p + 4, (uint32_t)value);
#endif
}

/** How a head is written, by the argument's highest bit. */
typedef struct ftr_cbor_head_form {
    uint8_t info;
    uint8_t shift; /**< of the argument, to the top of 64 bits */
    uint8_t size;  /**< of the head */
} ftr_cbor_head_form;

extern const ftr_cbor_head_form ftr_cbor_head_forms[64] __attribute__((visibility("hidden")));

/** The shortest head of @p major and @p argument. Needs FTR_CBOR_HEAD_MAX bytes of room whatever
 *  the argument: bytes behind the head may be overwritten. */
static inline uint8_t *ftr_cbor_head_at(uint8_t *p, uint8_t major, uint64_t argument)
{
    const uint8_t type = (uint8_t)(major << 5);
    if (argument < FTR_CBOR_INFO_8) {
        *p = (uint8_t)(type | argument);
        return p + 1;
    }
    /* No branch for each width: lengths of the numbers in a trace are as good as random. */
    const ftr_cbor_head_form *form = &ftr_cbor_head_forms[63 - __builtin_clzll(argument)];
    *p = type | form->info;
    ftr_cbor_store_64(p + 1, argument << form->shift);
    return p + form->size;
}

/** Needs FTR_CBOR_HEAD_MAX bytes. */
static inline uint8_t *ftr_cbor_uint_at(uint8_t *p, uint64_t value)
{
    return ftr_cbor_head_at(p, FTR_CBOR_MAJOR_UINT, value);
}

/** Needs FTR_CBOR_HEAD_MAX bytes. */
static inline uint8_t *ftr_cbor_int_at(uint8_t *p, int64_t value)
{
    /* A negative number is the argument -1 - value, which is its complement. */
    const uint64_t bits = (uint64_t)value;
    const uint64_t sign = bits >> 63;
    return ftr_cbor_head_at(p, (uint8_t)sign, bits ^ (0 - sign));
}

/** Needs 1 byte. */
static inline uint8_t *ftr_cbor_bool_at(uint8_t *p, bool value)
{
    *p = value ? FTR_CBOR_BYTE_TRUE : FTR_CBOR_BYTE_FALSE;
    return p + 1;
}

/** Needs 5 bytes. */
static inline uint8_t *ftr_cbor_float_at(uint8_t *p, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    *p = FTR_CBOR_BYTE_FLOAT;
    ftr_cbor_store_32(p + 1, bits);
    return p + 5;
}

/** Needs 9 bytes. */
static inline uint8_t *ftr_cbor_double_at(uint8_t *p, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *p = FTR_CBOR_BYTE_DOUBLE;
    ftr_cbor_store_64(p + 1, bits);
    return p + 9;
}

/** Needs FTR_CBOR_HEAD_MAX + @p size bytes. @p text need not end in 0 and may be NULL if empty. */
static inline uint8_t *ftr_cbor_text_at(uint8_t *p, const char *text, size_t size)
{
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TEXT, size);
    if (size > 0)
        memcpy(p, text, size);
    return p + size;
}

/** Needs FTR_CBOR_HEAD_MAX + @p size bytes. @p bytes may be NULL if empty. */
static inline uint8_t *ftr_cbor_bytes_at(uint8_t *p, const void *bytes, size_t size)
{
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_BYTES, size);
    if (size > 0)
        memcpy(p, bytes, size);
    return p + size;
}

/* Checked puts. */

/** The head of @p major and @p argument; what it announces is the caller's to put. */
void ftr_cbor_put_head(ftr_cbor_writer *w, uint8_t major, uint64_t argument);

/** @p size bytes as they are: items that were encoded before, or the content of a string whose head
 *  was put alone. @p bytes may be NULL if empty. */
void ftr_cbor_put_encoded(ftr_cbor_writer *w, const void *bytes, size_t size);

/** One byte as it is. */
void ftr_cbor_put_byte(ftr_cbor_writer *w, uint8_t byte);

void ftr_cbor_put_int(ftr_cbor_writer *w, int64_t value);
void ftr_cbor_put_float(ftr_cbor_writer *w, float value);
void ftr_cbor_put_double(ftr_cbor_writer *w, double value);

/** A half-precision float from its IEEE 754 binary16 bits. */
void ftr_cbor_put_half(ftr_cbor_writer *w, uint16_t bits);

/** Simple value @p value, which is not 24 to 31 (latches FTR_ERR_ARGUMENT): those do not exist. */
void ftr_cbor_put_simple(ftr_cbor_writer *w, uint8_t value);

/** @p text is UTF-8, which is not checked. Need not end in 0, may be NULL if empty. */
void ftr_cbor_put_text(ftr_cbor_writer *w, const char *text, size_t size);

/** @p bytes may be NULL if empty. */
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

/** Tag @p tag; the next item is what it tags. */
static inline void ftr_cbor_put_tag(ftr_cbor_writer *w, uint64_t tag)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_TAG, tag);
}

/** An array of the next @p count items. */
static inline void ftr_cbor_put_array(ftr_cbor_writer *w, uint64_t count)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_ARRAY, count);
}

/** A map of the next @p count pairs of items. */
static inline void ftr_cbor_put_map(ftr_cbor_writer *w, uint64_t count)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_MAP, count);
}

/** Opens an array, map, text or byte string (by @p major) that lasts until ftr_cbor_put_break(). */
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

/** Closes what ftr_cbor_put_indefinite() opened. */
static inline void ftr_cbor_put_break(ftr_cbor_writer *w)
{
    ftr_cbor_put_byte(w, FTR_CBOR_BYTE_BREAK);
}

#ifdef __cplusplus
}
#endif

#endif
