/* Checks values of attributes: NUL-terminated texts, texts of a given length, defined texts, bytes,
 * and values with names. */
#include "item_value.h"

#define NAME_LENGTH_MAX UINT16_MAX

ftr_status ftr_item_take_text(ftr_recorder *rec, const ftr_value *value, ftr_item_value *taken)
{
    if (value->defined == FTR_BYTES) {
        const size_t size = value->text_length;
        taken->form = FTR_ITEM_FORM_BYTES;
        taken->text = size > 0 ? value->as.bytes : "";
        taken->word = size;
        if (taken->text == NULL)
            return FTR_ERR_ARGUMENT;
        if (ftr_type_of(value) != FTR_TYPE_STRING)
            return FTR_ERR_TYPE;
        return size > FTR_TEXT_SIZE_MAX / 2 ? FTR_ERR_LIMIT : FTR_OK;
    }
    if (value->defined) {
        taken->form = FTR_ITEM_FORM_DEFINED;
        taken->word = value->defined;
        return ftr_text_is_defined(rec, value->defined) ? FTR_OK : FTR_ERR_UNDEFINED;
    }
    taken->text = value->as.text;
    if (taken->text == NULL)
        return FTR_ERR_ARGUMENT;
    taken->word =
        value->text_length == FTR_NUL_TERMINATED ? strlen(taken->text) : value->text_length;
    return taken->word > FTR_TEXT_SIZE_MAX ? FTR_ERR_LIMIT : FTR_OK;
}

ftr_status ftr_named_item_take(ftr_recorder *rec, ftr_attribute_class class_, const char *name,
                               const ftr_value *value, ftr_named_item *taken)
{
    if (name == NULL || !*name || value == NULL || (unsigned)class_ > FTR_CLASS_END ||
        ftr_type_of(value) > FTR_TYPE_TIME)
        return FTR_ERR_ARGUMENT;
    *taken = (ftr_named_item){.name = name, .name_length = strlen(name)};
    if (taken->name_length > NAME_LENGTH_MAX)
        return FTR_ERR_LIMIT;
    ftr_status status = ftr_item_take(rec, value, ftr_form_of(value->type), &taken->value);
    if (status != FTR_OK)
        return status;
    uint64_t head = ftr_item_head(FTR_ITEM_NAMED, (uint8_t)value->type,
                                  (uint8_t)(taken->value.form | (unsigned)class_ << 4));
    taken->head = head | (uint64_t)taken->name_length << 48;
    taken->size = sizeof(ftr_item) + ftr_item_pad(taken->name_length) +
                  (taken->value.text != NULL ? ftr_item_pad(taken->value.word) : 0);
    return FTR_OK;
}

void ftr_named_item_write(uint8_t *to, const ftr_named_item *item)
{
    ftr_item_set((ftr_item *)to, item->head, item->value.word);
    to += sizeof(ftr_item);
    memcpy(to, item->name, item->name_length);
    ftr_item_write_text(to + ftr_item_pad(item->name_length), &item->value);
}
