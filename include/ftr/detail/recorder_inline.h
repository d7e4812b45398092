/** @file
 *  Inline versions of the most frequent calls of transaction.h. Included by recorder.h, unless
 *  FTR_NO_INLINE is defined.
 *
 *  Begin, end, record and relation take the fast path only on the thread that recorded first; puts
 *  take it on any thread. In both cases, the handle must be valid, and there must be space. Other
 *  calls go to the exported function of the same name, which checks everything again. */
#ifndef FTR_RECORDER_INLINE_H
#define FTR_RECORDER_INLINE_H

#include <string.h>

#include <ftr/detail/inline_macros.h>
#include <ftr/detail/item_inline.h>
#include <ftr/detail/recorder_layout.h>
#include <ftr/detail/text_inline.h>
#include <ftr/detail/window_inline.h>
#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns a copy of @p tx. GCC does not see where its values come from; otherwise it would keep @p
 * tx in a vector register and extract each member on every access. */
FTR_INLINE ftr_tx ftr_tx_copy(ftr_tx tx)
{
    uint64_t id = tx.id;
    uint64_t place = tx.place;
    __asm__("" : "+r"(id), "+r"(place));
    ftr_tx copy = {id, place};
    return copy;
}

/** Returns a value that is different for each living thread. */
FTR_INLINE uintptr_t ftr_thread_self(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    uintptr_t self; /* the thread control block begins with its own address */
    __asm__("{movq %%fs:0, %0|mov %0, qword ptr fs:0}" : "=r"(self));
    return self;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/** Returns whether the calling thread can use the fast path, and @p handle is valid. The entry of a
 * valid handle is complete, because a thread gets a handle only when its entry is complete. */
FTR_INLINE bool ftr_is_usual_call(const ftr_recorder *rec, uint32_t handle)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    return FTR_LIKELY(rec) && FTR_LIKELY(FTR_SELDOM_CHANGED(front->owner) == ftr_thread_self()) &&
           FTR_LIKELY(handle < FTR_SELDOM_CHANGED(front->entity_count));
}

/** Returns the definition of a generator if the calling thread can use the fast path with it,
 * otherwise NULL. */
FTR_INLINE const ftr_entity *ftr_usual_generator(const ftr_recorder *rec, ftr_generator generator)
{
    if (!ftr_is_usual_call(rec, generator))
        return NULL;
    const ftr_entity *entity = &((const ftr_recorder_front *)rec)->entities[generator];
    return FTR_LIKELY(entity->kind == FTR_ENTITY_GENERATOR) ? entity : NULL;
}

/** Returns the value of ftr_tx.place for a slot and a stream: the slot's handle in the lower half,
 * the stream in the upper half. */
FTR_INLINE uint64_t ftr_place(uint32_t slot, ftr_stream stream)
{
    return slot | (uint64_t)stream << 32;
}

/** Returns ftr_place() with the stream of a generator. The function reads the kind and the stream
 * of the generator as one word, and replaces the lower half of this word by the slot. */
FTR_INLINE uint64_t ftr_place_of(uint32_t slot, const ftr_entity *generator)
{
    uint64_t kind_and_stream;
    memcpy(&kind_and_stream, &generator->kind, sizeof kind_and_stream);
    return kind_and_stream - FTR_ENTITY_GENERATOR + slot;
}

/** Starts a transaction without items in a free slot, and sets @p tx to its handle. */
FTR_INLINE void ftr_slot_start(ftr_slot *slot, ftr_generator generator, uint64_t place,
                               const ftr_entity *entity, uint64_t id, uint64_t begin,
                               uint32_t flags, ftr_tx *tx)
{
    tx->place = place;
    tx->id = id;
    volatile ftr_slot *begun = slot;
    begun->place = place;
    begun->begin = begin;
    begun->fill = 0;
    begun->generator = generator;
    begun->flags = flags;
    begun->entity = entity;
    FTR_STORE_LAST(slot->id, id);
}

FTR_COLD_CALL(ftr_tx_begin, ftr_recorder *rec, ftr_generator generator, uint64_t begin, ftr_tx *tx);

/** Calls the exported function with a local handle, so that the handle of the caller can stay in
 * registers. */
FTR_INLINE ftr_status ftr_tx_begin_out_of_line(ftr_recorder *rec, ftr_generator generator,
                                               uint64_t begin, ftr_tx *tx)
{
    if (!tx)
        return ftr_tx_begin_in_full(rec, generator, begin, NULL);
    ftr_tx begun = {0, 0};
    ftr_status status = ftr_tx_begin_in_full(rec, generator, begin, &begun);
    tx->id = begun.id;
    tx->place = begun.place;
    return status;
}

