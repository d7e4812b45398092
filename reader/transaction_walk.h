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
    const size_t left = (size_t)(end - p) - 1;
    if (left < size)
        return false;
    *value = ftr_cbor_load(p + 1, size, left);
    *at = p + 1 + size;
    return true;
}

/* An attribute as it is stored. */
typedef struct ftr_raw_attribute {
    uint64_t tag, name, type;
} ftr_raw_attribute;

/* Whether an attribute at @p p begins in the usual form: its tag, and an array of three. */
static inline bool ftr_is_usual_attribute(const uint8_t *p, const uint8_t *end)
{
    return end - p >= 5 && p[0] >= (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_BEGIN) &&
           p[0] <= (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_END) &&
           p[1] == (FTR_CBOR_MAJOR_ARRAY << 5 | 3);
}

/* The whole attribute at @p p if it is in the usual form and its value is a number, as texts are
 * too. Returns what is behind it, else NULL. */
static inline const uint8_t *ftr_take_usual_attribute(const uint8_t *p, const uint8_t *end,
                                                      ftr_raw_attribute *raw, uint64_t *value)
{
    if (!ftr_is_usual_attribute(p, end))
        return NULL;
    raw->tag = *p & 31u;
    p += 2;
    return ftr_take_uint(&p, end, &raw->name) && ftr_take_uint(&p, end, &raw->type) &&
                   ftr_take_uint(&p, end, value)
               ? p
               : NULL;
}

#endif
