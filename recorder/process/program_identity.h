/* The stream `ftr.run` of a program that records by hand: which run a file or a summary is of. An
 * attached prototype has its own (sc_adapter/attach), with the same attributes. */
#ifndef FTR_PROGRAM_IDENTITY_H
#define FTR_PROGRAM_IDENTITY_H

#include <ftr/detail/run_identity.h>

/* Records the start of the run, with a random id. */
void ftr_program_identity_begin(ftr_recorder *rec, bool has_arguments);

#endif
