/* The groups that rows of a trace fall into when a query groups them by stream or generator. */
#ifndef FTR_ROW_GROUPS_H
#define FTR_ROW_GROUPS_H

#include "scan_bounds.h"

/* What the rows of a group have in common: a name or an id for each role. */
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

/* The groups of all generators of @p trace, in order. Stops behind @p limit of them.
 * @return false without memory */
bool ftr_row_groups_collect(ftr_row_groups *groups, ftr_sql_trace *trace, size_t limit);

/* The number of the group that rows of @p generator are in; a new one is put behind all others.
 * @return SIZE_MAX without memory */
size_t ftr_row_groups_find(ftr_row_groups *groups, ftr_sql_trace *trace,
                           const ftr_generator_info *generator);

/* Whether rows of @p stream may be in group @p number. */
bool ftr_row_groups_want_stream(const ftr_row_groups *groups, ftr_sql_trace *trace, size_t number,
                                const ftr_stream_info *stream);

void ftr_row_groups_release(ftr_row_groups *groups);

#endif