FTR_INLINE ftr_status ftr_tx_begin_inline(ftr_recorder *rec, ftr_generator generator,
                                          uint64_t begin, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const ftr_entity *entity = ftr_usual_generator(rec, generator);
    if (FTR_LIKELY(entity) && FTR_LIKELY(tx) && FTR_LIKELY(front->lane.free_slot)) {
        ftr_slot *slot = front->lane.free_slot;
        front->lane.free_slot = slot->next_free;
        uint64_t id = front->lane.next_id++;
        ftr_slot_start(slot, generator, ftr_place_of(slot->handle, entity), entity, id, begin, 0,
                       tx);
        return FTR_OK;
    }
    return ftr_tx_begin_out_of_line(rec, generator, begin, tx);
}

/** Sets the number of bytes of items to @p fill, which includes the last item, written at @p item.
 * No other thread reads `fill` while the transaction is open. But after a crash, `fill` must not
 * count bytes that are not written: the empty instruction reads the item, so the item is written
 * first. */
FTR_INLINE void ftr_slot_commit(ftr_slot *slot, const uint8_t *item, size_t fill)
{
    __asm__ volatile("" : : "m"(*(const char(*)[FTR_TEXT_SIZE_MAX])(const void *)item));
    *(volatile uint32_t *)&slot->fill = (uint32_t)fill;
}

/** Returns the slot that @p tx is in if @p tx is valid. The slot can be read in any case. */
FTR_INLINE ftr_slot *ftr_slot_of(const ftr_recorder *rec, ftr_tx tx)
{
    ftr_slot *slots = FTR_SELDOM_CHANGED(((const ftr_recorder_front *)rec)->slots);
    return (ftr_slot *)((uint8_t *)slots + (tx.place & FTR_SLOT_PLACE));
}

/** Returns true if @p tx is in @p slot. Another recorder can have a transaction with the same id,
 * so the place is compared, too. */
FTR_PEEK bool ftr_slot_holds(const ftr_slot *slot, ftr_tx tx)
{
    return FTR_LIKELY(slot->id == tx.id) && FTR_LIKELY(slot->place == tx.place);
}

/** Returns the number of bytes of items; only meaningful if the slot holds the caller's
 * transaction. */
FTR_PEEK uint32_t ftr_slot_fill(const ftr_slot *slot)
{
    return slot->fill;
}

/** This number of bytes is copied even if there are fewer bytes of items, which saves a test. */
#define FTR_COPIED_AT_ONCE 64

/** Writes the record of a transaction that ends at the time @p end to the address @p to. */
FTR_INLINE void ftr_slot_copy(const ftr_slot *slot, size_t fill, uint64_t end, uint8_t *to)
{
    memcpy(to, &slot->id, 32);
    memcpy(to + 32, &end, sizeof end);
    if (fill == 0)
        return;
    to += FTR_RECORD_HEADER_SIZE;
    const uint8_t *from = slot->items;
    /* May copy more bytes than there are items: slots have these bytes, and blocks have space for
     * them. */
    memcpy(to, from, FTR_COPIED_AT_ONCE);
    if (FTR_LIKELY(fill <= FTR_COPIED_AT_ONCE))
        return;
    memcpy(to + FTR_COPIED_AT_ONCE, from + FTR_COPIED_AT_ONCE, 32);
    for (size_t i = FTR_COPIED_AT_ONCE + 32; __builtin_expect(i < fill, 0); i += 32)
        memcpy(to + i, from + i, 32);
}

FTR_COLD_CALL(ftr_tx_end, ftr_recorder *rec, ftr_tx tx, uint64_t end);

FTR_INLINE ftr_status ftr_tx_end_inline(ftr_recorder *rec, ftr_tx tx, uint64_t end)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (FTR_LIKELY(rec) && FTR_LIKELY(FTR_SELDOM_CHANGED(front->owner) == ftr_thread_self())) {
        ftr_slot *slot = ftr_slot_of(rec, tx);
        ftr_block_front *block = front->lane.block;
        const uint32_t at = block->committed;
        const uint32_t fill = ftr_slot_fill(slot);
        const uint64_t next = at + FTR_RECORD_HEADER_SIZE + fill;
        if (FTR_LIKELY(ftr_slot_holds(slot, tx)) && FTR_LIKELY(end >= slot->begin) &&
            FTR_LIKELY(slot->flags == 0) && FTR_LIKELY(next <= front->lane.block_limit)) {
            ftr_slot_copy(slot, fill, end, (uint8_t *)block + at);
            __atomic_store_n(&block->committed, (uint32_t)next, __ATOMIC_RELEASE);
            __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
            slot->next_free = front->lane.free_slot;
            front->lane.free_slot = slot;
            return FTR_OK;
        }
    }
    return ftr_tx_end_in_full(rec, ftr_tx_copy(tx), end);
}

