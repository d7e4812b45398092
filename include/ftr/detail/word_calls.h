/** @file
 *  Calls with attributes as 64-bit words, for the SystemC adapter and the trace linker; the
 *  inline versions follow the rules of recorder_inline.h. */
#ifndef FTR_WORD_CALLS_H
#define FTR_WORD_CALLS_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Like ftr_tx_record(): @p words are the values of the first @p count declared attributes, each as
 *  the 64 bits of ftr_value.as, or the ftr_text of a text attribute. */
FTR_API ftr_status ftr_tx_record_words(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                                       uint64_t end, const uint64_t *words, size_t count,
                                       ftr_tx *tx);

/** Like ftr_tx_event_between(): @p words as for ftr_tx_record_words(). The first word of an event
 * is the ftr_text of its name. */
FTR_API ftr_status ftr_tx_event_words(ftr_recorder *rec, ftr_tx parent, ftr_generator events,
                                      uint64_t begin, uint64_t end, const uint64_t *words,
                                      size_t count, ftr_tx *tx);

/** Puts a declared attribute of any type as a word: see ftr_tx_record_words(). */
FTR_API ftr_status ftr_tx_put_word(ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t word);

/** Begins a transaction with its first @p count attributes: @p words as for ftr_tx_record_words().
 *  @return as ftr_tx_begin() and ftr_tx_put_word(); on error nothing begins */
FTR_API ftr_status ftr_tx_begin_words(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                                      const uint64_t *words, size_t count, ftr_tx *tx);

/** Like ftr_tx_begin_words(), within another transaction: relates @p outer to the new one.
 *  @param outer NULL: no relation
 *  @return as ftr_tx_begin() and ftr_tx_put_word(): on error nothing has begun; or as
 *          ftr_relation_put(): on error the transaction has begun */
FTR_API ftr_status ftr_tx_begin_within(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                                       const uint64_t *words, size_t count, ftr_relation relation,
                                       const ftr_tx *outer, ftr_tx *tx);

/** Puts @p count declared attributes from number @p first on, as words, and ends the transaction
 *  like ftr_tx_end().
 *  @return as ftr_tx_put_word() and ftr_tx_end(); on error the transaction stays open */
FTR_API ftr_status ftr_tx_end_words(ftr_recorder *rec, ftr_tx tx, uint64_t end, unsigned first,
                                    const uint64_t *words, size_t count);

/** Adds @p count to the number of filtered transactions: the caller has not passed them to @p rec,
 * because they are not in the time window. */
FTR_API void ftr_recorder_count_filtered(ftr_recorder *rec, uint64_t count);

#ifndef FTR_NO_INLINE

FTR_COLD_CALL(ftr_tx_record_words, ftr_recorder *rec, ftr_generator generator, uint64_t begin,
              uint64_t end, const uint64_t *words, size_t count, ftr_tx *tx);
FTR_COLD_CALL(ftr_tx_event_words, ftr_recorder *rec, ftr_tx parent, ftr_generator events,
              uint64_t begin, uint64_t end, const uint64_t *words, size_t count, ftr_tx *tx);
FTR_COLD_CALL(ftr_tx_put_word, ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t word);
FTR_COLD_CALL(ftr_tx_begin_words, ftr_recorder *rec, ftr_generator generator, uint64_t begin,
              const uint64_t *words, size_t count, ftr_tx *tx);
FTR_COLD_CALL(ftr_tx_begin_within, ftr_recorder *rec, ftr_generator generator, uint64_t begin,
              const uint64_t *words, size_t count, ftr_relation relation, const ftr_tx *outer,
              ftr_tx *tx);
FTR_COLD_CALL(ftr_tx_end_words, ftr_recorder *rec, ftr_tx tx, uint64_t end, unsigned first,
              const uint64_t *words, size_t count);

/** Maximum number of words that are put inline. */
#define FTR_INLINE_WORDS 16

