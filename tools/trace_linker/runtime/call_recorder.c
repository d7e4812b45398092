/* Records traced calls: stream, generator, time, and relation to the enclosing call. There is a
 * stack of open calls for each thread of control.
 *
 * A thread is marked busy while it executes this code. Traced calls that the recorder, the clock or
 * a signal handler makes during that time are not recorded, so that a trace of malloc or write
 * cannot recurse. */
#define _GNU_SOURCE
#include "call_contexts.h"
#include "struct_size.h"

#include <string.h>
#include <time.h>

#define RARELY(condition) __builtin_expect(!!(condition), 0)

static struct {
    ftr_tracelink_environment environment;
    ftr_recorder *recorder;
    int time_scale;
    /** a traced call has asked for the recorder; from then on, the environment cannot be changed */
    bool started;
    uint64_t first_time;
    uint64_t nested;
    uint64_t failed;
    uint64_t abandoned;
} calls = {.time_scale = -9};

int ftr_calls_are_off;

/* ---- the environment ------------------------------------------------------------------------- */

static uint64_t monotonic_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t time_since_first(void *user)
{
    (void)user;
    return monotonic_time() - calls.first_time;
}

static uint64_t environment_time(void *user)
{
    int error = errno;
    uint64_t now = calls.environment.clock(user);
    errno = error;
    return now;
}

static void set_clock(ftr_call_stack *stack)
{
    stack->clock = calls.environment.clock != NULL ? environment_time : time_since_first;
    stack->user = calls.environment.user;
}

