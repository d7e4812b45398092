/* Sorts transactions: keeps a set of open chunks, and chooses the next transaction among them. When
 * the merge reaches the start time of a chunk, the chunk is opened and its transactions are sorted.
 * If the open chunks exceed the share of memory of this merge, their remaining transactions are
 * written to one sorted run in a temporary file.
 *
 * In the order FTR_ORDER_STREAM, transactions are returned in bursts. A burst is all transactions
 * of one stream that begin before the next chunk of this stream. The merge returns a burst before
 * it opens that chunk. If that chunk is at place P in the order of chunks, the number of the burst
 * is 2 * P. The last burst of a stream has the number 2 * P + 1, where P is the place of the last
 * chunk of the stream, so this burst is returned before later chunks are opened. The number is the
 * first part of the sort key. Successive transactions are therefore nearly always in the same
 * chunk, and the heap does not change. */
#include "ordered_merge.h"

#include "cache_lines.h"
#include "selection.h"
#include "growing_array.h"
#include "read_ahead.h"
#include "spill_file.h"

#include <stdlib.h>
#include <string.h>

/* One merge uses at most 1 / SHARE of the budget, so that two merges and the dictionary fit. */
#define SHARE 3
/* Number of entries between the current one of an input and one in the next cache line. */
#define ENTRIES_AHEAD (FTR_CACHE_LINE / sizeof(ftr_chunk_entry))

/* An open chunk or a run. */
typedef struct merge_input {
    /* The sort key of the input's next transaction. It is not updated while the merge returns
     * transactions of this input with times before `first_until`. */
    ftr_sort_key key;
    bool is_run;
    uint32_t chunk;     /* chunk of the next transaction */
    uint64_t burst_end; /* tick at which the burst in `key` ends */
    /* for a chunk */
    ftr_content *content; /* NULL: the bytes of all transactions are prepared */
    ftr_chunk_entries entries;
    size_t next; /* index of the current entry */
    size_t held; /* bytes counted in ftr_merge.held */
    /* for a run */
    ftr_run run;
    const uint8_t *bytes; /* bytes of the current record */
    uint32_t size;
} merge_input;

