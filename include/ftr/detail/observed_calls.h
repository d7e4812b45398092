/** @file
 *  Calls for the TLM links of the SystemC adapter: begin an access and relate it to the access of
 *  the hop before, put its response, end it.
 *
 *  The rules of recorder_inline.h apply, with two differences. First, generators and handles are
 *  not checked with each call: the owner of the generators prepares them once, and passes only
 *  slots of transactions that ftr_observed_begin() began and that have not ended. Second, the
 *  library exports no function for the other cases: the caller first calls ftr_observed_is_on(),
 *  and uses word_calls.h if this function, or one that returns a place, declines.
 *
 *  The first declared attributes of a prepared generator are the request, the data, two attributes
 *  of the response, two times and the phase. A row is one item with several attributes, a word for
 *  each. The request is a row, known at the begin, of which the last word may be missing. The data
 *  are bytes, known at the begin, at the end, or never. The response is a row of one or two words.
 *  The phase is an attribute only of accesses that do not end.
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

/** Number of phases in which an access can be. */
#define FTR_OBSERVED_PHASES 3

/** A generator of accesses, prepared. */
typedef struct ftr_observed_generator {
    const ftr_entity *entity;
    uint64_t generator;     /**< 0: none, or not suitable for these calls */
    uint64_t place;         /**< ftr_tx.place without the slot */
    uint64_t request_head;  /**< head of the row without its last word */
    uint64_t data_head;     /**< head of the item with 8 bytes */
    uint64_t response_head; /**< head of the row with one word */
    uint64_t time_heads[2]; /**< heads of the items of the two attributes that are times */
    /** the kind of the relations from the access of the hop before, as their records contain it */
    uint64_t relation;
    uint64_t phases[FTR_OBSERVED_PHASES]; /**< see ftr_slot.if_unfinished */
} ftr_observed_generator;

/** The number of values of a row, or of bytes, in the head of an item. */
#define FTR_OBSERVED_COUNT(count) ((uint64_t)(count) << 48)

/** Prepares a generator of @p rec.
 *  @param relation the kind of the relations from the access of the hop before
 *  @param requests number of attributes of the request
 *  @param phases   the names of the phases */
FTR_INLINE ftr_observed_generator ftr_observed_prepare(const ftr_recorder *rec,
                                                       ftr_generator generator,
                                                       ftr_relation relation, size_t requests,
                                                       const ftr_text phases[FTR_OBSERVED_PHASES])
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    ftr_observed_generator made = {NULL, 0, 0, 0, 0, 0, {0, 0}, 0, {0, 0, 0}};
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
    made.request_head = row | FTR_OBSERVED_COUNT(requests - 1);
    memcpy(&made.data_head, &after[data], sizeof made.data_head);
    made.data_head ^= (uint64_t)(FTR_ITEM_FORM_TEXT ^ FTR_ITEM_FORM_BYTES) << 40;
    made.data_head |= FTR_OBSERVED_COUNT(sizeof(uint64_t));
    made.response_head = (row + requests + response) | FTR_OBSERVED_COUNT(1);
    memcpy(&made.time_heads[0], &after[first_time], sizeof made.time_heads[0]);
    memcpy(&made.time_heads[1], &after[second_time], sizeof made.time_heads[1]);
    made.relation = relation | (uint64_t)FTR_RECORD_KIND_RELATION << 32;
    for (size_t i = 0; i < FTR_OBSERVED_PHASES; i++)
        made.phases[i] = after[phase].index | (uint64_t)phases[i] << 32;
    return made;
}

/** Returns whether the calling thread can use the following functions. The result is valid until
 *  the thread leaves its code or calls the library. False if there is a time window. */
FTR_INLINE bool ftr_observed_is_on(const ftr_recorder *rec)
{
    return FTR_LIKELY(FTR_SELDOM_CHANGED(((const ftr_recorder_front *)rec)->owner) ==
                      ftr_thread_self());
}

/** The same for the functions that begin a transaction; also true if the time window has no end. */
FTR_INLINE bool ftr_observed_may_begin(const ftr_recorder *rec)
{
    return FTR_LIKELY(FTR_SELDOM_CHANGED(((const ftr_recorder_front *)rec)->window.beginner) ==
                      ftr_thread_self());
}

/** The same for the functions that end the transaction in @p slot at @p end. Without a time window,
 *  only the first comparison is made. */
FTR_INLINE bool ftr_observed_may_end(const ftr_recorder *rec, const ftr_slot *slot, uint64_t end)
{
    return FTR_LIKELY(ftr_way_of_end(rec, slot->id, end) == FTR_WAY_RECORD);
}

/** Ends a transaction that ends before the time window. Returns false, without effect, if the fast
 *  path does not apply. */
FTR_INLINE bool ftr_observed_discard(ftr_recorder *rec, ftr_tx tx, uint64_t end)
{
    return ftr_way_of_end(rec, tx.id, end) == FTR_WAY_SKIP &&
           ftr_tx_discard(rec, tx, end, 0, FTR_TRUST_TX);
}

