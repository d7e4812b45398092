/* Texts as values of attributes: NUL-terminated texts, texts of a given length, defined texts, and
 * bytes. */
#include "item_value.h"

ftr_status ftr_item_take_text(ftr_recorder *rec, const ftr_value *value, ftr_item_value *taken)
{
    if (value->defined == FTR_BYTES) {
        const size_t size = value->text_length;
        taken->text = size > 0 ? value->as.bytes : "";
        taken->is_bytes = true;
        taken->word = 2 * (uint64_t)size;
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
