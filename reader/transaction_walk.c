/* Owns the format of transactions within a chunk. Does not know the meaning of ids and values. Most
 * bytes of most files pass through this file, so the usual form has a fast path; any other form is
 * read with the general CBOR reader. */
#include "transaction_walk.h"

#include "cbor_fields.h"

/* Size of an item that is a number, a float or a simple value, by its first byte; 0 for others. */
static const uint8_t PLAIN_SIZE[256] = {
#define ROW_1(from) [from] = 1
#define ROW_8(from)                                                                          \
    ROW_1(from), ROW_1((from) + 1), ROW_1((from) + 2), ROW_1((from) + 3), ROW_1((from) + 4), \
        ROW_1((from) + 5), ROW_1((from) + 6), ROW_1((from) + 7)
    ROW_8(0x00), ROW_8(0x08), ROW_8(0x10), [0x18] = 2, [0x19] = 3, [0x1a] = 5, [0x1b] = 9,
    ROW_8(0x20), ROW_8(0x28), ROW_8(0x30), [0x38] = 2, [0x39] = 3, [0x3a] = 5, [0x3b] = 9,
    [0xf4] = 1,  [0xf5] = 1,  [0xf6] = 1,  [0xf9] = 3, [0xfa] = 5, [0xfb] = 9,
#undef ROW_8
#undef ROW_1
};

static inline const uint8_t *skip_plain(const uint8_t *p, const uint8_t *end)
{
    if (p == end)
        return NULL;
    const unsigned size = PLAIN_SIZE[*p];
    return size > 0 && (size_t)(end - p) >= size ? p + size : NULL;
}

/* Returns the position after the attribute at @p p if it is in the usual form, else NULL. */
static inline const uint8_t *skip_usual_attribute(const uint8_t *p, const uint8_t *end)
{
    if (!ftr_is_usual_attribute(p, end))
        return NULL;
    p = skip_plain(p + 2, end);
    if (p != NULL)
        p = skip_plain(p, end);
    return p != NULL ? skip_plain(p, end) : NULL;
}

/* Reads [6([id, generator, begin, end]), ...] with up to 22 attributes, up to the first
 * attribute. */
static bool take_usual_head(const uint8_t *p, const uint8_t *end, ftr_tx_head *head)
{
    if (end - p < 7 || (*p & 0xe0) != FTR_CBOR_MAJOR_ARRAY << 5 || (*p & 31) >= FTR_CBOR_INFO_8 ||
        (*p & 31) == 0 || p[1] != (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_TX) ||
        p[2] != (FTR_CBOR_MAJOR_ARRAY << 5 | 4))
        return false;
    head->entry = p;
    p += 3;
    if (!ftr_take_uint(&p, end, &head->id) || !ftr_take_uint(&p, end, &head->generator) ||
        !ftr_take_uint(&p, end, &head->begin) || !ftr_take_uint(&p, end, &head->end))
        return false;
    head->first = p;
    return true;
}

/* Reads a whole transaction if all of its fields are encoded in the most common form. */
static bool take_usual_tx(const uint8_t *p, const uint8_t *end, ftr_tx_head *head)
{
    if (!take_usual_head(p, end, head))
        return false;
    const unsigned attributes = (*p & 31u) - 1;
    p = head->first;
    for (unsigned i = 0; i < attributes; i++) {
        p = skip_usual_attribute(p, end);
        if (p == NULL)
            return false;
    }
    head->last = head->next = p;
    return true;
}

/* Reads a transaction in any form and moves @p r past it. After an error, the position is
 * undefined. */
static ftr_status take_any_tx(ftr_cbor_reader *r, ftr_tx_head *head)
{
    uint64_t count = 0;
    uint64_t tag = 0;
    uint64_t field[4] = {0};
    head->entry = r->cursor;
    (void)ftr_cbor_get_array(r, &count);
    if (!ftr_cbor_next(r, &count))
        return r->status != FTR_OK ? r->status : FTR_ERR_FORMAT;
    (void)ftr_cbor_get_tag(r, &tag);
    if (tag != FTR_TAG_TX || ftr_get_fields(r, 4, field) != FTR_OK)
        return r->status != FTR_OK ? r->status : FTR_ERR_FORMAT;
    head->id = field[0];
    head->generator = field[1];
    head->begin = field[2];
    head->end = field[3];
    head->first = r->cursor;
    head->last = r->cursor;
    while (ftr_cbor_next(r, &count)) {
        const uint8_t *behind = skip_usual_attribute(r->cursor, r->end);
        if (behind != NULL)
            r->cursor = behind;
        else
            (void)ftr_cbor_skip(r);
        head->last = r->cursor;
    }
    head->next = r->cursor;
    return r->status;
}

void ftr_tx_walk_init(ftr_tx_walk *walk, const uint8_t *content, size_t size)
{
    ftr_cbor_reader_init(&walk->r, content, size);
    walk->left = 0;
    walk->is_array = ftr_cbor_get_array(&walk->r, &walk->left) == FTR_OK;
}

ftr_status ftr_tx_walk_next(ftr_tx_walk *walk, ftr_tx_head *head)
{
    ftr_cbor_reader *r = &walk->r;
    if (!ftr_cbor_next(r, &walk->left))
        return r->status != FTR_OK ? r->status : FTR_ERR_END;
    if (take_usual_tx(r->cursor, r->end, head)) {
        r->cursor = head->next;
        return FTR_OK;
    }
    const ftr_cbor_reader bookmark = *r;
    if (take_any_tx(r, head) == FTR_OK)
        return FTR_OK;
    *r = bookmark;
    return ftr_cbor_skip(r) == FTR_OK ? FTR_ERR_ARGUMENT : r->status;
}

void ftr_tx_parse_again(const uint8_t *entry, size_t size, ftr_tx_head *head)
{
    if (take_usual_head(entry, entry + size, head)) {
        head->last = head->next = entry + size;
        return;
    }
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, entry, size);
    (void)take_any_tx(&r, head);
}
