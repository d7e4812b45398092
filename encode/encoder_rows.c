/* Owns the previous rows. Knows that equal words have equal encoded bytes within a file, but not
 * the forms of values. */
#include "encoder_rows.h"

#include <stdlib.h>
#include <string.h>

#include "encoder_values.h"

/* Longer rows are not kept. */
#define ROW_WORDS 12u
#define ROWS_BITS 7
/* Maximum size of an attribute with prepared bytes. */
#define WORD_SIZE (sizeof(((ftr_declared_attribute *)NULL)->prefix) + FTR_CBOR_HEAD_MAX)
/* Bytes are copied in steps of this size. */
#define STEP 32u

struct ftr_recent_row {
    ftr_copied_places copied; /* of the transactions with this row */
    uint32_t attribute;       /* `attribute` of the row */
    uint32_t count;           /* number of words; 0: no row is kept */
    uint64_t words[ROW_WORDS];
    uint16_t ends[ROW_WORDS]; /* end of each attribute in `bytes` */
    uint8_t bytes[ROW_WORDS * WORD_SIZE + STEP];
};

void ftr_encoder_reset_rows(ftr_encoder *encoder)
{
    for (size_t i = 0; encoder->rows != NULL && i < (size_t)1 << ROWS_BITS; i++)
        encoder->rows[i].count = 0;
}

/* Returns the place of a row with this attribute, or NULL if out of memory. Several attributes can
 * have the same place. */
static ftr_recent_row *recent_row(ftr_encoder *encoder, uint32_t attribute)
{
    if (encoder->rows == NULL)
        encoder->rows = calloc((size_t)1 << ROWS_BITS, sizeof *encoder->rows);
    if (encoder->rows == NULL)
        return NULL;
    return &encoder->rows[attribute * UINT32_C(0x9e3779b1) >> (32 - ROWS_BITS)];
}

ftr_items ftr_encoder_items_of(ftr_encoder *encoder, const ftr_entity *generator,
                               const ftr_stored_tx *tx, const uint8_t *items, ftr_words_row *row)
{
    const ftr_declared_list *declared = &generator->attributes;
    ftr_recent_row *recent = ftr_items_are_copied(tx, items)
                                 ? recent_row(encoder, declared->first | FTR_ITEM_WORDS)
                                 : NULL;
    if (recent == NULL)
        return ftr_items_of(tx, items, declared, row);
    return ftr_copied_again(&recent->copied, (const ftr_item *)items, declared, row);
}

/* Returns whether equal words of the attribute always have equal bytes and no other effect. */
static bool is_repeatable(const ftr_declared_attribute *attribute)
{
    return attribute->prefix_length && attribute->form != FTR_ITEM_FORM_REAL;
}

/* Writes all words of a row, and keeps the row at @p row, which may be NULL. */
static __attribute__((noinline)) uint8_t *whole_row_at(ftr_encoder *encoder, uint8_t *p,
                                                       const ftr_item *words,
                                                       const ftr_declared_attribute *attribute,
                                                       ftr_recent_row *row)
{
    const uint64_t *const word = &words->value;
    const size_t count = words->name_length;
    const uint8_t *const start = p;
    bool is_kept = row != NULL && count <= ROW_WORDS;
    for (size_t i = 0; i < count; i++, attribute++) {
        p = ftr_encoder_word_at(encoder, attribute, p, word[i]);
        is_kept &= is_repeatable(attribute);
        if (is_kept)
            row->ends[i] = (uint16_t)(p - start);
    }
    if (row == NULL)
        return p;
    row->attribute = words->attribute;
    row->count = is_kept ? (uint32_t)count : 0;
    if (is_kept) {
        memcpy(row->words, word, count * sizeof *word);
        memcpy(row->bytes, start, (size_t)(p - start));
    }
    return p;
}

/* Moves the bytes behind word @p i by @p more bytes. */
static __attribute__((noinline)) void move_behind(ftr_recent_row *row, size_t i, ptrdiff_t more)
{
    const size_t end = row->ends[i];
    memmove(row->bytes + (ptrdiff_t)end + more, row->bytes + end, row->ends[row->count - 1] - end);
    for (; i < row->count; i++)
        row->ends[i] = (uint16_t)(row->ends[i] + more);
}

uint8_t *ftr_encoder_row_at(ftr_encoder *encoder, uint8_t *p, const ftr_item *words)
{
    const ftr_declared_attribute *attributes =
        ftr_definitions_attribute(encoder->definitions, words->attribute ^ FTR_ITEM_WORDS);
    ftr_recent_row *row = recent_row(encoder, words->attribute);
    const uint64_t *const word = &words->value;
    const size_t count = words->name_length;
    if (row == NULL || row->attribute != words->attribute || row->count != count)
        return whole_row_at(encoder, p, words, attributes, row);
    const uint8_t *from = row->bytes;
    for (size_t i = 0; i < count; i++) {
        while (word[i] == row->words[i])
            if (++i == count)
                break;
        /* the bytes of the equal words */
        uint8_t *const until = i > 0 ? row->bytes + row->ends[i - 1] : row->bytes;
        for (const uint8_t *at = from; at < until; at += STEP)
            memcpy(p + (at - from), at, STEP);
        p += until - from;
        if (i == count)
            break;
        uint8_t *const end = ftr_encoder_word_at(encoder, &attributes[i], p, word[i]);
        const ptrdiff_t more = (end - p) - (row->bytes + row->ends[i] - until);
        if (more != 0)
            move_behind(row, i, more);
        memcpy(until, p, (size_t)(end - p));
        row->words[i] = word[i];
        from = until + (end - p);
        p = end;
    }
    return p;
}
