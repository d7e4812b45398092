/** @file
 *  The calls of tracelink.h that wrappers make most, inline. Not to be included by itself:
 *  tracelink.h does, unless FTR_NO_INLINE is defined.
 *
 *  Each takes the short way when everything is as usual, and calls the function of the same name
 * for anything else. The structures are the library's own; their layout changes with its soname
 * only. */
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
    uintptr_t frame; /**< an address in the wrapper's frame */
    uint64_t time;   /**< ticks: of its begin; once it has returned, of its end */
} ftr_open_call;

/** What a thread of control records with. */
typedef struct ftr_call_stack {
    ftr_open_call *open;
    size_t depth;
    size_t room;
    ftr_generator *generators; /**< by the number the registry gave the function; 0: not defined */
    size_t generator_count;
    ftr_recorder *recorder;
    uint64_t (*clock)(void *user); /**< ticks; leaves errno alone */
    void *user;
    ftr_relation relation; /**< between a call and those inside it; 0: not defined */
} ftr_call_stack;

/** What a thread keeps. */
typedef struct ftr_call_thread {
    volatile int busy;             /**< in here: what is called meanwhile is not recorded */
    ftr_call_stack *usual;         /**< its own, once nothing stands in the way of recording */
    struct ftr_call_context *own;  /**< the library's, as the next */
    struct ftr_call_context *last; /**< the latest that had a key */
} ftr_call_thread;

extern FTR_API_DATA __thread ftr_call_thread ftr_current_thread
    __attribute__((tls_model("initial-exec")));

/** Whether nothing will be recorded: there is no recorder, and will not be one. */
extern FTR_API_DATA int ftr_calls_are_off;

#ifndef FTR_NO_INLINE

/** The recorder of a stack, which is there: the compiler need not ask. */
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

/** Ends a call with the last of its attributes, when everything is as usual. */
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
