/* Enters and leaves guarded calls, and delays signals that end the program. Other files take the
 * locks and end the file. */
#define _GNU_SOURCE
#include "guarded_call.h"

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_SECOND UINT64_C(1000000000)
#define POLL_NS 2000000
/* A signal waits for the writer at most this long, because the writer may be blocked by a pipe that
 * nobody reads. */
#define SIGNAL_TIME_NS (3 * NS_PER_SECOND)

_Thread_local ftr_thread_call ftr_current_call;

/* the flag of ftr_call_start_signal(); NULL: no signal has arrived */
static _Atomic bool *_Atomic awaited;
/* In ns of CLOCK_MONOTONIC: at this time the signal ends the program even if the file is not
 * ended. */
static _Atomic uint64_t deadline;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * NS_PER_SECOND + (uint64_t)time.tv_nsec;
}

/* Waits until the flag is cleared, at most until @p more ns after the deadline. No cancellation
 * point. */
static void wait_while(const _Atomic bool *flag, uint64_t more)
{
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    while (atomic_load(flag) && now() < atomic_load(&deadline) + more)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = POLL_NS}, NULL);
    pthread_setcancelstate(state, NULL);
}

void ftr_call_start_signal(_Atomic bool *flag)
{
    atomic_store(&deadline, now() + SIGNAL_TIME_NS);
    atomic_store(&awaited, flag);
    atomic_store(flag, true);
}

void ftr_call_finish_signal(void)
{
    const _Atomic bool *flag = atomic_load(&awaited);
    if (flag != NULL)
        wait_while(flag, 0);
}

void ftr_call_await_signal(const _Atomic bool *flag)
{
    if (atomic_load(flag))
        /* the signal ends the program before this time has passed */
        wait_while(flag, SIGNAL_TIME_NS);
}

static void raise_deferred(void)
{
    int number = ftr_current_call.deferred;
    ftr_current_call.deferred = 0;
    ftr_call_finish_signal();
    raise(number);
}

void ftr_call_wait(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t ns)
{
    uint64_t until = now() + ns;
    struct timespec time = {.tv_sec = (time_t)(until / NS_PER_SECOND),
                            .tv_nsec = (long)(until % NS_PER_SECOND)};
    pthread_cond_timedwait(condition, lock, &time);
    if (!ftr_current_call.deferred || now() < atomic_load(&deadline))
        return;
    pthread_mutex_unlock(lock);
    raise_deferred();
    pthread_mutex_lock(lock);
}

bool ftr_call_enter(ftr_guarded_call *call, const ftr_recorder *rec, ftr_call_kind kind)
{
    ftr_thread_call *current = &ftr_current_call;
    if (current->kind != FTR_CALL_NONE && current->rec == rec)
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &call->cancel_state);
    call->outer = current->rec;
    call->outer_kind = (ftr_call_kind)current->kind;
    current->rec = rec;
    current->kind = kind;
    return true;
}

void ftr_call_leave(const ftr_guarded_call *call)
{
    ftr_thread_call *current = &ftr_current_call;
    current->kind = call->outer_kind;
    current->rec = call->outer;
    if (current->kind == FTR_CALL_NONE && current->deferred)
        raise_deferred();
    pthread_setcancelstate(call->cancel_state, NULL);
}
