/* Owns the alignment of tables. Does not know the meaning of the cells. */
#include "aligned_table.h"

#include "growing_array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ftr_aligned_table_init(ftr_aligned_table *table, unsigned columns)
{
    *table = (ftr_aligned_table){.columns = columns};
}

struct ftr_aligned_cell {
    size_t at, size, width;
};

/* Returns the printer for the text of the next cell, until end_cell(). */
static ftr_printer *begin_cell(ftr_aligned_table *table)
{
    static ftr_printer out;
    ftr_printer_init_text(&out, &table->text);
    return &out;
}

/* Ends a cell. Its text starts at byte @p at of the table's text. */
static void end_cell(ftr_aligned_table *table, ftr_printer *out, size_t at)
{
    if (!ftr_printer_flush(out) ||
        !ftr_array_grow(&table->cells, &table->capacity, table->count, sizeof *table->cells)) {
        table->failed = true;
        return;
    }
    const size_t size = table->text.size - at;
    table->cells[table->count++] = (struct ftr_aligned_cell){
        at, size, size > 0 ? ftr_text_width(table->text.bytes + at, size) : 0};
}

void ftr_aligned_table_put(ftr_aligned_table *table, const char *text, size_t size)
{
    const size_t at = table->text.size;
    ftr_printer *out = begin_cell(table);
    if (size > 0)
        ftr_print_plain(out, text, size);
    end_cell(table, out, at);
}

void ftr_aligned_table_put_uint(ftr_aligned_table *table, uint64_t value)
{
    const size_t at = table->text.size;
    ftr_printer *out = begin_cell(table);
    ftr_print_uint(out, value);
    end_cell(table, out, at);
}

void ftr_aligned_table_put_time(ftr_aligned_table *table, uint64_t ticks, int time_scale)
{
    const size_t at = table->text.size;
    ftr_printer *out = begin_cell(table);
    ftr_print_time(out, ticks, time_scale);
    end_cell(table, out, at);
}

void ftr_aligned_table_put_rate(ftr_aligned_table *table, long double rate)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    char text[40];
    unsigned prefix = 0;
    for (; rate >= 999.9995L && prefix + 1 < sizeof prefixes / sizeof prefixes[0]; prefix++)
        rate /= 1000;
    (void)snprintf(text, sizeof text, "%.6Lg%s", rate, prefixes[prefix]);
    ftr_aligned_table_put(table, text, strlen(text));
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
    free(table->text.bytes);
    *table = (ftr_aligned_table){0};
    return ok;
}
