/* Sorts transactions by begin. */
#ifndef FTR_TX_KEYS_H
#define FTR_TX_KEYS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ftr_tx_key {
    uint64_t begin;
    size_t index; /* any number; set by the caller */
} ftr_tx_key;

/* Sorts the keys by begin; keys with the same begin stay in their order. Fast if long parts of them
 * are already in order.
 * @param spare room for @p count keys
 * @return the sorted keys: @p keys or @p spare */
ftr_tx_key *ftr_tx_keys_sort(ftr_tx_key *keys, size_t count, ftr_tx_key *spare);

#endif
