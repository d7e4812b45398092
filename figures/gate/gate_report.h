/* Verdicts as text, as JSON and as JUnit XML. */
#ifndef FTR_GATE_REPORT_H
#define FTR_GATE_REPORT_H

#include "gate.h"

#include "printer.h"

/* Prints the failed cases of each suite, and the numbers of all, failed and skipped cases. */
void ftr_gate_print_text(ftr_printer *out, const ftr_gate *gate);

/* Prints one object with all suites and cases. */
void ftr_gate_print_json(ftr_printer *out, const ftr_gate *gate);

/* Prints JUnit XML for Jenkins and GitLab: a `testsuite` for each suite, a `testcase` for each
 * case. */
void ftr_gate_print_junit(ftr_printer *out, const ftr_gate *gate);

/* Returns the number of failed cases of all suites. */
size_t ftr_gate_failed(const ftr_gate *gate);

#endif
