/* Writes the primitive types of flux to memory. Freestanding. */
#ifndef FTR_FLUX_ENCODER_H
#define FTR_FLUX_ENCODER_H

#include <ftr/flux.h>

/* `used` is the size of the entry. If `used` exceeds `size`, the entry does not fit, and its bytes
 * after `size` are not stored. */
typedef struct ftr_flux_encoder {
    uint8_t *bytes;
    size_t size, used;
} ftr_flux_encoder;

static inline void ftr_flux_byte(ftr_flux_encoder *to, uint8_t byte)
{
    if (to->used < to->size)
        to->bytes[to->used] = byte;
    to->used++;
}

static inline void ftr_flux_bytes(ftr_flux_encoder *to, const void *bytes, size_t size)
{
    if (size <= to->size && to->used <= to->size - size && size > 0)
        __builtin_memcpy(to->bytes + to->used, bytes, size);
    to->used += size;
}

/* Writes seven bits per byte, the least significant first. */
static inline void ftr_flux_pint(ftr_flux_encoder *to, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        ftr_flux_byte(to, (uint8_t)(value | 0x80));
    ftr_flux_byte(to, (uint8_t)value);
}

static inline unsigned ftr_flux_pint_size(uint64_t value)
{
    unsigned size = 1;
    for (; value > 0x7f; value >>= 7)
        size++;
    return size;
}

/* Like ftr_flux_pint(), but in exactly @p width bytes. */
static inline void ftr_flux_pint_of_width(ftr_flux_encoder *to, uint64_t value, unsigned width)
{
    for (; width > 1; width--, value >>= 7)
        ftr_flux_byte(to, (uint8_t)(value | 0x80));
    ftr_flux_byte(to, (uint8_t)(value & 0x7f));
}

/* Returns the number of bytes of a two's complement number without redundant sign bytes. The number
 * 0 has 0 bytes. */
static inline unsigned ftr_flux_sint_size(int64_t value)
{
    unsigned size = 0;
    if (value == 0)
        return 0;
    for (int64_t rest = value; size < 8; rest >>= 8) {
        size++;
        if ((rest >> 7) == 0 || (rest >> 7) == -1)
            break;
    }
    return size;
}

/* Returns the number of bytes in which an unsigned number is encoded. @p most is the size of its C
 * type in bytes. If the top bit of the number is set, an additional zero byte shows that this bit
 * is not a sign. As in the reference writer, this byte is omitted if the number already has @p most
 * bytes. */
static inline unsigned ftr_flux_uint_size(uint64_t value, unsigned most)
{
    unsigned size = value > 0 ? 1 : 0;
    while (size > 0 && size < most && value >> (8 * size - 1) != 0)
        size++;
    return size;
}

static inline void ftr_flux_integer_bytes(ftr_flux_encoder *to, uint64_t value, unsigned size)
{
    for (; size > 0; size--, value >>= 8)
        ftr_flux_byte(to, (uint8_t)value);
}

static inline void ftr_flux_sint(ftr_flux_encoder *to, int64_t value)
{
    const unsigned size = ftr_flux_sint_size(value);
    ftr_flux_pint(to, size);
    ftr_flux_integer_bytes(to, (uint64_t)value, size);
}

static inline void ftr_flux_uint(ftr_flux_encoder *to, uint64_t value, unsigned most)
{
    const unsigned size = ftr_flux_uint_size(value, most);
    ftr_flux_pint(to, size);
    ftr_flux_integer_bytes(to, value, size);
}

static inline size_t ftr_flux_length(const char *text)
{
    size_t size = 0;
    while (text != NULL && text[size] != '\0')
        size++;
    return size;
}

static inline void ftr_flux_text(ftr_flux_encoder *to, const char *text)
{
    const size_t size = ftr_flux_length(text);
    ftr_flux_pint(to, size);
    ftr_flux_bytes(to, text, size);
}

static inline void ftr_flux_float4(ftr_flux_encoder *to, float value)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    ftr_flux_integer_bytes(to, bits, 4);
}

static inline void ftr_flux_float8(ftr_flux_encoder *to, double value)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    ftr_flux_integer_bytes(to, bits, 8);
}

/* ---- structs that are encoded before they are put (flux_samples.c) --------------------------- */

/* Encodes the value of ftr_flux_put_struct(). */
void ftr_flux_encode_members(ftr_flux_encoder *to, const ftr_flux_member *values, size_t count);

/* Returns the size of the length field that precedes the encoded members, in bytes. */
unsigned ftr_flux_members_width(const ftr_flux_member *values, size_t count);

/* Like ftr_flux_put_struct(), with members that are already encoded. */
ftr_status ftr_flux_put_encoded(ftr_flux_trace *trace, uint32_t item, int64_t position,
                                unsigned width, const void *data, size_t size);

/* ---- destination of entries (flux_buffer.c) -------------------------------------------------- */

/* Makes room for an entry of at most @p size bytes, and sets @p to to this room. If there is too
 * little room, calls the handler of a linear buffer. In a ring, begins the next section, with the
 * positions of the open items.
 * @return FTR_OK; FTR_ERR_LIMIT if @p size exceeds max_entry_size; FTR_ERR_MEMORY if there is still
 *         too little room */
ftr_status ftr_flux_request(ftr_flux_trace *trace, size_t size, ftr_flux_encoder *to);

/* Like ftr_flux_request(), but for several entries together. Does not check max_entry_size: the
 * caller has checked the size of each entry. @return FTR_OK; FTR_ERR_MEMORY */
ftr_status ftr_flux_reserve(ftr_flux_trace *trace, size_t size, ftr_flux_encoder *to);

/* Adds the entry that was encoded in the requested room. @return FTR_OK; FTR_ERR_LIMIT if the entry
 * is longer than requested and was dropped */
ftr_status ftr_flux_commit(ftr_flux_trace *trace, const ftr_flux_encoder *entry);

#endif
