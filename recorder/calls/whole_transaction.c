/* The full versions of the calls that record a whole transaction. They handle the cases to which
 * the fast path does not apply. The items of a transaction are written directly into the block. */
#include <ftr/detail/word_calls.h>

#include "admission.h"
#include "item_value.h"
#include "lane_supply.h"
#include "misuse.h"
#include "thread_lane.h"
#include "time_window.h"
#include "whole_transaction.h"

/* Writes one item if it fits into @p room bytes. Sets @p size to the size of the item even if it
 * does not fit. */
static inline ftr_status write_value(ftr_recorder *rec, const ftr_declared_attribute *declared,
                                     const ftr_value *value, uint8_t *to, size_t room, size_t *size)
{
    if (ftr_type_of(value) != declared->type)
        return FTR_ERR_TYPE;
    ftr_item_value taken;
    ftr_status status = ftr_item_take(rec, value, declared->form, &taken);
    if (status != FTR_OK)
        return status;
    *size = sizeof(ftr_item) + (taken.text != NULL ? ftr_item_pad(taken.word) : 0);
    if (*size > room)
        return FTR_OK;
    ftr_item_set((ftr_item *)to, ftr_item_head_of(declared, taken.form), taken.word);
    ftr_item_write_text(to + sizeof(ftr_item), &taken);
    return FTR_OK;
}

/* Like write_value(), for a value with a name. */
static ftr_status write_named(ftr_recorder *rec, const ftr_named_value *named, uint8_t *to,
                              size_t room, size_t *size)
{
    ftr_named_item item;
    ftr_status status =
        ftr_named_item_take(rec, FTR_CLASS_RECORD, named->name, &named->value, &item);
    if (status != FTR_OK)
        return status;
    *size = item.size;
    if (item.size <= room)
        ftr_named_item_write(to, &item);
    return FTR_OK;
}

/* Writes the items of all values to @p to. If they do not fit into @p room bytes, only some items
 * are written. Sets @p total to the size of all items even if they do not fit. */
static ftr_status write_values(ftr_recorder *rec, const ftr_entity *entity,
                               const ftr_whole_values *values, uint8_t *to, size_t room,
                               size_t *total)
{
    *total = 0;
    for (size_t i = 0; i < values->count + values->named_count; i++) {
        size_t size = 0;
        size_t rest = *total < room ? room - *total : 0;
        ftr_status status =
            i < values->count
                ? write_value(rec, &entity->attributes.at[i], &values->declared[i], to + *total,
                              rest, &size)
                : write_named(rec, &values->named[i - values->count], to + *total, rest, &size);
        if (status != FTR_OK)
            return status;
        *total += size;
    }
    return *total > FTR_TEXT_SIZE_MAX ? FTR_ERR_LIMIT : FTR_OK;
}

/* Reserves room for a whole transaction and writes its items. Returns the address of its record.
 * Returns NULL with @p status set on error; FTR_LANE_DROPS means that the transaction is
 * dropped. */
static uint8_t *write_transaction(ftr_recorder *rec, ftr_lane *lane, const ftr_entity *entity,
                                  const ftr_whole_values *values, size_t *items_size,
                                  ftr_status *status)
{
    for (size_t room = 0;; room = *items_size) {
        uint8_t *to = ftr_lane_reserve(lane, FTR_RECORD_HEADER_SIZE + room, status);
        if (to == NULL)
            return NULL;
        const ftr_lane_front *front = lane->front;
        room = front->block_limit - front->block->committed - FTR_RECORD_HEADER_SIZE;
        *status = write_values(rec, entity, values, to + FTR_RECORD_HEADER_SIZE, room, items_size);
        if (*status != FTR_OK)
            return NULL;
        if (FTR_LIKELY(*items_size <= room))
            return to;
    }
}

/* Called if an admitted transaction could not be written; the reason is the status of @p admission:
 * FTR_LANE_DROPS, or an error. Returns the status of the call. */
static ftr_status refuse(const ftr_admission *admission, const ftr_stored_tx *head, ftr_tx *tx)
{
    ftr_recorder *rec = admission->rec;
    if (admission->status != FTR_LANE_DROPS) {
        /* The recorder failed during this call, for example because this call drained. In this case
         * the transaction is not counted as refused yet. */
        if (ftr_recorder_valve(rec) & FTR_VALVE_FAILED)
            ftr_admission_count_refused(rec, head->begin, head->end);
        return admission->status;
    }
    ftr_status status = ftr_admission_drop(rec, head->generator, head->begin, head->end);
    if (status != FTR_OK)
        return status;
    if (tx != NULL)
        *tx = ftr_tx_of_nothing(admission->entity->stream);
    return FTR_OK;
}

