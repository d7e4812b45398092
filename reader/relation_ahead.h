/* Reads the chunks of relations ahead, on several threads. */
#ifndef FTR_RELATION_AHEAD_H
#define FTR_RELATION_AHEAD_H

#include "read_ahead.h"

typedef struct ftr_relation_ahead ftr_relation_ahead;

/* A relation that was read ahead. */
typedef struct ftr_relation_read {
    uint64_t field[5];
    uint32_t within; /* offset in the content */
    bool has_streams;
} ftr_relation_read;

/* The relations of a chunk that was read ahead. */
typedef struct ftr_relations_ahead {
    const ftr_relation_read *list;
    size_t count;
    uint64_t min_id, max_id; /* range of the ids of their transactions */
    ftr_chunk_ahead taken;   /* owns the memory of the list */
} ftr_relations_ahead;

/* Starts reading all chunks of relations. @return NULL if there are few of them, one thread or
 * little memory: the caller then reads all chunks itself */
ftr_relation_ahead *ftr_relation_ahead_create(ftr_reader *reader);

/* Ends the threads and frees all memory. Accepts NULL. */
void ftr_relation_ahead_destroy(ftr_relation_ahead *ahead);

/* Takes chunk @p index. The chunks of relations must be taken in file order.
 * @param[out] relations freed by the caller with ftr_relation_ahead_reuse(ahead, relations)
 * @return false if the caller must read the chunk, because it has a finding or is large */
bool ftr_relation_ahead_take(ftr_relation_ahead *ahead, uint32_t index,
                             ftr_relations_ahead *relations);

/* Frees the relations, or keeps their memory for later chunks. Accepts @p ahead NULL. */
void ftr_relation_ahead_reuse(ftr_relation_ahead *ahead, ftr_relations_ahead *relations);

#endif
