/* When a query is planned, chooses the conditions and the order that a scan will use, and estimates
 * the cost of the scan. When the query runs, reads this plan back. */
#include "table_cursor.h"

#include "row_groups.h"

#include <stdlib.h>
#include <string.h>

enum { PLAN_SIZE = 512, GROUPS_MAX = 64 };

typedef struct plan {
    char text[PLAN_SIZE];
    size_t size;
    int arguments;
    double rows, cost;
    bool has_run, has_id;
    bool may_have_more_runs; /* the files are a pattern that may match more files later */
} plan;

/* ---- conditions ------------------------------------------------------------------------------ */

static int operator_of(sqlite3_index_info *info, int condition)
{
    switch (info->aConstraint[condition].op) {
    case SQLITE_INDEX_CONSTRAINT_EQ:
        return sqlite3_vtab_in(info, condition, -1) ? FTR_SQL_OP_IN : FTR_SQL_OP_EQUAL;
    case SQLITE_INDEX_CONSTRAINT_GT:
    case SQLITE_INDEX_CONSTRAINT_GE:
        return FTR_SQL_OP_GREATER;
    case SQLITE_INDEX_CONSTRAINT_LT:
    case SQLITE_INDEX_CONSTRAINT_LE:
        return FTR_SQL_OP_LESS;
    case SQLITE_INDEX_CONSTRAINT_GLOB:
        return FTR_SQL_OP_GLOB;
    case SQLITE_INDEX_CONSTRAINT_LIKE:
        return FTR_SQL_OP_LIKE;
    default:
        return 0;
    }
}

static bool is_pattern(int op)
{
    return op == FTR_SQL_OP_GLOB || op == FTR_SQL_OP_LIKE;
}

/* Returns the estimated fraction of the rows that match a condition; 0 if a scan cannot use the
 * condition. */
static double share_of(ftr_sql_role role, int op)
{
    const bool is_equal = op == FTR_SQL_OP_EQUAL || op == FTR_SQL_OP_IN;
    switch (role) {
    case FTR_ROLE_STREAM:
    case FTR_ROLE_GENERATOR:
        return is_equal ? 0.1 : is_pattern(op) ? 0.3 : 0;
    case FTR_ROLE_STREAM_ID:
    case FTR_ROLE_GENERATOR_ID:
        return is_equal ? 0.1 : 0;
    case FTR_ROLE_BEGIN:
    case FTR_ROLE_END:
    case FTR_ROLE_BEGIN_SECONDS:
    case FTR_ROLE_END_SECONDS:
        if (op == FTR_SQL_OP_IN)
            return 0; /* one scan of all rows is cheaper than one scan for each value */
        return is_equal ? 0.001 : is_pattern(op) ? 0 : 0.2;
    case FTR_ROLE_RUN:
    case FTR_ROLE_ID:
    case FTR_ROLE_FROM:
    case FTR_ROLE_TO:
        return is_equal ? 0.001 : 0;
    default:
        return 0;
    }
}

/* Returns the column with this number in SQLite. Column 0 is `files`; NULL is returned for it. */
static const ftr_sql_column *column_at(const ftr_sql_table *table, int number)
{
    const int column = number - 1;
    return column >= 0 && column < table->kind->column_count ? &table->kind->columns[column] : NULL;
}

static void append(plan *made, const char *text)
{
    const size_t size = strlen(text);
    if (made->size + size + 1 < sizeof made->text) {
        memcpy(made->text + made->size, text, size + 1);
        made->size += size;
    }
}

static bool has_room(const plan *made, const char *name)
{
    return made->size + strlen(name) + 32 < sizeof made->text;
}

/* Plans the query that ftr_sql_register_tables() prepares. */
static int plan_without_patterns(ftr_sql_context *context, sqlite3_index_info *info)
{
    for (int i = 0; i < info->nConstraint; i++)
        context->found_misplaced_pattern |=
            info->aConstraint[i].usable && is_pattern(operator_of(info, i));
    return SQLITE_OK;
}

static bool can_use_patterns(const ftr_sql_context *context)
{
    return !context->found_misplaced_pattern || context->has_no_outer_join;
}

