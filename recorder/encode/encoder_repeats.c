/* Keeps the previous items with their encoded bytes. In one file, equal words of an attribute have
 * equal encoded bytes. */
#include "encoder_repeats.h"

#include <stdlib.h>
#include <string.h>

#include "encoder_kept_items.h"
#include "encoder_values.h"

#define ITEMS_BITS 10

void ftr_encoder_reset_repeats(ftr_encoder *encoder)
{
    for (size_t i = 0; encoder->recent_items != NULL && i < (size_t)1 << ITEMS_BITS; i++) {
        if (encoder->recent_items[i].head) /* does not touch unused memory */
            encoder->recent_items[i].head = 0;
    }
}

static inline bool has_key(const ftr_recent_items *recent, uint64_t head, uint32_t size)
{
    return recent->head == head && recent->items_size == size;
}

/* Forgets the items at the place @p recent, and assigns the place to other items. */
static __attribute__((noinline)) ftr_recent_items *assign(ftr_recent_items *recent, uint64_t head,
                                                          uint32_t size)
{
    recent->head = head;
    recent->items_size = size;
    recent->is_refused = false;
    recent->words_size = 0;
    recent->size = 0;
    return recent;
}

/* Returns the place of the items that start with this head and have this size. There are two
 * possible places. If both contain other items, those at the first place are replaced. Returns NULL
 * if out of memory. */
static ftr_recent_items *recent_items(ftr_encoder *encoder, uint64_t head, uint32_t size)
{
    if (!FTR_LIKELY(encoder->recent_items != NULL))
        encoder->recent_items = calloc((size_t)1 << ITEMS_BITS, sizeof *encoder->recent_items);
    if (encoder->recent_items == NULL)
        return NULL;
    const uint32_t hash = ((uint32_t)head + (uint32_t)(head >> 32) + size * UINT32_C(0x85ebca6b)) *
                          UINT32_C(0x9e3779b1);
    ftr_recent_items *const first = &encoder->recent_items[hash >> (32 - ITEMS_BITS)];
    if (FTR_LIKELY(has_key(first, head, size)))
        return first;
    ftr_recent_items *const second = &encoder->recent_items[hash >> (32 - ITEMS_BITS) ^ 1];
    if (has_key(second, head, size))
        return second;
    return assign(first->head == 0 || second->head != 0 ? first : second, head, size);
}

/* ---- the first time --------------------------------------------------------------------------
 */

/* Returns an item with one value of a form of ftr_word_place. */
static inline ftr_item item_of_word(uint8_t form, uint64_t word)
{
    const bool is_bytes = form >= FTR_WORD_BYTES;
    return (ftr_item){.form = is_bytes ? FTR_ITEM_FORM_BYTES : form,
                      .name_length = is_bytes ? form - FTR_WORD_BYTES : 0,
                      .value = word};
}

/* Encodes a word at the end of the kept bytes. Returns false if the bytes cannot be reused, because
 * equal words of the attribute can be encoded differently or with other effects. */
static bool keep_word(ftr_encoder *encoder, ftr_recent_items *recent, uint32_t index,
                      const ftr_declared_attribute *attribute, uint8_t form)
{
    ftr_word_place *place = &recent->places[index];
    if (!attribute->prefix_length || form == FTR_ITEM_FORM_REAL || form == FTR_ITEM_FORM_TEXT ||
        place->form != FTR_WORD_IGNORED)
        return false;
    const ftr_item item = item_of_word(form, recent->words[index]);
    uint8_t *p = recent->bytes + recent->size;
    memcpy(p, attribute->prefix, sizeof attribute->prefix);
    p += attribute->prefix_length;
    const size_t size = (size_t)(ftr_encoder_value_at(encoder, p, &item) - p);
    *place = (ftr_word_place){(uint16_t)(p - recent->bytes), (uint8_t)size, form};
    recent->size = (uint32_t)(place->at + size);
    recent->count++;
    return true;
}

/* Copies the words of an item to word @p first and the words after it. Marks the first one as the
 * head of the item, and the others as ignored, until keep_word() encodes them. Returns the number
 * of words. */
