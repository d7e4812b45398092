/** @file
 *  An ordered list of texts in an arena. */
#ifndef FTR_NAME_LIST_H
#define FTR_NAME_LIST_H

#include "command_arena.h"

#include <stdbool.h>

typedef struct ftr_name_list {
    const char **names;
    size_t count;
} ftr_name_list;

void ftr_name_list_add(ftr_link_arena *arena, ftr_name_list *list, const char *name);
bool ftr_name_list_has(const ftr_name_list *list, const char *name);

#endif
