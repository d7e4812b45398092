/* Reads chunks ahead on several threads: the chunks of a query, or chosen chunks. */
#ifndef FTR_READ_AHEAD_H
#define FTR_READ_AHEAD_H

#include "chunk_entries.h"
#include "selection.h"

typedef struct ftr_read_ahead ftr_read_ahead;

/* A chunk that was read ahead. */
typedef struct ftr_chunk_ahead {
    /* the expanded content; NULL if the chunk is not compressed, bytes were prepared, or
     * ftr_ahead_reader.read read the chunk */
    uint8_t *memory;
    ftr_chunk_entries entries; /* empty in stored order without a function `prepare` */
} ftr_chunk_ahead;

/* Reads a chunk on any thread, instead of collecting its transactions. If `read` fails, or counts a
 * finding in @p view, its result is discarded, and the caller must read the chunk. */
typedef struct ftr_ahead_reader {
    ftr_status (*read)(void *user, unsigned thread, ftr_reader *view, ftr_chunk *chunk,
                       uint32_t index, const ftr_content *content, ftr_chunk_entries *entries);
    void *user;
} ftr_ahead_reader;

/* Starts reading the chunks of a selection.
 * @param order the chunks in the order in which they will be taken; borrowed
 * @param how NULL: collects the transactions of the selection
 * @return NULL if there are too few chunks or threads, or too little memory: the caller then reads
 * all chunks itself */
ftr_read_ahead *ftr_read_ahead_create(ftr_selection *selection, const uint32_t *order,
                                      size_t order_count, const ftr_ahead_reader *how);

/* Ends the threads. The memory of their views stays valid. Accepts NULL. */
void ftr_read_ahead_stop(ftr_read_ahead *ahead);

/* Ends the threads and frees all memory. Accepts NULL. */
void ftr_read_ahead_destroy(ftr_read_ahead *ahead);

/* Takes the next chunk of the order, which must be @p index.
 * @param[out] taken freed by the caller with ftr_chunk_ahead_release()
 * @return false if the caller must read the chunk, because the chunk has a finding, is very large,
 *         in pieces or unusable, or memory was exhausted */
bool ftr_read_ahead_take(ftr_read_ahead *ahead, uint32_t index, ftr_chunk_ahead *taken);

void ftr_chunk_ahead_release(ftr_chunk_ahead *taken);

/* Like ftr_chunk_ahead_release(), but keeps the memory of the entries for a later chunk.
 * @param ahead NULL: frees all memory */
void ftr_read_ahead_reuse(ftr_read_ahead *ahead, ftr_chunk_ahead *taken);

/* ---- chosen chunks in file order, for a pass that is not a query ----------------------------- */

typedef struct ftr_chosen_ahead {
    ftr_selection selection; /* all transactions, with the threads of the reader */
    ftr_chunk_order order;
    ftr_read_ahead *read;
} ftr_chosen_ahead;

/* Starts the threads for the chunks for which @p chooses returns true.
 * @param count_min with fewer chunks than this, no thread is started
 * @param how reads a chunk
 * @return false if there are too few threads or chunks, or too little memory: the caller then reads
 *         all chunks itself. ftr_chosen_ahead_release() must be called in both cases. */
bool ftr_chosen_ahead_start(ftr_chosen_ahead *ahead, ftr_reader *reader, ftr_chunk_choice *chooses,
                            void *user, size_t count_min, const ftr_ahead_reader *how);

/* Ends the threads and frees all memory. */
void ftr_chosen_ahead_release(ftr_chosen_ahead *ahead);

#endif
