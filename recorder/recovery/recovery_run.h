/* Recovery for a caller that has the journal open and locked. */
#ifndef FTR_RECOVERY_RUN_H
#define FTR_RECOVERY_RUN_H

#include <stdbool.h>

#include <ftr/recovery.h>

typedef struct ftr_recovery_source {
    const char *journal; /* its path, for messages */
    int journal_fd;      /* locked; stays open */
    const char *trace;   /* its first file; NULL: where the journal says it is */
    bool may_lack_trace; /* if the trace is missing or another one, the result is what the journal
                            holds, instead of an error */
} ftr_recovery_source;

/* ftr_recovery_run() for an open journal.
 * @param[out] lacks_trace the result has the transactions of the journal alone; may be NULL */
FTR_MUST_USE ftr_status ftr_recovery_run_locked(const ftr_recovery_source *source, const char *out,
                                                ftr_recovery *recovery, bool *lacks_trace);

#endif
