/* A list of name patterns. Records which patterns have matched a stream so far: a pattern without a
 * match is probably misspelt, and the recorder warns about it at close. */
#ifndef FTR_NAME_FILTER_H
#define FTR_NAME_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <ftr/status.h>

typedef struct ftr_name_filter {
    char *list; /* owned; NULL: no filter */
    /* index: number of a pattern; value 1: the pattern has matched a name. Owned. Any thread sets
     * values atomically */
    uint8_t *matched;
} ftr_name_filter;

/* Copies @p list, which contains patterns for ftr_glob_list_next(). NULL: no filter.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_name_filter_init(ftr_name_filter *filter, const char *list);
void ftr_name_filter_release(ftr_name_filter *filter);

/* Returns whether at least one pattern matches @p name or @p owner (NULL: none). Marks all patterns
 * that match. */
bool ftr_name_filter_matches(const ftr_name_filter *filter, const char *owner, const char *name);

/* Calls @p each for every pattern without a match. The pattern is not NUL-terminated. */
void ftr_name_filter_list_unmatched(const ftr_name_filter *filter,
                                    void (*each)(void *user, const char *pattern, size_t size),
                                    void *user);

#endif
