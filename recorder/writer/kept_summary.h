/* The summary of the run (FTR_SUMMARY): kept by the writer, written to its file from time to time
 * and at the end. */
#ifndef FTR_KEPT_SUMMARY_H
#define FTR_KEPT_SUMMARY_H

#include "recorder_state.h"

/* Begins to observe the transactions, if the options ask for a summary. If the summary has the path
 * of the recorder, which has a sink, then it has the path that the recorder has chosen.
 * @param path of the recorder, as the caller named it; may be NULL */
FTR_MUST_USE ftr_status ftr_kept_summary_open(ftr_recorder *rec, const char *path);

/* Puts the figures of all transactions that were taken so far into the journal, so that their
 * blocks can be released. Without a summary or a journal, has no effect. The caller holds
 * `encoding`. */
void ftr_kept_summary_save(ftr_recorder *rec);

/* As above, at the end of the run: the figures include the open transactions, so that recovery
 * ignores their slots. */
void ftr_kept_summary_save_open(ftr_recorder *rec);

/* Must be called before and after a pass over the lanes of several threads. The pass reads one lane
 * after the other, so the transactions are in order of their ends only after the pass.
 * @param until a tick: no later record of the lanes that were read ends before it */
void ftr_kept_summary_begin_pass(ftr_recorder *rec);
void ftr_kept_summary_end_pass(ftr_recorder *rec, uint64_t until);

/* Writes the summary of the unfinished run, if it has changed and was not written for two seconds.
 * The caller holds `encoding`. */
void ftr_kept_summary_look(ftr_recorder *rec);

/* Writes the summary of the complete run. The caller holds `encoding`. */
void ftr_kept_summary_end(ftr_recorder *rec);

void ftr_kept_summary_release(ftr_recorder *rec);

#endif
