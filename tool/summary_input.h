/* Summaries as inputs of commands, with the journals of killed runs. */
#ifndef FTR_SUMMARY_INPUT_H
#define FTR_SUMMARY_INPUT_H

#include "summary_file.h"

/* Returns whether the file at @p path begins like a summary. */
bool ftr_is_summary(const char *path);

/* Adds the runs of the summary at @p path. Errors are printed to stderr.
 * @return false after an error */
bool ftr_summary_input_add_file(ftr_summary_index *index, const char *path);

/* Adds the runs of the summary at @p path. If the run that wrote the summary was killed, also adds
 * this run from its journal. The journal is beside the summary, beside a trace of the same name, or
 * in FTR_JOURNAL_DIR. Errors are printed to stderr.
 * @return FTR_EXIT_OK; FTR_EXIT_TROUBLE */
int ftr_summary_input_add(ftr_summary_index *index, const char *path);

#endif
