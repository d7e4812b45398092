/* The runs of a summary file that is read more than once. */
#ifndef FTR_RUN_SET_H
#define FTR_RUN_SET_H

#include "summary_file.h"

typedef struct ftr_run_set {
    ftr_summary_index *index;
    size_t count;
    int time_scale; /* the finest of the sound runs; FTR_COARSEST_SCALE: there is none */
    char *folder;   /* common directory prefix of all files of runs */
    size_t folder_size;
} ftr_run_set;

#define FTR_COARSEST_SCALE 127

/* Opens the summary at @p path. Must be followed by ftr_run_set_close(), in any case.
 * @return false after an error message */
bool ftr_run_set_open(ftr_run_set *of, const char *path);

void ftr_run_set_close(ftr_run_set *of);

/* Takes a run. @param name of its file, without the directories that all runs share */
typedef ftr_status ftr_take_run(void *user, const ftr_run_record *run, const char *name);

/* Calls a function with each run, in order. @return false after an error message */
bool ftr_run_set_for_each(ftr_run_set *of, const char *path, ftr_take_run *take, void *user);

#endif
