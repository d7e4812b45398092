/** @file
 *  Threads of control that make traced calls: their streams, generators and stacks of open calls;
 *  and access to a recorded call while attributes are added to it. */
#ifndef FTR_CALL_CONTEXTS_H
#define FTR_CALL_CONTEXTS_H

#include <ftr/detail/word_calls.h>
#include <ftr/environment.h>
#include <ftr/tracelink.h>

#include <errno.h>

/** One thread of control: a thread or a coroutine. Only one thread at a time uses it. */
typedef struct ftr_call_context {
    ftr_call_stack stack; /**< first member, because ftr_call.context points to it */
    ftr_stream stream;
    /** the stream or the relation could not be defined, so that calls in this context are not
     * recorded */
    bool closed;
    uintptr_t stack_low; /**< bounds of the thread's stack; both are 0 if they are unknown, and for
                            a coroutine */
    uintptr_t stack_high;
    const void *key; /**< key from the environment's `context`; NULL: a thread */
    char *name;
    struct ftr_call_context *next;
} ftr_call_context;

/** Returns a context for the calling thread: the context of an ended thread with the same name, or
 * a new context. NULL if out of memory. */
ftr_call_context *ftr_call_context_of_thread(ftr_call_thread *thread, ftr_recorder *recorder);

/** Returns the context of the coroutine @p key. If there is none, creates it with the name that
 * `context_name` of the environment writes. NULL if out of memory. */
ftr_call_context *ftr_call_context_of_key(ftr_call_thread *thread, ftr_recorder *recorder,
                                          const void *key,
                                          const ftr_tracelink_environment *environment);

/** Defines the generator of a function in the stream of a context, and stores the generator in the
 * stack of the context. Returns 0 if the generator cannot be defined. */
ftr_generator ftr_call_context_define(ftr_call_context *context, const ftr_traced_unit *unit,
                                      size_t index);

bool ftr_call_context_grow(ftr_call_context *context);

/** Returns true if the frames at @p a and @p b are both on the stack of the context, or if the
 * bounds of this stack are unknown. The addresses of the frames then show which frame is older. */
bool ftr_call_context_shares_stack(const ftr_call_context *context, uintptr_t a, uintptr_t b);

/** Installs the callbacks for contexts: @p prepare sets the clock of a new context's stack; @p
 * abandon ends all open calls when a thread ends. Must be called before the first context is
 * made. */
void ftr_call_contexts_install(void (*prepare)(ftr_call_stack *stack),
                               void (*abandon)(ftr_call_context *context));

void ftr_call_contexts_lock(void);
void ftr_call_contexts_unlock(void);

/** Prints one line to stderr. */
void ftr_call_contexts_print(const char *severity, const char *message);

static inline bool ftr_call_context_has_room(ftr_call_context *context)
{
    return context->stack.depth < context->stack.room || ftr_call_context_grow(context);
}

static inline ftr_generator ftr_call_context_generator(ftr_call_context *context,
                                                       const ftr_traced_unit *unit, size_t index)
{
    size_t number = unit->first + index;
    if (number < context->stack.generator_count && context->stack.generators[number])
        return context->stack.generators[number];
    return ftr_call_context_define(context, unit, index);
}

/** A call to which attributes are being added. */
typedef struct ftr_entered_call {
    ftr_call_thread *thread;
    ftr_recorder *recorder;
    ftr_tx tx;
    int error;
} ftr_entered_call;

/** Begins to add attributes to a call: marks the thread busy until ftr_entered_call_end(). @return
 * false if the call is not recorded. */
bool ftr_entered_call_begin(const ftr_call *call, ftr_entered_call *entered);

static inline void ftr_entered_call_end(const ftr_entered_call *entered)
{
    entered->thread->busy = 0;
    errno = entered->error;
}

#endif
