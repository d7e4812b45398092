/* Compresses and frames chunks: at once, or in a ring of chunks by the helper. */
#define _GNU_SOURCE
#include "chunk_queue.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* put_packed() assumes that the compressed size does not exceed this number: the heads of most
 * compressed bodies then have the same length. */
#define USUAL_PACKED_SIZE UINT16_MAX

/* Returns the kind of a chunk for the compressor: 0 for strings and definitions, 1 for relations, a
 * higher number for transactions, depending on their stream. */
static unsigned kind_of(const ftr_chunk_head *head)
{
    if (!head->has_range)
        return head->tag == FTR_TAG_RELATIONS;
    return 2 + (unsigned)(head->range.stream % (FTR_LZ4_KINDS - 2));
}

/* Compresses the body directly behind heads of the usual length. If the compressed size needs heads
 * of another length, moves the compressed bytes. Returns false if the chunk should contain the body
 * uncompressed. */
static bool put_packed(ftr_lz4_compressor *compressor, const ftr_chunk_head *head,
                       const uint8_t *body, size_t size, ftr_cbor_writer *to)
{
    size_t bound = ftr_lz4_bound(size);
    uint8_t *start = bound ? ftr_cbor_reserve(to, FTR_CHUNK_HEADS_MAX + bound) : NULL;
    if (start == NULL)
        return false;
    uint8_t *packed = ftr_chunk_heads_at(start, head, size, USUAL_PACKED_SIZE);
    size_t packed_size = 0;
    if (ftr_lz4_compress(compressor, kind_of(head), body, size, packed, bound, &packed_size) !=
            FTR_OK ||
        packed_size >= size)
        return false;
    uint8_t heads[FTR_CHUNK_HEADS_MAX];
    size_t heads_size = (size_t)(ftr_chunk_heads_at(heads, head, size, packed_size) - heads);
    if (start + heads_size != packed)
        memmove(start + heads_size, packed, packed_size);
    memcpy(start, heads, heads_size);
    ftr_cbor_advance(to, start + heads_size + packed_size);
    return true;
}

void ftr_chunk_pack(ftr_lz4_compressor *compressor, const ftr_chunk_head *head, const uint8_t *body,
                    size_t size, ftr_cbor_writer *to)
{
    if (compressor != NULL && put_packed(compressor, head, body, size, to))
        return;
    uint8_t heads[FTR_CHUNK_HEADS_MAX];
    ftr_cbor_put_encoded(to, heads, (size_t)(ftr_chunk_heads_at(heads, head, 0, size) - heads));
    ftr_cbor_put_encoded(to, body, size);
}

/* ---- the queue ------------------------------------------------------------------------------- */

/* The helper is woken when WORTH_WAKING chunks wait. Waking the helper for fewer chunks is not
 * worth the time that it takes. */
enum { QUEUE_SIZE = 8, WORTH_WAKING = QUEUE_SIZE / 2 };
/* Size of the helper's stack in bytes. A stack of the usual size would take a large part of a
 * limited address space. */
#define STACK_SIZE ((size_t)1 << 20)

typedef struct queued_chunk {
    ftr_chunk_head head;
    bool is_framed;        /* under `lock` */
    ftr_cbor_writer body;  /* used by the owner, or by the thread that is framing the chunk */
    ftr_cbor_writer bytes; /* the framed chunk; used by the same threads */
} queued_chunk;

struct ftr_chunk_queue {
    pthread_t helper;
    ftr_lz4_compressor *compressor; /* of the helper */
    pthread_mutex_t lock;
    pthread_cond_t added;  /* a chunk was added, or `must_end` was set */
    pthread_cond_t framed; /* the helper has framed a chunk */
    bool must_end;         /* under `lock` */
    /* Numbers of chunks, in the order in which they are added; first <= next <= end. The chunk with
     * number N is at index N modulo QUEUE_SIZE. */
    size_t first; /* the oldest chunk; used by the owner */
    size_t next;  /* the oldest chunk that no thread has begun to frame; under `lock` */
    size_t end;   /* the next chunk to be added; changed by the owner, under `lock` */
    queued_chunk chunks[QUEUE_SIZE];
};

static queued_chunk *chunk_at(ftr_chunk_queue *queue, size_t number)
{
    return &queue->chunks[number % QUEUE_SIZE];
}

/* Frames the next chunk. The caller holds `lock`, which is released meanwhile. */
static void frame_next(ftr_chunk_queue *queue, ftr_lz4_compressor *compressor)
{
    queued_chunk *chunk = chunk_at(queue, queue->next++);
    pthread_mutex_unlock(&queue->lock);
    ftr_chunk_pack(compressor, &chunk->head, chunk->body.begin, ftr_cbor_writer_size(&chunk->body),
                   &chunk->bytes);
    pthread_mutex_lock(&queue->lock);
    chunk->is_framed = true;
}

static void *help(void *data)
{
    ftr_chunk_queue *queue = data;
    pthread_mutex_lock(&queue->lock);
    while (!queue->must_end) {
        if (queue->next < queue->end) {
            frame_next(queue, queue->compressor);
            pthread_cond_signal(&queue->framed);
        } else {
            pthread_cond_wait(&queue->added, &queue->lock);
        }
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

static void release(ftr_chunk_queue *queue)
{
    for (size_t i = 0; i < QUEUE_SIZE; i++) {
        ftr_cbor_writer_free(&queue->chunks[i].body);
        ftr_cbor_writer_free(&queue->chunks[i].bytes);
    }
    ftr_lz4_compressor_destroy(queue->compressor);
    free(queue);
}

static bool start_helper(ftr_chunk_queue *queue)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0)
        return false;
    const bool is_started = pthread_attr_setstacksize(&attributes, STACK_SIZE) == 0 &&
                            pthread_create(&queue->helper, &attributes, help, queue) == 0;
    pthread_attr_destroy(&attributes);
    return is_started;
}