static uint32_t mark_item(ftr_recent_items *recent, uint32_t first, const ftr_item *item,
                          size_t size)
{
    const uint32_t count = (uint32_t)(size / sizeof(uint64_t));
    memcpy(&recent->words[first], item, size);
    for (uint32_t i = 0; i < count; i++)
        recent->places[first + i] =
            (ftr_word_place){0, 0, i == 0 ? FTR_WORD_NO_VALUE : FTR_WORD_IGNORED};
    return count;
}

/* Returns the size of an item that is a row of words, or a declared attribute without a text; 0 for
 * other items. */
static size_t item_size(const ftr_item *item)
{
    if (ftr_item_is_words(item))
        return ftr_words_size(item->name_length);
    return item->attribute & FTR_ITEM_WORDS || ftr_item_has_text(item) ? 0 : sizeof *item;
}

/* Returns the form of the value of an item that is not a row, as in ftr_word_place. */
static uint8_t form_of_word(const ftr_item *item)
{
    const unsigned form = ftr_item_form(item);
    return (uint8_t)(form == FTR_ITEM_FORM_BYTES ? FTR_WORD_BYTES + ftr_item_short_bytes(item)
                                                 : form);
}

/* Encodes and keeps the item at word @p first. Returns false if one of its words cannot be kept. */
static bool keep_item(ftr_encoder *encoder, ftr_recent_items *recent, uint32_t first,
                      const ftr_item *item)
{
    const bool is_row = ftr_item_is_words(item);
    const uint32_t count = is_row ? item->name_length : 1;
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(encoder->definitions, item->attribute & ~FTR_ITEM_WORDS);
    for (uint32_t i = 0; i < count; i++, attribute++) {
        const uint8_t form = is_row ? ftr_word_form(attribute->form) : form_of_word(item);
        if (!keep_word(encoder, recent, first + 1 + i, attribute, form))
            return false;
    }
    recent->expected = attribute;
    return true;
}

/* Encodes and keeps the items in [at, end) up to the first one that cannot be kept. Returns whether
 * @p recent contains at least the first item. */
static __attribute__((noinline)) bool keep(ftr_encoder *encoder, ftr_recent_items *recent,
                                           const uint8_t *at, const uint8_t *end)
{
    uint32_t words = 0;
    recent->size = 0;
    recent->count = 0;
    while (at < end) {
        const ftr_item *item = (const ftr_item *)at;
        const size_t size = item_size(item);
        const uint32_t count = recent->count;
        const uint32_t bytes = recent->size;
        if (size == 0 || size / sizeof(uint64_t) > FTR_KEPT_WORDS_MAX - words)
            break;
        const uint32_t more = mark_item(recent, words, item, size);
        if (!keep_item(encoder, recent, words, item)) {
            recent->count = count;
            recent->size = bytes;
            break;
        }
        words += more;
        at += size;
    }
    recent->words_size = (uint32_t)(words * sizeof(uint64_t));
    recent->is_refused = words == 0;
    return words > 0;
}

/* ---- again -----------------------------------------------------------------------------------
 */

/* Replaces the encoded bytes of a word of any form. */
static __attribute__((noinline)) void replace_any(ftr_encoder *encoder, ftr_recent_items *recent,
                                                  ftr_word_place *place, uint64_t word)
{
    uint8_t value[FTR_CBOR_HEAD_MAX];
    const ftr_item item = item_of_word(place->form, word);
    const size_t size = (size_t)(ftr_encoder_value_at(encoder, value, &item) - value);
    uint8_t *to = recent->bytes + place->at;
    const ptrdiff_t more = (ptrdiff_t)size - place->size;
    if (more != 0) {
        memmove(to + size, to + place->size, recent->size - place->at - place->size);
        recent->size = (uint32_t)(recent->size + more);
        for (uint32_t i = 0; i < recent->words_size / sizeof(uint64_t); i++) {
            if (recent->places[i].at > place->at)
                recent->places[i].at = (uint16_t)(recent->places[i].at + more);
        }
    }
    memcpy(to, value, size);
    place->size = (uint8_t)size;
}

/* Writes the head of a value with stores of fixed size, and then restores @p behind, the bytes
 * behind the head that these stores have overwritten. */