/* Admits a whole transaction, and sets @p into to the lane in which it is written. */
static bool admit(ftr_admission *admission, ftr_recorder *rec, const ftr_stored_tx *head,
                  const void *values, size_t count, ftr_tx *tx, ftr_lane **into)
{
    if (!ftr_admit(admission, rec, head->generator, head->begin, tx))
        return false;
    rec = admission->rec;
    if (head->end < head->begin)
        admission->status = FTR_ERR_ORDER;
    else if (count > admission->entity->attributes.count)
        admission->status = FTR_ERR_ATTRIBUTE;
    else if (count && values == NULL)
        admission->status = FTR_ERR_ARGUMENT;
    else if (ftr_is_before_window(rec, head->end)) {
        (void)ftr_thread_lane(rec); /* only the thread of a lane can skip transactions inline */
        admission->status = ftr_admission_filter(rec, admission->entity->stream, tx);
    } else {
        ftr_lane *lane = ftr_thread_lane(rec);
        *into = lane != NULL ? ftr_lane_of_buffer(lane, admission->buffer) : NULL;
        admission->status = *into != NULL ? FTR_OK : FTR_ERR_MEMORY;
        return *into != NULL;
    }
    return false;
}

/* Completes the transaction at @p to: writes its head before the items, which are already
 * written. */
static ftr_status commit(const ftr_admission *admission, ftr_lane *into, uint8_t *to,
                         ftr_stored_tx *head, ftr_tx *tx)
{
    ftr_status status = ftr_lane_take_id(into->main, &head->id);
    if (status == FTR_OK)
        status = ftr_keep_id(into->main, head->id, head->begin);
    if (status != FTR_OK)
        return status;
    *(ftr_stored_tx *)to = *head;
    ftr_lane_commit(into, FTR_RECORD_HEADER_SIZE + head->items_size);
    if (tx != NULL) /* no slot holds this id */
        *tx =
            (ftr_tx){head->id, ftr_place(admission->rec->open.slot_tag, admission->entity->stream)};
    return FTR_OK;
}

static inline ftr_status record_values(ftr_recorder *rec, ftr_stored_tx *head,
                                       const ftr_whole_values *values, ftr_tx *tx)
{
    ftr_admission a;
    ftr_lane *into;
    if (!admit(&a, rec, head, values->declared, values->count, tx, &into))
        return a.status;
    if (values->named == NULL && values->named_count)
        return FTR_ERR_ARGUMENT;
    size_t items_size;
    uint8_t *to = write_transaction(a.rec, into, a.entity, values, &items_size, &a.status);
    if (to == NULL)
        return refuse(&a, head, tx);
    head->items_size = (uint32_t)items_size;
    return commit(&a, into, to, head, tx);
}

ftr_status ftr_record_for(const char *call, ftr_recorder *rec, ftr_generator generator,
                          uint64_t begin, uint64_t end, const ftr_whole_values *values, ftr_tx *tx)
{
    ftr_stored_tx head = {.begin = begin, .generator = generator, .end = end};
    ftr_status status = record_values(rec, &head, values, tx);
    return FTR_LIKELY(status == FTR_OK)
               ? FTR_OK
               : ftr_recorder_misuse(rec, status,
                                     &(ftr_misuse){.call = call,
                                                   .set = FTR_MISUSE_HANDLE | FTR_MISUSE_TIMES,
                                                   .handle = generator,
                                                   .values = values->declared,
                                                   .count = values->count,
                                                   .begin = begin,
                                                   .end = end});
}

ftr_status ftr_tx_record(ftr_recorder *rec, ftr_generator generator, uint64_t begin, uint64_t end,
                         const ftr_value *values, size_t count, ftr_tx *tx)
{
    return ftr_record_for("ftr_tx_record", rec, generator, begin, end,
                          &(ftr_whole_values){.declared = values, .count = count}, tx);
}

static inline ftr_status record_words(ftr_recorder *rec, ftr_stored_tx *head, const uint64_t *words,
                                      size_t count, ftr_tx *tx)
{
    ftr_admission a;
    ftr_lane *into;
    if (words == NULL)
        return FTR_ERR_ARGUMENT;
    if (!admit(&a, rec, head, words, count, tx, &into))
        return a.status;
    size_t items_size = ftr_words_size(count);
    uint8_t *to = ftr_lane_reserve(into, FTR_RECORD_HEADER_SIZE + items_size, &a.status);
    if (to == NULL)
        return refuse(&a, head, tx);
    ftr_words_write(a.entity->attributes.first, words, count, to + FTR_RECORD_HEADER_SIZE);
    head->items_size = (uint32_t)items_size;
    return commit(&a, into, to, head, tx);
}

ftr_status ftr_record_words_for(const char *call, ftr_recorder *rec, ftr_generator generator,
                                uint64_t begin, uint64_t end, const uint64_t *words, size_t count,
                                ftr_tx *tx)
{
    ftr_stored_tx head = {.begin = begin, .generator = generator, .end = end};
    ftr_status status = record_words(rec, &head, words, count, tx);
    return FTR_LIKELY(status == FTR_OK)
               ? FTR_OK
               : ftr_recorder_misuse(rec, status,
                                     &(ftr_misuse){.call = call,
                                                   .set = FTR_MISUSE_HANDLE | FTR_MISUSE_TIMES,
                                                   .handle = generator,
                                                   .count = count,
                                                   .begin = begin,
                                                   .end = end});
}

ftr_status ftr_tx_record_words(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                               uint64_t end, const uint64_t *words, size_t count, ftr_tx *tx)
{
    return ftr_record_words_for("ftr_tx_record_words", rec, generator, begin, end, words, count,
                                tx);
}
