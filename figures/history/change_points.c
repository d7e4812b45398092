/* The distance of two samples is the energy statistic: the mean distance between values of the two
 * samples, minus the mean distances within them. Of all divisions of a segment, the one with the
 * greatest distance is a change if random permutations of the segment rarely have a greater one.
 * Each part is then a segment of its own. */
#include "change_points.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct division {
    size_t at; /* number of values before the change; 0: there is no division */
    double distance;
} division;

typedef struct search {
    const double *values;
    const ftr_change_options *options;
    double *distances; /* |x - y| of the values of the segment, row by row */
    double *sums;      /* sums of distances over the rows and columns before a row and a column */
    size_t *order;     /* a permutation of the segment */
    bool *is_point;    /* index: number of a value */
    uint64_t random;
} search;

/* Returns the next random number of the sequence of splitmix64 (public domain algorithm by
 * S. Vigna). */
static uint64_t next_random(search *s)
{
    uint64_t z = s->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void shuffle(search *s, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t k = (size_t)(next_random(s) % i);
        const size_t swapped = s->order[i - 1];
        s->order[i - 1] = s->order[k];
        s->order[k] = swapped;
    }
}

/* Sums the distances of the values in the order s->order. */
static void sum_distances(search *s, size_t count)
{
    const size_t width = count + 1;
    memset(s->sums, 0, width * sizeof *s->sums);
    for (size_t i = 0; i < count; i++) {
        const double *row = &s->distances[s->order[i] * count];
        double sum = 0;
        s->sums[(i + 1) * width] = 0;
        for (size_t k = 0; k < count; k++) {
            sum += row[s->order[k]];
            s->sums[(i + 1) * width + k + 1] = s->sums[i * width + k + 1] + sum;
        }
    }
}

/* Returns the energy distance of the values before @p at and the values from @p at to @p end. */
static double energy_distance(const search *s, size_t count, size_t at, size_t end)
{
    const size_t width = count + 1;
    const double left = s->sums[at * width + at];
    const double both = s->sums[at * width + end] - left;
    const double right = s->sums[end * width + end] - left - 2 * both;
    const double m = (double)at;
    const double n = (double)(end - at);
    return m * n / (m + n) * (2 * both / (m * n) - left / (m * (m - 1)) - right / (n * (n - 1)));
}

/* Returns the division with the greatest distance. The values behind the change may end before the
 * end of the segment: a change that went back is found, too. */
static division divide(const search *s, size_t count)
{
    division best = {0};
    const size_t least = s->options->least;
    for (size_t at = least; at + least <= count; at++)
        for (size_t end = at + least; end <= count; end++) {
            const double distance = energy_distance(s, count, at, end);
            if (best.at == 0 || distance > best.distance)
                best = (division){at, distance};
        }
    return best;
}

/* Returns whether few permutations of the segment have a division with a distance as great. Ends
 * early if the answer is certain. */
static bool is_significant(search *s, size_t count, double distance)
{
    const unsigned permutations = s->options->permutations;
    const double limit = s->options->level * ((double)permutations + 1) - 1;
    /* Distances that are equal differ by rounding. */
    const double least = distance * (1 - 1e-9);
    unsigned greater = 0;
    for (unsigned i = 0; i < permutations && (double)greater <= limit; i++) {
        shuffle(s, count);
        sum_distances(s, count);
        greater += divide(s, count).distance >= least;
    }
    return (double)greater <= limit;
}

/* Marks the changes among the values from @p begin to @p end. */
static void find_in_segment(search *s, size_t begin, size_t end)
{
    while (end - begin >= 2 * s->options->least) {
        const size_t count = end - begin;
        for (size_t i = 0; i < count; i++) {
            s->order[i] = i;
            for (size_t k = 0; k < count; k++)
                s->distances[i * count + k] = fabs(s->values[begin + i] - s->values[begin + k]);
        }
        sum_distances(s, count);
        const division best = divide(s, count);
        if (best.distance <= 0 || !is_significant(s, count, best.distance))
            return;
        s->is_point[begin + best.at] = true;
        /* The shorter part is searched by a nested call, so that the depth is small. */
        if (best.at < count - best.at) {
            find_in_segment(s, begin, begin + best.at);
            begin += best.at;
        } else {
            find_in_segment(s, begin + best.at, end);
            end = begin + best.at;
        }
    }
}

ftr_status ftr_change_points(const double *values, size_t count, const ftr_change_options *options,
                             size_t *points, size_t *found)
{
    search s = {.values = values,
                .options = options,
                .distances = malloc((count * count + 1) * sizeof(double)),
                .sums = malloc((count + 1) * (count + 1) * sizeof(double)),
                .order = malloc((count + 1) * sizeof(size_t)),
                .is_point = calloc(count + 1, sizeof(bool)),
                .random = 1};
    const bool ok = s.distances != NULL && s.sums != NULL && s.order != NULL && s.is_point != NULL;
    *found = 0;
    if (ok)
        find_in_segment(&s, 0, count);
    for (size_t i = 0; ok && i < count; i++)
        if (s.is_point[i])
            points[(*found)++] = i;
    free(s.distances);
    free(s.sums);
    free(s.order);
    free(s.is_point);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}
