/* Reads items in the usual form. The CBOR reader reads all other items. */
#include "usual_items.h"

#include "cbor_reader.h"

/* Size in bytes of a number, a float or a simple value; 0 for other items. Index: first byte of the
 * item. */
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

const uint16_t ftr_argument_places[] = {
    [FTR_CBOR_INFO_8] = 1 << 8 | 56, 2 << 8 | 48, 4 << 8 | 32, 8 << 8 | 0};

const uint8_t *ftr_skip_usual_attribute(const uint8_t *p, const uint8_t *end,
                                        ftr_raw_attribute *raw, const uint8_t **value)
{
    if (!ftr_is_usual_attribute(p, end))
        return NULL;
    raw->tag = *p & 31u;
    p += 2;
    if (!ftr_take_uint(&p, end, &raw->name) || !ftr_take_uint(&p, end, &raw->type))
        return NULL;
    *value = p;
    return skip_plain(p, end);
}

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
    if (ftr_cbor_get_fields(r, 5, field) == FTR_OK)
        return FTR_OK;
    *r = bookmark;
    *count = 3;
    if (ftr_cbor_get_fields(r, 3, field) == FTR_OK)
        return FTR_OK;
    *r = bookmark;
    return ftr_cbor_skip(r) == FTR_OK ? FTR_ERR_ARGUMENT : r->status;
}
