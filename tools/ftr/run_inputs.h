/* Runs as inputs of commands: measured from traces, read from summaries, completed from journals,
 * and judged by rules. */
#ifndef FTR_RUN_INPUTS_H
#define FTR_RUN_INPUTS_H

#include "attribute_sizes.h"
#include "gate.h"
#include "run_record.h"
#include "selection_options.h"
#include "summary_file.h"
#include "value_parts.h"

/* ---- traces ---------------------------------------------------------------------------------- */

typedef struct ftr_measuring {
    const ftr_input_options *input;
    const ftr_choice *choice;
    ftr_attribute_sizes *attribute_sizes; /* NULL: sizes are not counted */
    bool is_reduced, lacks_streams;       /* arguments of ftr_run_collector_reduce() */
    ftr_value_parts *parts; /* divides the generators; NULL, or without an attribute: not divided */
    ftr_run_record *parts_run; /* receives the record of the parts, if a record is made */
    /* only for ftr_measure_into(): receives the run */
    ftr_summary_index *index;
    size_t held; /* memory of the caller that counts against the limit of the input */
} ftr_measuring;

/* Measures the trace at @p path. A record is also made for a file that does not exist or cannot be
 * read; the members `state` and `problem` of this record describe the cause. Streams named `ftr.*`
 * are measured only if they match a pattern of --stream that begins with `ftr.`. Errors are printed
 * to stderr.
 * @param[out] run owned by the caller until ftr_run_record_release(); untouched if no record is
 *         made
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND if a part of the file was not read; FTR_EXIT_TROUBLE if
 *         nothing was read
 * @param[out] made whether a record was made */
int ftr_measure_run(const char *path, const ftr_measuring *measuring, ftr_run_record *run,
                    bool *made);

/* The same for a run that is added to the index of @p measuring. Its figures are encoded while the
 * trace is read, which needs less memory.
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND if the trace, or a part of it, was not read; FTR_EXIT_TROUBLE
 *         if no run was added */
int ftr_measure_into(const char *path, const ftr_measuring *measuring);

/* ---- summaries, with the journals of killed runs --------------------------------------------- */

/* Adds the runs of the summary at @p path. Errors are printed to stderr.
 * @return false after an error */
bool ftr_summary_input_add_file(ftr_summary_index *index, const char *path);

/* Adds the runs of the summary at @p path. A run that was killed is completed from its journal
 * (ftr_killed_runs_complete()). A file that is absent, empty, damaged or not a summary becomes a
 * run with the name of the file and a state that says so. Errors are printed to stderr.
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND: a run could not be completed, or the file could not be read;
 *         FTR_EXIT_TROUBLE */
int ftr_summary_input_add(ftr_summary_index *index, const char *path);

/* Reads a run. On failure, prints the file and the cause to stderr. @return false on failure */
bool ftr_summary_read_run(ftr_summary_index *index, size_t at, ftr_run_record *run);

/* The value of ftr_run_set.time_scale before the first run: it is coarser than every time scale. */
#define FTR_COARSEST_SCALE 127

/* The runs of a summary file that is read more than once. */
typedef struct ftr_run_set {
    ftr_summary_index *index;
    size_t count;
    int time_scale; /* the finest time scale of the complete runs (ftr_run_state_is_complete());
                       FTR_COARSEST_SCALE: no run is complete */
    /* of all runs, as ftr_history_night.identity */
    uint8_t identity[FTR_CONTENT_HASH_SIZE];
    char *folder; /* leading directories that the files of all runs share */
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

/* ---- killed runs ----------------------------------------------------------------------------- */

/* Size of a text that explains why a run could not be completed. */
#define FTR_MESSAGE_SIZE 600u

/* Completes the runs that have not ended, from the run with the number @p first to the last run.
 * The runs are in the file at @p path. A run whose journal is not found or not readable stays in
 * the index, with the reason as its problem. A run that is still in progress stays in the index
 * unchanged. Errors and added runs are printed to stderr.
 * @return FTR_EXIT_OK; FTR_EXIT_FOUND: a run could not be completed; FTR_EXIT_TROUBLE */
int ftr_killed_runs_complete(ftr_summary_index *index, size_t first, const char *path);

/* Adds the run whose summary is, or should be, in the file at @p path. Reads the run from its
 * journal, which is beside this file, beside a trace of the same name, or in FTR_JOURNAL_DIR.
 * @param[out] status FTR_EXIT_OK; FTR_EXIT_FOUND: transactions of the run are lost
 * @return false if no journal can be read at these places */
bool ftr_killed_run_find(ftr_summary_index *index, const char *path, int *status);

/* Gets the path of the journal that belongs to the summary at @p path. Gets an empty text if no
 * journal is found, or if the summary does not consist of one run that has not ended. @p size: at
 * least 4096 */
void ftr_killed_run_journal(const char *path, char *journal, size_t size);

/* Returns whether the run that recorded @p journal kept its summary in a file with the name of @p
 * path, but no file exists at @p path: the file was deleted, or never written. */
bool ftr_killed_run_lacks_summary(const char *path, const char *journal);

/* Explains why the summary at @p path cannot be recovered. */
void ftr_killed_run_explain(const char *path, char problem[FTR_MESSAGE_SIZE]);

/* ---- verdicts: the runs of a summary, judged by rules and by an earlier summary -------------- */

typedef struct ftr_gate_files {
    const char *rules, *summary;
    const char *const *baselines; /* summaries of earlier nights, the last one at the end */
    size_t baseline_count;
    const char *history;  /* earlier nights; NULL: none */
    size_t last;          /* greatest number of nights of the history that are compared */
    const char *key;      /* tags that name the test of a run; NULL: its own test */
    const char *expected; /* a number of runs, or a file with a name in each line; NULL: none */
    ftr_night_options options;
} ftr_gate_files;

#define FTR_GATE_LAST_DEFAULT 7u

#define FTR_NIGHT_OPTIONS_DEFAULT                     \
    {                                                 \
        .effect = 1, .count_effect = 1, .rate = 0.005 \
    }

/* Uses the verdicts. @return an exit status */
typedef int ftr_use_gate(void *user, const ftr_gate *gate);

/* Judges all runs and calls @p use with the verdicts. @return the exit status that @p use returned;
 * FTR_EXIT_TROUBLE after an error message */
int ftr_gate_judge_files(const ftr_gate_files *files, ftr_use_gate *use, void *user);

#endif
