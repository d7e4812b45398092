/* A pass over transactions. */
#ifndef FTR_CURSOR_H
#define FTR_CURSOR_H

#include "ids_ahead.h"
#include "ordered_merge.h"
#include "read_ahead.h"
#include "selection.h"

struct ftr_cursor {
    LIST_ENTRY(ftr_cursor) entry; /* in the reader's list */
    ftr_selection selection;
    ftr_merge *merge;     /* NULL: stored order */
    size_t chunk;         /* stored order: the current chunk, or the next one */
    ftr_content *content; /* stored order: content of the current chunk; NULL: none */
    ftr_tx_walk walk;
    ftr_id_cover ids;      /* of the transactions of `content` that were read */
    bool sees_all;         /* the walk has begun with the first transaction of `content` */
    ftr_ids_ahead of_ids;  /* by id: finds chunks that can contain the id */
    ftr_read_ahead *ahead; /* stored order; NULL: this thread reads alone */
    ftr_chunk_order order; /* the chunks that are read ahead */
    ftr_chunk_ahead taken; /* the current chunk, if its transactions are prepared; else empty */
    size_t taken_next;     /* index of the next entry of `taken` */
    ftr_prepared prepared; /* the bytes that were returned last, if the chunk was not read ahead */
};

/* Frees at least @p size bytes of reader @p user, if possible: first contents that are not pinned,
 * then chunks that were read ahead. */
void ftr_cursors_reclaim(void *user, size_t size);

/* Ends reading ahead, before the index changes. */
void ftr_cursors_stop_ahead(ftr_reader *reader);

#endif
