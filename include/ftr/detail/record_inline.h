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

/** The form of the values of @p type. */
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

/** The type of a value, which may be invalid: C++ must not even read an invalid value as an
 * ftr_type. */
FTR_INLINE unsigned ftr_type_of(const ftr_value *value)
{
    unsigned type;
    memcpy(&type, &value->type, sizeof type);
    return type;
}

/** Puts an item with its name. Returns false if the fast path does not apply. The length of a name
 *  that is a literal is known at compile time. */
FTR_INLINE bool ftr_slot_put_named(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                                   const char *name, const ftr_value *value)
{
    if (FTR_LIKELY(rec && name && value && ftr_type_of(value) <= FTR_TYPE_TIME &&
                   (unsigned)class_ <= FTR_CLASS_END)) {
        unsigned form = ftr_form_of(ftr_type_of(value));
        const char *text = form == FTR_ITEM_FORM_TEXT ? value->as.text : "";
        uint64_t word = form == FTR_ITEM_FORM_BOOLEAN ? value->as.boolean : value->as.number;
        size_t name_size = strlen(name);
        size_t text_size = 0;
        if (form == FTR_ITEM_FORM_TEXT && text && !value->defined)
            word = text_size =
                value->text_length == FTR_NUL_TERMINATED ? strlen(text) : value->text_length;
        ftr_slot *slot = ftr_slot_of(rec, tx);
        if (FTR_LIKELY(text && name_size - 1 < UINT16_MAX && text_size <= FTR_TEXT_SIZE_MAX &&
                       !(form == FTR_ITEM_FORM_TEXT && value->defined))) {
            size_t text_at = FTR_ITEM_SIZE + ftr_item_pad(name_size);
            size_t size = text_at + ftr_item_pad(text_size);
            if (FTR_LIKELY(ftr_slot_holds(slot, tx) && ftr_slot_has_room(slot, size))) {
                uint8_t *to = slot->items + slot->fill;
                uint64_t head = FTR_ITEM_NAMED | (uint64_t)ftr_type_of(value) << 32 |
                                (uint64_t)(form | (unsigned)class_ << 4) << 40 |
                                (uint64_t)name_size << 48;
                memcpy(to, &head, sizeof head);
                memcpy(to + 8, &word, sizeof word);
                memcpy(to + FTR_ITEM_SIZE, name, name_size);
                if (form == FTR_ITEM_FORM_TEXT)
                    ftr_text_copy(to + text_at, text, text_size);
                ftr_slot_commit(slot, size);
                return true;
            }
        }
    }
    return false;
}

/** Calls the exported function with a copy of the value, so that the compiler can keep the caller's
 * value in registers. */
FTR_INLINE ftr_status ftr_tx_put_named_out_of_line(ftr_recorder *rec, ftr_tx tx,
                                                   ftr_attribute_class class_, const char *name,
                                                   const ftr_value *value)
{
    if (!value)
        return ftr_tx_put_named(rec, ftr_tx_copy(tx), class_, name, NULL);
    ftr_value copy = *value;
    return ftr_tx_put_named(rec, ftr_tx_copy(tx), class_, name, &copy);
}

FTR_INLINE ftr_status ftr_tx_put_named_inline(ftr_recorder *rec, ftr_tx tx,
                                              ftr_attribute_class class_, const char *name,
                                              const ftr_value *value)
{
    return ftr_slot_put_named(rec, tx, class_, name, value)
               ? FTR_OK
               : ftr_tx_put_named_out_of_line(rec, tx, class_, name, value);
}

/** Writes the item of a value to @p to, where there is enough space for the items of all values
 * without their texts. Returns the position of the next item, or NULL if the fast path does not
 * apply.
 *  @param limit the end of the space
 *  @param left number of items that follow */
FTR_INLINE uint8_t *ftr_value_write(const ftr_declared_attribute *declared, const ftr_value *value,
                                    uint8_t *to, const uint8_t *limit, size_t left)
{
    unsigned form = ftr_form_of(ftr_type_of(value));
    if (!FTR_LIKELY(ftr_type_of(value) == declared->type))
        return NULL;
    memcpy(to, declared, 8);
    if (form != FTR_ITEM_FORM_TEXT) {
        uint64_t word = form == FTR_ITEM_FORM_BOOLEAN ? value->as.boolean : value->as.number;
        memcpy(to + 8, &word, sizeof word);
        return to + FTR_ITEM_SIZE;
    }
    const char *text = value->as.text;
    if (!FTR_LIKELY(text && !value->defined))
        return NULL;
    uint64_t size = value->text_length == FTR_NUL_TERMINATED ? strlen(text) : value->text_length;
    memcpy(to + 8, &size, sizeof size);
    to += FTR_ITEM_SIZE;
    uint64_t room = ((uint64_t)(limit - to) - left * FTR_ITEM_SIZE) & ~UINT64_C(15);
    if (!FTR_LIKELY(size <= room))
        return NULL;
    ftr_text_copy(to, text, size);
    return to + ftr_item_pad(size);
}

/** Calls the exported function. If the values are known individually, passes a copy of the list, so
 * that the compiler need not build the caller's list on the fast path. */
FTR_INLINE ftr_status ftr_tx_record_out_of_line(ftr_recorder *rec, ftr_generator generator,
                                                uint64_t begin, uint64_t end,
                                                const ftr_value *values, size_t count, ftr_tx *tx)
{
    ftr_value copies[8];
    if (!__builtin_constant_p(count) || count > sizeof copies / sizeof copies[0] || !values)
        return ftr_tx_record(rec, generator, begin, end, values, count, tx);
    for (size_t i = 0; i < count; ++i)
        copies[i] = values[i];
    return ftr_tx_record(rec, generator, begin, end, copies, count, tx);
}

FTR_INLINE ftr_status ftr_tx_record_inline(ftr_recorder *rec, ftr_generator generator,
                                           uint64_t begin, uint64_t end, const ftr_value *values,
                                           size_t count, ftr_tx *tx)
{
    ftr_recorder_front *front = (ftr_recorder_front *)rec;
    const ftr_entity *entity = ftr_usual_generator(rec, generator);
    if (FTR_LIKELY(entity && values && end >= begin && count <= entity->attributes.count)) {
        uint8_t *block = (uint8_t *)front->lane.block;
        uint64_t at = front->lane.block->committed + FTR_RECORD_HEADER_SIZE;
        const uint8_t *limit = block + front->lane.block_limit;
        uint8_t *to = block + at;
        if (!FTR_LIKELY(at + count * FTR_ITEM_SIZE <= front->lane.block_limit))
            to = NULL;
        const ftr_declared_attribute *declared = entity->attributes.at;
        FTR_UNROLL
        for (size_t i = 0; i < count && to; ++i)
            to = ftr_value_write(&declared[i], &values[i], to, limit, count - i - 1);
        if (FTR_LIKELY(to)) {
            uint64_t id;
            ftr_block_commit_tx(&front->lane, generator, begin, end, (size_t)(to - block), &id);
            if (tx) {
                tx->id = id;
                tx->place = ftr_place(front->slot_tag, entity->stream); /* no slot has this id */
            }
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
