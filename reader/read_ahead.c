/* The views of the threads, and the chunks in progress. A chunk with a finding is not handed over:
 * the caller reads it again, so that findings are reported once and in file order. */
#include "read_ahead.h"

#include "cache_lines.h"
#include "growing_array.h"
#include "reader_state.h"
#include "work_queue.h"

#include <stdlib.h>

#define THREADS_MAX 64u
#define CHUNKS_MIN 2u
/* The threads use 1 / SHARE of the reader's memory; each thread needs at least THREAD_MEMORY_MIN.
 */
#define SHARE 4u
#define THREAD_MEMORY_MIN ((size_t)2 << 20)
/* A chunk with its entries and prepared bytes usually needs at most about GROWTH times the memory
 * of its content. This is an estimate, not a limit: a relation of 4 bytes becomes 48 bytes. */
#define GROWTH 8u

/* A thread changes its job with each transaction, so a job shares no cache line with other data. */
typedef struct chunk_job {
    ftr_chunk chunk; /* a copy */
    uint32_t index;
    bool is_read; /* the result can be handed over */
    ftr_chunk_ahead result;
} chunk_job;

typedef struct thread_state {
    ftr_reader *view;
    ftr_selection selection; /* uses the view */
} thread_state;

struct ftr_read_ahead {
    ftr_selection *selection;
    const uint32_t *order;
    size_t order_count, order_next;
    ftr_work_queue *queue;
    thread_state *threads;
    unsigned thread_count;
    size_t memory;           /* bytes reserved in the reader's budget */
    size_t in_progress_most; /* limit for `in_progress`, in bytes */
    size_t in_progress;      /* size of the contents of submitted chunks, in bytes */
    /* Entries of earlier chunks. Later chunks use their memory again, because new memory costs page
     * faults. */
    ftr_chunk_entries spare[THREADS_MAX + 2];
    unsigned spare_count, spare_most;
    size_t spare_size_most; /* limit for each element of `spare`, in bytes */
    size_t spare_size;      /* size of all elements of `spare`, in bytes */
    ftr_ahead_reader how;   /* if its `read` is NULL, the threads collect transactions */
};

void ftr_chunk_ahead_release(ftr_chunk_ahead *taken)
{
    free(taken->memory);
    free(taken->entries.list);
    free(taken->entries.prepared.bytes);
    *taken = (ftr_chunk_ahead){0};
}

/* ---- on any thread --------------------------------------------------------------------------- */

static ftr_status read_content(const ftr_read_ahead *ahead, unsigned thread, chunk_job *job,
                               ftr_content *content)
{
    thread_state *state = &ahead->threads[thread];
    const ftr_query *query = &state->selection.query;
    const bool prepares = query->prepare != NULL;
    ftr_status status = FTR_OK;
    if (ahead->how.read != NULL)
        return ahead->how.read(ahead->how.user, thread, state->view, &job->chunk, job->index,
                               content, &job->result.entries);
    if (prepares || query->order != FTR_ORDER_STORED)
        status = ftr_chunk_collect(&state->selection, &job->chunk, content, &state->view->budget,
                                   prepares, thread, &job->result.entries);
    if (status == FTR_OK && query->order != FTR_ORDER_STORED)
        ftr_chunk_entries_sort(job->result.entries.list, job->result.entries.count);
    if (!prepares) {
        job->result.memory = content->memory;
        content->memory = NULL;
    }
    return status;
}

/* Counts the reused list in the budget of the view, like a list that grows. */
static void count_reused(ftr_reader *view, ftr_chunk_ahead *result)
{
    if (!ftr_budget_reserve(&view->budget, result->entries.capacity * sizeof *result->entries.list))
        ftr_chunk_ahead_release(result);
}

static void run_job(void *user, unsigned thread, void *taken)
{
    const ftr_read_ahead *ahead = user;
    chunk_job *job = taken;
    ftr_reader *view = ahead->threads[thread].view;
    ftr_content *content;
    view->cache.moment++;
    view->findings.count = 0;
    if (ftr_chunk_cache_pin(&view->cache, &job->chunk, &content) != FTR_OK)
        return;
    count_reused(view, &job->result);
    const ftr_status status = read_content(ahead, thread, job, content);
    ftr_chunk_cache_unpin(&view->cache, content);
    job->is_read = status == FTR_OK && view->findings.count == 0;
    /* The list is handed over, so the budget of the view no longer counts it. */
    ftr_budget_release(&view->budget,
                       job->result.entries.capacity * sizeof *job->result.entries.list);
}

/* ---- on the calling thread ------------------------------------------------------------------- */

