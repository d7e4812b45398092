/* A cell is printed when it is described. Cells of aligned rows are kept as text until the widths
 * of all cells are known. */
#include "rows.h"

#include "growing_array.h"
#include "text_view.h"

#include <stdio.h>
#include <string.h>

void ftr_rows_begin(ftr_rows *rows, ftr_row_format format, ftr_printer *out)
{
    *rows = (ftr_rows){.format = format, .out = out, .json = {.out = out}};
}

/* ---- rows ------------------------------------------------------------------------------------ */

void ftr_rows_put(ftr_rows *rows, ftr_row_description *describe, const void *row)
{
    rows->column = 0;
    if (rows->format == FTR_ROWS_JSON)
        ftr_json_open(&rows->json, NULL, '{');
    describe(rows, row);
    if (rows->format == FTR_ROWS_JSON)
        ftr_json_close(&rows->json, '}');
    else if (rows->format != FTR_ROWS_TEXT)
        ftr_print_char(rows->out, '\n');
}

void ftr_rows_put_titles(ftr_rows *rows, ftr_row_description *describe, const void *row)
{
    if (rows->format == FTR_ROWS_JSON)
        return;
    rows->in_titles = true;
    ftr_rows_put(rows, describe, row);
    rows->in_titles = false;
}

struct ftr_row_cell {
    size_t at, size, width;
};

bool ftr_rows_end(ftr_rows *rows)
{
    size_t widths[FTR_ROW_COLUMNS_MAX] = {0};
    const bool ok = !rows->failed;
    for (size_t i = 0; ok && i < rows->count; i++) {
        size_t *widest = &widths[i % rows->column];
        *widest = rows->cells[i].width > *widest ? rows->cells[i].width : *widest;
    }
    for (size_t i = 0; ok && i < rows->count; i++) {
        const struct ftr_row_cell *cell = &rows->cells[i];
        const size_t column = i % rows->column;
        const bool is_last = column + 1 == rows->column;
        const size_t missing = widths[column] - cell->width;
        if (!rows->is_text[column])
            ftr_print_spaces(rows->out, missing);
        ftr_print(rows->out, rows->text.bytes + cell->at, cell->size);
        if (rows->is_text[column] && !is_last)
            ftr_print_spaces(rows->out, missing);
        ftr_print_string(rows->out, is_last ? "\n" : "  ");
    }
    free(rows->cells);
    ftr_text_buffer_release(&rows->text);
    return ok;
}

/* ---- renderers ------------------------------------------------------------------------------- */

typedef enum value_kind {
    VALUE_MISSING,
    VALUE_TEXT,
    VALUE_FIGURE,
    VALUE_COUNT,
    VALUE_INT,
    VALUE_TIME,
    VALUE_RATE
} value_kind;

typedef struct row_value {
    value_kind kind;
    ftr_view text;
    uint64_t count;
    int64_t integer;
    long double rate;
    int time_scale;
} row_value;

static void print_rate(ftr_printer *out, long double rate, const char *prefix)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.6Lg%s", rate, prefix);
    ftr_print_string(out, text);
}

static void print_prefixed_rate(ftr_printer *out, long double rate)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    unsigned prefix = 0;
    for (; rate >= 999.9995L && prefix + 1 < sizeof prefixes / sizeof prefixes[0]; prefix++)
        rate /= 1000;
    print_rate(out, rate, prefixes[prefix]);
}

static void print_for_people(ftr_printer *out, const row_value *value)
{
    switch (value->kind) {
    case VALUE_MISSING:
        ftr_print_char(out, '-');
        break;
    case VALUE_COUNT:
        ftr_print_uint(out, value->count);
        break;
    case VALUE_INT:
        ftr_print_int(out, value->integer);
        break;
    case VALUE_TIME:
        ftr_print_time(out, value->count, value->time_scale);
        break;
    case VALUE_RATE:
        print_prefixed_rate(out, value->rate);
        break;
    default:
        if (value->text.size > 0)
            ftr_print_plain(out, value->text.data, value->text.size);
    }
}

static void print_csv(ftr_printer *out, const row_value *value)
{
    switch (value->kind) {
    case VALUE_MISSING:
        break;
    case VALUE_TEXT:
        ftr_print_csv_field(out, value->text.data, value->text.size);
        break;
    case VALUE_TIME:
        ftr_print_uint(out, value->count);
        break;
    case VALUE_RATE:
        print_rate(out, value->rate, "");
        break;
    default:
        print_for_people(out, value);
    }
}

