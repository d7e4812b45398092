/* Owns a growing list of texts; does not copy them. */
#include "name_list.h"

#include <string.h>

void ftr_name_list_add(ftr_link_arena *arena, ftr_name_list *list, const char *name)
{
    FTR_ARENA_APPEND(arena, list->names, list->count, name);
}

bool ftr_name_list_has(const ftr_name_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return false;
}
