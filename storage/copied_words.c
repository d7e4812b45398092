/* Finds the words that a transaction copies from the record before it. Does not know blocks: the
 * caller states how many bytes before the item can be read. */
#include "copied_words.h"

#include <string.h>

#define COPIED_AT_ONCE 4u

/* Copies words without a call. May copy up to three further words: the bytes after the items of a
 * record are readable, because the header of the record with the copied item follows. */
static inline void copy_words(uint64_t *to, const uint64_t *from, size_t count)
{
    for (size_t i = 0; i < count; i += COPIED_AT_ONCE) {
        memcpy(to + i, from + i, COPIED_AT_ONCE * sizeof *to);
        __asm__("" : "+r"(to)); /* rows are short, so the compiler must not unroll the loop */
    }
}

/* Copies the words of the items in [at, end) to @p words. Returns the number of words; 0 if there
 * are more than FTR_COPIED_WORDS_MAX, or if an item is invalid or has a text. */
static size_t collect_words(const uint8_t *at, const uint8_t *end, uint64_t *words)
{
    size_t count = 0;
    while (at < end) {
        const ftr_item *item = (const ftr_item *)at;
        const bool is_row = ftr_item_is_words(item);
        const size_t more = is_row ? item->name_length : 1;
        const size_t size = ftr_words_size(more);
        if ((!is_row && (item->attribute & FTR_ITEM_WORDS || item->form == FTR_ITEM_FORM_TEXT)) ||
            size == 0 || size > (size_t)(end - at) || more > FTR_COPIED_WORDS_MAX - count)
            return 0;
        copy_words(words + count, &item->value, more);
        count += more;
        at += size;
    }
    return count;
}

static inline void set_row(ftr_words_row *row, const ftr_declared_list *declared, size_t count)
{
    row->head.attribute = declared->first | FTR_ITEM_WORDS;
    row->head.type = 0;
    row->head.form = 0;
    row->head.name_length = (uint16_t)count;
}

ftr_items ftr_copied_items(const ftr_item *item, const ftr_declared_list *declared, size_t room,
                           ftr_words_row *row)
{
    static const ftr_items none = {NULL, 0};
    uint64_t words[FTR_COPIED_WORDS_MAX + COPIED_AT_ONCE];
    uint32_t distance;
    memcpy(&distance, (const uint8_t *)item + sizeof item->attribute, sizeof distance);
    if (distance > room || distance < FTR_RECORD_HEADER_SIZE || distance % sizeof(uint64_t) != 0)
        return none;
    const uint8_t *const end = (const uint8_t *)item - FTR_RECORD_HEADER_SIZE;
    const size_t available = collect_words((const uint8_t *)item - distance, end, words);
    size_t count = 0;
    for (unsigned i = 0; i < FTR_COPIED_RANGES; i++) {
        const size_t first = item->value >> (16 * i) & 0xff;
        const size_t size = item->value >> (16 * i + 8) & 0xff;
        if (size == 0)
            continue;
        if (first + size > available || size > declared->count - count ||
            size > FTR_COPIED_WORDS_MAX - count)
            return none;
        copy_words(&row->head.value + count, words + first, size);
        count += size;
    }
    set_row(row, declared, count);
    return (ftr_items){(const uint8_t *)row, ftr_words_size(count)};
}

/* ---- the same places again ------------------------------------------------------------------- */

static uint32_t distance_of(const ftr_item *item)
{
    uint32_t distance;
    memcpy(&distance, (const uint8_t *)item + sizeof item->attribute, sizeof distance);
    return distance;
}

/* Adds the part of the words [first, first + count) that the item at offset @p at contains, whose
 * words are [before, before + words). Returns false if there is no room. */
static bool add_part(ftr_copied_places *places, size_t first, size_t count, size_t at,
                     size_t before, size_t words)
{
    const size_t from = first > before ? first : before;
    const size_t end = first + count < before + words ? first + count : before + words;
    if (from >= end)
        return true;
    if (places->runs == FTR_COPIED_ITEMS)
        return false;
    places->words[places->runs].from =
        (uint32_t)(at + offsetof(ftr_item, value) + (from - before) * sizeof(uint64_t));
    places->words[places->runs].to = places->count;
    places->words[places->runs].count = (uint32_t)(end - from);
    places->runs++;
    places->count += (uint32_t)(end - from);
    return true;
}

/* Finds the places of the words of a range in the items of the other transaction. */
static bool add_range(ftr_copied_places *places, size_t first, size_t count)
{
    size_t before = 0;
    for (uint32_t i = 0; i < places->heads; i++) {
        ftr_item item = {0};
        memcpy(&item, &places->items[i].head, sizeof places->items[i].head);
        const size_t words = ftr_item_is_words(&item) ? item.name_length : 1;
        if (!add_part(places, first, count, places->items[i].at, before, words))
            return false;
        before += words;
    }
    return true;
}

/* Remembers the places of the words of @p item, which is valid. */
static void learn(ftr_copied_places *places, const ftr_item *item, uint32_t first)
{
    const uint32_t distance = distance_of(item);
    const uint8_t *const from = (const uint8_t *)item - distance;
    *places = (ftr_copied_places){.first = first};
    for (uint32_t at = 0; at < distance - FTR_RECORD_HEADER_SIZE;) {
        const ftr_item *source = (const ftr_item *)(from + at);
        if (places->heads == FTR_COPIED_ITEMS)
            return;
        memcpy(&places->items[places->heads].head, source, sizeof places->items[0].head);
        places->items[places->heads++].at = at;
        at += (uint32_t)ftr_words_size(ftr_item_is_words(source) ? source->name_length : 1);
    }
    for (unsigned i = 0; i < FTR_COPIED_RANGES; i++)
        if (!add_range(places, item->value >> (16 * i) & 0xff, item->value >> (16 * i + 8) & 0xff))
            return;
    memcpy(places->item, item, sizeof places->item);
}

/* Returns whether the items of the other transaction have the known form. */
static bool are_known(const ftr_copied_places *places, const ftr_item *item, const uint8_t *from,
                      uint32_t first)
{
    if (memcmp(item, places->item, sizeof places->item) != 0 || places->first != first)
        return false;
    for (uint32_t i = 0; i < places->heads; i++)
        if (memcmp(from + places->items[i].at, &places->items[i].head, sizeof(uint64_t)) != 0)
            return false;
    return true;
}

ftr_items ftr_copied_again(ftr_copied_places *places, const ftr_item *item,
                           const ftr_declared_list *declared, ftr_words_row *row)
{
    const uint8_t *const from = (const uint8_t *)item - distance_of(item);
    if (!are_known(places, item, from, declared->first)) {
        const ftr_items items = ftr_copied_items(item, declared, SIZE_MAX, row);
        places->item[0] = 0;
        if (items.size > 0)
            learn(places, item, declared->first);
        return items;
    }
    for (uint32_t i = 0; i < places->runs; i++)
        copy_words(&row->head.value + places->words[i].to,
                   (const uint64_t *)(from + places->words[i].from), places->words[i].count);
    set_row(row, declared, places->count);
    return (ftr_items){(const uint8_t *)row, ftr_words_size(places->count)};
}
