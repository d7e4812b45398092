/* Walks the transactions in the content of a chunk: heads and extents, without values. */
#ifndef FTR_TRANSACTION_WALK_H
#define FTR_TRANSACTION_WALK_H

#include "attribute_forms.h"
#include "usual_items.h"

typedef struct ftr_tx_walk {
    ftr_cbor_reader r;
    ftr_attribute_forms *forms; /* decodes the attributes; NULL: only skips them */
    uint64_t left;              /* number of transactions that are left, or FTR_CBOR_INDEFINITE */
    bool is_array;              /* the content begins with an array */
    bool goes_on; /* `forms` is not NULL, and the array is indefinite and had no error so far */
} ftr_tx_walk;

typedef struct ftr_tx_head {
    uint64_t id, generator, begin, end;
    const uint8_t *entry; /* position of the transaction */
    const uint8_t *first; /* position of its first attribute */
    const uint8_t *last;  /* position after its last attribute */
    const uint8_t *next;  /* position after the transaction */
} ftr_tx_head;

void ftr_tx_walk_init(ftr_tx_walk *walk, const uint8_t *content, size_t size,
                      ftr_attribute_forms *forms);

/* Parses the transaction of @p size bytes at @p entry, which a walk returned before; @p left bytes
 * are readable at @p entry. If @p forms is not NULL, the attributes are decoded. */
void ftr_tx_parse_again(const uint8_t *entry, size_t size, size_t left, ftr_attribute_forms *forms,
                        ftr_tx_head *head);

/* Maximum sizes in the usual form, in bytes: of a transaction up to its first attribute, and of one
 * attribute. */
#define FTR_TX_HEAD_MAX (3 + 4 * FTR_CBOR_HEAD_MAX)
#define FTR_ATTRIBUTE_MAX (8 + FTR_CBOR_HEAD_MAX)

/* Reads the head of a transaction [6([id, generator, begin, end]), ...] with up to 22 attributes.
 * Returns false if the head does not have this form. FTR_TX_HEAD_MAX bytes must be readable. */
static inline bool ftr_tx_parse_head(const uint8_t *p, ftr_tx_head *head)
{
    uint32_t first;
    memcpy(&first, p, sizeof first);
    if ((first >> 8 & 0xffff) !=
            (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_TX | (FTR_CBOR_MAJOR_ARRAY << 5 | 4) << 8) ||
        (uint8_t)(first - (FTR_CBOR_MAJOR_ARRAY << 5) - 1) >= FTR_CBOR_INFO_8 - 1)
        return false;
    head->entry = p;
    p += 3;
    if (!ftr_take_near_uint(&p, &head->id) || !ftr_take_near_uint(&p, &head->generator) ||
        !ftr_take_near_uint(&p, &head->begin) || !ftr_take_near_uint(&p, &head->end))
        return false;
    head->first = p;
    return true;
}

/* Reads a transaction if all of its fields have the most common form, and decodes its attributes.
 * @return false also if the transaction is so close to the end of the content that reading could
 * pass it */
static inline bool ftr_tx_parse_usual(ftr_attribute_forms *forms, const uint8_t *p,
                                      const uint8_t *end, ftr_tx_head *head)
{
    if (end - p < FTR_TX_HEAD_MAX || !ftr_tx_parse_head(p, head))
        return false;
    const unsigned count = (*p & 31u) - 1;
    const uint32_t *program = forms->program[head->generator % FTR_FORM_PROGRAMS];
    p = head->first;
    if (end - p < (ptrdiff_t)count * FTR_ATTRIBUTE_MAX)
        return false;
    ftr_forms_begin(forms, p);
    ftr_decoded_attribute *const behind = forms->decoded + count;
    for (ftr_decoded_attribute *decoded = forms->decoded; decoded < behind; decoded++, program++) {
        const ftr_attribute_form *form = ftr_form_at(forms, *program);
        const uint8_t *value = p + form->size;
        if (ftr_form_matches(form, p) && ftr_take_near_uint(&value, &decoded->number)) {
            decoded->form = form;
            decoded->behind = p = value;
        } else {
            p = ftr_forms_learn(forms, head->generator, (unsigned)(decoded - forms->decoded), p,
                                end);
            if (p == NULL || end - p < (behind - decoded) * FTR_ATTRIBUTE_MAX)
                return false;
        }
    }
    head->last = head->next = p;
    return true;
}

/* Like ftr_tx_walk_next(), without its inline fast path. */
ftr_status ftr_tx_walk_any(ftr_tx_walk *walk, ftr_tx_head *head);

/* Reads the next transaction if it has the usual form. If not, returns false, and the walk does not
 * move. */
static inline bool ftr_tx_walk_usual(ftr_tx_walk *walk, ftr_tx_head *head)
{
    /* The break at the end of the array is not tested here: it is not read as a transaction,
     * because it does not have the usual form. */
    if (!walk->goes_on || !ftr_tx_parse_usual(walk->forms, walk->r.cursor, walk->r.end, head))
        return false;
    walk->r.cursor = head->next;
    return true;
}

/* Reads the next transaction. Returns FTR_OK; FTR_ERR_ARGUMENT if the item is not a transaction (it
 * was skipped, and head.entry is set); FTR_ERR_END after the last item; FTR_ERR_FORMAT or
 * FTR_ERR_TRUNCATED if the walk cannot continue. */
static inline ftr_status ftr_tx_walk_next(ftr_tx_walk *walk, ftr_tx_head *head)
{
    return ftr_tx_walk_usual(walk, head) ? FTR_OK : ftr_tx_walk_any(walk, head);
}

#endif
