/* Rows for people and for programs. A function describes a row: for each column, it calls a
 * function of this header with the formats that have the column, the name of the column, and its
 * value. The same description makes the titles, aligned text, CSV and JSON, so that a column cannot
 * differ between them.
 *
 *     static void describe_size(ftr_rows *rows, const void *row)
 *     {
 *         const size_row *of = row;
 *         ftr_row_count(rows, FTR_IN_ALL, "bytes", of->bytes);
 *         ftr_row_text(rows, FTR_IN_ALL, "file", of->file, strlen(of->file));
 *     }
 *
 * Control characters in text are escaped in aligned text, and in CSV on a terminal; CSV for a
 * spreadsheet has no formulas (printer.h). */
#ifndef FTR_ROWS_H
#define FTR_ROWS_H

#include "json_writer.h"

#define FTR_ROW_COLUMNS_MAX 32u

typedef enum ftr_row_format {
    FTR_ROWS_TEXT, /* aligned: each column is as wide as its widest cell, numbers are right-aligned;
                      times have a unit, rates a metric prefix */
    FTR_ROWS_TABS, /* the same text, separated by tabs instead of aligned; each row is printed
                      immediately */
    FTR_ROWS_CSV,  /* text is quoted, times are in ticks */
    FTR_ROWS_JSON  /* an object for each row, times are in ticks */
} ftr_row_format;

/* The formats that have a column. FTR_ROWS_TABS has the columns of FTR_ROWS_TEXT. */
enum { FTR_IN_TEXT = 1, FTR_IN_CSV = 2, FTR_IN_JSON = 4, FTR_IN_ALL = 7 };

typedef struct ftr_rows {
    ftr_row_format format;
    ftr_printer *out;
    ftr_json json; /* FTR_ROWS_JSON: a description may write further members */
    bool in_titles;
    unsigned column; /* column of the next cell */
    /* FTR_ROWS_TEXT: */
    bool is_text[FTR_ROW_COLUMNS_MAX]; /* index: column; true: left-aligned */
    struct ftr_row_cell *cells;        /* row by row */
    size_t count, capacity;
    ftr_text_buffer text; /* texts of all cells, concatenated */
    bool failed;          /* out of memory */
} ftr_rows;

/* Describes @p row. For the titles, @p row is the one that ftr_rows_put_titles() got. */
typedef void ftr_row_description(ftr_rows *rows, const void *row);

/* Begins rows. Aligned rows are printed by ftr_rows_end(), other rows immediately. */
void ftr_rows_begin(ftr_rows *rows, ftr_row_format format, ftr_printer *out);
/* Puts the titles of the columns; nothing in JSON. @param row any valid row */
void ftr_rows_put_titles(ftr_rows *rows, ftr_row_description *describe, const void *row);
void ftr_rows_put(ftr_rows *rows, ftr_row_description *describe, const void *row);
/* Ends the rows and releases their memory. @return false if out of memory; then no aligned row is
 * printed */
bool ftr_rows_end(ftr_rows *rows);

/* Columns of a description. @param in formats that have the column, a sum of FTR_IN_... */
void ftr_row_text(ftr_rows *rows, unsigned in, const char *name, const char *text, size_t size);
void ftr_row_string(ftr_rows *rows, unsigned in, const char *name, const char *text);
/* A name for people, of which at most @p width characters are shown (ftr_text_shorten()). */
#define FTR_NAME_WIDTH 64u
void ftr_row_name(ftr_rows *rows, const char *title, const char *name, size_t size, size_t width);
/* Text that is aligned as a number. */
void ftr_row_figure(ftr_rows *rows, unsigned in, const char *name, const char *text);
void ftr_row_count(ftr_rows *rows, unsigned in, const char *name, uint64_t value);
void ftr_row_int(ftr_rows *rows, unsigned in, const char *name, int64_t value);
void ftr_row_time(ftr_rows *rows, unsigned in, const char *name, uint64_t ticks, int time_scale);
/* An amount per second: in text "123.846 M". */
void ftr_row_rate(ftr_rows *rows, unsigned in, const char *name, long double rate);
/* A part of a whole: "12.5 %". */
void ftr_row_share(ftr_rows *rows, unsigned in, const char *name, ftr_wide part, ftr_wide whole);
/* A number that has no value: in text "-", in CSV empty, in JSON null. */
void ftr_row_missing(ftr_rows *rows, unsigned in, const char *name);

#endif
