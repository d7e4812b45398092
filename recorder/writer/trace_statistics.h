/* The counts of a trace, for the user. */
#ifndef FTR_TRACE_STATISTICS_H
#define FTR_TRACE_STATISTICS_H

#include "recorder_state.h"

/* Sets @p statistics to the counts of the trace. The caller holds `encoding`, or all other threads
 * have stopped recording. */
void ftr_trace_count(ftr_recorder *rec, ftr_statistics *statistics);

void ftr_statistics_add(ftr_statistics *sum, const ftr_statistics *more);

/* Reports once that the journal could not be extended. The caller holds `encoding`, or closes the
 * trace. */
void ftr_trace_report_cover(ftr_recorder *rec);

/* Reports the losses of a closed trace to the user. @p lost: its counts at close. */
void ftr_trace_report_losses(ftr_recorder *rec, const ftr_statistics *lost);

#endif
