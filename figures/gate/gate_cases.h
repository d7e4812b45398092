/* Suites, their cases, and messages of several lines. */
#ifndef FTR_GATE_CASES_H
#define FTR_GATE_CASES_H

#include "gate_runs.h"

typedef enum ftr_gate_result { FTR_CASE_PASSED, FTR_CASE_FAILED, FTR_CASE_SKIPPED } ftr_gate_result;

typedef struct ftr_gate_case {
    const char *run; /* file of the run, or the name of an absent run; the name of a test if the
                        rule refers to the baseline; a text in parentheses if the case concerns all
                        runs or tests */
    const ftr_gate_run *of; /* the run; NULL: the case is not about one of the night's runs */
    ftr_gate_result result;
    /* NULL: no message. A passed case has a message if the file does not tell how the run ended */
    char *message;
} ftr_gate_case;

/* The first suite checks the files and streams of the runs; each further suite checks one rule. */
typedef struct ftr_gate_suite {
    const char *name; /* `runs`, or the text of the rule */
    unsigned line;    /* line of the rule in the rules file, from 1; 0: the first suite */
    ftr_gate_case *cases;
    size_t count, capacity, failed, skipped;
} ftr_gate_suite;

/* Adds a case, which becomes the owner of @p message. On failure, frees @p message.
 * @return false if memory is exhausted */
bool ftr_gate_add_case(ftr_gate_suite *suite, const char *name, ftr_gate_result result,
                       char *message);

/* Adds a case about a run, as ftr_gate_add_case(). */
bool ftr_gate_add_run_case(ftr_gate_suite *suite, const ftr_gate_run *run, ftr_gate_result result,
                           char *message);

/* A message that grows line by line. After a limit of lines, `...` stands for the rest. */
typedef struct ftr_gate_message {
    char *text; /* NULL: no line yet */
    unsigned lines;
    bool failed; /* out of memory; `text` is incomplete */
} ftr_gate_message;

__attribute__((format(printf, 2, 3))) void ftr_gate_say(ftr_gate_message *to, const char *format,
                                                        ...);

#endif