struct ftr_merge {
    ftr_selection *selection;
    ftr_read_ahead *ahead; /* NULL: this thread reads alone */
    ftr_chunk_order order; /* chunks sorted by their starts */
    size_t order_next;
    uint64_t next_start; /* start of the chunk at place order_next; UINT64_MAX: there is none */
    /* Only in FTR_ORDER_STREAM, else NULL: number of the burst that begins with a chunk. Index:
     * place of the chunk in `order`. */
    uint32_t *bursts;
    merge_input **heap; /* a heap: the input with the next transaction is first */
    size_t heap_count, heap_capacity;
    size_t held;  /* bytes of the open chunks */
    size_t share; /* limit for `held` */
    ftr_spill spill;
    /* Used if the first input is not prepared. Contains the bytes that the query's function
     * `prepare` appended for the latest transaction, followed by those of the function `conclude`,
     * which was called for this transaction alone. */
    ftr_prepared prepared;
    /* location of the bytes of `conclude` in `prepared`; size 0: none, or already returned */
    ftr_chunk_entry conclusion;
    bool advance; /* the current transaction of the first input was returned: move past it first */
    /* The next transactions of the merge are the first input's transactions whose sort time is
     * before this tick. */
    uint64_t first_until;
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

static uint64_t start_of(const ftr_chunk *chunk)
{
    return chunk->inverted_range ? 0 : chunk->start;
}

/* Returns the size of an input in bytes. Excludes bytes that the budget counts elsewhere. */
static size_t input_size(const merge_input *input)
{
    return sizeof *input + input->entries.capacity * sizeof *input->entries.list +
           input->entries.prepared.capacity;
}

/* Returns true if the burst is the last one of its stream. */
static bool is_last_burst(uint32_t burst)
{
    return burst % 2 != 0;
}

/* Returns the tick at which a burst ends: the start of the next chunk of the stream. */
static uint64_t end_of_burst(const ftr_merge *merge, uint32_t burst)
{
    return is_last_burst(burst)
               ? UINT64_MAX
               : start_of(ftr_chunk_at(merge->selection->reader, merge->order.list[burst / 2]));
}

/* Moves the input to the burst of a transaction that begins at @p time: the present burst or a
 * later one. */
static void set_burst(const ftr_merge *merge, merge_input *input, uint64_t time)
{
    uint32_t burst = input->key.burst;
    while (time >= input->burst_end && !is_last_burst(burst)) {
        burst = merge->bursts[burst / 2];
        input->burst_end = end_of_burst(merge, burst);
    }
    input->key.burst = burst;
}

/* Returns the bytes of the current transaction of a chunk, or the bytes prepared for it. */
static const uint8_t *entry_bytes(const merge_input *input)
{
    const uint8_t *first =
        input->content != NULL ? input->content->bytes : input->entries.prepared.bytes;
    return first != NULL ? first + input->entries.list[input->next].offset : NULL;
}

/* Fetches the current transaction of a chunk into the cache. Usually another thread wrote its
 * bytes, so they are not in this processor's cache. They arrive while the merge returns
 * transactions of other inputs. */
static void fetch(const merge_input *input)
{
    const uint8_t *bytes = entry_bytes(input);
    if (bytes == NULL)
        return;
    __builtin_prefetch(bytes);
    __builtin_prefetch(bytes + FTR_CACHE_LINE);
    __builtin_prefetch(&input->entries.list[input->next] + ENTRIES_AHEAD);
}

/* Sets the sort key of a chunk's current transaction. */
static void set_chunk_key(const ftr_merge *merge, merge_input *input)
{
    const ftr_chunk_entry *entry = &input->entries.list[input->next];
    fetch(input);
    input->key.time = entry->time;
    input->key.location = (uint64_t)input->chunk << 32 | entry->offset;
    input->key.late = (uint8_t)entry->late;
    if (merge->bursts != NULL && input->key.time >= input->burst_end)
        set_burst(merge, input, input->key.time);
}

static void free_input(ftr_merge *merge, merge_input *input)
{
    ftr_reader *reader = merge->selection->reader;
    if (input->is_run) {
        ftr_run_release(&input->run);
    } else {
        ftr_chunk_ahead parts = {.entries = input->entries};
        if (input->content != NULL)
            ftr_chunk_cache_unpin(&reader->cache, input->content);
        ftr_read_ahead_reuse(merge->ahead, &parts);
        merge->held -= input->held;
    }
    ftr_budget_release(&reader->budget, input_size(input));
    free(input);
}

/* Moves to the input's next transaction. Returns FTR_ERR_END if there is none. */
static ftr_status advance_input(const ftr_merge *merge, merge_input *input)
{
    if (!input->is_run) {
        if (++input->next == input->entries.count)
            return FTR_ERR_END;
        set_chunk_key(merge, input);
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
    const ftr_status status = advance_input(merge, first);
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
    /* Existing runs are kept: only chunks are merged into the new run. The runs move to the front
     * of the heap array, and the heap is rebuilt from the chunks. */
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
        const ftr_chunk_entry *entry = &first->entries.list[first->next];
        status =
            ftr_spill_put(&merge->spill, &input->run, &first->key, entry_bytes(first), entry->size);
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
        status = advance_input(merge, input);
    if (status == FTR_OK)
        return push(merge, input);
    free_input(merge, input);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* Adds a chunk and its entries to the heap. Becomes the owner of the pinned content and of the
 * entries, and releases both on error. Returns FTR_OK; FTR_ERR_END if there are no entries;
 * FTR_ERR_LIMIT if the budget has no room; FTR_ERR_MEMORY. */
static ftr_status add_input(ftr_merge *merge, uint32_t index, ftr_content *content,
                            ftr_chunk_ahead *taken)
{
    ftr_reader *reader = merge->selection->reader;
    merge_input *input = calloc(1, sizeof *input);
    ftr_status status = taken->entries.count == 0 ? FTR_ERR_END
                        : input == NULL           ? FTR_ERR_MEMORY
                                                  : FTR_OK;
    if (status == FTR_OK) {
        *input = (merge_input){.chunk = index, .content = content, .entries = taken->entries};
        input->held = input_size(input) + (content != NULL ? content->held : 0);
        if (!ftr_budget_reserve(&reader->budget, input_size(input)))
            status = FTR_ERR_LIMIT;
    }
    if (status != FTR_OK) {
        free(input);
        ftr_chunk_ahead_release(taken);
        if (content != NULL)
            ftr_chunk_cache_unpin(&reader->cache, content);
        return status;
    }
    input->key.is_prepared = content == NULL;
    if (merge->bursts != NULL) {
        input->key.burst = merge->bursts[merge->order_next - 1];
        input->burst_end = end_of_burst(merge, input->key.burst);
    }
    set_chunk_key(merge, input);
    merge->held += input->held;
    status = push(merge, input);
    if (status != FTR_OK)
        free_input(merge, input);
    return status;
}

/* Opens a chunk that was read ahead. @return FTR_ERR_STATE if the chunk was not read ahead; else as
 * open_chunk() */
static ftr_status open_ahead(ftr_merge *merge, uint32_t index)
{
    ftr_reader *reader = merge->selection->reader;
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    ftr_content *content = NULL;
    ftr_chunk_ahead taken;
    if (merge->ahead == NULL || !ftr_read_ahead_take(merge->ahead, index, &taken))
        return FTR_ERR_STATE;
    if (merge->selection->query.prepare == NULL && taken.entries.count > 0) {
        const ftr_status status =
            ftr_chunk_cache_adopt(&reader->cache, chunk, &taken.memory, &content);
        if (status != FTR_OK) {
            ftr_chunk_ahead_release(&taken);
            return status;
        }
    }
    free(taken.memory);
    taken.memory = NULL;
    return add_input(merge, index, content, &taken);
}

/* Opens chunk @p index.
 * @return FTR_OK; FTR_ERR_END if the chunk has no requested transactions or is unusable;
 *         FTR_ERR_LIMIT if the budget has no room now: the caller can spill and try again;
 *         FTR_ERR_MEMORY */
static ftr_status open_chunk(ftr_merge *merge, uint32_t index)
{
    ftr_reader *reader = merge->selection->reader;
    ftr_chunk *chunk = ftr_chunk_at(reader, index);
    ftr_content *content;
    ftr_chunk_ahead own = {0};
    ftr_status status = open_ahead(merge, index);
    if (status != FTR_ERR_STATE)
        return status;
    status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status != FTR_OK)
        return status == FTR_ERR_FORMAT ? FTR_ERR_END : status;
    status = ftr_chunk_collect(merge->selection, chunk, content, &reader->budget, false, 0,
                               &own.entries);
    /* The list was counted in the budget while it grew. From now on, it is counted as a part of the
     * input. */
    ftr_budget_release(&reader->budget, own.entries.capacity * sizeof *own.entries.list);
    if (status != FTR_OK) {
        ftr_chunk_ahead_release(&own);
        ftr_chunk_cache_unpin(&reader->cache, content);
        return status;
    }
    ftr_chunk_entries_sort(own.entries.list, own.entries.count);
    return add_input(merge, index, content, &own);
}

/* Opens chunk @p index, if the chunk has requested transactions. If there is no room, first spills
 * the open chunks. If there is still no room, reports the chunk and skips it.
 * @return FTR_OK, also for a chunk that is skipped; FTR_ERR_IO; FTR_ERR_MEMORY */
static ftr_status open_or_spill(ftr_merge *merge, uint32_t index)
{
    ftr_status status = FTR_OK;
    if (merge->held > merge->share)
        status = spill(merge);
    if (status == FTR_OK)
        status = open_chunk(merge, index);
    /* If the chunk was read ahead, the second attempt opens it without its prepared bytes. */
    if (status == FTR_ERR_LIMIT) {
        status = merge->held > 0 ? spill(merge) : FTR_OK;
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

static void set_order_next(ftr_merge *merge, size_t next)
{
    merge->order_next = next;
    merge->next_start =
        next < merge->order.count
            ? start_of(ftr_chunk_at(merge->selection->reader, merge->order.list[next]))
            : UINT64_MAX;
}

/* Numbers the bursts: for each chunk of the order, finds the next chunk of the same stream. */
static ftr_status number_bursts(ftr_merge *merge)
{
    ftr_reader *reader = merge->selection->reader;
    const size_t streams = reader->directory.stream_count;
    const size_t size = merge->order.count * sizeof *merge->bursts;
    if (merge->order.count == 0)
        return FTR_OK;
    if (!ftr_budget_reserve(&reader->budget, size))
        return FTR_ERR_LIMIT;
    uint32_t *next = calloc(streams, sizeof *next); /* 0: none */
    merge->bursts = malloc(size);
    if (merge->bursts == NULL)
        ftr_budget_release(&reader->budget, size);
    if (next == NULL || merge->bursts == NULL) {
        free(next);
        return FTR_ERR_MEMORY;
    }
    for (uint32_t i = (uint32_t)merge->order.count; i-- > 0;) {
        uint32_t *of_stream = &next[ftr_chunk_at(reader, merge->order.list[i])->stream];
        merge->bursts[i] = *of_stream != 0 ? 2 * *of_stream : 2 * i + 1;
        *of_stream = i;
    }
    free(next);
    return FTR_OK;
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
    ftr_status status = ftr_chunk_order_select(&merge->order, selection);
    if (merge->order.count > 0)
        qsort_r(merge->order.list, merge->order.count, sizeof *merge->order.list, compare_starts,
                reader);
    if (status == FTR_OK && selection->query.order == FTR_ORDER_STREAM)
        status = number_bursts(merge);
    if (status != FTR_OK) {
        ftr_merge_destroy(merge);
        return status;
    }
    set_order_next(merge, 0);
    merge->ahead = ftr_read_ahead_create(selection, merge->order.list, merge->order.count, NULL);
    *created = merge;
    return FTR_OK;
}

void ftr_merge_stop_ahead(ftr_merge *merge)
{
    ftr_read_ahead_destroy(merge->ahead);
    merge->ahead = NULL;
}

void ftr_merge_destroy(ftr_merge *merge)
{
    if (merge == NULL)
        return;
    ftr_budget *budget = &merge->selection->reader->budget;
    ftr_merge_stop_ahead(merge);
    for (size_t i = 0; i < merge->heap_count; i++)
        free_input(merge, merge->heap[i]);
    ftr_spill_release(&merge->spill);
    ftr_array_release(budget, merge->heap, merge->heap_capacity, sizeof(merge_input *));
    if (merge->bursts != NULL)
        ftr_array_release(budget, merge->bursts, merge->order.count, sizeof *merge->bursts);
    ftr_chunk_order_release(&merge->order, budget);
    free(merge->prepared.bytes);
    free(merge);
}

/* Returns true if the next chunk of the order may contain a transaction that comes before the first
 * transaction of the heap. */
static bool is_due(const ftr_merge *merge)
{
    const ftr_sort_key *first = &merge->heap[0]->key;
    return merge->bursts != NULL ? 2 * merge->order_next < first->burst
                                 : merge->next_start <= first->time;
}

/* Returns the new value of `first_until`, which is 0 if the first input is a run. */
static uint64_t find_first_until(const ftr_merge *merge)
{
    const merge_input *first = merge->heap[0];
    uint64_t until = merge->bursts != NULL ? first->burst_end : merge->next_start;
    if (first->is_run)
        return 0;
    for (size_t i = 1; i < merge->heap_count && i <= 2; i++) {
        const ftr_sort_key *other = &merge->heap[i]->key;
        if (other->burst == first->key.burst && other->time < until)
            until = other->time;
    }
    return until;
}

/* Fast path of advance(), for a next transaction that is in the same input. @return false if the
 * heap may change: nothing was done */
static inline bool advance_within_first(ftr_merge *merge)
{
    if (merge->first_until == 0)
        return false;
    merge_input *first = merge->heap[0];
    const size_t next = first->next + 1;
    if (next == first->entries.count || first->entries.list[next].time >= merge->first_until)
        return false;
    first->next = next;
    __builtin_prefetch(&first->entries.list[next] + ENTRIES_AHEAD);
    return true;
}

static __attribute__((noinline)) ftr_status advance_to_any(ftr_merge *merge)
{
    merge->first_until = 0;
    if (merge->advance) {
        merge->advance = false;
        const ftr_status status = advance_first(merge);
        if (status != FTR_OK)
            return status;
    }
    while (merge->order_next < merge->order.count) {
        const uint32_t index = merge->order.list[merge->order_next];
        if (merge->heap_count > 0 && !is_due(merge))
            break;
        set_order_next(merge, merge->order_next + 1);
        const ftr_status status = open_or_spill(merge, index);
        if (status != FTR_OK)
            return status;
    }
    merge->advance = merge->heap_count > 0;
    if (!merge->advance)
        return FTR_ERR_END;
    merge->first_until = find_first_until(merge);
    return FTR_OK;
}

/* Moves to the next transaction of the merge, and opens the chunks that may contain it. */
static inline ftr_status advance(ftr_merge *merge)
{
    return advance_within_first(merge) ? FTR_OK : advance_to_any(merge);
}

/* Fills @p tx from the first input, which must not be prepared. */
static bool fill(const ftr_merge *merge, ftr_transaction *tx)
{
    ftr_reader *reader = merge->selection->reader;
    const merge_input *first = merge->heap[0];
    ftr_tx_head head;
    uint64_t offset = first->key.location & UINT32_MAX;
    if (first->is_run) {
        ftr_tx_parse_again(first->bytes, first->size, first->size, &reader->forms, &head);
    } else {
        const ftr_chunk_entry *entry = &first->entries.list[first->next];
        offset = entry->offset;
        ftr_tx_parse_again(entry_bytes(first), entry->size, first->content->size - entry->offset,
                           &reader->forms, &head);
    }
    return ftr_transaction_fill(reader, ftr_chunk_at(reader, first->chunk), offset, &head, tx);
}

ftr_status ftr_merge_next(ftr_merge *merge, ftr_transaction *tx)
{
    ftr_status status;
    do
        status = advance(merge);
    while (status == FTR_OK && !fill(merge, tx));
    return status;
}

/* Prepares the transaction of the first input.
 * @return FTR_OK; FTR_ERR_END if the query's function `prepare` skips the transaction and its
 *         function `conclude` appends nothing; FTR_ERR_MEMORY */
static ftr_status prepare_first(ftr_merge *merge, ftr_chunk_entry *entry)
{
    const ftr_selection *selection = merge->selection;
    ftr_transaction tx;
    merge->prepared.size = 0;
    if (!fill(merge, &tx))
        return FTR_ERR_END;
    const ftr_status status = ftr_chunk_prepare(selection, 0, &tx, &merge->prepared, entry);
    const ftr_status concluded =
        ftr_chunk_conclude(selection, 0, &merge->prepared, &merge->conclusion);
    if (concluded != FTR_OK)
        merge->conclusion.size = 0;
    if (status == FTR_ERR_END && merge->conclusion.size > 0) {
        *entry = merge->conclusion;
        merge->conclusion.size = 0;
        return FTR_OK;
    }
    return concluded == FTR_OK || concluded == FTR_ERR_END ? status : concluded;
}

static __attribute__((noinline)) ftr_status next_prepared(ftr_merge *merge, const void **bytes,
                                                          size_t *size)
{
    ftr_chunk_entry entry = merge->conclusion;
    if (entry.size > 0) {
        merge->conclusion.size = 0;
        *bytes = merge->prepared.bytes + entry.offset;
        *size = entry.size;
        return FTR_OK;
    }
    for (;;) {
        ftr_status status = advance(merge);
        if (status != FTR_OK)
            return status;
        const merge_input *first = merge->heap[0];
        if (first->key.is_prepared) {
            *bytes = first->is_run ? first->bytes : entry_bytes(first);
            *size = first->is_run ? first->size : first->entries.list[first->next].size;
            return FTR_OK;
        }
        status = prepare_first(merge, &entry);
        if (status == FTR_ERR_END)
            continue;
        *size = status == FTR_OK ? entry.size : 0;
        *bytes = *size > 0 ? merge->prepared.bytes + entry.offset : NULL;
        return status;
    }
}

ftr_status ftr_merge_next_prepared(ftr_merge *merge, const void **bytes, size_t *size)
{
    /* Fast path of next_prepared(), for most transactions. If the first input is prepared,
     * `conclusion` is empty. */
    if (merge->first_until == 0 || !merge->heap[0]->key.is_prepared || !advance_within_first(merge))
        return next_prepared(merge, bytes, size);
    const merge_input *first = merge->heap[0];
    const ftr_chunk_entry *entry = &first->entries.list[first->next];
    *bytes = entry_bytes(first);
    *size = entry->size;
    return FTR_OK;
}
