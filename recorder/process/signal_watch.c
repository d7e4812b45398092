/* The handlers of SIGTERM, SIGINT and SIGUSR1. Those that end the program only ask the writer
 * thread to end the file, wait a bounded time, and let the signal do what it does; all of that is
 * async-signal-safe. A program's own handler is left alone, whether it came before or comes later:
 * it decides how the program ends. */
#define _GNU_SOURCE
#include "signal_watch.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "guarded_call.h"

#define NS_PER_SECOND UINT64_C(1000000000)
#define LOOK_EVERY_NS 2000000
/* A writer that has not ended the file by then may wait for a pipe that nobody reads. */
#define WAIT_MAX_NS (3 * NS_PER_SECOND)
/* A thread that waits for space looks this often for a signal that was put off. */
#define SPACE_WAIT_NS (NS_PER_SECOND / 10)

static ftr_recorder *_Atomic watched;
/* ns of CLOCK_MONOTONIC: then the signal ends the program in any case. */
static _Atomic uint64_t deadline;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

/* Waits until the flag is cleared, or the signal's time and @p more ns are up. No cancellation
 * point. */
static void wait_while(const _Atomic bool *flag, uint64_t more)
{
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    while (atomic_load(flag) && now() < atomic_load(&deadline) + more)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = LOOK_EVERY_NS}, NULL);
    pthread_setcancelstate(state, NULL);
}

/* Whether the interrupted thread holds locks that the writer needs, but soon lets go of them. One
 * that writes to a pipe itself may wait for its reader for ever. */
static bool is_busy(const ftr_recorder *rec)
{
    sig_atomic_t kind = ftr_current_call.kind;
    return kind == FTR_CALL_LOCKS ||
           (kind == FTR_CALL_WRITES && rec->output.is_regular);
}

static void on_signal(int number)
{
    int saved = errno;
    ftr_recorder *rec = atomic_load(&watched);
    if (rec && atomic_load(&rec->has_writer) && !(ftr_recorder_gate(rec) & FTR_GATE_DEAD)) {
        (void)ftr_recorder_mark_failed(rec);
        atomic_store(&deadline, now() + WAIT_MAX_NS);
        atomic_store(&rec->signal_waits, true);
        if (is_busy(rec)) {
            ftr_current_call.put_off = number;
            errno = saved;
            return;
        }
        if (ftr_current_call.kind == FTR_CALL_NONE)
            wait_while(&rec->signal_waits, 0);
    }
    errno = saved;
    /* The handler is gone since it was called, so this ends the program, as would a second signal
     * while the first one waits. */
    raise(number);
}

void ftr_signal_watch_catch_up(void)
{
    int number = ftr_current_call.put_off;
    const ftr_recorder *rec = atomic_load(&watched);
    ftr_current_call.put_off = 0;
    if (rec)
        wait_while(&rec->signal_waits, 0);
    raise(number);
}

void ftr_signal_watch_wait(ftr_recorder *rec)
{
    uint64_t until = now() + SPACE_WAIT_NS;
    struct timespec time = {.tv_sec = (time_t)(until / NS_PER_SECOND),
                            .tv_nsec = (long)(until % NS_PER_SECOND)};
    pthread_cond_timedwait(&rec->space, &rec->lock, &time);
    if (!ftr_current_call.put_off || now() < atomic_load(&deadline))
        return;
    pthread_mutex_unlock(&rec->lock);
    ftr_signal_watch_catch_up();
    pthread_mutex_lock(&rec->lock);
}

void ftr_signal_watch_hold_back(const ftr_recorder *rec)
{
    if (atomic_load(&rec->ends_for_signal))
        wait_while(&rec->ends_for_signal, WAIT_MAX_NS); /* the signal comes first */
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
        ftr_flight_trigger(rec);
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
}
