/* Which of the processes of one run may have the output's name. */
#ifndef FTR_RUN_CLAIM_H
#define FTR_RUN_CLAIM_H

#include <stdbool.h>
#include <time.h>

#include <ftr/recorder.h>

/* A run is all processes that inherit the variable FTR_RUN. */
typedef struct ftr_run {
    bool is_inherited;     /* another process began it */
    struct timespec began; /* by the clock of file times */
} ftr_run;

/* The run of this process. Begins one, for the processes it starts, where FTR_RUN is unset. */
ftr_run ftr_run_enter(void);

/* Returns whether another process of the run wrote the file open at @p fd, which nobody has locked:
 * it must not be replaced. A file of an earlier run may be. */
bool ftr_run_has_written(const ftr_run *run, int fd);

#endif
