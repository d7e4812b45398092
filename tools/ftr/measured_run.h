/* Makes the record of a run from its trace, also from a damaged or unreadable file. */
#ifndef FTR_MEASURED_RUN_H
#define FTR_MEASURED_RUN_H

#include "attribute_sizes.h"
#include "run_record.h"
#include "selection_options.h"

typedef struct ftr_measuring {
    const ftr_input_options *input;
    const ftr_choice *choice;
    ftr_attribute_sizes *attribute_sizes; /* NULL: sizes are not counted */
    bool is_reduced, lacks_streams;       /* arguments of ftr_run_collector_reduce() */
} ftr_measuring;

/* Measures the trace at @p path. A record is also made for a file that does not exist or cannot be
 * read; the members `state` and `problem` of this record describe the cause. Streams named `ftr.*`
 * are measured only if they match a pattern of --stream that begins with `ftr.`. Errors are printed
 * to stderr.
 * @param[out] run owned by the caller until ftr_run_record_release(); untouched if no record is
 *         made
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND if a part of the file was not read; FTR_EXIT_TROUBLE if
 *         nothing was read
 * @param[out] made whether a record was made */
int ftr_measure_run(const char *path, const ftr_measuring *measuring, ftr_run_record *run,
                    bool *made);

#endif
