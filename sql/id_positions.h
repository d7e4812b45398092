/* Positions of the transactions of a trace, by id: for joins, which look up one id after the
 * other. */
#ifndef FTR_ID_POSITIONS_H
#define FTR_ID_POSITIONS_H

#include <ftr/reader.h>

typedef struct ftr_id_position {
    uint64_t id;
    uint32_t chunk;  /* number of the chunk in `chunks` */
    uint32_t within; /* offset in its content */
} ftr_id_position;

typedef struct ftr_id_positions {
    ftr_id_position *entries; /* sorted by id */
    size_t count, capacity;
    uint64_t *chunks; /* offsets of chunks in the file */
    size_t chunk_count, chunk_capacity;
    unsigned asked; /* number of look-ups before the index was built */
    bool is_built;
    bool is_too_large; /* exceeds the budget: ids are looked up without index */
} ftr_id_positions;

/* Sets @p usable if the index can be used. Builds the index at the third look-up, if it takes at
 * most @p budget bytes; for one or two look-ups, a pass over the file is too expensive.
 * @param[in,out] moves incremented when texts of the reader become invalid
 * @return FTR_OK; or the error that ended the pass */
ftr_status ftr_id_positions_ask(ftr_id_positions *positions, ftr_reader *reader, size_t budget,
                                uint64_t *moves, bool *usable);

/* Returns the first entry with @p id, and in @p count the number of such entries; if it is 0, the
 * pointer must not be read. */
const ftr_id_position *ftr_id_positions_find(const ftr_id_positions *positions, uint64_t id,
                                             size_t *count);

void ftr_id_positions_release(ftr_id_positions *positions);

#endif
