/* Warnings about patterns of stream names that have matched no stream. */
#ifndef FTR_UNMATCHED_NAMES_H
#define FTR_UNMATCHED_NAMES_H

#include "recorder_state.h"

/* Reports each pattern of include, exclude and the buffers that matched no stream. Reports nothing
 * if no stream was defined. */
void ftr_report_unmatched_names(const ftr_recorder *rec);

#endif
