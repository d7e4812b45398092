/* Figures of generators, and summaries with them, as text, CSV and JSON. */
#ifndef FTR_FIGURE_TABLE_H
#define FTR_FIGURE_TABLE_H

#include "figure_metric.h"
#include "rows.h"
#include "summary_file.h"

#define FTR_PERCENTILES_MAX 16u

typedef enum ftr_part_kind {
    FTR_PART_VALUE,  /* the transactions with one value of the attribute */
    FTR_PART_ABSENT, /* the transactions without the attribute */
    FTR_PART_OTHERS  /* the transactions with a value that has no part of its own */
} ftr_part_kind;

/* A part of the transactions of a generator. The texts are borrowed. */
typedef struct ftr_figure_part {
    const char *name; /* name of the generator, as in ftr_total_row */
    size_t name_size, stream_size;
    ftr_part_kind kind;
    ftr_attribute_value value; /* only for FTR_PART_VALUE */
    ftr_view shown;            /* the value for people */
    ftr_total_row *row;        /* the figures of the part */
} ftr_figure_part;

/* Parts of generators by the values of an attribute. */
typedef struct ftr_figure_parts {
    ftr_figure_part *of; /* in order of generator, then of kind and value */
    size_t count;
} ftr_figure_parts;

typedef struct ftr_figure_columns {
    uint32_t percentiles[FTR_PERCENTILES_MAX];
    unsigned percentile_count;     /* 0: the percentiles 50, 90 and 99 */
    bool by_stream;                /* each row is a stream instead of a generator */
    bool slowest;                  /* JSON contains the slowest transactions */
    bool times;                    /* attributes of type TIME have rows below their generator */
    const char *by;                /* attribute that divides generators; NULL: none */
    const ftr_figure_parts *parts; /* parts whose rows are below their generator; NULL: none */
} ftr_figure_columns;

/* Parses a list of percentiles: "50,95,99.9". @return false if the list is invalid */
bool ftr_figure_columns_parse(const char *list, ftr_figure_columns *columns);

/* Adds the figures of a run to the totals. @return false after an error message, which begins with
 * @p file */
bool ftr_figures_add_run(ftr_run_totals *totals, const ftr_run_record *run, const char *file,
                         bool by_stream);

/* The same with ftr_run_totals_take(). */
bool ftr_figures_take_run(ftr_run_totals *totals, ftr_run_record *run, const char *file);

/* Prints the rows that have transactions, as aligned text with titles or as CSV.
 * @param file value of the column `file`. @return false if out of memory */
bool ftr_figures_print(ftr_printer *out, ftr_row_format format, const ftr_figure_columns *columns,
                       const char *file, ftr_run_totals *totals);
void ftr_figures_print_csv_titles(ftr_printer *out, const ftr_figure_columns *columns);

/* Writes the time scale, and an array with the rows that have transactions. */
void ftr_figures_put_json(ftr_json *json, const ftr_figure_columns *columns,
                          ftr_run_totals *totals);

/* Writes an element with a slow transaction. @param file NULL: without the file */
void ftr_figures_put_slow_tx(ftr_json *json, const ftr_slow_tx *tx, const char *file);

/* ---- summaries ------------------------------------------------------------------------------- */

typedef struct ftr_summary_view {
    ftr_row_format format;
    ftr_figure_columns columns;
    bool for_spreadsheet; /* names in CSV that look like formulas are escaped */
    size_t top;           /* maximum number of runs in a text table; 0: all */
} ftr_summary_view;

/* Prints a settled index of @p count runs. Prints errors to stderr.
 * @return false if a run could not be read or printed */
bool ftr_summary_print(ftr_summary_index *index, size_t count, const ftr_summary_view *view);

#endif
