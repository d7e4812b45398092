/** @file
 *  The inline calls that take values with their types: ftr_tx_record(), ftr_tx_put_named(). The
 *  rules of recorder_inline.h apply. Included by recorder.h, unless FTR_NO_INLINE is defined. */
#ifndef FTR_RECORD_INLINE_H
#define FTR_RECORD_INLINE_H

#include <string.h>

#include <ftr/detail/recorder_inline.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Returns the form of values of the type @p type. */
FTR_INLINE unsigned ftr_form_of(unsigned type)
{
    switch (type) {
    case FTR_TYPE_BOOLEAN:
        return FTR_ITEM_FORM_BOOLEAN;
    case FTR_TYPE_INTEGER:
        return FTR_ITEM_FORM_INTEGER;
    case FTR_TYPE_UNSIGNED:
    case FTR_TYPE_POINTER:
    case FTR_TYPE_TIME:
        return FTR_ITEM_FORM_NUMBER;
    case FTR_TYPE_FLOATING_POINT:
    case FTR_TYPE_FIXED_POINT_INTEGER:
    case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
        return FTR_ITEM_FORM_REAL;
    default:
        return FTR_ITEM_FORM_TEXT;
    }
}

/* When GCC 12 folds a constant value, it treats the number in the union as the text, and then warns
 * of a strlen() that is never reached. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstringop-overread"
#endif

/** Returns the type of a value. The type may be invalid: C++ must not even read an invalid value as
 * an ftr_type. */
FTR_INLINE unsigned ftr_type_of(const ftr_value *value)
{
    unsigned type;
    memcpy(&type, &value->type, sizeof type);
    return type;
}

/** Puts an item with its name. Returns false if the fast path does not apply. The length of a name
 *  that is a literal is known at compile time. */
FTR_INLINE bool ftr_slot_put_named(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                                   const char *name, const ftr_value *value, ftr_trust trust)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    if (!FTR_LIKELY(rec))
        return false;
    ftr_slot *slot = ftr_slot_of(rec, tx);
    if (!FTR_LIKELY(ftr_slot_has(slot, tx, trust)) || !FTR_LIKELY(name) || !FTR_LIKELY(value) ||
        !FTR_LIKELY(ftr_type_of(value) <= FTR_TYPE_TIME) ||
        !FTR_LIKELY((unsigned)class_ <= FTR_CLASS_END))
        return false;
    const unsigned form = ftr_form_of(ftr_type_of(value));
    const bool is_text = form == FTR_ITEM_FORM_TEXT;
    const char *text = is_text ? value->as.text : "";
    uint64_t word = form == FTR_ITEM_FORM_BOOLEAN ? value->as.boolean : value->as.number;
    const size_t name_size = strlen(name);
    if (!FTR_LIKELY(name_size - 1 < UINT16_MAX) || (is_text && !FTR_LIKELY(!value->defined)))
        return false;
    const size_t text_at = FTR_ITEM_SIZE + ftr_item_pad(name_size);
    const size_t fill = slot->fill;
    const ftr_text_source from = ftr_text_source_of(text, is_text ? value->text_length : 0);
    const size_t least = ftr_text_least(from);
    const uint32_t next = (uint32_t)(fill + text_at + least);
    if (!FTR_LIKELY(next <= slot->capacity))
        return false;
    uint8_t *to = slot->items + fill;
    ftr_item_write_head(to, FTR_ITEM_NAMED | (uint64_t)ftr_type_of(value) << 32 |
                                (uint64_t)(form | (unsigned)class_ << 4) << 40 |
                                (uint64_t)name_size << 48);
    ftr_text_copy(to + FTR_ITEM_SIZE, name, name_size);
    if (is_text) {
        size_t size;
        if (!ftr_text_put_short(front, from, to + text_at, &size) &&
            !ftr_text_put_any(front, from, to + text_at, ftr_slot_room(slot, from, fill + text_at),
                              &size))
            return false;
        word = size;
    }
    ftr_item_write_value(to, word);
    ftr_slot_commit(slot, to, is_text ? next - least + ftr_item_pad(word) : next);
    return true;
}

