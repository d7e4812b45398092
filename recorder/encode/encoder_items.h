/* Writes the items of a transaction. The usual items are written inline, with the bytes that were
 * prepared for their attributes. Usual items are declared attributes, in the order of their
 * declarations, with a number or with a text that was used before. */
#ifndef FTR_ENCODER_ITEMS_H
#define FTR_ENCODER_ITEMS_H

#include "encoder_state.h"
#include "encoder_strings.h"
#include "encoder_values.h"

/* Writes the item at @p at: a declared attribute of any form, or a row of words (FTR_ITEM_WORDS).
 * Can also write the items after it: see ftr_encoder_words_at(). */
uint8_t *ftr_encoder_item_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                             const uint8_t *end);

/* Writes the id of the text of @p item, which differs from the recent text of @p attribute, and
 * makes a text of 1 to 16 bytes the recent text. */
uint8_t *ftr_encoder_new_text_at(ftr_encoder *encoder, uint8_t *p,
                                 const ftr_declared_attribute *attribute, const ftr_item *item);

/* Writes the id of the text of the item at @p at, and advances @p at to the next item. */
FTR_INLINE uint8_t *ftr_encoder_text_at(ftr_encoder *encoder, uint8_t *p,
                                        const ftr_declared_attribute *attribute, const uint8_t **at)
{
    const ftr_item *item = (const ftr_item *)*at;
    const ftr_recent_text *recent = ftr_encoder_recent(encoder, attribute);
    if (FTR_LIKELY(ftr_recent_text_is(recent, *at + sizeof *item, item->value))) {
        memcpy(p, recent->id, sizeof recent->id);
        *at += recent->item_size;
        return p + recent->id_size;
    }
    *at += sizeof *item + ftr_item_pad(item->value);
    return ftr_encoder_new_text_at(encoder, p, attribute, item);
}

/* Writes the items in [at, end), and adds the number of written attributes to @p count.
 * @param expected the first declared attribute of the generator */
FTR_INLINE uint8_t *ftr_encoder_items_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                                         const uint8_t *end, const ftr_declared_attribute *expected,
                                         size_t *count)
{
    while (at < end) {
        const ftr_item *item = (const ftr_item *)at;
        const int32_t program = expected->program;
        (*count)++;
        /* One comparison of eight bytes covers the attribute, the type and the form of the
         * value. */
        if (FTR_LIKELY(memcmp(item, expected, sizeof(uint64_t)) == 0)) {
            if (FTR_LIKELY(program > 0)) {
                memcpy(p, expected->prefix, sizeof expected->prefix);
                p = ftr_encoder_number_at(encoder, p + (uint32_t)program, item->value);
                at += sizeof *item;
                expected++;
                continue;
            }
            if (FTR_LIKELY(program < 0)) {
                memcpy(p, expected->prefix, sizeof expected->prefix);
                p = ftr_encoder_text_at(encoder, p + expected->prefix_length, expected, &at);
                expected++;
                continue;
            }
            if (expected->prefix_length) {
                memcpy(p, expected->prefix, sizeof expected->prefix);
                p = ftr_encoder_value_at(encoder, p + expected->prefix_length, item);
                at += sizeof *item;
                expected++;
                continue;
            }
        }
        if (FTR_LIKELY(item->attribute == FTR_ITEM_NAMED)) {
            p = ftr_encoder_named_at(encoder, p, item);
            at += sizeof *item + ftr_item_pad(item->name_length) + ftr_item_text_size(item);
            continue;
        }
        p = ftr_encoder_item_at(encoder, p, at, end);
        at = encoder->items_end.at;
        expected = encoder->items_end.expected;
        *count += encoder->items_end.count - 1;
    }
    return p;
}

#endif
