/* Converts conditions of SQL to ids, ticks and names. A bound may include rows that do
 * not match, but never excludes a matching row. A condition on times with a value that is not a
 * number sets no bound.
 *
 * SQLite passes the value of a condition without its affinity, but may convert the column or the
 * value before it compares them: `id = CAST('5' AS TEXT)` compares texts, `begin <= begin_s`
 * compares numbers although a column without a type contains a TEXT. A bound must hold for each of
 * these comparisons. */
#include "scan_bounds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 2^64 as a double. */
#define TWO_64 18446744073709551616.0

/* Reads an exact id: a non-negative integer, or a TEXT with a decimal number. Returns false if @p
 * value is of another type. Sets @p is_impossible if no id can equal @p value. */
static bool get_exact(sqlite3_value *value, uint64_t *number, bool *is_impossible)
{
    *is_impossible = false;
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: {
        const sqlite3_int64 integer = sqlite3_value_int64(value);
        *is_impossible = integer < 0;
        *number = (uint64_t)integer;
        return true;
    }
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_value_text(value);
        char *end;
        errno = 0;
        *number = strtoull(text, &end, 10);
        /* An INTEGER equals a TEXT with its decimal number if the TEXT has an affinity. */
        *is_impossible = errno != 0 || *end != '\0' || *text < '0' || *text > '9' ||
                         (*text == '0' && text[1] != '\0');
        return true;
    }
    case SQLITE_NULL:
        *is_impossible = true;
        return true;
    default:
        return false; /* `value` may still equal an id: for example, a REAL may equal an INTEGER */
    }
}

static void equal_number(ftr_sql_bounds *bounds, sqlite3_value *value, bool *has, uint64_t *number)
{
    uint64_t wanted = 0;
    bool is_impossible;
    if (!get_exact(value, &wanted, &is_impossible))
        return;
    if (is_impossible || (*has && *number != wanted))
        bounds->is_empty = true;
    *has = true;
    *number = wanted;
}

/* Reads a lower or upper bound of ticks. Returns false if @p value is not a number. Ticks above
 * 2^63-1 are TEXT. In SQLite, every TEXT is greater than every number, unless the number comes from
 * a column with a numeric type: then the number in the TEXT is compared. A lower bound therefore
 * includes all ticks above 2^63-1, and only an upper bound below 2^63 excludes them. */
static bool get_lower(sqlite3_value *value, uint64_t *ticks)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: {
        const sqlite3_int64 integer = sqlite3_value_int64(value);
        *ticks = integer > 0 ? (uint64_t)integer : 0;
        return true;
    }
    case SQLITE_FLOAT: {
        const double real = floor(sqlite3_value_double(value));
        *ticks = !(real > 0) ? 0 : real >= TWO_64 / 2 ? (uint64_t)INT64_MAX + 1 : (uint64_t)real;
        return true;
    }
    default:
        return false;
    }
}

static bool get_upper(sqlite3_value *value, uint64_t *ticks, bool *is_impossible)
{
    *is_impossible = false;
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: {
        const sqlite3_int64 integer = sqlite3_value_int64(value);
        *is_impossible = integer < 0;
        *ticks = (uint64_t)integer;
        return true;
    }
    case SQLITE_FLOAT: {
        const double real = ceil(sqlite3_value_double(value));
        *is_impossible = real < 0;
        *ticks = real >= TWO_64 / 2 ? UINT64_MAX : (uint64_t)(real < 0 ? 0 : real);
        return true;
    }
    default:
        return false;
    }
}

static void raise_from(ftr_sql_bounds *bounds, uint64_t from)
{
    bounds->from = !bounds->is_windowed || from > bounds->from ? from : bounds->from;
    if (!bounds->is_windowed)
        bounds->to = UINT64_MAX;
    bounds->is_windowed = true;
}

static void lower_to(ftr_sql_bounds *bounds, uint64_t to)
{
    bounds->to = !bounds->is_windowed || to < bounds->to ? to : bounds->to;
    bounds->is_windowed = true;
}

static void bound_ticks(ftr_sql_bounds *bounds, int op, sqlite3_value *value)
{
    uint64_t ticks;
    bool is_impossible;
    if (op != FTR_SQL_OP_LESS && get_lower(value, &ticks))
        raise_from(bounds, ticks);
    if (op != FTR_SQL_OP_GREATER && get_upper(value, &ticks, &is_impossible)) {
        lower_to(bounds, ticks);
        bounds->is_empty |= is_impossible;
    }
}

static void bound_seconds(ftr_sql_bounds *bounds, int op, sqlite3_value *value)
{
    const int type = sqlite3_value_type(value);
    if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
        return;
    const double seconds = sqlite3_value_double(value);
    if (op != FTR_SQL_OP_LESS) {
        bounds->from_seconds =
            bounds->has_from_seconds ? fmax(bounds->from_seconds, seconds) : seconds;
        bounds->has_from_seconds = true;
    }
    if (op != FTR_SQL_OP_GREATER) {
        bounds->to_seconds = bounds->has_to_seconds ? fmin(bounds->to_seconds, seconds) : seconds;
        bounds->has_to_seconds = true;
    }
}

static int add_test(ftr_sql_bounds *bounds, int role, int op, sqlite3_value *value)
{
    if (bounds->test_count == FTR_SQL_TESTS_MAX)
        return SQLITE_OK; /* the condition sets no bound: SQLite tests each row */
    sqlite3_value *copy = sqlite3_value_dup(value);
    if (copy == NULL)
        return SQLITE_NOMEM;
    bounds->tests[bounds->test_count++] = (ftr_sql_test){role, op, copy};
    return SQLITE_OK;
}

