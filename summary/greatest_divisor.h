/* The greatest common divisor of two numbers. */
#ifndef FTR_GREATEST_DIVISOR_H
#define FTR_GREATEST_DIVISOR_H

#include <stdint.h>

/* The divisor of 0 and @p b is @p b. */
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
