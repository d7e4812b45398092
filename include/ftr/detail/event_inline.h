/** @file
 *  The inline calls that record events. The rules of recorder_inline.h apply. Included by
 *  recorder.h, unless FTR_NO_INLINE is defined. */
#ifndef FTR_EVENT_INLINE_H
#define FTR_EVENT_INLINE_H

#include <string.h>

#include <ftr/detail/record_inline.h>
#include <ftr/detail/relation_inline.h>
#include <ftr/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Relates an event that the fast path has recorded with room for this relation.
 *  @param[out] tx the event; may be NULL */
FTR_INLINE void ftr_event_relate(ftr_recorder *rec, ftr_tx parent, ftr_tx event, ftr_tx *tx)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    ftr_block_commit_relation(front->lane.block, FTR_RELATION_PARENT_OF, parent, event);
    if (tx) {
        tx->id = event.id;
        tx->place = event.place;
    }
}

FTR_COLD_CALL(ftr_tx_event_between, ftr_recorder *rec, ftr_tx parent, ftr_generator events,
              uint64_t begin, uint64_t end, const ftr_value *values, size_t count, ftr_tx *tx);
FTR_COLD_CALL(ftr_tx_event, ftr_recorder *rec, ftr_tx parent, ftr_generator events, uint64_t time,
              const ftr_value *values, size_t count, ftr_tx *tx);
FTR_COLD_CALL(ftr_tx_event_named, ftr_recorder *rec, ftr_tx parent, uint64_t begin, uint64_t end,
              const ftr_value *name, const ftr_named_value *values, size_t count, ftr_tx *tx);

FTR_INLINE bool ftr_tx_event_usual(ftr_recorder *rec, ftr_tx parent, ftr_generator events,
                                   uint64_t begin, uint64_t end, const ftr_value *values,
                                   size_t count, ftr_tx *tx)
{
    ftr_tx event;
    if (!FTR_LIKELY(rec) || !FTR_LIKELY(ftr_way_of_whole(rec, begin, end) == FTR_WAY_RECORD) ||
        !FTR_LIKELY(ftr_tx_was_begun((const ftr_recorder_front *)rec, parent)) ||
        !FTR_LIKELY(ftr_tx_record_usual(rec, events, begin, end, values, count,
                                        FTR_RECORD_HEADER_SIZE, &event)))
        return false;
    ftr_event_relate(rec, parent, event, tx);
    return true;
}

/** Call the exported functions, with a copy of a list of constant length. */
FTR_INLINE ftr_status ftr_tx_event_out_of_line(ftr_recorder *rec, ftr_tx parent,
                                               ftr_generator events, uint64_t time,
                                               const ftr_value *values, size_t count, ftr_tx *tx)
{
    parent = ftr_tx_copy(parent);
    if (!FTR_VALUES_ARE_FEW(count) || !values)
        return ftr_tx_event_in_full(rec, parent, events, time, values, count, tx);
    ftr_value copies[FTR_FIRST_VALUES_COUNT];
    ftr_values_copy(copies, values, count);
    return ftr_tx_event_in_full(rec, parent, events, time, copies, count, tx);
}

FTR_INLINE ftr_status ftr_tx_event_between_out_of_line(ftr_recorder *rec, ftr_tx parent,
                                                       ftr_generator events, uint64_t begin,
                                                       uint64_t end, const ftr_value *values,
                                                       size_t count, ftr_tx *tx)
{
    parent = ftr_tx_copy(parent);
    if (!FTR_VALUES_ARE_FEW(count) || !values)
        return ftr_tx_event_between_in_full(rec, parent, events, begin, end, values, count, tx);
    ftr_value copies[FTR_FIRST_VALUES_COUNT];
    ftr_values_copy(copies, values, count);
    return ftr_tx_event_between_in_full(rec, parent, events, begin, end, copies, count, tx);
}

FTR_INLINE ftr_status ftr_tx_event_inline(ftr_recorder *rec, ftr_tx parent, ftr_generator events,
                                          uint64_t time, const ftr_value *values, size_t count,
                                          ftr_tx *tx)
{
    return FTR_LIKELY(ftr_tx_event_usual(rec, parent, events, time, time, values, count, tx))
               ? FTR_OK
               : ftr_tx_event_out_of_line(rec, parent, events, time, values, count, tx);
}

FTR_INLINE ftr_status ftr_tx_event_between_inline(ftr_recorder *rec, ftr_tx parent,
                                                  ftr_generator events, uint64_t begin,
                                                  uint64_t end, const ftr_value *values,
                                                  size_t count, ftr_tx *tx)
{
    return FTR_LIKELY(ftr_tx_event_usual(rec, parent, events, begin, end, values, count, tx))
               ? FTR_OK
               : ftr_tx_event_between_out_of_line(rec, parent, events, begin, end, values, count,
                                                  tx);
}

/** Returns the definition of the events of an open transaction's generator, and sets @p events to
 *  its handle. Returns NULL if the fast path does not apply. */
FTR_INLINE const ftr_entity *ftr_usual_events(const ftr_recorder *rec, ftr_tx parent,
                                              ftr_generator *events)
{
    const ftr_slot *slot = ftr_slot_of(rec, parent);
    if (!ftr_slot_holds(slot, parent))
        return NULL;
    *events = __atomic_load_n(&slot->entity->events, __ATOMIC_ACQUIRE);
    return ftr_main_generator(rec, *events);
}

/** Writes the item of a value with its name. Returns the position of the next item, or NULL if the
 *  fast path does not apply, for example because the item does not fit before @p end. */
