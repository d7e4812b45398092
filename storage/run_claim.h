/* Decides which process of a run may use the name of the output. */
#ifndef FTR_RUN_CLAIM_H
#define FTR_RUN_CLAIM_H

#include <stdbool.h>
#include <time.h>

#include <ftr/recorder.h>

/* A run consists of all processes that inherit the same variable FTR_RUN. */
typedef struct ftr_run {
    bool is_inherited;     /* another process began it */
    struct timespec began; /* on the clock of file times */
} ftr_run;

/* Returns the run of this process. If FTR_RUN is unset, begins a run and sets FTR_RUN for child
 * processes. */
ftr_run ftr_run_enter(void);

/* Returns whether another process of the run wrote the unlocked file open at @p fd. Such a file
 * must not be replaced; a file of an earlier run may be. */
bool ftr_run_has_written(const ftr_run *run, int fd);

#endif
