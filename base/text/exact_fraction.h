/* Fractions from 0 to 1 as quotients of integers, and the ranks of percentiles. Floating point is
 * not used for ranks, because 0.07 * 100 is then greater than 7, and the rank would be off by
 * one. */
#ifndef FTR_EXACT_FRACTION_H
#define FTR_EXACT_FRACTION_H

#include <stdbool.h>
#include <stdint.h>

/* A type for products of two numbers of 64 bits, and for sums of up to 2^64 numbers of 64 bits. */
__extension__ typedef unsigned __int128 ftr_wide;

/* numerator <= denominator, numerator < 2^58, denominator > 0 */
typedef struct ftr_fraction {
    uint64_t numerator;
    ftr_wide denominator;
} ftr_fraction;

/* Converts the shortest decimal text of @p value: 0.07 is 7/100. If the text has more than 38
 * digits after the decimal point, which is possible only below 10^-22, the result is 0.
 * @return false if @p value is not from 0 to 1; @p fraction is then not changed */
bool ftr_fraction_of_double(double value, ftr_fraction *fraction);

/* Returns the lowest rank, from 1 to @p count, for which at least @p fraction of @p count sorted
 * values are not greater than the value with this rank (nearest rank). @p count must not be 0. */
static inline uint64_t ftr_fraction_rank(ftr_fraction fraction, uint64_t count)
{
    const ftr_wide product = (ftr_wide)count * fraction.numerator;
    const uint64_t rank =
        (uint64_t)(product / fraction.denominator + (product % fraction.denominator > 0));
    return rank > 0 ? rank : 1;
}

/* Multiplies @p fraction by @p steps. Returns the integer part of the product, and sets @p part to
 * the rest, which is at least 0 and less than 1. */
static inline uint64_t ftr_fraction_of_steps(ftr_fraction fraction, uint64_t steps, double *part)
{
    const ftr_wide product = (ftr_wide)steps * fraction.numerator;
    *part = (double)(product % fraction.denominator) / (double)fraction.denominator;
    return (uint64_t)(product / fraction.denominator);
}

#endif
