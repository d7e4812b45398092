/* Stores the ids of chunks. The range of a chunk is in the index; its gap, which few
 * chunks have, is in a table beside the index. */
#include "chunk_ids.h"

#include "growing_array.h"

/* Stores the gap between the two ranges. Without memory, the chunk has no gap: a search then reads
 * the chunk more often than necessary. */
static void put_gap(ftr_reader *reader, ftr_chunk *chunk, const ftr_id_cover *ids)
{
    ftr_id_gaps *gaps = &reader->gaps;
    if (ids->first - ids->low_last <= FTR_ID_NEAR ||
        ftr_array_reserve(&reader->budget, &gaps->list, &gaps->capacity, gaps->count + 1,
                          sizeof *gaps->list) != FTR_OK ||
        ftr_id_index_put(&gaps->of_chunks, &reader->budget, chunk->offset, gaps->count) != FTR_OK)
        return;
    gaps->list[gaps->count++] = (ftr_id_range){ids->low_last + 1, ids->first - 1};
    chunk->has_gap = 1;
}

static const ftr_id_range *gap_of(const ftr_reader *reader, const ftr_chunk *chunk)
{
    return &reader->gaps.list[ftr_id_index_get(&reader->gaps.of_chunks, chunk->offset)];
}

void ftr_chunk_ids_set(ftr_reader *reader, size_t index, const ftr_id_cover *ids)
{
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    ftr_chunk_segment *segment = reader->segments[index / FTR_CHUNKS_A_SEGMENT];
    ftr_id_range *sum =
        chunk->kind == FTR_CHUNK_TRANSACTIONS ? &segment->transaction_ids : &segment->relation_ids;
    if (chunk->has_ids)
        return;
    const bool is_split = ftr_id_cover_is_split(ids);
    chunk->ids = (ftr_id_range){is_split ? ids->low_first : ids->first, ids->last};
    if (is_split)
        put_gap(reader, chunk, ids);
    chunk->has_ids = 1;
    segment->without_ids--;
    if (chunk->ids.least > chunk->ids.greatest)
        return;
    ftr_id_range_add(sum, chunk->ids.least);
    ftr_id_range_add(sum, chunk->ids.greatest);
}

ftr_id_cover ftr_chunk_ids_get(const ftr_reader *reader, const ftr_chunk *chunk)
{
    ftr_id_cover ids = ftr_id_cover_all;
    if (!chunk->has_ids)
        return ids;
    ids.first = chunk->ids.least;
    ids.last = chunk->ids.greatest;
    if (chunk->has_gap) {
        const ftr_id_range *gap = gap_of(reader, chunk);
        ids.low_first = ids.first;
        ids.low_last = gap->least - 1;
        ids.first = gap->greatest + 1;
    }
    return ids;
}

bool ftr_chunk_ids_is_outside_gap(const ftr_reader *reader, const ftr_chunk *chunk, uint64_t id)
{
    const ftr_id_range *gap = gap_of(reader, chunk);
    return id < gap->least || id > gap->greatest;
}

size_t ftr_chunk_ids_skip(const ftr_reader *reader, size_t index, ftr_chunk_kind kind, uint64_t id)
{
    while (index % FTR_CHUNKS_A_SEGMENT == 0 && index < reader->chunk_count) {
        const ftr_chunk_segment *segment = reader->segments[index / FTR_CHUNKS_A_SEGMENT];
        const ftr_id_range *ids =
            kind == FTR_CHUNK_TRANSACTIONS ? &segment->transaction_ids : &segment->relation_ids;
        if (segment->without_ids > 0 || (id >= ids->least && id <= ids->greatest))
            return index;
        index += FTR_CHUNKS_A_SEGMENT;
    }
    return index < reader->chunk_count ? index : reader->chunk_count;
}