int ftr_sql_bounds_add(ftr_sql_bounds *bounds, int role, int op, sqlite3_value *value)
{
    switch (role) {
    case FTR_ROLE_RUN:
        if (sqlite3_value_type(value) == SQLITE_INTEGER) {
            const sqlite3_int64 run = sqlite3_value_int64(value);
            bounds->is_empty |= bounds->has_run && bounds->run != run;
            bounds->has_run = true;
            bounds->run = run;
        }
        return SQLITE_OK;
    case FTR_ROLE_ID:
        equal_number(bounds, value, &bounds->has_id, &bounds->id);
        return SQLITE_OK;
    case FTR_ROLE_FROM:
        equal_number(bounds, value, &bounds->has_tx_from, &bounds->tx_from);
        return SQLITE_OK;
    case FTR_ROLE_TO:
        equal_number(bounds, value, &bounds->has_tx_to, &bounds->tx_to);
        return SQLITE_OK;
    case FTR_ROLE_BEGIN:
    case FTR_ROLE_END:
        bound_ticks(bounds, op, value);
        return SQLITE_OK;
    case FTR_ROLE_BEGIN_SECONDS:
    case FTR_ROLE_END_SECONDS:
        bound_seconds(bounds, op, value);
        return SQLITE_OK;
    default:
        return add_test(bounds, role, op, value);
    }
}

void ftr_sql_bounds_release(ftr_sql_bounds *bounds)
{
    for (int i = 0; i < bounds->test_count; i++)
        sqlite3_value_free(bounds->tests[i].value);
    *bounds = (ftr_sql_bounds){0};
}

bool ftr_sql_bounds_window(const ftr_sql_bounds *bounds, const ftr_sql_trace *trace, uint64_t *from,
                           uint64_t *to)
{
    *from = bounds->is_windowed ? bounds->from : 0;
    *to = bounds->is_windowed ? bounds->to : UINT64_MAX;
    /* Seconds are rounded. The window is therefore a few ticks wider, so that it includes all times
     * that may compare equal. */
    const double scale =
        trace->ticks_per_second > 0 ? trace->ticks_per_second : 1 / trace->seconds_per_tick;
    if (bounds->has_from_seconds) {
        const double ticks = floor(bounds->from_seconds * scale * (1 - 1e-15)) - 2;
        const uint64_t bound = !(ticks > 0) ? 0 : ticks >= TWO_64 ? UINT64_MAX : (uint64_t)ticks;
        *from = bound > *from ? bound : *from;
    }
    if (bounds->has_to_seconds) {
        const double ticks = ceil(bounds->to_seconds * scale * (1 + 1e-15)) + 2;
        if (ticks < 0)
            return false;
        const uint64_t bound = ticks >= TWO_64 ? UINT64_MAX : (uint64_t)ticks;
        *to = bound < *to ? bound : *to;
    }
    return true;
}

static bool matches_text(const ftr_sql_test *test, const ftr_name *name)
{
    /* `stream = 5` compares a name with the TEXT of the number, so rows are not excluded here, and
     * SQLite tests them. In `stream IN (SELECT id ...)`, a name never equals a number. The rows
     * must be excluded here, because SQLite would test `stream = 5`. */
    if (sqlite3_value_type(test->value) != SQLITE_TEXT)
        return test->op != FTR_SQL_OP_IN;
    const char *text = (const char *)sqlite3_value_text(test->value);
    switch (test->op) {
    case FTR_SQL_OP_GLOB:
        return sqlite3_strglob(text, name->text) == 0;
    case FTR_SQL_OP_LIKE:
        return sqlite3_strlike(text, name->text, 0) == 0;
    default:
        return (size_t)sqlite3_value_bytes(test->value) == name->size &&
               memcmp(text, name->text, name->size) == 0;
    }
}

static bool matches_id(const ftr_sql_test *test, uint64_t id)
{
    uint64_t wanted;
    bool is_impossible;
    return !get_exact(test->value, &wanted, &is_impossible) || (!is_impossible && wanted == id);
}

static bool is_name(const ftr_name *name, const char *text)
{
    return name == NULL || (strlen(text) == name->size && strcmp(text, name->text) == 0);
}

bool ftr_sql_bounds_want_stream(const ftr_sql_bounds *bounds, ftr_sql_trace *trace,
                                const ftr_stream_info *stream)
{
    if (bounds->stream != NULL && !is_name(ftr_sql_stream_name(trace, stream), bounds->stream))
        return false;
    for (int i = 0; i < bounds->test_count; i++) {
        const ftr_sql_test *test = &bounds->tests[i];
        if (test->role == FTR_ROLE_STREAM_ID && !matches_id(test, stream->id))
            return false;
        if (test->role == FTR_ROLE_STREAM) {
            const ftr_name *name = ftr_sql_stream_name(trace, stream);
            if (name != NULL && !matches_text(test, name))
                return false;
        }
    }
    return true;
}

bool ftr_sql_bounds_want_generator(const ftr_sql_bounds *bounds, ftr_sql_trace *trace,
                                   const ftr_generator_info *generator)
{
    if (bounds->generator != NULL &&
        (!generator->defined ||
         !is_name(ftr_sql_generator_name(trace, generator), bounds->generator)))
        return false;
    for (int i = 0; i < bounds->test_count; i++) {
        const ftr_sql_test *test = &bounds->tests[i];
        /* All generator ids that the file does not define share one entry, without name and id. */
        if (!generator->defined) {
            if (test->role == FTR_ROLE_GENERATOR)
                return false;
            continue;
        }
        if (test->role == FTR_ROLE_GENERATOR_ID && !matches_id(test, generator->id))
            return false;
        if (test->role == FTR_ROLE_GENERATOR) {
            const ftr_name *name = ftr_sql_generator_name(trace, generator);
            if (name != NULL && !matches_text(test, name))
                return false;
        }
    }
    return true;
}
