/* The errors of a cursor, and its scan over the transactions of a run: all of them in one order,
 * all of them group by group, or those with one id. */
#include "table_cursor.h"

#include "row_groups.h"

#include <stdlib.h>

int ftr_sql_fail(ftr_sql_cursor *cursor, int result, char *message)
{
    sqlite3_free(cursor->table->base.zErrMsg);
    cursor->table->base.zErrMsg = message;
    return result;
}

int ftr_sql_fail_reading(ftr_sql_cursor *cursor, ftr_status status)
{
    if (status == FTR_ERR_MEMORY)
        return SQLITE_NOMEM;
    return ftr_sql_fail(cursor, SQLITE_IOERR,
                        sqlite3_mprintf("ftr: %s: %s", cursor->trace->path,
                                        status == FTR_ERR_LIMIT
                                            ? "the memory budget is too small; raise --memory"
                                            : ftr_status_text(status)));
}

/* Ticks above 2^63-1 are TEXT. SQLite sorts them after all others, and by their digits. To deliver
 * rows in this order, the scan makes one pass for each of the following ranges, in the order of the
 * list. */
typedef enum order_range {
    RANGE_INTEGER,   /* up to 2^63-1; the only range of nearly all traces */
    RANGE_20_DIGITS, /* from 10^19 */
    RANGE_19_DIGITS, /* from 2^63 to 10^19-1 */
    RANGE_COUNT
} order_range;

#define LEAST_OF_20_DIGITS UINT64_C(10000000000000000000)

