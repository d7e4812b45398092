/* Owns a growing list of texts; does not copy them. */
#include "name_list.h"

#include <string.h>

void name_list_add(struct arena *arena, struct name_list *list, const char *name)
{
    ARENA_APPEND(arena, list->names, list->count, name);
}

bool name_list_has(const struct name_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return false;
}
