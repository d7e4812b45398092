/* Reads attributes by name. Texts are copied, because the reader's views end with the next
 * transaction; comparisons of whole texts use their hashes. */
#include "protocol_values.h"

#include "hash.h"
#include "text_view.h"

#include <string.h>

static bool take(ftr_protocol_values *values, unsigned i, const ftr_attribute_value *value)
{
    values->text[i][0] = '\0';
    if (value->form == FTR_FORM_NUMBER) {
        values->number[i] = value->as.number;
    } else if (value->form == FTR_FORM_INTEGER) {
        values->number[i] = (uint64_t)value->as.integer;
    } else if (value->form == FTR_FORM_BOOLEAN) {
        values->number[i] = value->as.boolean;
    } else if (value->form == FTR_FORM_TEXT && value->as.text.data != NULL) {
        const ftr_view text = value->as.text;
        const size_t most = sizeof values->text[i] - 1;
        const size_t size = text.size < most ? text.size : most;
        memcpy(values->text[i], text.data, size);
        values->text[i][size] = '\0';
        values->number[i] = ftr_hash_text(FTR_HASH_SEED, text.data, text.size);
    } else {
        return false;
    }
    return true;
}

void ftr_protocol_values_read(ftr_protocol_values *values, const char *const *names, unsigned count,
                              ftr_reader *reader, ftr_transaction *tx)
{
    ftr_attribute_value value;
    memset(values->has, 0, sizeof values->has);
    while (ftr_reader_next_attribute(reader, tx, &value)) {
        unsigned i = 0;
        while (i < count && !ftr_view_is(value.name, names[i]))
            i++;
        if (i < count)
            values->has[i] = take(values, i, &value);
    }
}

bool ftr_protocol_value_is(const ftr_protocol_values *values, unsigned attribute, const char *text)
{
    return values->has[attribute] && strcmp(values->text[attribute], text) == 0;
}

bool ftr_protocol_value_is_zero(const ftr_protocol_values *values, unsigned attribute)
{
    return values->has[attribute] && values->number[attribute] == 0;
}
