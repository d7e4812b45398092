/* Owns the prediction of the count of a latency: from the latencies just below it, and from the
 * same latency of another generator. Does not know streams. */
#include "packed_latency.h"

#include <assert.h>
#include <stdlib.h>

/* Predicted counts have 8 fraction bits. Counts above COUNT_MAX are treated like COUNT_MAX. */
#define FRACTION_BITS 8u
#define COUNT_MAX ((uint64_t)1 << 40)
#define GAP_MAX 40u
/* If the prediction is below SMALL_COUNTS, the count itself is coded, otherwise its distance from
 * the prediction. */
#define SMALL_COUNTS ((uint64_t)12 << FRACTION_BITS)

/* The state of the prediction. Averages fall by a quarter for each value, errors by an eighth for
 * each bin. */
typedef struct prediction {
    const ftr_latency_bins *like;
    size_t at;             /* index in `like`: the first bin that is not below the value */
    uint64_t near_average; /* average count of the latencies below */
    uint64_t like_average; /* average count of the same latencies in `like` */
    uint64_t near_error, like_error; /* errors of the two predictions */
    uint64_t gap_average;            /* average distance of two bins, in steps */
    uint64_t like_count;             /* count of this value in `like` */
    uint64_t from_near, from_like;   /* the two predictions of the next count */
} prediction;

static uint64_t min_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the class of a number. Each number from 0 to 7 is a class; above, classes contain two,
 * then four numbers; the last class contains all others. */
static unsigned level_of(uint64_t number)
{
    if (number < 8)
        return (unsigned)number;
    if (number < 16)
        return (unsigned)(8 + (number - 8) / 2);
    return number < 24 ? (unsigned)(12 + (number - 16) / 4) : FTR_PACKED_LEVELS - 1;
}

/* Predicts the count of @p value, which is @p gap steps above the value before it. */
static void predict(prediction *p, uint64_t value, uint64_t gap)
{
    for (uint64_t i = min_of(gap, GAP_MAX); i > 1; i--) {
        p->near_average -= p->near_average / 4;
        p->like_average -= p->like_average / 4;
    }
    p->from_near = p->from_like = p->near_average;
    p->like_count = 0;
    if (p->like == NULL)
        return;
    while (p->at < p->like->used && p->like->bins[p->at].value < value)
        p->at++;
    if (p->at < p->like->used && p->like->bins[p->at].value == value)
        p->like_count = min_of(p->like->bins[p->at].count, COUNT_MAX);
    if (p->like_average > 2) {
        const ftr_wide scaled = (ftr_wide)p->like_count * p->near_average << FRACTION_BITS;
        const ftr_wide predicted = scaled / p->like_average;
        const uint64_t limit = COUNT_MAX << FRACTION_BITS;
        p->from_like = predicted < limit ? (uint64_t)predicted : limit;
    }
}

static void note_error(uint64_t *error, uint64_t predicted, uint64_t count, unsigned shift)
{
    const uint64_t found = count << FRACTION_BITS;
    const uint64_t distance = found > predicted ? found - predicted : predicted - found;
    *error += (distance >> shift) - *error / 8;
}

static void learn(prediction *p, uint64_t count)
{
    count = min_of(count, COUNT_MAX);
    const unsigned shift = ftr_number_length(count) / 2;
    note_error(&p->near_error, p->from_near, count, shift);
    note_error(&p->like_error, p->from_like, count, shift);
    p->near_average += (count << (FRACTION_BITS - 2)) - p->near_average / 4;
    p->like_average += (p->like_count << (FRACTION_BITS - 2)) - p->like_average / 4;
}

/* Codes a large count: its distance from the prediction in units, and the rest. A unit is about a
 * quarter to a half of the square root of the prediction, which is the usual distance of random
 * counts. */
static uint64_t code_large(ftr_bit_coder *c, ftr_number_model models[4], uint64_t predicted,
                           uint64_t count)
{
    const unsigned length = ftr_number_length(predicted);
    assert(length >= 4);
    const unsigned shift = (length - 1) / 2 - 1;
    const unsigned half_octave = (length - 1) % 2 * 2 + (unsigned)(predicted >> (length - 2)) % 2;
    const uint64_t units =
        ftr_number_code_near(c, &models[half_octave], predicted >> shift, count >> shift);
    const uint64_t rest = ftr_bit_code_plain(c, shift, count);
    if (units > UINT64_MAX >> shift)
        ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
    return units << shift | rest;
}

