/* The handlers of SIGTERM, SIGINT and SIGUSR1. The handlers of the signals that end the program
 * request the end of the file from the writer thread, wait for a limited time, and let the signal
 * take effect. All of this is async-signal-safe. A handler that the program itself has installed,
 * before or later, is not replaced: it decides how the program ends. */
#define _GNU_SOURCE
#include "signal_watch.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>

#include "flight.h"
#include "guarded_call.h"
#include "recorder_state.h"

static ftr_recorder *_Atomic watched;

/* Returns whether the interrupted thread holds locks that the writer needs and will release soon. A
 * thread that itself writes to a pipe may wait for the reader of the pipe without limit, and is not
 * counted as busy. */
static bool is_busy(const ftr_recorder *rec)
{
    sig_atomic_t kind = ftr_current_call.kind;
    return kind == FTR_CALL_LOCKS || (kind == FTR_CALL_WRITES && rec->output.is_regular);
}

static void on_signal(int number)
{
    int saved = errno;
    ftr_recorder *rec = atomic_load(&watched);
    if (rec != NULL && ftr_writer_is_running(rec) && !ftr_recorder_dead_gate(rec)) {
        (void)ftr_recorder_mark_failed(rec);
        atomic_store(&rec->ending.signal, number);
        ftr_call_start_signal(&rec->ending.is_awaited_by_signal);
        if (is_busy(rec)) {
            ftr_current_call.deferred = number;
            errno = saved;
            return;
        }
        if (ftr_current_call.kind == FTR_CALL_NONE)
            ftr_call_finish_signal();
    }
    errno = saved;
    /* SA_RESETHAND removed this handler when it was called, so the signal ends the program now, as
     * would a second signal during the wait. */
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
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (is_default(numbers[i]))
            sigaction(numbers[i], &action, NULL);
    }
}

static void on_trigger(int number)
{
    (void)number;
    ftr_recorder *rec = atomic_load(&watched);
    if (rec != NULL)
        ftr_flight_trigger(rec);
}

void ftr_signal_watch_trigger(ftr_recorder *rec)
{
    atomic_store(&watched, rec);
    if (is_default(SIGUSR1))
        sigaction(SIGUSR1, &(struct sigaction){.sa_handler = on_trigger, .sa_flags = SA_RESTART},
                  NULL);
}
