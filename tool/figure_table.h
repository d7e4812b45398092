/* Figures of generators as text, CSV and JSON, for `ftr stats` and `ftr summary`. */
#ifndef FTR_FIGURE_TABLE_H
#define FTR_FIGURE_TABLE_H

#include "figure_metric.h"
#include "printer.h"

typedef enum ftr_figure_format {
    FTR_FIGURES_TEXT,
    FTR_FIGURES_CSV,
    FTR_FIGURES_JSON
} ftr_figure_format;

#define FTR_PERCENTILES_MAX 16u

typedef struct ftr_figure_columns {
    uint32_t percentiles[FTR_PERCENTILES_MAX];
    unsigned percentile_count; /* 0: the percentiles 50, 90 and 99 */
    bool by_stream;            /* each row is a stream instead of a generator */
    bool slowest;              /* JSON contains the slowest transactions */
} ftr_figure_columns;

/* Parses a list of percentiles: "50,95,99.9". @return false if the list is invalid */
bool ftr_figure_columns_parse(const char *list, ftr_figure_columns *columns);

/* Prints the rows that have transactions, as an aligned table. @return false if out of memory */
bool ftr_figures_print_text(ftr_printer *out, const ftr_figure_columns *columns,
                            ftr_run_totals *totals);

/* The first function prints the titles, the second one a line for each row that has
 * transactions. */
void ftr_figures_print_csv_titles(ftr_printer *out, const ftr_figure_columns *columns);
void ftr_figures_print_csv(ftr_printer *out, const ftr_figure_columns *columns, const char *file,
                           ftr_run_totals *totals);

/* Prints the rows as a JSON array. */
void ftr_figures_print_json(ftr_printer *out, const ftr_figure_columns *columns,
                            ftr_run_totals *totals);

/* Prints `, "name": value`. */
void ftr_print_json_member(ftr_printer *out, const char *name, uint64_t value);

#endif
