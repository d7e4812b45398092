/* Files that already exist at the path of a trace. */
#ifndef FTR_FOUND_FILES_H
#define FTR_FOUND_FILES_H

#include "recorder_state.h"

/* ---- files of earlier runs at the path of a trace -------------------------------------------- */

/* Recovers the run that left @p journal, which is locked, and removes the journal. If the recovery
 * is impossible, renames the files of the run to the name intended for the recovered trace. Reports
 * either result to the user. If the process ends during any step, a later call repeats the step.
 * @param path the trace, resolved; if the file exists, the caller must have locked it
 * @return whether @p path can now be used for recording; false: the files of the earlier run must
 *         stay */
FTR_MUST_USE bool ftr_left_over_recover(ftr_recorder *rec, const char *path,
                                        const ftr_journal *journal);

/* Removes the further files of an earlier run of the trace at @p path. Files with such names that
 * are not traces stay.
 * @return false if a process is recording into one of them, if a process of this run has recorded
 *         one, or if out of memory */
FTR_MUST_USE bool ftr_left_over_remove_files(ftr_recorder *rec, const char *path);

/* ---- outputs that are written as they are: pipes, terminals, devices, descriptors ------------ */

/* Returns whether the file at @p path exists and is not a regular file: a journal is then useless.
 * @p path must contain no links. */
bool ftr_special_file_exists(const char *path);

/* Returns whether the special file at @p path belongs to another user, except root. Opening such a
 * FIFO could wait forever, and the data would go to the other user. */
bool ftr_special_file_is_foreign(const char *path);

/* Opens @p path for writing. If it is a FIFO, waits until another process opens it for reading.
 * @param is_descriptor whether @p path refers to a descriptor of this process, which may belong to
 *                      any user; otherwise @p path has no links
 * @return the descriptor, or -1 with errno set: EPERM if the file belongs to another user, or is
 *         now a regular file or a link */
int ftr_special_file_open(const char *path, bool is_descriptor);

#endif