FTR_INLINE uint8_t *ftr_named_value_write(const ftr_recorder_front *front,
                                          const ftr_named_value *named, uint8_t *to,
                                          const uint8_t *end)
{
    const unsigned type = ftr_type_of(&named->value);
    if (!FTR_LIKELY(named->name) || !FTR_LIKELY(type <= FTR_TYPE_TIME))
        return NULL;
    const size_t name_size = strlen(named->name);
    const size_t text_at = FTR_ITEM_SIZE + ftr_item_pad(name_size);
    if (!FTR_LIKELY(name_size - 1 < UINT16_MAX) ||
        !FTR_LIKELY(to + text_at + FTR_TEXT_PIECE <= end))
        return NULL;
    ftr_text_copy(to + FTR_ITEM_SIZE, named->name, name_size);
    const uint64_t head = FTR_ITEM_NAMED | (uint64_t)type << 32 |
                          (uint64_t)(ftr_form_of(type) | (unsigned)FTR_CLASS_RECORD << 4) << 40 |
                          (uint64_t)name_size << 48;
    return ftr_value_write_behind(front, head, &named->value, to, text_at, end);
}

/** Writes the items of a list. If @p to is NULL, writes nothing and returns NULL. */
FTR_INLINE uint8_t *ftr_named_values_write(const ftr_recorder_front *front,
                                           const ftr_named_value *values, size_t count, uint8_t *to,
                                           const uint8_t *end)
{
    if (FTR_VALUES_ARE_FEW(count)) {
#define FTR_WRITE_VALUE(i) \
    if (count > (i) && to) \
        to = ftr_named_value_write(front, &values[i], to, end);
        FTR_FIRST_VALUES(FTR_WRITE_VALUE)
#undef FTR_WRITE_VALUE
        return to;
    }
    for (size_t i = 0; i < count && to; ++i)
        to = ftr_named_value_write(front, &values[i], to, end);
    return to;
}

/** Calls the exported function, with a copy of a list of constant length. */
FTR_INLINE ftr_status ftr_tx_event_named_out_of_line(ftr_recorder *rec, ftr_tx parent,
                                                     uint64_t begin, uint64_t end,
                                                     const ftr_value *name,
                                                     const ftr_named_value *values, size_t count,
                                                     ftr_tx *tx)
{
    parent = ftr_tx_copy(parent);
    if (!FTR_VALUES_ARE_FEW(count) || !name || !values)
        return ftr_tx_event_named_in_full(rec, parent, begin, end, name, values, count, tx);
    ftr_value copied_name;
    ftr_named_value copies[FTR_FIRST_VALUES_COUNT];
    ftr_value_copy(&copied_name, name);
#define FTR_COPY_VALUE(i)                                   \
    if (count > (i)) {                                      \
        copies[i].name = values[i].name;                    \
        ftr_value_copy(&copies[i].value, &values[i].value); \
    }
    FTR_FIRST_VALUES(FTR_COPY_VALUE)
#undef FTR_COPY_VALUE
    return ftr_tx_event_named_in_full(rec, parent, begin, end, &copied_name, copies, count, tx);
}

FTR_INLINE bool ftr_tx_event_named_usual(ftr_recorder *rec, ftr_tx parent, uint64_t begin,
                                         uint64_t end, const ftr_value *name,
                                         const ftr_named_value *values, size_t count, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    ftr_generator events;
    if (!FTR_LIKELY(rec) || !FTR_LIKELY(ftr_way_of_whole(rec, begin, end) == FTR_WAY_RECORD))
        return false;
    const ftr_entity *entity = ftr_usual_events(rec, parent, &events);
    if (!FTR_LIKELY(entity && name && (values || !count) && end >= begin) ||
        !ftr_values_have_types(entity, name, 1))
        return false;
    ftr_block_front *block = front->lane.block;
    const uint8_t *limit = (uint8_t *)block + front->lane.block_limit - FTR_RECORD_HEADER_SIZE;
    uint8_t *items = (uint8_t *)block + block->committed + FTR_RECORD_HEADER_SIZE;
    if (!FTR_LIKELY(items + FTR_VALUE_SPACE <= limit))
        return false;
    uint8_t *next = ftr_value_write(front, ftr_declared_head(entity, 0), name, items, limit);
    next = ftr_named_values_write(front, values, count, next, limit);
    if (!FTR_LIKELY(next && next <= limit))
        return false;
    ftr_tx event;
    ftr_block_commit_tx(&front->lane, block, items, events, begin, end, next, &event.id);
    event.place = ftr_place(front->slot_tag, entity->stream); /* no slot has this id */
    ftr_event_relate(rec, parent, event, tx);
    return true;
}

FTR_INLINE ftr_status ftr_tx_event_named_inline(ftr_recorder *rec, ftr_tx parent, uint64_t begin,
                                                uint64_t end, const ftr_value *name,
                                                const ftr_named_value *values, size_t count,
                                                ftr_tx *tx)
{
    return FTR_LIKELY(ftr_tx_event_named_usual(rec, parent, begin, end, name, values, count, tx))
               ? FTR_OK
               : ftr_tx_event_named_out_of_line(rec, parent, begin, end, name, values, count, tx);
}

#ifndef FTR_BUILDING_LIBRARY
#define ftr_tx_event ftr_tx_event_inline
#define ftr_tx_event_between ftr_tx_event_between_inline
#define ftr_tx_event_named ftr_tx_event_named_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
