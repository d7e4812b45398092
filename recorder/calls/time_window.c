/* Passes unexpected ends of transactions to the set of discarded ids: before the window, the ends
 * of transactions that are recorded; later, the ends of those that are discarded. */
#include "time_window.h"

ftr_status ftr_window_keep_id(ftr_lane *lane, uint64_t id, uint64_t begin)
{
    ftr_recorder *rec = lane->recorder;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return FTR_ERR_STATE;
    ftr_discarded_ids_keep(&rec->discarded_ids, id);
    /* A transaction that was open at the start of the window does not show that the simulation has
     * reached the window: its end may be a time in the future. */
    if (atomic_load_explicit(&rec->window.scale_known, memory_order_acquire) &&
        begin >= ftr_recorder_start(rec))
        ftr_lane_begin_window(lane);
    ftr_call_leave(&call);
    return FTR_OK;
}

ftr_status ftr_window_discard_id(ftr_recorder *rec, uint64_t id)
{
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return FTR_ERR_STATE;
    ftr_discarded_ids_add(&rec->discarded_ids, id);
    ftr_call_leave(&call);
    return FTR_OK;
}
