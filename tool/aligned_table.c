/* Owns the alignment of tables. Does not know the content of cells. */
#include "aligned_table.h"

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

/* Characters rather than bytes of UTF-8. */
static size_t width_of(const char *text, size_t size)
{
    size_t width = 0;
    for (size_t i = 0; i < size; i++)
        width += ((unsigned char)text[i] & 0xc0) != 0x80;
    return width;
}

static bool reserve(void **array, size_t *capacity, size_t count, size_t item)
{
    if (count <= *capacity)
        return true;
    const size_t larger = count > 2048 / item ? 2 * count : 2048 / item;
    void *grown = realloc(*array, larger * item);
    if (grown == NULL)
        return false;
    *array = grown;
    *capacity = larger;
    return true;
}

static void add_cell(ftr_aligned_table *table, const char *text, size_t size)
{
    if (!reserve((void **)&table->cells, &table->capacity, table->count + 1,
                 sizeof *table->cells) ||
        !reserve((void **)&table->text, &table->text_capacity, table->text_size + size, 1)) {
        table->failed = true;
        return;
    }
    memcpy(table->text + table->text_size, text, size);
    table->cells[table->count++] =
        (struct ftr_aligned_cell){table->text_size, size, width_of(text, size)};
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

static void print_spaces(ftr_printer *out, size_t count)
{
    for (; count > 0; count--)
        ftr_print_char(out, ' ');
}

bool ftr_aligned_table_print(ftr_aligned_table *table, ftr_printer *out)
{
    size_t widths[FTR_TABLE_COLUMNS_MAX] = {0};
    const bool well = !table->failed;
    for (size_t i = 0; well && i < table->count; i++) {
        size_t *widest = &widths[i % table->columns];
        *widest = table->cells[i].width > *widest ? table->cells[i].width : *widest;
    }
    for (size_t i = 0; well && i < table->count; i++) {
        const struct ftr_aligned_cell *cell = &table->cells[i];
        const unsigned column = (unsigned)(i % table->columns);
        const bool is_last = column + 1 == table->columns;
        const size_t missing = widths[column] - cell->width;
        if (!table->is_text[column])
            print_spaces(out, missing);
        ftr_print(out, table->text + cell->at, cell->size);
        if (table->is_text[column] && !is_last)
            print_spaces(out, missing);
        ftr_print(out, is_last ? "\n" : "  ", is_last ? 1 : 2);
    }
    free(table->cells);
    free(table->text);
    *table = (ftr_aligned_table){0};
    return well;
}
