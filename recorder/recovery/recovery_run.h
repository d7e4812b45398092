/* Recovery for a caller that has opened and locked the journal. */
#ifndef FTR_RECOVERY_RUN_H
#define FTR_RECOVERY_RUN_H

#include <stdbool.h>

#include <ftr/recovery.h>

typedef struct ftr_recovery_source {
    const char *journal; /* path of the journal, for messages */
    int journal_fd;      /* locked; the caller closes it */
    const char *trace;   /* path of the first file of the trace; NULL: the path in the journal */
    /* true: it is no error if the trace is missing or is not the trace of the journal; the
     * recovered file then contains only the transactions of the journal */
    bool may_lack_trace;
    unsigned threads;    /* number of threads that read the trace; 0: only the calling thread */
    size_t threads_from; /* minimum size of a file, in bytes, that these threads read */
} ftr_recovery_source;

/* Like ftr_recovery_run(), but for a journal that is already open and locked. @p out: path of the
 * recovered file.
 * @param[out] lacks_trace whether the recovered file contains only the transactions of the journal;
 *                         may be NULL */
FTR_MUST_USE ftr_status ftr_recovery_run_locked(const ftr_recovery_source *source, const char *out,
                                                ftr_recovery *recovery, bool *lacks_trace);

/* Opens the journal at @p path for reading, and locks it so that other readers can open it, but no
 * recorder. If the file system does not support locks, opens the journal without a lock.
 * @param[out] fd the caller closes it, also after FTR_ERR_STATE; -1: not open
 * @return FTR_OK; FTR_ERR_IO; FTR_ERR_STATE: a process is still recording to the journal. On error,
 *         @p recovery has a message */
FTR_MUST_USE ftr_status ftr_recovery_open_journal(const char *path, int *fd,
                                                  ftr_recovery *recovery);

/* ---- the summary of the run ------------------------------------------------------------------ */

/* Like ftr_recovery_summarize(), but for a journal that is already open and locked: writes the
 * summary of the run to @p out.
 * @param journal path of the journal, for messages
 * @param file the name of the run in the summary; NULL: the path of the trace in the journal */
FTR_MUST_USE ftr_status ftr_summary_recover(const char *journal, int journal_fd, const char *file,
                                            const char *out, ftr_recovery *recovery);

/* Returns the path of the summary of the run, malloc'ed. NULL: the run has no summary, the file is
 * not a journal of this version, or no memory. */
char *ftr_summary_recovery_path(int journal_fd);

#endif
