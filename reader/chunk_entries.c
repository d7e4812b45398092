/* The order of the transactions within a chunk, and the bytes prepared for them. */
#include "chunk_entries.h"

#include "growing_array.h"

#include <stdlib.h>

static bool entry_before(const ftr_chunk_entry *a, const ftr_chunk_entry *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->late != b->late ? a->late < b->late : a->offset < b->offset;
}

static int compare_entries(const void *a, const void *b)
{
    return entry_before(a, b) ? -1 : entry_before(b, a);
}

/* Insertion sort: most entries are already in place, or a few positions away from it. */
void ftr_chunk_entries_sort(ftr_chunk_entry *list, size_t count)
{
    size_t moves = 0;
    for (size_t i = 1; i < count; i++) {
        if (!entry_before(&list[i], &list[i - 1]))
            continue;
        const ftr_chunk_entry entry = list[i];
        size_t at = i;
        while (at > 0 && entry_before(&entry, &list[at - 1])) {
            list[at] = list[at - 1];
            at--;
        }
        list[at] = entry;
        moves += i - at;
        if (moves > 16 * count) {
            qsort(list, count, sizeof *list, compare_entries);
            return;
        }
    }
}

/* ---- prepared bytes -------------------------------------------------------------------------- */

#define PREPARED_MIN ((size_t)16 << 10)
#define PREPARED_MAX ((size_t)UINT32_MAX - FTR_PREPARED_ALIGNMENT)
/* Distance in bytes from the appended bytes to the memory that is prefetched for later bytes. */
#define STORE_AHEAD 512u

/* Makes room for @p size more bytes. @return false if out of memory */
static __attribute__((noinline)) bool grow(ftr_prepared *prepared, size_t size)
{
    const size_t needed = prepared->size + size;
    if (size > INT32_MAX || needed > PREPARED_MAX || prepared->failed ||
        !ftr_array_fit(&prepared->bytes, &prepared->capacity,
                       needed > PREPARED_MIN ? needed : PREPARED_MIN, 1))
        prepared->failed = true;
    return !prepared->failed;
}

void *ftr_prepared_append(ftr_prepared *prepared, size_t size)
{
    const size_t before = prepared->size;
    const size_t end = prepared->capacity < PREPARED_MAX ? prepared->capacity : PREPARED_MAX;
    if (size > end - before && !grow(prepared, size))
        return NULL;
    prepared->size = before + size;
    /* Another thread has usually read this memory before, so it is in the cache of that thread's
     * processor, and a store would wait for it. */
    if (size > 0)
        __builtin_prefetch(prepared->bytes + before + STORE_AHEAD, 1);
    return prepared->bytes + before;
}

/* Sets @p entry to the bytes after the first @p before bytes of @p prepared, which a function of
 * the query has appended. If they are not @p wanted, removes them and returns FTR_ERR_END. */
static inline ftr_status locate(ftr_prepared *prepared, size_t before, bool wanted,
                                ftr_chunk_entry *entry)
{
    const size_t size = prepared->size - before;
    const size_t padding = ftr_prepared_padding(size);
    if (wanted && padding > 0)
        (void)ftr_prepared_append(prepared, padding);
    if (prepared->failed || size > INT32_MAX)
        return FTR_ERR_MEMORY;
    if (!wanted) {
        prepared->size = before;
        return FTR_ERR_END;
    }
    entry->offset = (uint32_t)before;
    entry->size = size & INT32_MAX;
    return FTR_OK;
}

ftr_status ftr_chunk_prepare(const ftr_selection *selection, unsigned thread, ftr_transaction *tx,
                             ftr_prepared *prepared, ftr_chunk_entry *entry)
{
    const ftr_query *query = &selection->query;
    const size_t before = prepared->size;
    const bool wanted =
        query->prepare(query->prepare_user, thread, selection->reader, tx, prepared);
    return locate(prepared, before, wanted, entry);
}

ftr_status ftr_chunk_conclude(const ftr_selection *selection, unsigned thread,
                              ftr_prepared *prepared, ftr_chunk_entry *entry)
{
    const ftr_query *query = &selection->query;
    const size_t before = prepared->size;
    if (query->conclude != NULL)
        query->conclude(query->prepare_user, thread, prepared);
    return locate(prepared, before, prepared->size > before, entry);
}

/* ---- collecting ------------------------------------------------------------------------------ */

static ftr_status add(ftr_chunk_entries *entries, ftr_budget *budget, const ftr_chunk_entry *entry)
{
    if (entries->count == entries->capacity) {
        const ftr_status status = ftr_array_reserve(budget, &entries->list, &entries->capacity,
                                                    entries->count + 1, sizeof *entries->list);
        if (status != FTR_OK)
            return status;
    }
    entries->list[entries->count++] = *entry;
    return FTR_OK;
}

