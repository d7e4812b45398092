/* The conditional distribution of a sum of ranks. If the samples are small, the sums of all
 * assignments are counted. Otherwise, their distribution is approximated:
 *
 * A stratum has N values with scores a_1..a_N, of which n are tested. Given n, the sum of the
 * scores of the tested values is distributed as if each value were tested independently with the
 * probability p_i = 1 / (1 + exp(-(u + t a_i))), under the condition that n of them are. The tilts
 * u (one for each stratum) and t (one for all) are chosen so that the expected numbers and the
 * expected sum are the observed ones; Skovgaard (Saddlepoint expansions for conditional
 * distributions, J. Appl. Prob. 24, 1987) gives the probability of the tail from the cumulant
 * function at this point. */
#include "rank_test.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define STEPS_MAX 200

/* Equal values of a stratum. */
typedef struct group {
    double size, tested; /* numbers of values */
    double score;        /* rank, minus the mean of all ranks of the stratum, weighted */
} group;

typedef struct stratum {
    group *groups;
    size_t count;
    double size, tested;
    double tilt; /* u of the last solution: the next search begins here */
} stratum;

typedef struct rank_test {
    stratum *strata;
    size_t count;
    group *groups;   /* of all strata */
    double sum;      /* of the scores of the tested values; its mean is 0 */
    double variance; /* of the sum */
    double step;     /* least distance of neighbouring possible sums of a stratum */
    uint64_t unit;   /* greatest common divisor of the distances of twice the ranks */
    double factor;   /* weight of a rank in the last stratum, negative if lower values are tested */
    bool is_even; /* all strata have the same number of values, so that their weights are equal */
} rank_test;

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

static bool is_compared(const ftr_rank_stratum *of)
{
    return of->tested_count > 0 && of->reference_count > 0;
}

/* ---- scores ---------------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Makes the groups of a stratum. Scores are twice the ranks, which are whole numbers. Returns the
 * greatest common divisor of their distances; 0 if all values are equal. */
static uint64_t make_groups(const ftr_rank_stratum *from, stratum *made)
{
    size_t i = 0, k = 0;
    uint64_t step = 0;
    while (i < from->tested_count || k < from->reference_count) {
        const bool is_tested = k == from->reference_count ||
                               (i < from->tested_count && from->tested[i] <= from->reference[k]);
        const double value = is_tested ? from->tested[i] : from->reference[k];
        const size_t before = i + k;
        group *const of = &made->groups[made->count];
        for (of->tested = 0; i < from->tested_count && from->tested[i] == value; i++)
            of->tested++;
        while (k < from->reference_count && from->reference[k] == value)
            k++;
        of->size = (double)(i + k - before);
        of->score = (double)(before + i + k + 1);
        if (made->count > 0)
            step = common_divisor((uint64_t)(of->score - of[-1].score), step);
        made->count++;
    }
    made->size = (double)(i + k);
    made->tested = (double)i;
    return step;
}

/* Centres and weights the scores of a stratum, and adds it to the sum. @param factor of a rank */
static void add_stratum(rank_test *test, stratum *made, uint64_t step, double factor)
{
    double squares = 0;
    for (size_t i = 0; i < made->count; i++) {
        group *const of = &made->groups[i];
        of->score = (of->score - (made->size + 1)) / 2 * factor;
        squares += of->size * of->score * of->score;
        test->sum += of->tested * of->score;
    }
    test->variance +=
        squares * made->tested * (made->size - made->tested) / (made->size * (made->size - 1));
    const double distance = (double)step / 2 * fabs(factor);
    test->step = test->count == 0 ? distance : fmin(test->step, distance);
    test->unit = common_divisor(test->unit, step);
    test->is_even = test->count == 0 || (test->is_even && test->factor == factor);
    test->factor = factor;
    made->tilt = log(made->tested / (made->size - made->tested));
}

/* Strata in which nothing can be compared, or in which all values are equal, are omitted.
 * @return false if memory is exhausted */
static bool prepare(rank_test *test, const ftr_rank_stratum *strata, size_t count, bool upwards)
{
    size_t values = 0, compared = 0, used = 0;
    for (size_t i = 0; i < count; i++) {
        values += strata[i].tested_count + strata[i].reference_count;
        compared += is_compared(&strata[i]);
    }
    test->strata = calloc(count + 1, sizeof *test->strata);
    test->groups = malloc((values + 1) * sizeof *test->groups);
    if (test->strata == NULL || test->groups == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        stratum *const made = &test->strata[test->count];
        *made = (stratum){.groups = test->groups + used};
        const uint64_t step = is_compared(&strata[i]) ? make_groups(&strata[i], made) : 0;
        if (step == 0)
            continue;
        const double weight = compared > 1 ? 1 / (made->size + 1) : 1;
        add_stratum(test, made, step, upwards ? weight : -weight);
        used += made->count;
        test->count++;
    }
    return true;
}

/* ---- the extreme ranks ----------------------------------------------------------------------- */

