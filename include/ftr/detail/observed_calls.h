/** @file
 *  Calls for the TLM links of the SystemC adapter: begin an access and relate it to the access of
 *  the hop before, put its response, end it.
 *
 *  The rules of recorder_inline.h apply, with two differences. First, generators and handles are
 *  not checked with each call: the owner of the generators prepares them once, and passes only
 *  transactions that ftr_observed_begin() began. Second, the library exports no function for the
 *  other cases: if a function here fails, it has changed nothing, and the caller uses word_calls.h.
 *
 *  The first declared attributes of a prepared generator are the request, the data, two attributes
 *  of the response, two times and the phase. A row is one item with several attributes, a word for
 *  each. The request is a row, known at the begin. The data are up to 8 bytes, known at the begin,
 *  at the end, or never. The response is a row of one or two words.
 */
#ifndef FTR_OBSERVED_CALLS_H
#define FTR_OBSERVED_CALLS_H

#include <ftr/detail/word_calls.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Like ftr_stream_define(), for a stream that belongs to an owner with a name of its own: the
 *  patterns of filters and buffers select the stream if they match @p name or @p owner. */
FTR_API ftr_status ftr_stream_define_of(ftr_recorder *rec, const char *owner, const char *name,
                                        const char *kind, ftr_stream *stream);

/** Returns whether a stream of this owner and name would be recorded, without defining it. */
FTR_API bool ftr_stream_name_is_recorded(const ftr_recorder *rec, const char *owner,
                                         const char *name);

#ifndef FTR_NO_INLINE

/** A generator of accesses, prepared. */
typedef struct ftr_observed_generator {
    const ftr_entity *entity;
    uint64_t generator;     /**< 0: none, or not suitable for these calls */
    uint64_t place;         /**< ftr_tx.place without the slot */
    uint64_t request_head;  /**< head of the row, without the number of words */
    uint64_t data_head;     /**< head of the item, without the number of bytes */
    uint64_t response_head; /**< head of the row, without the number of words */
    uint64_t time_heads[2]; /**< heads of the items of the two attributes that are times */
    uint64_t phase_head;
    /** the kind of the relations from the access of the hop before, as their records contain it */
    uint64_t relation;
} ftr_observed_generator;

/** The number of values of a row, or of bytes, in the head of an item. */
#define FTR_OBSERVED_COUNT(count) ((uint64_t)(count) << 48)

/** Prepares a generator of @p rec.
 *  @param relation the kind of the relations from the access of the hop before
 *  @param requests number of attributes of the request */
FTR_INLINE ftr_observed_generator ftr_observed_prepare(const ftr_recorder *rec,
                                                       ftr_generator generator,
                                                       ftr_relation relation, size_t requests)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    ftr_observed_generator made = {NULL, 0, 0, 0, 0, 0, {0, 0}, 0, 0};
    enum { data, response, dmi_allowed, first_time, second_time, phase, others };
    if (rec == NULL || generator >= __atomic_load_n(&front->entity_count, __ATOMIC_ACQUIRE))
        return made;
    const ftr_entity *entity = &front->entities[generator];
    if (entity->kind != FTR_ENTITY_GENERATOR || entity->attributes.count < requests + others)
        return made;
    const ftr_declared_attribute *const after = entity->attributes.at + requests;
    const uint64_t row = entity->attributes.first | FTR_ITEM_WORDS;
    made.entity = entity;
    made.generator = generator;
    made.place = ftr_place(0, entity->stream);
    made.request_head = row;
    memcpy(&made.data_head, &after[data], sizeof made.data_head);
    made.data_head ^= (uint64_t)(FTR_ITEM_FORM_TEXT ^ FTR_ITEM_FORM_BYTES) << 40;
    made.response_head = row + requests + response;
    memcpy(&made.time_heads[0], &after[first_time], sizeof made.time_heads[0]);
    memcpy(&made.time_heads[1], &after[second_time], sizeof made.time_heads[1]);
    memcpy(&made.phase_head, &after[phase], sizeof made.phase_head);
    made.phase_head ^= (uint64_t)(FTR_ITEM_FORM_TEXT ^ FTR_ITEM_FORM_DEFINED) << 40;
    made.relation = relation | (uint64_t)FTR_RECORD_KIND_RELATION << 32;
    return made;
}

/** Returns a slot for an access, or NULL. The caller writes the words of the request to
 *  ftr_observed_words(), and the data by ftr_observed_put_data(), and then begins the access.
 *  @param is_related true: the access will be related to the access of the hop before */
