/** @file
 *  Brings back the recording of a process that was killed: what its trace has, and what its journal
 *  still held (docs/reliability.md). */
#ifndef FTR_RECOVERY_H
#define FTR_RECOVERY_H

#include <ftr/recorder.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What recovery found. */
typedef struct ftr_recovery {
    uint32_t pid;  /**< of the process that recorded */
    uint32_t file; /**< which of the trace's files this is, from 1: those before it are whole
                      (ftr_recorder_options.max_files) */
    uint64_t transactions; /**< brought back from the journal, the unfinished ones included */
    uint64_t unfinished;   /**< of these, how many were open; they carry `unfinished` = true */
    uint64_t relations;    /**< brought back from the journal */
    uint64_t torn;         /**< records of the journal that are not whole and were left out */
    uint64_t kept;         /**< bytes of the trace that were whole and were kept as they are */
    uint64_t cut;          /**< bytes of the trace behind them */
    char message[512];     /**< on error: file and cause in one sentence */
} ftr_recovery;

/** Where the journal of the trace at @p path is: in @p directory or beside the trace, the first
 * that exists. A journal in @p directory is found, too, if the trace had another path when it was
 * recorded. If none exists, where a recorder would create it.
 *  @param directory what FTR_JOURNAL_DIR named; NULL: beside the trace
 *  @param[out] journal at least 4096 bytes
 *  @return FTR_OK; FTR_ERR_ARGUMENT; FTR_ERR_LIMIT when it is longer than @p size; FTR_ERR_MEMORY
 */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_find(const char *path, const char *directory,
                                                  char *journal, size_t size);

/** Writes a whole trace to @p out from the journal at @p journal and the trace it belongs to. Both
 * stay as they are. @p out appears when it is complete, replacing a file of that name, with the
 * permissions of the trace.
 *  @param trace NULL: where the journal says it is
 *  @param[out] recovery filled on success and, with the message, on error
 *  @return FTR_OK; FTR_ERR_STATE: a process still records into it; FTR_ERR_FORMAT: it is no
 * journal, or not this trace's; FTR_ERR_IO; FTR_ERR_MEMORY; FTR_ERR_ARGUMENT */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_run(const char *journal, const char *trace,
                                                 const char *out, ftr_recovery *recovery);

/** As above for a struct of @p size bytes: see recorder.h, "sizes of structs". */
FTR_API FTR_MUST_USE ftr_status ftr_recovery_run_sized(const char *journal, const char *trace,
                                                       const char *out, ftr_recovery *recovery,
                                                       size_t size);

#ifndef FTR_BUILDING_LIBRARY
FTR_MUST_USE static inline ftr_status ftr_recovery_run_inline(const char *journal,
                                                              const char *trace, const char *out,
                                                              ftr_recovery *recovery)
{
    return ftr_recovery_run_sized(journal, trace, out, recovery, sizeof *recovery);
}
#define ftr_recovery_run ftr_recovery_run_inline
#endif

#ifdef __cplusplus
}
#endif

#endif