static void count_one(uint64_t *counter)
{
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

ftr_status ftr_tracelink_set_environment(const ftr_tracelink_environment *environment)
{
    if (environment == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_tracelink_environment whole;
    ftr_struct_take(&whole, sizeof whole, environment);
    if (whole.context != NULL && whole.context_name == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_call_contexts_lock();
    bool late = calls.started;
    if (!late)
        calls.environment = whole;
    ftr_call_contexts_unlock();
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

static void report_message(void *user, ftr_severity severity, const char *message)
{
    static const char *const words[] = {"note", "warning", "error"};
    (void)user;
    ftr_call_contexts_print(words[severity], message);
}

void ftr_tracelink_get_statistics(ftr_tracelink_statistics *statistics)
{
    statistics->nested = __atomic_load_n(&calls.nested, __ATOMIC_RELAXED);
    statistics->failed = __atomic_load_n(&calls.failed, __ATOMIC_RELAXED);
    statistics->abandoned = __atomic_load_n(&calls.abandoned, __ATOMIC_RELAXED);
}

static uint64_t time_of(const ftr_call_stack *stack)
{
    return stack->clock(stack->user);
}

/* ---- open calls ------------------------------------------------------------------------------ */

/* Ends all open calls above @p depth. Their frames no longer exist, because of a longjmp() or
 * because their thread has ended. */
static void abandon(ftr_call_stack *stack, size_t depth, uint64_t now)
{
    const ftr_value gone = {.type = FTR_TYPE_BOOLEAN, .as.boolean = true};
    while (stack->depth > depth) {
        ftr_open_call *open = &stack->open[--stack->depth];
        ftr_tx_put_named(stack->recorder, open->tx, FTR_CLASS_END, "abandoned", &gone);
        ftr_tx_end(stack->recorder, open->tx, now > open->time ? now : open->time);
        count_one(&calls.abandoned);
    }
}

static void abandon_all(ftr_call_context *context)
{
    if (context->stack.depth)
        abandon(&context->stack, 0, time_of(&context->stack));
}

/* Asks the environment for the recorder if there is none yet. Returns the recorder; NULL if there
 * is still none. */
static ftr_recorder *start(void)
{
    ftr_call_contexts_lock();
    if (calls.recorder == NULL && !ftr_calls_are_off) {
        ftr_recorder *recorder = calls.environment.recorder != NULL
                                     ? calls.environment.recorder(calls.environment.user)
                                     : ftr_default_recorder(calls.time_scale, report_message, NULL);
        if (!calls.started)
            calls.first_time = monotonic_time();
        calls.started = true;
        ftr_call_contexts_install(set_clock, abandon_all);
        if (recorder == NULL && calls.environment.recorder == NULL)
            __atomic_store_n(&ftr_calls_are_off, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&calls.recorder, recorder, __ATOMIC_RELEASE);
    }
    ftr_call_contexts_unlock();
    return calls.recorder;
}

/* Returns the number of open calls with an existing frame. Stacks grow down, so a frame whose
 * address is not above that of the current frame no longer exists. Frames on different stacks (for
 * example an alternate signal stack) cannot be compared. */
static size_t live_depth(const ftr_call_context *context, uintptr_t frame)
{
    const ftr_open_call *open = context->stack.open;
    size_t depth = context->stack.depth;
    while (depth && open[depth - 1].frame <= frame &&
           ftr_call_context_shares_stack(context, open[depth - 1].frame, frame))
        depth--;
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

static ftr_call_context *current_context(ftr_call_thread *thread)
{
    if (RARELY(calls.environment.context)) {
        const void *key = calls.environment.context(calls.environment.user);
        if (key != NULL)
            return ftr_call_context_of_key(thread, calls.recorder, key, &calls.environment);
    }
    if (thread->own == NULL)
        thread->own = ftr_call_context_of_thread(thread, calls.recorder);
    return thread->own;
}

/* The slow path of ftr_call_begin(). Returns the context of the caller; NULL if the call is not
 * recorded. */
static __attribute__((noinline)) ftr_call_context *find_context(ftr_call_thread *thread,
                                                                ftr_traced_unit *unit, size_t index)
{
    if (__atomic_load_n(&ftr_calls_are_off, __ATOMIC_RELAXED))
        return NULL;
    if (thread->busy) {
        count_one(&calls.nested);
        return NULL;
    }
    if (!may_record(unit, index))
        return NULL;
    thread->busy = 1;
    int error = errno;
    ftr_recorder *recorder = __atomic_load_n(&calls.recorder, __ATOMIC_ACQUIRE);
    if (recorder == NULL)
        recorder = start();
    ftr_call_context *context = recorder != NULL ? current_context(thread) : NULL;
    if (context != NULL && calls.environment.context == NULL)
        thread->usual = &context->stack;
    thread->busy = 0;
    errno = error;
    return context;
}

void ftr_call_begin(ftr_call *call, ftr_traced_unit *unit, size_t index, const uint64_t *words,
                    size_t count)
{
    ftr_call_thread *thread = &ftr_current_thread;
    call->context = NULL;
    ftr_call_context *context = find_context(thread, unit, index);
    if (context == NULL)
        return;
    int error = errno;
    thread->busy = 1;
    ftr_call_stack *stack = &context->stack;
    ftr_generator generator = ftr_call_context_generator(context, unit, index);
    uint64_t now = time_of(stack);
    uintptr_t frame = (uintptr_t)call;
    if (stack->depth && stack->open[stack->depth - 1].frame <= frame)
        abandon(stack, live_depth(context, frame), now);
    ftr_tx tx;
    if (!generator || !ftr_call_context_has_room(context) ||
        ftr_tx_begin_within(stack->recorder, generator, now, words, count, stack->relation,
                            stack->depth ? &stack->open[stack->depth - 1].tx : NULL,
                            &tx) != FTR_OK) {
        count_one(&calls.failed);
    } else {
        stack->open[stack->depth] = (ftr_open_call){tx, frame, now};
        call->depth = stack->depth++;
        call->context = stack;
    }
    thread->busy = 0;
    errno = error;
}

/* Returns the entry of an open call, and sets its time to the present time; NULL if the call is no
 * longer open. Ends the calls above it on the stack, which were left by longjmp() or an
 * exception. */
static ftr_open_call *returning(ftr_call *call, ftr_call_stack *stack)
{
    size_t depth = call->depth;
    ftr_open_call *open = &stack->open[depth];
    if (depth >= stack->depth || open->frame != (uintptr_t)call) {
        call->context = NULL;
        return NULL;
    }
    uint64_t now = time_of(stack);
    if (depth + 1 != stack->depth)
        abandon(stack, depth + 1, now);
    if (now > open->time)
        open->time = now;
    return open;
}

void ftr_call_return(ftr_call *call)
{
    ftr_call_stack *stack = call->context;
    if (stack == NULL)
        return;
    int error = errno;
    ftr_current_thread.busy = 1;
    (void)returning(call, stack);
    ftr_current_thread.busy = 0;
    errno = error;
}

/* Ends the open call of @p call, with @p count words for the attributes from @p attribute on. */
static void close_call(const ftr_call *call, unsigned attribute, const uint64_t *words,
                       size_t count)
{
    ftr_call_stack *stack = call->context;
    if (stack == NULL)
        return;
    int error = errno;
    ftr_current_thread.busy = 1;
    stack->depth = call->depth;
    const ftr_open_call *open = &stack->open[call->depth];
    if (ftr_tx_end_words(stack->recorder, open->tx, open->time, attribute, words, count) != FTR_OK)
        count_one(&calls.failed);
    ftr_current_thread.busy = 0;
    errno = error;
}

void ftr_call_close(ftr_call *call)
{
    close_call(call, 0, NULL, 0);
}

void ftr_call_end_word(ftr_call *call, unsigned attribute, uint64_t word)
{
    ftr_call_return(call);
    close_call(call, attribute, &word, 1);
}

void ftr_call_end(ftr_call *call)
{
    ftr_call_return(call);
    ftr_call_close(call);
}

bool ftr_entered_call_begin(const ftr_call *call, ftr_entered_call *entered)
{
    const ftr_call_stack *stack = call->context;
    if (stack == NULL)
        return false;
    ftr_call_thread *thread = &ftr_current_thread;
    *entered = (ftr_entered_call){thread, stack->recorder, stack->open[call->depth].tx, errno};
    thread->busy = 1;
    return true;
}

bool ftr_tracelink_current(ftr_tx *tx)
{
    ftr_call_thread *thread = &ftr_current_thread;
    if (__atomic_load_n(&calls.recorder, __ATOMIC_ACQUIRE) == NULL || thread->busy)
        return false;
    thread->busy = 1;
    const ftr_call_context *context = current_context(thread);
    bool found = context != NULL && context->stack.depth;
    if (found)
        *tx = context->stack.open[context->stack.depth - 1].tx;
    thread->busy = 0;
    return found;
}
