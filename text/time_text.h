/* Times as people write them. */
#ifndef FTR_TIME_TEXT_H
#define FTR_TIME_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* A decimal number times a power of ten: mantissa * 10^exponent seconds. Without a unit, ticks. */
typedef struct ftr_time_value {
    uint64_t mantissa;
    int exponent;
    bool in_ticks;
} ftr_time_value;

/* Reads "10us", "1.5 ns", "250" (ticks). Units: s ms us ns ps fs.
 * @param[out] rest what follows the time; NULL: nothing may
 * @return false when it is no time */
bool ftr_time_parse(const char *text, ftr_time_value *time, const char **rest);

/* The ticks of 10^@p scale seconds in @p time, rounded down.
 * @param[out] exact whether nothing was lost by it
 * @return false when it exceeds 64 bits */
bool ftr_time_to_ticks(const ftr_time_value *time, int scale, uint64_t *ticks, bool *exact);

#endif