/** Returns whether @p size more bytes of items fit into the slot. */
FTR_INLINE bool ftr_slot_has_room(const ftr_slot *slot, size_t size)
{
    return slot->fill + size <= slot->capacity;
}

/** Returns the number of bytes of items that fit into the slot behind the first @p fill bytes. For
 * a measured text, reads the capacity again, so that it need not stay in a register since an
 * earlier comparison. */
FTR_INLINE size_t ftr_slot_room(const ftr_slot *slot, ftr_text_source from, size_t fill)
{
    const uint32_t *capacity = &slot->capacity;
    return (from.is_measured ? *(const volatile uint32_t *)capacity : *capacity) - fill;
}

/** Returns whether the generator of an open transaction declares the attribute number @p attribute
 * with values of @p form. */
FTR_INLINE bool ftr_slot_declares(const ftr_slot *slot, unsigned attribute, unsigned form)
{
    const ftr_entity *entity = slot->entity;
    if (__builtin_constant_p(attribute) && attribute < FTR_ENTITY_HEADS)
        return FTR_LIKELY(entity->heads[attribute].form == form);
    return FTR_LIKELY(attribute < entity->attributes.count) &&
           FTR_LIKELY(entity->attributes.at[attribute].form == form);
}

/** Puts an item of one word. Returns false if the fast path does not apply. */
FTR_INLINE bool ftr_slot_put_word(ftr_recorder *rec, ftr_tx tx, unsigned attribute, unsigned form,
                                  uint64_t value)
{
    if (!FTR_LIKELY(rec))
        return false;
    ftr_slot *slot = ftr_slot_of(rec, tx);
    if (!FTR_LIKELY(ftr_slot_holds(slot, tx)) || !ftr_slot_declares(slot, attribute, form))
        return false;
    const uint32_t fill = slot->fill;
    if (!FTR_LIKELY(fill + (uint32_t)FTR_ITEM_SIZE <= slot->capacity))
        return false;
    ftr_item_write(slot->items + fill, ftr_declared_head(slot->entity, attribute), value);
    *(volatile uint32_t *)&slot->fill = fill + (uint32_t)FTR_ITEM_SIZE;
    return true;
}

FTR_COLD_CALL(ftr_tx_put_bool, ftr_recorder *rec, ftr_tx tx, unsigned attribute, bool value);
FTR_COLD_CALL(ftr_tx_put_int, ftr_recorder *rec, ftr_tx tx, unsigned attribute, int64_t value);
FTR_COLD_CALL(ftr_tx_put_number, ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t value);
FTR_COLD_CALL(ftr_tx_put_real, ftr_recorder *rec, ftr_tx tx, unsigned attribute, double value);
FTR_COLD_CALL(ftr_tx_put_text, ftr_recorder *rec, ftr_tx tx, unsigned attribute, const char *text,
              size_t length);

FTR_INLINE ftr_status ftr_tx_put_bool_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             bool value)
{
    return FTR_LIKELY(ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_BOOLEAN, value))
               ? FTR_OK
               : ftr_tx_put_bool_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

FTR_INLINE ftr_status ftr_tx_put_int_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                            int64_t value)
{
    return FTR_LIKELY(ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_INTEGER, (uint64_t)value))
               ? FTR_OK
               : ftr_tx_put_int_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

FTR_INLINE ftr_status ftr_tx_put_number_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                               uint64_t value)
{
    return FTR_LIKELY(ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_NUMBER, value))
               ? FTR_OK
               : ftr_tx_put_number_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

FTR_INLINE ftr_status ftr_tx_put_real_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return FTR_LIKELY(ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_REAL, bits))
               ? FTR_OK
               : ftr_tx_put_real_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

