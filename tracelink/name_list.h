/** @file
 *  An ordered list of texts that live in an arena. */
#ifndef TRACELINK_NAME_LIST_H
#define TRACELINK_NAME_LIST_H

#include "command_arena.h"

#include <stdbool.h>

struct name_list {
    const char **names;
    size_t count;
};

void name_list_add(struct arena *arena, struct name_list *list, const char *name);
bool name_list_has(const struct name_list *list, const char *name);

#endif
