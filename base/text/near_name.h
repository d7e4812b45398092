/* Finds the known name that is nearest to a misspelt name, so that warnings can suggest the known
 * name. */
#ifndef FTR_NEAR_NAME_H
#define FTR_NEAR_NAME_H

#include <stddef.h>

/* Maximum size of a name in bytes. Longer names are not suggested, and nothing is suggested for a
 * longer misspelt name. */
#define FTR_NEAR_NAME_MAX 127

typedef struct ftr_near_name {
    const char *wanted; /* borrowed */
    size_t size;
    size_t distance; /* distance of `best`, in half edits; SIZE_MAX: no name found */
    char best[FTR_NEAR_NAME_MAX + 1];
} ftr_near_name;

/* Starts a search for names near @p wanted, which must stay valid until the search is over. */
void ftr_near_name_init(ftr_near_name *near, const char *wanted, size_t size);

/* Compares a known name with the wanted name; copies the known name if it is the nearest so far. */
void ftr_near_name_offer(ftr_near_name *near, const char *name, size_t size);

/* Returns the nearest name, NUL-terminated, or NULL if no name is near enough. A name is near
 * enough if the number of edits (insertions, removals, replacements, swaps) is at most a third,
 * rounded up, of the number of characters of the longer name. A change of case is half an edit. The
 * part of a known name behind its last dot is also compared: if it is near enough, its distance is
 * increased by one edit, so that whole names come first. The returned string is stored in
 * @p near. */
const char *ftr_near_name_get(const ftr_near_name *near);

#endif
