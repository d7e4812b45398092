/* Codes the latencies of a generator (docs/summary-format.md, "Packed latencies"). */
#ifndef FTR_PACKED_LATENCY_H
#define FTR_PACKED_LATENCY_H

#include "number_coder.h"

#define FTR_PACKED_LEVELS 15u /* classes of a predicted count */

/* `{0}` is the initial state. */
typedef struct ftr_packed_latency_models {
    ftr_number_model bin_count, step, value, least, greatest, sum_high, sum_low;
    ftr_bit_model is_rounded;
    uint64_t step_before;                        /* `step` of the previous generator */
    ftr_number_model gaps[FTR_PACKED_LEVELS][3]; /* index: class of average count, average gap */
    ftr_number_model counts[2][FTR_PACKED_LEVELS];
    ftr_number_model distances[2][4];
} ftr_packed_latency_models;

/* Codes the bins, which must be sorted.
 * @param like a generator with a similar distribution, from which the counts are predicted, both
 *             for writing and for reading; NULL: none
 * @param bins_max a reading coder fails if there are more bins */
void ftr_packed_latency_code(ftr_bit_coder *c, ftr_packed_latency_models *models,
                             ftr_latency_bins *bins, const ftr_latency_bins *like,
                             uint64_t bins_max);

#endif
