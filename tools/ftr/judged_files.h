/* Judges the runs of a summary file by a file of rules and by comparison with an earlier
 * summary. */
#ifndef FTR_JUDGED_FILES_H
#define FTR_JUDGED_FILES_H

#include "gate.h"

typedef struct ftr_gate_files {
    const char *rules, *summary;
    const char *baseline; /* NULL: none */
    ftr_gate_options options;
} ftr_gate_files;

#define FTR_GATE_OPTIONS_DEFAULT    \
    {                               \
        .effect = 1, .alpha = 0.001 \
    }

/* Uses the verdicts. @return an exit status */
typedef int ftr_use_gate(void *user, const ftr_gate *gate);

/* Judges all runs and calls @p use with the verdicts. @return the exit status that @p use returned;
 * FTR_EXIT_TROUBLE after an error message */
int ftr_gate_judge_files(const ftr_gate_files *files, ftr_use_gate *use, void *user);

#endif
