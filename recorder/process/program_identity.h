/* The stream `ftr.run` of a program that calls the recorder itself: it identifies the run of a file
 * or a summary. For an attached prototype, sc_adapter/attach records this stream, with the same
 * attributes. */
#ifndef FTR_PROGRAM_IDENTITY_H
#define FTR_PROGRAM_IDENTITY_H

#include <ftr/detail/run_identity.h>

/* Records the start of the run, with a random id. */
void ftr_program_identity_begin(ftr_recorder *rec, bool has_arguments);

#endif
