/* Groups of generators, for queries with GROUP BY or ORDER BY over columns with the names or ids of
 * streams and generators. A group consists of all generators of a trace that have equal values in
 * these columns. A scan that reads one group after the other delivers the rows in the order that
 * the query wants. */
#ifndef FTR_ROW_GROUPS_H
#define FTR_ROW_GROUPS_H

#include "scan_bounds.h"

/* The values of the columns, which all rows of a group share; index: index of the role in `roles`.
 * For a role that is a name, names[] is used, otherwise ids[]. */
typedef struct ftr_row_group {
    const ftr_name *names[FTR_SQL_GROUP_MAX];
    uint64_t ids[FTR_SQL_GROUP_MAX];
} ftr_row_group;

typedef struct ftr_row_groups {
    int roles[FTR_SQL_GROUP_MAX];
    int role_count;
    ftr_row_group *groups;
    size_t count, capacity;
} ftr_row_groups;

/* Collects the groups of all generators of @p trace, sorted. Stops if there are more than @p limit
 * groups.
 * @return false if out of memory */
bool ftr_row_groups_collect(ftr_row_groups *groups, ftr_sql_trace *trace, size_t limit);

/* Returns the index of the group of @p generator. If the group does not exist yet, it is appended.
 * @return SIZE_MAX if out of memory */
size_t ftr_row_groups_find(ftr_row_groups *groups, ftr_sql_trace *trace,
                           const ftr_generator_info *generator);

/* Returns true if rows of @p stream may belong to the group with the index @p number. */
bool ftr_row_groups_want_stream(const ftr_row_groups *groups, ftr_sql_trace *trace, size_t number,
                                const ftr_stream_info *stream);

void ftr_row_groups_release(ftr_row_groups *groups);

#endif
