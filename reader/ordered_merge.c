/* Owns the order of transactions: the set of open chunks, and the choice of the next transaction
 * among them. A chunk is opened when the merge reaches its start time; its transactions are sorted
 * then. If the open chunks exceed this pass's share of memory, their remaining transactions are
 * written to one sorted run in a temporary file. Does not know the content of transactions. */
#include "ordered_merge.h"

#include "growing_array.h"
#include "spill_file.h"

#include <stdlib.h>
#include <string.h>

/* Fraction of the budget for one pass: leaves room for two passes and the dictionary. */
#define SHARE 3

typedef struct sorted_entry {
    uint64_t time;
    uint32_t offset;
    uint32_t size : 31;
    uint32_t late : 1;
} sorted_entry;

/* An open chunk or a run. `key` is that of its next transaction. */
typedef struct merge_input {
    ftr_sort_key key;
    bool is_run;
    uint32_t chunk; /* chunk of the next transaction */
    /* for a chunk */
    ftr_content *content;
    sorted_entry *entries;
    size_t count, next;
    size_t held;
    /* for a run */
    ftr_run run;
    const uint8_t *bytes;
    uint32_t size;
} merge_input;

struct ftr_merge {
    ftr_selection *selection;
    uint32_t *order; /* chunks sorted by their starts */
    size_t order_count, order_capacity, order_next;
    merge_input **heap; /* a heap: the input with the next transaction is first */
    size_t heap_count, heap_capacity;
    size_t held;  /* bytes of the open chunks */
    size_t share; /* limit for `held` */
    ftr_spill spill;
    sorted_entry *scratch; /* for sorting, and for entries before their number is known */
    size_t scratch_capacity;
    bool advance; /* the first input's transaction has been returned */
};

/* ---- the heap -------------------------------------------------------------------------------- */

static void sift_down(ftr_merge *merge, size_t at)
{
    merge_input **heap = merge->heap;
    merge_input *moving = heap[at];
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= merge->heap_count)
            break;
        if (child + 1 < merge->heap_count &&
            ftr_key_before(&heap[child + 1]->key, &heap[child]->key))
            child++;
        if (!ftr_key_before(&heap[child]->key, &moving->key))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

