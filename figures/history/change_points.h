/* Finds the points at which a series of numbers changed: the algorithm E-divisive (Matteson and
 * James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", 2014),
 * which assumes no distribution. */
#ifndef FTR_CHANGE_POINTS_H
#define FTR_CHANGE_POINTS_H

#include <ftr/status.h>

#include <stddef.h>

typedef struct ftr_change_options {
    /* least number of values on each side of a change, at least 2 */
    size_t least;
    /* probability, 0 to 1, that a series without a change has one */
    double level;
    /* number of permutations that are tried at most; the least p-value is 1 / (permutations + 1) */
    unsigned permutations;
} ftr_change_options;

#define FTR_CHANGE_OPTIONS_DEFAULT                       \
    {                                                    \
        .least = 2, .level = 0.005, .permutations = 1999 \
    }

/* Finds the changes of a series. The result is the same for the same values.
 * @param[out] points index of the first value after each change, in ascending order; room for
 * @p count numbers
 * @param[out] found number of changes
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_change_points(const double *values, size_t count,
                                          const ftr_change_options *options, size_t *points,
                                          size_t *found);

#endif
