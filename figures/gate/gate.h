/* Checks the runs of a night against rules, and compares them with the runs of earlier nights (the
 * baseline). Each rule is a suite. Its cases are the runs in which the rule judges a value; if the
 * rule refers to the baseline, its cases are the tests. One more suite judges the files and the
 * streams of the runs. */
#ifndef FTR_GATE_H
#define FTR_GATE_H

#include "gate_baseline.h"
#include "gate_cases.h"
#include "gate_triage.h"
#include "json_writer.h"
#include "night_verdicts.h"

typedef struct ftr_gate ftr_gate;

/* @param rules borrowed until ftr_gate_destroy()
 * @param baseline borrowed until ftr_gate_destroy(); NULL: rules that are relative to a baseline
 * have no value
 * @param[out] gate owned by the caller until ftr_gate_destroy() */
FTR_MUST_USE ftr_status ftr_gate_create(const ftr_gate_rules *rules, ftr_gate_baseline *baseline,
                                        const ftr_night_options *options, ftr_gate **gate);
void ftr_gate_destroy(ftr_gate *gate);

/* Judges a run and adds its cases. If the run is not complete (ftr_run_state_is_complete()), its
 * cases in the suites of the rules are skipped.
 * @param name path of the run's file, without the leading directories that all runs share
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_judge(ftr_gate *gate, const ftr_run_record *run, const char *name);

/* Adds a row that the query of rule number @p rule returned. The rule fails for this run. To be
 * called after the last run, before ftr_gate_finish(), for each row of the queries of all rules:
 * the caller executes them, because the gate does not know SQL.
 * @param run number of the run in the order in which the runs were judged, from 1; 0: none
 * @param text a line about the row
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_add_row(ftr_gate *gate, size_t rule, size_t run, const char *text);

/* Adds a failed case if no run has this name: the path of its file, the name of its file with or
 * without suffix, or the name of its test. To be called after the last run, before
 * ftr_gate_finish(). @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_expect(ftr_gate *gate, const char *name);

/* Adds a failed case if there are fewer runs than @p count. To be called as ftr_gate_expect(). */
FTR_MUST_USE ftr_status ftr_gate_expect_number(ftr_gate *gate, uint64_t count);

/* To be called once, after the last run. Adds a failed case for each rule that judged no value, and
 * the cases about names that are new or absent (gate_presence.h). Sorts the cases by run.
 * @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_gate_finish(ftr_gate *gate);

/* Returns the suites, which the gate owns. To be called after ftr_gate_finish(). */
const ftr_gate_suite *ftr_gate_suites(const ftr_gate *gate, size_t *count);

/* Groups the failed cases, and chooses runs. To be called after ftr_gate_finish().
 * @return false if memory is exhausted; the caller calls ftr_triage_release() in any case */
bool ftr_gate_triage(const ftr_gate *gate, ftr_triage *triage);

/* ---- verdicts as text, as JSON and as JUnit XML (gate_report.c) ------------------------------ */

/* Prints the failed cases of each suite, and at the end how many cases there are, and how many of
 * them failed or were skipped. */
void ftr_gate_print_text(ftr_printer *out, const ftr_gate *gate);

/* Prints one object with all suites and cases. */
void ftr_gate_print_json(ftr_printer *out, const ftr_gate *gate);

/* Writes the arrays `changes` and `look`: the greatest changes, and runs worth a look. */
void ftr_gate_put_triage(ftr_json *json, const ftr_gate *gate);

/* Prints JUnit XML for Jenkins and GitLab: a `testsuite` for each suite, a `testcase` for each
 * case. */
void ftr_gate_print_junit(ftr_printer *out, const ftr_gate *gate);

/* Returns the number of failed cases of all suites. */
size_t ftr_gate_failed(const ftr_gate *gate);

#endif
