/* A pass over relations. */
#ifndef FTR_RELATION_CURSOR_H
#define FTR_RELATION_CURSOR_H

#include "reader_state.h"
#include "ids_ahead.h"

#include "cbor_reader.h"

/* Ends the threads that read ahead. Relations that were taken stay valid. */
void ftr_relation_cursor_stop_ahead(ftr_relation_cursor *cursor);

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
    ftr_chunk_ahead taken; /* owns the memory of the list */
} ftr_relations_ahead;

struct ftr_relation_cursor {
    LIST_ENTRY(ftr_relation_cursor) entry; /* in the reader's list */
    ftr_reader *reader;
    bool by_id;
    uint64_t id;
    size_t chunk;
    bool has_begun;
    ftr_chosen_ahead *ahead;       /* NULL: this thread reads alone */
    ftr_relations_ahead relations; /* the relations of the present chunk, if it was read ahead */
    size_t relation_next;
    ftr_content *content; /* the present chunk, if it was not read ahead */
    ftr_cbor_reader r;
    uint64_t left;
    ftr_id_cover ids;     /* the transaction ids in the relations of `content` that were read */
    ftr_ids_ahead of_ids; /* by id: finds chunks that can contain the id */
};

#endif
