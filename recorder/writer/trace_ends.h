/* The start and the end of a trace, and its counts for the user. */
#ifndef FTR_TRACE_ENDS_H
#define FTR_TRACE_ENDS_H

#include "recorder_state.h"

#define FTR_DEFAULT_TIME_SCALE (-12)

/* Stores the time scale, converts the time window to ticks, and lets the drain start the file. A
 * flight recorder starts the file later. The caller holds `encoding`, or is the only thread. */
void ftr_trace_start(ftr_recorder *rec, int time_scale);

/* Drains everything, ends open transactions, and ends the file. The valve is closed, so no other
 * thread records any more. */
void ftr_trace_write_end(ftr_recorder *rec);

/* Closes a file that has ended, and keeps or removes it. Then stores statistics and reports
 * losses. */
void ftr_trace_finish(ftr_recorder *rec);

/* Sets @p statistics to the counts of the trace. The caller holds `encoding`, or all other threads
 * have stopped recording. */
void ftr_trace_count(ftr_recorder *rec, ftr_statistics *statistics);

void ftr_statistics_add(ftr_statistics *sum, const ftr_statistics *more);

/* Reports once that the journal could not be extended. The caller holds `encoding`, or closes the
 * trace. */
void ftr_trace_report_cover(ftr_recorder *rec);

/* Reports the losses of a closed trace to the user. @p lost: the counts of the trace at close. */
void ftr_trace_report_losses(ftr_recorder *rec, const ftr_statistics *lost);

#endif
