/** @file
 *  Inline calls that tell what a recorder records: whether it records at all, and the interval of
 *  simulated time, which is its time window. Included by recorder_inline.h. */
#ifndef FTR_WINDOW_INLINE_H
#define FTR_WINDOW_INLINE_H

#include <stdbool.h>

#include <ftr/detail/inline_macros.h>
#include <ftr/detail/recorder_layout.h>
#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns whether @p rec records. NULL is allowed, and means that no recording was requested. */
FTR_INLINE bool ftr_recorder_is_recording(const ftr_recorder *rec)
{
    return rec && !(__atomic_load_n(&((const ftr_recorder_front *)rec)->valve, __ATOMIC_RELAXED) &
                    (FTR_VALVE_DEAD | FTR_VALVE_OFF));
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
    const ftr_window_front *window = &((const ftr_recorder_front *)rec)->window;
    return end >= FTR_SELDOM_CHANGED(window->start) && begin <= FTR_SELDOM_CHANGED(window->stop);
}

#ifdef __cplusplus
}
#endif

#endif