static void set_time(const ftr_selection *selection, const ftr_tx_head *head,
                     ftr_chunk_entry *entry)
{
    entry->time = head->begin;
    if (selection->query.order == FTR_ORDER_END) {
        entry->time = head->end > head->begin ? head->end : head->begin;
        entry->late = head->end <= head->begin ? 1 : 0;
    }
}

/* Estimates a count for a content of @p size bytes from @p count in a content of @p latest bytes:
 * proportional, plus 1/16. Returns 0 if no estimate is possible. */
static size_t expected(size_t count, size_t latest, size_t size)
{
    return latest > 0 && count < UINT32_MAX && size < UINT32_MAX
               ? (size_t)((uint64_t)(count + count / 16) * size / latest)
               : 0;
}

/* Reserves memory for all expected entries and prepared bytes: an array that grows is copied at
 * each step. */
static void reserve_expected(const ftr_selection *selection, ftr_budget *budget, size_t size,
                             bool prepares, ftr_chunk_entries *entries)
{
    ftr_prepared *prepared = &entries->prepared;
    const size_t latest = selection->latest_content;
    (void)ftr_array_reserve(budget, &entries->list, &entries->capacity,
                            expected(selection->latest_count, latest, size), sizeof *entries->list);
    if (prepares)
        (void)ftr_array_fit(&prepared->bytes, &prepared->capacity,
                            expected(selection->latest_prepared, latest, size), 1);
}

static ftr_status collect(ftr_selection *selection, const ftr_chunk *chunk,
                          const ftr_content *content, ftr_budget *budget, bool prepares,
                          unsigned thread, ftr_chunk_entries *entries)
{
    ftr_reader *reader = selection->reader;
    ftr_tx_walk walk;
    ftr_tx_head head;
    ftr_transaction tx;
    bool early = false;
    ftr_status status;
    ftr_tx_walk_init(&walk, content->bytes, content->size, &reader->forms);
    while ((status = ftr_tx_walk_next(&walk, &head)) == FTR_OK || status == FTR_ERR_ARGUMENT) {
        const uint32_t offset = (uint32_t)(head.entry - content->bytes);
        const size_t size = (size_t)(head.next - head.entry);
        if (status != FTR_OK || size > INT32_MAX) {
            ftr_selection_report(reader, chunk, offset, FTR_ERR_ARGUMENT);
            continue;
        }
        if (!ftr_selection_includes(selection, chunk, &head))
            continue;
        ftr_chunk_entry entry = {.offset = offset, .size = size & INT32_MAX};
        set_time(selection, &head, &entry);
        early |= head.begin < chunk->start;
        if (prepares) {
            if (!ftr_transaction_fill(reader, chunk, offset, &head, &tx))
                continue;
            status = ftr_chunk_prepare(selection, thread, &tx, &entries->prepared, &entry);
            if (status == FTR_ERR_END)
                continue;
            if (status == FTR_OK && entries->prepared.size > budget->limit)
                status = FTR_ERR_LIMIT;
            if (status != FTR_OK)
                return status;
        }
        status = add(entries, budget, &entry);
        if (status != FTR_OK)
            return status;
    }
    if (status != FTR_ERR_END)
        ftr_selection_report(reader, chunk, ftr_cbor_reader_offset(&walk.r), status);
    ftr_findings_add_trailing(&reader->findings, chunk->offset, &walk.r);
    if (early && !chunk->inverted_range && selection->query.order != FTR_ORDER_STORED)
        ftr_findings_add(&reader->findings, FTR_RULE_CHUNK_RANGE, chunk->offset, 0,
                         "transactions begin before the declared start of their chunk: they may be "
                         "out of order");
    return FTR_OK;
}

/* Adds the bytes of the query's function `conclude`. They come after the bytes of all transactions.
 * `conclude` is called even after an error, so that its next call does not include the transactions
 * of this chunk. */
static ftr_status conclude(const ftr_selection *selection, ftr_budget *budget, unsigned thread,
                           ftr_chunk_entries *entries)
{
    ftr_chunk_entry entry = {.late = 1};
    const ftr_status status = ftr_chunk_conclude(selection, thread, &entries->prepared, &entry);
    if (status != FTR_OK)
        return status == FTR_ERR_END ? FTR_OK : status;
    for (size_t i = 0; i < entries->count; i++)
        entry.time = entries->list[i].time > entry.time ? entries->list[i].time : entry.time;
    return add(entries, budget, &entry);
}

ftr_status ftr_chunk_collect(ftr_selection *selection, const ftr_chunk *chunk,
                             const ftr_content *content, ftr_budget *budget, bool prepares,
                             unsigned thread, ftr_chunk_entries *entries)
{
    entries->count = 0;
    reserve_expected(selection, budget, content->size, prepares, entries);
    ftr_status status = collect(selection, chunk, content, budget, prepares, thread, entries);
    if (prepares) {
        const ftr_status concluded = conclude(selection, budget, thread, entries);
        status = status == FTR_OK ? concluded : status;
    }
    selection->latest_count = entries->count;
    selection->latest_prepared = entries->prepared.size;
    selection->latest_content = content->size;
    return status;
}
