/* The handlers of SIGTERM, SIGINT and SIGUSR1. Those that end the program only ask the writer
 * thread to end the file, wait a bounded time, and let the signal do what it does; all of that is
 * async-signal-safe. A program's own handler is left alone, whether it came before or comes later:
 * it decides how the program ends. */
#define _GNU_SOURCE
#include "signal_watch.h"

#include <errno.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "lane.h"

#define LOOK_EVERY_NS 2000000
/* A writer that has not ended the file by then may wait for a lock that the interrupted thread
 * holds, or for a pipe that nobody reads. */
#define LOOKS_MAX 1500

static ftr_recorder *_Atomic watched;
/* The signal that could not wait where it came, and comes again when the file is ended. */
static _Atomic int put_off;

static void on_signal(int number)
{
    int saved = errno;
    ftr_recorder *rec = atomic_load(&watched);
    bool can_end = rec && rec->has_writer && !(ftr_recorder_gate(rec) & FTR_GATE_DEAD);
    if (can_end) {
        (void)ftr_recorder_mark_failed(rec);
        if (ftr_thread_refills)
            atomic_store(&put_off, number);
        atomic_store(&rec->signal_waits, true);
        if (ftr_thread_refills)
            return;
    }
    for (int i = 0; can_end && i < LOOKS_MAX && atomic_load(&rec->signal_waits); ++i)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = LOOK_EVERY_NS}, NULL);
    errno = saved;
    /* The handler is gone since it was called, so this ends the program, as would a second signal
     * while the first one waits. */
    raise(number);
}

static bool is_default(int number)
{
    struct sigaction before;
    return sigaction(number, NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
           before.sa_handler == SIG_DFL;
}

void ftr_signal_watch_endings(ftr_recorder *rec)
{
    static const int numbers[] = {SIGTERM, SIGINT};
    const struct sigaction action = {.sa_handler = on_signal,
                                     .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    atomic_store(&watched, rec);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        if (is_default(numbers[i]))
            sigaction(numbers[i], &action, NULL);
    }
}

static void on_trigger(int number)
{
    (void)number;
    ftr_recorder *rec = atomic_load(&watched);
    if (rec)
        ftr_flight_want(rec);
}

void ftr_signal_watch_trigger(ftr_recorder *rec)
{
    atomic_store(&watched, rec);
    if (is_default(SIGUSR1))
        sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_trigger, .sa_flags = SA_RESTART},
                  NULL);
}

bool ftr_signal_watch_waits(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->signal_waits, memory_order_relaxed);
}

void ftr_signal_watch_done(ftr_recorder *rec)
{
    atomic_store(&rec->signal_waits, false);
    if (atomic_load(&put_off))
        kill(getpid(), atomic_load(&put_off));
}
