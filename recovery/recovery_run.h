/* Recovery for a caller that has opened and locked the journal. */
#ifndef FTR_RECOVERY_RUN_H
#define FTR_RECOVERY_RUN_H

#include <stdbool.h>

#include <ftr/recovery.h>

typedef struct ftr_recovery_source {
    const char *journal; /* its path, for messages */
    int journal_fd;      /* locked; stays open */
    const char *trace;   /* path of its first file; NULL: the path in the journal */
    /* if the trace is missing or the journal belongs to another one, the result contains only the
     * journal's transactions, and there is no error */
    bool may_lack_trace;
} ftr_recovery_source;

/* Runs ftr_recovery_run() for an open journal.
 * @param[out] lacks_trace the result contains only the journal's transactions; may be NULL */
FTR_MUST_USE ftr_status ftr_recovery_run_locked(const ftr_recovery_source *source, const char *out,
                                                ftr_recovery *recovery, bool *lacks_trace);

/* Opens the journal at @p path for reading and locks it: other readers are allowed, recording is
 * not.
 * @param[out] fd -1 on error
 * @return FTR_OK; FTR_ERR_IO; FTR_ERR_STATE: a process still records to it; with a message */
FTR_MUST_USE ftr_status ftr_recovery_open_journal(const char *path, int *fd,
                                                  ftr_recovery *recovery);

#endif
