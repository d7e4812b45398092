/* Handles the files of earlier runs at the path of a trace. */
#ifndef FTR_LEFT_OVER_H
#define FTR_LEFT_OVER_H

#include "recorder_state.h"

/* Recovers the run that left @p journal, which is locked, and removes the journal. If the recovery
 * is impossible, renames the files of the run to the name intended for the recovered trace. Reports
 * either result to the user. If the process ends during any step, a later call repeats the step.
 * @param path the trace, resolved; if the file exists, the caller has locked it
 * @return whether @p path can now be used for recording; false: the files of the earlier run must
 *         stay */
FTR_MUST_USE bool ftr_left_over_recover(ftr_recorder *rec, const char *path,
                                        const ftr_journal *journal);

/* Removes the further files of an earlier run of the trace at @p path.
 * @return false if a process is recording into one of them, or another process of this run has
 *         recorded one */
FTR_MUST_USE bool ftr_left_over_remove_files(ftr_recorder *rec, const char *path);

#endif