static size_t size_of(const ftr_chunk_entries *entries)
{
    return entries->capacity * sizeof *entries->list + entries->prepared.capacity;
}

static ftr_chunk_entries take_spare(ftr_read_ahead *ahead)
{
    const ftr_chunk_entries spare = ahead->spare[--ahead->spare_count];
    ahead->spare_size -= size_of(&spare);
    return spare;
}

/* Frees elements of `spare` until the others fit into the memory that the chunks in progress do not
 * need. */
static void limit_spare(ftr_read_ahead *ahead)
{
    const size_t most = (ahead->in_progress_most - ahead->in_progress) * GROWTH;
    while (ahead->spare_size > most) {
        ftr_chunk_ahead spare = {.entries = take_spare(ahead)};
        ftr_chunk_ahead_release(&spare);
    }
}

void ftr_read_ahead_reuse(ftr_read_ahead *ahead, ftr_chunk_ahead *taken)
{
    ftr_chunk_entries *entries = &taken->entries;
    if (ahead != NULL && ahead->spare_count < ahead->spare_most &&
        size_of(entries) <= ahead->spare_size_most) {
        entries->count = entries->prepared.size = 0;
        ahead->spare[ahead->spare_count++] = *entries;
        ahead->spare_size += size_of(entries);
        *entries = (ftr_chunk_entries){0};
        limit_spare(ahead);
    }
    ftr_chunk_ahead_release(taken);
}

static void discard(void *user, void *job)
{
    (void)user;
    ftr_chunk_ahead_release(&((chunk_job *)job)->result);
    free(job);
}

/* Returns true if a chunk can be read ahead. The caller reads chunks that are in pieces, very large
 * or unusable. */
static bool is_usual(const ftr_read_ahead *ahead, const ftr_chunk *chunk)
{
    return !chunk->unusable && !chunk->in_pieces && chunk->raw_size <= ahead->in_progress_most;
}

/* Submits several chunks together, so that the threads are woken less often. */
static void submit_more(ftr_read_ahead *ahead)
{
    ftr_reader *reader = ahead->selection->reader;
    if (ftr_work_queue_room(ahead->queue) < ahead->thread_count)
        return;
    for (; ahead->order_next < ahead->order_count && ftr_work_queue_room(ahead->queue) > 0;
         ahead->order_next++) {
        const uint32_t index = ahead->order[ahead->order_next];
        const ftr_chunk *chunk = ftr_chunk_at(reader, index);
        if (!is_usual(ahead, chunk))
            continue;
        if (ahead->in_progress + chunk->raw_size > ahead->in_progress_most)
            break;
        chunk_job *job = ftr_cache_lines_allocate(sizeof *job);
        if (job == NULL)
            break;
        job->chunk = ftr_chunk_copy(chunk);
        job->index = index;
        if (ahead->spare_count > 0)
            job->result.entries = take_spare(ahead);
        ahead->in_progress += chunk->raw_size;
        limit_spare(ahead);
        ftr_source_touch(&reader->source, chunk->payload_size);
        ftr_work_queue_submit(ahead->queue, job);
    }
}

bool ftr_read_ahead_take(ftr_read_ahead *ahead, uint32_t index, ftr_chunk_ahead *taken)
{
    submit_more(ahead);
    const chunk_job *next = ftr_work_queue_oldest(ahead->queue);
    if (next == NULL || next->index != index) {
        /* The chunk was not submitted. The caller reads it, so it must not be submitted later. */
        ahead->order_next +=
            ahead->order_next < ahead->order_count && ahead->order[ahead->order_next] == index;
        return false;
    }
    chunk_job *job = ftr_work_queue_take(ahead->queue);
    ahead->in_progress -= job->chunk.raw_size;
    const bool is_read = job->is_read;
    if (is_read) {
        *taken = job->result;
        free(job);
    } else {
        discard(NULL, job);
    }
    submit_more(ahead);
    return is_read;
}

static unsigned count_threads(const ftr_selection *selection, size_t memory, size_t chunks)
{
    size_t threads = selection->query.threads;
    if (threads > memory / THREAD_MEMORY_MIN)
        threads = memory / THREAD_MEMORY_MIN;
    if (threads > chunks)
        threads = chunks;
    return threads < THREADS_MAX ? (unsigned)threads : THREADS_MAX;
}

/* Returns the least number of threads for which reading ahead saves time. One thread that prepares
 * transactions decodes each of them once. Without reading ahead, it would decode them once to sort
 * the chunk, and again to prepare them. */
