/* The summary of the run (FTR_SUMMARY). The drain adds each transaction to the summary. The file of
 * the summary is written from time to time and at the end. */
#ifndef FTR_KEPT_SUMMARY_H
#define FTR_KEPT_SUMMARY_H

#include "recorder_state.h"

/* Starts a summary if the options request one. If the recorder has a sink, and the same path is
 * given for summary and recorder, the summary gets the path that the recorder has actually chosen.
 * @param path the path given for the recorder; may be NULL
 * @return FTR_OK, also if the file of the summary cannot be written, which is reported;
 *         FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_kept_summary_open(ftr_recorder *rec, const char *path);

/* Releases every block of which all records are in the file. If there is a summary, first saves its
 * state in the journal: the figures of all transactions so far. The caller holds `encoding`. */
void ftr_kept_summary_release_blocks(ftr_recorder *rec);

/* Saves the state at the end of the run. This state also contains the open transactions, so
 * recovery must ignore their slots. */
void ftr_kept_summary_save_open(ftr_recorder *rec);

/* Must be called before and after a pass of the drain over the lanes of several threads. A pass
 * reads one lane after the other, so its transactions can be sorted by their ends only after the
 * pass.
 * @param until in ticks: no record that a later pass reads from these lanes ends before this time
 */
void ftr_kept_summary_begin_pass(ftr_recorder *rec);
void ftr_kept_summary_end_pass(ftr_recorder *rec, uint64_t until);

/* Writes the summary of the unfinished run to its file, if the summary has changed and the file was
 * last written at least two seconds ago. The caller holds `encoding`. */
void ftr_kept_summary_look(ftr_recorder *rec);

/* Writes the summary to its file at the end of the run. If the recorder has failed, the run is
 * marked as unfinished. The caller holds `encoding`. */
void ftr_kept_summary_end(ftr_recorder *rec);

/* Returns whether only the journal contains the figures of the run, because the recorder writes no
 * file and the summary could not be written at the end. The journal must then stay. */
bool ftr_kept_summary_needs_journal(const ftr_recorder *rec);

void ftr_kept_summary_release(ftr_recorder *rec);

#endif
