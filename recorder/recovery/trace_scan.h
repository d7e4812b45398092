/* What the whole part of a trace already has, as far as recovery must know it. */
#ifndef FTR_TRACE_SCAN_H
#define FTR_TRACE_SCAN_H

#include <stdbool.h>

#include "definitions.h"

/* A transaction that recovery asks for. */
typedef struct ftr_sought_tx {
    uint64_t id;
    bool is_in_trace;
    bool is_in_file_before; /* of a trace in several files: in the one before */
} ftr_sought_tx;

/* A relation that recovery asks for; the same one may have been put several times. */
typedef struct ftr_sought_relation {
    uint64_t from;
    uint64_t to;
    ftr_relation relation;
    uint64_t in_trace; /* how often */
    uint64_t in_file_before;
} ftr_sought_relation;

typedef struct ftr_trace_scan {
    const ftr_definitions *definitions;
    ftr_sought_tx *transactions; /* sorted by id, each once */
    size_t transaction_count;
    ftr_sought_relation *relations; /* sorted with ftr_sought_relation_compare(), each once */
    size_t relation_count;

    uint32_t strings; /* dictionary entries */
    uint64_t latest;  /* tick */
    uint64_t highest_id;
    size_t size; /* bytes up to the break, if there is one */

    uint8_t *expanded;
    size_t expanded_capacity;
    uint32_t *relation_ids; /* dictionary ids that are names of relations, and of which */
    size_t relation_id_count;
    size_t relation_id_capacity;
} ftr_trace_scan;

int ftr_sought_relation_compare(const void *a, const void *b);

/* Goes through the trace at @p bytes, and marks the definitions it has. FTR_ERR_FORMAT: these are
 * not bytes that a recorder wrote. */
FTR_MUST_USE ftr_status ftr_trace_scan_run(ftr_trace_scan *scan, const uint8_t *bytes, size_t size);

/* Keeps of a scan only which transactions and relations it found, as those of the file before the
 * trace's. */
void ftr_trace_scan_start_over(ftr_trace_scan *scan);
void ftr_trace_scan_release(ftr_trace_scan *scan);

#endif
