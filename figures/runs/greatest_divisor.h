/* The greatest common divisor of two numbers. */
#ifndef FTR_GREATEST_DIVISOR_H
#define FTR_GREATEST_DIVISOR_H

#include <stdint.h>

/* Returns the greatest common divisor. If @p a is 0, returns @p b. */
static inline uint64_t ftr_greatest_divisor(uint64_t a, uint64_t b)
{
    while (a != 0) {
        const uint64_t rest = b % a;
        b = a;
        a = rest;
    }
    return b;
}

#endif
