/* Owns the measurements of transactions. Does not know how the results are shown. */
#include "generator_statistics.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ------------------------------------------------------------------------------------ */

static void *grow(void *array, size_t *capacity, size_t item)
{
    const size_t larger = *capacity > 0 ? *capacity * 2 : 16;
    void *grown = realloc(array, larger * item);
    if (grown != NULL)
        *capacity = larger;
    return grown;
}

static ftr_generator_row *add_row(ftr_statistics_table *table, const char *name, size_t size,
                                  size_t stream_size)
{
    if (table->row_count == table->row_capacity) {
        void *grown = grow(table->rows, &table->row_capacity, sizeof *table->rows);
        if (grown == NULL)
            return NULL;
        table->rows = grown;
    }
    ftr_generator_row *row = &table->rows[table->row_count];
    *row = (ftr_generator_row){.name = malloc(size + 1),
                               .name_size = size,
                               .stream_size = stream_size,
                               .first = UINT64_MAX};
    if (row->name == NULL)
        return NULL;
    memcpy(row->name, name, size);
    row->name[size] = '\0';
    if (!ftr_name_table_add(&table->row_names, row->name, size, stream_size, table->row_count)) {
        free(row->name);
        return NULL;
    }
    table->row_count++;
    return row;
}

static ftr_generator_row *row_of(ftr_statistics_table *table, ftr_view stream, ftr_view generator)
{
    const size_t size = stream.size + 1 + generator.size;
    char *name = malloc(size);
    if (name == NULL)
        return NULL;
    if (stream.size > 0)
        memcpy(name, stream.data, stream.size);
    name[stream.size] = '.';
    if (generator.size > 0)
        memcpy(name + stream.size + 1, generator.data, generator.size);
    const size_t known = ftr_name_table_find(&table->row_names, name, size, stream.size);
    ftr_generator_row *row =
        known != FTR_NAME_UNKNOWN ? &table->rows[known] : add_row(table, name, size, stream.size);
    free(name);
    return row;
}

static ftr_attribute_row *attribute_of(ftr_statistics_table *table, ftr_view name)
{
    const size_t known = ftr_name_table_find(&table->attribute_names, name.data, name.size, 0);
    if (known != FTR_NAME_UNKNOWN)
        return &table->attributes[known];
    if (table->attribute_count == table->attribute_capacity) {
        void *grown =
            grow(table->attributes, &table->attribute_capacity, sizeof *table->attributes);
        if (grown == NULL)
            return NULL;
        table->attributes = grown;
    }
    ftr_attribute_row *row = &table->attributes[table->attribute_count];
    *row = (ftr_attribute_row){.name = malloc(name.size + 1), .size = name.size};
    if (row->name == NULL)
        return NULL;
    if (name.size > 0)
        memcpy(row->name, name.data, name.size);
    row->name[name.size] = '\0';
    if (!ftr_name_table_add(&table->attribute_names, row->name, name.size, 0,
                            table->attribute_count)) {
        free(row->name);
        return NULL;
    }
    table->attribute_count++;
    return row;
}

/* ---- outstanding transactions ---------------------------------------------------------------- */

static void sift_down(uint64_t *ends, size_t count)
{
    const uint64_t moving = ends[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && ends[child + 1] < ends[child])
            child++;
        if (ends[child] >= moving)
            break;
        ends[at] = ends[child];
    }
    ends[at] = moving;
}

/* Updates the number of outstanding transactions. Transactions come in order of begin, so those
 * that ended before @p begin are removed. */
static bool note_outstanding(ftr_generator_row *row, uint64_t begin, uint64_t end)
{
    while (row->end_count > 0 && row->ends[0] <= begin) {
        row->ends[0] = row->ends[--row->end_count];
        if (row->end_count > 0)
            sift_down(row->ends, row->end_count);
    }
    if (row->end_count == row->end_capacity) {
        void *grown = grow(row->ends, &row->end_capacity, sizeof *row->ends);
        if (grown == NULL)
            return false;
        row->ends = grown;
    }
    size_t at = row->end_count++;
    for (; at > 0 && row->ends[(at - 1) / 2] > end; at = (at - 1) / 2)
        row->ends[at] = row->ends[(at - 1) / 2];
    row->ends[at] = end;
    if (row->end_count > row->outstanding)
        row->outstanding = row->end_count;
    return true;
}