static void use_conditions(const ftr_sql_table *table, sqlite3_index_info *info, plan *made,
                           size_t runs)
{
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *condition = &info->aConstraint[i];
        const ftr_sql_column *column = column_at(table, condition->iColumn);
        const int op = operator_of(info, i);
        if (!condition->usable || column == NULL || op == 0)
            continue;
        const double share = share_of(column->role, op);
        const bool is_text = column->role == FTR_ROLE_STREAM || column->role == FTR_ROLE_GENERATOR;
        if (share == 0 || !has_room(made, column->name) ||
            (is_pattern(op) && !can_use_patterns(table->context)) ||
            (is_text && !is_pattern(op) &&
             sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0))
            continue;
        const char sign[] = {(char)op, '\0'};
        append(made, made->size > 0 ? "," : "");
        append(made, column->name);
        append(made, sign);
        info->aConstraintUsage[i].argvIndex = ++made->arguments;
        if (column->role == FTR_ROLE_RUN) {
            made->has_run = true;
            made->rows /= (double)(runs > 0 ? runs : 1);
            made->cost /= (double)(runs > 0 ? runs : 1);
        } else if (column->role == FTR_ROLE_ID || column->role == FTR_ROLE_FROM ||
                   column->role == FTR_ROLE_TO) {
            made->has_id = true;
        } else {
            made->rows *= share;
            made->cost *=
                column->role == FTR_ROLE_GENERATOR || column->role == FTR_ROLE_GENERATOR_ID ? 0.5
                                                                                            : share;
        }
    }
}

static double volume_of_part(const ftr_sql_volume *volume, ftr_sql_part part)
{
    return part == FTR_PART_TRANSACTIONS ? volume->transactions
           : part == FTR_PART_RELATIONS  ? volume->relations
                                         : volume->file;
}

/* Returns the estimated cost of one look-up of an id in one run, whose tables have @p rows rows in
 * @p bytes bytes. The cost of a row that a scan delivers is 1. */
static double cost_of_look_up(const ftr_sql_table *table, double rows, double bytes)
{
    const double memory = (double)table->context->memory;
    const double rows_max =
        (double)(table->kind->part == FTR_PART_RELATIONS
                     ? ftr_relation_index_limit(table->context->memory / FTR_SQL_INDEX_SHARE)
                     : ftr_id_positions_limit(table->context->memory / FTR_SQL_INDEX_SHARE));
    /* Without an index, a look-up reads the chunks whose range of ids contains the id, in the worst
     * case all chunks. Rows that are not delivered cost less. */
    if (rows > rows_max)
        return 10 + rows * 0.3;
    if (table->kind->part == FTR_PART_RELATIONS)
        return 6;
    return bytes > memory / 3 ? 60 : 8; /* more if chunks must be expanded for each look-up */
}

