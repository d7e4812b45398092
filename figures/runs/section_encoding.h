/* Reads and writes the sections of a record, for run_encoding.c. */
#ifndef FTR_SECTION_ENCODING_H
#define FTR_SECTION_ENCODING_H

#include "run_codec.h"

/* Code the sections of all generators; errors latch in the codec. ftr_code_series() codes the
 * series of the streams, too. */
void ftr_code_latency(ftr_run_codec *c);
void ftr_code_series(ftr_run_codec *c);
void ftr_code_times(ftr_run_codec *c);

#endif
