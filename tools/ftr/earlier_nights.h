/* The nights with which a gate compares: from summaries, and from a history. Errors are printed to
 * stderr. */
#ifndef FTR_EARLIER_NIGHTS_H
#define FTR_EARLIER_NIGHTS_H

#include "history_file.h"
#include "run_inputs.h"

/* Copies a run, and names its test by the values of tags.
 * @param key tags; NULL: the run keeps its test
 * @param[out] keyed borrows everything from @p run and from the result
 * @return a text that the caller frees; NULL: the run keeps its test */
char *ftr_run_with_key(const ftr_run_record *run, const char *key, ftr_run_record *keyed);

/* Adds the runs of a summary to a night and finishes it.
 * @param night initialised, with the metrics to measure
 * @param rules choose the generators; NULL: all
 * @return false after an error message */
bool ftr_night_read_summary(ftr_history_night *night, const char *path, const char *key,
                            const ftr_gate_rules *rules);

/* Opens a history. The caller calls ftr_history_close(), also after an error.
 * @return false after an error message */
bool ftr_history_input_open(ftr_history *history, const char *path);

/* Prints a message if a history could not be read. @return whether it was read */
bool ftr_history_is_read(ftr_status status, const char *path, const ftr_summary_problem *problem);

/* Adds the nights of files->history, then those of files->baselines.
 * @param identity of the judged night: if the history has it, only nights before it are added
 * @param[out] key the tags that name the tests of the history, which the caller frees; untouched if
 * there are none
 * @return false after an error message */
bool ftr_earlier_nights_add(ftr_gate_baseline *baseline, const ftr_gate_files *files,
                            const uint8_t *identity, char **key);

#endif