struct ftr_transaction_scan {
    ftr_cursor *pass;      /* the current iteration over the trace; NULL: not open */
    order_range range;     /* the range that the pass reads, if the order is of values */
    bool has_other_ranges; /* a pass has found ticks above 2^63-1 */
    ftr_row_groups groups;
    size_t
        group; /* index of the group that the pass reads; without groups: 1 after the only pass */
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
    const ftr_sql_kind *kind = cursor->table->kind;
    return (kind->wants_stream == NULL || kind->wants_stream(stream)) &&
           ftr_sql_bounds_want_stream(&cursor->bounds, cursor->trace, stream) &&
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

static bool is_bound(const ftr_sql_cursor *cursor)
{
    return cursor->bounds.test_count > 0 || cursor->bounds.stream != NULL ||
           cursor->scan->groups.role_count > 0;
}

static order_range range_of(uint64_t ticks)
{
    return ticks <= INT64_MAX            ? RANGE_INTEGER
           : ticks >= LEAST_OF_20_DIGITS ? RANGE_20_DIGITS
                                         : RANGE_19_DIGITS;
}

/* @return SQLITE_OK; SQLITE_DONE if no transaction can match; an error */
static int open_pass(ftr_sql_cursor *cursor)
{
    const ftr_sql_bounds *bounds = &cursor->bounds;
    const bool chooses = is_bound(cursor);
    ftr_query query = {
        .size = sizeof query,
        .order = bounds->order,
        .by_id = bounds->has_id,
        .id = bounds->id,
        .choose_stream = chooses ? choose_stream : NULL,
        .choose_generator = chooses ? choose_generator : NULL,
        .user = cursor,
    };
    if (!ftr_sql_bounds_window(bounds, cursor->trace, &query.from, &query.to))
        return SQLITE_DONE;
    if (cursor->scan->range != RANGE_INTEGER && query.from <= INT64_MAX)
        /* In the order of begin, too: if the begin is in this range, the end is not before it. */
        query.from = (uint64_t)INT64_MAX + 1;
    query.windowed = query.from > 0 || query.to < UINT64_MAX;
    const ftr_status status = ftr_cursor_open(cursor->trace->reader, &query, &cursor->scan->pass);
    return status == FTR_OK ? SQLITE_OK : ftr_sql_fail_reading(cursor, status);
}

static int look_up(ftr_sql_cursor *cursor, bool *found)
{
    struct ftr_transaction_scan *scan = cursor->scan;
    ftr_sql_trace *trace = cursor->trace;
    const ftr_status status =
        ftr_id_positions_ask(&trace->positions, trace->reader,
                             trace->context->memory / FTR_SQL_INDEX_SHARE, &trace->moves, found);
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

static bool never(void *user, const ftr_generator_info *generator)
{
    (void)user;
    (void)generator;
    return false;
}

static bool choose_stream_of_bounds(void *user, const ftr_stream_info *stream)
{
    ftr_sql_cursor *cursor = user;
    return ftr_sql_bounds_want_stream(&cursor->bounds, cursor->trace, stream);
}

/* Reads the transactions once, so that the reader knows all generators that the file uses but does
 * not define. The rows of these generators have no generator name, and are the first in the
 * order. */
static int find_undefined_generators(ftr_sql_cursor *cursor)
{
    ftr_sql_trace *trace = cursor->trace;
    if (trace->knows_undefined)
        return SQLITE_OK;
    const ftr_query query = {
        .size = sizeof query,
        .choose_stream = choose_stream_of_bounds,
        .choose_generator = never,
        .user = cursor,
    };
    ftr_cursor *pass;
    ftr_status status = ftr_cursor_open(trace->reader, &query, &pass);
    if (status != FTR_OK)
        return ftr_sql_fail_reading(cursor, status);
    ftr_transaction tx;
    trace->moves++;
    status = ftr_cursor_next(pass, &tx);
    ftr_cursor_close(pass);
    if (status != FTR_ERR_END)
        return ftr_sql_fail_reading(cursor, status);
    trace->knows_undefined = !is_bound(cursor);
    return SQLITE_OK;
}

static int collect_groups(ftr_sql_cursor *cursor)
{
    ftr_row_groups *groups = &cursor->scan->groups;
    bool has_generators = false;
    ftr_row_groups_release(groups);
    for (int i = 0; i < cursor->bounds.group_count; i++)
        has_generators |= cursor->bounds.group[i] == FTR_ROLE_GENERATOR;
    if (has_generators) {
        const int result = find_undefined_generators(cursor);
        if (result != SQLITE_OK)
            return result;
    }
    groups->role_count = cursor->bounds.group_count;
    for (int i = 0; i < cursor->bounds.group_count; i++)
        groups->roles[i] = cursor->bounds.group[i];
    if (groups->role_count > 0 && !ftr_row_groups_collect(groups, cursor->trace, SIZE_MAX - 1))
        return SQLITE_NOMEM;
    return SQLITE_OK;
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
    /* A join makes many look-ups, one after the other. All of them use one cursor, so it stays
     * open. */
    if (!scan->by_position || !cursor->bounds.has_id)
        close_pass(scan);
    scan->group = 0;
    scan->range = RANGE_INTEGER;
    scan->has_other_ranges = false;
    scan->by_position = false;
    if (cursor->bounds.has_id) {
        bool found;
        const int result = look_up(cursor, &found);
        if (result != SQLITE_OK || found)
            return result;
        close_pass(scan);
    }
    return collect_groups(cursor);
}

static int next_position(ftr_sql_cursor *cursor)
{
    struct ftr_transaction_scan *scan = cursor->scan;
    while (scan->left > 0) {
        scan->left--;
        const ftr_id_position *position = scan->position++;
        cursor->trace->moves++;
        const ftr_status status =
            ftr_cursor_seek(scan->pass, cursor->trace->positions.chunks[position->chunk],
                            position->within, &cursor->tx);
        if (status != FTR_OK)
            return ftr_sql_fail_reading(cursor, status);
        if (!is_bound(cursor) || choose_generator(cursor, cursor->tx.generator))
            return SQLITE_OK;
    }
    return SQLITE_DONE;
}

/* Returns true if the row belongs to the range that the pass reads. */
static bool is_in_range(ftr_sql_cursor *cursor)
{
    const ftr_sql_bounds *bounds = &cursor->bounds;
    if (!bounds->order_is_of_values)
        return true;
    const order_range range =
        range_of(bounds->order == FTR_ORDER_BEGIN ? cursor->tx.begin : cursor->tx.end);
    cursor->scan->has_other_ranges |= range != RANGE_INTEGER;
    return range == cursor->scan->range;
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
        if (status == FTR_OK && !is_in_range(cursor))
            continue;
        if (status == FTR_OK)
            return SQLITE_OK;
        close_pass(scan);
        if (status != FTR_ERR_END)
            return ftr_sql_fail_reading(cursor, status);
        if (scan->has_other_ranges && scan->range + 1 < RANGE_COUNT)
            scan->range++;
        else
            scan->group++;
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