/** Returns the size in bytes of an item with @p count words. */
FTR_INLINE size_t ftr_words_size(size_t count)
{
    return count ? FTR_ITEM_SIZE + ftr_item_pad((count - 1) * sizeof(uint64_t)) : 0;
}

/** Writes an item: the values of declared attributes from the one with the index @p first on. With
 *  a constant count, the loop becomes a sequence of moves. */
FTR_INLINE void ftr_words_write(uint32_t first, const uint64_t *words, size_t count, uint8_t *to)
{
    const uint64_t head = first | FTR_ITEM_WORDS | (uint64_t)count << 48;
    if (count == 0)
        return;
    memcpy(to, &head, sizeof head);
    FTR_UNROLL
    for (size_t i = 0; i < count; ++i)
        memcpy(to + sizeof head + i * sizeof *words, &words[i], sizeof *words);
}

/** Like ftr_tx_record_usual(). */
FTR_INLINE bool ftr_tx_record_words_usual(ftr_recorder *rec, ftr_generator generator,
                                          uint64_t begin, uint64_t end, const uint64_t *words,
                                          size_t count, size_t spare, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const ftr_entity *entity = ftr_main_generator(rec, generator);
    if (!FTR_LIKELY(entity && words && tx && end >= begin && count <= entity->attributes.count))
        return false;
    ftr_block_front *block = front->lane.block;
    uint8_t *items = (uint8_t *)block + block->committed + FTR_RECORD_HEADER_SIZE;
    const uint8_t *next = items + ftr_words_size(count);
    if (!FTR_LIKELY(next + spare <= (uint8_t *)block + front->lane.block_limit))
        return false;
    ftr_words_write(entity->attributes.first, words, count, items);
    ftr_block_commit_tx(&front->lane, block, items, generator, begin, end, next, &tx->id);
    tx->place = ftr_place(front->slot_tag, entity->stream); /* no slot has this id */
    return true;
}

FTR_INLINE ftr_status ftr_tx_record_words_inline(ftr_recorder *rec, ftr_generator generator,
                                                 uint64_t begin, uint64_t end,
                                                 const uint64_t *words, size_t count, ftr_tx *tx)
{
    if (FTR_LIKELY(end >= begin) && FTR_LIKELY(rec)) {
        const ftr_way way = ftr_way_of_whole(rec, begin, end);
        if (FTR_LIKELY(way == FTR_WAY_RECORD)) {
            if (FTR_LIKELY(
                    ftr_tx_record_words_usual(rec, generator, begin, end, words, count, 0, tx)))
                return FTR_OK;
        } else if (way == FTR_WAY_SKIP && ftr_tx_skip(rec, generator, tx)) {
            return FTR_OK;
        }
    }
    return ftr_tx_record_words_in_full(rec, generator, begin, end, words, count, tx);
}

FTR_INLINE ftr_status ftr_tx_event_words_inline(ftr_recorder *rec, ftr_tx parent,
                                                ftr_generator events, uint64_t begin, uint64_t end,
                                                const uint64_t *words, size_t count, ftr_tx *tx)
{
    ftr_tx event;
    if (FTR_LIKELY(rec) && FTR_LIKELY(ftr_way_of_whole(rec, begin, end) == FTR_WAY_RECORD) &&
        FTR_LIKELY(ftr_tx_was_begun((const ftr_recorder_front *)rec, parent)) &&
        FTR_LIKELY(ftr_tx_record_words_usual(rec, events, begin, end, words, count,
                                             FTR_RECORD_HEADER_SIZE, &event))) {
        ftr_event_relate(rec, parent, event, tx);
        return FTR_OK;
    }
    return ftr_tx_event_words_in_full(rec, ftr_tx_copy(parent), events, begin, end, words, count,
                                      tx);
}

