/* Stores the name patterns of a recorder. name_glob.c matches them. */
#define _GNU_SOURCE
#include "name_filter.h"

#include <stdlib.h>
#include <string.h>

#include "name_glob.h"

ftr_status ftr_name_filter_init(ftr_name_filter *filter, const char *list)
{
    *filter = (ftr_name_filter){0};
    if (list == NULL)
        return FTR_OK;
    size_t count = 1; /* starts at 1, so that the allocation is not empty */
    const char *glob;
    size_t size;
    for (const char *rest = list; ftr_glob_list_next(&rest, &glob, &size);)
        count++;
    filter->list = strdup(list);
    filter->matched = calloc(count, sizeof *filter->matched);
    if (filter->list != NULL && filter->matched != NULL)
        return FTR_OK;
    ftr_name_filter_release(filter);
    return FTR_ERR_MEMORY;
}

void ftr_name_filter_release(ftr_name_filter *filter)
{
    free(filter->list);
    free(filter->matched);
    *filter = (ftr_name_filter){0};
}

bool ftr_name_filter_matches(const ftr_name_filter *filter, const char *owner, const char *name)
{
    const char *rest = filter->list != NULL ? filter->list : "";
    const char *glob;
    size_t size;
    size_t name_size = strlen(name);
    size_t owner_size = owner != NULL ? strlen(owner) : 0;
    bool found = false;
    for (size_t i = 0; ftr_glob_list_next(&rest, &glob, &size); i++) {
        if (!ftr_glob_matches(glob, size, name, name_size) &&
            (owner == NULL || !ftr_glob_matches(glob, size, owner, owner_size)))
            continue;
        __atomic_store_n(&filter->matched[i], 1, __ATOMIC_RELAXED);
        found = true;
    }
    return found;
}

void ftr_name_filter_list_unmatched(const ftr_name_filter *filter,
                                    void (*each)(void *user, const char *pattern, size_t size),
                                    void *user)
{
    const char *rest = filter->list != NULL ? filter->list : "";
    const char *glob;
    size_t size;
    for (size_t i = 0; ftr_glob_list_next(&rest, &glob, &size); i++) {
        if (!__atomic_load_n(&filter->matched[i], __ATOMIC_RELAXED))
            each(user, glob, size);
    }
}