FTR_COLD_CALL(ftr_tx_put_named, ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
              const char *name, const ftr_value *value);

FTR_INLINE void ftr_value_copy(ftr_value *to, const ftr_value *from)
{
    memcpy(&to->type, &from->type, sizeof to->type);
    to->defined = from->defined;
    to->text_length = from->text_length;
    to->as.number = from->as.number;
}

/** Calls the exported function with a copy of the value, so that the compiler can keep the caller's
 * value in registers. */
FTR_INLINE ftr_status ftr_tx_put_named_out_of_line(ftr_recorder *rec, ftr_tx tx,
                                                   ftr_attribute_class class_, const char *name,
                                                   const ftr_value *value)
{
    if (!value)
        return ftr_tx_put_named_in_full(rec, ftr_tx_copy(tx), class_, name, NULL);
    ftr_value copy;
    ftr_value_copy(&copy, value);
    return ftr_tx_put_named_in_full(rec, ftr_tx_copy(tx), class_, name, &copy);
}

FTR_INLINE ftr_status ftr_tx_put_named_trusted(ftr_recorder *rec, ftr_tx tx,
                                               ftr_attribute_class class_, const char *name,
                                               const ftr_value *value, ftr_trust trust)
{
    return FTR_LIKELY(ftr_slot_put_named(rec, tx, class_, name, value, trust))
               ? FTR_OK
               : ftr_tx_put_named_out_of_line(rec, tx, class_, name, value);
}

FTR_INLINE ftr_status ftr_tx_put_named_inline(ftr_recorder *rec, ftr_tx tx,
                                              ftr_attribute_class class_, const char *name,
                                              const ftr_value *value)
{
    return ftr_tx_put_named_trusted(rec, tx, class_, name, value, FTR_TRUST_NOTHING);
}

/** Makes a transaction of the items from @p items to @p next. The items were written behind the
 *  last record of the block, after space for a header. */
FTR_INLINE void ftr_block_commit_tx(ftr_lane_front *lane, ftr_block_front *block, uint8_t *items,
                                    ftr_generator generator, uint64_t begin, uint64_t end,
                                    const uint8_t *next, uint64_t *id)
{
    *id = lane->next_id++;
    volatile uint64_t *header = (volatile uint64_t *)(void *)(items - FTR_RECORD_HEADER_SIZE);
    header[0] = *id;
    header[1] = begin;
    header[2] = (uint64_t)(next - items);
    header[3] = generator; /* the upper half is 0: a transaction */
    header[4] = end;
    __atomic_store_n(&block->committed, (uint32_t)(next - (uint8_t *)block), __ATOMIC_RELEASE);
}

/** The space that each value needs: its item, and a piece of its text. */
#define FTR_VALUE_SPACE (FTR_ITEM_SIZE + FTR_TEXT_PIECE)

/** Writes the item of a value to @p to. Writes a text @p text_at bytes behind @p to, where there is
 * space for a piece (FTR_TEXT_PIECE). Returns the position of the next item, or NULL if the fast
 * path does not apply.
 *  @param limit the end of the space for the text */
FTR_INLINE uint8_t *ftr_value_write_behind(const ftr_recorder_front *front, uint64_t head,
                                           const ftr_value *value, uint8_t *to, size_t text_at,
                                           const uint8_t *limit)
{
    unsigned form = ftr_form_of(ftr_type_of(value));
    if (form != FTR_ITEM_FORM_TEXT) {
        ftr_item_write(to, head,
                       form == FTR_ITEM_FORM_BOOLEAN ? value->as.boolean : value->as.number);
        return to + text_at;
    }
    if (!FTR_LIKELY(!value->defined))
        return NULL;
    uint8_t *at = to + text_at;
    const ftr_text_source from = ftr_text_source_of(value->as.text, value->text_length);
    /* The padding is not subtracted, because blocks leave room for it. */
    const size_t room = (size_t)(limit - at);
    const size_t least = ftr_text_least(from);
    size_t size;
    ftr_item_write_head(to, head);
    if ((least > FTR_TEXT_PIECE && !FTR_LIKELY(least <= room)) ||
        (!ftr_text_put_short(front, from, at, &size) &&
         !ftr_text_put_any(front, from, at, room, &size)))
        return NULL;
    ftr_item_write_value(to, size);
    return to + ftr_item_pad(size + text_at); /* does not keep `at` in a register */
}