static void use_look_up(const ftr_sql_table *table, plan *made, const ftr_sql_volume *volume,
                        size_t runs)
{
    const double bytes = volume_of_part(volume, table->kind->part) / (double)(runs > 0 ? runs : 1);
    const double rows = bytes / 1024 * table->kind->ids_in_kilobyte;
    const double runs_read = made->has_run || runs == 0 ? 1 : (double)runs;
    made->rows = table->kind->rows_of_id * runs_read;
    made->cost = cost_of_look_up(table, rows, bytes) * runs_read;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Lets the scan deliver rows in the order of begin or end. This is possible if the query
 * wants this order and reads a single run, or wants the runs in order and this order within each.
 * @return whether this order is used */
static bool use_time_order(const ftr_sql_table *table, sqlite3_index_info *info, plan *made,
                           bool is_one_run)
{
    int at = 0;
    const ftr_sql_column *column = column_at(table, info->aOrderBy[0].iColumn);
    if (column != NULL && column->role == FTR_ROLE_RUN && info->nOrderBy > 1) {
        at = 1;
        column = column_at(table, info->aOrderBy[1].iColumn);
    } else if (!is_one_run) {
        return false;
    }
    if (column == NULL || at + 1 != info->nOrderBy)
        return false;
    for (int i = 0; i < info->nOrderBy; i++)
        if (info->aOrderBy[i].desc)
            return false;
    const bool by_begin = column->role == FTR_ROLE_BEGIN || column->role == FTR_ROLE_BEGIN_SECONDS;
    const bool by_end = column->role == FTR_ROLE_END || column->role == FTR_ROLE_END_SECONDS;
    if (!by_begin && !by_end)
        return false;
    append(made, ";order=");
    append(made, column->name);
    made->cost *= 1.3;
    info->orderByConsumed = 1;
    return true;
}

/* Returns true if the generators of @p trace have at most GROUPS_MAX groups (row_groups.h). */
static bool has_few_groups(ftr_sql_trace *trace, const sqlite3_index_info *info,
                           const ftr_sql_table *table)
{
    char *error = NULL;
    if (ftr_sql_trace_acquire(trace, &error) != SQLITE_OK) {
        sqlite3_free(error); /* ignored here: reading the table reports the error again */
        return false;
    }
    ftr_row_groups groups = {0};
    for (int i = 0; i < info->nOrderBy; i++) {
        const ftr_sql_role role = column_at(table, info->aOrderBy[i].iColumn)->role;
        if (role != FTR_ROLE_RUN)
            groups.roles[groups.role_count++] = (int)role;
    }
    const bool is_few =
        ftr_row_groups_collect(&groups, trace, GROUPS_MAX) && groups.count <= GROUPS_MAX;
    ftr_row_groups_release(&groups);
    ftr_sql_trace_release(trace);
    return is_few;
}

/* For queries such as GROUP BY stream, generator: lets the scan read the trace once for each group.
 * Each time, the scan decompresses only the chunks of the group's streams. If there are few groups,
 * this is cheaper than a sort of all rows. */
static void use_groups(const ftr_sql_table *table, sqlite3_index_info *info, plan *made,
                       const ftr_sql_set *set, bool is_one_run)
{
    bool by_run = is_one_run;
    if (info->nOrderBy > FTR_SQL_GROUP_MAX)
        return;
    for (int i = 0; i < info->nOrderBy; i++) {
        const ftr_sql_column *column = column_at(table, info->aOrderBy[i].iColumn);
        if (column == NULL || info->aOrderBy[i].desc)
            return;
        const ftr_sql_role role = column->role;
        if (role == FTR_ROLE_RUN && i == 0)
            by_run = true;
        else if (role != FTR_ROLE_STREAM && role != FTR_ROLE_STREAM_ID &&
                 role != FTR_ROLE_GENERATOR)
            return; /* also for generator_id, because undefined ids are not known in advance */
    }
    const bool only_run =
        info->nOrderBy == 1 && column_at(table, info->aOrderBy[0].iColumn)->role == FTR_ROLE_RUN;
    if (only_run) { /* rows are always in the order of their runs */
        info->orderByConsumed = 1;
        return;
    }
    if (!by_run || set->count == 0 || !has_few_groups(set->traces[0], info, table))
        return;
    append(made, ";group=");
    for (int i = 0; i < info->nOrderBy; i++) {
        append(made, i > 0 ? "+" : "");
        append(made, column_at(table, info->aOrderBy[i].iColumn)->name);
    }
    made->cost *= 1.5;
    info->orderByConsumed = 1;
}

static void use_order(const ftr_sql_table *table, sqlite3_index_info *info, plan *made,
                      const ftr_sql_set *set)
{
    /* If the query has a condition on the id, the scan cannot deliver an order: several
     * transactions may have the same id, and they are delivered in stored order. */
    if (info->nOrderBy == 0 || !table->kind->of_transactions || made->has_id ||
        made->size + 128 > sizeof made->text)
        return;
    const bool is_one_run = (set->count == 1 && !made->may_have_more_runs) || made->has_run;
    if (!use_time_order(table, info, made, is_one_run))
        use_groups(table, info, made, set, is_one_run);
}

/* ---- planning -------------------------------------------------------------------------------- */

/* Uses the file argument of a table-valued function. @p set receives the traces that a constant
 * argument names; the opened traces if the query has no argument.
 * @return SQLITE_OK; SQLITE_CONSTRAINT if the argument is not known in this plan; an error */
static int select_files(ftr_sql_table *table, sqlite3_index_info *info, plan *made,
                        ftr_sql_set *set)
{
    int found = -1;
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *condition = &info->aConstraint[i];
        if (condition->iColumn != 0 || condition->op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!condition->usable)
            return SQLITE_CONSTRAINT;
        found = i;
    }
    if (found < 0) {
        if (table->context->opened.count > 0)
            return ftr_sql_set_copy(set, &table->context->opened);
        sqlite3_free(table->base.zErrMsg);
        table->base.zErrMsg =
            sqlite3_mprintf("name the traces: ftr_%s('run.ftr')", table->kind->name);
        return SQLITE_ERROR;
    }
    info->idxNum = FTR_SQL_PLAN_FILES;
    info->aConstraintUsage[found].argvIndex = ++made->arguments;
    info->aConstraintUsage[found].omit = 1;
    sqlite3_value *pattern = NULL;
    if (sqlite3_vtab_rhs_value(info, found, &pattern) == SQLITE_OK && pattern != NULL &&
        sqlite3_value_type(pattern) == SQLITE_TEXT) {
        char *error = NULL;
        const char *text = (const char *)sqlite3_value_text(pattern);
        made->may_have_more_runs = strpbrk(text, "*?[~") != NULL;
        (void)ftr_sql_set_add(table->context, set, text, &error);
        sqlite3_free(error); /* reported again when the table is read */
    }
    return SQLITE_OK;
}