static unsigned threads_min(const ftr_selection *selection)
{
    const ftr_query *query = &selection->query;
    return query->prepare != NULL && query->order != FTR_ORDER_STORED ? 1 : 2;
}

static bool create_threads(ftr_read_ahead *ahead, unsigned threads)
{
    ahead->threads = calloc(threads, sizeof *ahead->threads);
    if (ahead->threads == NULL)
        return false;
    for (; ahead->thread_count < threads; ahead->thread_count++) {
        thread_state *state = &ahead->threads[ahead->thread_count];
        state->view = ftr_reader_view_create(ahead->selection->reader, ahead->memory / 2 / threads);
        if (state->view == NULL)
            return false;
        state->selection = *ahead->selection;
        state->selection.reader = state->view;
    }
    const ftr_work_queue_options options = {.threads = threads - 1,
                                            .capacity = 2 * threads + 2,
                                            .name = "ftr-reader",
                                            .run = run_job,
                                            .user = ahead};
    return ftr_work_queue_create(&options, &ahead->queue) == FTR_OK;
}

/* Makes room in the directory for placeholders of undefined generators. They are added while the
 * threads read, and the directory must not move, because the views share it. */
static bool settle_directory(ftr_reader *reader)
{
    ftr_directory *directory = &reader->directory;
    return ftr_array_reserve(
               &reader->budget, &directory->generators, &directory->generator_capacity,
               directory->generator_count + directory->stream_count, sizeof(void *)) == FTR_OK;
}

ftr_read_ahead *ftr_read_ahead_create(ftr_selection *selection, const uint32_t *order,
                                      size_t order_count, const ftr_ahead_reader *how)
{
    ftr_reader *reader = selection->reader;
    const size_t memory = reader->budget.limit / SHARE;
    const unsigned threads = count_threads(selection, memory, order_count);
    if (threads < threads_min(selection) || order_count < CHUNKS_MIN || selection->query.by_id ||
        reader->source.is_pipe || !ftr_budget_reserve(&reader->budget, memory))
        return NULL;
    ftr_read_ahead *ahead = calloc(1, sizeof *ahead);
    if (ahead == NULL) {
        ftr_budget_release(&reader->budget, memory);
        return NULL;
    }
    ahead->selection = selection;
    ahead->order = order;
    ahead->order_count = order_count;
    ahead->memory = memory;
    if (how != NULL)
        ahead->how = *how;
    ahead->in_progress_most = memory / 2 / GROWTH;
    ahead->spare_most = threads + 2;
    ahead->spare_size_most = memory / SHARE / ahead->spare_most;
    if (!settle_directory(reader) || ftr_selection_settle(selection) != FTR_OK ||
        !create_threads(ahead, threads)) {
        ftr_read_ahead_destroy(ahead);
        return NULL;
    }
    submit_more(ahead);
    return ahead;
}

void ftr_read_ahead_stop(ftr_read_ahead *ahead)
{
    if (ahead == NULL)
        return;
    ftr_work_queue_destroy(ahead->queue, discard);
    ahead->queue = NULL;
}

void ftr_read_ahead_destroy(ftr_read_ahead *ahead)
{
    if (ahead == NULL)
        return;
    ftr_read_ahead_stop(ahead);
    while (ahead->spare_count > 0) {
        ftr_chunk_ahead spare = {.entries = take_spare(ahead)};
        ftr_chunk_ahead_release(&spare);
    }
    for (unsigned i = 0; i < ahead->thread_count; i++)
        ftr_reader_view_destroy(ahead->threads[i].view);
    free(ahead->threads);
    ftr_budget_release(&ahead->selection->reader->budget, ahead->memory);
    free(ahead);
}

bool ftr_chosen_ahead_start(ftr_chosen_ahead *ahead, ftr_reader *reader, ftr_chunk_choice *chooses,
                            void *user, size_t count_min, const ftr_ahead_reader *how)
{
    *ahead = (ftr_chosen_ahead){0};
    ftr_selection_init(&ahead->selection, reader, NULL);
    if (reader->threads < 2 || reader->source.is_pipe ||
        ftr_chunk_order_collect(&ahead->order, reader, chooses, user) != FTR_OK ||
        ahead->order.count < count_min)
        return false;
    ahead->read =
        ftr_read_ahead_create(&ahead->selection, ahead->order.list, ahead->order.count, how);
    return ahead->read != NULL;
}

void ftr_chosen_ahead_release(ftr_chosen_ahead *ahead)
{
    ftr_read_ahead_destroy(ahead->read);
    ftr_chunk_order_release(&ahead->order, &ahead->selection.reader->budget);
    ftr_selection_release(&ahead->selection);
}
