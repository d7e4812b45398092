/* A cell is kept as text until the widths of all cells are known. */
#include "aligned_table.h"

#include "growing_array.h"

#include <stdlib.h>

void ftr_aligned_table_init(ftr_aligned_table *table, unsigned columns)
{
    *table = (ftr_aligned_table){.columns = columns};
}

struct ftr_aligned_cell {
    size_t at, size, width;
};

ftr_printer *ftr_aligned_table_begin(ftr_aligned_table *table)
{
    static ftr_printer out; /* static because its buffer is large */
    table->begun = table->text.size;
    table->printer = &out;
    ftr_text_buffer_connect(&table->text, &out);
    return &out;
}

void ftr_aligned_table_end(ftr_aligned_table *table)
{
    if (!ftr_printer_flush(table->printer) ||
        !ftr_array_grow(&table->cells, &table->capacity, table->count, sizeof *table->cells)) {
        table->failed = true;
        return;
    }
    const size_t at = table->begun;
    const size_t size = table->text.size - at;
    table->cells[table->count++] = (struct ftr_aligned_cell){
        at, size, size > 0 ? ftr_text_width(table->text.bytes + at, size) : 0};
}

void ftr_aligned_table_put(ftr_aligned_table *table, const char *text, size_t size)
{
    ftr_printer *out = ftr_aligned_table_begin(table);
    if (size > 0)
        ftr_print_plain(out, text, size);
    ftr_aligned_table_end(table);
}

void ftr_aligned_table_put_uint(ftr_aligned_table *table, uint64_t value)
{
    ftr_print_uint(ftr_aligned_table_begin(table), value);
    ftr_aligned_table_end(table);
}

void ftr_aligned_table_put_time(ftr_aligned_table *table, uint64_t ticks, int time_scale)
{
    ftr_print_time(ftr_aligned_table_begin(table), ticks, time_scale);
    ftr_aligned_table_end(table);
}

bool ftr_aligned_table_print(ftr_aligned_table *table, ftr_printer *out)
{
    size_t widths[FTR_TABLE_COLUMNS_MAX] = {0};
    const bool ok = !table->failed;
    for (size_t i = 0; ok && i < table->count; i++) {
        size_t *widest = &widths[i % table->columns];
        *widest = table->cells[i].width > *widest ? table->cells[i].width : *widest;
    }
    for (size_t i = 0; ok && i < table->count; i++) {
        const struct ftr_aligned_cell *cell = &table->cells[i];
        const unsigned column = (unsigned)(i % table->columns);
        const bool is_last = column + 1 == table->columns;
        const size_t missing = widths[column] - cell->width;
        if (!table->is_text[column])
            ftr_print_spaces(out, missing);
        ftr_print(out, table->text.bytes + cell->at, cell->size);
        if (table->is_text[column] && !is_last)
            ftr_print_spaces(out, missing);
        ftr_print(out, is_last ? "\n" : "  ", is_last ? 1 : 2);
    }
    free(table->cells);
    ftr_text_buffer_release(&table->text);
    *table = (ftr_aligned_table){0};
    return ok;
}
