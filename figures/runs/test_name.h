/* The name of the test that a run executed: equal for the runs of the test in every night.
 * docs/summary-format.md, "Test", states the rule. */
#ifndef FTR_TEST_NAME_H
#define FTR_TEST_NAME_H

#include "run_record.h"

/* Returns the name of the test of a run, malloc'ed: the tag `test`, or the name of the file without
 * the parts that differ from run to run. @return NULL if out of memory */
char *ftr_test_name(const ftr_run_record *run);

#endif
