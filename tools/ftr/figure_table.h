/* Figures of generators, and summaries with them, as text, CSV and JSON. */
#ifndef FTR_FIGURE_TABLE_H
#define FTR_FIGURE_TABLE_H

#include "figure_metric.h"
#include "rows.h"
#include "summary_file.h"

#define FTR_PERCENTILES_MAX 16u

typedef struct ftr_figure_columns {
    uint32_t percentiles[FTR_PERCENTILES_MAX];
    unsigned percentile_count; /* 0: the percentiles 50, 90 and 99 */
    bool by_stream;            /* each row is a stream instead of a generator */
    bool slowest;              /* JSON contains the slowest transactions */
} ftr_figure_columns;

/* Parses a list of percentiles: "50,95,99.9". @return false if the list is invalid */
bool ftr_figure_columns_parse(const char *list, ftr_figure_columns *columns);

/* Adds the figures of a run to the totals. @return false after an error message, which begins with
 * @p file */
bool ftr_figures_add_run(ftr_run_totals *totals, const ftr_run_record *run, const char *file,
                         bool by_stream);

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
