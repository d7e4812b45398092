/* A rank test: are the values of one sample higher than the values of another one? The samples are
 * split into strata, and values are compared only within their stratum. It makes no assumption
 * about the distribution of the values, except that all values of a stratum are equally distributed
 * if nothing has changed. */
#ifndef FTR_RANK_TEST_H
#define FTR_RANK_TEST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ftr_rank_stratum {
    const double *tested, *reference; /* both sorted in ascending order; borrowed */
    size_t tested_count, reference_count;
} ftr_rank_stratum;

/* Returns the one-sided p-value: the probability that the tested values have ranks at least as high
 * as the observed ones if, in each stratum, all assignments of values to the two samples are
 * equally probable.
 *
 * The rank of a value is its position among all values of its stratum, equal values have the mean
 * of their positions. With several strata, ranks are divided by the number of values of the stratum
 * plus 1 (the weights of van Elteren), and summed. The probability is exact at the highest possible
 * ranks, and for small samples if all strata have the same size. Otherwise, it is the double
 * saddlepoint approximation of Skovgaard with a continuity correction (half the distance of
 * possible sums). The approximation is accurate to a few percent, also far from the mean.
 *
 * @param upwards true: tests for higher values; false: tests for lower values
 * @return 1 if no stratum has both values to test and to compare with; negative if memory is
 * exhausted */
double ftr_rank_test(const ftr_rank_stratum *strata, size_t count, bool upwards);

/* Returns the smallest p-value that samples of these sizes can have: the probability of a single
 * assignment. 1 if nothing can be compared. */
double ftr_rank_test_least(const ftr_rank_stratum *strata, size_t count);

#endif
