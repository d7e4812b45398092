/* Owns the search for the transactions of a run. Does not know the columns. */
#include "transaction_scan.h"

#include "row_groups.h"

#include <stdlib.h>

/* An index of ids may use one part in INDEX_SHARE of the memory. */
#define INDEX_SHARE 4

struct ftr_transaction_scan {
    ftr_cursor *pass; /* the current iteration over the trace; NULL: not open */
    ftr_row_groups groups;
    size_t
        group; /* index of the group that the pass reads; without groups, 1 after the only pass */
    /* Only if by_position: the next index entry of the wanted id, and the number of entries
     * left. */
    const ftr_id_position *position;
    size_t left;
    bool by_position;
};

static bool choose_stream(void *user, const ftr_stream_info *stream)
{
    ftr_sql_cursor *cursor = user;
    struct ftr_transaction_scan *scan = cursor->scan;
    return ftr_sql_bounds_want_stream(&cursor->bounds, cursor->trace, stream) &&
           (scan->groups.role_count == 0 ||
            ftr_row_groups_want_stream(&scan->groups, cursor->trace, scan->group, stream));
}

static bool choose_generator(void *user, const ftr_generator_info *generator)
{
    ftr_sql_cursor *cursor = user;
    struct ftr_transaction_scan *scan = cursor->scan;
    return ftr_sql_bounds_want_stream(&cursor->bounds, cursor->trace, generator->stream) &&
           ftr_sql_bounds_want_generator(&cursor->bounds, cursor->trace, generator) &&
           (scan->groups.role_count == 0 ||
            ftr_row_groups_find(&scan->groups, cursor->trace, generator) == scan->group);
}

/* @return SQLITE_OK; SQLITE_DONE if the time window is empty; an error */
static int open_pass(ftr_sql_cursor *cursor)
{
    const ftr_sql_bounds *bounds = &cursor->bounds;
    const bool is_bound =
        bounds->test_count > 0 || bounds->stream != NULL || cursor->scan->groups.role_count > 0;
    ftr_query query = {
        .size = sizeof query,
        .order = bounds->order,
        .by_id = bounds->has_id,
        .id = bounds->id,
        .choose_stream = is_bound ? choose_stream : NULL,
        .choose_generator = is_bound ? choose_generator : NULL,
        .user = cursor,
    };
    if (!ftr_sql_bounds_window(bounds, cursor->trace, &query.from, &query.to))
        return SQLITE_DONE;
    query.windowed = query.from > 0 || query.to < UINT64_MAX;
    const ftr_status status = ftr_cursor_open(cursor->trace->reader, &query, &cursor->scan->pass);
    return status == FTR_OK ? SQLITE_OK : ftr_sql_fail_reading(cursor, status);
}

static int look_up(ftr_sql_cursor *cursor, bool *found)
{
    struct ftr_transaction_scan *scan = cursor->scan;
    ftr_sql_trace *trace = cursor->trace;
    const ftr_status status =
        ftr_id_positions_ask(&trace->positions, trace->reader, trace->context->memory / INDEX_SHARE,
                             &trace->moves, found);
    if (status != FTR_OK)
        return ftr_sql_fail_reading(cursor, status);
    if (!*found)
        return SQLITE_OK;
    scan->by_position = true;
    scan->position = ftr_id_positions_find(&trace->positions, cursor->bounds.id, &scan->left);
    if (scan->left == 0 || scan->pass != NULL)
        return SQLITE_OK;
    const ftr_status opened = ftr_cursor_open(trace->reader, NULL, &scan->pass);
    return opened == FTR_OK ? SQLITE_OK : ftr_sql_fail_reading(cursor, opened);
}

static void close_pass(struct ftr_transaction_scan *scan)
{
    ftr_cursor_close(scan->pass);
    scan->pass = NULL;
}

int ftr_transaction_scan_start(ftr_sql_cursor *cursor)
{
    if (cursor->scan == NULL)
        cursor->scan = calloc(1, sizeof *cursor->scan);
    struct ftr_transaction_scan *scan = cursor->scan;
    if (scan == NULL)
        return SQLITE_NOMEM;
    /* A join makes many look-ups, one after the other; they share one pass. */
    if (!scan->by_position || !cursor->bounds.has_id)
        close_pass(scan);
    scan->group = 0;
    scan->by_position = false;
    if (cursor->bounds.has_id) {
        bool found;
        const int result = look_up(cursor, &found);
        if (result != SQLITE_OK || found)
            return result;
        close_pass(scan);
    }
    ftr_row_groups_release(&scan->groups);
    scan->groups.role_count = cursor->bounds.group_count;
    for (int i = 0; i < cursor->bounds.group_count; i++)
        scan->groups.roles[i] = cursor->bounds.group[i];
    if (scan->groups.role_count > 0 &&
        !ftr_row_groups_collect(&scan->groups, cursor->trace, SIZE_MAX - 1))
        return SQLITE_NOMEM;
    return SQLITE_OK;
}

static int next_position(ftr_sql_cursor *cursor)
{
    struct ftr_transaction_scan *scan = cursor->scan;
    if (scan->left == 0)
        return SQLITE_DONE;
    scan->left--;
    const ftr_id_position *position = scan->position++;
    cursor->trace->moves++;
    const ftr_status status =
        ftr_cursor_seek(scan->pass, cursor->trace->positions.chunks[position->chunk],
                        position->within, &cursor->tx);
    return status == FTR_OK ? SQLITE_OK : ftr_sql_fail_reading(cursor, status);
}

int ftr_transaction_scan_next(ftr_sql_cursor *cursor)
{
    struct ftr_transaction_scan *scan = cursor->scan;
    if (scan->by_position)
        return next_position(cursor);
    for (;;) {
        if (scan->pass == NULL) {
            if (scan->groups.role_count > 0 ? scan->group >= scan->groups.count : scan->group > 0)
                return SQLITE_DONE;
            const int result = open_pass(cursor);
            if (result != SQLITE_OK)
                return result;
        }
        cursor->trace->moves++;
        const ftr_status status = ftr_cursor_next(scan->pass, &cursor->tx);
        if (status == FTR_OK)
            return SQLITE_OK;
        close_pass(scan);
        scan->group++;
        if (status != FTR_ERR_END)
            return ftr_sql_fail_reading(cursor, status);
    }
}

void ftr_transaction_scan_stop(ftr_sql_cursor *cursor)
{
    if (cursor->scan == NULL)
        return;
    close_pass(cursor->scan);
    ftr_row_groups_release(&cursor->scan->groups);
    free(cursor->scan);
    cursor->scan = NULL;
}
