/* Completes the runs of summaries that were killed, from their journals. */
#ifndef FTR_KILLED_RUN_INPUT_H
#define FTR_KILLED_RUN_INPUT_H

#include "summary_file.h"

#include <stdbool.h>

/* Size of a text that explains why a run could not be completed. */
#define FTR_MESSAGE_SIZE 600u

/* Completes the runs from number @p first on that have not ended. The runs are in the file at @p
 * path. A run whose journal is not found or not readable stays in the index, with the reason as its
 * problem; so does a run that is still in progress. Errors and added runs are printed to stderr.
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND: a run could not be completed; FTR_EXIT_TROUBLE */
int ftr_killed_runs_complete(ftr_summary_index *index, size_t first, const char *path);

/* Adds the run whose summary is, or should be, in the file at @p path, from the journal beside this
 * file, beside a trace of the same name, or in FTR_JOURNAL_DIR.
 * @param[out] status FTR_EXIT_OK; FTR_EXIT_FOUND: transactions of the run are lost
 * @return false if no journal can be read at these places */
bool ftr_killed_run_find(ftr_summary_index *index, const char *path, int *status);

/* Gets the journal that the summary at @p path names, or an empty text. The summary has one run,
 * which was killed. @p size: at least 4096 */
void ftr_killed_run_journal(const char *path, char *journal, size_t size);

/* Whether the run that recorded @p journal kept its summary at @p path, and no file exists there:
 * it was deleted, or never written. */
bool ftr_killed_run_lacks_summary(const char *path, const char *journal);

/* Explains why the summary at @p path cannot be recovered. */
void ftr_killed_run_explain(const char *path, char problem[FTR_MESSAGE_SIZE]);

#endif
