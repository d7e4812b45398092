/* The summary of the run (FTR_SUMMARY): kept by the writer, written to its file from time to time
 * and at the end. */
#ifndef FTR_KEPT_SUMMARY_H
#define FTR_KEPT_SUMMARY_H

#include "recorder_state.h"

/* Begins to observe the transactions, if the options ask for a summary. */
FTR_MUST_USE ftr_status ftr_kept_summary_open(ftr_recorder *rec);

/* Writes the summary so far, as that of a run that is not finished, if it has changed and the last
 * time is long ago. The caller holds `encoding`. */
void ftr_kept_summary_look(ftr_recorder *rec);

/* Writes the summary of the complete run. The caller holds `encoding`. */
void ftr_kept_summary_end(ftr_recorder *rec);

void ftr_kept_summary_release(ftr_recorder *rec);

#endif
