/* Codes numbers and texts with adaptive models (docs/summary-format.md, "Packed record"). Like the
 * bit coder, each function writes the given value if the coder writes; otherwise it ignores the
 * given value and returns the stored one. */
#ifndef FTR_NUMBER_CODER_H
#define FTR_NUMBER_CODER_H

#include "bit_coder.h"
#include "run_record.h"

#define FTR_NUMBER_LENGTHS 65u /* a number has 0 to 64 significant bits */

/* A model of numbers. It adapts to their length in bits, and to the two bits below the highest one.
 * `{0}` is the initial state. */
typedef struct ftr_number_model {
    ftr_bit_model lengths[128];
    ftr_bit_model top[FTR_NUMBER_LENGTHS][3];
    ftr_bit_model sign;
} ftr_number_model;

#define FTR_TEXT_HASHES 4096u
#define FTR_TEXT_MATCH_MAX 15u

/* A model of texts. It predicts each byte from the texts before it. `{0}` is the initial state. */
typedef struct ftr_text_model {
    ftr_number_model size;
    ftr_bit_model is_predicted[FTR_TEXT_MATCH_MAX + 1];
    ftr_bit_model bytes[8][256];
    uint8_t *history; /* malloc'ed: all texts, each followed by a zero byte */
    size_t used, capacity;
    /* position after the last three bytes with a hash; index: hash */
    uint32_t latest[FTR_TEXT_HASHES];
} ftr_text_model;

/* Codes a number that may have any size. */
uint64_t ftr_number_code(ftr_bit_coder *c, ftr_number_model *model, uint64_t value);

/* Codes a number that is usually small. */
uint64_t ftr_number_code_small(ftr_bit_coder *c, ftr_number_model *model, uint64_t value);

/* Codes a number as its distance from a prediction, and the sign of the distance. */
uint64_t ftr_number_code_near(ftr_bit_coder *c, ftr_number_model *model, uint64_t predicted,
                              uint64_t value);

/* Codes a text of at most @p size_max bytes. If out of memory, FTR_ERR_MEMORY latches in the
 * reading coder, or in the writer. */
void ftr_text_code(ftr_bit_coder *c, ftr_text_model *model, ftr_figure_text *text, size_t size_max);

/* Returns the number of significant bits. */
static inline unsigned ftr_number_length(uint64_t value)
{
    return value > 0 ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

#endif
