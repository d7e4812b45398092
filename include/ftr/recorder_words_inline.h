/** @file
 *  ftr_tx_begin_within() and ftr_tx_end_words(), inline. Not to be included by itself:
 * recorder_inline.h does. The rules are those of recorder_inline.h. */
#ifndef FTR_RECORDER_WORDS_INLINE_H
#define FTR_RECORDER_WORDS_INLINE_H

#include <ftr/recorder_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** More words than this are not put inline. */
#define FTR_INLINE_WORDS 16

/** Writes one item a word. Unrolled, words that are in registers stay there. */
FTR_INLINE void ftr_words_put(const uint64_t *heads, const uint64_t *words, size_t count,
                              uint8_t *to)
{
    FTR_UNROLL
    for (size_t i = 0; i < count; ++i) {
        memcpy(to + i * FTR_ITEM_SIZE, &heads[i], sizeof heads[i]);
        memcpy(to + i * FTR_ITEM_SIZE + 8, &words[i], sizeof words[i]);
    }
}

/** The calls themselves, with words and handle of their own: those of the caller need then not be
 *  in memory. */
FTR_INLINE ftr_status ftr_tx_begin_within_out_of_line(ftr_recorder *rec, ftr_generator generator,
                                                      uint64_t begin, const uint64_t *words,
                                                      size_t count, ftr_relation relation,
                                                      const ftr_tx *outer, ftr_tx *tx)
{
    uint64_t copied[FTR_INLINE_WORDS];
    if (!words || !tx || count > FTR_INLINE_WORDS)
        return ftr_tx_begin_within(rec, generator, begin, words, count, relation, outer, tx);
    FTR_UNROLL
    for (size_t i = 0; i < count; ++i)
        copied[i] = words[i];
    ftr_tx begun = {0, 0};
    ftr_status status =
        ftr_tx_begin_within(rec, generator, begin, copied, count, relation, outer, &begun);
    *tx = begun;
    return status;
}

FTR_INLINE ftr_status ftr_tx_end_words_out_of_line(ftr_recorder *rec, ftr_tx tx, uint64_t end,
                                                   unsigned first, const uint64_t *words,
                                                   size_t count)
{
    uint64_t copied[FTR_INLINE_WORDS];
    if (!words || count > FTR_INLINE_WORDS)
        return ftr_tx_end_words(rec, tx, end, first, words, count);
    FTR_UNROLL
    for (size_t i = 0; i < count; ++i)
        copied[i] = words[i];
    return ftr_tx_end_words(rec, tx, end, first, copied, count);
}

/** Relates @p outer to a transaction that this thread has just begun. */
FTR_INLINE ftr_status ftr_relate_to_begun(ftr_recorder *rec, ftr_relation relation,
                                          const ftr_tx *outer, const ftr_tx *begun)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    ftr_block_front *block = front->lane.block;
    const uint32_t at = block->committed;
    const uint64_t next = at + FTR_RECORD_HEADER_SIZE;
    if (FTR_LIKELY(relation - 1 < __atomic_load_n(&front->relation_count, __ATOMIC_ACQUIRE) - 1 &&
                   ftr_tx_was_begun(front, *outer) && next <= front->lane.block_limit)) {
        uint8_t *to = (uint8_t *)block + at;
        const uint64_t kind = relation | (uint64_t)FTR_RECORD_KIND_RELATION << 32;
        memcpy(to, outer, 16);
        memcpy(to + 16, &begun->id, 8);
        memcpy(to + 24, &kind, 8);
        memcpy(to + 32, &begun->place, 8);
        __atomic_store_n(&block->committed, (uint32_t)next, __ATOMIC_RELEASE);
        return FTR_OK;
    }
    return ftr_relation_put(rec, relation, *outer, *begun);
}

FTR_INLINE ftr_status ftr_tx_begin_within_inline(ftr_recorder *rec, ftr_generator generator,
                                                 uint64_t begin, const uint64_t *words,
                                                 size_t count, ftr_relation relation,
                                                 const ftr_tx *outer, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const ftr_entity *entity = ftr_usual_generator(rec, generator);
    const size_t size = count * FTR_ITEM_SIZE;
    if (FTR_LIKELY(entity && words && tx && count <= FTR_INLINE_WORDS &&
                   count <= entity->attributes.count)) {
        ftr_slot *slot = front->lane.free_slot;
        if (FTR_LIKELY(slot && size <= slot->capacity)) {
            front->lane.free_slot = slot->next_free;
            ftr_words_put(entity->word_heads, words, count, slot->items);
            ftr_slot_start(slot, generator, entity, front->lane.next_id++, begin, 0, tx);
            ftr_slot_commit(slot, size);
            return outer ? ftr_relate_to_begun(rec, relation, outer, tx) : FTR_OK;
        }
    }
    return ftr_tx_begin_within_out_of_line(rec, generator, begin, words, count, relation, outer,
                                           tx);
}

/** Bytes of items that are copied at once. */
#define FTR_MANY_COPIED_AT_ONCE 128

/** Copies the record of a transaction that ends, which has more items than those to come. */
FTR_INLINE void ftr_slot_copy_most(const ftr_slot *slot, uint64_t end, uint8_t *to)
{
    memcpy(to, &slot->id, 32);
    memcpy(to + 32, &end, sizeof end);
    memcpy(to + FTR_RECORD_HEADER_SIZE, slot->items, FTR_MANY_COPIED_AT_ONCE);
}

FTR_INLINE ftr_status ftr_tx_end_words_inline(ftr_recorder *rec, ftr_tx tx, uint64_t end,
                                              unsigned first, const uint64_t *words, size_t count)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (FTR_LIKELY(rec && words && count <= FTR_INLINE_WORDS &&
                   __atomic_load_n(&front->owner, __ATOMIC_RELAXED) == ftr_thread_self())) {
        ftr_slot *slot = ftr_slot_of(rec, tx);
        ftr_block_front *block = front->lane.block;
        const uint32_t at = block->committed;
        const uint64_t fill = slot->fill + count * FTR_ITEM_SIZE;
        const uint64_t next = at + FTR_RECORD_HEADER_SIZE + fill;
        if (FTR_LIKELY(ftr_slot_holds(slot, tx) && end >= slot->begin && slot->flags == 0 &&
                       count <= slot->attributes.count && first <= slot->attributes.count - count &&
                       next <= front->lane.block_limit)) {
            uint8_t *to = (uint8_t *)block + at;
            if (FTR_LIKELY(slot->fill <= FTR_MANY_COPIED_AT_ONCE && fill >= FTR_MANY_COPIED_AT_ONCE))
                ftr_slot_copy_most(slot, end, to);
            else
                ftr_slot_copy(slot, slot->fill, end, to);
            memcpy(to + 16, &fill, sizeof fill);
            /* Over what the copy may have written too much of. */
            ftr_words_put(front->entities[slot->generator].word_heads + first, words, count,
                          to + FTR_RECORD_HEADER_SIZE + slot->fill);
            __atomic_store_n(&block->committed, (uint32_t)next, __ATOMIC_RELEASE);
            __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
            slot->next_free = front->lane.free_slot;
            front->lane.free_slot = slot;
            return FTR_OK;
        }
    }
    return ftr_tx_end_words_out_of_line(rec, tx, end, first, words, count);
}

#ifndef FTR_BUILDING_LIBRARY
#define ftr_tx_begin_within ftr_tx_begin_within_inline
#define ftr_tx_end_words ftr_tx_end_words_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
