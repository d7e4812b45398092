/* Simulated times as people write them, "10 us", exactly converted to ticks. */
#ifndef FTR_SIMULATED_TIME_H
#define FTR_SIMULATED_TIME_H

#include <stdint.h>

#include <ftr/status.h>

/* A time as written: digits * 10^exponent seconds. */
typedef struct ftr_simulated_time {
    uint64_t digits;
    int exponent;
} ftr_simulated_time;

/* Reads a decimal number and one of the units fs ps ns us ms s. FTR_ERR_ARGUMENT for anything else
 * or more digits than 64 bits hold. */
FTR_MUST_USE ftr_status ftr_simulated_time_parse(const char *text, ftr_simulated_time *time);

/* In ticks of 10^scale seconds, rounded down; UINT64_MAX when it is more than that. */
uint64_t ftr_simulated_time_ticks(ftr_simulated_time time, int scale);

#endif
