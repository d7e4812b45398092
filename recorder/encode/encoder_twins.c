/* The attributes of a twin. Knows that a twin copies the words of the transaction before it, but
 * not how the items of that transaction are encoded and kept. */
#include "encoder_twins.h"

#include <string.h>

#include "copied_words.h"
#include "encoder_kept_items.h"
#include "encoder_values.h"

/* Returns the index of the word that contains value number @p number, counted from 0;
 * FTR_KEPT_WORDS_MAX if there are fewer values. */
static uint32_t word_of_value(const ftr_recent_items *recent, size_t number)
{
    const uint32_t count = recent->words_size / sizeof(uint64_t);
    for (uint32_t i = 0; i < count; i++) {
        if (recent->places[i].form < FTR_WORD_NO_VALUE && number-- == 0)
            return i;
    }
    return FTR_KEPT_WORDS_MAX;
}

/* Returns whether the kept bytes of a word are also the encoding of @p attribute with the same
 * value. */
static bool is_encoded_as(const ftr_recent_items *recent, uint32_t index,
                          const ftr_declared_attribute *attribute)
{
    if (index == FTR_KEPT_WORDS_MAX || attribute->index == FTR_ATTRIBUTE_NONE)
        return false;
    const ftr_word_place *place = &recent->places[index];
    const size_t length = attribute->prefix_length;
    return length > 0 && place->form == ftr_word_form(attribute->form) && place->at >= length &&
           memcmp(recent->bytes + place->at - length, attribute->prefix, length) == 0;
}

/* Prepares the pieces for @p item of a twin. Returns false if the attributes of the twin are not
 * encoded with the same bytes as those of the original. */
static __attribute__((noinline)) bool prepare_twin(ftr_recent_items *recent, const ftr_item *item,
                                                   const ftr_declared_attribute *first)
{
    ftr_twin_pieces twin = {.first = first, .expected = first};
    for (unsigned range = 0; range < FTR_COPIED_RANGES; range++) {
        const size_t value = item->value >> (16 * range) & 0xff;
        const size_t count = item->value >> (16 * range + 8) & 0xff;
        if (count == 0)
            continue;
        for (size_t i = 0; i < count; i++, twin.expected++) {
            if (!is_encoded_as(recent, word_of_value(recent, value + i), twin.expected))
                return false;
        }
        twin.at[twin.size++] = (ftr_piece){(uint8_t)word_of_value(recent, value),
                                           (uint8_t)word_of_value(recent, value + count - 1),
                                           twin.expected[-(ptrdiff_t)count].prefix_length};
    }
    twin.count = (uint32_t)(twin.expected - first);
    memcpy(twin.item, item, sizeof twin.item);
    recent->twin = twin;
    return true;
}

/* Writes the prepared pieces. */
static inline uint8_t *pieces_at(uint8_t *p, const ftr_recent_items *recent)
{
    for (const ftr_piece *at = recent->twin.at; at < recent->twin.at + recent->twin.size; at++) {
        const ftr_word_place *const last = &recent->places[at->last];
        const size_t from = recent->places[at->first].at - (size_t)at->prefix_length;
        const size_t size = (size_t)last->at + last->size - from;
        ftr_copy_steps(p, recent->bytes + from, size);
        p += size;
    }
    return p;
}

/* Writes the words that the item at @p at copies, without use of the kept bytes of the original. */
static __attribute__((noinline)) uint8_t *plain_twin_at(ftr_encoder *encoder, uint8_t *p,
                                                        const uint8_t *at,
                                                        const ftr_declared_attribute *first)
{
    ftr_declared_list declared = {.at = first, .first = first->index};
    while (first[declared.count].index != FTR_ATTRIBUTE_NONE)
        declared.count++;
    ftr_words_row row;
    const ftr_item *item = (const ftr_item *)at;
    const ftr_items copied = ftr_copied_items(item, &declared, SIZE_MAX, &row);
    encoder->items_end = (ftr_items_end){at + sizeof *item, first, 0};
    return copied.size > 0 ? ftr_encoder_row_at(encoder, p, (const ftr_item *)copied.at) : p;
}

uint8_t *ftr_encoder_twin_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                             const ftr_declared_attribute *first)
{
    const ftr_item *item = (const ftr_item *)at;
    const ftr_last_items *last = &encoder->last_items;
    ftr_recent_items *const original = last->kept;
    if (!FTR_LIKELY(original != NULL && last->at == at - ftr_copied_distance(item) &&
                    last->transaction + 1 == encoder->transactions))
        return plain_twin_at(encoder, p, at, first);
    if (!FTR_LIKELY(ftr_is_equal_pair(original->twin.item, at) && original->twin.first == first) &&
        !prepare_twin(original, item, first))
        return plain_twin_at(encoder, p, at, first);
    encoder->items_end =
        (ftr_items_end){at + sizeof *item, original->twin.expected, original->twin.count};
    return pieces_at(p, original);
}