static inline void head_at(uint8_t *p, uint8_t first, uint64_t rest, size_t size, uint64_t behind)
{
    *p = first;
    memcpy(p + 1, &rest, sizeof rest);
    memcpy(p + size, &behind, sizeof behind);
}

/* Replaces a word in the kept bytes and in the copy of these bytes at @p p. Returns false if the
 * kept bytes must be copied to @p p again. */
FTR_INLINE bool replace(ftr_encoder *encoder, ftr_recent_items *recent, uint8_t *p,
                        ftr_word_place *place, uint64_t word)
{
    uint8_t head[1 + sizeof(uint64_t)] = {0};
    const bool is_bytes = place->form >= FTR_WORD_BYTES;
    const uint64_t value =
        is_bytes ? ftr_encoder_bytes(encoder, word, place->form - FTR_WORD_BYTES) : word;
    /* the sign of an integer; 0 for an unsigned number */
    const uint64_t sign = is_bytes ? 0 : word >> 63 & place->form;
    const size_t size =
        (size_t)(ftr_cbor_head_by(encoder->head_forms, head, (uint8_t)sign, value ^ (0 - sign)) -
                 head);
    if (!FTR_LIKELY(size == place->size && (place->form == FTR_ITEM_FORM_NUMBER ||
                                            place->form == FTR_ITEM_FORM_INTEGER || is_bytes))) {
        replace_any(encoder, recent, place, word);
        return false;
    }
    uint8_t *const kept = recent->bytes + place->at;
    const uint64_t rest = ftr_load_word(head + 1);
    const uint64_t behind = ftr_load_word(kept + size);
    head_at(p + place->at, head[0], rest, size, behind);
    head_at(kept, head[0], rest, size, behind);
    return true;
}

/* Replaces the words of @p recent that differ from the items at @p from. @p p is a copy of the kept
 * bytes. Returns false if the heads of the items differ. */
FTR_INLINE bool replace_words(ftr_encoder *encoder, ftr_recent_items *recent, uint8_t *p,
                              const uint8_t *from)
{
    uint64_t *words = recent->words;
    const uint64_t *const end = words + recent->words_size / sizeof *words;
    bool is_copy = true; /* whether the bytes at `p` are equal to the kept ones */
    while (words < end) {
        if (FTR_LIKELY(ftr_is_equal_pair(words, from))) { /* the number of words is even */
            words += 2;
            from += 2 * sizeof *words;
            continue;
        }
        /* prevents the compiler from keeping the compared words in registers */
        __asm__("" : "+r"(words));
        for (int i = 0; i < 2; i++, words++, from += sizeof *words) {
            const uint64_t word = ftr_load_word(from);
            ftr_word_place *const place = &recent->places[words - recent->words];
            if (word == *words)
                continue;
            if (place->form == FTR_WORD_NO_VALUE)
                return false;
            *words = word;
            if (place->form != FTR_WORD_IGNORED)
                is_copy &= replace(encoder, recent, p, place, word);
        }
    }
    if (!is_copy)
        ftr_copy_steps(p, recent->bytes, recent->size);
    return true;
}

uint8_t *ftr_encoder_words_at(ftr_encoder *encoder, uint8_t *p, const uint8_t *at,
                              const uint8_t *end)
{
    const ftr_item *item = (const ftr_item *)at;
    ftr_recent_items *recent = recent_items(encoder, ftr_load_word(at), (uint32_t)(end - at));
    bool is_repeated = false;
    if (FTR_LIKELY(recent != NULL && recent->words_size > 0)) {
        ftr_copy_steps(p, recent->bytes, recent->size);
        is_repeated = replace_words(encoder, recent, p, at);
    }
    if (!FTR_LIKELY(is_repeated)) {
        if (recent == NULL || recent->is_refused || !keep(encoder, recent, at, end)) {
            encoder->items_end.at = at + ftr_words_size(item->name_length);
            return ftr_encoder_row_at(encoder, p, item);
        }
        ftr_copy_steps(p, recent->bytes, recent->size);
    }
    encoder->items_end.at = at + recent->words_size;
    encoder->items_end.expected = recent->expected;
    encoder->items_end.count = recent->count;
    return p + recent->size;
}
