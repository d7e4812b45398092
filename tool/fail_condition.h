/* Conditions on statistics, as --fail-if takes them: 'top.cpu.*: p99 > 200ns'. */
#ifndef FTR_FAIL_CONDITION_H
#define FTR_FAIL_CONDITION_H

#include "generator_statistics.h"

typedef struct ftr_fail_condition {
    const char *text;
    char pattern[256]; /* on stream.generator */
    unsigned metric;
    unsigned op;
    bool is_time;
    long double value; /* a number; of a time: seconds, or ticks if it had no unit */
    bool in_ticks;
} ftr_fail_condition;

/* @return false when @p text is none */
bool ftr_fail_condition_parse(const char *text, ftr_fail_condition *condition);

/* Whether it concerns this row, and whether it holds. */
bool ftr_fail_condition_concerns(const ftr_fail_condition *condition, const ftr_generator_row *row);
bool ftr_fail_condition_holds(const ftr_fail_condition *condition, ftr_generator_row *row,
                              int time_scale);

/* Transactions per simulated second. */
long double ftr_row_throughput(const ftr_generator_row *row, int time_scale);

#endif
