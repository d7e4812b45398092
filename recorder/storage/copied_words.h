/* Transactions with copied attributes: their only item (FTR_ITEM_COPIED) refers to words of the
 * preceding record in the block. The functions here convert this item into a row of words
 * (FTR_ITEM_WORDS), as if the transaction contained these words itself. */
#ifndef FTR_COPIED_WORDS_H
#define FTR_COPIED_WORDS_H

#include <string.h>

#include <ftr/detail/observed_calls.h>

#include "record.h"

/* Maximum number of words in the record from which words are copied. */
#define FTR_COPIED_WORDS_MAX 32

/* Memory for one row of words. */
typedef struct ftr_words_row {
    ftr_item head;
    /* the second word and later words, the padding of the row, and room so that several words can
     * be copied at once */
    uint64_t more[FTR_COPIED_WORDS_MAX + 4];
} ftr_words_row;

typedef struct ftr_items {
    const uint8_t *at;
    size_t size; /* bytes */
} ftr_items;

static inline bool ftr_items_are_copied(const ftr_stored_tx *tx, const uint8_t *items)
{
    return tx->items_size == sizeof(ftr_item) &&
           ((const ftr_item *)items)->attribute == FTR_ITEM_COPIED;
}

/* Returns the distance in bytes from @p item to the items from which it copies. */
static inline uint32_t ftr_copied_distance(const ftr_item *item)
{
    uint32_t distance;
    memcpy(&distance, (const uint8_t *)item + sizeof item->attribute, sizeof distance);
    return distance;
}

/* Returns the number of copied words of @p item. */
static inline size_t ftr_copied_count(const ftr_item *item)
{
    /* one multiplication adds the counts of all four ranges, in the highest 16 bits */
    const uint64_t counts = item->value >> 8 & UINT64_C(0x00ff00ff00ff00ff);
    return counts * UINT64_C(0x0001000100010001) >> 48;
}

/* Writes the copied words of @p item to @p row. Returns the row as items. The size of the items is
 * 0 if @p item is invalid.
 * @param declared the declared attributes of the transaction's generator
 * @param room     number of readable bytes before @p item */
ftr_items ftr_copied_items(const ftr_item *item, const ftr_declared_list *declared, size_t room,
                           ftr_words_row *row);

/* Returns the items of a valid transaction: those at @p items or, if its attributes are copied, the
 * row in @p row. */
static inline ftr_items ftr_items_of(const ftr_stored_tx *tx, const uint8_t *items,
                                     const ftr_declared_list *declared, ftr_words_row *row)
{
    if (FTR_LIKELY(!ftr_items_are_copied(tx, items)))
        return (ftr_items){items, tx->items_size};
    return ftr_copied_items((const ftr_item *)items, declared, SIZE_MAX, row);
}

#endif
