/* One run starts many processes: a regression script its simulations, a prototype its helpers. All
 * inherit the same FTR_TRACE, and none may overwrite what another of the run has recorded, while a
 * file of yesterday's run is nobody's. FTR_RUN, inherited too, holds when the run began; a file
 * that was written since, or is being written, belongs to another process of it. Knows nothing of
 * what is written. */
#define _GNU_SOURCE
#include "run_claim.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of the clock that file systems stamp files with. */
static struct timespec now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return time;
}

/* When this run began; begins one where there is none. */
static bool run_began(struct timespec *began)
{
    const char *run = getenv("FTR_RUN");
    long long seconds;
    long nanoseconds;
    if (run && sscanf(run, "%lld.%9ld", &seconds, &nanoseconds) == 2) {
        *began = (struct timespec){.tv_sec = (time_t)seconds, .tv_nsec = nanoseconds};
        return true;
    }
    char text[64];
    *began = now();
    snprintf(text, sizeof text, "%lld.%09ld", (long long)began->tv_sec, began->tv_nsec);
    setenv("FTR_RUN", text, 1);
    return false;
}

static bool is_since(struct timespec time, struct timespec began)
{
    return time.tv_sec > began.tv_sec ||
           (time.tv_sec == began.tv_sec && time.tv_nsec >= began.tv_nsec);
}

/* Whether another process of the run has the file. If not it is ours: the lock is held, by a
 * descriptor that stays open, until this process ends. */
static bool is_taken(const char *path, struct timespec began)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return false; /* a pipe, a terminal: whoever asked for it knows */
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return false; /* opening it for recording will tell why */
    bool taken = flock(fd, LOCK_EX | LOCK_NB) != 0;
    if (!taken && fstat(fd, &about) == 0)
        taken = about.st_size > 0 && is_since(about.st_mtim, began);
    if (taken)
        close(fd);
    return taken;
}

static ftr_status add_pid(char *path, size_t size)
{
    static const char suffix[] = ".ftr";
    size_t length = strlen(path);
    bool has_suffix =
        length >= sizeof suffix - 1 && strcmp(path + length - (sizeof suffix - 1), suffix) == 0;
    char *end = has_suffix ? path + length - (sizeof suffix - 1) : path + length;
    size_t room = size - (size_t)(end - path);
    int written = snprintf(end, room, "-%ld%s", (long)getpid(), has_suffix ? suffix : "");
    return written > 0 && (size_t)written < room ? FTR_OK : FTR_ERR_LIMIT;
}

ftr_status ftr_run_claim(char *path, size_t size)
{
    struct timespec began;
    bool is_inherited = run_began(&began);
    bool taken = is_taken(path, began);
    return is_inherited && taken ? add_pid(path, size) : FTR_OK;
}