static void put_json(ftr_json *json, const char *name, const row_value *value)
{
    switch (value->kind) {
    case VALUE_MISSING:
        ftr_json_null(json, name);
        break;
    case VALUE_COUNT:
    case VALUE_TIME:
        ftr_json_count(json, name, value->count);
        break;
    case VALUE_INT:
        ftr_json_int(json, name, value->integer);
        break;
    case VALUE_RATE:
        ftr_json_real(json, name, value->rate);
        break;
    default:
        ftr_json_text(json, name, value->text.data, value->text.size);
    }
}

static void keep_cell(ftr_rows *rows, const row_value *value)
{
    static ftr_printer out; /* static because its buffer is large */
    const size_t at = rows->text.size;
    ftr_text_buffer_connect(&rows->text, &out);
    print_for_people(&out, value);
    if (!ftr_printer_flush(&out) ||
        !ftr_array_grow(&rows->cells, &rows->capacity, rows->count, sizeof *rows->cells)) {
        rows->failed = true;
        return;
    }
    const size_t size = rows->text.size - at;
    rows->cells[rows->count++] =
        (struct ftr_row_cell){at, size, size > 0 ? ftr_text_width(rows->text.bytes + at, size) : 0};
}

/* ---- columns --------------------------------------------------------------------------------- */

static void put_column(ftr_rows *rows, unsigned in, const char *name, const row_value *value)
{
    static const unsigned needed[] = {FTR_IN_TEXT, FTR_IN_TEXT, FTR_IN_CSV, FTR_IN_JSON};
    if ((in & needed[rows->format]) == 0)
        return;
    if (rows->format == FTR_ROWS_JSON) {
        put_json(&rows->json, name, value);
        return;
    }
    /* The title is aligned like the values below it, and is not quoted. */
    const row_value title = {.kind = value->kind == VALUE_TEXT ? VALUE_TEXT : VALUE_FIGURE,
                             .text = {name, strlen(name)}};
    const row_value *cell = rows->in_titles ? &title : value;
    const unsigned column = rows->column++;
    if (rows->format == FTR_ROWS_TEXT) {
        rows->is_text[column] |= value->kind == VALUE_TEXT;
        keep_cell(rows, cell);
        return;
    }
    if (column > 0)
        ftr_print_char(rows->out, rows->format == FTR_ROWS_CSV ? ',' : '\t');
    if (rows->format == FTR_ROWS_CSV && !rows->in_titles)
        print_csv(rows->out, cell);
    else
        print_for_people(rows->out, cell);
}

void ftr_row_text(ftr_rows *rows, unsigned in, const char *name, const char *text, size_t size)
{
    put_column(rows, in, name, &(row_value){.kind = VALUE_TEXT, .text = {text, size}});
}

void ftr_row_string(ftr_rows *rows, unsigned in, const char *name, const char *text)
{
    ftr_row_text(rows, in, name, text, strlen(text));
}

void ftr_row_name(ftr_rows *rows, const char *title, const char *name, size_t size, size_t width)
{
    char shortened[FTR_SHORTENED_SIZE(FTR_NAME_WIDTH)];
    const size_t most = width < FTR_NAME_WIDTH ? width : FTR_NAME_WIDTH;
    ftr_row_text(rows, FTR_IN_TEXT, title, shortened,
                 ftr_text_shorten(name, size, most, shortened));
}

void ftr_row_figure(ftr_rows *rows, unsigned in, const char *name, const char *text)
{
    put_column(rows, in, name, &(row_value){.kind = VALUE_FIGURE, .text = {text, strlen(text)}});
}

void ftr_row_count(ftr_rows *rows, unsigned in, const char *name, uint64_t value)
{
    put_column(rows, in, name, &(row_value){.kind = VALUE_COUNT, .count = value});
}

void ftr_row_int(ftr_rows *rows, unsigned in, const char *name, int64_t value)
{
    put_column(rows, in, name, &(row_value){.kind = VALUE_INT, .integer = value});
}

void ftr_row_time(ftr_rows *rows, unsigned in, const char *name, uint64_t ticks, int time_scale)
{
    put_column(rows, in, name,
               &(row_value){.kind = VALUE_TIME, .count = ticks, .time_scale = time_scale});
}

void ftr_row_rate(ftr_rows *rows, unsigned in, const char *name, long double rate)
{
    put_column(rows, in, name, &(row_value){.kind = VALUE_RATE, .rate = rate});
}

void ftr_row_share(ftr_rows *rows, unsigned in, const char *name, ftr_wide part, ftr_wide whole)
{
    char text[32];
    const double share = whole > 0 ? 100.0 * (double)part / (double)whole : 0;
    (void)snprintf(text, sizeof text, "%.1f %%", share);
    ftr_row_figure(rows, in, name, text);
}

void ftr_row_missing(ftr_rows *rows, unsigned in, const char *name)
{
    put_column(rows, in, name, &(row_value){.kind = VALUE_MISSING});
}
