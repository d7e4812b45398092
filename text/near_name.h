/* The known name that is nearest to a misspelt one, for warnings. */
#ifndef FTR_NEAR_NAME_H
#define FTR_NEAR_NAME_H

#include <stddef.h>

/* Longer names are never suggested. */
#define FTR_NEAR_NAME_MAX 127

typedef struct ftr_near_name {
    const char *wanted; /* borrowed */
    size_t size;
    size_t distance; /* of the best so far, in half edits */
    char best[FTR_NEAR_NAME_MAX + 1];
} ftr_near_name;

/* Starts a search for names near @p wanted, which must live as long as the search. */
void ftr_near_name_init(ftr_near_name *near, const char *wanted, size_t size);

/* Offers a known name, which is copied if it is the nearest so far. */
void ftr_near_name_offer(ftr_near_name *near, const char *name, size_t size);

/* Returns the nearest of the names offered, NUL-terminated; NULL if none is near enough: a third of
 * the longer name's characters, at most, may be inserted, removed, replaced or swapped. What stands
 * behind the last dot of a name is compared alone, too. The string lives in @p near. */
const char *ftr_near_name_get(const ftr_near_name *near);

#endif