static void finish(sqlite3_index_info *info, const plan *made)
{
    info->estimatedRows = made->rows < 1 ? 1 : (sqlite3_int64)made->rows;
    info->estimatedCost = made->cost < 1 ? 1 : made->cost;
    if (made->size > 0) {
        info->idxStr = sqlite3_mprintf("%s", made->text);
        info->needToFreeIdxStr = 1;
        info->idxNum |= FTR_SQL_PLAN_BOUND;
    }
}

int ftr_sql_plan(sqlite3_vtab *planned, sqlite3_index_info *info)
{
    ftr_sql_table *table = (ftr_sql_table *)planned;
    plan made = {0};
    ftr_sql_set stated = {0};
    if (table->context->seeks_misplaced_pattern)
        return plan_without_patterns(table->context, info);
    if (table->is_function) {
        const int result = select_files(table, info, &made, &stated);
        if (result != SQLITE_OK)
            return result;
    }
    const ftr_sql_set *set = table->is_function ? &stated : &table->set;
    const ftr_sql_volume volume = ftr_sql_set_volume(set);
    made.rows =
        volume_of_part(&volume, table->kind->part) / 1024 * table->kind->rows_in_kilobyte + 1;
    made.cost = made.rows * table->kind->row_cost + 10;
    if (table->generator != NULL) { /* estimated like conditions on stream and generator */
        made.rows *= 0.1;
        made.cost *= 0.2;
    }
    use_conditions(table, info, &made, set->count);
    if (made.has_id)
        use_look_up(table, &made, &volume, set->count);
    use_order(table, info, &made, set);
    finish(info, &made);
    ftr_sql_set_release(&stated);
    return SQLITE_OK;
}

/* ---- reading a plan -------------------------------------------------------------------------- */

static const ftr_sql_column *column_named(const ftr_sql_kind *kind, const char *name, size_t size)
{
    for (int i = 0; i < kind->column_count; i++)
        if (strlen(kind->columns[i].name) == size && memcmp(kind->columns[i].name, name, size) == 0)
            return &kind->columns[i];
    return NULL;
}

static void read_order(const ftr_sql_kind *kind, const char *text, ftr_sql_bounds *bounds)
{
    if (strncmp(text, "order=", 6) == 0) {
        text += strlen("order=");
        const ftr_sql_column *column = column_named(kind, text, strlen(text));
        const ftr_sql_role role = column != NULL ? column->role : FTR_ROLE_NONE;
        bounds->order = role == FTR_ROLE_BEGIN || role == FTR_ROLE_BEGIN_SECONDS ? FTR_ORDER_BEGIN
                                                                                 : FTR_ORDER_END;
        bounds->order_is_of_values = role == FTR_ROLE_BEGIN || role == FTR_ROLE_END;
        return;
    }
    for (text += strlen("group="); *text != '\0';) {
        const size_t size = strcspn(text, "+");
        const ftr_sql_column *column = column_named(kind, text, size);
        if (column != NULL && column->role != FTR_ROLE_RUN)
            bounds->group[bounds->group_count++] = (int)column->role;
        text += size + (text[size] == '+');
    }
}

int ftr_sql_plan_read(const ftr_sql_kind *kind, const char *text, int count, sqlite3_value **values,
                      ftr_sql_bounds *bounds)
{
    int at = 0;
    while (text != NULL && *text != '\0' && *text != ';') {
        const size_t size = strcspn(text, "=~<>*%");
        const ftr_sql_column *column = column_named(kind, text, size);
        if (column == NULL || at == count)
            return SQLITE_INTERNAL;
        const int result = ftr_sql_bounds_add(bounds, (int)column->role, text[size], values[at++]);
        if (result != SQLITE_OK)
            return result;
        text += size + 1;
        text += *text == ',';
    }
    if (text != NULL && *text == ';')
        read_order(kind, text + 1, bounds);
    return SQLITE_OK;
}
