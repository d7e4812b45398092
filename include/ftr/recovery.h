/** @file
 *  Recovers the recording of a killed process from its trace and its journal
 *  (docs/reliability.md). */
#ifndef FTR_RECOVERY_H
#define FTR_RECOVERY_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The text of a loss in the stream `ftr.losses` of a recovered trace (docs/format.md) contains
 * this part if the lost data was neither in the trace nor in the journal. */
#define FTR_NOT_RECOVERED "not everything can be recovered"
/** The text of a loss also contains this part if the count of the loss is an upper bound. */
#define FTR_LOST_AT_MOST "at most"

/** The result of a recovery. */
typedef struct ftr_recovery {
    uint32_t pid; /**< process id of the recording process */
                  /** number of the recovered file of the trace, from 1; earlier files are complete
                   * (ftr_recorder_options.max_files) */
    uint32_t file;
    uint64_t transactions; /**< recovered from the journal, including unfinished ones */
    uint64_t
        unfinished; /**< those of `transactions` that were open; they have `unfinished` = true */
    uint64_t relations; /**< recovered from the journal */
    uint64_t torn;      /**< incomplete records of the journal, which were dropped */
    uint64_t kept;      /**< valid bytes of the trace, copied unchanged */
    uint64_t cut;       /**< later bytes of the trace, which were dropped */
    char message[512];  /**< on error: file and cause in one sentence; on success: empty, or a
                           sentence that names the empty file that was removed, or the cause of
                           `lost` and `lost_at_most` */
    /** number of transactions that cannot be recovered, because neither the trace nor the journal
     * contains them, or because their record is incomplete */
    uint64_t lost;
    /** upper bound for the number of further transactions and relations that cannot be recovered;
     * their exact number is not known */
    uint64_t lost_at_most;
} ftr_recovery;

/** Finds the journal of the trace at @p path: first in @p directory, then beside the trace, then in
 * $TMPDIR and /dev/shm. A journal in @p directory is found even if the trace was in another
 * directory when it was recorded. If no journal exists, @p journal receives the path at which a
 * recorder would create it.
 * @param directory the value of FTR_JOURNAL_DIR; NULL: beside the trace
 * @param[out] journal at least 4096 bytes
 * @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_LIMIT if the path does not fit into @p size bytes;
 *         FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_find(const char *path, const char *directory,
                                                  char *journal, size_t size);

/** Options of a recovery. Must be zero-initialised before members are set. */
typedef struct ftr_recovery_options {
    size_t size;      /**< size of this struct; 0: the struct of this version */
    unsigned threads; /**< number of threads that read the trace; 0: one for each processor */
} ftr_recovery_options;

/** Writes a complete trace to @p out from the journal at @p journal and its trace. Both stay
 * unchanged. If the process was killed when it had just created its next file, this empty file is
 * removed. @p out appears only when it is complete, with the permissions of the trace or, without a
 * trace, of the journal; it replaces a file of the same name. @p out is the same for all numbers of
 * threads.
 * @param trace NULL: the path in the journal
 * @param options NULL: all defaults
 * @param[out] recovery filled on success and, with the message, on error
 * @return FTR_OK; FTR_ERR_STATE: a process still records to the journal; FTR_ERR_FORMAT: @p journal
 *         is not a journal, or belongs to another trace, or its trace is missing although something
 *         was written to it; FTR_ERR_IO; FTR_ERR_MEMORY; FTR_ERR_ARGUMENT */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_run_with(const char *journal, const char *trace,
                                                      const char *out,
                                                      const ftr_recovery_options *options,
                                                      ftr_recovery *recovery);

/** Like ftr_recovery_run_with(), with the default number of threads. */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_run(const char *journal, const char *trace,
                                                 const char *out, ftr_recovery *recovery);

/** Writes the summary of the run (ftr_recorder_options.summary) to @p out, from the journal at
 * @p journal, which stays unchanged. In the summary, the run has the state "unfinished". The trace
 * is not needed. @p out appears only when it is complete; it replaces a file of the same name.
 * @param[out] recovery filled on success and, with the message, on error: transactions, unfinished,
 *             torn, lost, lost_at_most and pid
 * @return FTR_OK; FTR_ERR_STATE: a process still records to the journal; FTR_ERR_FORMAT: @p journal
 * is not a journal, or the run kept no summary; FTR_ERR_IO; FTR_ERR_MEMORY; FTR_ERR_ARGUMENT */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_summarize(const char *journal, const char *out,
                                                       ftr_recovery *recovery);

/** Gets the path of the summary of the run that recorded the journal at @p journal. The path is
 * absolute.
 * @param[out] summary at least 4096 bytes
 * @return FTR_OK; FTR_ERR_IO with errno set; FTR_ERR_FORMAT: not a journal, or the run kept no
 * summary; FTR_ERR_LIMIT: @p size is too small; FTR_ERR_ARGUMENT */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_get_summary_path(const char *journal, char *summary,
                                                              size_t size);

#ifdef __cplusplus
}
#endif

#endif
