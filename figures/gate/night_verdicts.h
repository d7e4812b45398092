/* Judges the values of a night: which generator of which test violates a rule that refers to the
 * baseline, and not only by chance. docs/campaign.md explains the method. */
#ifndef FTR_NIGHT_VERDICTS_H
#define FTR_NIGHT_VERDICTS_H

#include "night_values.h"

typedef struct ftr_night_options {
    /* in percent of the baseline's value: smallest difference of times and rates that can fail */
    long double effect;
    /* smallest difference of counts (count, errors, unfinished, outstanding) that can fail */
    long double count_effect;
    /* false discovery rate, 0 to 1: expected part of the failed verdicts that arose by chance */
    double rate;
} ftr_night_options;

typedef enum ftr_night_outcome {
    FTR_NIGHT_PASSED,
    FTR_NIGHT_FAILED,
    FTR_NIGHT_NEW_TEST,       /* not judged: the baseline has no run of the test */
    FTR_NIGHT_NEW_GENERATOR,  /* not judged: no run of the baseline has a value */
    FTR_NIGHT_NO_VALUE,       /* not judged: no run of the night has a value */
    FTR_NIGHT_TOO_SHORT_RUNS, /* not judged: the percentile needs runs with more transactions */
    FTR_NIGHT_TOO_FEW_RUNS    /* not judged: no difference of so few runs would be significant */
} ftr_night_outcome;

/* Returns whether a verdict was made: it passed or failed. */
static inline bool ftr_night_is_judged(ftr_night_outcome outcome)
{
    return outcome <= FTR_NIGHT_FAILED;
}

typedef struct ftr_night_verdict {
    size_t rule, generator;        /* index of the rule, number of the name */
    const ftr_compared_values *of; /* the values; NULL: the verdict is about all tests together */
    size_t tests;                  /* number of tests together; 1 if `of` is not NULL */
    ftr_night_outcome outcome;
    bool is_certain;  /* the earlier runs of the test are all equal: no probability is needed */
    bool is_violated; /* the difference is large enough to fail */
    /* medians of the runs; of a certain verdict, `measured` is the value of the extreme run */
    long double measured, reference;
    /* all tests together: mean relative change, 0.05 for 5 %, weighted by the runs of the night */
    long double change;
    /* probability that the ranks of the night's runs are so high if nothing has changed; invalid
     * if the verdict is certain, and 1 if `is_violated` is false */
    double p;
} ftr_night_verdict;

typedef struct ftr_night_verdicts {
    /* in order of rule, generator, test; of each generator, the verdict about all tests is last */
    ftr_night_verdict *of;
    size_t count, capacity;
} ftr_night_verdicts;

/* Judges all values. Sorts them.
 * @param[out] verdicts owned by the caller until ftr_night_verdicts_release(), also after an error
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_night_judge(ftr_night_values *values, const ftr_night_options *options,
                                        ftr_night_verdicts *verdicts);

/* Returns the limit of a rule for the value @p reference of the baseline. */
long double ftr_relative_limit(const ftr_gate_rule *rule, long double reference);

void ftr_night_verdicts_release(ftr_night_verdicts *verdicts);

#endif
