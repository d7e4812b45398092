/* Names of the attribute types, digits of vectors, and names of addresses. */
#include "attribute_types.h"

#include <string.h>

const char *const ftr_type_names[FTR_TYPE_NAMES] = {
    "BOOLEAN",
    "ENUMERATION",
    "INTEGER",
    "UNSIGNED",
    "FLOATING_POINT_NUMBER",
    "BIT_VECTOR",
    "LOGIC_VECTOR",
    "FIXED_POINT_INTEGER",
    "UNSIGNED_FIXED_POINT_INTEGER",
    "POINTER",
    "STRING",
    "TIME",
    "NONE",
};

const char *ftr_type_name(unsigned type)
{
    return ftr_type_names[type < FTR_TYPE_NAMES ? type : FTR_TYPE_NAMES - 1];
}

bool ftr_type_of_name(const char *name, size_t size, unsigned *type)
{
    for (unsigned i = 0; i < FTR_TYPE_NAMES - 1; i++) {
        if (size == strlen(ftr_type_names[i]) && memcmp(name, ftr_type_names[i], size) == 0) {
            *type = i;
            return true;
        }
    }
    return false;
}

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

static bool ends_with_word(const char *name, size_t size, const char *word)
{
    const size_t length = strlen(word);
    if (size < length)
        return false;
    for (size_t i = 0; i < length; i++)
        /* `| 0x20` ignores case: the words contain only small letters */
        if ((name[size - length + i] | 0x20) != word[i])
            return false;
    return size == length || name[size - length - 1] == '_' || name[size - length - 1] == '.';
}

bool ftr_is_address_name(const char *name, size_t size)
{
    return ends_with_word(name, size, "address") || ends_with_word(name, size, "addr") ||
           ends_with_word(name, size, "adr");
}