/** Counts a transaction that is not in the time window, and that the caller has not begun. */
FTR_INLINE void ftr_observed_count_skipped(ftr_recorder *rec)
{
    FTR_COUNT(((ftr_recorder_front *)rec)->window.skipped, 1);
}

/* ---- items ----------------------------------------------------------------------------------- */

/** Writes up to 8 bytes of data as an item. Returns the end of the item.
 *  @param data  the bytes, the first one in the lowest bits
 *  @param count number of bytes, at least 1 */
FTR_INLINE uint8_t *ftr_observed_put_data(const ftr_observed_generator *of, uint64_t data,
                                          unsigned count, uint8_t *to)
{
    const uint64_t head = of->data_head - FTR_OBSERVED_COUNT(sizeof data - count);
    memcpy(to, &head, 8);
    memcpy(to + 8, &data, 8);
    return to + FTR_ITEM_SIZE;
}

/** Returns the size in bytes of an item with more than 8 bytes of data. */
FTR_INLINE size_t ftr_observed_bytes_size(size_t count)
{
    return FTR_ITEM_SIZE + ftr_item_pad(count);
}

/** Writes more than 8 bytes of data as an item. Returns the end of the item. */
FTR_INLINE uint8_t *ftr_observed_put_bytes(const ftr_observed_generator *of, const void *bytes,
                                           size_t count, uint8_t *to)
{
    const uint64_t head = of->data_head - FTR_OBSERVED_COUNT(sizeof(uint64_t));
    const uint64_t value = count;
    memcpy(to, &head, 8);
    memcpy(to + 8, &value, 8);
    memcpy(to + FTR_ITEM_SIZE, bytes, count);
    return to + ftr_observed_bytes_size(count);
}

/** Writes the row of the response to @p to. Returns the end of the row.
 *  @param is_dmi_allowed true: also the second attribute of the response, with the value true */
FTR_INLINE uint8_t *ftr_observed_put_response(const ftr_observed_generator *of, ftr_text response,
                                              bool is_dmi_allowed, uint8_t *to)
{
    uint64_t head = of->response_head;
    const uint64_t word = response;
    const uint64_t allowed = 1;
    memcpy(to + 8, &word, 8);
    if (__builtin_expect(is_dmi_allowed, 0)) {
        head += FTR_OBSERVED_COUNT(1);
        memcpy(to, &head, 8);
        memcpy(to + 16, &allowed, 8);
        return to + 2 * FTR_ITEM_SIZE;
    }
    memcpy(to, &head, 8);
    return to + FTR_ITEM_SIZE;
}

/** Writes an item of one word. Returns its end. */
FTR_INLINE uint8_t *ftr_observed_put(uint64_t head, uint64_t value, uint8_t *to)
{
    memcpy(to, &head, 8);
    memcpy(to + 8, &value, 8);
    return to + FTR_ITEM_SIZE;
}

/* ---- begin ----------------------------------------------------------------------------------- */

/** The places of a transaction that begins, and of its relation. */
typedef struct ftr_observed_place {
    ftr_slot *slot;         /**< NULL: the fast path does not apply */
    uint8_t *items;         /**< of the slot */
    ftr_block_front *block; /**< NULL: no relation */
    uint32_t committed;     /**< of the block */
} ftr_observed_place;

/** Returns the places of an access. The caller writes the row of the request to `items`, and the
 *  data behind it, and then begins the access.
 *  @param is_related true: the access will be related to the access of the hop before */
FTR_INLINE ftr_observed_place ftr_observed_find_place(const ftr_recorder *rec, bool is_related)
{
    const ftr_lane_front *const lane = &((const ftr_recorder_front *)rec)->lane;
    ftr_observed_place place = {lane->free_slot, NULL, NULL, 0};
    if (!FTR_LIKELY(place.slot))
        return place;
    place.items = place.slot->items;
    if (is_related) {
        place.block = lane->block;
        place.committed = place.block->committed;
        if (!FTR_LIKELY(place.committed + FTR_RECORD_HEADER_SIZE <= lane->block_limit))
            place.slot = NULL;
    }
    return place;
}

/** Begins an access, and relates @p outer to it.
 *  @param outer valid if the place has a block
 *  @param fill  size in bytes of the items: the row of the request, and the data, if any */
FTR_INLINE void ftr_observed_begin(ftr_recorder *rec, const ftr_observed_generator *of,
                                   ftr_observed_place at, uint64_t begin, size_t fill,
                                   const ftr_tx *outer, ftr_tx *tx)
{
    ftr_lane_front *const lane = &((ftr_recorder_front *)rec)->lane;
    ftr_slot *const slot = at.slot;
    const uint64_t id = lane->next_id++;
    const uint64_t place = of->place | slot->handle;
    lane->free_slot = slot->next_free;
    slot->fill = (uint32_t)fill;
    slot->begin = begin;
    memcpy(&slot->generator, &of->generator, 8); /* the upper half is 0: no flags */
    slot->entity = of->entity;
    slot->place = place;
    __atomic_store_n(&slot->id, id, __ATOMIC_RELEASE);
    tx->id = id;
    tx->place = place;
    if (at.block) {
        uint8_t *const to = (uint8_t *)at.block + at.committed;
        memcpy(to, outer, 16);
        memcpy(to + 16, &id, 8);
        memcpy(to + 24, &of->relation, 8);
        memcpy(to + 32, &place, 8);
        __atomic_store_n(&at.block->committed, at.committed + (uint32_t)FTR_RECORD_HEADER_SIZE,
                         __ATOMIC_RELEASE);
    }
}