/* ---- collection ------------------------------------------------------------------------------ */

/* Caches of row indices by generator number and of attributes by dictionary id, so that names are
 * looked up once. */
#define ATTRIBUTE_CACHE 1024

typedef struct collector {
    ftr_statistics_table *table;
    ftr_reader *reader;
    uint64_t factor;
    size_t *row_at; /* by generator index: row + 1; 0: not looked up yet */
    size_t row_at_count;
    struct {
        uint64_t name_id; /* dictionary id + 1 */
        size_t attribute;
    } recent[ATTRIBUTE_CACHE];
} collector;

static ftr_generator_row *find_row(collector *c, const ftr_transaction *tx)
{
    const size_t index = tx->generator->index;
    if (index >= c->row_at_count) {
        size_t *grown = realloc(c->row_at, (index + 64) * sizeof *grown);
        if (grown == NULL)
            return NULL;
        memset(grown + c->row_at_count, 0, (index + 64 - c->row_at_count) * sizeof *grown);
        c->row_at = grown;
        c->row_at_count = index + 64;
    }
    if (c->row_at[index] == 0) {
        const ftr_generator_row *row = row_of(c->table, tx->stream->name, tx->generator->name);
        if (row == NULL)
            return NULL;
        c->row_at[index] = (size_t)(row - c->table->rows) + 1;
    }
    return &c->table->rows[c->row_at[index] - 1];
}

static ftr_attribute_row *find_attribute(collector *c, const ftr_attribute_value *attribute)
{
    const size_t slot = attribute->name_id % ATTRIBUTE_CACHE;
    if (c->recent[slot].name_id != attribute->name_id + 1) {
        const ftr_attribute_row *row = attribute_of(c->table, attribute->name);
        if (row == NULL)
            return NULL;
        c->recent[slot].name_id = attribute->name_id + 1;
        c->recent[slot].attribute = (size_t)(row - c->table->attributes);
    }
    return &c->table->attributes[c->recent[slot].attribute];
}

static bool is_text(ftr_view view, const char *text)
{
    return view.size == strlen(text) && memcmp(view.data, text, view.size) == 0;
}

/* Returns true for tlm::TLM_ADDRESS_ERROR_RESPONSE and the other TLM error responses, under any
 * attribute name. */
static bool is_error_response(const ftr_attribute_value *attribute)
{
    static const char ENDING[] = "_ERROR_RESPONSE";
    const size_t size = sizeof ENDING - 1;
    const ftr_view text = attribute->as.text;
    return attribute->form == FTR_FORM_TEXT && text.data != NULL && text.size >= size &&
           memcmp(text.data + text.size - size, ENDING, size) == 0;
}

static bool add_transaction(collector *c, ftr_transaction *tx)
{
    ftr_generator_row *row = find_row(c, tx);
    const uint64_t end = tx->end > tx->begin ? tx->end : tx->begin;
    const uint64_t begin = tx->begin * c->factor;
    if (row == NULL || !ftr_histogram_add(&row->latency, (end - tx->begin) * c->factor, 1) ||
        !note_outstanding(row, begin, end * c->factor))
        return false;
    row->first = begin < row->first ? begin : row->first;
    row->last = end * c->factor > row->last ? end * c->factor : row->last;
    bool error = false;
    bool unfinished = false;
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(c->reader, tx, &attribute)) {
        ftr_attribute_row *bytes = find_attribute(c, &attribute);
        if (bytes == NULL)
            return false;
        bytes->count++;
        bytes->bytes += attribute.size;
        error |= is_error_response(&attribute);
        unfinished |= attribute.form == FTR_FORM_BOOLEAN && attribute.as.boolean &&
                      is_text(attribute.name, "unfinished");
    }
    row->errors += error;
    row->unfinished += unfinished;
    return true;
}

static int compare_rows(const void *a, const void *b)
{
    return strcmp(((const ftr_generator_row *)a)->name, ((const ftr_generator_row *)b)->name);
}

