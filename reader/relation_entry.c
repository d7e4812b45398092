/* Owns the form of a relation within a chunk. Does not know the transactions of the relation. */
#include "relation_entry.h"

#include "cbor_fields.h"
#include "usual_items.h"

static bool parse_usual(ftr_cbor_reader *r, uint64_t field[5])
{
    const uint8_t *p = r->cursor;
    if (p == r->end || *p != FTR_RELATION_USUAL)
        return false;
    p++;
    const bool is_near = r->end - p >= (ptrdiff_t)5 * FTR_CBOR_HEAD_MAX;
    for (unsigned i = 0; i < 5; i++)
        if (!(is_near ? ftr_take_near_uint(&p, &field[i]) : ftr_take_uint(&p, r->end, &field[i])))
            return false;
    r->cursor = p;
    return true;
}

ftr_status ftr_relation_parse(ftr_cbor_reader *r, uint64_t field[5], unsigned *count)
{
    *count = 5;
    if (parse_usual(r, field))
        return FTR_OK;
    const ftr_cbor_reader bookmark = *r;
    if (ftr_get_fields(r, 5, field) == FTR_OK)
        return FTR_OK;
    *r = bookmark;
    *count = 3;
    if (ftr_get_fields(r, 3, field) == FTR_OK)
        return FTR_OK;
    *r = bookmark;
    return ftr_cbor_skip(r) == FTR_OK ? FTR_ERR_ARGUMENT : r->status;
}
