/* Transactions of a stream that wait to be counted in order of end. They are recorded approximately
 * in this order: a transaction may be recorded after transactions that end later. */
#ifndef FTR_END_ORDER_H
#define FTR_END_ORDER_H

#include <ftr/detail/inline_macros.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Number of transactions of a stream that wait, so that a transaction that is recorded later can
 * come before them. */
#define FTR_WAITING_MIN ((size_t)1024)
/* Maximum number of transactions that wait for the records of other threads. */
#define FTR_WAITING_MAX ((size_t)65536)

typedef struct ftr_waiting_tx {
    uint64_t begin, end;
    uint32_t generator; /* any number; set by the caller */
} ftr_waiting_tx;

/* `{0}` is empty. */
typedef struct ftr_end_order {
    ftr_waiting_tx *of;
    size_t first; /* index of the first transaction in `of`; those before it were removed */
    size_t end;   /* index behind the last one */
    size_t capacity;
    size_t sorted; /* index behind the transactions, from the first one on, that are in order */
} ftr_end_order;

static inline size_t ftr_end_order_count(const ftr_end_order *order)
{
    return order->end - order->first;
}

/* Makes room for one transaction. @return false if out of memory */
bool ftr_end_order_make_room(ftr_end_order *order);

/* Adds a transaction at the end. @return false if out of memory */
static inline bool ftr_end_order_add(ftr_end_order *order, uint64_t begin, uint64_t end,
                                     uint32_t generator)
{
    if (!FTR_LIKELY(order->end < order->capacity) && !ftr_end_order_make_room(order))
        return false;
    ftr_waiting_tx *const added = &order->of[order->end++];
    added->begin = begin;
    added->end = end;
    added->generator = generator;
    return true;
}

/* Sorts the transactions by end; transactions with the same end by begin, so that transactions
 * without duration come last. */
void ftr_end_order_sort(ftr_end_order *order);

/* Removes the first @p count transactions. */
void ftr_end_order_remove(ftr_end_order *order, size_t count);

/* Frees the memory that is not used. */
void ftr_end_order_shrink(ftr_end_order *order);

void ftr_end_order_release(ftr_end_order *order);

#endif