/** Writes the item of a value of the declared type to @p to, where there is FTR_VALUE_SPACE for
 * this value and for each value after it. Returns the position of the next item, or NULL if the
 * fast path does not apply.
 *  @param limit the end of the space, minus FTR_VALUE_SPACE for each value after this one */
FTR_INLINE uint8_t *ftr_value_write(const ftr_recorder_front *front, uint64_t head,
                                    const ftr_value *value, uint8_t *to, const uint8_t *limit)
{
    return ftr_value_write_behind(front, head, value, to, FTR_ITEM_SIZE, limit);
}

FTR_COLD_CALL(ftr_tx_record, ftr_recorder *rec, ftr_generator generator, uint64_t begin,
              uint64_t end, const ftr_value *values, size_t count, ftr_tx *tx);

/** Applies X to the indices of the first values. A list of constant length should stay in
 * registers, and be built in memory only for the exported call; a loop would be unrolled too late
 * to achieve this. */
#define FTR_FIRST_VALUES(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define FTR_FIRST_VALUES_COUNT 8

/** Returns whether a list of values has a constant length, up to FTR_FIRST_VALUES_COUNT. */
#define FTR_VALUES_ARE_FEW(count) (__builtin_constant_p(count) && (count) <= FTR_FIRST_VALUES_COUNT)

/** Copies a list of constant length, for an exported call. */
FTR_INLINE void ftr_values_copy(ftr_value *copies, const ftr_value *values, size_t count)
{
#define FTR_COPY_VALUE(i) \
    if (count > (i))      \
        ftr_value_copy(&copies[i], &values[i]);
    FTR_FIRST_VALUES(FTR_COPY_VALUE)
#undef FTR_COPY_VALUE
}

/** Calls the exported function, with a copy of a list of constant length. */
FTR_INLINE ftr_status ftr_tx_record_out_of_line(ftr_recorder *rec, ftr_generator generator,
                                                uint64_t begin, uint64_t end,
                                                const ftr_value *values, size_t count, ftr_tx *tx)
{
    if (!FTR_VALUES_ARE_FEW(count) || !values)
        return ftr_tx_record_in_full(rec, generator, begin, end, values, count, tx);
    ftr_value copies[FTR_FIRST_VALUES_COUNT];
    ftr_values_copy(copies, values, count);
    return ftr_tx_record_in_full(rec, generator, begin, end, copies, count, tx);
}

/** Returns true if @p entity is a generator, and its first attributes have the types of @p values.
 */
FTR_INLINE bool ftr_values_have_types(const ftr_entity *entity, const ftr_value *values,
                                      size_t count)
{
    if (FTR_VALUES_ARE_FEW(count)) {
        uint64_t wanted = FTR_ENTITY_GENERATOR;
        uint64_t declared;
        bool good = true;
#define FTR_ADD_TYPE(i)                                   \
    if (count > (i)) {                                    \
        const unsigned type = ftr_type_of(&values[i]);    \
        good = good && FTR_LIKELY(type <= FTR_TYPE_TIME); \
        wanted = wanted << FTR_ENTITY_TYPE_BITS | type;   \
    }
        FTR_FIRST_VALUES(FTR_ADD_TYPE)
#undef FTR_ADD_TYPE
        memcpy(&declared, &entity->types, sizeof declared);
        return good && FTR_LIKELY(declared >> (32 - FTR_ENTITY_TYPE_BITS * count) == wanted);
    }
    if (entity->kind != FTR_ENTITY_GENERATOR || count > entity->attributes.count)
        return false;
    for (size_t i = 0; i < count; ++i) {
        if (ftr_type_of(&values[i]) != entity->attributes.at[i].type)
            return false;
    }
    return true;
}

/** Writes the items of a list; see ftr_value_write().
 *  @param limit the end of the space, minus FTR_VALUE_SPACE for each value */
