/* Prints a summary as text, CSV or JSON. */
#ifndef FTR_SUMMARY_VIEW_H
#define FTR_SUMMARY_VIEW_H

#include "figure_table.h"
#include "summary_file.h"

typedef struct ftr_summary_view {
    ftr_row_format format;
    ftr_figure_columns columns;
    bool for_spreadsheet; /* no name in CSV is a formula */
    size_t top;           /* maximum number of runs in a text table; 0: all */
} ftr_summary_view;

/* Prints a settled index of @p count runs. Prints errors to stderr.
 * @return false if a run could not be read or printed */
bool ftr_summary_print(ftr_summary_index *index, size_t count, const ftr_summary_view *view);

/* Reads a run. On failure, prints the file and the cause to stderr. @return false on failure */
bool ftr_summary_read_run(ftr_summary_index *index, size_t at, ftr_run_record *run);

#endif
