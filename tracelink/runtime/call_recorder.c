/* Records traced calls: which stream and generator, when, and inside which other call. Keeps a
 * stack of open calls for each thread of control. Knows nothing of how wrappers come to be.
 *
 * A thread marks itself busy while it is in here: what the recorder, a clock or a signal handler
 * calls meanwhile is passed on unrecorded, so tracing malloc or write cannot recurse. */
#define _GNU_SOURCE
#include "call_contexts.h"

#include <time.h>

#define RARELY(condition) __builtin_expect(!!(condition), 0)

static struct {
    ftr_tracelink_environment environment;
    ftr_recorder *recorder;
    int time_scale;
    bool started; /**< a call asked for the recorder: the environment is settled */
    int off;      /**< there is no recorder and will not be one */
    uint64_t first_time;
    uint64_t nested;
    uint64_t failed;
    uint64_t abandoned;
} calls = {.time_scale = -9};

/* ---- the environment --------------------------------------------------------------------------
 */

static uint64_t monotonic_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t current_time(void)
{
    if (calls.environment.clock)
        return calls.environment.clock(calls.environment.user);
    return monotonic_time() - calls.first_time;
}

static void count(uint64_t *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

ftr_status ftr_tracelink_set_environment(const ftr_tracelink_environment *environment)
{
    if (!environment || (environment->size && environment->size != sizeof *environment) ||
        (environment->context && !environment->context_name))
        return FTR_ERR_ARGUMENT;
    call_contexts_lock();
    bool late = calls.started;
    if (!late)
        calls.environment = *environment;
    call_contexts_unlock();
    return late ? FTR_ERR_STATE : FTR_OK;
}

ftr_status ftr_tracelink_set_clock(uint64_t (*clock)(void *user), void *user, int time_scale)
{
    if (time_scale != FTR_TIME_SCALE_LATER && time_scale != FTR_TIME_SCALE_SECOND &&
        (time_scale < -15 || time_scale > -1))
        return FTR_ERR_ARGUMENT;
    ftr_tracelink_environment environment = {.clock = clock, .user = user};
    ftr_status status = ftr_tracelink_set_environment(&environment);
    if (status == FTR_OK)
        calls.time_scale = time_scale;
    return status;
}

static void tell(void *user, ftr_severity severity, const char *message)
{
    static const char *const words[] = {"note", "warning", "error"};
    (void)user;
    call_contexts_tell(words[severity], message);
}

/* The recorder, or NULL as long as there is none. */
static ftr_recorder *start(void)
{
    call_contexts_lock();
    if (!calls.recorder && !calls.off) {
        ftr_recorder *recorder = calls.environment.recorder
                                     ? calls.environment.recorder(calls.environment.user)
                                     : ftr_default_recorder(calls.time_scale, tell, NULL);
        if (!calls.started)
            calls.first_time = monotonic_time();
        calls.started = true;
        if (!recorder && !calls.environment.recorder)
            __atomic_store_n(&calls.off, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&calls.recorder, recorder, __ATOMIC_RELEASE);
    }
    call_contexts_unlock();
    return calls.recorder;
}

void ftr_tracelink_get_statistics(ftr_tracelink_statistics *statistics)
{
    statistics->nested = __atomic_load_n(&calls.nested, __ATOMIC_RELAXED);
    statistics->failed = __atomic_load_n(&calls.failed, __ATOMIC_RELAXED);
    statistics->abandoned = __atomic_load_n(&calls.abandoned, __ATOMIC_RELAXED);
}

/* ---- open calls -------------------------------------------------------------------------------
 */

/* Ends the calls above @p depth, whose frames are gone: longjmp, or the end of their thread. */
static void abandon(struct call_context *context, size_t depth, uint64_t now)
{
    const ftr_value gone = {.type = FTR_TYPE_BOOLEAN, .as.boolean = true};
    while (context->depth > depth) {
        struct open_call *open = &context->open[--context->depth];
        ftr_tx_put_named(calls.recorder, open->tx, FTR_CLASS_END, "abandoned", &gone);
        ftr_tx_end(calls.recorder, open->tx, now > open->time ? now : open->time);
        count(&calls.abandoned);
    }
}

void call_context_abandon_all(struct call_context *context)
{
    if (context->depth)
        abandon(context, 0, current_time());
}

/* How many of the open calls still have a frame. Stacks grow down: a frame below the current one is
 * gone. Frames on a signal's own stack say nothing about the others. */
static size_t live_depth(const struct call_context *context, uintptr_t frame)
{
    size_t depth = context->depth;
    while (depth && context->open[depth - 1].frame <= frame &&
           call_context_shares_stack(context, context->open[depth - 1].frame, frame))
        --depth;
    return depth;
}

static bool may_record(ftr_traced_unit *unit, size_t index)
{
    if (__atomic_load_n(&unit->triggered, __ATOMIC_RELAXED))
        return true;
    uint32_t bits = __atomic_load_n(&unit->triggers[index / 32], __ATOMIC_RELAXED);
    if (!(bits >> (index % 32) & 1))
        return false;
    __atomic_store_n(&unit->triggered, 1, __ATOMIC_RELAXED);
    return true;
}

static struct call_context *current_context(struct call_thread *thread)
{
    if (RARELY(calls.environment.context)) {
        const void *key = calls.environment.context(calls.environment.user);
        if (key)
            return call_context_of_key(thread, calls.recorder, key, &calls.environment);
    }
    if (RARELY(!thread->own))
        thread->own = call_context_of_thread(thread, calls.recorder);
    return thread->own;
}

void ftr_call_begin(ftr_call *call, ftr_traced_unit *unit, size_t index)
{
    call->recorder = NULL;
    if (RARELY(__atomic_load_n(&calls.off, __ATOMIC_RELAXED)))
        return;
    struct call_thread *thread = call_thread_current();
    if (RARELY(thread->busy)) {
        count(&calls.nested);
        return;
    }
    if (RARELY(!may_record(unit, index)))
        return;
    thread->busy = 1;
    ftr_recorder *recorder = __atomic_load_n(&calls.recorder, __ATOMIC_ACQUIRE);
    if (RARELY(!recorder))
        recorder = start();
    struct call_context *context = recorder ? current_context(thread) : NULL;
    ftr_generator generator = context ? call_context_generator(context, recorder, unit, index) : 0;
    if (RARELY(!generator || !call_context_has_room(context))) {
        if (recorder)
            count(&calls.failed);
        thread->busy = 0;
        return;
    }
    uintptr_t frame = (uintptr_t)call;
    uint64_t now = current_time();
    if (context->depth && RARELY(context->open[context->depth - 1].frame <= frame))
        abandon(context, live_depth(context, frame), now);
    if (RARELY(ftr_tx_begin(recorder, generator, now, &call->tx) != FTR_OK)) {
        count(&calls.failed);
        thread->busy = 0;
        return;
    }
    if (context->depth)
        ftr_relation_put(recorder, call_contexts_relation(recorder),
                         context->open[context->depth - 1].tx, call->tx);
    context->open[context->depth] = (struct open_call){call->tx, frame, now};
    call->depth = context->depth++;
    call->context = context;
    call->busy = &thread->busy;
    call->recorder = recorder;
}

void ftr_call_return(ftr_call *call)
{
    struct call_context *context = call->context;
    if (!call->recorder)
        return;
    /* A call whose place another one took was abandoned by mistake or by a switch of stacks. */
    if (RARELY(call->depth >= context->depth || context->open[call->depth].tx.id != call->tx.id)) {
        call->recorder = NULL;
        return;
    }
    *call->busy = 1;
    uint64_t now = current_time();
    if (RARELY(call->depth + 1 != context->depth))
        abandon(context, call->depth + 1, now);
    if (now > context->open[call->depth].time)
        context->open[call->depth].time = now;
}

void ftr_call_close(ftr_call *call)
{
    struct call_context *context = call->context;
    if (!call->recorder)
        return;
    context->depth = call->depth;
    if (RARELY(ftr_tx_end(call->recorder, call->tx, context->open[call->depth].time) != FTR_OK))
        count(&calls.failed);
    *call->busy = 0;
}

bool ftr_tracelink_current(ftr_tx *tx)
{
    struct call_thread *thread = call_thread_current();
    if (!calls.recorder || thread->busy)
        return false;
    thread->busy = 1;
    const struct call_context *context = current_context(thread);
    bool found = context && context->depth;
    if (found)
        *tx = context->open[context->depth - 1].tx;
    thread->busy = 0;
    return found;
}
