/* Relations, and events (transactions with a relation): checks them and writes them as records.
 * Does not decide whether both transactions of a relation are in the file (pending_relations.c
 * does). */
#include "lane_supply.h"
#include "thread_lane.h"

/* Returns false if a handle cannot be of a transaction, open or ended, of this recorder or of its
 * other traces: its id, stream or tag was never given out. */
static inline bool was_transaction(ftr_recorder *rec, ftr_tx tx)
{
    rec = ftr_recorder_trace_of(rec, tx);
    return tx.id - 1 < atomic_load_explicit(rec->next_id, memory_order_relaxed) - 1 &&
           ftr_tx_stream(tx) - 1 <
               __atomic_load_n(&rec->front.entity_count, __ATOMIC_RELAXED) - 1 &&
           (((uint32_t)tx.place ^ rec->open.slot_tag) & ~FTR_SLOT_PLACE) == 0;
}

ftr_status ftr_tx_event(ftr_recorder *rec, ftr_tx parent, ftr_generator generator, uint64_t time,
                        const ftr_value *values, size_t count, ftr_tx *tx)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    uint32_t gate = ftr_recorder_gate(rec);
    if (gate & FTR_GATE_DEAD)
        return ftr_recorder_dead_status(rec, gate);
    if (!ftr_tx_is_not_recorded(parent) && !was_transaction(rec, parent))
        return ftr_recorder_misuse(rec, FTR_ERR_UNKNOWN_TX);
    ftr_tx event;
    ftr_status status = ftr_tx_record(rec, generator, time, time, values, count, &event);
    if (status != FTR_OK)
        return status;
    status = ftr_relation_put(rec, rec->parent_of, parent, event);
    if (status == FTR_OK && tx != NULL)
        *tx = event;
    return status;
}

/* ---- relations --------------------------------------------------------------------------------
 */

static ftr_status discard_relation(ftr_recorder *rec)
{
    atomic_fetch_add_explicit(&rec->counts.relations_discarded, 1, memory_order_relaxed);
    return FTR_OK;
}

static ftr_status odd_relation(ftr_recorder *rec, ftr_tx from, ftr_tx to)
{
    if ((ftr_tx_is_not_recorded(from) || was_transaction(rec, from)) &&
        (ftr_tx_is_not_recorded(to) || was_transaction(rec, to)))
        return discard_relation(rec);
    return ftr_recorder_misuse(rec, FTR_ERR_UNKNOWN_TX);
}

ftr_status ftr_relation_put(ftr_recorder *rec, ftr_relation relation, ftr_tx from, ftr_tx to)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    uint32_t gate = ftr_recorder_gate(rec);
    if (gate & FTR_GATE_DEAD)
        return ftr_recorder_dead_status(rec, gate);
    if (relation - 1 >=
        atomic_load_explicit(&rec->definitions.relation_count, memory_order_acquire) - 1)
        return ftr_recorder_misuse(rec, FTR_ERR_UNDEFINED);
    if (!was_transaction(rec, from) || !was_transaction(rec, to))
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