FTR_INLINE ftr_slot *ftr_observed_slot(ftr_recorder *rec, bool is_related)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (!FTR_LIKELY(__atomic_load_n(&front->owner, __ATOMIC_RELAXED) == ftr_thread_self()))
        return NULL;
    if (is_related && !FTR_LIKELY(front->lane.block->committed + FTR_RECORD_HEADER_SIZE <=
                                  front->lane.block_limit))
        return NULL;
    return front->lane.free_slot;
}

FTR_INLINE uint8_t *ftr_observed_words(const ftr_slot *slot)
{
    return slot->items + sizeof(uint64_t);
}

/** Writes up to 8 bytes of data as an item. Returns the end of the item.
 *  @param data  the bytes, the first one in the lowest bits
 *  @param count number of bytes, at least 1 */
FTR_INLINE uint8_t *ftr_observed_put_data(const ftr_observed_generator *of, uint64_t data,
                                          unsigned count, uint8_t *to)
{
    const uint64_t head = of->data_head | FTR_OBSERVED_COUNT(count);
    memcpy(to, &head, 8);
    memcpy(to + 8, &data, 8);
    return to + FTR_ITEM_SIZE;
}

/** Begins an access, and relates @p outer to it (NULL: none).
 *  @param words number of words of the request
 *  @param fill  size in bytes of the items: the row of the request, and the data, if any */
FTR_INLINE void ftr_observed_begin(ftr_recorder *rec, const ftr_observed_generator *of,
                                   ftr_slot *slot, uint64_t begin, uint64_t words, size_t fill,
                                   const ftr_tx *outer, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const uint64_t head = of->request_head | FTR_OBSERVED_COUNT(words);
    slot->fill = (uint32_t)fill;
    const uint64_t id = front->lane.next_id++;
    const uint64_t place = of->place | slot->handle;
    front->lane.free_slot = slot->next_free;
    memcpy(slot->items, &head, 8);
    slot->begin = begin;
    memcpy(&slot->generator, &of->generator, 8); /* the upper half is 0: no flags */
    slot->entity = of->entity;
    slot->place = place;
    __atomic_store_n(&slot->id, id, __ATOMIC_RELEASE);
    tx->id = id;
    tx->place = place;
    if (outer) {
        ftr_block_front *block = front->lane.block;
        const uint32_t at = block->committed;
        uint8_t *const to = (uint8_t *)block + at;
        memcpy(to, outer, 16);
        memcpy(to + 16, &id, 8);
        memcpy(to + 24, &of->relation, 8);
        memcpy(to + 32, &place, 8);
        __atomic_store_n(&block->committed, (uint32_t)(at + FTR_RECORD_HEADER_SIZE),
                         __ATOMIC_RELEASE);
    }
}

/** Maximum size in bytes of the items of an access that ftr_observed_end() ends. */
#define FTR_OBSERVED_ITEMS 64

/** Ends an access: writes the known part of its record to the block. Returns the address of the
 *  next item, for ftr_observed_put_data() and ftr_observed_put_response(). Returns NULL, without
 *  effect, if the fast path does not apply. The record becomes valid with ftr_observed_commit().
 *  @param slot the slot of the access, with at most FTR_OBSERVED_ITEMS bytes of items; its recorder
 *              must be open */
FTR_INLINE uint8_t *ftr_observed_end(ftr_recorder *rec, ftr_slot *slot, uint64_t id, uint64_t end)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (!FTR_LIKELY(__atomic_load_n(&front->owner, __ATOMIC_RELAXED) == ftr_thread_self()))
        return NULL;
    const uint32_t at = front->lane.block->committed;
    const size_t most =
        FTR_RECORD_HEADER_SIZE + FTR_OBSERVED_ITEMS + FTR_ITEM_SIZE + 2 * FTR_ITEM_SIZE;
    /* The slot belongs to this recorder, so the id identifies the transaction. */
    if (!FTR_LIKELY(slot->id == id && slot->flags == 0 && at + most <= front->lane.block_limit))
        return NULL;
    uint8_t *to = (uint8_t *)front->lane.block + at;
    memcpy(to, &slot->id, 32);
    memcpy(to + 32, &end, 8);
    to += FTR_RECORD_HEADER_SIZE;
    memcpy(to, slot->items, FTR_OBSERVED_ITEMS);
    return to + ftr_slot_fill(slot);
}

/** Writes the row of the response to @p to. Returns the end of the row.
 *  @param is_dmi_allowed 1: also the second attribute of the response, with the value true; 0: only
 *                        the first one */
