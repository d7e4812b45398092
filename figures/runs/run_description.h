/* The identity, the names and the state of a run. */
#ifndef FTR_RUN_DESCRIPTION_H
#define FTR_RUN_DESCRIPTION_H

#include "run_record.h"

#include <ftr/status.h>

/* Computes the identity of a run: from the start of the run in its attributes, or otherwise from
 * the whole record, which must not change afterwards. @return false if out of memory */
bool ftr_run_record_identify(ftr_run_record *run, unsigned part);

/* Sets the name of the file, the problem, and the name of the test, which needs the attributes.
 * @return false if out of memory */
bool ftr_run_record_set_names(ftr_run_record *run, const char *file, const char *problem);

/* Derives the state of a run from the state of its file and from its attributes.
 * @param is_continued the run has a later file, which contains its end */
void ftr_run_record_judge_end(ftr_run_record *run, bool is_continued);

/* Adds the state of the file, if it is known only after the record was made of a sound file. */
void ftr_run_record_judge_file(ftr_run_record *run, ftr_run_state file);

/* Makes the record of a run without a file, or with an unreadable file.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_run_record_of_missing(const char *file, ftr_run_state state,
                                                  const char *problem, ftr_run_record *run);

#endif