FTR_INLINE uint8_t *ftr_values_write(const ftr_recorder_front *front, const ftr_entity *entity,
                                     const ftr_value *values, size_t count, uint8_t *to,
                                     const uint8_t *limit)
{
    if (FTR_VALUES_ARE_FEW(count)) {
#define FTR_WRITE_VALUE(i)                                                        \
    if (count > (i) && to)                                                        \
        to = ftr_value_write(front, ftr_declared_head(entity, i), &values[i], to, \
                             limit + ((i) + 1) * FTR_VALUE_SPACE);
        FTR_FIRST_VALUES(FTR_WRITE_VALUE)
#undef FTR_WRITE_VALUE
        return to;
    }
    for (size_t i = 0; i < count && to; ++i)
        to = ftr_value_write(front, ftr_declared_head(entity, (unsigned)i), &values[i], to,
                             limit + (i + 1) * FTR_VALUE_SPACE);
    return to;
}

/** Records a whole transaction, of which the way is FTR_WAY_RECORD, and keeps @p spare bytes free
 * behind its record, for a relation. Returns false, without effect, if the fast path does not
 * apply.
 *  @param entity the definition of @p generator */
FTR_INLINE bool ftr_tx_record_of(ftr_recorder *rec, const ftr_entity *entity,
                                 ftr_generator generator, uint64_t begin, uint64_t end,
                                 const ftr_value *values, size_t count, size_t spare, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    if (!FTR_LIKELY(values) || !ftr_values_have_types(entity, values, count))
        return false;
    ftr_block_front *block = front->lane.block;
    uint8_t *items = (uint8_t *)block + block->committed + FTR_RECORD_HEADER_SIZE;
    const uint64_t space = count * FTR_VALUE_SPACE + spare;
    const uint8_t *limit = (uint8_t *)block + front->lane.block_limit - space;
    if (!FTR_LIKELY(block->committed + FTR_RECORD_HEADER_SIZE + space <= front->lane.block_limit))
        return false;
    const uint8_t *next = ftr_values_write(front, entity, values, count, items, limit);
    if (!FTR_LIKELY(next))
        return false;
    uint64_t id;
    ftr_block_commit_tx(&front->lane, block, items, generator, begin, end, next, &id);
    if (tx) {
        tx->id = id;
        tx->place = ftr_place(front->slot_tag, entity->stream); /* no slot has this id */
    }
    return true;
}

/** Like ftr_tx_record_of(), without the definition of the generator. */
FTR_INLINE bool ftr_tx_record_usual(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                                    uint64_t end, const ftr_value *values, size_t count,
                                    size_t spare, ftr_tx *tx)
{
    const ftr_recorder_front *front = (const ftr_recorder_front *)rec;
    /* The times are compared first: directly after a caller has computed the end from the begin,
     * the comparison takes fewer instructions. */
    return FTR_LIKELY(end >= begin) &&
           FTR_LIKELY(generator < FTR_SELDOM_CHANGED(front->entity_count)) &&
           ftr_tx_record_of(rec, &front->entities[generator], generator, begin, end, values, count,
                            spare, tx);
}

FTR_INLINE ftr_status ftr_tx_record_inline(ftr_recorder *rec, ftr_generator generator,
                                           uint64_t begin, uint64_t end, const ftr_value *values,
                                           size_t count, ftr_tx *tx)
{
    if (FTR_LIKELY(end >= begin) && FTR_LIKELY(rec)) {
        const ftr_way way = ftr_way_of_whole(rec, begin, end);
        if (FTR_LIKELY(way == FTR_WAY_RECORD)) {
            if (FTR_LIKELY(ftr_tx_record_usual(rec, generator, begin, end, values, count, 0, tx)))
                return FTR_OK;
        } else if (way == FTR_WAY_SKIP && ftr_tx_skip(rec, generator, tx)) {
            return FTR_OK;
        }
    }
    return ftr_tx_record_out_of_line(rec, generator, begin, end, values, count, tx);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#ifndef FTR_BUILDING_LIBRARY
#define ftr_tx_put_named ftr_tx_put_named_inline
#define ftr_tx_record ftr_tx_record_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
