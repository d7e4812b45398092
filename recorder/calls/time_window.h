/* The end of a transaction in a recorder that can discard transactions: because they end before the
 * time window, or because there is no block. Before the window, a transaction is expected to be
 * discarded, and discarding it changes only its slot. */
#ifndef FTR_TIME_WINDOW_H
#define FTR_TIME_WINDOW_H

#include "lane.h"

/* Returns whether a transaction that ends at @p end ends before the window. Without a window, there
 * is no such time. */
static inline bool ftr_is_before_window(const ftr_recorder *rec, uint64_t end)
{
    return end < ftr_recorder_start(rec);
}

FTR_MUST_USE ftr_status ftr_window_keep_id(ftr_lane *lane, uint64_t id, uint64_t begin);
FTR_MUST_USE ftr_status ftr_window_discard_id(ftr_recorder *rec, uint64_t id);

/* Must be called before a transaction is recorded, by the thread of @p lane, which is not a
 * sibling. Returns FTR_OK, or FTR_ERR_STATE if the caller is a signal handler that has interrupted
 * a guarded call. */
FTR_MUST_USE static inline ftr_status ftr_keep_id(ftr_lane *lane, uint64_t id, uint64_t begin)
{
    return FTR_LIKELY(!ftr_discarded_ids_expect(&lane->recorder->discarded_ids, id))
               ? FTR_OK
               : ftr_window_keep_id(lane, id, begin);
}

/* Must be called before the slot of a transaction that is not recorded is freed, so that a thread
 * that finds the slot free also finds the id discarded. Returns the same as ftr_keep_id(). */
FTR_MUST_USE static inline ftr_status ftr_discard_id(ftr_recorder *rec, uint64_t id)
{
    return ftr_discarded_ids_expect(&rec->discarded_ids, id) ? FTR_OK
                                                             : ftr_window_discard_id(rec, id);
}

#endif
