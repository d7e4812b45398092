/* Rows of a query. The first rows of a table determine the widths of its columns, so that only
 * these rows need memory. */
#include "sql_output.h"

#include "growing_array.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS_MEASURED = 1000 };

struct ftr_sql_cell {
    char *text;
    bool is_number;
};

bool ftr_sql_format_of_name(const char *name, ftr_sql_format *format)
{
    static const char *const NAMES[] = {"table", "csv", "tsv", "json"};
    for (unsigned i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (strcmp(NAMES[i], name) == 0) {
            *format = (ftr_sql_format)i;
            return true;
        }
    return false;
}

void ftr_sql_output_init(ftr_sql_output *output, ftr_sql_format format)
{
    memset(output, 0, offsetof(ftr_sql_output, out));
    ftr_printer_init(&output->out, STDOUT_FILENO);
    output->format = format;
    output->cells = NULL;
    output->widths = NULL;
    output->cell_count = output->cell_capacity = 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Must be called before sqlite3_column_text(), which changes the type of the value. */
static bool is_numeric(sqlite3_stmt *statement, int column)
{
    const int type = sqlite3_column_type(statement, column);
    return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static bool is_json_text(const char *text, size_t size)
{
    return size > 1 && (text[0] == '{' || text[0] == '[');
}

static bool is_json_column(const char *name)
{
    return strcmp(name, "attributes") == 0 || strcmp(name, "info") == 0 ||
           strcmp(name, "times") == 0;
}

static void print_real(ftr_sql_output *output, double value)
{
    if (value - value != 0) /* infinite: JSON has no number for infinity */
        ftr_print_string(&output->out, value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    else
        ftr_print_real(&output->out, value, 8);
}

static void print_json_value(ftr_sql_output *output, sqlite3_stmt *statement, int column)
{
    const char *text;
    size_t size;
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        ftr_print_string(&output->out, "null");
        break;
    case SQLITE_INTEGER:
        ftr_print_int(&output->out, sqlite3_column_int64(statement, column));
        break;
    case SQLITE_FLOAT:
        print_real(output, sqlite3_column_double(statement, column));
        break;
    default:
        text = (const char *)sqlite3_column_text(statement, column);
        size = (size_t)sqlite3_column_bytes(statement, column);
        /* The JSON object in a column of this name is printed as an object, not as a string. */
        if (is_json_text(text, size) && is_json_column(sqlite3_column_name(statement, column)))
            ftr_print_exact(&output->out, text, size);
        else
            ftr_print_json(&output->out, text, size);
    }
}

static void print_json_row(ftr_sql_output *output, sqlite3_stmt *statement)
{
    for (int i = 0; i < output->columns; i++) {
        const char *name = sqlite3_column_name(statement, i);
        ftr_print_string(&output->out, i > 0 ? ", " : "{");
        ftr_print_json(&output->out, name, strlen(name));
        ftr_print_string(&output->out, ": ");
        print_json_value(output, statement, i);
    }
    ftr_print_string(&output->out, "}\n");
}

/* Returns whether RFC 4180 requires quotes. */
static bool is_quoted(const char *text, size_t size)
{
    bool is_plain = true;
    for (size_t i = 0; i < size && is_plain; i++)
        is_plain = text[i] != '"' && text[i] != ',' && text[i] != '\n' && text[i] != '\r';
    return !is_plain;
}

/* Prints tabs and line ends as \t and \n, so that a row is one line. */
static void print_tsv_field(ftr_printer *out, const char *text, size_t size)
{
    size_t done = 0;
    for (size_t i = 0; i < size; i++) {
        const char *escape = text[i] == '\t'   ? "\\t"
                             : text[i] == '\n' ? "\\n"
                             : text[i] == '\r' ? "\\r"
                             : text[i] == '\\' ? "\\\\"
                                               : NULL;
        if (escape == NULL)
            continue;
        ftr_print_exact(out, text + done, i - done);
        ftr_print_string(out, escape);
        done = i + 1;
    }
    ftr_print_exact(out, text + done, size - done);
}

static void print_field(ftr_sql_output *output, int column, const char *text, size_t size,
                        bool is_number)
{
    ftr_printer *out = &output->out;
    const bool is_csv = output->format == FTR_SQL_CSV;
    if (column > 0)
        ftr_print_char(out, is_csv ? ',' : '\t');
    if (is_csv && is_quoted(text, size)) {
        ftr_print_csv_field(out, text, size);
        return;
    }
    if (!is_number)
        ftr_print_cell_begin(out, text, size);
    (is_csv ? ftr_print_exact : print_tsv_field)(out, text, size);
}

static void print_fields(ftr_sql_output *output, sqlite3_stmt *statement)
{
    for (int i = 0; i < output->columns; i++) {
        const bool is_number = is_numeric(statement, i);
        const char *text = (const char *)sqlite3_column_text(statement, i);
        print_field(output, i, text != NULL ? text : "", (size_t)sqlite3_column_bytes(statement, i),
                    is_number);
    }
    ftr_print_char(&output->out, '\n');
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Returns a copy of the text for a cell of the table, with control characters made visible. */
static char *cell_of(const char *text, size_t size)
{
    ftr_printer *out = malloc(sizeof *out);
    if (out == NULL)
        return NULL;
    ftr_text_buffer cell = {0};
    ftr_text_buffer_connect(&cell, out);
    ftr_print_plain(out, text, size);
    ftr_print_char(out, '\0');
    const bool ok = ftr_printer_flush(out);
    free(out);
    if (!ok)
        ftr_text_buffer_release(&cell);
    return cell.bytes;
}

static bool add_cell(ftr_sql_output *output, const char *text, size_t size, bool is_number)
{
    if (!ftr_array_grow(&output->cells, &output->cell_capacity, output->cell_count,
                        sizeof *output->cells))
        return false;
    char *cell = cell_of(text, size);
    if (cell == NULL)
        return false;
    size_t *width = &output->widths[output->cell_count % (size_t)output->columns];
    const size_t wide = ftr_text_width(cell, strlen(cell));
    if (!output->is_streaming && wide > *width)
        *width = wide;
    output->cells[output->cell_count++] = (struct ftr_sql_cell){cell, is_number};
    return true;
}

/* Returns whether a cell is right-aligned. These cells are numbers, and headers of columns whose
 * first value is a number. */
static bool is_right(const ftr_sql_output *output, size_t cell)
{
    const size_t below = cell + (size_t)output->columns;
    const bool is_header = !output->is_streaming && !output->without_header &&
                           cell < (size_t)output->columns && below < output->cell_count;
    return output->cells[is_header ? below : cell].is_number;
}

/* Prints the rows of the buffered cells. */
static void print_cells(ftr_sql_output *output)
{
    const size_t columns = (size_t)output->columns;
    for (size_t i = 0; i < output->cell_count; i++) {
        const size_t column = i % columns;
        const size_t wide = ftr_text_width(output->cells[i].text, strlen(output->cells[i].text));
        const size_t space = output->widths[column] > wide ? output->widths[column] - wide : 0;
        const bool right = is_right(output, i);
        if (column > 0)
            ftr_print_spaces(&output->out, 2);
        if (right)
            ftr_print_spaces(&output->out, space);
        ftr_print_string(&output->out, output->cells[i].text);
        if (!right && column + 1 < columns)
            ftr_print_spaces(&output->out, space);
        if (column + 1 == columns)
            ftr_print_char(&output->out, '\n');
    }
    for (size_t i = 0; i < output->cell_count; i++)
        free(output->cells[i].text);
    output->cell_count = 0;
    output->is_streaming = true;
}

static bool add_row(ftr_sql_output *output, sqlite3_stmt *statement)
{
    for (int i = 0; i < output->columns; i++) {
        const bool is_number = is_numeric(statement, i);
        const char *text = (const char *)sqlite3_column_text(statement, i);
        if (!add_cell(output, text != NULL ? text : "", (size_t)sqlite3_column_bytes(statement, i),
                      is_number))
            return false;
    }
    if (output->is_streaming || output->rows >= ROWS_MEASURED)
        print_cells(output);
    return true;
}

/* ---- queries --------------------------------------------------------------------------------- */

static bool put_header(ftr_sql_output *output, sqlite3_stmt *statement)
{
    if (output->without_header || output->format == FTR_SQL_JSON)
        return true;
    for (int i = 0; i < output->columns; i++) {
        const char *name = sqlite3_column_name(statement, i);
        if (output->format != FTR_SQL_TABLE)
            print_field(output, i, name, strlen(name), false);
        else if (!add_cell(output, name, strlen(name), false))
            return false;
    }
    if (output->format != FTR_SQL_TABLE)
        ftr_print_char(&output->out, '\n');
    return true;
}

bool ftr_sql_output_begin(ftr_sql_output *output, sqlite3_stmt *statement)
{
    output->columns = sqlite3_column_count(statement);
    output->rows = 0;
    output->is_streaming = false;
    free(output->widths);
    output->widths = calloc((size_t)output->columns + 1, sizeof *output->widths);
    return output->widths != NULL && put_header(output, statement);
}

bool ftr_sql_output_row(ftr_sql_output *output, sqlite3_stmt *statement)
{
    output->rows++;
    if (output->format == FTR_SQL_TABLE)
        return add_row(output, statement);
    if (output->format == FTR_SQL_JSON)
        print_json_row(output, statement);
    else
        print_fields(output, statement);
    return true;
}

bool ftr_sql_output_end(ftr_sql_output *output)
{
    if (output->format == FTR_SQL_TABLE && output->columns > 0)
        print_cells(output);
    free(output->cells);
    free(output->widths);
    output->cells = NULL;
    output->widths = NULL;
    output->cell_count = output->cell_capacity = 0;
    return ftr_printer_flush(&output->out);
}
