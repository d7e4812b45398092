/* An index from ids of transactions to their positions in a trace. Joins use it, because they look
 * up one id after another. */
#ifndef FTR_ID_POSITIONS_H
#define FTR_ID_POSITIONS_H

#include <ftr/reader.h>

typedef struct ftr_id_position {
    uint64_t id;
    uint32_t chunk;  /* index in `chunks` */
    uint32_t within; /* offset in the content of the chunk, in bytes */
} ftr_id_position;

typedef struct ftr_id_positions {
    ftr_id_position *entries; /* sorted by id */
    size_t count, capacity;
    uint64_t *chunks; /* offsets of chunks in the file */
    size_t chunk_count, chunk_capacity;
    unsigned asked; /* number of look-ups before the index was built */
    bool is_built;
    bool is_too_large; /* the index exceeds the budget: it is not used */
} ftr_id_positions;

/* Returns the maximum number of entries of an index that takes at most @p budget bytes: a power of
 * 2, because the array of entries doubles. For a trace with small chunks, the maximum can be lower.
 */
size_t ftr_id_positions_limit(size_t budget);

/* Prepares a look-up and sets @p usable to whether the index can be used. The third look-up builds
 * the index if the index takes at most @p budget bytes. For only one or two look-ups, reading the
 * whole file to build the index would be too expensive.
 * @param[in,out] moves counter of the reader; incremented if this call invalidates texts of the
 * reader
 * @return FTR_OK; the error that occurred while the index was built */
ftr_status ftr_id_positions_ask(ftr_id_positions *positions, ftr_reader *reader, size_t budget,
                                uint64_t *moves, bool *usable);

/* Finds the entries with @p id, which follow one another, and sets @p count to their number.
 * Returns the first entry; if @p count is 0, the pointer is not valid. */
const ftr_id_position *ftr_id_positions_find(const ftr_id_positions *positions, uint64_t id,
                                             size_t *count);

void ftr_id_positions_release(ftr_id_positions *positions);

#endif