static int compare_attributes(const void *a, const void *b)
{
    return strcmp(((const ftr_attribute_row *)a)->name, ((const ftr_attribute_row *)b)->name);
}

/* Sorts both tables by name and renumbers the names.
 * @return false if out of memory */
static bool sort_rows(ftr_statistics_table *table)
{
    bool well = true;
    if (table->row_count > 0)
        qsort(table->rows, table->row_count, sizeof *table->rows, compare_rows);
    if (table->attribute_count > 0)
        qsort(table->attributes, table->attribute_count, sizeof *table->attributes,
              compare_attributes);
    ftr_name_table_clear(&table->row_names);
    for (size_t i = 0; i < table->row_count && well; i++)
        well = ftr_name_table_add(&table->row_names, table->rows[i].name, table->rows[i].name_size,
                                  table->rows[i].stream_size, i);
    ftr_name_table_clear(&table->attribute_names);
    for (size_t i = 0; i < table->attribute_count && well; i++)
        well = ftr_name_table_add(&table->attribute_names, table->attributes[i].name,
                                  table->attributes[i].size, 0, i);
    return well;
}

ftr_status ftr_statistics_collect(ftr_statistics_table *table, ftr_reader *reader, ftr_query *query,
                                  uint64_t factor)
{
    ftr_cursor *cursor;
    query->order = FTR_ORDER_BEGIN;
    ftr_status status = ftr_cursor_open(reader, query, &cursor);
    if (status != FTR_OK)
        return status;
    collector *c = calloc(1, sizeof *c);
    if (c == NULL) {
        ftr_cursor_close(cursor);
        return FTR_ERR_MEMORY;
    }
    *c = (collector){.table = table, .reader = reader, .factor = factor};
    ftr_transaction tx;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        if (tx.end > UINT64_MAX / factor || tx.begin > UINT64_MAX / factor)
            status = FTR_ERR_LIMIT; /* exceeds 64 bits in the common time scale */
        else if (!add_transaction(c, &tx))
            status = FTR_ERR_MEMORY;
        if (status != FTR_OK)
            break;
    }
    for (size_t i = 0; i < table->row_count; i++)
        table->rows[i].end_count = 0;
    if (!sort_rows(table) && status == FTR_ERR_END)
        status = FTR_ERR_MEMORY;
    free(c->row_at);
    free(c);
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

bool ftr_statistics_merge(ftr_statistics_table *to, const ftr_statistics_table *from)
{
    for (size_t i = 0; i < from->row_count; i++) {
        const ftr_generator_row *row = &from->rows[i];
        const ftr_view stream = {row->name, row->stream_size};
        const ftr_view generator = {row->name + row->stream_size + 1,
                                    row->name_size - row->stream_size - 1};
        ftr_generator_row *sum = row_of(to, stream, generator);
        if (sum == NULL || !ftr_histogram_merge(&sum->latency, &row->latency))
            return false;
        sum->first = row->first < sum->first ? row->first : sum->first;
        sum->last = row->last > sum->last ? row->last : sum->last;
        sum->outstanding =
            row->outstanding > sum->outstanding ? row->outstanding : sum->outstanding;
        sum->errors += row->errors;
        sum->unfinished += row->unfinished;
    }
    for (size_t i = 0; i < from->attribute_count; i++) {
        const ftr_attribute_row *row = &from->attributes[i];
        ftr_attribute_row *sum = attribute_of(to, (ftr_view){row->name, row->size});
        if (sum == NULL)
            return false;
        sum->count += row->count;
        sum->bytes += row->bytes;
    }
    return sort_rows(to);
}

void ftr_statistics_release(ftr_statistics_table *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        free(table->rows[i].name);
        free(table->rows[i].ends);
        ftr_histogram_release(&table->rows[i].latency);
    }
    for (size_t i = 0; i < table->attribute_count; i++)
        free(table->attributes[i].name);
    free(table->rows);
    free(table->attributes);
    ftr_name_table_release(&table->row_names);
    ftr_name_table_release(&table->attribute_names);
    *table = (ftr_statistics_table){0};
}
