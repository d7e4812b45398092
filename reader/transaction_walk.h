/* The transactions in the content of a chunk, one after the other: heads and extents, no values. */
#ifndef FTR_TRANSACTION_WALK_H
#define FTR_TRANSACTION_WALK_H

#include "cbor_reader.h"

enum {
    FTR_TAG_TX = 6,
    FTR_TAG_BEGIN = 7, /* attributes of class begin, record, end: 7, 8, 9 */
    FTR_TAG_END = 9
};

typedef struct ftr_tx_walk {
    ftr_cbor_reader r;
    uint64_t left;
    bool is_array; /* the content begins as an array */
} ftr_tx_walk;

typedef struct ftr_tx_head {
    uint64_t id, generator, begin, end;
    const uint8_t *entry; /* the transaction */
    const uint8_t *first; /* its attributes */
    const uint8_t *last;  /* and where they end */
    const uint8_t *next;  /* what follows it */
} ftr_tx_head;

void ftr_tx_walk_init(ftr_tx_walk *walk, const uint8_t *content, size_t size);

/* The next transaction. FTR_OK; FTR_ERR_ARGUMENT for an item that is none and was passed over
 * (head.entry is set); FTR_ERR_END behind the last one; FTR_ERR_FORMAT or FTR_ERR_TRUNCATED where
 * the walk cannot go on. */
ftr_status ftr_tx_walk_next(ftr_tx_walk *walk, ftr_tx_head *head);

/* The transaction of @p size bytes at @p entry, where a walk found one before. */
void ftr_tx_parse_again(const uint8_t *entry, size_t size, ftr_tx_head *head);

/* A number at *at; moves behind it. For bytes that a walk has passed, or as a first try. */
static inline bool ftr_take_uint(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
    const uint8_t *p = *at;
    if (p == end)
        return false;
    const uint8_t first = *p;
    if (first < FTR_CBOR_INFO_8) {
        *value = first;
        *at = p + 1;
        return true;
    }
    if (first > FTR_CBOR_INFO_64)
        return false;
    const unsigned size = 1u << (first - FTR_CBOR_INFO_8);
    if ((size_t)(end - p) <= size)
        return false;
    uint64_t bits = 0;
    switch (size) {
    case 1:
        bits = p[1];
        break;
    case 2:
        bits = (uint64_t)p[1] << 8 | p[2];
        break;
    case 4:
        bits = (uint64_t)p[1] << 24 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 8 | p[4];
        break;
    default:
        for (unsigned i = 1; i <= 8; i++)
            bits = bits << 8 | p[i];
    }
    *value = bits;
    *at = p + 1 + size;
    return true;
}

#endif
