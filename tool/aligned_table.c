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

static void add_cell(ftr_aligned_table *table, const char *text, size_t size)
{
    if (!ftr_array_grow(&table->cells, &table->capacity, table->count, sizeof *table->cells) ||
        !ftr_array_fit(&table->text, &table->text_capacity, table->text_size + size, 1)) {
        table->failed = true;
        return;
    }
    memcpy(table->text + table->text_size, text, size);
    table->cells[table->count++] =
        (struct ftr_aligned_cell){table->text_size, size, ftr_text_width(text, size)};
    table->text_size += size;
}

void ftr_aligned_table_put(ftr_aligned_table *table, const char *text, size_t size)
{
    static ftr_printer plain;
    ftr_printer_init(&plain, -1);
    if (size > 0)
        ftr_print_plain(&plain, text, size);
    add_cell(table, plain.bytes, plain.filled);
}

void ftr_aligned_table_put_uint(ftr_aligned_table *table, uint64_t value)
{
    static ftr_printer plain;
    ftr_printer_init(&plain, -1);
    ftr_print_uint(&plain, value);
    add_cell(table, plain.bytes, plain.filled);
}

void ftr_aligned_table_put_time(ftr_aligned_table *table, uint64_t ticks, int time_scale)
{
    static ftr_printer plain;
    ftr_printer_init(&plain, -1);
    ftr_print_time(&plain, ticks, time_scale);
    add_cell(table, plain.bytes, plain.filled);
}

void ftr_aligned_table_put_rate(ftr_aligned_table *table, long double rate)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    char text[40];
    unsigned prefix = 0;
    for (; rate >= 999.9995L && prefix + 1 < sizeof prefixes / sizeof prefixes[0]; prefix++)
        rate /= 1000;
    const int size = snprintf(text, sizeof text, "%.6Lg%s", rate, prefixes[prefix]);
    add_cell(table, text, (size_t)size);
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
        ftr_print(out, table->text + cell->at, cell->size);
        if (table->is_text[column] && !is_last)
            ftr_print_spaces(out, missing);
        ftr_print(out, is_last ? "\n" : "  ", is_last ? 1 : 2);
    }
    free(table->cells);
    free(table->text);
    *table = (ftr_aligned_table){0};
    return ok;
}
