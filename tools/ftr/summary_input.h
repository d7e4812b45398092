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

/* Reads a run. On failure, prints the file and the cause to stderr. @return false on failure */
bool ftr_summary_read_run(ftr_summary_index *index, size_t at, ftr_run_record *run);

/* The time scale before the first run. */
#define FTR_COARSEST_SCALE 127

/* The runs of a summary file that is read more than once. */
typedef struct ftr_run_set {
    ftr_summary_index *index;
    size_t count;
    int time_scale; /* the finest time scale of the sound runs; FTR_COARSEST_SCALE: there is no
                       sound run */
    char *folder;   /* leading directories that the files of all runs share */
    size_t folder_size;
} ftr_run_set;

/* Opens the summary at @p path. The caller must then call ftr_run_set_close(), also after an error.
 * @return false after an error message */
bool ftr_run_set_open(ftr_run_set *of, const char *path);

void ftr_run_set_close(ftr_run_set *of);

/* Receives a run.
 * @param name path of the run's file, without the leading directories that all runs share */
typedef ftr_status ftr_take_run(void *user, const ftr_run_record *run, const char *name);

/* Calls a function with each run, in order. @return false after an error message */
bool ftr_run_set_for_each(ftr_run_set *of, const char *path, ftr_take_run *take, void *user);

#endif
