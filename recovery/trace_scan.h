/* The contents of the complete part of a trace, as far as recovery needs them. */
#ifndef FTR_TRACE_SCAN_H
#define FTR_TRACE_SCAN_H

#include <stdbool.h>

#include "definitions.h"

/* A transaction that recovery searches in the trace. */
typedef struct ftr_sought_tx {
    uint64_t id;
    bool is_in_trace;
    bool is_in_file_before; /* for a trace of several files: it is in the preceding file */
} ftr_sought_tx;

/* A relation that recovery searches in the trace. The same relation may have been recorded several
 * times. */
typedef struct ftr_sought_relation {
    uint64_t from;
    uint64_t to;
    ftr_relation relation;
    uint64_t in_trace; /* number of occurrences in the trace */
    uint64_t in_file_before;
} ftr_sought_relation;

typedef struct ftr_trace_scan {
    const ftr_definitions *definitions;
    ftr_sought_tx *transactions; /* sorted by id, without duplicates */
    size_t transaction_count;
    /* sorted by ftr_sought_relation_compare(), without duplicates */
    ftr_sought_relation *relations;
    size_t relation_count;

    uint32_t strings; /* number of dictionary entries */
    uint64_t latest;  /* tick */
    uint64_t highest_id;
    size_t size; /* number of bytes before the break, if there is one */

    uint8_t *expanded;
    size_t expanded_capacity;
    uint32_t *relation_ids; /* pairs: dictionary id of a relation name, number of that name */
    size_t relation_id_count;
    size_t relation_id_capacity;
} ftr_trace_scan;

int ftr_sought_relation_compare(const void *a, const void *b);

/* Scans the trace at @p bytes, and marks the definitions in it. FTR_ERR_FORMAT: a recorder did not
 * write these bytes. */
FTR_MUST_USE ftr_status ftr_trace_scan_run(ftr_trace_scan *scan, const uint8_t *bytes, size_t size);

/* Discards the results of a scan except which transactions and relations it found; these then count
 * as those of the preceding file. */
void ftr_trace_scan_start_over(ftr_trace_scan *scan);
void ftr_trace_scan_release(ftr_trace_scan *scan);

#endif
