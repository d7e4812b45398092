/* The runs of the judged night: names of cases, and texts that help people to find a run. */
#ifndef FTR_GATE_RUNS_H
#define FTR_GATE_RUNS_H

#include "name_table.h"
#include "run_record.h"

/* Texts are 0-terminated and live as long as the list. */
typedef struct ftr_gate_run {
    char *file;    /* path of the run's file */
    char *test;    /* name of the run's test */
    char *tags;    /* FTR_TAGS of the run; NULL: none */
    char *command; /* the recorded command line; NULL: unknown */
    /* a name that does not change from night to night: the test, with "#2" behind the second of
     * its runs, in order of the file names; NULL before ftr_gate_runs_name() */
    char *name;
} ftr_gate_run;

typedef struct ftr_gate_runs {
    ftr_gate_run **of;
    size_t count, capacity;
    ftr_name_table names; /* every name of every run */
} ftr_gate_runs;

/* Returns a copy of the names of a run; NULL if memory is exhausted. */
const ftr_gate_run *ftr_gate_runs_add(ftr_gate_runs *runs, const ftr_run_record *run);

/* Sorts the runs by test and file, and sets `name`. @return false if memory is exhausted */
bool ftr_gate_runs_name(ftr_gate_runs *runs);

/* Returns whether a run has this name: the path of its file, the name of its file with or without
 * suffix, or the name of its test. */
bool ftr_gate_runs_have(const ftr_gate_runs *runs, const char *name);

void ftr_gate_runs_release(ftr_gate_runs *runs);

#endif
