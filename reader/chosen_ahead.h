/* Reads chosen chunks ahead on several threads, in file order, for a pass that is not a query. */
#ifndef FTR_CHOSEN_AHEAD_H
#define FTR_CHOSEN_AHEAD_H

#include "chunk_order.h"
#include "read_ahead.h"

typedef struct ftr_chosen_ahead {
    ftr_selection selection; /* all transactions, with the threads of the reader */
    ftr_chunk_order order;
    ftr_read_ahead *read;
} ftr_chosen_ahead;

/* Starts the threads for the chunks for which @p chooses returns true.
 * @param count_min least number of these chunks
 * @param how reads a chunk
 * @return false if there is one thread, few chunks or little memory: the caller then reads all
 *         chunks itself. ftr_chosen_ahead_release() must be called in both cases. */
bool ftr_chosen_ahead_start(ftr_chosen_ahead *ahead, ftr_reader *reader, ftr_chunk_choice *chooses,
                            void *user, size_t count_min, const ftr_ahead_reader *how);

/* Ends the threads and frees all memory. */
void ftr_chosen_ahead_release(ftr_chosen_ahead *ahead);

#endif
