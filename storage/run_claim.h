/* Prevents a process from replacing a trace of another process of the same run. */
#ifndef FTR_RUN_CLAIM_H
#define FTR_RUN_CLAIM_H

#include <stdbool.h>
#include <time.h>

#include <ftr/recorder.h>

/* A run consists of all processes that inherit the same variable FTR_RUN. */
typedef struct ftr_run {
    bool is_inherited;     /* another process, or an earlier call, began the run */
    struct timespec began; /* time of the clock that also sets modification times of files */
} ftr_run;

/* Returns the run of this process. If FTR_RUN is unset, begins a run and sets FTR_RUN for child
 * processes. Only the first call in the process that began the run returns a run that is not
 * inherited: files that this process records later must not be replaced either. */
ftr_run ftr_run_enter(void);

/* Returns whether another process of the run wrote the unlocked file open at @p fd, so that the
 * file must not be replaced. A file of an earlier run may be replaced. */
bool ftr_run_has_written(const ftr_run *run, int fd);

#endif
