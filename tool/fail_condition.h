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

/* Warns on stderr of a time without a unit, which is in ticks of 10^@p time_scale seconds. */
void ftr_fail_condition_warn(const ftr_fail_condition *condition, int time_scale);

/* Says on stderr what fails in a file: each generator that @p query chooses and the condition holds
 * for, with the measured value. A generator without a transaction has a count of 0. A condition
 * that nothing in the file can be measured for fails as well: a gate must not pass because the
 * generator is missing.
 * @param table the statistics of the file
 * @return how many failed */
unsigned ftr_fail_condition_judge(const ftr_fail_condition *condition, const char *file,
                                  ftr_reader *reader, const ftr_query *query,
                                  ftr_statistics_table *table);

/* Transactions per simulated second. */
long double ftr_row_throughput(const ftr_generator_row *row, int time_scale);

#endif
