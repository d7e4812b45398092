/* The progress and the results of a search. */
#include "served_search.h"

#include "stream_name_rules.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Number of transactions between two looks at the clock. */
#define TXS_AT_ONCE 64u
/* After an answer with matches of an incomplete search, the pause before the next such answer is
 * this multiple of the time that the answer took. */
#define PAUSE_FACTOR 4u
/* Limits for all matches in an answer: the memory for their texts, and the number of their
 * attributes. */
#define TEXTS_MAX ((size_t)16 << 20)
#define ATTRIBUTES_MAX ((size_t)1 << 20)

/* ---- the first matches ----------------------------------------------------------------------- */

static bool is_before(const ftr_search_match *a, const ftr_search_match *b)
{
    return a->begin != b->begin ? a->begin < b->begin : a->id < b->id;
}

static void swap(ftr_search_match *a, ftr_search_match *b)
{
    const ftr_search_match other = *a;
    *a = *b;
    *b = other;
}

static void move_up(ftr_search_match *heap, size_t at)
{
    for (; at > 0 && is_before(&heap[(at - 1) / 2], &heap[at]); at = (at - 1) / 2)
        swap(&heap[(at - 1) / 2], &heap[at]);
}

static void move_down(ftr_search_match *heap, size_t count)
{
    for (size_t at = 0, later; (later = 2 * at + 1) < count; at = later) {
        if (later + 1 < count && is_before(&heap[later], &heap[later + 1]))
            later++;
        if (!is_before(&heap[at], &heap[later]))
            return;
        swap(&heap[at], &heap[later]);
    }
}

static void take_match(ftr_served_search *search, const ftr_search_match *match)
{
    search->count++;
    if (search->first_count < FTR_SERVED_MATCHES_MAX) {
        search->first[search->first_count++] = *match;
        move_up(search->first, search->first_count - 1);
        search->is_changed = true;
    } else if (is_before(match, &search->first[0])) {
        search->first[0] = *match;
        move_down(search->first, search->first_count);
        search->is_changed = true;
    }
}

