/* The accesses of each initiator to each target (`ftr stats --matrix`). An access passes several
 * links: each hop is a transaction of a stream of kind `TLM`, and PARENT_CHILD relates a hop to the
 * next one. The chain from the first hop to a last hop belongs to the initiator at the first link
 * and to the target at the last link.
 *
 * An access of an initiator counts once for each target that it reaches, also if an interconnect
 * splits it into several accesses. The time is the latency of the first hop, as the initiator sees
 * it; the bytes are those of the last hops, as the target sees them. */
#ifndef FTR_ACCESS_MATRIX_H
#define FTR_ACCESS_MATRIX_H

#include "exact_fraction.h"
#include "memory_budget.h"

#include <ftr/reader.h>

/* The accesses that enter at the link `first` and reach their target at the link `last`. A link is
 * the number of its stream in the trace. */
typedef struct ftr_matrix_cell {
    uint32_t first, last;
    uint64_t count, bytes;
    ftr_wide ticks;
    uint64_t longest; /* greatest latency of a first hop, in ticks */
} ftr_matrix_cell;

/* `{.budget.limit = BYTES}` is empty. */
typedef struct ftr_access_matrix {
    ftr_budget budget;
    ftr_matrix_cell *cells; /* only those with accesses, in order of `first`, then of `last` */
    size_t cell_count, cell_capacity;
    uint64_t links;      /* number of chosen streams of accesses */
    uint64_t accesses;   /* number of transactions that were read */
    uint64_t unfinished; /* number of chains that are not counted, because their first or last hop
                            is unfinished */
    uint64_t loops;      /* number of chains that are not counted, because no first hop is found
                            within 1024 relations before the last hop */
} ftr_access_matrix;

/* Reads the chosen accesses and the relations of a trace.
 * @param query selects the accesses; chains consist of selected accesses. The order is ignored
 * @return FTR_OK; FTR_ERR_LIMIT if the accesses exceed the budget; FTR_ERR_MEMORY; or the error
 * that ended reading */
FTR_MUST_USE ftr_status ftr_access_matrix_read(ftr_access_matrix *matrix, ftr_reader *reader,
                                               const ftr_query *query);

void ftr_access_matrix_release(ftr_access_matrix *matrix);

#endif
