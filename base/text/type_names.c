/* Owns the names of the attribute types. */
#include "type_names.h"

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
