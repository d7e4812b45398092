/* The rows that the query of a rule returned: each row is a line of a message about its run. */
#ifndef FTR_GATE_ROWS_H
#define FTR_GATE_ROWS_H

#include "gate_cases.h"

/* Zero-initialise. */
typedef struct ftr_gate_rows {
    ftr_gate_message *of; /* index: number of the run, from 1; 0: rows that do not name a run */
    size_t capacity;
} ftr_gate_rows;

/* Adds a row. @param run number of the run, from 1; 0: none. @return false if memory is exhausted
 */
bool ftr_gate_rows_add(ftr_gate_rows *rows, size_t run, const char *text);

/* Adds a failed case for each run that has a row, and for the rows without a run; or, if there is
 * no row, a passed case. The messages move to the cases. @return false if memory is exhausted */
bool ftr_gate_rows_judge(ftr_gate_rows *rows, const ftr_gate_runs *runs, ftr_gate_suite *suite);

void ftr_gate_rows_release(ftr_gate_rows *rows);

#endif
