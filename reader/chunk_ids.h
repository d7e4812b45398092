/* The ids of the transactions in each chunk, or of the transactions of its relations. They are
 * known after a chunk was read to its end, or from the index beside the file. A search by id skips
 * the chunks that cannot contain the id. */
#ifndef FTR_CHUNK_IDS_H
#define FTR_CHUNK_IDS_H

#include "id_cover.h"
#include "reader_state.h"

/* Stores the ids of chunk @p index, unless they are already known. */
void ftr_chunk_ids_set(ftr_reader *reader, size_t index, const ftr_id_cover *ids);

/* Returns the ids of a chunk; all ids if they are not known. */
ftr_id_cover ftr_chunk_ids_get(const ftr_reader *reader, const ftr_chunk *chunk);

/* Returns true if @p id is not in the gap of the ids of @p chunk, which has one. */
bool ftr_chunk_ids_is_outside_gap(const ftr_reader *reader, const ftr_chunk *chunk, uint64_t id);

/* Returns true if @p chunk can contain @p id. */
static inline bool ftr_chunk_ids_may_have(const ftr_reader *reader, const ftr_chunk *chunk,
                                          uint64_t id)
{
    return !chunk->has_ids ||
           (id >= chunk->ids.least && id <= chunk->ids.greatest &&
            (!chunk->has_gap || ftr_chunk_ids_is_outside_gap(reader, chunk, id)));
}

/* Returns the index of a chunk from @p index on, such that no chunk of @p kind before it can
 * contain
 * @p id: the start of a segment that can, or @p index if it is not the start of a segment. */
size_t ftr_chunk_ids_skip(const ftr_reader *reader, size_t index, ftr_chunk_kind kind, uint64_t id);

#endif
