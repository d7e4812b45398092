/* A pass over relations. */
#ifndef FTR_RELATION_CURSOR_H
#define FTR_RELATION_CURSOR_H

#include "reader_state.h"
#include "relation_ahead.h"

#include "cbor_reader.h"

/* Ends the threads that read ahead. Relations that were taken stay valid. */
void ftr_relation_cursor_stop_ahead(ftr_relation_cursor *cursor);

struct ftr_relation_cursor {
    LIST_ENTRY(ftr_relation_cursor) entry; /* in the reader's list */
    ftr_reader *reader;
    bool by_id;
    uint64_t id;
    size_t chunk;
    bool has_begun;
    ftr_relation_ahead *ahead;     /* NULL: this thread reads alone */
    ftr_relations_ahead relations; /* the present chunk, if it was read ahead */
    size_t relation_next;
    ftr_content *content; /* the present chunk, otherwise */
    ftr_cbor_reader r;
    uint64_t left;
    uint64_t min_id, max_id;
};

#endif
