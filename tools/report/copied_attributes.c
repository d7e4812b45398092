/* Owns the form of copied attributes: the attribute, its name, its text, and padding. Does not know
 * the transactions that need copies. */
#include "copied_attributes.h"

#include <string.h>

/* The character that marks a cut text: an ellipsis. */
#define CUT_MARK "\xe2\x80\xa6"

ftr_view ftr_kept_text(ftr_view text, char cut[FTR_KEPT_TEXT_ROOM])
{
    size_t length = FTR_KEPT_TEXT_MAX;
    if (text.size <= FTR_KEPT_TEXT_MAX)
        return text;
    while (length > 0 && ((unsigned char)text.data[length] & 0xc0u) == 0x80)
        length--; /* do not divide a character */
    memcpy(cut, text.data, length);
    memcpy(cut + length, CUT_MARK, sizeof CUT_MARK - 1);
    return (ftr_view){cut, length + sizeof CUT_MARK - 1};
}

/* Returns the number of bytes of a text that the selection can use. */
static size_t used_size(ftr_view text)
{
    /* One byte more than is kept: it shows that the text is shortened, and where a character ends.
     */
    return text.data == NULL               ? 0
           : text.size > FTR_KEPT_TEXT_MAX ? FTR_KEPT_TEXT_MAX + 1
                                           : text.size;
}

static ftr_view text_of(const ftr_attribute_value *attribute)
{
    return attribute->form == FTR_FORM_TEXT ? attribute->as.text : (ftr_view){0};
}

static size_t size_of(const ftr_attribute_value *attribute)
{
    const size_t size =
        sizeof *attribute + used_size(attribute->name) + used_size(text_of(attribute));
    return (size + 7) & ~(size_t)7;
}

static void put_text(char **to, ftr_view text)
{
    if (used_size(text) > 0)
        memcpy(*to, text.data, used_size(text));
    *to += used_size(text);
}

void ftr_copied_attributes_append(ftr_reader *reader, ftr_transaction *tx, ftr_prepared *prepared)
{
    ftr_attribute_value attribute;
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        char *to = ftr_prepared_append(prepared, size_of(&attribute));
        if (to == NULL)
            return; /* out of memory: this ends the reading */
        ftr_attribute_value copy = attribute;
        copy.name.size = used_size(attribute.name);
        if (copy.form == FTR_FORM_TEXT)
            copy.as.text.size = used_size(attribute.as.text);
        memcpy(to, &copy, sizeof copy);
        to += sizeof copy;
        put_text(&to, attribute.name);
        put_text(&to, text_of(&attribute));
    }
}

const void *ftr_copied_attributes_next(const void *bytes, ftr_attribute_value *attribute)
{
    const char *texts = (const char *)bytes + sizeof *attribute;
    memcpy(attribute, bytes, sizeof *attribute);
    if (attribute->name.data != NULL)
        attribute->name.data = texts;
    if (attribute->form == FTR_FORM_TEXT && attribute->as.text.data != NULL)
        attribute->as.text.data = texts + attribute->name.size;
    return (const char *)bytes + size_of(attribute);
}
