/* Streams, generators, tests and runs that the judged night has and the earlier nights do not have,
 * and the reverse. A new name is not an error: a passed case says it. */
#ifndef FTR_GATE_PRESENCE_H
#define FTR_GATE_PRESENCE_H

#include "gate_baseline.h"
#include "gate_cases.h"

/* Names, each with the number of complete runs that have a transaction of it. */
typedef struct ftr_seen_names {
    ftr_names names;
    uint64_t *runs; /* index: number of the name */
    size_t capacity;
} ftr_seen_names;

/* What the judged night has. Zero-initialise. */
typedef struct ftr_gate_presence {
    ftr_seen_names streams, generators;
    ftr_names unknown_runs; /* names of runs that the last earlier night does not have */
    uint64_t matched_runs;  /* number of runs of the last earlier night that occur again */
    uint64_t complete;      /* number of complete runs */
} ftr_gate_presence;

/* Looks for the run of the last earlier night with the same name, and counts the run for its test.
 * @param run a run of any state
 * @param name path of the run's file, without the leading directories that all runs share
 * @param[out] same the run of the last earlier night; NULL: it has none
 * @return false if memory is exhausted */
bool ftr_gate_presence_match(ftr_gate_presence *presence, ftr_gate_baseline *baseline,
                             const ftr_run_record *run, const char *name,
                             const ftr_gate_baseline_run **same);

/* Adds the streams and generators of a complete run. @param totals the figures of this run alone
 * @return false if memory is exhausted */
bool ftr_gate_presence_add(ftr_gate_presence *presence, const ftr_run_totals *totals);

/* Adds a case for each run of the last earlier night that is absent, or, if most names of runs
 * change from night to night, for each test that is absent or has fewer runs. Adds cases that name
 * new tests, and streams and generators that are new or absent.
 * @param suite the suite of the runs @return false if memory is exhausted */
bool ftr_gate_presence_judge(const ftr_gate_presence *presence, ftr_gate_baseline *baseline,
                             ftr_gate_suite *suite);

void ftr_gate_presence_release(ftr_gate_presence *presence);

#endif
