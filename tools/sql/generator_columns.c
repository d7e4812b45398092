/* Finds the attributes of a generator in samples of the traces, and chooses their column names. */
#include "generator_columns.h"

#include "growing_array.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 1000, TRACES_SAMPLED = 256 };

size_t ftr_generator_columns_index(const ftr_generator_columns *columns,
                                   const ftr_attribute_value *attribute)
{
    size_t i = 0;
    while (i < columns->count &&
           (columns->columns[i].class_ != attribute->class_ ||
            columns->columns[i].size != attribute->name.size ||
            memcmp(columns->columns[i].name, attribute->name.data, attribute->name.size) != 0))
        i++;
    return i;
}

static int add(ftr_generator_columns *columns, const ftr_attribute_value *attribute)
{
    if (attribute->name.data == NULL ||
        ftr_generator_columns_index(columns, attribute) < columns->count)
        return SQLITE_OK;
    if (!ftr_array_grow(&columns->columns, &columns->capacity, columns->count,
                        sizeof *columns->columns))
        return SQLITE_NOMEM;
    ftr_generator_column *column = &columns->columns[columns->count];
    *column = (ftr_generator_column){.size = attribute->name.size, .class_ = attribute->class_};
    column->name = ftr_text_duplicate(attribute->name.data, attribute->name.size);
    if (column->name == NULL)
        return SQLITE_NOMEM;
    columns->count++;
    return SQLITE_OK;
}

typedef struct wanted_generator {
    ftr_sql_trace *trace;
    const char *stream, *generator;
    const ftr_generator_info *found;
} wanted_generator;

static bool is_wanted_stream(void *user, const ftr_stream_info *stream)
{
    const wanted_generator *wanted = user;
    return stream == wanted->found->stream;
}

static bool is_wanted_generator(void *user, const ftr_generator_info *generator)
{
    const wanted_generator *wanted = user;
    return generator == wanted->found;
}

static int sample(ftr_generator_columns *columns, wanted_generator *wanted, const ftr_query *query,
                  size_t limit)
{
    ftr_reader *reader = wanted->trace->reader;
    ftr_cursor *cursor;
    if (ftr_cursor_open(reader, query, &cursor) != FTR_OK)
        return SQLITE_NOMEM;
    ftr_transaction tx;
    ftr_attribute_value attribute;
    int result = SQLITE_OK;
    wanted->trace->moves++;
    while (result == SQLITE_OK && limit-- > 0 && ftr_cursor_next(cursor, &tx) == FTR_OK)
        while (result == SQLITE_OK && ftr_reader_next_attribute(reader, &tx, &attribute))
            result = add(columns, &attribute);
    ftr_cursor_close(cursor);
    return result;
}

static int sample_trace(ftr_generator_columns *columns, wanted_generator *wanted)
{
    ftr_query query = {
        .size = sizeof query,
        .choose_stream = is_wanted_stream,
        .choose_generator = is_wanted_generator,
        .user = wanted,
    };
    const int result = sample(columns, wanted, &query, SAMPLE);
    if (result != SQLITE_OK || wanted->found->stream->chunks < 2)
        return result;
    query.windowed = true;
    query.from = query.to = wanted->found->stream->last_time;
    return sample(columns, wanted, &query, SAMPLE);
}

/* Finds the generator with these names in an open trace; NULL if it does not exist. */
static const ftr_generator_info *find(ftr_sql_trace *trace, const wanted_generator *wanted)
{
    const size_t count = ftr_reader_generator_count(trace->reader);
    for (size_t i = 0; i < count; i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(trace->reader, i);
        if (!generator->defined)
            continue;
        const ftr_name *name = ftr_sql_generator_name(trace, generator);
        const ftr_name *stream = ftr_sql_stream_name(trace, generator->stream);
        if (name != NULL && stream != NULL && strcmp(name->text, wanted->generator) == 0 &&
            strcmp(stream->text, wanted->stream) == 0)
            return generator;
    }
    return NULL;
}

static bool is_taken(const ftr_generator_columns *columns, size_t count,
                     const ftr_sql_column *taken, int taken_count, const char *name)
{
    for (int i = 0; i < taken_count; i++)
        if (sqlite3_stricmp(taken[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < count; i++)
        if (sqlite3_stricmp(columns->columns[i].column, name) == 0)
            return true;
    return false;
}

/* Returns true if the generator has an attribute with the same name in another class. */
static bool is_of_two_classes(const ftr_generator_columns *columns, size_t index)
{
    const ftr_generator_column *column = &columns->columns[index];
    for (size_t i = 0; i < columns->count; i++)
        if (i != index && columns->columns[i].size == column->size &&
            memcmp(columns->columns[i].name, column->name, column->size) == 0)
            return true;
    return false;
}

/* Names the columns. The attribute `trans.address` gets the column trans_address. If the attribute
 * `data` is recorded at begin and at end, its columns are data_begin and data_end. A number is
 * appended to a name that is already in use. */
static int name_columns(ftr_generator_columns *columns, const ftr_sql_column *taken,
                        int taken_count)
{
    static const char *const CLASSES[] = {"_begin", "_record", "_end"};
    for (size_t i = 0; i < columns->count; i++) {
        ftr_generator_column *column = &columns->columns[i];
        char *plain = ftr_sql_plain_name(column->name);
        if (plain == NULL)
            return SQLITE_NOMEM;
        const char *suffix = is_of_two_classes(columns, i) ? CLASSES[column->class_] : "";
        char *name = sqlite3_mprintf("%s%s", plain, suffix);
        for (unsigned number = 2; name != NULL && is_taken(columns, i, taken, taken_count, name);
             number++) {
            sqlite3_free(name);
            name = sqlite3_mprintf("%s%s_%u", plain, suffix, number);
        }
        free(plain);
        column->column = name != NULL ? strdup(name) : NULL;
        sqlite3_free(name);
        if (column->column == NULL)
            return SQLITE_NOMEM;
    }
    return SQLITE_OK;
}

int ftr_generator_columns_find(ftr_generator_columns *columns, ftr_sql_set *set, const char *stream,
                               const char *generator, const ftr_sql_column *taken, int taken_count,
                               char **error)
{
    wanted_generator wanted = {.stream = stream, .generator = generator};
    const size_t step = set->count / TRACES_SAMPLED + 1;
    bool is_found = false;
    for (size_t i = 0; i < set->count; i += is_found ? step : 1) {
        wanted.trace = set->traces[i];
        int result = ftr_sql_trace_acquire(wanted.trace, error);
        if (result != SQLITE_OK)
            return result;
        wanted.found = find(wanted.trace, &wanted);
        if (wanted.found != NULL) {
            is_found = true;
            result = sample_trace(columns, &wanted);
        }
        ftr_sql_trace_release(wanted.trace);
        if (result != SQLITE_OK)
            return result;
    }
    if (is_found)
        return name_columns(columns, taken, taken_count);
    *error =
        sqlite3_mprintf("ftr: no trace has a generator '%s' in a stream '%s'", generator, stream);
    return SQLITE_ERROR;
}

void ftr_generator_columns_release(ftr_generator_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        free(columns->columns[i].name);
        free(columns->columns[i].column);
    }
    free(columns->columns);
    *columns = (ftr_generator_columns){0};
}
