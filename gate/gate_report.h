/* Verdicts as text, as JSON and as JUnit XML. */
#ifndef FTR_GATE_REPORT_H
#define FTR_GATE_REPORT_H

#include "gate.h"

#include "printer.h"

/* Prints each failed case, and how many there are. */
void ftr_gate_print_text(ftr_printer *out, const ftr_gate *gate);

/* Prints one object with all suites and cases. */
void ftr_gate_print_json(ftr_printer *out, const ftr_gate *gate);

/* Prints JUnit XML for Jenkins and GitLab: each suite is a `testsuite`, and each case a `testcase`.
 */
void ftr_gate_print_junit(ftr_printer *out, const ftr_gate *gate);

/* Number of failed cases. */
size_t ftr_gate_failed(const ftr_gate *gate);

#endif
