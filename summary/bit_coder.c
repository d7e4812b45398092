/* Owns the arithmetic of coded bits. Does not know numbers. */
#include "bit_coder.h"

/* Shifts of the two averages of a model: `fast` adapts quickly, `slow` slowly. */
#define FAST_SHIFT 4u
#define SLOW_SHIFT 7u
#define SEEN_MAX ((1u << SLOW_SHIFT) - 2)
#define HALF 0x8000u
#define TOP_BYTE 0xff000000u

static void start(ftr_bit_coder *c)
{
    c->low = 0;
    c->high = UINT32_MAX;
    c->status = FTR_OK;
}

void ftr_bit_coder_write(ftr_bit_coder *c, ftr_cbor_writer *to)
{
    *c = (ftr_bit_coder){.to = to};
    start(c);
}

static void put_byte(ftr_bit_coder *c, uint32_t top)
{
    uint8_t *p = ftr_cbor_reserve(c->to, 1);
    if (p == NULL)
        return;
    *p = (uint8_t)(top >> 24);
    ftr_cbor_advance(c->to, p + 1);
}

void ftr_bit_coder_finish(ftr_bit_coder *c)
{
    /* Any value in the interval identifies it. The reader continues with zeros, so the shortest
     * value suffices: the first byte of `low` plus 1, or no byte if `low` is 0. */
    if (c->low > 0)
        put_byte(c, c->low + (1u << 24));
}

static uint32_t get_byte(ftr_bit_coder *c)
{
    return c->next < c->end ? *c->next++ : 0;
}

void ftr_bit_coder_read(ftr_bit_coder *c, const uint8_t *bytes, size_t size)
{
    *c = (ftr_bit_coder){.next = bytes, .end = bytes + size};
    start(c);
    for (int i = 0; i < 4; i++)
        c->code = c->code << 8 | get_byte(c);
}

void ftr_bit_coder_fail(ftr_bit_coder *c, ftr_status status)
{
    if (c->status == FTR_OK)
        c->status = status;
}

/* Codes a bit. @p one: probability that the bit is 1, in 1/65,536. */
static inline unsigned code_bit(ftr_bit_coder *c, uint32_t one, unsigned bit)
{
    const uint32_t middle = c->low + (uint32_t)((uint64_t)(c->high - c->low) * one >> 16);
    if (ftr_bit_coder_is_reading(c))
        bit = c->code <= middle;
    if (bit)
        c->high = middle;
    else
        c->low = middle + 1;
    while (((c->low ^ c->high) & TOP_BYTE) == 0) {
        if (ftr_bit_coder_is_reading(c))
            c->code = c->code << 8 | get_byte(c);
        else
            put_byte(c, c->high);
        c->low <<= 8;
        c->high = c->high << 8 | 0xff;
    }
    return bit;
}

/* Moves a probability towards the bit. */
static inline uint16_t adapt(uint16_t stored, unsigned bit, unsigned shift)
{
    uint32_t one = stored ^ HALF;
    if (bit)
        one += (UINT16_MAX - one) >> shift;
    else
        one -= one >> shift;
    return (uint16_t)(one ^ HALF);
}

unsigned ftr_bit_code(ftr_bit_coder *c, ftr_bit_model *model, unsigned bit)
{
    const uint32_t one = ((model->fast ^ HALF) + (model->slow ^ HALF)) / 2;
    /* floor(log2(seen + 2)): the first bits change a probability more than later bits. */
    const unsigned shift = 31 - (unsigned)__builtin_clz((unsigned)model->seen + 2);
    bit = code_bit(c, one, bit);
    model->fast = adapt(model->fast, bit, shift < FAST_SHIFT ? shift : FAST_SHIFT);
    model->slow = adapt(model->slow, bit, shift);
    if (model->seen < SEEN_MAX)
        model->seen++;
    return bit;
}

uint64_t ftr_bit_code_plain(ftr_bit_coder *c, unsigned count, uint64_t value)
{
    uint64_t coded = 0;
    for (unsigned i = count; i > 0; i--)
        coded = coded << 1 | code_bit(c, HALF, (unsigned)(value >> (i - 1)) & 1);
    return coded;
}
