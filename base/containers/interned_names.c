/* Owns the names of a set. */
#include "interned_names.h"

#include "growing_array.h"

#include <string.h>

const ftr_name *ftr_names_intern(ftr_names *names, const char *text, size_t size)
{
    const size_t known = ftr_name_table_find(&names->table, text, size, 0);
    if (known != FTR_NAME_UNKNOWN)
        return names->names[known];
    if (!ftr_array_grow(&names->names, &names->capacity, names->count, sizeof(ftr_name *)))
        return NULL;
    ftr_name *name = malloc(sizeof *name + size + 1);
    if (name == NULL)
        return NULL;
    char *copy = (char *)(name + 1);
    if (size > 0)
        memcpy(copy, text, size);
    copy[size] = '\0';
    *name = (ftr_name){names->count, size, copy};
    if (!ftr_name_table_add(&names->table, name->text, size, 0, name->number)) {
        free(name);
        return NULL;
    }
    names->names[names->count++] = name;
    return name;
}

void ftr_names_release(ftr_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->names[i]);
    free(names->names);
    ftr_name_table_release(&names->table);
    *names = (ftr_names){0};
}