/* ---- while the access is open ---------------------------------------------------------------- */

/** Returns the end of the items of an open access, where the caller writes further items; the slot
 *  must have room. ftr_observed_keep() makes them part of the access. */
FTR_INLINE uint8_t *ftr_observed_items_end(const ftr_slot *slot)
{
    return slot->items + slot->fill;
}

/** Returns the end of the room for the items of a slot. */
FTR_INLINE const uint8_t *ftr_observed_room_end(const ftr_slot *slot)
{
    return slot->items + slot->capacity;
}

/** @param to the end of the items */
FTR_INLINE void ftr_observed_keep(ftr_slot *slot, const uint8_t *to)
{
    ftr_slot_commit(slot, slot->items, (size_t)(to - slot->items));
}

/** Sets the phase of an open access. @p phase: a member of ftr_observed_generator.phases; 0: the
 *  access will end, and has no phase any more */
FTR_INLINE void ftr_observed_set_phase(ftr_slot *slot, uint64_t phase)
{
    *(volatile uint64_t *)&slot->if_unfinished = phase;
}

/** Returns a handle of the access with this id, which may have ended. */
FTR_INLINE ftr_tx ftr_observed_tx(const ftr_recorder *rec, const ftr_observed_generator *of,
                                  uint64_t id)
{
    const ftr_tx tx = {id, of->place | ((const ftr_recorder_front *)rec)->slot_tag};
    return tx;
}

/** Returns the slot of any open transaction, or NULL. Can always be called. */
FTR_INLINE ftr_slot *ftr_observed_slot_of(const ftr_recorder *rec, ftr_tx tx)
{
    ftr_slot *const slot = ftr_slot_of(rec, tx);
    return ftr_slot_holds(slot, tx) ? slot : NULL;
}

/* ---- end ------------------------------------------------------------------------------------- */

/** The record of an access that ends. */
typedef struct ftr_observed_record {
    ftr_block_front *block; /**< NULL: the fast path does not apply */
    uint8_t *at;
    uint8_t *to;          /**< the end of the items */
    const uint8_t *limit; /**< the end of the room for further items */
} ftr_observed_record;

/** Ends an access: writes the known part of its record to the block, where there is room for @p
 *  more bytes of items. The caller writes these, and makes the record valid by
 *  ftr_observed_commit().
 *  @param most   maximum size in bytes of the items in the slot; a constant, so that the items are
 *                copied without a loop
 *  @param is_max false: more items are possible, but not usual; a constant */
FTR_INLINE ftr_observed_record ftr_observed_end(ftr_recorder *rec, const ftr_slot *slot,
                                                uint64_t end, size_t most, bool is_max, size_t more)
{
    const ftr_lane_front *const lane = &((const ftr_recorder_front *)rec)->lane;
    ftr_block_front *const block = lane->block;
    const uint64_t at = block->committed;
    const size_t fill = slot->fill;
    const bool is_usual = is_max || FTR_LIKELY(fill <= most);
    const size_t copied = is_usual ? most : fill;
    ftr_observed_record record = {NULL, (uint8_t *)block + at, NULL,
                                  (uint8_t *)block + lane->block_limit};
    if (!FTR_LIKELY(at + FTR_RECORD_HEADER_SIZE + copied + more <= lane->block_limit))
        return record;
    record.block = block;
    memcpy(record.at, &slot->id, 32);
    memcpy(record.at + 32, &end, 8);
    memcpy(record.at + FTR_RECORD_HEADER_SIZE, slot->items, most);
    if (!is_usual)
        memcpy(record.at + FTR_RECORD_HEADER_SIZE + most, slot->items + most, fill - most);
    record.to = record.at + FTR_RECORD_HEADER_SIZE + fill;
    return record;
}

/** Makes the record valid that ftr_observed_end() began, and frees the slot of the access. */
FTR_INLINE void ftr_observed_commit(ftr_recorder *rec, ftr_slot *slot, ftr_observed_record record)
{
    ftr_lane_front *const lane = &((ftr_recorder_front *)rec)->lane;
    const uint64_t fill = (uint64_t)(record.to - record.at) - FTR_RECORD_HEADER_SIZE;
    memcpy(record.at + 16, &fill, 8);
    __atomic_store_n(&record.block->committed, (uint32_t)(record.to - (uint8_t *)record.block),
                     __ATOMIC_RELEASE);
    __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
    slot->next_free = lane->free_slot;
    lane->free_slot = slot;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
