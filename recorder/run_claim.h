/* Which of the processes of one run may have the output's name. */
#ifndef FTR_RUN_CLAIM_H
#define FTR_RUN_CLAIM_H

#include <stddef.h>

#include <ftr/status.h>

/* The first process of a run that asks for @p path keeps it; for others `-PID` goes before its
 * suffix. A run is what inherits the variable FTR_RUN; where it is unset, it begins here.
 * FTR_ERR_LIMIT: no room in @p path. */
FTR_MUST_USE ftr_status ftr_run_claim(char *path, size_t size);

#endif
