/** @file
 *  Events: points or spans of time inside a transaction, for example a stall with its reason.
 *  Viewers show them inside their parent (docs/format.md, "Events"). Include <ftr/recorder.h>, not
 * this header: <ftr/recorder.h> contains the rules for threads and errors.
 *
 *  The events of a generator `read` are transactions of a generator `read.events` in the same
 *  stream. The first attribute of an event is its name. The relation `parent_of` leads from the
 *  parent to the event. */
#ifndef FTR_EVENT_H
#define FTR_EVENT_H

#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The value of an attribute that its generator did not declare. */
typedef struct ftr_named_value {
    const char *name;
    ftr_value value;
} ftr_named_value;

/** Defines the events of @p generator: a generator with ".events" appended to the name. Its first
 *  attribute is `name` (STRING, BEGIN); @p attributes follow. A generator has one list of
 * attributes for its events: a second call with the same list returns the same generator.
 *  @param attributes NULL with @p count 0; at most 65534
 *  @return FTR_OK; FTR_ERR_UNDEFINED; FTR_ERR_ARGUMENT; FTR_ERR_MEMORY; FTR_ERR_STATE if the events
 *          were defined with other attributes, also by ftr_tx_event_named(); or the failure of the
 *          recorder */
FTR_API FTR_MUST_USE ftr_status ftr_events_define(ftr_recorder *rec, ftr_generator generator,
                                                  const ftr_attribute *attributes, size_t count,
                                                  ftr_generator *events);

/** Records an event without duration: a transaction of @p events at @p time, and the relation
 *  `parent_of` from @p parent to it. A time outside @p parent is recorded unchanged.
 *  @param parent an open or ended transaction of the same stream. If the parent is not recorded,
 * the event is not recorded either, and counted as filtered
 *  @param events a generator from ftr_events_define()
 *  @param values the name of the event, and the values of the next attributes; otherwise as for
 *                ftr_tx_record()
 *  @param[out] tx the event; may be NULL
 *  @return as ftr_tx_record() and ftr_relation_put(). On error, nothing is recorded, or the event
 *          without its relation */
FTR_API ftr_status ftr_tx_event(ftr_recorder *rec, ftr_tx parent, ftr_generator events,
                                uint64_t time, const ftr_value *values, size_t count, ftr_tx *tx);

/** Like ftr_tx_event(), for an event with a duration. */
FTR_API ftr_status ftr_tx_event_between(ftr_recorder *rec, ftr_tx parent, ftr_generator events,
                                        uint64_t begin, uint64_t end, const ftr_value *values,
                                        size_t count, ftr_tx *tx);

/** Like ftr_tx_event_between(), for an event with undeclared attributes (RECORD). If the events of
 *  the parent's generator are not defined yet, the call defines them with the attribute `name`
 *  alone.
 *  @param parent an open transaction
 *  @param name   the name of the event: a value of type STRING
 *  @param values NULL with @p count 0
 *  @return also FTR_ERR_UNKNOWN_TX if @p parent is not open; or as ftr_tx_put_named() */
FTR_API ftr_status ftr_tx_event_named(ftr_recorder *rec, ftr_tx parent, uint64_t begin,
                                      uint64_t end, const ftr_value *name,
                                      const ftr_named_value *values, size_t count, ftr_tx *tx);

/** Sets @p events to the events of the generator of @p tx, an open transaction. If these events are
 *  not defined yet, the call defines them with the attribute `name` alone.
 *  @param[out] events 0 if @p tx is not recorded
 *  @return as ftr_events_define(); FTR_ERR_UNKNOWN_TX if @p tx is not open */
FTR_API ftr_status ftr_tx_find_events(ftr_recorder *rec, ftr_tx tx, ftr_generator *events);

#ifdef __cplusplus
}
#endif

#endif