static bool has_another_processor(void)
{
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) != 0 || CPU_COUNT(&usable) > 1;
}

ftr_chunk_queue *ftr_chunk_queue_start(int level)
{
    ftr_chunk_queue *queue = has_another_processor() ? calloc(1, sizeof *queue) : NULL;
    if (queue == NULL)
        return NULL;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->added, NULL);
    pthread_cond_init(&queue->framed, NULL);
    for (size_t i = 0; i < QUEUE_SIZE; i++) {
        ftr_cbor_writer_init_growing(&queue->chunks[i].body, 0);
        ftr_cbor_writer_init_growing(&queue->chunks[i].bytes, 0);
    }
    if (ftr_lz4_compressor_create(level, &queue->compressor) == FTR_OK && start_helper(queue))
        return queue;
    release(queue);
    return NULL;
}

void ftr_chunk_queue_end(ftr_chunk_queue *queue, const ftr_chunk_collector *collector)
{
    if (queue == NULL)
        return;
    ftr_chunk_queue_collect(queue, collector);
    pthread_mutex_lock(&queue->lock);
    queue->must_end = true;
    pthread_cond_signal(&queue->added);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->helper, NULL);
    release(queue);
}

/* Waits until the first chunk is framed. The owner frames other chunks in the meantime, in their
 * order. */
static void await_first(ftr_chunk_queue *queue, const ftr_chunk_collector *collector)
{
    const queued_chunk *first = chunk_at(queue, queue->first);
    pthread_mutex_lock(&queue->lock);
    while (!first->is_framed) {
        if (queue->next < queue->end)
            frame_next(queue, collector->compressor);
        else
            pthread_cond_wait(&queue->framed, &queue->lock);
    }
    pthread_mutex_unlock(&queue->lock);
}

static void collect_first(ftr_chunk_queue *queue, const ftr_chunk_collector *collector)
{
    await_first(queue, collector);
    queued_chunk *first = chunk_at(queue, queue->first++);
    if (first->bytes.status != FTR_OK)
        ftr_cbor_writer_fail(collector->framed, first->bytes.status);
    if (collector->index != NULL)
        ftr_index_put_framed(collector->index, &first->head, first->bytes.begin,
                             ftr_cbor_writer_size(&first->bytes));
    ftr_cbor_put_encoded(collector->framed, first->bytes.begin,
                         ftr_cbor_writer_size(&first->bytes));
    ftr_cbor_writer_reset(&first->bytes);
    ftr_cbor_writer_reset(&first->body);
}

/* Returns the place of the next chunk, with an empty body. */
static queued_chunk *free_place(ftr_chunk_queue *queue, const ftr_chunk_collector *collector)
{
    if (queue->end - queue->first == QUEUE_SIZE)
        collect_first(queue, collector);
    return chunk_at(queue, queue->end);
}

/* Adds the chunk at the place of the next chunk. Also allocates the memory for the framed chunk,
 * because the first allocation by the helper would create an arena for its thread. */
static void add(ftr_chunk_queue *queue, queued_chunk *chunk, const ftr_chunk_head *head)
{
    chunk->head = *head;
    chunk->is_framed = false;
    (void)ftr_cbor_reserve(&chunk->bytes,
                           FTR_CHUNK_HEADS_MAX + ftr_lz4_bound(ftr_cbor_writer_size(&chunk->body)));
    pthread_mutex_lock(&queue->lock);
    queue->end++;
    const bool is_worth_waking = queue->end - queue->next >= WORTH_WAKING;
    pthread_mutex_unlock(&queue->lock);
    if (is_worth_waking)
        pthread_cond_signal(&queue->added);
}

void ftr_chunk_queue_add(ftr_chunk_queue *queue, const ftr_chunk_head *head, const uint8_t *body,
                         size_t size, const ftr_chunk_collector *collector)
{
    queued_chunk *chunk = free_place(queue, collector);
    ftr_cbor_put_encoded(&chunk->body, body, size);
    if (chunk->body.status != FTR_OK)
        ftr_cbor_writer_fail(collector->framed, chunk->body.status);
    add(queue, chunk, head);
}

void ftr_chunk_queue_move(ftr_chunk_queue *queue, const ftr_chunk_head *head, ftr_cbor_writer *body,
                          const ftr_chunk_collector *collector)
{
    queued_chunk *chunk = free_place(queue, collector);
    const ftr_cbor_writer empty = chunk->body;
    chunk->body = *body;
    *body = empty;
    add(queue, chunk, head);
}

void ftr_chunk_queue_collect(ftr_chunk_queue *queue, const ftr_chunk_collector *collector)
{
    while (queue->first < queue->end)
        collect_first(queue, collector);
}

size_t ftr_chunk_queue_bound(const ftr_chunk_queue *queue)
{
    size_t total = 0;
    for (size_t i = queue->first; i < queue->end; i++)
        total += FTR_CHUNK_HEADS_MAX + ftr_cbor_writer_size(&queue->chunks[i % QUEUE_SIZE].body);
    return total;
}

size_t ftr_chunk_queue_memory(const ftr_chunk_queue *queue)
{
    size_t total = sizeof *queue;
    for (size_t i = 0; i < QUEUE_SIZE; i++)
        total += queue->chunks[i].body.capacity + queue->chunks[i].bytes.capacity;
    return total;
}
