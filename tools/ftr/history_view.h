/* The nights of a history and the changes of their figures, as text, CSV and JSON. */
#ifndef FTR_HISTORY_VIEW_H
#define FTR_HISTORY_VIEW_H

#include "history_file.h"
#include "night_changes.h"
#include "rows.h"

typedef struct ftr_history_view {
    ftr_row_format format;
    bool for_spreadsheet;
    size_t top; /* maximum number of changes in text; 0: all */
} ftr_history_view;

/* Prints the nights from number @p first on, and their changes.
 * @return false after an error message */
bool ftr_history_print(const ftr_history *history, size_t first, const ftr_night_changes *changes,
                       const ftr_history_view *view);

#endif
