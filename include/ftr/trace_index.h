/** @file
 *  The index beside a trace (`run.ftr.idx`, docs/index-format.md), by which readers find the
 *  transaction with a given id without reading the whole trace. Included by <ftr/reader.h>.
 *
 *  A recorder writes the index of a large trace when it closes (ftr_recorder_options.index). Every
 *  reader that opens a trace by its path uses the index, if there is one and it belongs to the
 *  present content of the trace. Without an index, a search by id reads the trace once; the reader
 *  then knows the ids of all chunks. */
#ifndef FTR_TRACE_INDEX_H
#define FTR_TRACE_INDEX_H

#include <ftr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ftr_reader ftr_reader;

/** The index beside the trace of a reader, when the reader opened the trace. */
typedef enum ftr_index_state {
    FTR_INDEX_NONE, /**< there was none, or the options exclude its use */
    /** it was damaged, or belongs to another content of the trace, for example to a shorter one: it
     * was ignored */
    FTR_INDEX_STALE,
    FTR_INDEX_USED
} ftr_index_state;

FTR_API ftr_index_state ftr_reader_get_index_state(const ftr_reader *reader);

/** Reads all chunks of transactions and relations whose ids are not known yet, with the threads of
 *  the reader (ftr_reader_options.threads).
 *  @return FTR_OK; FTR_ERR_STATE for a pipe; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_reader_collect_ids(ftr_reader *reader);

/** Writes the index of a trace, after ftr_reader_collect_ids(). Replaces an older index.
 *  @param trace the path of the trace that @p reader reads: the path of the index without `.idx`
 *  @return FTR_OK; FTR_ERR_STATE for a pipe or memory, and if the ids are not known or the trace
 *          has changed since the reader opened it; FTR_ERR_IO with errno set, EEXIST if another
 *          file has the path of the index; FTR_ERR_MEMORY */
FTR_API FTR_MUST_USE ftr_status ftr_reader_write_index(ftr_reader *reader, const char *trace);

#ifdef __cplusplus
}
#endif

#endif