FTR_INLINE ftr_status ftr_tx_put_word_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             uint64_t word)
{
    if (FTR_LIKELY(rec)) {
        ftr_slot *slot = ftr_slot_of(rec, tx);
        if (FTR_LIKELY(ftr_slot_holds(slot, tx) && attribute < slot->entity->attributes.count &&
                       slot->entity->attributes.at[attribute].form < FTR_ITEM_FORM_TEXT &&
                       ftr_slot_has_room(slot, FTR_ITEM_SIZE))) {
            uint8_t *to = slot->items + slot->fill;
            ftr_item_write(to, ftr_declared_head(slot->entity, attribute), word);
            ftr_slot_commit(slot, to, slot->fill + FTR_ITEM_SIZE);
            return FTR_OK;
        }
    }
    return ftr_tx_put_word_in_full(rec, ftr_tx_copy(tx), attribute, word);
}

/** Call the exported functions with local copies of the words and the handle, so that those of the
 *  caller can stay in registers. */
FTR_INLINE ftr_status ftr_tx_begin_within_out_of_line(ftr_recorder *rec, ftr_generator generator,
                                                      uint64_t begin, const uint64_t *words,
                                                      size_t count, ftr_relation relation,
                                                      const ftr_tx *outer, ftr_tx *tx)
{
    uint64_t copied[FTR_INLINE_WORDS];
    if (!words || !tx || count > FTR_INLINE_WORDS)
        return ftr_tx_begin_within_in_full(rec, generator, begin, words, count, relation, outer,
                                           tx);
    FTR_UNROLL
    for (size_t i = 0; i < count; ++i)
        copied[i] = words[i];
    ftr_tx begun = {0, 0};
    ftr_status status =
        ftr_tx_begin_within_in_full(rec, generator, begin, copied, count, relation, outer, &begun);
    *tx = begun;
    return status;
}

FTR_INLINE ftr_status ftr_tx_end_words_out_of_line(ftr_recorder *rec, ftr_tx tx, uint64_t end,
                                                   unsigned first, const uint64_t *words,
                                                   size_t count)
{
    uint64_t copied[FTR_INLINE_WORDS];
    if (!words || count > FTR_INLINE_WORDS)
        return ftr_tx_end_words_in_full(rec, tx, end, first, words, count);
    FTR_UNROLL
    for (size_t i = 0; i < count; ++i)
        copied[i] = words[i];
    return ftr_tx_end_words_in_full(rec, tx, end, first, copied, count);
}

/** Fast path: begins a transaction within another one. Returns false, without effect, if the fast
 * path does not apply. */
FTR_INLINE bool ftr_tx_begin_within_usual(ftr_recorder *rec, ftr_generator generator,
                                          uint64_t begin, const uint64_t *words, size_t count,
                                          ftr_relation relation, const ftr_tx *outer, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const bool is_usual =
        FTR_LIKELY(rec) && FTR_LIKELY(ftr_way_of_begin(rec, begin) == FTR_WAY_RECORD);
    const ftr_entity *entity = is_usual ? ftr_main_generator(rec, generator) : NULL;
    const size_t size = ftr_words_size(count);
    if (!FTR_LIKELY(entity && (words || !count) && tx && count <= FTR_INLINE_WORDS &&
                    count <= entity->attributes.count))
        return false;
    ftr_slot *slot = front->lane.free_slot;
    if (!FTR_LIKELY(slot && size <= slot->capacity &&
                    (!outer || ftr_may_relate(front, relation, *outer))))
        return false;
    front->lane.free_slot = slot->next_free;
    ftr_words_write(entity->attributes.first, words, count, slot->items);
    ftr_slot_start(slot, generator, ftr_place_of(slot->handle, entity), entity,
                   front->lane.next_id++, begin, 0, tx);
    ftr_slot_commit(slot, slot->items, size);
    if (outer)
        ftr_block_commit_relation(front->lane.block, relation, *outer, *tx);
    return true;
}

