/* The accesses of initiators to targets, as rows for people and for programs (`ftr stats
 * --matrix`). */
#ifndef FTR_STATS_MATRIX_H
#define FTR_STATS_MATRIX_H

#include "rows.h"
#include "selection_options.h"

typedef struct ftr_matrix_output {
    const ftr_input_options *input;
    const ftr_choice *choice;
    ftr_row_format format;
    bool has_title; /* text: print the name of the file above its rows */
} ftr_matrix_output;

void ftr_matrix_print_csv_titles(ftr_printer *out);

/* Reads the trace at @p path and prints its matrix. A trace without accesses is reported.
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND if the trace has no accesses, or a part of it was not read;
 *         FTR_EXIT_TROUBLE after an error message */
int ftr_matrix_print(ftr_printer *out, const char *path, const ftr_matrix_output *output);

#endif
