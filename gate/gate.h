/* Checks the runs of a night against rules and an earlier night (the baseline). Each rule is a test
 * suite, and each run is a case of the suite. */
#ifndef FTR_GATE_H
#define FTR_GATE_H

#include "gate_baseline.h"

typedef enum ftr_gate_result { FTR_CASE_PASSED, FTR_CASE_FAILED, FTR_CASE_SKIPPED } ftr_gate_result;

typedef struct ftr_gate_case {
    const char *run; /* the file of the run, or a word in parentheses for all runs */
    ftr_gate_result result;
    char *message; /* NULL: nothing to say */
} ftr_gate_case;

/* The first suite checks the state of the runs; each further suite checks one rule. */
typedef struct ftr_gate_suite {
    const char *name; /* `runs`, or the text of the rule */
    unsigned line;    /* line of the rule; 0: the suite is not a rule */
    ftr_gate_case *cases;
    size_t count, capacity, failed, skipped;
} ftr_gate_suite;

typedef struct ftr_gate_options {
    long double effect; /* percent: smaller differences from the baseline never fail */
    double alpha;       /* a difference is significant if its probability by chance is below this */
} ftr_gate_options;

typedef struct ftr_gate ftr_gate;

/* @param baseline NULL: none; both are borrowed until ftr_gate_destroy()
 * @param[out] gate owned by the caller until ftr_gate_destroy() */
FTR_MUST_USE ftr_status ftr_gate_create(const ftr_gate_rules *rules, ftr_gate_baseline *baseline,
                                        const ftr_gate_options *options, ftr_gate **gate);
void ftr_gate_destroy(ftr_gate *gate);

/* Judges a run. @param name of its file, without the directories that all runs share
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_judge(ftr_gate *gate, const ftr_run_record *run, const char *name);

/* Adds the cases of rules that matched nothing and of absent runs, and sorts the cases by run.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_finish(ftr_gate *gate);

/* Returns the suites after the gate is finished. */
const ftr_gate_suite *ftr_gate_suites(const ftr_gate *gate, size_t *count);

#endif
