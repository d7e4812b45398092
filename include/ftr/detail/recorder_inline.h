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

#include <ftr/detail/item_inline.h>
#include <ftr/detail/slot_inline.h>
#include <ftr/detail/text_inline.h>
#include <ftr/detail/window_inline.h>
#include <ftr/transaction.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Counts a transaction that is not in the window; its values are not checked. Returns false,
 *  without effect, if @p generator is not a handle of the recorder. To check more would cost more
 *  than the rest of the call.
 *  @param[out] tx a transaction that is not recorded; may be NULL */
FTR_INLINE bool ftr_tx_skip(ftr_recorder *rec, ftr_generator generator, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (generator >= FTR_SELDOM_CHANGED(front->entity_count))
        return false;
    FTR_COUNT(front->window.skipped, 1);
    if (tx) {
        tx->id = FTR_TX_NOT_RECORDED;
        tx->place = ftr_place(FTR_NO_SLOT, front->entities[generator].stream);
    }
    return true;
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
    const ftr_way way = FTR_LIKELY(rec && tx) ? ftr_way_of_begin(rec, begin) : FTR_WAY_FULL;
    const ftr_entity *entity = NULL;
    if (FTR_LIKELY(way == FTR_WAY_RECORD))
        entity = ftr_main_generator(rec, generator);
    else if (way == FTR_WAY_SKIP && ftr_main_generator(rec, generator) &&
             ftr_tx_skip(rec, generator, tx))
        return FTR_OK;
    if (FTR_LIKELY(entity) && FTR_LIKELY(front->lane.free_slot)) {
        ftr_slot_begin(front, entity, generator, begin, tx);
        return FTR_OK;
    }
    return ftr_tx_begin_out_of_line(rec, generator, begin, tx);
}

/** Frees the slot of a transaction that ends before the window. Returns false, without effect, if
 * the fast path does not apply: for example if the generator declares less than @p attributes
 * attributes. */
FTR_INLINE bool ftr_tx_discard(ftr_recorder *rec, ftr_tx tx, uint64_t end, uint64_t attributes,
                               ftr_trust trust)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    ftr_slot *slot = ftr_slot_of(rec, tx);
    if (!ftr_slot_has(slot, tx, trust) || end < slot->begin || slot->flags != 0 ||
        attributes > slot->entity->attributes.count ||
        FTR_COUNT(front->window.discards_left, -1) < 0)
        return false;
    ftr_slot_free(front, slot);
    return true;
}

FTR_COLD_CALL(ftr_tx_end, ftr_recorder *rec, ftr_tx tx, uint64_t end);

FTR_INLINE ftr_status ftr_tx_end_trusted(ftr_recorder *rec, ftr_tx tx, uint64_t end,
                                         ftr_trust trust)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const ftr_way way = FTR_LIKELY(rec) ? ftr_way_of_end(rec, tx.id, end) : FTR_WAY_FULL;
    if (FTR_LIKELY(way == FTR_WAY_RECORD)) {
        ftr_slot *slot = ftr_slot_of(rec, tx);
        ftr_block_front *block = front->lane.block;
        const uint32_t at = block->committed;
        const uint32_t fill = ftr_slot_fill(slot);
        const uint64_t next = at + FTR_RECORD_HEADER_SIZE + fill;
        if (FTR_LIKELY(ftr_slot_has(slot, tx, trust)) && FTR_LIKELY(end >= slot->begin) &&
            FTR_LIKELY(slot->flags == 0) && FTR_LIKELY(next <= front->lane.block_limit)) {
            ftr_slot_copy(slot, fill, end, (uint8_t *)block + at);
            __atomic_store_n(&block->committed, (uint32_t)next, __ATOMIC_RELEASE);
            ftr_slot_free(front, slot);
            return FTR_OK;
        }
    } else if (way == FTR_WAY_SKIP && ftr_tx_discard(rec, tx, end, 0, trust)) {
        return FTR_OK;
    }
    return ftr_tx_end_in_full(rec, ftr_tx_copy(tx), end);
}

FTR_INLINE ftr_status ftr_tx_end_inline(ftr_recorder *rec, ftr_tx tx, uint64_t end)
{
    return ftr_tx_end_trusted(rec, tx, end, FTR_TRUST_NOTHING);
}