/* Adds the greatest or least possible sum of a stratum to @p sum. Adds the logarithm of its
 * probability to @p chance. */
static void add_extreme(const stratum *of, bool is_greatest, double *sum, double *chance)
{
    const bool ascends = of->groups[0].score < of->groups[of->count - 1].score;
    double left = of->tested;
    for (size_t i = 0; left > 0; i++) {
        const group *const next = &of->groups[ascends == is_greatest ? of->count - 1 - i : i];
        const double taken = fmin(left, next->size);
        *sum += taken * next->score;
        *chance += log_choose(next->size, taken);
        left -= taken;
    }
    *chance -= log_choose(of->size, of->tested);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* Greatest number of additions for counting. */
#define ADDITIONS_MAX 2e7

/* Probabilities of sums, which are counted from the least one in steps of the unit. */
typedef struct sums {
    double *chance;
    size_t count;
} sums;

static double least_score(const stratum *of)
{
    return fmin(of->groups[0].score, of->groups[of->count - 1].score);
}

static double unit_of(const rank_test *test)
{
    return (double)test->unit / 2 * fabs(test->factor);
}

/* Returns the number of a group's score, counted from the least score of its stratum. */
static size_t position(const rank_test *test, const stratum *of, const group *at)
{
    return (size_t)((at->score - least_score(of)) / unit_of(test) + 0.5);
}

static size_t greatest_position(const rank_test *test, const stratum *of)
{
    const size_t first = position(test, of, &of->groups[0]);
    const size_t last = position(test, of, &of->groups[of->count - 1]);
    return first > last ? first : last;
}

/* Returns whether counting needs few enough additions. */
static bool can_count(const rank_test *test)
{
    double additions = 0, range = 1;
    for (size_t i = 0; i < test->count; i++) {
        const stratum *of = &test->strata[i];
        const double own = of->tested * (double)greatest_position(test, of) + 1;
        additions += of->size * of->tested * own + range * own;
        range += own;
    }
    return test->is_even && additions <= ADDITIONS_MAX;
}

/* Counts the sums of the assignments of a stratum: `ways` has a row of @p width for each number of
 * values that are taken. */
static void count_ways(const rank_test *test, const stratum *of, size_t width, double *ways)
{
    const size_t tested = (size_t)of->tested;
    ways[0] = 1;
    for (size_t i = 0; i < of->count; i++) {
        const size_t score = position(test, of, &of->groups[i]);
        for (size_t k = (size_t)of->groups[i].size; k > 0; k--)
            for (size_t n = tested; n > 0; n--)
                for (size_t sum = 0; sum + score < width; sum++)
                    ways[n * width + sum + score] += ways[(n - 1) * width + sum];
    }
}

/* Adds the sums of a stratum to those of the strata before. @return false if memory is exhausted */
static bool add_sums(const rank_test *test, const stratum *of, sums *to)
{
    const size_t tested = (size_t)of->tested;
    const size_t width = tested * greatest_position(test, of) + 1;
    double *ways = calloc((tested + 1) * width, sizeof *ways);
    double *chance = calloc(to->count + width, sizeof *chance);
    if (ways == NULL || chance == NULL) {
        free(ways);
        free(chance);
        return false;
    }
    count_ways(test, of, width, ways);
    const double *all = &ways[tested * width];
    double total = 0;
    for (size_t i = 0; i < width; i++)
        total += all[i];
    for (size_t i = 0; i < width; i++)
        for (size_t k = 0; k < to->count; k++)
            chance[i + k] += all[i] / total * to->chance[k];
    free(ways);
    free(to->chance);
    *to = (sums){chance, to->count + width - 1};
    return true;
}

/* Returns the exact p-value; -1 if memory is exhausted. */
static double count_tail(const rank_test *test)
{
    sums all = {calloc(1, sizeof(double)), 1};
    bool ok = all.chance != NULL;
    double p = ok ? 0 : -1;
    if (ok)
        all.chance[0] = 1;
    double from_first = test->sum; /* distance of the observed sum from the first one */
    for (size_t i = 0; i < test->count && ok; i++) {
        ok = add_sums(test, &test->strata[i], &all);
        from_first -= test->strata[i].tested * least_score(&test->strata[i]);
    }
    const size_t observed = (size_t)(from_first / unit_of(test) + 0.5);
    for (size_t i = all.count; i > observed && ok; i--)
        p += all.chance[i - 1];
    free(all.chance);
    return ok ? fmin(p, 1) : -1;
}

/* ---- the saddlepoint ------------------------------------------------------------------------- */

/* Expected values and derivatives of the cumulant function for a tilt t, with the tilts u that give
 * the tested numbers. */
typedef struct expected {
    double sum;       /* expected sum of the scores */
    double spread;    /* its derivative: the variance of the sum, given the numbers */
    double cumulant;  /* the cumulant function minus the sum of n u */
    double log_count; /* logarithm of the product of the variances of the numbers */
} expected;

typedef struct moments {
    double count, uu, tu, tt, sum;
} moments;

static moments moments_of(const stratum *of, double u, double t)
{
    moments m = {0};
    for (size_t i = 0; i < of->count; i++) {
        const double score = of->groups[i].score;
        const double chance = 1 / (1 + exp(-(u + t * score)));
        const double taken = of->groups[i].size * chance;
        const double varied = taken * (1 - chance);
        m.count += taken;
        m.sum += taken * score;
        m.uu += varied;
        m.tu += varied * score;
        m.tt += varied * score * score;
    }
    return m;
}

/* Finds the tilt u with the expected number of tested values: Newton's method, within bounds. */
static moments solve_number(stratum *of, double t)
{
    const double widest =
        fabs(t) * fmax(fabs(of->groups[0].score), fabs(of->groups[of->count - 1].score));
    const double middle = log(of->tested / (of->size - of->tested));
    double low = middle - widest - 1, high = middle + widest + 1;
    double u = fmin(fmax(of->tilt, low), high);
    moments m = moments_of(of, u, t);
    for (int i = 0; i < STEPS_MAX && fabs(m.count - of->tested) > 1e-11 * of->size; i++) {
        if (m.count > of->tested)
            high = u;
        else
            low = u;
        const double next = u - (m.count - of->tested) / m.uu;
        u = next > low && next < high ? next : (low + high) / 2;
        m = moments_of(of, u, t);
    }
    of->tilt = u;
    return m;
}

static double log_1p_exp(double x)
{
    return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static expected expect(rank_test *test, double t)
{
    expected e = {0};
    for (size_t i = 0; i < test->count; i++) {
        stratum *const of = &test->strata[i];
        const moments m = solve_number(of, t);
        e.sum += m.sum;
        e.spread += m.tt - m.tu * m.tu / m.uu;
        e.log_count += log(m.uu);
        e.cumulant -= of->tested * of->tilt;
        for (size_t k = 0; k < of->count; k++)
            e.cumulant += of->groups[k].size * log_1p_exp(of->tilt + t * of->groups[k].score);
    }
    return e;
}

/* Finds the tilt t with the expected sum @p sum. */
static double solve_sum(rank_test *test, double sum)
{
    const double sign = sum > 0 ? 1 : -1;
    double low = 0, high = 1 / sqrt(test->variance);
    while (sign * expect(test, sign * high).sum < sign * sum && high < 1e9) {
        low = high;
        high *= 2;
    }
    double t = (low + high) / 2;
    for (int i = 0; i < STEPS_MAX && high - low > 1e-12 * high; i++) {
        const expected e = expect(test, sign * t);
        const double over = sign * (e.sum - sum);
        if (fabs(over) < 1e-12 * sqrt(test->variance))
            break;
        if (over > 0)
            high = t;
        else
            low = t;
        const double next = t - over / e.spread;
        t = next > low && next < high ? next : (low + high) / 2;
    }
    return sign * t;
}

static double tail(rank_test *test)
{
    double least = 0, greatest = 0, chance = 0, ignored = 0;
    for (size_t i = 0; i < test->count; i++) {
        add_extreme(&test->strata[i], false, &least, &ignored);
        add_extreme(&test->strata[i], true, &greatest, &chance);
    }
    if (test->sum < least + test->step / 4)
        return 1;
    if (test->sum > greatest - test->step / 4)
        return exp(chance);
    if (can_count(test))
        return count_tail(test);
    const double deviation = sqrt(test->variance);
    const double sum = test->sum - test->step / 2;
    const double normal = erfc(sum / deviation / sqrt(2)) / 2;
    if (fabs(sum) < 1e-3 * deviation)
        return normal;
    const expected start = expect(test, 0);
    const double t = solve_sum(test, sum);
    const expected e = expect(test, t);
    const double root = sqrt(fmax(2 * (t * sum - e.cumulant + start.cumulant), 0));
    const double w = t > 0 ? root : -root;
    const double v = t * sqrt(exp(e.log_count - start.log_count) * e.spread);
    const double density = exp(-w * w / 2) / sqrt(2 * acos(-1.0));
    const double p = erfc(w / sqrt(2)) / 2 + density * (1 / v - 1 / w);
    return isfinite(p) ? fmin(fmax(p, exp(chance)), 1) : normal;
}

/* ---- interface ------------------------------------------------------------------------------- */

double ftr_rank_test(const ftr_rank_stratum *strata, size_t count, bool upwards)
{
    rank_test test = {0};
    double p = -1;
    if (prepare(&test, strata, count, upwards))
        p = test.count > 0 ? tail(&test) : 1;
    free(test.strata);
    free(test.groups);
    return p;
}

double ftr_rank_test_least(const ftr_rank_stratum *strata, size_t count)
{
    double least = 0;
    for (size_t i = 0; i < count; i++)
        if (is_compared(&strata[i])) {
            const double tested = (double)strata[i].tested_count;
            least -= log_choose(tested + (double)strata[i].reference_count, tested);
        }
    return exp(least);
}
