/* Owns the rank sum test. Does not know the meaning of the values. */
#include "rank_sum.h"

#include <math.h>

/* Visits the values of two distributions in ascending order; values below the floor count as equal
 * to the floor. */
typedef struct walk {
    const ftr_latency_bins *of[2];
    size_t at[2];
    uint64_t floor;
} walk;

static uint64_t value_at(const walk *w, int which)
{
    const uint64_t value = w->of[which]->bins[w->at[which]].value;
    return value > w->floor ? value : w->floor;
}

/* Counts the next value in both distributions. @return false at the end */
static bool next(walk *w, long double counts[2])
{
    const bool left[2] = {w->at[0] < w->of[0]->used, w->at[1] < w->of[1]->used};
    if (!left[0] && !left[1])
        return false;
    uint64_t value;
    if (left[0] && left[1])
        value = value_at(w, 0) < value_at(w, 1) ? value_at(w, 0) : value_at(w, 1);
    else
        value = value_at(w, left[0] ? 0 : 1);
    for (int i = 0; i < 2; i++) {
        counts[i] = 0;
        while (w->at[i] < w->of[i]->used && value_at(w, i) == value)
            counts[i] += (long double)w->of[i]->bins[w->at[i]++].count;
    }
    return true;
}

double ftr_rank_sum_test(ftr_latency_bins *tested, ftr_latency_bins *reference, uint64_t floor)
{
    const long double n = (long double)tested->count;
    const long double m = (long double)reference->count;
    const long double all = n + m;
    if (tested->count == 0 || reference->count == 0 || all < 2)
        return 1;
    ftr_latency_bins_sort(tested);
    ftr_latency_bins_sort(reference);
    walk w = {{tested, reference}, {0, 0}, floor};
    long double counts[2], below = 0, ranks = 0, ties = 0;
    while (next(&w, counts)) {
        const long double tied = counts[0] + counts[1];
        ranks += counts[0] * (below + (tied + 1) / 2);
        ties += tied * tied * tied - tied;
        below += tied;
    }
    const long double variance = n * m / 12 * ((all + 1) - ties / (all * (all - 1)));
    if (variance <= 0)
        return 1;
    const long double excess = ranks - n * (all + 1) / 2 - 0.5L;
    return (double)(erfcl(excess / sqrtl(2 * variance)) / 2);
}
