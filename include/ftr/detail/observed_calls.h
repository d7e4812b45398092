/** @file
 *  Calls for the TLM links of the SystemC adapter. One step begins an observed call and relates it
 *  to the enclosing call; one step ends the call and records its twin.
 *
 *  The rules of recorder_inline.h apply, with two differences. First, generators and handles are
 *  not checked with each call: the owner of the generators prepares them once, and passes only
 *  transactions that ftr_observed_begin() began. Second, the library exports no function for the
 *  other cases: if a function here fails, it has changed nothing, and the caller uses word_calls.h.
 *
 *  The attributes of an observed call are the request, the data and the response. The request is a
 *  row of words at the begin. The data is one value, known at the begin, at the end, or never. The
 *  response is a row of three words at the end.
 */
#ifndef FTR_OBSERVED_CALLS_H
#define FTR_OBSERVED_CALLS_H

#include <ftr/detail/word_calls.h>

#ifdef __cplusplus
extern "C" {
#endif

/** In place of an attribute, marks an item that copies words: the attributes of its transaction are
 *  words of another transaction, which the same lane recorded directly before, in the same block.
 *  The item is the only item of its transaction. The upper half of its head is the distance in
 *  bytes to the items of the other transaction. The value lists the words: see
 *  FTR_COPIED_RANGE(). */
#define FTR_ITEM_COPIED UINT32_C(0xfffffffe)
/** Size in bytes of the record of a transaction with copied attributes. */
#define FTR_COPIED_RECORD_SIZE (FTR_RECORD_HEADER_SIZE + FTR_ITEM_SIZE)
/** Maximum number of ranges in the value of an item that copies words. */
#define FTR_COPIED_RANGES 4

/** Range @p number of copied words, as a part of a value: @p count words from word @p first on. The
 *  words of the other transaction are numbered in the order of its items. The words of all ranges,
 *  from the lowest bits of the value on, are the first declared attributes of the generator. */
#define FTR_COPIED_RANGE(number, first, count) \
    (((uint64_t)(first) | (uint64_t)(count) << 8) << (16 * (number)))

/** Returns whether a stream of this name would be recorded, without defining it. */
FTR_API bool ftr_stream_name_is_recorded(const ftr_recorder *rec, const char *name);

#ifndef FTR_NO_INLINE

#define FTR_OBSERVED_RESPONSE_WORDS 3

/** The prepared generators of observed calls. */
typedef struct ftr_observed_generator {
    const ftr_entity *entity;
    uint64_t generator; /**< 0: none, or not suitable for these calls */
    uint64_t place;     /**< ftr_tx.place without the slot */
    uint64_t request_head;
    uint64_t data_head;
    uint64_t response_head;
    /** the kind of the relations from an outer call to a call, and from a call to its twin, as
     * their records contain it */
    uint64_t relation;
    uint64_t twin_generator; /**< 0: the calls have no twins */
    uint64_t twin_place;
} ftr_observed_generator;

/** Prepares a generator of @p rec. The first attributes of the generator are those of the request,
 * the data and the response.
 *  @param twin     0: none
 *  @param relation the kind of the relations from an outer call to a call, and from a call to its
 *                  twin
 *  @param requests number of words of the request */
FTR_INLINE ftr_observed_generator ftr_observed_prepare(const ftr_recorder *rec,
                                                       ftr_generator generator, ftr_generator twin,
                                                       ftr_relation relation, size_t requests)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    ftr_observed_generator made = {NULL, 0, 0, 0, 0, 0, 0, 0, 0};
    const ftr_generator last = generator > twin ? generator : twin;
    if (rec == NULL || last >= __atomic_load_n(&front->entity_count, __ATOMIC_ACQUIRE))
        return made;
    const ftr_entity *entity = &front->entities[generator];
    if (entity->kind != FTR_ENTITY_GENERATOR ||
        (twin && front->entities[twin].kind != FTR_ENTITY_GENERATOR) ||
        entity->attributes.count < requests + 1 + FTR_OBSERVED_RESPONSE_WORDS)
        return made;
    const uint64_t row = entity->attributes.first | FTR_ITEM_WORDS;
    made.entity = entity;
    made.generator = generator;
    made.place = ftr_place(0, entity->stream);
    made.request_head = row | (uint64_t)requests << 48;
    memcpy(&made.data_head, &entity->attributes.at[requests], sizeof made.data_head);
    made.response_head = (row + requests + 1) | (uint64_t)FTR_OBSERVED_RESPONSE_WORDS << 48;
    made.relation = relation | (uint64_t)FTR_RECORD_KIND_RELATION << 32;
    made.twin_generator = twin;
    /* A twin is never open. Its handle names the first slot, which never has the id of a twin, so
     * calls with this handle find no transaction. */
    made.twin_place = twin ? ftr_place(front->slot_tag, front->entities[twin].stream) : 0;
    return made;
}

/** Returns a slot for a call, or NULL. The caller writes the words of the request to
 *  ftr_observed_words(), and the data by ftr_observed_put_data(), and then begins the call.
 *  @param is_related true: the call will be related to an outer call */
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

/** Writes the data as an item. Returns the end of the item. */
FTR_INLINE uint8_t *ftr_observed_put_data(const ftr_observed_generator *of, uint64_t data,
                                          uint8_t *to)
{
    memcpy(to, &of->data_head, 8);
    memcpy(to + 8, &data, 8);
    return to + FTR_ITEM_SIZE;
}