/** Puts an item with a text. Returns false if the fast path does not apply. */
FTR_INLINE bool ftr_slot_put_text(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                  ftr_text_source from)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    if (!FTR_LIKELY(rec))
        return false;
    ftr_slot *slot = ftr_slot_of(rec, tx);
    if (!FTR_LIKELY(ftr_slot_holds(slot, tx)) ||
        !ftr_slot_declares(slot, attribute, FTR_ITEM_FORM_TEXT))
        return false;
    const size_t fill = slot->fill;
    const size_t least = ftr_text_least(from);
    size_t next = fill + FTR_ITEM_SIZE + least;
    /* The new fill is computed from `next`, so that `fill` need not stay in a register. */
    __asm__("" : "+r"(next));
    if (!FTR_LIKELY((uint32_t)next <= slot->capacity))
        return false;
    uint8_t *to = slot->items + fill;
    /* Written first, so that no register holds the head while the text is copied. */
    ftr_item_write_head(to, ftr_declared_head(slot->entity, attribute));
    size_t size;
    if (!ftr_text_put_short(front, from, to + FTR_ITEM_SIZE, &size) &&
        !ftr_text_put_any(front, from, to + FTR_ITEM_SIZE, ftr_slot_room(slot, from, next - least),
                          &size))
        return false;
    ftr_item_write_value(to, size);
    ftr_slot_commit(slot, to, next + ftr_item_pad(size) - least);
    return true;
}

FTR_INLINE ftr_status ftr_tx_put_text_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             const char *text, size_t length)
{
    const ftr_text_source from = ftr_text_source_of(text, length);
    if (FTR_LIKELY(ftr_slot_put_text(rec, tx, attribute, from)))
        return FTR_OK;
    return ftr_tx_put_text_in_full(rec, ftr_tx_copy(tx), attribute, from.text, from.length);
}

/** Returns whether @p tx was certainly a transaction of this recorder. False for ids that are not
 * below the next id of this thread. */
FTR_INLINE bool ftr_tx_was_begun(const ftr_recorder_front *front, ftr_tx tx)
{
    return tx.id - 1 < front->lane.next_id - 1 &&
           ftr_tx_stream(tx) - 1 < __atomic_load_n(&front->entity_count, __ATOMIC_RELAXED) - 1 &&
           (((uint32_t)tx.place ^ front->slot_tag) & ~FTR_SLOT_PLACE) == 0;
}

/** Returns whether a relation from @p from can be written on the fast path, into the current block
 *  of the calling thread. */
FTR_INLINE bool ftr_may_relate(const ftr_recorder_front *front, ftr_relation relation, ftr_tx from)
{
    return relation - 1 < __atomic_load_n(&front->relation_count, __ATOMIC_ACQUIRE) - 1 &&
           ftr_tx_was_begun(front, from) &&
           front->lane.block->committed + FTR_RECORD_HEADER_SIZE <= front->lane.block_limit;
}

/** Writes a relation behind a block's last record. */
FTR_INLINE void ftr_block_commit_relation(ftr_block_front *block, ftr_relation relation,
                                          ftr_tx from, ftr_tx to)
{
    const uint32_t at = block->committed;
    uint8_t *record = (uint8_t *)block + at;
    const uint64_t kind = relation | (uint64_t)FTR_RECORD_KIND_RELATION << 32;
    memcpy(record, &from, 16);
    memcpy(record + 16, &to.id, 8);
    memcpy(record + 24, &kind, 8);
    memcpy(record + 32, &to.place, 8);
    __atomic_store_n(&block->committed, (uint32_t)(at + FTR_RECORD_HEADER_SIZE), __ATOMIC_RELEASE);
}

FTR_COLD_CALL(ftr_relation_put, ftr_recorder *rec, ftr_relation relation, ftr_tx from, ftr_tx to);

FTR_INLINE ftr_status ftr_relation_put_inline(ftr_recorder *rec, ftr_relation relation, ftr_tx from,
                                              ftr_tx to)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (FTR_LIKELY(rec) && FTR_LIKELY(FTR_SELDOM_CHANGED(front->owner) == ftr_thread_self()) &&
        FTR_LIKELY(ftr_may_relate(front, relation, from) && ftr_tx_was_begun(front, to))) {
        ftr_block_commit_relation(front->lane.block, relation, from, to);
        return FTR_OK;
    }
    return ftr_relation_put_in_full(rec, relation, ftr_tx_copy(from), ftr_tx_copy(to));
}

#ifndef FTR_BUILDING_LIBRARY
#define ftr_tx_begin ftr_tx_begin_inline
#define ftr_tx_end ftr_tx_end_inline
#define ftr_tx_put_bool ftr_tx_put_bool_inline
#define ftr_tx_put_int ftr_tx_put_int_inline
#define ftr_tx_put_number ftr_tx_put_number_inline
#define ftr_tx_put_real ftr_tx_put_real_inline
#define ftr_tx_put_text ftr_tx_put_text_inline
#define ftr_relation_put ftr_relation_put_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
