/* What earlier runs left at the path of a trace. */
#ifndef FTR_LEFT_OVER_H
#define FTR_LEFT_OVER_H

#include "recorder_state.h"

/* Brings back the run that left @p journal, which is locked, and removes the journal. If it cannot
 * be brought back, its files get the name that the recovered trace would have got. The user is
 * told. Every step can be interrupted by the end of the process, and repeated.
 * @param path the trace, resolved; the caller has it locked, if it is there
 * @return whether @p path may be recorded to now; false: the run left there must stay */
FTR_MUST_USE bool ftr_left_over_recover(ftr_recorder *rec, const char *path,
                                        const ftr_journal *journal);

/* Removes the further files of an earlier run of the trace at @p path.
 * @return false if a process is recording into one of them, or another process of this run did */
FTR_MUST_USE bool ftr_left_over_remove_files(ftr_recorder *rec, const char *path);

#endif
