/* Events: whole transactions with the relation `parent_of` from their parent. An event whose parent
 * is not recorded is not recorded either, because viewers would show it as a transaction of its
 * own. */
#include <ftr/detail/word_calls.h>

#include "admission.h"
#include "definition_calls.h"
#include "misuse.h"
#include "whole_transaction.h"

/* Counts an event as filtered, because its parent is not recorded. */
static ftr_status skip_event(const char *call, ftr_recorder *rec, ftr_generator events, ftr_tx *tx)
{
    const ftr_entity *entity = ftr_generator_entity(rec, events);
    if (entity != NULL)
        return ftr_admission_filter(rec, entity->stream, tx);
    return ftr_recorder_misuse(
        rec, FTR_ERR_UNDEFINED,
        &(ftr_misuse){.call = call, .set = FTR_MISUSE_HANDLE, .handle = events});
}

/* Checks the recorder and the handle of the parent. Returns FTR_OK if the parent began, or if the
 * handle states that the parent is not recorded. */
static ftr_status check_parent(const char *call, ftr_recorder *rec, ftr_tx parent)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    uint32_t valve = ftr_recorder_valve(rec);
    if (valve & FTR_VALVE_DEAD)
        return ftr_recorder_dead_status(rec, valve);
    if (ftr_tx_is_not_recorded(parent) || ftr_recorder_began(rec, parent))
        return FTR_OK;
    return ftr_recorder_misuse(rec, FTR_ERR_UNKNOWN_TX,
                               &(ftr_misuse){.call = call, .set = FTR_MISUSE_TX, .tx = parent});
}

/* Records the relation from the parent to the event. If one of the two is not recorded, the
 * relation is counted as discarded. Sets @p tx to the event, unless @p tx is NULL. */
static ftr_status relate(ftr_recorder *rec, ftr_tx parent, ftr_tx event, ftr_tx *tx)
{
    ftr_status status = ftr_relation_put(rec, FTR_RELATION_PARENT_OF, parent, event);
    if (status == FTR_OK && tx != NULL)
        *tx = event;
    return status;
}

static ftr_status put_event(const char *call, ftr_recorder *rec, ftr_tx parent,
                            ftr_generator events, uint64_t begin, uint64_t end,
                            const ftr_whole_values *values, ftr_tx *tx)
{
    ftr_tx event = {0, 0};
    ftr_status status = check_parent(call, rec, parent);
    if (status == FTR_OK)
        status = ftr_tx_is_not_recorded(parent)
                     ? skip_event(call, rec, events, &event)
                     : ftr_record_for(call, rec, events, begin, end, values, &event);
    return status == FTR_OK ? relate(rec, parent, event, tx) : status;
}

ftr_status ftr_tx_event(ftr_recorder *rec, ftr_tx parent, ftr_generator events, uint64_t time,
                        const ftr_value *values, size_t count, ftr_tx *tx)
{
    return put_event("ftr_tx_event", rec, parent, events, time, time,
                     &(ftr_whole_values){.declared = values, .count = count}, tx);
}

ftr_status ftr_tx_event_between(ftr_recorder *rec, ftr_tx parent, ftr_generator events,
                                uint64_t begin, uint64_t end, const ftr_value *values, size_t count,
                                ftr_tx *tx)
{
    return put_event("ftr_tx_event_between", rec, parent, events, begin, end,
                     &(ftr_whole_values){.declared = values, .count = count}, tx);
}

ftr_status ftr_tx_event_words(ftr_recorder *rec, ftr_tx parent, ftr_generator events,
                              uint64_t begin, uint64_t end, const uint64_t *words, size_t count,
                              ftr_tx *tx)
{
    static const char call[] = "ftr_tx_event_words";
    ftr_tx event = {0, 0};
    ftr_status status = check_parent(call, rec, parent);
    if (status == FTR_OK)
        status = ftr_tx_is_not_recorded(parent)
                     ? skip_event(call, rec, events, &event)
                     : ftr_record_words_for(call, rec, events, begin, end, words, count, &event);
    return status == FTR_OK ? relate(rec, parent, event, tx) : status;
}

/* ---- events of an open transaction -------------------------------------------------------------
 */

/* Returns the generator of an open transaction; 0 if it is not open. */
static ftr_generator generator_of(ftr_recorder *rec, ftr_tx tx)
{
    const ftr_slot *slot = ftr_slot_of(ftr_recorder_trace_of(rec, tx), tx);
    return ftr_slot_holds(slot, tx) ? slot->generator : 0;
}

static ftr_status find_events(const char *call, ftr_recorder *rec, ftr_tx parent,
                              ftr_generator *events)
{
    ftr_generator parents = generator_of(rec, parent);
    if (parents == 0)
        return ftr_recorder_misuse(rec, FTR_ERR_UNKNOWN_TX,
                                   &(ftr_misuse){.call = call, .set = FTR_MISUSE_TX, .tx = parent});
    *events = ftr_events_of(rec, parents);
    return *events != 0 ? FTR_OK : ftr_events_define_for(call, rec, parents, NULL, 0, true, events);
}

ftr_status ftr_tx_find_events(ftr_recorder *rec, ftr_tx tx, ftr_generator *events)
{
    static const char call[] = "ftr_tx_find_events";
    ftr_status status = check_parent(call, rec, tx);
    if (status != FTR_OK)
        return status;
    if (events == NULL)
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT,
                                   &(ftr_misuse){.call = call, .set = FTR_MISUSE_TX, .tx = tx});
    if (!ftr_tx_is_not_recorded(tx))
        return find_events(call, rec, tx, events);
    *events = 0;
    return FTR_OK;
}

ftr_status ftr_tx_event_named(ftr_recorder *rec, ftr_tx parent, uint64_t begin, uint64_t end,
                              const ftr_value *name, const ftr_named_value *values, size_t count,
                              ftr_tx *tx)
{
    static const char call[] = "ftr_tx_event_named";
    ftr_generator events = 0;
    ftr_status status = check_parent(call, rec, parent);
    if (status == FTR_OK && ftr_tx_is_not_recorded(parent)) {
        ftr_tx event = {0, 0};
        status = ftr_admission_filter(rec, ftr_tx_stream(parent), &event);
        return status == FTR_OK ? relate(rec, parent, event, tx) : status;
    }
    if (status == FTR_OK)
        status = find_events(call, rec, parent, &events);
    return status == FTR_OK ? put_event(call, rec, parent, events, begin, end,
                                        &(ftr_whole_values){name, 1, values, count}, tx)
                            : status;
}
