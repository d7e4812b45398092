/** @file
 *  Slots, which hold the open transactions, and their handles. Included by recorder_inline.h. */
#ifndef FTR_SLOT_INLINE_H
#define FTR_SLOT_INLINE_H

#include <string.h>

#include <ftr/detail/inline_macros.h>
#include <ftr/detail/recorder_layout.h>
#include <ftr/detail/text_inline.h>
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

/** Begins a transaction in a free slot of the front lane, which has one. */
FTR_INLINE void ftr_slot_begin(ftr_recorder_front *front, const ftr_entity *entity,
                               ftr_generator generator, uint64_t begin, ftr_tx *tx)
{
    ftr_slot *slot = front->lane.free_slot;
    front->lane.free_slot = slot->next_free;
    uint64_t id = front->lane.next_id++;
    ftr_slot_start(slot, generator, ftr_place_of(slot->handle, entity), entity, id, begin, 0, tx);
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

/** What the caller of an inline call guarantees, so that it is not checked. */
typedef enum ftr_trust {
    FTR_TRUST_NOTHING,
    FTR_TRUST_TX,       /**< this recorder has begun the transaction, which may have ended */
    FTR_TRUST_ATTRIBUTE /**< the same, and its generator declares the attribute with this form */
} ftr_trust;

/** Returns true if @p tx is in @p slot. Another recorder can have a transaction with the same id,
 * so the place is compared, too, unless the caller has begun @p tx with this recorder. */
FTR_PEEK bool ftr_slot_has(const ftr_slot *slot, ftr_tx tx, ftr_trust trust)
{
    return FTR_LIKELY(slot->id == tx.id) &&
           (trust != FTR_TRUST_NOTHING || FTR_LIKELY(slot->place == tx.place));
}

FTR_INLINE bool ftr_slot_holds(const ftr_slot *slot, ftr_tx tx)
{
    return ftr_slot_has(slot, tx, FTR_TRUST_NOTHING);
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

/** Frees the slot of a transaction of which the record is complete, or that is not recorded. */
FTR_INLINE void ftr_slot_free(ftr_recorder_front *front, ftr_slot *slot)
{
    __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
    slot->next_free = front->lane.free_slot;
    front->lane.free_slot = slot;
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
FTR_INLINE bool ftr_slot_declares(const ftr_slot *slot, unsigned attribute, unsigned form,
                                  ftr_trust trust)
{
    const ftr_entity *entity = slot->entity;
    if (__builtin_constant_p(attribute) && attribute < FTR_ENTITY_HEADS)
        return trust == FTR_TRUST_ATTRIBUTE || FTR_LIKELY(entity->heads[attribute].form == form);
    return FTR_LIKELY(attribute < entity->attributes.count) &&
           FTR_LIKELY(entity->attributes.at[attribute].form == form);
}

#ifdef __cplusplus
}
#endif

#endif
