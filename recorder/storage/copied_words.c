/* Finds the words that a transaction copies from the record before it. The caller states how many
 * bytes before the item can be read. */
#include "copied_words.h"

#include <string.h>

#define COPIED_AT_ONCE 4u

/* Copies words without a call. May copy up to three further words. The bytes after the items of a
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
    const uint32_t distance = ftr_copied_distance(item);
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
