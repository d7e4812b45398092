/* Walks the transactions in the content of a chunk: heads and extents, without values. */
#ifndef FTR_TRANSACTION_WALK_H
#define FTR_TRANSACTION_WALK_H

#include "cbor_reader.h"
#include "format_tags.h"

typedef struct ftr_tx_walk {
    ftr_cbor_reader r;
    uint64_t left;
    bool is_array; /* the content begins with an array */
} ftr_tx_walk;

typedef struct ftr_tx_head {
    uint64_t id, generator, begin, end;
    const uint8_t *entry; /* the transaction */
    const uint8_t *first; /* its attributes */
    const uint8_t *last;  /* end of its attributes */
    const uint8_t *next;  /* the position after the transaction */
} ftr_tx_head;

void ftr_tx_walk_init(ftr_tx_walk *walk, const uint8_t *content, size_t size);

/* Reads the next transaction. FTR_OK; FTR_ERR_ARGUMENT for an item that is not a transaction and
 * was skipped (head.entry is set); FTR_ERR_END after the last one; FTR_ERR_FORMAT or
 * FTR_ERR_TRUNCATED if the walk cannot continue. */
ftr_status ftr_tx_walk_next(ftr_tx_walk *walk, ftr_tx_head *head);

/* Parses the transaction of @p size bytes at @p entry, which a walk returned before. */
void ftr_tx_parse_again(const uint8_t *entry, size_t size, ftr_tx_head *head);

/* Reads a number at *at and moves past it. For bytes that a walk has passed, or as a fast path. */
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

/* An attribute in its stored form. */
typedef struct ftr_raw_attribute {
    uint64_t tag, name, type;
} ftr_raw_attribute;

/* Returns true if the attribute at @p p begins in the usual form: its tag, and an array of
 * three. */
static inline bool ftr_is_usual_attribute(const uint8_t *p, const uint8_t *end)
{
    return end - p >= 5 && p[0] >= (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_BEGIN) &&
           p[0] <= (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_END) &&
           p[1] == (FTR_CBOR_MAJOR_ARRAY << 5 | 3);
}

/* Reads the attribute at @p p if it is in the usual form and its value is a number (texts are
 * numbers, too). Returns the position after it, else NULL. */
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
