/* Prevents a process from replacing a trace of another process of the same run. */
#ifndef FTR_RUN_CLAIM_H
#define FTR_RUN_CLAIM_H

#include <stdbool.h>
#include <time.h>

#include <ftr/recorder.h>

/* Number of bytes of a text that identifies a run, including the NUL. */
#define FTR_RUN_ID_SIZE 17

/* A run consists of all processes that inherit the same variable FTR_RUN. */
typedef struct ftr_run {
    /* other processes of the run, or this process, may have recorded before */
    bool is_inherited;
    struct timespec began; /* files of the run are at least as new as this time */
    /* recorded in `ftr.run` as the attribute `id`; empty: the run is not described there */
    char id[FTR_RUN_ID_SIZE];
} ftr_run;

/* Returns the run of this process. If FTR_RUN is unset, begins a run and sets FTR_RUN for child
 * processes and later calls. For later calls the run is therefore inherited, and files that this
 * process has recorded are not replaced either. */
ftr_run ftr_run_enter(void);

/* Returns whether a process of the inherited run, which can also be this process, wrote the
 * unlocked file that is open at @p fd. This file must not be replaced. Returns false for an empty
 * file, and for a file of an earlier run: these files may be replaced. */
bool ftr_run_has_written(const ftr_run *run, int fd);

#endif
