/* The format of transactions within a chunk. Most bytes of most files pass through this file, so
 * the usual form has a fast path; any other form is read with the general CBOR reader. */
#include "transaction_walk.h"

#include "cbor_reader.h"

/* Reads a transaction in any form and moves @p r past it. After an error, the position is
 * undefined. */
static ftr_status parse_any_tx(ftr_cbor_reader *r, ftr_tx_head *head)
{
    uint64_t count = 0;
    uint64_t tag = 0;
    uint64_t field[4] = {0};
    head->entry = r->cursor;
    (void)ftr_cbor_get_array(r, &count);
    if (!ftr_cbor_next(r, &count))
        return r->status != FTR_OK ? r->status : FTR_ERR_FORMAT;
    (void)ftr_cbor_get_tag(r, &tag);
    if (tag != FTR_TAG_TX || ftr_cbor_get_fields(r, 4, field) != FTR_OK)
        return r->status != FTR_OK ? r->status : FTR_ERR_FORMAT;
    head->id = field[0];
    head->generator = field[1];
    head->begin = field[2];
    head->end = field[3];
    head->first = r->cursor;
    head->last = r->cursor;
    while (ftr_cbor_next(r, &count)) {
        ftr_raw_attribute raw;
        const uint8_t *value;
        const uint8_t *behind = ftr_skip_usual_attribute(r->cursor, r->end, &raw, &value);
        if (behind != NULL)
            r->cursor = behind;
        else
            (void)ftr_cbor_skip(r);
        head->last = r->cursor;
    }
    head->next = r->cursor;
    return r->status;
}

void ftr_tx_walk_init(ftr_tx_walk *walk, const uint8_t *content, size_t size,
                      ftr_attribute_forms *forms)
{
    ftr_cbor_reader_init(&walk->r, content, size);
    walk->forms = forms;
    walk->left = 0;
    walk->is_array = ftr_cbor_get_array(&walk->r, &walk->left) == FTR_OK;
    walk->goes_on = forms != NULL && walk->left == FTR_CBOR_INDEFINITE;
}

ftr_status ftr_tx_walk_any(ftr_tx_walk *walk, ftr_tx_head *head)
{
    ftr_cbor_reader *r = &walk->r;
    if (!ftr_cbor_next(r, &walk->left)) {
        walk->goes_on = false;
        return r->status != FTR_OK ? r->status : FTR_ERR_END;
    }
    if (walk->forms != NULL) {
        if (ftr_tx_parse_usual(walk->forms, r->cursor, r->end, head)) {
            r->cursor = head->next;
            return FTR_OK;
        }
        ftr_forms_begin(walk->forms, NULL);
    }
    const ftr_cbor_reader bookmark = *r;
    if (parse_any_tx(r, head) == FTR_OK)
        return FTR_OK;
    *r = bookmark;
    const ftr_status status = ftr_cbor_skip(r);
    walk->goes_on &= status == FTR_OK;
    return status == FTR_OK ? FTR_ERR_ARGUMENT : status;
}

void ftr_tx_parse_again(const uint8_t *entry, size_t size, size_t left, ftr_attribute_forms *forms,
                        ftr_tx_head *head)
{
    if (forms != NULL) {
        if (ftr_tx_parse_usual(forms, entry, entry + left, head))
            return;
        ftr_forms_begin(forms, NULL);
    }
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, entry, size);
    (void)parse_any_tx(&r, head);
}
