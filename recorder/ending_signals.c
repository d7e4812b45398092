/* The handlers of SIGTERM and SIGINT. They only ask the writer thread to end the file, wait a
 * bounded time, and let the signal do what it does; all of that is async-signal-safe. A program's
 * own handler is left alone, whether it came before or comes later: it decides how the program
 * ends. */
#define _GNU_SOURCE
#include "ending_signals.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#define LOOK_EVERY_NS 2000000
/* A writer that has not ended the file by then may wait for a lock that the interrupted thread
 * holds, or for a pipe that nobody reads. */
#define LOOKS_MAX 1500

static ftr_recorder *_Atomic watched;

static void on_signal(int number)
{
    int saved = errno;
    ftr_recorder *rec = atomic_load(&watched);
    bool can_end = rec && rec->has_writer && !(ftr_recorder_gate(rec) & FTR_GATE_DEAD);
    if (can_end) {
        (void)ftr_recorder_mark_failed(rec);
        atomic_store(&rec->signal_waits, true);
    }
    for (int i = 0; can_end && i < LOOKS_MAX && atomic_load(&rec->signal_waits); ++i)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = LOOK_EVERY_NS}, NULL);
    errno = saved;
    /* The handler is gone since it was called, so this ends the program, as would a second signal
     * while the first one waits. */
    raise(number);
}

void ftr_ending_signals_watch(ftr_recorder *rec)
{
    static const int numbers[] = {SIGTERM, SIGINT};
    const struct sigaction action = {.sa_handler = on_signal,
                                     .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    atomic_store(&watched, rec);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        struct sigaction before;
        if (sigaction(numbers[i], NULL, &before) == 0 && !(before.sa_flags & SA_SIGINFO) &&
            before.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
}

bool ftr_ending_signals_wait(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->signal_waits, memory_order_relaxed);
}

void ftr_ending_signals_done(ftr_recorder *rec)
{
    atomic_store(&rec->signal_waits, false);
}
