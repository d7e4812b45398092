/* Detects valgrind's tools that check the memory accesses of a program. */
#ifndef FTR_ACCESS_CHECKER_H
#define FTR_ACCESS_CHECKER_H

#include <stdbool.h>

/* Returns whether the process runs in a tool of valgrind that reports reads beside a text, for
 * example memcheck or helgrind. */
bool ftr_access_checker_runs(void);

#endif
