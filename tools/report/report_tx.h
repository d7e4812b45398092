/* A transaction as a report reads it, and the order in which transactions are sorted. */
#ifndef FTR_REPORT_TX_H
#define FTR_REPORT_TX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_report_tx {
    uint64_t id, begin, end; /* end >= begin */
    uint64_t bytes;
    /* number of the generator in the run collector; in answers of a server: index in the reader */
    uint32_t generator;
    bool error, unfinished;
} ftr_report_tx;

/* The location of a transaction in the file, for ftr_cursor_seek(). */
typedef struct ftr_tx_position {
    uint64_t chunk_offset, chunk_within;
} ftr_tx_position;

/* A key by which transactions are sorted. */
typedef struct ftr_tx_key {
    uint64_t begin;
    size_t index; /* any number; set by the caller */
} ftr_tx_key;

/* Sorts the keys by begin; keys with the same begin stay in their order. Fast if long parts of the
 * keys are already in order.
 * @param spare room for @p count keys
 * @return the sorted keys: @p keys or @p spare */
ftr_tx_key *ftr_tx_keys_sort(ftr_tx_key *keys, size_t count, ftr_tx_key *spare);

#endif
