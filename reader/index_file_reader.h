/* Reads the index beside a trace into the index of a reader. */
#ifndef FTR_INDEX_FILE_READER_H
#define FTR_INDEX_FILE_READER_H

#include "reader_state.h"

/* Fills the index of @p reader from the index beside the trace at @p path, if there is one and it
 * belongs to the present content of the trace. Otherwise, leaves the index of @p reader as it is,
 * except for ids of chunks that are in both. Sets reader->index_state.
 * @return FTR_OK, also without an index; FTR_ERR_LIMIT; FTR_ERR_MEMORY; FTR_ERR_IO with errno set
 *         if the trace cannot be read */
FTR_MUST_USE ftr_status ftr_index_file_load(ftr_reader *reader, const char *path);

/* Like ftr_index_file_load(), for the @p size bytes of an index at @p bytes.
 * @return FTR_ERR_STATE if the index is stale or damaged */
FTR_MUST_USE ftr_status ftr_index_file_apply(ftr_reader *reader, const uint8_t *bytes, size_t size);

#endif
