/* The record of the run of a trace, for files in any state. */
#ifndef FTR_MEASURED_RUN_H
#define FTR_MEASURED_RUN_H

#include "attribute_sizes.h"
#include "run_record.h"
#include "selection_options.h"

typedef struct ftr_measuring {
    const ftr_input_options *input;
    const ftr_choice *choice;
    ftr_attribute_sizes *attribute_sizes; /* NULL: not counted */
    bool is_reduced, lacks_streams;       /* as by ftr_run_collector_reduce() */
} ftr_measuring;

/* Measures the trace at @p path. A file that cannot be read also has a record; its members `state`
 * and `problem` describe the cause. Streams named `ftr.*` are measured if a pattern of --stream
 * that begins with `ftr.` matches them. Errors are printed to stderr.
 * @param[out] run owned by the caller until ftr_run_record_release(); untouched if there is none
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND if a part of the file was not read; FTR_EXIT_TROUBLE if
 *         nothing was read
 * @param[out] made whether there is a record */
int ftr_measure_run(const char *path, const ftr_measuring *measuring, ftr_run_record *run,
                    bool *made);

#endif