FTR_INLINE uint8_t *ftr_observed_put_response(const ftr_observed_generator *of, ftr_text response,
                                              unsigned is_dmi_allowed, uint8_t *to)
{
    const uint64_t head = of->response_head | FTR_OBSERVED_COUNT(1 + is_dmi_allowed);
    const uint64_t word = response;
    const uint64_t allowed = 1;
    memcpy(to, &head, 8);
    memcpy(to + 8, &word, 8);
    memcpy(to + 16, &allowed, 8);
    return to + FTR_ITEM_SIZE + FTR_ITEM_SIZE * is_dmi_allowed;
}

/** Makes the record valid that ftr_observed_end() began and that ends at @p to, and frees the slot
 *  of the access. */
FTR_INLINE void ftr_observed_commit(ftr_recorder *rec, ftr_slot *slot, const uint8_t *to)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    ftr_block_front *block = front->lane.block;
    uint8_t *const record = (uint8_t *)block + block->committed;
    const uint64_t fill = (uint64_t)(to - record) - FTR_RECORD_HEADER_SIZE;
    memcpy(record + 16, &fill, 8);
    __atomic_store_n(&block->committed, (uint32_t)(to - (uint8_t *)block), __ATOMIC_RELEASE);
    __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
    slot->next_free = front->lane.free_slot;
    front->lane.free_slot = slot;
}

/** Changes the items of an open access. Between ftr_observed_edit() and ftr_observed_keep(), the
 *  process must not call the recorder. */
typedef struct ftr_observed_edit {
    ftr_slot *slot;
    uint8_t *to; /**< where the next item is written */
} ftr_observed_edit;

/** Opens the items of an access for at most @p more bytes of new items. If @p has_phase is true,
 *  removes the last item, which is a phase. The result has the `slot` NULL, and nothing is changed,
 *  if @p tx is not open in a slot of @p rec, or has no room. */
FTR_INLINE ftr_observed_edit ftr_observed_open(ftr_recorder *rec, ftr_tx tx, bool has_phase,
                                               size_t more)
{
    ftr_observed_edit edit = {NULL, NULL};
    ftr_slot *const slot = ftr_slot_of(rec, tx);
    const uint32_t fill = ftr_slot_fill(slot) - (has_phase ? (uint32_t)FTR_ITEM_SIZE : 0);
    if (!FTR_LIKELY(ftr_slot_holds(slot, tx)) || !FTR_LIKELY(fill + more <= slot->capacity))
        return edit;
    *(volatile uint32_t *)&slot->fill = fill;
    edit.slot = slot;
    edit.to = slot->items + fill;
    return edit;
}

/** Appends an item of one word to opened items. */
FTR_INLINE void ftr_observed_put(ftr_observed_edit *edit, uint64_t head, uint64_t value)
{
    ftr_item_write(edit->to, head, value);
    edit->to += FTR_ITEM_SIZE;
}

/** Makes the opened items part of the transaction. */
FTR_INLINE void ftr_observed_keep(const ftr_observed_edit *edit)
{
    ftr_slot_commit(edit->slot, edit->slot->items, (size_t)(edit->to - edit->slot->items));
}

/** Ends an access with one more item. If @p has_phase is true, first removes the last item of the
 *  access, which is a phase. Returns false, without effect, if the fast path does not apply.
 *  @param end not before the begin
 *  @param head, value the item */
FTR_INLINE bool ftr_observed_end_phased(ftr_recorder *rec, ftr_tx tx, bool has_phase, uint64_t end,
                                        uint64_t head, uint64_t value)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (!FTR_LIKELY(__atomic_load_n(&front->owner, __ATOMIC_RELAXED) == ftr_thread_self()))
        return false;
    ftr_slot *const slot = ftr_slot_of(rec, tx);
    ftr_block_front *block = front->lane.block;
    const uint32_t at = block->committed;
    const uint64_t kept = ftr_slot_fill(slot) - (has_phase ? FTR_ITEM_SIZE : 0);
    const uint64_t fill = kept + FTR_ITEM_SIZE;
    const uint64_t next = at + FTR_RECORD_HEADER_SIZE + fill;
    if (!FTR_LIKELY(ftr_slot_holds(slot, tx) && slot->flags == 0 && end >= slot->begin &&
                    next <= front->lane.block_limit))
        return false;
    uint8_t *to = (uint8_t *)block + at;
    ftr_slot_copy(slot, kept, end, to);
    memcpy(to + 16, &fill, sizeof fill);
    ftr_item_write(to + FTR_RECORD_HEADER_SIZE + kept, head, value);
    __atomic_store_n(&block->committed, (uint32_t)next, __ATOMIC_RELEASE);
    __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
    slot->next_free = front->lane.free_slot;
    front->lane.free_slot = slot;
    return true;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
