/* The runs of a summary file that is read more than once. */
#ifndef FTR_RUN_SET_H
#define FTR_RUN_SET_H

#include "summary_file.h"

typedef struct ftr_run_set {
    ftr_summary_index *index;
    size_t count;
    int time_scale; /* the finest time scale of the sound runs; FTR_COARSEST_SCALE: there is no
                       sound run */
    char *folder;   /* leading directories that the files of all runs share */
    size_t folder_size;
} ftr_run_set;

#define FTR_COARSEST_SCALE 127

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