/** Puts an item of one word. Returns false if the fast path does not apply. */
FTR_INLINE bool ftr_slot_put_word(ftr_recorder *rec, ftr_tx tx, unsigned attribute, unsigned form,
                                  uint64_t value, ftr_trust trust)
{
    if (!FTR_LIKELY(rec))
        return false;
    ftr_slot *slot = ftr_slot_of(rec, tx);
    if (!FTR_LIKELY(ftr_slot_has(slot, tx, trust)) ||
        !ftr_slot_declares(slot, attribute, form, trust))
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

FTR_INLINE ftr_status ftr_tx_put_bool_trusted(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                              bool value, ftr_trust trust)
{
    return FTR_LIKELY(ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_BOOLEAN, value, trust))
               ? FTR_OK
               : ftr_tx_put_bool_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

FTR_INLINE ftr_status ftr_tx_put_bool_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             bool value)
{
    return ftr_tx_put_bool_trusted(rec, tx, attribute, value, FTR_TRUST_NOTHING);
}

FTR_INLINE ftr_status ftr_tx_put_int_trusted(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             int64_t value, ftr_trust trust)
{
    return FTR_LIKELY(
               ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_INTEGER, (uint64_t)value, trust))
               ? FTR_OK
               : ftr_tx_put_int_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

FTR_INLINE ftr_status ftr_tx_put_int_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                            int64_t value)
{
    return ftr_tx_put_int_trusted(rec, tx, attribute, value, FTR_TRUST_NOTHING);
}

FTR_INLINE ftr_status ftr_tx_put_number_trusted(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                                uint64_t value, ftr_trust trust)
{
    return FTR_LIKELY(ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_NUMBER, value, trust))
               ? FTR_OK
               : ftr_tx_put_number_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

FTR_INLINE ftr_status ftr_tx_put_number_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                               uint64_t value)
{
    return ftr_tx_put_number_trusted(rec, tx, attribute, value, FTR_TRUST_NOTHING);
}

FTR_INLINE ftr_status ftr_tx_put_real_trusted(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                              double value, ftr_trust trust)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return FTR_LIKELY(ftr_slot_put_word(rec, tx, attribute, FTR_ITEM_FORM_REAL, bits, trust))
               ? FTR_OK
               : ftr_tx_put_real_in_full(rec, ftr_tx_copy(tx), attribute, value);
}

FTR_INLINE ftr_status ftr_tx_put_real_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             double value)
{
    return ftr_tx_put_real_trusted(rec, tx, attribute, value, FTR_TRUST_NOTHING);
}

/** Puts an item with a text. Returns false if the fast path does not apply. */
FTR_INLINE bool ftr_slot_put_text(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                  ftr_text_source from, ftr_trust trust)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    if (!FTR_LIKELY(rec))
        return false;
    ftr_slot *slot = ftr_slot_of(rec, tx);
    if (!FTR_LIKELY(ftr_slot_has(slot, tx, trust)) ||
        !ftr_slot_declares(slot, attribute, FTR_ITEM_FORM_TEXT, trust))
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

FTR_INLINE ftr_status ftr_tx_put_text_trusted(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                              const char *text, size_t length, ftr_trust trust)
{
    const ftr_text_source from = ftr_text_source_of(text, length);
    if (FTR_LIKELY(ftr_slot_put_text(rec, tx, attribute, from, trust)))
        return FTR_OK;
    return ftr_tx_put_text_in_full(rec, ftr_tx_copy(tx), attribute, from.text, from.length);
}

FTR_INLINE ftr_status ftr_tx_put_text_inline(ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                                             const char *text, size_t length)
{
    return ftr_tx_put_text_trusted(rec, tx, attribute, text, length, FTR_TRUST_NOTHING);
}

#ifndef FTR_BUILDING_LIBRARY
#define ftr_tx_begin ftr_tx_begin_inline
#define ftr_tx_end ftr_tx_end_inline
#define ftr_tx_put_bool ftr_tx_put_bool_inline
#define ftr_tx_put_int ftr_tx_put_int_inline
#define ftr_tx_put_number ftr_tx_put_number_inline
#define ftr_tx_put_real ftr_tx_put_real_inline
#define ftr_tx_put_text ftr_tx_put_text_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
