/* An arithmetic coder for bits with adaptive probabilities (docs/summary-format.md, "Packed
 * record").
 *
 * One function codes a bit in both directions: a writing coder stores the given bit, a reading
 * coder ignores the given bit and returns the stored one. Therefore the same code writes and reads
 * a record. A reading coder continues with zeros after the end of its bytes. */
#ifndef FTR_BIT_CODER_H
#define FTR_BIT_CODER_H

#include "cbor_writer.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ftr_bit_coder {
    ftr_cbor_writer *to; /* NULL: the coder reads */
    const uint8_t *next, *end;
    uint32_t low, high; /* low and high end of the present interval of the arithmetic coder */
    uint32_t code;      /* reading: the next 32 bits of the block */
    ftr_status status;  /* reading: the first error */
} ftr_bit_coder;

/* The probability that a bit is 1, estimated from the bits before it. `{0}`: one half. */
typedef struct ftr_bit_model {
    uint16_t fast, slow; /* probability in 1/65,536, XOR 0x8000 */
    uint16_t seen;       /* number of bits, up to a limit */
} ftr_bit_model;

/* Initialises a writing coder. It appends to @p to, where errors latch. */
void ftr_bit_coder_write(ftr_bit_coder *c, ftr_cbor_writer *to);

/* Writes the bytes that the last bits still need. */
void ftr_bit_coder_finish(ftr_bit_coder *c);

void ftr_bit_coder_read(ftr_bit_coder *c, const uint8_t *bytes, size_t size);

static inline bool ftr_bit_coder_is_reading(const ftr_bit_coder *c)
{
    return c->to == NULL;
}

/* Latches @p status in a reading coder. Keeps an error that is already latched. */
void ftr_bit_coder_fail(ftr_bit_coder *c, ftr_status status);

/* Codes a bit with the probability of the model, and adapts the model. @return the bit */
unsigned ftr_bit_code(ftr_bit_coder *c, ftr_bit_model *model, unsigned bit);

/* Codes the lowest @p count bits (at most 64) of @p value without a model. @return these bits */
uint64_t ftr_bit_code_plain(ftr_bit_coder *c, unsigned count, uint64_t value);

#endif
