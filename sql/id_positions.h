/* Where the transactions of a trace lie, by id: for joins, which ask for one id after the other. */
#ifndef FTR_ID_POSITIONS_H
#define FTR_ID_POSITIONS_H

#include <ftr/reader.h>

typedef struct ftr_id_position {
    uint64_t id;
    uint32_t chunk;  /* number of the chunk in `chunks` */
    uint32_t within; /* bytes into its content */
} ftr_id_position;

typedef struct ftr_id_positions {
    ftr_id_position *entries; /* in order of id */
    size_t count, capacity;
    uint64_t *chunks; /* offsets of chunks in the file */
    size_t chunk_count, chunk_capacity;
    unsigned asked; /* how often a transaction was looked up before there was an index */
    bool is_built;
    bool is_too_large; /* for the budget: look ids up without */
} ftr_id_positions;

/* Whether ids are looked up here. Builds the index at the third look-up, as one or two do not pay
 * for a pass over the file, if it takes at most @p budget bytes.
 * @param[in,out] moves counts what invalidates texts of the reader
 * @return FTR_OK; or the error that ended the pass */
ftr_status ftr_id_positions_ask(ftr_id_positions *positions, ftr_reader *reader, size_t budget,
                                uint64_t *moves, bool *usable);

/* The first entry with @p id, and how many there are; not to be read if there is none. */
const ftr_id_position *ftr_id_positions_find(const ftr_id_positions *positions, uint64_t id,
                                             size_t *count);

void ftr_id_positions_release(ftr_id_positions *positions);

#endif
