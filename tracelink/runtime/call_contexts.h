/** @file
 *  Threads of control that make traced calls: their streams, generators and stacks of open calls.
 */
#ifndef TRACELINK_CALL_CONTEXTS_H
#define TRACELINK_CALL_CONTEXTS_H

#include <ftr/environment.h>
#include <ftr/tracelink.h>

#include <errno.h>

/** A call that has not returned. */
struct open_call {
    ftr_tx tx;
    uintptr_t frame; /**< an address in the wrapper's frame */
    uint64_t time;   /**< ticks: of its begin; once it has returned, of its end */
};

/** One thread of control. Used by one thread at a time. */
struct call_context {
    struct open_call *open;
    size_t depth;
    size_t room;
    ftr_generator *generators; /**< by the number the registry gave the function; 0: not defined */
    size_t generator_count;
    ftr_stream stream;
    bool closed;         /**< its stream could not be defined */
    uintptr_t stack_low; /**< of its thread; both 0: not known */
    uintptr_t stack_high;
    const void *key; /**< NULL: a thread */
    char *name;
    struct call_context *next;
};

/** What a thread keeps. */
struct call_thread {
    volatile int busy;         /**< in here: what is called meanwhile is not recorded */
    struct call_context *fast; /**< `own`, once nothing stands in the way of recording */
    struct call_context *own;
    struct call_context *last; /**< the latest of call_context_of_key() */
};

extern __thread struct call_thread ftr_call_thread __attribute__((tls_model("initial-exec")))
__attribute__((visibility("hidden")));

/** A call while something is put on it. */
struct entered_call {
    struct call_thread *thread;
    ftr_recorder *recorder;
    ftr_tx tx;
    int error;
};

/** Marks the thread busy. @return false for a call that is not recorded. In call_recorder.c. */
bool call_enter(const ftr_call *call, struct entered_call *entered);

static inline void call_leave(const struct entered_call *entered)
{
    entered->thread->busy = 0;
    errno = entered->error;
}

/** The context of the calling thread; made, or taken over from a thread of the same name that has
 * ended. NULL without memory. */
struct call_context *call_context_of_thread(struct call_thread *thread, ftr_recorder *recorder);

/** The context of @p key; made with the environment's name for it. */
struct call_context *call_context_of_key(struct call_thread *thread, ftr_recorder *recorder,
                                         const void *key,
                                         const ftr_tracelink_environment *environment);

/** The generator of a function in a context's stream; 0 when it cannot be had. */
ftr_generator call_context_define(struct call_context *context, ftr_recorder *recorder,
                                  const ftr_traced_unit *unit, size_t index);

bool call_context_grow(struct call_context *context);

/** Whether two frames are on one stack, so that their addresses tell which is older. */
bool call_context_shares_stack(const struct call_context *context, uintptr_t a, uintptr_t b);

/** Ends every open call: their thread ends. In call_recorder.c. */
void call_context_abandon_all(struct call_context *context);

/** The kind of relation between a call and those inside it. */
ftr_relation call_contexts_relation(ftr_recorder *recorder);

void call_contexts_lock(void);
void call_contexts_unlock(void);

/** One line on stderr. */
void call_contexts_tell(const char *severity, const char *message);

static inline bool call_context_has_room(struct call_context *context)
{
    return __builtin_expect(context->depth < context->room, 1) || call_context_grow(context);
}

static inline ftr_generator call_context_generator(struct call_context *context,
                                                   ftr_recorder *recorder,
                                                   const ftr_traced_unit *unit, size_t index)
{
    size_t number = unit->first + index;
    if (__builtin_expect(number < context->generator_count && context->generators[number], 1))
        return context->generators[number];
    return call_context_define(context, recorder, unit, index);
}

#endif
