/* Checks relations and writes them as records. Does not decide whether both transactions of a
 * relation are in the file (pending_relations.c does). */
#include "lane_supply.h"
#include "misuse.h"
#include "thread_lane.h"

static ftr_status discard_relation(ftr_recorder *rec)
{
    atomic_fetch_add_explicit(&rec->counts.relations_discarded, 1, memory_order_relaxed);
    return FTR_OK;
}

static ftr_status odd_relation(ftr_recorder *rec, ftr_tx from, ftr_tx to)
{
    if ((ftr_tx_is_not_recorded(from) || ftr_recorder_began(rec, from)) &&
        (ftr_tx_is_not_recorded(to) || ftr_recorder_began(rec, to)))
        return discard_relation(rec);
    return FTR_ERR_UNKNOWN_TX;
}

static inline ftr_status put_relation(ftr_recorder *rec, ftr_relation relation, ftr_tx from,
                                      ftr_tx to)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    uint32_t valve = ftr_recorder_valve(rec);
    if (valve & FTR_VALVE_DEAD)
        return ftr_recorder_dead_status(rec, valve);
    if (relation - 1 >=
        atomic_load_explicit(&rec->definitions.relation_count, memory_order_acquire) - 1)
        return FTR_ERR_UNDEFINED;
    if (!ftr_recorder_began(rec, from) || !ftr_recorder_began(rec, to))
        return odd_relation(rec, from, to);
    ftr_recorder *trace = ftr_recorder_trace_of(rec, from);
    if (trace != ftr_recorder_trace_of(rec, to))
        return discard_relation(rec); /* no file contains both transactions */
    if (trace != rec)
        return ftr_relation_put(trace, relation, from, to);
    ftr_lane *lane = ftr_thread_lane(rec);
    if (lane == NULL)
        return FTR_ERR_MEMORY;
    ftr_status status = FTR_OK;
    uint8_t *record = ftr_lane_reserve(lane, sizeof(ftr_stored_relation), &status);
    if (record == NULL)
        return status == FTR_LANE_DROPS ? discard_relation(rec) : status;
    *(ftr_stored_relation *)record = (ftr_stored_relation){.from = from.id,
                                                           .from_place = from.place,
                                                           .to = to.id,
                                                           .relation = relation,
                                                           .kind = FTR_RECORD_RELATION,
                                                           .to_place = to.place};
    ftr_lane_commit(lane, sizeof(ftr_stored_relation));
    return FTR_OK;
}

ftr_status ftr_relation_put(ftr_recorder *rec, ftr_relation relation, ftr_tx from, ftr_tx to)
{
    ftr_status status = put_relation(rec, relation, from, to);
    return FTR_LIKELY(status == FTR_OK)
               ? FTR_OK
               : ftr_recorder_misuse(rec, status,
                                     &(ftr_misuse){.call = "ftr_relation_put",
                                                   .set = status == FTR_ERR_UNDEFINED
                                                              ? FTR_MISUSE_HANDLE
                                                              : FTR_MISUSE_TX | FTR_MISUSE_TO,
                                                   .handle = relation,
                                                   .tx = from,
                                                   .to = to});
}
