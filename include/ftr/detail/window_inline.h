/** @file
 *  Inline functions that decide whether a transaction is recorded: whether the recorder records at
 *  all, which calls the calling thread may make inline, and the time window, which is the interval
 *  of simulated time that is recorded. Included by recorder_inline.h. */
#ifndef FTR_WINDOW_INLINE_H
#define FTR_WINDOW_INLINE_H

#include <stdbool.h>

#include <ftr/detail/inline_macros.h>
#include <ftr/detail/recorder_layout.h>
#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns a value that is different for each living thread. */
FTR_INLINE uintptr_t ftr_thread_self(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    uintptr_t self; /* the thread control block begins with its own address */
    __asm__("{movq %%fs:0, %0|mov %0, qword ptr fs:0}" : "=r"(self));
    return self;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/** Returns whether @p rec records. NULL is allowed, and means that no recording was requested. */
FTR_INLINE bool ftr_recorder_is_recording(const ftr_recorder *rec)
{
    return rec && !(__atomic_load_n(&((const ftr_recorder_front *)rec)->valve, __ATOMIC_RELAXED) &
                    (FTR_VALVE_DEAD | FTR_VALVE_OFF));
}

/** Returns the definition of a generator in the main buffer; NULL for any other handle, and for a
 * generator that is not recorded. */
FTR_INLINE const ftr_entity *ftr_main_generator(const ftr_recorder *rec, ftr_generator generator)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    if (!FTR_LIKELY(generator < FTR_SELDOM_CHANGED(front->entity_count)))
        return NULL;
    const ftr_entity *entity = &front->entities[generator];
    return FTR_LIKELY(entity->kind == FTR_ENTITY_GENERATOR) ? entity : NULL;
}

/** Return the limits of the time window in ticks. Until the time scale is known, and without a
 * window, these are 0 and UINT64_MAX. */
FTR_INLINE uint64_t ftr_window_start(const ftr_recorder *rec)
{
    return FTR_SELDOM_CHANGED(((const ftr_recorder_front *)rec)->window.start);
}
FTR_INLINE uint64_t ftr_window_stop(const ftr_recorder *rec)
{
    return FTR_SELDOM_CHANGED(((const ftr_recorder_front *)rec)->window.stop);
}

/** Returns whether a transaction from @p begin to @p end, in ticks, may be in the time window of
 *  @p rec, which must not be NULL. For a transaction that is still open, pass UINT64_MAX as @p end.
 *
 *  Any thread may call this function at any time, without a lock. If the result is false, the
 *  transaction is never in the window: the caller may skip it, and need not ask again. If the
 *  result is true, the recorder decides when the transaction ends. Until the time scale is known,
 *  and without a window, the result is true. */
FTR_INLINE bool ftr_window_may_contain(const ftr_recorder *rec, uint64_t begin, uint64_t end)
{
    return end >= ftr_window_start(rec) && begin <= ftr_window_stop(rec);
}

/** Returns whether the calling thread may write a relation inline: the window does not matter,
 *  because the encoder decides which relations are in the file. */
FTR_INLINE bool ftr_may_write(const ftr_recorder *rec)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    const uintptr_t self = ftr_thread_self();
    return FTR_LIKELY(FTR_SELDOM_CHANGED(front->owner) == self) ||
           FTR_SELDOM_CHANGED(front->window.owner) == self;
}

/** The ways of an inline call that begins or ends a transaction, or records a whole one. */
typedef enum ftr_way {
    FTR_WAY_RECORD, /**< the call continues inline */
    FTR_WAY_SKIP,   /**< the transaction is not in the window */
    FTR_WAY_FULL    /**< the full call decides */
} ftr_way;

/** Returns the way of a transaction that begins at @p begin. Without a window, or if the window has
 * no end, only the first comparison is made. */
FTR_INLINE ftr_way ftr_way_of_begin(const ftr_recorder *rec, uint64_t begin)
{
    const ftr_window_front *window = &((const ftr_recorder_front *)rec)->window;
    const uintptr_t self = ftr_thread_self();
    if (FTR_LIKELY(FTR_SELDOM_CHANGED(window->beginner) == self))
        return FTR_WAY_RECORD;
    if (!FTR_LIKELY(FTR_SELDOM_CHANGED(window->owner) == self))
        return FTR_WAY_FULL;
    return begin <= FTR_SELDOM_CHANGED(window->stop) ? FTR_WAY_RECORD : FTR_WAY_SKIP;
}

/** Returns the way of a whole transaction. Without a window, only the first comparison is made. */
FTR_INLINE ftr_way ftr_way_of_whole(const ftr_recorder *rec, uint64_t begin, uint64_t end)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    const uintptr_t self = ftr_thread_self();
    if (FTR_LIKELY(FTR_SELDOM_CHANGED(front->owner) == self))
        return FTR_WAY_RECORD;
    if (!FTR_LIKELY(FTR_SELDOM_CHANGED(front->window.owner) == self))
        return FTR_WAY_FULL;
    if (!ftr_window_may_contain(rec, begin, end))
        return FTR_WAY_SKIP;
    return front->lane.next_id >= FTR_SELDOM_CHANGED(front->window.first_id) ? FTR_WAY_RECORD
                                                                             : FTR_WAY_FULL;
}

/** Returns the way of a transaction @p id that is open and ends at @p end. */
FTR_INLINE ftr_way ftr_way_of_end(const ftr_recorder *rec, uint64_t id, uint64_t end)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    const uintptr_t self = ftr_thread_self();
    if (FTR_LIKELY(FTR_SELDOM_CHANGED(front->owner) == self))
        return FTR_WAY_RECORD;
    if (!FTR_LIKELY(FTR_SELDOM_CHANGED(front->window.owner) == self))
        return FTR_WAY_FULL;
    if (end < FTR_SELDOM_CHANGED(front->window.discard_before))
        return FTR_WAY_SKIP;
    return end >= FTR_SELDOM_CHANGED(front->window.start) &&
                   id >= FTR_SELDOM_CHANGED(front->window.first_id)
               ? FTR_WAY_RECORD
               : FTR_WAY_FULL;
}

/** The counters of the window. Other threads read them at any time, for statistics. */
#ifdef FTR_THREAD_SANITIZER
#define FTR_COUNT(place, difference) __atomic_add_fetch(&(place), (difference), __ATOMIC_RELAXED)
#else
#define FTR_COUNT(place, difference) ((place) += (difference))
#endif

#ifdef __cplusplus
}
#endif

#endif
