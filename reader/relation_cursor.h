/* A pass over relations. */
#ifndef FTR_RELATION_CURSOR_H
#define FTR_RELATION_CURSOR_H

#include "reader_state.h"
#include "relation_ahead.h"

#include "cbor_reader.h"

/* First byte of a relation in the usual form: a definite array of 5 numbers. */
#define FTR_RELATION_USUAL (FTR_CBOR_MAJOR_ARRAY << 5 | 5)

/* Reads one entry of a relation chunk at @p r: 5 or 3 numbers. Returns FTR_OK; FTR_ERR_ARGUMENT if
 * the item is not a relation (it was skipped); FTR_ERR_FORMAT or FTR_ERR_TRUNCATED if the entries
 * that follow cannot be read. */
ftr_status ftr_relation_parse(ftr_cbor_reader *r, uint64_t field[5], unsigned *count);

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
