/* Owns the conversion of integers to the digits of vectors. */
#include "vector_text.h"

void ftr_vector_as_text(ftr_attribute_value *attribute, char digits[FTR_VECTOR_DIGITS])
{
    if (attribute->form != FTR_FORM_NUMBER ||
        (attribute->type != FTR_TYPE_BIT_VECTOR && attribute->type != FTR_TYPE_LOGIC_VECTOR))
        return;
    char *first = digits + FTR_VECTOR_DIGITS;
    uint64_t rest = attribute->as.number;
    do {
        *--first = (char)('0' + (rest & 1));
        rest >>= 1;
    } while (rest != 0);
    attribute->form = FTR_FORM_TEXT;
    attribute->as.text = (ftr_view){first, (size_t)(digits + FTR_VECTOR_DIGITS - first)};
}
