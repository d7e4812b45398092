/* The first step of a repair. */
#ifndef FTR_REPAIR_CHUNKS_H
#define FTR_REPAIR_CHUNKS_H

#include "repair_run.h"

/* First step: copies every valid chunk, and the valid entries of damaged chunks. */
ftr_status ftr_repair_chunks(ftr_repair_run *run, ftr_reader *reader);

#endif
