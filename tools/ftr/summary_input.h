/* Summaries as inputs of commands, with the journals of killed runs. */
#ifndef FTR_SUMMARY_INPUT_H
#define FTR_SUMMARY_INPUT_H

#include "summary_file.h"

/* Returns whether the file at @p path begins like a summary. */
bool ftr_is_summary(const char *path);

/* Adds the runs of the summary at @p path. Errors are printed to stderr.
 * @return false after an error */
bool ftr_summary_input_add_file(ftr_summary_index *index, const char *path);

/* Adds the runs of the summary at @p path. A run that was killed is completed from its journal
 * (killed_run_input.h). A file that is absent, empty, damaged or not a summary becomes a run with
 * the name of the file and a state that says so. Errors are printed to stderr.
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND: a run could not be completed, or the file could not be read;
 *         FTR_EXIT_TROUBLE */
int ftr_summary_input_add(ftr_summary_index *index, const char *path);

#endif
