/* The buffer of a CBOR writer (fixed or growing) and the latching of its errors. Checks neither the
 * nesting of items nor UTF-8. */
#include "cbor_writer.h"

#include <stdlib.h>

/* Size of the first block of a growing writer, in bytes. */
enum { FIRST_CAPACITY = 256 };

#define FORM(width) \
    ((FTR_CBOR_INFO_8 + (width)) << 8 | (64 - (8 << (width))) | (1 + (1 << (width))) << 16)
#define FORMS_8(width)                                                                         \
    FORM(width), FORM(width), FORM(width), FORM(width), FORM(width), FORM(width), FORM(width), \
        FORM(width)

const uint32_t ftr_cbor_head_forms[64] = {FORMS_8(0), FORMS_8(1), FORMS_8(2), FORMS_8(2),
                                          FORMS_8(3), FORMS_8(3), FORMS_8(3), FORMS_8(3)};

static void init(ftr_cbor_writer *w, uint8_t *buffer, size_t capacity)
{
    *w = (ftr_cbor_writer){.begin = buffer,
                           .cursor = buffer,
                           .end = buffer != NULL ? buffer + capacity : NULL,
                           .capacity = capacity,
                           .status = FTR_OK};
}

void ftr_cbor_writer_init(ftr_cbor_writer *w, uint8_t *buffer, size_t capacity)
{
    assert(buffer != NULL || capacity == 0);
    init(w, buffer, capacity);
}

static ftr_status grow(ftr_cbor_writer *w, size_t size)
{
    const size_t used = ftr_cbor_writer_size(w);
    if (size > w->max - used)
        return FTR_ERR_LIMIT;
    const size_t needed = used + size;
    size_t capacity = w->capacity > 0 ? w->capacity : FIRST_CAPACITY;
    while (capacity < needed)
        capacity = capacity <= SIZE_MAX / 2 ? capacity * 2 : needed;
    if (capacity > w->max)
        capacity = w->max;
    uint8_t *moved = realloc(w->begin, capacity);
    if (moved == NULL)
        return FTR_ERR_MEMORY;
    w->begin = moved;
    w->cursor = moved + used;
    w->end = moved + capacity;
    w->capacity = capacity;
    return FTR_OK;
}

void ftr_cbor_writer_init_growing(ftr_cbor_writer *w, size_t max)
{
    init(w, NULL, 0);
    w->max = max > 0 ? max : PTRDIFF_MAX;
}

void ftr_cbor_writer_reset(ftr_cbor_writer *w)
{
    w->cursor = w->begin;
    w->end = w->begin != NULL ? w->begin + w->capacity : NULL;
    w->status = FTR_OK;
}

void ftr_cbor_writer_free(ftr_cbor_writer *w)
{
    assert(w->max > 0);
    free(w->begin);
    ftr_cbor_writer_init_growing(w, w->max);
}

void ftr_cbor_writer_fail(ftr_cbor_writer *w, ftr_status status)
{
    if (w->status != FTR_OK || status == FTR_OK)
        return;
    w->status = status;
    w->end = w->cursor;
}

uint8_t *ftr_cbor_reserve_slow(ftr_cbor_writer *w, size_t size)
{
    if (w->status == FTR_OK)
        ftr_cbor_writer_fail(w, w->max > 0 ? grow(w, size) : FTR_ERR_LIMIT);
    return w->status == FTR_OK ? w->cursor : NULL;
}

void ftr_cbor_put_encoded(ftr_cbor_writer *w, const void *bytes, size_t size)
{
    uint8_t *p = size > 0 ? ftr_cbor_reserve(w, size) : NULL;
    if (p == NULL)
        return;
    memcpy(p, bytes, size);
    ftr_cbor_advance(w, p + size);
}

void ftr_cbor_put_head(ftr_cbor_writer *w, uint8_t major, uint64_t argument)
{
    assert(major <= FTR_CBOR_MAJOR_SIMPLE);
    if (ftr_cbor_writer_room(w) >= FTR_CBOR_HEAD_MAX) {
        ftr_cbor_advance(w, ftr_cbor_head_at(w->cursor, major, argument));
        return;
    }
    /* The buffer may end directly behind the head, so room is requested only for the bytes of the
     * head. */
    uint8_t head[FTR_CBOR_HEAD_MAX];
    const uint8_t *end = ftr_cbor_head_at(head, major, argument);
    ftr_cbor_put_encoded(w, head, (size_t)(end - head));
}

void ftr_cbor_put_byte(ftr_cbor_writer *w, uint8_t byte)
{
    uint8_t *p = ftr_cbor_reserve(w, 1);
    if (p == NULL)
        return;
    *p = byte;
    ftr_cbor_advance(w, p + 1);
}

void ftr_cbor_put_int(ftr_cbor_writer *w, int64_t value)
{
    const uint64_t bits = (uint64_t)value;
    const uint64_t sign = bits >> 63;
    ftr_cbor_put_head(w, (uint8_t)sign, bits ^ (0 - sign));
}

void ftr_cbor_put_text(ftr_cbor_writer *w, const char *text, size_t size)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_TEXT, size);
    ftr_cbor_put_encoded(w, text, size);
}

void ftr_cbor_put_bytes(ftr_cbor_writer *w, const void *bytes, size_t size)
{
    ftr_cbor_put_head(w, FTR_CBOR_MAJOR_BYTES, size);
    ftr_cbor_put_encoded(w, bytes, size);
}
