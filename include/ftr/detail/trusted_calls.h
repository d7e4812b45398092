/** @file
 *  Inline calls for objects that store a transaction together with the recorder that has begun it,
 *  and know the types of its attributes. If FTR_NO_INLINE is defined, the exported calls take their
 *  place, and check everything. */
#ifndef FTR_TRUSTED_CALLS_H
#define FTR_TRUSTED_CALLS_H

#include <ftr/detail/inline_macros.h>
#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Return the definition of a generator, which is valid until the recorder is closed, and the
 *  generator of a definition, at any time. */
FTR_INLINE const ftr_entity *ftr_generator_definition(const ftr_recorder *rec,
                                                      ftr_generator generator)
{
    return &((const ftr_recorder_front *)rec)->entities[generator];
}
FTR_INLINE ftr_generator ftr_generator_of(const ftr_recorder *rec, const ftr_entity *definition)
{
    return (ftr_generator)(definition - ((const ftr_recorder_front *)rec)->entities);
}

#ifdef __cplusplus
}
#endif

#ifdef FTR_NO_INLINE

typedef enum ftr_trust { FTR_TRUST_NOTHING, FTR_TRUST_TX, FTR_TRUST_ATTRIBUTE } ftr_trust;

#define ftr_tx_put_bool_trusted(rec, tx, attribute, value, trust) \
    ftr_tx_put_bool(rec, tx, attribute, value)
#define ftr_tx_put_int_trusted(rec, tx, attribute, value, trust) \
    ftr_tx_put_int(rec, tx, attribute, value)
#define ftr_tx_put_number_trusted(rec, tx, attribute, value, trust) \
    ftr_tx_put_number(rec, tx, attribute, value)
#define ftr_tx_put_real_trusted(rec, tx, attribute, value, trust) \
    ftr_tx_put_real(rec, tx, attribute, value)
#define ftr_tx_put_text_trusted(rec, tx, attribute, text, length, trust) \
    ftr_tx_put_text(rec, tx, attribute, text, length)
#define ftr_tx_put_named_trusted(rec, tx, class_, name, value, trust) \
    ftr_tx_put_named(rec, tx, class_, name, value)
#define ftr_tx_end_trusted(rec, tx, end, trust) ftr_tx_end(rec, tx, end)

#define ftr_tx_record_trusted(rec, entity, begin, end, values, count, tx) \
    ftr_tx_record(rec, ftr_generator_of(rec, entity), begin, end, values, count, tx)
#define ftr_tx_event_trusted(rec, parent, entity, begin, end, values, count, tx) \
    ftr_tx_event_between(rec, parent, ftr_generator_of(rec, entity), begin, end, values, count, tx)

/* No transaction begins inline. */
#define ftr_tx_begins_inline(rec, entity, begin, tx) (*(tx) = ftr_tx{0, 0}, false)

#else

#ifdef __cplusplus
extern "C" {
#endif

/** Begins a transaction. Returns false, without effect, if the call is not possible inline.
 *  @param entity the definition of the generator; not read if the recorder is closed */
FTR_INLINE bool ftr_tx_begins_inline(ftr_recorder *rec, const ftr_entity *entity, uint64_t begin,
                                     ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (!FTR_LIKELY(ftr_way_of_begin(rec, begin) == FTR_WAY_RECORD) ||
        !FTR_LIKELY(entity->kind == FTR_ENTITY_GENERATOR) || !FTR_LIKELY(front->lane.free_slot))
        return false;
    ftr_slot_begin(front, entity, entity->handle, begin, tx);
    return true;
}

/** Like ftr_tx_record(), with the definition of the generator. */
FTR_INLINE ftr_status ftr_tx_record_trusted(ftr_recorder *rec, const ftr_entity *entity,
                                            uint64_t begin, uint64_t end, const ftr_value *values,
                                            size_t count, ftr_tx *tx)
{
    if (FTR_LIKELY(end >= begin)) {
        const ftr_way way = ftr_way_of_whole(rec, begin, end);
        if (FTR_LIKELY(way == FTR_WAY_RECORD)) {
            if (FTR_LIKELY(ftr_tx_record_of(rec, entity, entity->handle, begin, end, values, count,
                                            0, tx)))
                return FTR_OK;
        } else if (way == FTR_WAY_SKIP && ftr_tx_skip(rec, ftr_generator_of(rec, entity), tx)) {
            return FTR_OK;
        }
    }
    return ftr_tx_record_out_of_line(rec, ftr_generator_of(rec, entity), begin, end, values, count,
                                     tx);
}

/** Like ftr_tx_event_between(), with the definition of the events. */
FTR_INLINE ftr_status ftr_tx_event_trusted(ftr_recorder *rec, ftr_tx parent,
                                           const ftr_entity *entity, uint64_t begin, uint64_t end,
                                           const ftr_value *values, size_t count, ftr_tx *tx)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    ftr_tx event;
    if (FTR_LIKELY(end >= begin) &&
        FTR_LIKELY(ftr_way_of_whole(rec, begin, end) == FTR_WAY_RECORD) &&
        FTR_LIKELY(ftr_tx_was_begun(front, parent)) &&
        FTR_LIKELY(ftr_tx_record_of(rec, entity, entity->handle, begin, end, values, count,
                                    FTR_RECORD_HEADER_SIZE, &event))) {
        ftr_event_relate(rec, parent, event, tx);
        return FTR_OK;
    }
    return ftr_tx_event_between_out_of_line(rec, parent, ftr_generator_of(rec, entity), begin, end,
                                            values, count, tx);
}

#ifdef __cplusplus
}
#endif

#endif

#endif
