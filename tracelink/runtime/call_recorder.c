/* Records traced calls: which stream and generator, when, and inside which other call. Keeps a
 * stack of open calls for each thread of control. Knows nothing of how wrappers come to be.
 *
 * A thread marks itself busy while it is in here: what the recorder, a clock or a signal handler
 * calls meanwhile is passed on unrecorded, so tracing malloc or write cannot recurse. */
#define _GNU_SOURCE
#include "call_contexts.h"

#include <string.h>
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
    if (!thread->own)
        thread->own = call_context_of_thread(thread, calls.recorder);
    return thread->own;
}

/* The context to record a call in when something is not as usual, or NULL. */
static __attribute__((noinline)) struct call_context *
find_context(struct call_thread *thread, ftr_traced_unit *unit, size_t index)
{
    if (__atomic_load_n(&calls.off, __ATOMIC_RELAXED))
        return NULL;
    if (thread->busy) {
        count(&calls.nested);
        return NULL;
    }
    if (!may_record(unit, index))
        return NULL;
    thread->busy = 1;
    int error = errno;
    ftr_recorder *recorder = __atomic_load_n(&calls.recorder, __ATOMIC_ACQUIRE);
    if (!recorder)
        recorder = start();
    struct call_context *context = recorder ? current_context(thread) : NULL;
    if (context && !calls.environment.context)
        thread->fast = context;
    thread->busy = 0;
    errno = error;
    return context;
}

/* A call that is recorded, whatever it takes. */
static __attribute__((noinline)) void begin_slowly(ftr_call *call, ftr_traced_unit *unit,
                                                   size_t index, const uint64_t *words)
{
    struct call_thread *thread = &ftr_call_thread;
    struct call_context *context = find_context(thread, unit, index);
    if (!context)
        return;
    int error = errno;
    thread->busy = 1;
    const ftr_traced_function *function = &unit->functions[index];
    ftr_generator generator = call_context_generator(context, calls.recorder, unit, index);
    uint64_t now = current_time();
    uintptr_t frame = (uintptr_t)call;
    if (context->depth && context->open[context->depth - 1].frame <= frame)
        abandon(context, live_depth(context, frame), now);
    ftr_tx tx;
    if (!generator || !call_context_has_room(context) ||
        ftr_tx_begin_within(calls.recorder, generator, now, words, function->words,
                            call_contexts_relation(calls.recorder),
                            context->depth ? &context->open[context->depth - 1].tx : NULL,
                            &tx) != FTR_OK) {
        count(&calls.failed);
    } else {
        context->open[context->depth] = (struct open_call){tx, frame, now};
        call->depth = context->depth++;
        call->context = context;
    }
    thread->busy = 0;
    errno = error;
}

void ftr_call_begin(ftr_call *call, ftr_traced_unit *unit, size_t index, const uint64_t *words)
{
    struct call_thread *thread = &ftr_call_thread;
    struct call_context *context = thread->fast;
    call->context = NULL;
    if (RARELY(!context || thread->busy || !__atomic_load_n(&unit->triggered, __ATOMIC_RELAXED))) {
        begin_slowly(call, unit, index, words);
        return;
    }
    size_t number = unit->first + index;
    struct open_call *open = &context->open[context->depth];
    if (RARELY(context->depth >= context->room || number >= context->generator_count ||
               !context->generators[number] ||
               (context->depth && open[-1].frame <= (uintptr_t)call))) {
        begin_slowly(call, unit, index, words);
        return;
    }
    thread->busy = 1;
    uint64_t now = current_time();
    open->frame = (uintptr_t)call;
    open->time = now;
    if (RARELY(ftr_tx_begin_within(calls.recorder, context->generators[number], now, words,
                                   unit->functions[index].words,
                                   call_contexts_relation(calls.recorder),
                                   context->depth ? &open[-1].tx : NULL, &open->tx) != FTR_OK)) {
        count(&calls.failed);
    } else {
        call->depth = context->depth++;
        call->context = context;
    }
    thread->busy = 0;
}

/* The open call, when its place is still its own: others above it have been left, by longjmp or an
 * exception. */
static inline struct open_call *returning(ftr_call *call, struct call_context *context)
{
    size_t depth = call->depth;
    struct open_call *open = &context->open[depth];
    if (RARELY(depth >= context->depth || open->frame != (uintptr_t)call)) {
        call->context = NULL;
        return NULL;
    }
    uint64_t now = current_time();
    if (RARELY(depth + 1 != context->depth))
        abandon(context, depth + 1, now);
    if (now > open->time)
        open->time = now;
    return open;
}

static void end(const struct open_call *open)
{
    if (RARELY(ftr_tx_end(calls.recorder, open->tx, open->time) != FTR_OK))
        count(&calls.failed);
}

void ftr_call_end_word(ftr_call *call, unsigned attribute, uint64_t word)
{
    struct call_thread *thread = &ftr_call_thread;
    struct call_context *context = call->context;
    if (!context)
        return;
    thread->busy = 1;
    struct open_call *open = returning(call, context);
    if (open) {
        context->depth = call->depth;
        if (RARELY(ftr_tx_end_words(calls.recorder, open->tx, open->time, attribute, &word, 1) !=
                   FTR_OK))
            count(&calls.failed);
    }
    thread->busy = 0;
}

void ftr_call_end(ftr_call *call)
{
    ftr_call_return(call);
    ftr_call_close(call);
}

void ftr_call_return(ftr_call *call)
{
    struct call_context *context = call->context;
    if (!context)
        return;
    int error = errno;
    ftr_call_thread.busy = 1;
    (void)returning(call, context);
    ftr_call_thread.busy = 0;
    errno = error;
}

void ftr_call_close(ftr_call *call)
{
    struct call_context *context = call->context;
    if (!context)
        return;
    ftr_call_thread.busy = 1;
    context->depth = call->depth;
    int error = errno;
    end(&context->open[call->depth]);
    errno = error;
    ftr_call_thread.busy = 0;
}

bool call_enter(const ftr_call *call, struct entered_call *entered)
{
    const struct call_context *context = call->context;
    if (!context)
        return false;
    struct call_thread *thread = &ftr_call_thread;
    *entered = (struct entered_call){thread, calls.recorder, context->open[call->depth].tx, errno};
    thread->busy = 1;
    return true;
}

bool ftr_tracelink_current(ftr_tx *tx)
{
    struct call_thread *thread = &ftr_call_thread;
    if (!__atomic_load_n(&calls.recorder, __ATOMIC_ACQUIRE) || thread->busy)
        return false;
    thread->busy = 1;
    const struct call_context *context = current_context(thread);
    bool found = context && context->depth;
    if (found)
        *tx = context->open[context->depth - 1].tx;
    thread->busy = 0;
    return found;
}
