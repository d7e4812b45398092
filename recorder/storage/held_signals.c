/* Blocks, consumes and unblocks SIGPIPE and SIGXFSZ. */
#define _GNU_SOURCE
#include "held_signals.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

void ftr_signals_hold(ftr_held_signals *held)
{
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigemptyset(&held->pending);
    sigpending(&held->pending);
    pthread_sigmask(SIG_BLOCK, &ours, &held->before);
}

void ftr_signals_let_go(const ftr_held_signals *held, bool was_whole)
{
    static const int ours[] = {SIGPIPE, SIGXFSZ};
    int saved = errno;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0] && !was_whole; i++) {
        sigset_t taken;
        sigemptyset(&taken);
        sigaddset(&taken, ours[i]);
        const struct timespec at_once = {0};
        if (sigismember(&held->pending, ours[i]))
            continue;
        while (sigtimedwait(&taken, NULL, &at_once) < 0 && errno == EINTR)
            continue;
    }
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
    errno = saved;
}
