/* Collects the ids of the transactions in chunks: on the calling thread, or on several threads
 * ahead of a search by id. */
#ifndef FTR_IDS_AHEAD_H
#define FTR_IDS_AHEAD_H

#include "chunk_ids.h"
#include "read_ahead.h"

/* Collects the ids of the chunk of @p kind with the content @p content. Decodes with the forms of
 * @p reader.
 * @return false if the chunk contains an item that is not a transaction or relation */
bool ftr_chunk_ids_collect(ftr_reader *reader, ftr_chunk_kind kind, const ftr_content *content,
                           ftr_id_cover *ids);

/* Threads that collect the ids of chunks ahead of a search by id. `{0}` is none. */
typedef struct ftr_ids_ahead {
    ftr_chosen_ahead chosen;
    size_t next; /* index in the order of the chosen chunks */
    bool is_running;
} ftr_ids_ahead;

/* Starts the threads for the chunks without known ids that @p chooses selects. Does nothing if
 * there are few of these chunks, one thread or little memory: the caller then reads each chunk
 * itself. */
void ftr_ids_ahead_start(ftr_ids_ahead *ahead, ftr_reader *reader, ftr_chunk_choice *chooses,
                         void *user);

/* Stores the ids of chunk @p index if a thread has collected them. Chunks must be passed in
 * ascending order. */
void ftr_ids_ahead_take(ftr_ids_ahead *ahead, ftr_reader *reader, size_t index);

void ftr_ids_ahead_stop(ftr_ids_ahead *ahead);

#endif
