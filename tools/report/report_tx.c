/* Sorts keys of transactions: a merge sort that uses the parts that are already in order. */
#include "report_tx.h"

#include <stdbool.h>
#include <string.h>

static bool is_before(const ftr_tx_key *a, const ftr_tx_key *b)
{
    return a->begin < b->begin;
}

/* Returns the end of the ordered part that begins at @p from. */
static size_t end_of_part(const ftr_tx_key *keys, size_t from, size_t count)
{
    size_t end = from < count ? from + 1 : count;
    while (end < count && !is_before(&keys[end], &keys[end - 1]))
        end++;
    return end;
}

static void merge(const ftr_tx_key *keys, size_t first, size_t middle, size_t end, ftr_tx_key *to)
{
    size_t low = first, high = middle;
    while (low < middle && high < end) {
        const bool takes_high = is_before(&keys[high], &keys[low]);
        *to++ = keys[takes_high ? high : low];
        high += takes_high;
        low += !takes_high;
    }
    memcpy(to, keys + low, (middle - low) * sizeof *to);
    memcpy(to + (middle - low), keys + high, (end - high) * sizeof *to);
}

ftr_tx_key *ftr_tx_keys_sort(ftr_tx_key *keys, size_t count, ftr_tx_key *spare)
{
    /* Each round merges neighbouring parts, and halves their number. */
    while (end_of_part(keys, 0, count) < count) {
        for (size_t first = 0; first < count;) {
            const size_t middle = end_of_part(keys, first, count);
            const size_t end = end_of_part(keys, middle, count);
            merge(keys, first, middle, end, spare + first);
            first = end;
        }
        ftr_tx_key *const sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}
