/* The summary of a run that did not end normally, from its journal. */
#ifndef FTR_SUMMARY_RECOVERY_H
#define FTR_SUMMARY_RECOVERY_H

#include <ftr/recovery.h>

/* Writes the summary of the run to @p out, as ftr_recovery_summarize(), for a caller that has
 * opened and locked the journal.
 * @param journal its path, for messages
 * @param file the name of the run in the summary; NULL: the one in the journal */
FTR_MUST_USE ftr_status ftr_summary_recover(const char *journal, int journal_fd, const char *file,
                                            const char *out, ftr_recovery *recovery);

/* The path of the summary of the run, malloc'ed; NULL if the run keeps none, or the file is not a
 * journal.
 */
char *ftr_summary_recovery_path(int journal_fd);

#endif
