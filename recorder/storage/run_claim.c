/* A run can have many processes: a regression script starts simulations, a prototype starts
 * helpers. All processes inherit the same FTR_TRACE. A process must not replace a file that
 * another process of the run has recorded, but may replace a file of an earlier run. The variable
 * FTR_RUN, which is also inherited, contains the time at which the run began. A file with a later
 * modification time was written by a process of the run. The clock of modification times advances
 * in steps of some milliseconds, so a file of an earlier run can have the time at which this run
 * began. The process that begins a run therefore compares no times. If libftr_attach.so began the
 * run in this process (sc_adapter/attach/attach_loader.c), the process may have started other
 * processes before it records. In this case, FTR_RUN also contains the id of this process and the
 * precise time at which the run began, and this process compares modification times with the
 * precise time. Files that are still being written are locked (file_claim.c). */
#define _GNU_SOURCE
#include "run_claim.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define VARIABLE "FTR_RUN"

static void set_run(const struct timespec *began)
{
    char text[64];
    snprintf(text, sizeof text, "%lld.%09ld", (long long)began->tv_sec, began->tv_nsec);
    setenv(VARIABLE, text, 1);
}

ftr_run ftr_run_enter(void)
{
    const char *run = secure_getenv(VARIABLE);
    ftr_run entered = {0};
    long long seconds;
    long nanoseconds;
    long beginner = 0;
    long long own_seconds;
    long own_nanoseconds;
    const int found = run != NULL ? sscanf(run, "%lld.%9ld %ld %lld.%9ld", &seconds, &nanoseconds,
                                           &beginner, &own_seconds, &own_nanoseconds)
                                  : 0;
    if (found >= 2) {
        entered.is_inherited = true;
        entered.began = (struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = nanoseconds};
    } else {
        /* this is the clock of modification times */
        clock_gettime(CLOCK_REALTIME_COARSE, &entered.began);
    }
    if (found == 5 || !entered.is_inherited)
        set_run(&entered.began);
    if (found == 5 && beginner == (long)getpid())
        entered.began =
            (struct timespec){.tv_sec = (time_t)own_seconds, .tv_nsec = own_nanoseconds};
    return entered;
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