/* Sorts matches in reverse order, the last one first. An array in this order is a heap. */
static int compare_matches(const void *a, const void *b)
{
    const ftr_search_match *x = a, *y = b;
    return is_before(y, x) ? -1 : is_before(x, y);
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool chooses(void *user, const ftr_stream_info *stream)
{
    const ftr_query *query = ((const ftr_served_search *)user)->served->options->query;
    return ftr_stream_describes_model(stream->name.data, stream->name.size) &&
           (query->choose_stream == NULL || query->choose_stream(query->user, stream));
}

static bool chooses_generator(void *user, const ftr_generator_info *generator)
{
    const ftr_query *query = ((const ftr_served_search *)user)->served->options->query;
    return query->choose_generator(query->user, generator);
}

/* If the transaction is a match, appends its place. Other transactions are only counted. */
static bool prepare(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                    ftr_prepared *prepared)
{
    ftr_served_search *search = user;
    const ftr_search_match match = {tx->begin, tx->id, tx->chunk_offset, tx->chunk_within};
    if (ftr_tx_search_meets(&search->test, thread, reader, tx)) {
        void *to = ftr_prepared_append(prepared, sizeof match);
        if (to != NULL)
            memcpy(to, &match, sizeof match);
    }
    return true;
}

static void stop(ftr_served_search *search)
{
    ftr_cursor_close(search->cursor);
    search->cursor = NULL;
    ftr_tx_search_release(&search->test);
}

ftr_status ftr_served_search_begin(ftr_served_search *search, ftr_served_run *served,
                                   const char *condition, ftr_condition_error *error)
{
    const unsigned threads = served->options->threads > 0 ? served->options->threads : 1;
    ftr_query query = *served->options->query;
    search->served = served;
    search->number++;
    search->first = malloc(FTR_SERVED_MATCHES_MAX * sizeof *search->first);
    query.order = FTR_ORDER_STORED;
    query.choose_stream = chooses;
    query.choose_generator = query.choose_generator != NULL ? chooses_generator : NULL;
    query.user = search;
    query.threads = threads;
    query.prepare = prepare;
    query.prepare_user = search;
    ftr_status status = FTR_ERR_MEMORY;
    if (search->first != NULL)
        status = ftr_tx_search_init(&search->test, condition, served->run.time_scale, threads,
                                    ftr_reader_generator_count(served->reader), error);
    if (status == FTR_OK)
        status = ftr_cursor_open(served->reader, &query, &search->cursor);
    if (status != FTR_OK)
        ftr_served_search_end(search);
    return status;
}

static uint64_t now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

ftr_status ftr_served_search_continue(ftr_served_search *search, unsigned milliseconds,
                                      uint64_t limit)
{
    const uint64_t last = now() + milliseconds;
    uint64_t left = limit;
    ftr_status status = FTR_OK;
    if (search->cursor == NULL)
        return FTR_OK;
    do {
        const void *bytes;
        size_t size;
        for (unsigned i = 0; i < TXS_AT_ONCE && left > 0 && status == FTR_OK; i++, left--) {
            status = ftr_cursor_next_prepared(search->cursor, &bytes, &size);
            if (status != FTR_OK)
                break;
            search->tested++;
            if (size > 0)
                take_match(search, bytes);
        }
    } while (status == FTR_OK && left > 0 && now() < last);
    if (status == FTR_ERR_END) {
        search->is_complete = true;
        stop(search);
        return FTR_OK;
    }
    if (status != FTR_OK)
        ftr_served_search_end(search);
    return status;
}

bool ftr_served_search_is(const ftr_served_search *search, uint64_t number)
{
    return search->number == number && (search->cursor != NULL || search->is_complete);
}

void ftr_served_search_end(ftr_served_search *search)
{
    const uint64_t number = search->number;
    stop(search);
    free(search->first);
    *search = (ftr_served_search){.number = number};
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Reads a match and its attributes. */
static ftr_status fetch(const ftr_served_search *search, ftr_cursor *cursor,
                        const ftr_search_match *match, ftr_kept_transactions *kept)
{
    ftr_transaction tx;
    const ftr_status status =
        ftr_cursor_seek(cursor, match->chunk_offset, match->chunk_within, &tx);
    if (status != FTR_OK)
        return status;
    const ftr_tx_state state = ftr_tx_state_of(search->served->reader, &tx);
    const ftr_report_tx figures = {.id = tx.id,
                                   .begin = tx.begin,
                                   .end = tx.end > tx.begin ? tx.end : tx.begin,
                                   .generator = tx.generator->index,
                                   .error = state.error,
                                   .unfinished = state.unfinished};
    return ftr_kept_add(kept, &figures, &tx);
}

/* Reads the first matches, in order of begin, as far as they fit into memory. */
static ftr_status fetch_all(ftr_served_search *search, ftr_kept_transactions *kept)
{
    const ftr_query all = {.size = sizeof all, .threads = 1};
    const uint64_t begin = now();
    ftr_cursor *cursor;
    ftr_status status = ftr_cursor_open(search->served->reader, &all, &cursor);
    if (status != FTR_OK)
        return status;
    qsort(search->first, search->first_count, sizeof *search->first, compare_matches);
    for (size_t i = search->first_count; status == FTR_OK && i > 0 && kept->text_size < TEXTS_MAX &&
                                         kept->attribute_count < ATTRIBUTES_MAX;
         i--)
        status = fetch(search, cursor, &search->first[i - 1], kept);
    ftr_cursor_close(cursor);
    search->is_changed = false;
    search->not_before = now() + PAUSE_FACTOR * (now() - begin);
    return status;
}

static void put_state(const void *user, ftr_json *json)
{
    const ftr_served_search *search = user;
    ftr_json_open(json, "search", '{');
    ftr_json_count(json, "number", search->number);
    ftr_json_count(json, "revision", search->served->revision);
    ftr_json_bool(json, "complete", search->is_complete);
    ftr_json_count(json, "tested", search->tested);
    ftr_json_count(json, "count", search->count);
    ftr_json_close(json, '}');
}

ftr_status ftr_served_search_answer(ftr_served_search *search, ftr_text_buffer *answer)
{
    /* If the known relations are not complete, the answer has none, because they could only be
     * found by a pass over the file. The page requests them when a match is selected. */
    static const ftr_run_relations none = {.is_complete = true};
    const ftr_run_relations *known = &search->served->relations;
    ftr_kept_transactions kept;
    ftr_status status = ftr_kept_init(&kept, search->served->reader, SIZE_MAX, 0);
    if (status == FTR_OK &&
        (search->is_complete || (search->is_changed && now() >= search->not_before)))
        status = fetch_all(search, &kept);
    if (status == FTR_OK)
        status =
            ftr_served_answer_transactions(&search->served->run, known->is_complete ? known : &none,
                                           &kept, put_state, search, answer);
    ftr_kept_release(&kept);
    return status;
}
