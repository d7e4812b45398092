/* The stream `ftr.run` of the default recorder, which identifies the run of a file or a summary. It
 * is recorded if the environment requests it (FTR_SUMMARY, FTR_TAGS, FTR_RUN_INFO). For an attached
 * prototype, sc_adapter/attach records this stream, with the same attributes and the counts of the
 * recording. */
#ifndef FTR_PROGRAM_IDENTITY_H
#define FTR_PROGRAM_IDENTITY_H

#include <ftr/detail/run_identity.h>

#include "run_claim.h"

/* Makes an id of a run. Leaves @p id unchanged if the system has no random numbers yet. */
void ftr_run_make_id(char id[FTR_RUN_ID_SIZE]);

/* Records the start of the run in `ftr.run`, if this stream is recorded.
 * @param has_arguments whether to record the arguments of the program, too */
void ftr_program_identity_begin(ftr_recorder *rec, bool has_arguments);

#endif
