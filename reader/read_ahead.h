/* Reads the chunks of a pass ahead, on several threads. */
#ifndef FTR_READ_AHEAD_H
#define FTR_READ_AHEAD_H

#include "chunk_entries.h"

typedef struct ftr_read_ahead ftr_read_ahead;

/* A chunk that was read ahead. */
typedef struct ftr_chunk_ahead {
    uint8_t
        *memory; /* its expanded content; NULL with prepared bytes, or if it is not compressed */
    ftr_chunk_entries entries; /* not collected for stored order without preparing */
} ftr_chunk_ahead;

/* Reads a chunk on any thread, instead of collecting its transactions. */
typedef struct ftr_ahead_reader {
    ftr_status (*read)(void *user, unsigned thread, ftr_reader *view, ftr_chunk *chunk,
                       uint32_t index, const ftr_content *content, ftr_chunk_entries *entries);
    void *user;
} ftr_ahead_reader;

/* Starts reading for a selection.
 * @param order the chunks in the order in which they will be taken; borrowed
 * @param how NULL: collects the transactions of the selection
 * @return NULL if the chunks are few or the memory small: the caller then reads alone */
ftr_read_ahead *ftr_read_ahead_create(ftr_selection *selection, const uint32_t *order,
                                      size_t order_count, const ftr_ahead_reader *how);

/* Ends the threads; their views remain. Accepts NULL. */
void ftr_read_ahead_stop(ftr_read_ahead *ahead);

/* Ends reading. Accepts NULL. */
void ftr_read_ahead_destroy(ftr_read_ahead *ahead);

/* Takes the next chunk of the order, which must be @p index.
 * @param[out] taken the caller owns its memory
 * @return false if the caller must read the chunk, because it has a finding or is large */
bool ftr_read_ahead_take(ftr_read_ahead *ahead, uint32_t index, ftr_chunk_ahead *taken);

void ftr_chunk_ahead_release(ftr_chunk_ahead *taken);

#endif
