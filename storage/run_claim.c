/* A run can have many processes: a regression script starts simulations, a prototype starts
 * helpers. All processes inherit the same FTR_TRACE. A process must not replace a file that another
 * process of the run has recorded, but may replace a file of an earlier run. The variable FTR_RUN,
 * which is also inherited, contains the time at which the run began. A file with a later
 * modification time was written by a process of the run. Does not know file contents. Files that
 * are still being written are locked (file_claim.c). */
#define _GNU_SOURCE
#include "run_claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define VARIABLE "FTR_RUN"

ftr_run ftr_run_enter(void)
{
    const char *run = secure_getenv(VARIABLE);
    long long seconds;
    long nanoseconds;
    if (run != NULL && sscanf(run, "%lld.%9ld", &seconds, &nanoseconds) == 2)
        return (ftr_run){.is_inherited = true,
                         .began = {.tv_sec = (time_t)seconds, .tv_nsec = nanoseconds}};
    char text[64];
    ftr_run begun = {0};
    clock_gettime(CLOCK_REALTIME_COARSE, &begun.began); /* the clock of file times */
    snprintf(text, sizeof text, "%lld.%09ld", (long long)begun.began.tv_sec, begun.began.tv_nsec);
    setenv(VARIABLE, text, 1);
    return begun;
}

static bool is_since(struct timespec time, struct timespec began)
{
    return time.tv_sec > began.tv_sec ||
           (time.tv_sec == began.tv_sec && time.tv_nsec >= began.tv_nsec);
}

bool ftr_run_has_written(const ftr_run *run, int fd)
{
    struct stat about;
    return run->is_inherited && fstat(fd, &about) == 0 && about.st_size > 0 &&
           is_since(about.st_mtim, run->began);
}