static uint64_t code_count(ftr_bit_coder *c, ftr_packed_latency_models *models, const prediction *p,
                           uint64_t count)
{
    const bool is_like = p->like_error < p->near_error;
    const uint64_t predicted = is_like ? p->from_like : p->from_near;
    if (predicted >= SMALL_COUNTS)
        return code_large(c, models->distances[is_like], predicted >> FRACTION_BITS, count);
    const unsigned level = level_of(predicted >> (FRACTION_BITS - 1));
    return ftr_number_code_small(c, &models->counts[is_like][level], count - 1) + 1;
}

static uint64_t code_gap(ftr_bit_coder *c, ftr_packed_latency_models *models, const prediction *p,
                         uint64_t gap)
{
    const unsigned level = level_of(p->near_average >> FRACTION_BITS);
    return ftr_number_code_small(c, &models->gaps[level][min_of(p->gap_average, 2)], gap - 1) + 1;
}

/* Codes one bin; @p before is the bin below it, or NULL. */
static void code_bin(ftr_bit_coder *c, ftr_packed_latency_models *models, prediction *p,
                     uint64_t step, const ftr_latency_bin *before, ftr_latency_bin *bin)
{
    uint64_t gap = 1;
    if (before == NULL) {
        bin->value = ftr_number_code(c, &models->value, bin->value);
    } else {
        gap = code_gap(c, models, p, (bin->value - before->value) / step);
        if (gap == 0 || gap > (UINT64_MAX - before->value) / step) {
            ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
            return;
        }
        bin->value = before->value + gap * step;
    }
    predict(p, bin->value, gap);
    bin->count = code_count(c, models, p, bin->count);
    learn(p, bin->count);
    p->gap_average = (p->gap_average + min_of(gap, GAP_MAX)) / 2;
}

/* Computes count, sum, least and greatest from the bins. */
static void add_up(ftr_bit_coder *c, ftr_latency_bins *bins)
{
    bins->count = 0;
    for (size_t i = 0; i < bins->used; i++) {
        const ftr_latency_bin *bin = &bins->bins[i];
        if (bin->count == 0 || bin->count > UINT64_MAX - bins->count) {
            ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
            return;
        }
        bins->count += bin->count;
        if (!bins->rounded)
            bins->sum += (ftr_wide)bin->value * bin->count;
    }
    if (!bins->rounded && bins->used > 0) {
        bins->least = bins->bins[0].value;
        bins->greatest = bins->bins[bins->used - 1].value;
    }
}

static void code_exact_figures(ftr_bit_coder *c, ftr_packed_latency_models *models,
                               ftr_latency_bins *bins)
{
    bins->least = ftr_number_code(c, &models->least, bins->least);
    bins->greatest = ftr_number_code(c, &models->greatest, bins->greatest);
    const uint64_t high = ftr_number_code(c, &models->sum_high, (uint64_t)(bins->sum >> 64));
    bins->sum = (ftr_wide)high << 64 | ftr_number_code(c, &models->sum_low, (uint64_t)bins->sum);
    if (bins->least > bins->greatest)
        ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
}

static bool reserve(ftr_bit_coder *c, ftr_latency_bins *bins, uint64_t count, uint64_t bins_max)
{
    if (!ftr_bit_coder_is_reading(c))
        return true;
    if (count > bins_max || count > FTR_LATENCY_EXACT_MAX)
        ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
    if (c->status != FTR_OK)
        return false;
    bins->sorted = true;
    bins->bins = calloc((size_t)count + 1, sizeof *bins->bins);
    if (bins->bins == NULL) {
        ftr_bit_coder_fail(c, FTR_ERR_MEMORY);
        return false;
    }
    bins->used = bins->capacity = (size_t)count;
    return true;
}

void ftr_packed_latency_code(ftr_bit_coder *c, ftr_packed_latency_models *models,
                             ftr_latency_bins *bins, const ftr_latency_bins *like,
                             uint64_t bins_max)
{
    const uint64_t count = ftr_number_code(c, &models->bin_count, bins->used);
    if (!reserve(c, bins, count, bins_max) || count == 0)
        return;
    bins->rounded = ftr_bit_code(c, &models->is_rounded, bins->rounded);
    const uint64_t step =
        ftr_number_code_near(c, &models->step, models->step_before, ftr_latency_bins_step(bins));
    models->step_before = step;
    if (step == 0) {
        ftr_bit_coder_fail(c, FTR_ERR_FORMAT);
        return;
    }
    prediction p = {
        .like = like, .near_error = 1 << FRACTION_BITS, .like_error = 1 << FRACTION_BITS};
    for (size_t i = 0; i < count && c->status == FTR_OK; i++)
        code_bin(c, models, &p, step, i > 0 ? &bins->bins[i - 1] : NULL, &bins->bins[i]);
    if (bins->rounded)
        code_exact_figures(c, models, bins);
    if (ftr_bit_coder_is_reading(c))
        add_up(c, bins);
}
