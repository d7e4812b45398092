/* Blocks, consumes and unblocks SIGPIPE and SIGXFSZ. */
#define _GNU_SOURCE
#include "held_signals.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>

/* the calling thread has blocked all signals */
static _Thread_local bool are_blocked __attribute__((tls_model("initial-exec")));

static bool files_are_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

void ftr_signals_hold(ftr_held_signals *held, bool is_file)
{
    sigset_t ours;
    held->is_held = !are_blocked && (!is_file || files_are_limited());
    if (!held->is_held)
        return;
    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigemptyset(&held->pending);
    sigpending(&held->pending);
    pthread_sigmask(SIG_BLOCK, &ours, &held->before);
}

/* Consumes the pending SIGPIPE and SIGXFSZ, except those in @p kept. */
static void consume(const sigset_t *kept)
{
    static const int ours[] = {SIGPIPE, SIGXFSZ};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        sigset_t taken;
        sigemptyset(&taken);
        sigaddset(&taken, ours[i]);
        const struct timespec at_once = {0};
        if (sigismember(kept, ours[i]))
            continue;
        while (sigtimedwait(&taken, NULL, &at_once) < 0 && errno == EINTR)
            continue;
    }
}

void ftr_signals_let_go(const ftr_held_signals *held, bool was_whole)
{
    int saved = errno;
    if (!held->is_held)
        return;
    if (!was_whole)
        consume(&held->pending);
    pthread_sigmask(SIG_SETMASK, &held->before, NULL);
    errno = saved;
}

void ftr_signals_are_blocked(void)
{
    are_blocked = true;
}

void ftr_signals_unblock_all(void)
{
    sigset_t none;
    sigemptyset(&none);
    consume(&none);
    are_blocked = false;
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}
