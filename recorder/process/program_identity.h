/* The stream `ftr.run` of a program that records by hand: which run a file or a summary is of. An
 * attached prototype has its own (sc_adapter/attach). */
#ifndef FTR_PROGRAM_IDENTITY_H
#define FTR_PROGRAM_IDENTITY_H

#include <ftr/environment.h>

/* Records the start of the run: a random id, program, process, host, time, tags. */
void ftr_program_identity_begin(ftr_recorder *rec);

/* Records the exit status, once. */
void ftr_program_identity_end(ftr_recorder *rec, int exit_status);

#endif
