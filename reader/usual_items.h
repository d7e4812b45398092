/* Numbers, attributes and relations in the usual form: each array is of definite length, and each
 * value is a number, a float or a simple value. Nearly all files use this form. */
#ifndef FTR_USUAL_ITEMS_H
#define FTR_USUAL_ITEMS_H

#include "cbor_reader.h"
#include "format_tags.h"

/* Reads an unsigned number at *at and moves *at past it. Returns false if the item is not an
 * unsigned number or not complete. */
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

/* How to read a number whose value follows its first byte. Index: the first byte. Lower byte: the
 * shift that moves the value to the low end of the 8 bytes that begin with it. Upper byte: size of
 * the value in bytes. */
extern const uint16_t ftr_argument_places[FTR_CBOR_INFO_64 + 1];

/* Like ftr_take_uint(), but at least 9 bytes must be readable. */
static inline bool ftr_take_near_uint(const uint8_t **at, uint64_t *value)
{
    const uint8_t *p = *at;
    const unsigned first = *p++;
    uint64_t number = first;
    if (first >= FTR_CBOR_INFO_8) {
        if (first > FTR_CBOR_INFO_64)
            return false;
        const unsigned places = ftr_argument_places[first];
        number = ftr_cbor_load(p, 8, 8) >> (places & 63);
        p += places >> 8;
    }
    *value = number;
    *at = p;
    return true;
}

/* An attribute in its stored form. */
typedef struct ftr_raw_attribute {
    uint64_t tag, name, type;
} ftr_raw_attribute;

/* Returns true if the attribute at @p p begins in the usual form: a tag, and an array of three. */
static inline bool ftr_is_usual_attribute(const uint8_t *p, const uint8_t *end)
{
    return end - p >= 5 && p[0] >= (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_BEGIN) &&
           p[0] <= (FTR_CBOR_MAJOR_TAG << 5 | FTR_TAG_END) &&
           p[1] == (FTR_CBOR_MAJOR_ARRAY << 5 | 3);
}

/* Returns the position after the attribute at @p p if it is in the usual form, else NULL.
 * @param[out] value the position of its value */
const uint8_t *ftr_skip_usual_attribute(const uint8_t *p, const uint8_t *end,
                                        ftr_raw_attribute *raw, const uint8_t **value);

/* Reads the attribute at @p p if it is in the usual form and its value is an unsigned number, for
 * example the id of a text. Returns the position after the attribute, else NULL. */
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

/* First byte of a relation in the usual form: a definite array of 5 numbers. */
#define FTR_RELATION_USUAL (FTR_CBOR_MAJOR_ARRAY << 5 | 5)

/* Reads one entry of a relation chunk at @p r: 5 or 3 numbers; @p count is set to their number.
 * Returns FTR_OK; FTR_ERR_ARGUMENT if the item is not a relation (it was skipped); another error if
 * the entries that follow cannot be read. */
ftr_status ftr_relation_parse(ftr_cbor_reader *r, uint64_t field[5], unsigned *count);

#endif