FTR_INLINE ftr_status ftr_tx_begin_words_inline(ftr_recorder *rec, ftr_generator generator,
                                                uint64_t begin, const uint64_t *words, size_t count,
                                                ftr_tx *tx)
{
    return FTR_LIKELY(ftr_tx_begin_within_usual(rec, generator, begin, words, count, 0, NULL, tx))
               ? FTR_OK
               : ftr_tx_begin_words_in_full(rec, generator, begin, words, count, tx);
}

FTR_INLINE ftr_status ftr_tx_begin_within_inline(ftr_recorder *rec, ftr_generator generator,
                                                 uint64_t begin, const uint64_t *words,
                                                 size_t count, ftr_relation relation,
                                                 const ftr_tx *outer, ftr_tx *tx)
{
    return FTR_LIKELY(
               ftr_tx_begin_within_usual(rec, generator, begin, words, count, relation, outer, tx))
               ? FTR_OK
               : ftr_tx_begin_within_out_of_line(rec, generator, begin, words, count, relation,
                                                 outer, tx);
}

/** Puts words and ends a transaction, of which the way is FTR_WAY_RECORD. Returns false, without
 * effect, if the fast path does not apply. */
FTR_INLINE bool ftr_tx_end_words_usual(ftr_recorder *rec, ftr_tx tx, uint64_t end, unsigned first,
                                       const uint64_t *words, size_t count)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (!FTR_LIKELY(count <= FTR_INLINE_WORDS))
        return false;
    ftr_slot *slot = ftr_slot_of(rec, tx);
    ftr_block_front *block = front->lane.block;
    const uint32_t at = block->committed;
    const uint64_t begun = ftr_slot_fill(slot);
    const uint64_t fill = begun + ftr_words_size(count);
    const uint64_t next = at + FTR_RECORD_HEADER_SIZE + fill;
    if (!FTR_LIKELY(ftr_slot_holds(slot, tx) && end >= slot->begin && slot->flags == 0 &&
                    (uint64_t)first + count <= slot->entity->attributes.count &&
                    next <= front->lane.block_limit))
        return false;
    uint8_t *to = (uint8_t *)block + at;
    ftr_slot_copy(slot, begun, end, to);
    memcpy(to + 16, &fill, sizeof fill);
    /* ftr_slot_copy() may have written more than @p begun bytes of items; these words overwrite the
     * excess. */
    ftr_words_write(slot->entity->attributes.first + first, words, count,
                    to + FTR_RECORD_HEADER_SIZE + begun);
    __atomic_store_n(&block->committed, (uint32_t)next, __ATOMIC_RELEASE);
    ftr_slot_free(front, slot);
    return true;
}

FTR_INLINE ftr_status ftr_tx_end_words_inline(ftr_recorder *rec, ftr_tx tx, uint64_t end,
                                              unsigned first, const uint64_t *words, size_t count)
{
    const ftr_way way =
        FTR_LIKELY(rec && (words || !count)) ? ftr_way_of_end(rec, tx.id, end) : FTR_WAY_FULL;
    if (FTR_LIKELY(way == FTR_WAY_RECORD)) {
        if (FTR_LIKELY(ftr_tx_end_words_usual(rec, tx, end, first, words, count)))
            return FTR_OK;
    } else if (way == FTR_WAY_SKIP &&
               ftr_tx_discard(rec, tx, end, (uint64_t)first + count, FTR_TRUST_NOTHING)) {
        return FTR_OK;
    }
    return ftr_tx_end_words_out_of_line(rec, tx, end, first, words, count);
}

#ifndef FTR_BUILDING_LIBRARY
#define ftr_tx_put_word ftr_tx_put_word_inline
#define ftr_tx_begin_words ftr_tx_begin_words_inline
#define ftr_tx_record_words ftr_tx_record_words_inline
#define ftr_tx_event_words ftr_tx_event_words_inline
#define ftr_tx_begin_within ftr_tx_begin_within_inline
#define ftr_tx_end_words ftr_tx_end_words_inline
#endif

#endif

#ifdef __cplusplus
}
#endif

#endif