/** Writes a relation record at @p to. */
FTR_INLINE void ftr_observed_put_relation(const ftr_observed_generator *of, const ftr_tx *from,
                                          uint64_t id, uint64_t place, uint8_t *to)
{
    memcpy(to, from, 16);
    memcpy(to + 16, &id, 8);
    memcpy(to + 24, &of->relation, 8);
    memcpy(to + 32, &place, 8);
}

/** Begins a call, and relates @p outer to it (NULL: none).
 *  @param fill size in bytes of the call's items: the row of the request, and the data, if any */
FTR_INLINE void ftr_observed_begin(ftr_recorder *rec, const ftr_observed_generator *of,
                                   ftr_slot *slot, uint64_t begin, size_t fill, const ftr_tx *outer,
                                   ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    slot->fill = (uint32_t)fill;
    const uint64_t id = front->lane.next_id++;
    const uint64_t place = of->place | slot->handle;
    front->lane.free_slot = slot->next_free;
    memcpy(slot->items, &of->request_head, 8);
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
        ftr_observed_put_relation(of, outer, id, place, (uint8_t *)block + at);
        __atomic_store_n(&block->committed, (uint32_t)(at + FTR_RECORD_HEADER_SIZE),
                         __ATOMIC_RELEASE);
    }
}

/** Ends a call: writes the known part of its record to the block. Returns the address of the next
 *  item, for ftr_observed_put_data() and ftr_observed_put_response(). Returns NULL, without effect,
 *  if the fast path does not apply. The record becomes valid with ftr_observed_commit().
 *  @param slot the slot of the call; its recorder must be open
 *  @param requests number of words of the request, a constant */
FTR_INLINE uint8_t *ftr_observed_end(ftr_recorder *rec, ftr_slot *slot, uint64_t id, uint64_t end,
                                     size_t requests)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (!FTR_LIKELY(__atomic_load_n(&front->owner, __ATOMIC_RELAXED) == ftr_thread_self()))
        return NULL;
    const uint32_t at = front->lane.block->committed;
    const size_t most = FTR_RECORD_HEADER_SIZE + ftr_words_size(requests) + FTR_ITEM_SIZE +
                        ftr_words_size(FTR_OBSERVED_RESPONSE_WORDS) + FTR_COPIED_RECORD_SIZE +
                        FTR_RECORD_HEADER_SIZE;
    /* The slot belongs to this recorder, so the id identifies the transaction. */
    if (!FTR_LIKELY(slot->id == id && slot->flags == 0 && at + most <= front->lane.block_limit))
        return NULL;
    uint8_t *to = (uint8_t *)front->lane.block + at;
    memcpy(to, &slot->id, 32);
    memcpy(to + 32, &end, 8);
    to += FTR_RECORD_HEADER_SIZE;
    memcpy(to, slot->items, ftr_words_size(requests) + FTR_ITEM_SIZE);
    return to + ftr_slot_fill(slot);
}

/** Writes the row of the response to @p to. This completes the items of the call. Returns the end
 *  of the row. */
FTR_INLINE uint8_t *ftr_observed_put_response(ftr_recorder *rec, const ftr_observed_generator *of,
                                              uint64_t first, uint64_t second, uint64_t third,
                                              uint8_t *to)
{
    memcpy(to, &of->response_head, 8);
    memcpy(to + 8, &first, 8);
    memcpy(to + 16, &second, 8);
    memcpy(to + 24, &third, 8);
    to += ftr_words_size(FTR_OBSERVED_RESPONSE_WORDS);
    const ftr_block_front *block = ((ftr_recorder_front *)rec)->lane.block;
    uint8_t *record = (uint8_t *)block + block->committed;
    const uint64_t fill = (uint64_t)(to - record) - FTR_RECORD_HEADER_SIZE;
    memcpy(record + 16, &fill, 8);
    return to;
}

/** Writes the record of a twin, and the relation from the call to the twin, to @p to, where the
 * record of the call ends. Returns the end of the relation. @param ranges FTR_COPIED_RANGE() */
FTR_INLINE uint8_t *ftr_observed_put_twin(ftr_recorder *rec, const ftr_observed_generator *of,
                                          const ftr_tx *tx, uint64_t begin, uint64_t end,
                                          uint64_t ranges, uint8_t *to)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const ftr_block_front *block = front->lane.block;
    const uint64_t id = front->lane.next_id++;
    const uint64_t items_size = FTR_ITEM_SIZE;
    const uint64_t distance = (uint64_t)(to - ((uint8_t *)block + block->committed));
    const uint64_t head = FTR_ITEM_COPIED | distance << 32;
    memcpy(to, &id, 8);
    memcpy(to + 8, &begin, 8);
    memcpy(to + 16, &items_size, 8);
    memcpy(to + 24, &of->twin_generator, 8); /* the upper half is 0: a transaction */
    memcpy(to + 32, &end, 8);
    memcpy(to + 40, &head, 8);
    memcpy(to + 48, &ranges, 8);
    to += FTR_COPIED_RECORD_SIZE;
    ftr_observed_put_relation(of, tx, id, of->twin_place, to);
    return to + FTR_RECORD_HEADER_SIZE;
}

/** Makes the records that end at @p to valid, and frees the slot of the call. */
FTR_INLINE void ftr_observed_commit(ftr_recorder *rec, ftr_slot *slot, const uint8_t *to)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    ftr_block_front *block = front->lane.block;
    __atomic_store_n(&block->committed, (uint32_t)(to - (uint8_t *)block), __ATOMIC_RELEASE);
    __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
    slot->next_free = front->lane.free_slot;
    front->lane.free_slot = slot;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
