/* Values in the form of an item. */
#ifndef FTR_ITEM_VALUE_H
#define FTR_ITEM_VALUE_H

#include <string.h>

#include "recorder_state.h"

/* A value, checked by ftr_item_take(). */
typedef struct ftr_item_value {
    unsigned form;    /* FTR_ITEM_FORM_... */
    uint64_t word;    /* the member `value` of the item */
    const char *text; /* the text or the bytes behind the item; NULL: there are none */
} ftr_item_value;

/* Writes the text or the bytes of a value behind its item. */
static inline void ftr_item_write_text(uint8_t *to, const ftr_item_value *value)
{
    if (value->text != NULL)
        memcpy(to, value->text, value->word);
}

static inline bool ftr_text_is_defined(ftr_recorder *rec, ftr_text text)
{
    return text != 0 &&
           text < atomic_load_explicit(&rec->definitions.text_count, memory_order_acquire);
}

/* Checks the text or the bytes of a value. Sets @p taken, which then points to this text or these
 * bytes.
 * @return FTR_OK; FTR_ERR_ARGUMENT for NULL; FTR_ERR_TYPE for bytes with another type than
 *         STRING; FTR_ERR_LIMIT for a text of more than 1 GiB, or more than 512 MiB of bytes;
 *         FTR_ERR_UNDEFINED for an unknown defined text */
ftr_status ftr_item_take_text(ftr_recorder *rec, const ftr_value *value, ftr_item_value *taken);

static inline ftr_status ftr_item_take(ftr_recorder *rec, const ftr_value *value, unsigned form,
                                       ftr_item_value *taken)
{
    *taken = (ftr_item_value){.form = form, .word = value->as.number};
    if (form == FTR_ITEM_FORM_BOOLEAN)
        taken->word = value->as.boolean;
    return form == FTR_ITEM_FORM_TEXT ? ftr_item_take_text(rec, value, taken) : FTR_OK;
}

/* A value with a name, checked by ftr_named_item_take(). */
typedef struct ftr_named_item {
    uint64_t head; /* the first word of the item */
    const char *name;
    size_t name_length;
    ftr_item_value value;
    size_t size; /* bytes of the item, its name and its text */
} ftr_named_item;

/* Checks a value with a name. Sets @p taken, which borrows the name and the text.
 * @return FTR_OK; FTR_ERR_ARGUMENT for an empty name, or an unknown class or type;
 *         FTR_ERR_LIMIT for a name of more than 65535 bytes; or as ftr_item_take_text() */
ftr_status ftr_named_item_take(ftr_recorder *rec, ftr_attribute_class class_, const char *name,
                               const ftr_value *value, ftr_named_item *taken);

/* Writes the item to @p to, where there are `size` bytes. */
void ftr_named_item_write(uint8_t *to, const ftr_named_item *item);

static inline void ftr_item_set(ftr_item *item, uint64_t head, uint64_t value)
{
    memcpy(item, &head, sizeof head);
    item->value = value;
}

/* Returns the first word of an item of the attribute @p declared. @p form is the form of the value:
 * that of the attribute or, if the attribute is a text, also a defined text or bytes. */
static inline uint64_t ftr_item_head_of(const ftr_declared_attribute *declared, unsigned form)
{
    uint64_t head;
    memcpy(&head, declared, sizeof head);
    return head ^ (uint64_t)(declared->form ^ form) << 40;
}

#endif
