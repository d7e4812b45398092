/** @file
 * The most frequent calls of wrappers to tracelink.h, inline. Not for direct inclusion:
 * tracelink.h includes it, unless FTR_NO_INLINE is defined.
 *
 * Each function takes the fast path if possible, and otherwise calls the exported function of
 * the same name. The structures are internal to the library; their layout changes only with its
 * soname. */
#ifndef FTR_TRACELINK_INLINE_H
#define FTR_TRACELINK_INLINE_H

#include <ftr/detail/tracelink_calls.h>
#include <ftr/detail/word_calls.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A call that has not returned. */
typedef struct ftr_open_call {
    ftr_tx tx;
    uintptr_t frame; /**< an address in the wrapper's stack frame */
    uint64_t time;   /**< in ticks: time of the begin; after the return, time of the end */
} ftr_open_call;

/** Recording state of a thread of control. */
typedef struct ftr_call_stack {
    ftr_open_call *open;
    size_t depth;
    size_t room;
    ftr_generator *generators; /**< index: number of the function in the registry; 0: not defined */
    size_t generator_count;
    ftr_recorder *recorder;
    uint64_t (*clock)(void *user); /**< returns ticks; preserves errno */
    void *user;
    ftr_relation relation; /**< between a call and the calls inside it; 0: not defined */
} ftr_call_stack;

/** State of a thread. */
typedef struct ftr_call_thread {
    /** not 0: the thread is inside the library, so nested calls are not recorded */
    volatile int busy;
    ftr_call_stack *usual;         /**< stack of the thread; NULL: the fast path must not be used */
    struct ftr_call_context *own;  /**< internal to the library, as is `last` */
    struct ftr_call_context *last; /**< the latest context with a key */
} ftr_call_thread;

extern FTR_API_DATA __thread ftr_call_thread ftr_current_thread
    __attribute__((tls_model("initial-exec")));

/** True if nothing will ever be recorded, because there is no recorder. */
extern FTR_API_DATA int ftr_calls_are_off;

#ifndef FTR_NO_INLINE

/** Returns the recorder of a stack; asserting that it exists saves the compiler a check. */
FTR_INLINE ftr_recorder *ftr_call_recorder(const ftr_call_stack *stack)
{
    ftr_recorder *const rec = stack->recorder;
    if (!rec)
        __builtin_unreachable();
    return rec;
}

FTR_INLINE void ftr_call_begin_inline(ftr_call *call, ftr_traced_unit *unit, size_t index,
                                      const uint64_t *words, size_t count)
{
    ftr_call_thread *const thread = &ftr_current_thread;
    ftr_call_stack *const stack = thread->usual;
    if (FTR_LIKELY(stack && !thread->busy)) {
        const size_t depth = stack->depth;
        const size_t number = unit->first + index;
        ftr_open_call *const open = &stack->open[depth];
        if (FTR_LIKELY(depth < stack->room && number < stack->generator_count &&
                       stack->generators[number] && (!depth || open[-1].frame > (uintptr_t)call))) {
            thread->busy = 1;
            const uint64_t now = stack->clock(stack->user);
            open->frame = (uintptr_t)call;
            open->time = now;
            const bool has_begun = ftr_tx_begin_within_usual(
                ftr_call_recorder(stack), stack->generators[number], now, words, count,
                stack->relation, depth ? &open[-1].tx : NULL, &open->tx);
            if (FTR_LIKELY(has_begun)) {
                call->depth = depth;
                call->context = stack;
                stack->depth = depth + 1;
            }
            thread->busy = 0;
            if (FTR_LIKELY(has_begun))
                return;
        }
    }
    if (__atomic_load_n(&ftr_calls_are_off, __ATOMIC_RELAXED))
        call->context = NULL;
    else
        ftr_call_begin(call, unit, index, words, count);
}

/** Fast path: ends a call with the last of its attributes. Returns false if the fast path does not
 * apply. */
FTR_INLINE bool ftr_call_end_usual(const ftr_call *call, unsigned attribute, const uint64_t *words,
                                   size_t count)
{
    ftr_call_stack *const stack = (ftr_call_stack *)call->context;
    const size_t depth = stack->depth - 1;
    const ftr_open_call *const open = &stack->open[depth];
    if (!FTR_LIKELY(stack->depth && open->frame == (uintptr_t)call))
        return false;
    ftr_call_thread *const thread = &ftr_current_thread;
    thread->busy = 1;
    const uint64_t now = stack->clock(stack->user);
    const bool has_ended =
        ftr_tx_end_words_usual(ftr_call_recorder(stack), open->tx, now, attribute, words, count);
    if (FTR_LIKELY(has_ended))
        stack->depth = depth;
    thread->busy = 0;
    return has_ended;
}

FTR_INLINE void ftr_call_end_inline(ftr_call *call)
{
    const uint64_t none = 0;
    if (call->context && !ftr_call_end_usual(call, 0, &none, 0))
        ftr_call_end(call);
}

FTR_INLINE void ftr_call_end_word_inline(ftr_call *call, unsigned attribute, uint64_t word)
{
    if (call->context && !ftr_call_end_usual(call, attribute, &word, 1))
        ftr_call_end_word(call, attribute, word);
}

#ifndef FTR_BUILDING_TRACELINK
#define ftr_call_begin ftr_call_begin_inline
#define ftr_call_end ftr_call_end_inline
#define ftr_call_end_word ftr_call_end_word_inline
#endif

#endif

#ifdef __cplusplus
}
#endif

#endif