static ftr_status push(ftr_merge *merge, merge_input *input)
{
    ftr_budget *budget = &merge->selection->reader->budget;
    const ftr_status status = ftr_array_reserve(budget, &merge->heap, &merge->heap_capacity,
                                                merge->heap_count + 1, sizeof(merge_input *));
    if (status != FTR_OK)
        return status;
    size_t at = merge->heap_count++;
    while (at > 0 && ftr_key_before(&input->key, &merge->heap[(at - 1) / 2]->key)) {
        merge->heap[at] = merge->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    merge->heap[at] = input;
    return FTR_OK;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void set_chunk_key(merge_input *input)
{
    const sorted_entry *entry = &input->entries[input->next];
    input->key = (ftr_sort_key){entry->time, (uint64_t)input->chunk << 32 | entry->offset,
                                (uint8_t)entry->late};
}

static void free_input(ftr_merge *merge, merge_input *input)
{
    ftr_reader *reader = merge->selection->reader;
    if (input->is_run) {
        ftr_run_release(&input->run);
    } else {
        if (input->content != NULL)
            ftr_chunk_cache_unpin(&reader->cache, input->content);
        free(input->entries);
        merge->held -= input->held;
    }
    ftr_budget_release(&reader->budget, sizeof *input + input->count * sizeof *input->entries);
    free(input);
}

/* Moves to the input's next transaction. FTR_ERR_END if there are no more. */
static ftr_status advance_input(merge_input *input)
{
    if (!input->is_run) {
        if (++input->next == input->count)
            return FTR_ERR_END;
        set_chunk_key(input);
        return FTR_OK;
    }
    const ftr_status status = ftr_run_next(&input->run, &input->key, &input->bytes, &input->size);
    input->chunk = (uint32_t)(input->key.location >> 32);
    return status;
}

/* Moves the first input past its current transaction. */
static ftr_status advance_first(ftr_merge *merge)
{
    merge_input *first = merge->heap[0];
    const ftr_status status = advance_input(first);
    if (status == FTR_ERR_END) {
        free_input(merge, first);
        merge->heap[0] = merge->heap[--merge->heap_count];
    } else if (status != FTR_OK) {
        return status;
    }
    if (merge->heap_count > 0)
        sift_down(merge, 0);
    return FTR_OK;
}

/* ---- sorting a chunk ------------------------------------------------------------------------- */

static bool entry_before(const sorted_entry *a, const sorted_entry *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->late != b->late ? a->late < b->late : a->offset < b->offset;
}

static int compare_entries(const void *a, const void *b)
{
    return entry_before(a, b) ? -1 : entry_before(b, a);
}

/* Insertion sort: entries are mostly sorted already, or a few positions off. */
static void sort_entries(sorted_entry *entries, size_t count)
{
    size_t moves = 0;
    for (size_t i = 1; i < count; i++) {
        const sorted_entry entry = entries[i];
        size_t at = i;
        while (at > 0 && entry_before(&entry, &entries[at - 1])) {
            entries[at] = entries[at - 1];
            at--;
        }
        entries[at] = entry;
        moves += i - at;
        if (moves > 16 * count) {
            qsort(entries, count, sizeof *entries, compare_entries);
            return;
        }
    }
}

static ftr_status add_scratch(ftr_merge *merge, size_t count, const sorted_entry *entry)
{
    if (count == merge->scratch_capacity) {
        const ftr_status status =
            ftr_array_reserve(&merge->selection->reader->budget, &merge->scratch,
                              &merge->scratch_capacity, count + 1, sizeof *merge->scratch);
        if (status != FTR_OK)
            return status;
    }
    merge->scratch[count] = *entry;
    return FTR_OK;
}

/* Collects the requested transactions of a chunk in merge->scratch. */
static ftr_status collect(ftr_merge *merge, const ftr_chunk *chunk, const ftr_content *content,
                          size_t *collected)
{
    ftr_selection *selection = merge->selection;
    const bool by_end = selection->query.order == FTR_ORDER_END;
    ftr_tx_walk walk;
    ftr_tx_head head;
    size_t count = 0;
    bool early = false;
    ftr_tx_walk_init(&walk, content->bytes, content->size, &selection->reader->forms);
    ftr_status status;
    while ((status = ftr_tx_walk_next(&walk, &head)) == FTR_OK || status == FTR_ERR_ARGUMENT) {
        const uint32_t offset = (uint32_t)(head.entry - content->bytes);
        if (status != FTR_OK) {
            ftr_selection_report(selection->reader, chunk, offset, status);
            continue;
        }
        if (!ftr_selection_includes(selection, chunk, &head))
            continue;
        const size_t size = (size_t)(head.next - head.entry);
        if (size > INT32_MAX) {
            ftr_selection_report(selection->reader, chunk, offset, FTR_ERR_ARGUMENT);
            continue;
        }
        sorted_entry entry = {.time = head.begin, .offset = offset, .size = size & INT32_MAX};
        early |= head.begin < chunk->start;
        if (by_end) {
            entry.time = head.end > head.begin ? head.end : head.begin;
            entry.late = head.end <= head.begin ? 1 : 0;
        }
        status = add_scratch(merge, count++, &entry);
        if (status != FTR_OK)
            return status;
    }
    if (status != FTR_ERR_END)
        ftr_selection_report(selection->reader, chunk, ftr_cbor_reader_offset(&walk.r), status);
    ftr_findings_add_trailing(&selection->reader->findings, chunk->offset, &walk.r);
    if (early && !chunk->inverted_range)
        ftr_findings_add(&selection->reader->findings, FTR_RULE_CHUNK_RANGE, chunk->offset, 0,
                         "transactions begin before the declared start of their chunk: they may be "
                         "out of order");
    *collected = count;
    return FTR_OK;
}

/* ---- opening and spilling -------------------------------------------------------------------- */

/* Merges all open chunks into one run. */
static ftr_status spill(ftr_merge *merge)
{
    ftr_budget *budget = &merge->selection->reader->budget;
    merge_input *input = calloc(1, sizeof *input);
    if (input == NULL)
        return FTR_ERR_MEMORY;
    budget->used += sizeof *input;
    input->is_run = true;
    ftr_status status = ftr_spill_begin(&merge->spill, &input->run);
    /* Existing runs are kept: only chunks are merged into the new one. The runs move to the front
     * of the heap array, and the heap is rebuilt from the rest. */
    size_t kept = 0;
    for (size_t i = 0; i < merge->heap_count; i++)
        if (merge->heap[i]->is_run) {
            merge_input *run = merge->heap[i];
            merge->heap[i] = merge->heap[kept];
            merge->heap[kept++] = run;
        }
    ftr_merge chunks = *merge;
    chunks.heap = merge->heap + kept;
    chunks.heap_count = merge->heap_count - kept;
    for (size_t i = chunks.heap_count; i-- > 0;)
        sift_down(&chunks, i);
    while (status == FTR_OK && chunks.heap_count > 0) {
        const merge_input *first = chunks.heap[0];
        const sorted_entry *entry = &first->entries[first->next];
        status = ftr_spill_put(&merge->spill, &input->run, &first->key,
                               first->content->bytes + entry->offset, entry->size);
        if (status == FTR_OK)
            status = advance_first(&chunks);
    }
    merge->heap_count = kept + chunks.heap_count;
    merge->held = chunks.held;
    if (status == FTR_OK)
        status = ftr_spill_end(&merge->spill, &input->run);
    for (size_t i = merge->heap_count; i-- > 0;)
        sift_down(merge, i);
    if (status == FTR_OK)
        status = advance_input(input);
    if (status == FTR_OK)
        return push(merge, input);
    free_input(merge, input);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* Opens @p index. FTR_ERR_LIMIT if it exceeds the budget; FTR_ERR_END if it has no requested
 * transactions. */
static ftr_status open_chunk(ftr_merge *merge, uint32_t index)
{
    ftr_reader *reader = merge->selection->reader;
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    ftr_content *content;
    ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status != FTR_OK)
        return status == FTR_ERR_FORMAT ? FTR_ERR_END : status;
    size_t count = 0;
    status = collect(merge, chunk, content, &count);
    merge_input *input = NULL;
    if (status == FTR_OK && count == 0)
        status = FTR_ERR_END;
    const size_t held = sizeof *input + count * sizeof(sorted_entry);
    if (status == FTR_OK && !ftr_budget_reserve(&reader->budget, held))
        status = FTR_ERR_LIMIT;
    if (status != FTR_OK) {
        ftr_chunk_cache_unpin(&reader->cache, content);
        return status;
    }
    input = calloc(1, sizeof *input);
    sorted_entry *entries = malloc(count * sizeof *entries);
    if (input == NULL || entries == NULL) {
        free(input);
        free(entries);
        ftr_budget_release(&reader->budget, held);
        ftr_chunk_cache_unpin(&reader->cache, content);
        return FTR_ERR_MEMORY;
    }
    memcpy(entries, merge->scratch, count * sizeof *entries);
    sort_entries(entries, count);
    *input = (merge_input){.chunk = index,
                           .content = content,
                           .entries = entries,
                           .count = count,
                           .held = held + content->held};
    set_chunk_key(input);
    merge->held += input->held;
    status = push(merge, input);
    if (status != FTR_OK)
        free_input(merge, input);
    return status;
}

static ftr_status open_or_spill(ftr_merge *merge, uint32_t index)
{
    ftr_status status = FTR_OK;
    if (merge->held > merge->share)
        status = spill(merge);
    if (status == FTR_OK)
        status = open_chunk(merge, index);
    if (status == FTR_ERR_LIMIT && merge->held > 0) {
        status = spill(merge);
        if (status == FTR_OK)
            status = open_chunk(merge, index);
    }
    if (status == FTR_ERR_LIMIT) {
        ftr_reader *reader = merge->selection->reader;
        ftr_chunk_cache_refuse(&reader->cache, ftr_chunk_at(reader, index));
        return FTR_OK;
    }
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static uint64_t start_of(const ftr_chunk *chunk)
{
    return chunk->inverted_range ? 0 : chunk->start;
}

static int compare_starts(const void *a, const void *b, void *user)
{
    const ftr_reader *reader = user;
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    const uint64_t start_x = start_of(ftr_chunk_at(reader, x));
    const uint64_t start_y = start_of(ftr_chunk_at(reader, y));
    if (start_x != start_y)
        return start_x < start_y ? -1 : 1;
    return x < y ? -1 : x > y;
}

ftr_status ftr_merge_create(ftr_selection *selection, ftr_merge **created)
{
    ftr_reader *reader = selection->reader;
    ftr_merge *merge = calloc(1, sizeof *merge);
    if (merge == NULL)
        return FTR_ERR_MEMORY;
    merge->selection = selection;
    merge->share = reader->budget.limit / SHARE;
    ftr_spill_init(&merge->spill, reader->temporaries, &reader->budget);
    for (size_t i = 0; i < reader->chunk_count; i++) {
        if (!ftr_selection_may_include(selection, ftr_chunk_at(reader, i)))
            continue;
        const ftr_status status =
            ftr_array_reserve(&reader->budget, &merge->order, &merge->order_capacity,
                              merge->order_count + 1, sizeof *merge->order);
        if (status != FTR_OK) {
            ftr_merge_destroy(merge);
            return status;
        }
        merge->order[merge->order_count++] = (uint32_t)i;
    }
    if (merge->order_count > 0)
        qsort_r(merge->order, merge->order_count, sizeof *merge->order, compare_starts, reader);
    *created = merge;
    return FTR_OK;
}

void ftr_merge_destroy(ftr_merge *merge)
{
    if (merge == NULL)
        return;
    ftr_budget *budget = &merge->selection->reader->budget;
    for (size_t i = 0; i < merge->heap_count; i++)
        free_input(merge, merge->heap[i]);
    ftr_spill_release(&merge->spill);
    ftr_array_release(budget, merge->heap, merge->heap_capacity, sizeof(merge_input *));
    ftr_array_release(budget, merge->order, merge->order_capacity, sizeof *merge->order);
    ftr_array_release(budget, merge->scratch, merge->scratch_capacity, sizeof *merge->scratch);
    free(merge);
}

ftr_status ftr_merge_next(ftr_merge *merge, ftr_transaction *tx)
{
    ftr_reader *reader = merge->selection->reader;
    for (;;) {
        if (merge->advance) {
            merge->advance = false;
            const ftr_status status = advance_first(merge);
            if (status != FTR_OK)
                return status;
        }
        while (merge->order_next < merge->order_count) {
            const uint32_t index = merge->order[merge->order_next];
            if (merge->heap_count > 0 &&
                start_of(ftr_chunk_at(reader, index)) > merge->heap[0]->key.time)
                break;
            merge->order_next++;
            const ftr_status status = open_or_spill(merge, index);
            if (status != FTR_OK)
                return status;
        }
        if (merge->heap_count == 0)
            return FTR_ERR_END;
        const merge_input *first = merge->heap[0];
        ftr_tx_head head;
        if (first->is_run) {
            ftr_tx_parse_again(first->bytes, first->size, first->size, &reader->forms, &head);
        } else {
            const sorted_entry *entry = &first->entries[first->next];
            ftr_tx_parse_again(first->content->bytes + entry->offset, entry->size,
                               first->content->size - entry->offset, &reader->forms, &head);
        }
        merge->advance = true;
        if (ftr_transaction_fill(reader, ftr_chunk_at(reader, first->chunk),
                                 first->key.location & UINT32_MAX, &head, tx))
            return FTR_OK;
    }
}
