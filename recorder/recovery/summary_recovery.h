/* Recovers the summary of a run that did not end normally from the journal of the run. */
#ifndef FTR_SUMMARY_RECOVERY_H
#define FTR_SUMMARY_RECOVERY_H

#include <ftr/recovery.h>

/* ftr_recovery_summarize() for a journal that is open and locked: writes the summary of the run to
 * @p out.
 * @param journal path of the journal, for messages
 * @param file the name of the run in the summary; NULL: the path of the trace in the journal */
FTR_MUST_USE ftr_status ftr_summary_recover(const char *journal, int journal_fd, const char *file,
                                            const char *out, ftr_recovery *recovery);

/* Returns the path of the summary of the run, malloc'ed. NULL: the run has no summary, the file is
 * not a journal of this version, or no memory. */
char *ftr_summary_recovery_path(int journal_fd);

#endif
