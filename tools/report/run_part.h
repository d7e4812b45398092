/* The report of a run in packed form, reduced until it fits into its budget. */
#ifndef FTR_RUN_PART_H
#define FTR_RUN_PART_H

#include "run_report.h"
#include "printer.h"

typedef struct ftr_run_part {
    ftr_text_buffer members; /* the members of the manifest, without the braces around them */
    ftr_packed_block overview, transactions;
} ftr_run_part;

/* The names of the blocks in the page. */
typedef struct ftr_part_names {
    const char *overview, *transactions;
} ftr_part_names;

/* Packs the report. The sample of whole transactions becomes smaller until the part fits into
 * @p budget bytes of the page, or until no sample is left.
 * @param[out] part owned by the caller until ftr_run_part_release(), in any case
 * @return FTR_OK; FTR_ERR_MEMORY; or the error that ended reading */
FTR_MUST_USE ftr_status ftr_run_part_make(ftr_run_part *part, ftr_run_report *report,
                                          const ftr_part_names *names, size_t budget);

/* Writes the manifest of a page with this run. @param more further members; NULL: none
 * @return false if out of memory */
bool ftr_run_part_manifest(const ftr_run_part *part, const char *more, ftr_text_buffer *manifest);

/* Returns the size of the part in the page, in bytes. */
size_t ftr_run_part_size(const ftr_run_part *part);

void ftr_run_part_release(ftr_run_part *part);

#endif
