/* Collects the chunks of a file in their order, and sends them. */
#include "chunk_writer.h"

#include "chunk_queue.h"
#include "output.h"

static ftr_chunk_collector collector_of(ftr_chunk_writer *writer)
{
    return (ftr_chunk_collector){writer->compressor, &writer->framed,
                                 writer->has_index ? &writer->index : NULL};
}

ftr_status ftr_chunk_writer_init(ftr_chunk_writer *writer, ftr_compression compression, int level)
{
    if (compression != FTR_COMPRESSION_LZ4HC)
        level = 0;
    *writer = (ftr_chunk_writer){.level = level,
                                 .plain_transactions = compression == FTR_COMPRESSION_META};
    ftr_cbor_writer_init_growing(&writer->framed, 0);
    if (compression == FTR_COMPRESSION_NONE)
        return FTR_OK;
    return ftr_lz4_compressor_create(level, &writer->compressor);
}

void ftr_chunk_writer_release(ftr_chunk_writer *writer)
{
    ftr_chunk_writer_end_helper(writer);
    ftr_lz4_compressor_destroy(writer->compressor);
    ftr_lz4_compressor_destroy(writer->of_large);
    ftr_cbor_writer_free(&writer->framed);
    if (writer->has_index)
        ftr_index_writer_release(&writer->index);
    writer->has_index = false;
    writer->compressor = NULL;
    writer->of_large = NULL;
}

void ftr_chunk_writer_start_helper(ftr_chunk_writer *writer)
{
    if (writer->queue != NULL || writer->has_no_helper || writer->compressor == NULL ||
        writer->plain_transactions)
        return;
    writer->queue = ftr_chunk_queue_start(writer->level);
    writer->has_no_helper = writer->queue == NULL;
}

void ftr_chunk_writer_end_helper(ftr_chunk_writer *writer)
{
    const ftr_chunk_collector collector = collector_of(writer);
    ftr_chunk_queue_end(writer->queue, &collector);
    writer->queue = NULL;
}

/* Collects the chunks of the queue. Returns the writer with the bytes of all chunks so far. */
static ftr_cbor_writer *collected(ftr_chunk_writer *writer)
{
    const ftr_chunk_collector collector = collector_of(writer);
    if (writer->queue != NULL)
        ftr_chunk_queue_collect(writer->queue, &collector);
    return &writer->framed;
}

static void count(ftr_chunk_writer *writer, size_t size)
{
    writer->chunks++;
    writer->bytes_uncompressed += size;
}

void ftr_chunk_writer_begin_index(ftr_chunk_writer *writer, const char *path)
{
    if (writer->has_index)
        ftr_index_writer_restart(&writer->index, path);
    else
        ftr_index_writer_init(&writer->index, path);
    writer->has_index = true;
}

/* Adds the chunk that was framed last, from byte @p begin of the framed bytes on, to the index. */
static void index_framed(ftr_chunk_writer *writer, const ftr_chunk_head *head, size_t begin)
{
    const ftr_cbor_writer *framed = &writer->framed;
    if (writer->has_index && framed->status == FTR_OK)
        ftr_index_put_framed(&writer->index, head, framed->begin + begin,
                             ftr_cbor_writer_size(framed) - begin);
}

void ftr_chunk_put_start(ftr_chunk_writer *writer, int time_scale, int64_t epoch_seconds)
{
    uint8_t chunk[FTR_INFO_CHUNK_MAX];
    size_t content_size;
    const uint8_t *end = ftr_info_chunk_at(chunk, time_scale, epoch_seconds, &content_size);
    ftr_cbor_writer *to = collected(writer);
    ftr_cbor_put_encoded(to, FTR_FILE_MAGIC, FTR_FILE_MAGIC_SIZE);
    ftr_cbor_put_encoded(to, chunk, (size_t)(end - chunk));
    index_framed(writer, &(ftr_chunk_head){.tag = FTR_TAG_INFO},
                 ftr_cbor_writer_size(to) - (size_t)(end - chunk));
    count(writer, content_size);
}

/* Returns the compressor for a chunk; NULL: the chunk is not compressed. A dictionary of more than
 * 64 KiB is compressed even if the recorder compresses nothing else, because the viewer impulse
 * cannot read a longer byte string. The other viewers accept a compressed dictionary in such a
 * file. */
static ftr_lz4_compressor *compressor_of(ftr_chunk_writer *writer, uint64_t tag, size_t size)
{
    if (tag == FTR_TAG_TRANSACTIONS && writer->plain_transactions)
        return NULL;
    if (writer->compressor != NULL || tag != FTR_TAG_DICTIONARY || size <= FTR_CHUNK_BYTES_MAX)
        return writer->compressor;
    if (writer->of_large == NULL && ftr_lz4_compressor_create(0, &writer->of_large) != FTR_OK)
        writer->of_large = NULL; /* not compressed: a large chunk is better than none */
    return writer->of_large;
}

void ftr_chunk_put(ftr_chunk_writer *writer, const ftr_chunk_head *head, const uint8_t *body,
                   size_t size)
{
    const ftr_chunk_collector collector = collector_of(writer);
    if (writer->queue != NULL) {
        ftr_chunk_queue_add(writer->queue, head, body, size, &collector);
    } else {
        const size_t begin = ftr_cbor_writer_size(&writer->framed);
        ftr_chunk_pack(compressor_of(writer, head->tag, size), head, body, size, &writer->framed);
        index_framed(writer, head, begin);
    }
    count(writer, size);
}

void ftr_chunk_put_transactions(ftr_chunk_writer *writer, const ftr_chunk_head *head,
                                ftr_cbor_writer *body)
{
    const ftr_chunk_collector collector = collector_of(writer);
    if (writer->queue == NULL) {
        ftr_chunk_put(writer, head, body->begin, ftr_cbor_writer_size(body));
        ftr_cbor_writer_reset(body);
        return;
    }
    count(writer, ftr_cbor_writer_size(body));
    ftr_chunk_queue_move(writer->queue, head, body, &collector);
}

void ftr_chunk_put_break(ftr_chunk_writer *writer)
{
    ftr_cbor_put_break(collected(writer));
}

size_t ftr_chunk_unsent(const ftr_chunk_writer *writer)
{
    return ftr_cbor_writer_size(&writer->framed) +
           (writer->queue != NULL ? ftr_chunk_queue_bound(writer->queue) : 0);
}

void ftr_chunk_drop(ftr_chunk_writer *writer)
{
    ftr_cbor_writer_reset(collected(writer));
}

ftr_status ftr_chunk_send(ftr_chunk_writer *writer, ftr_output *output, ftr_failure *failure)
{
    ftr_cbor_writer *framed = collected(writer);
    ftr_status status = framed->status;
    size_t size = ftr_cbor_writer_size(framed);
    if (status == FTR_OK && size > 0)
        status = ftr_output_append(output, framed->begin, size, failure);
    ftr_cbor_writer_reset(framed);
    return status;
}

size_t ftr_chunk_memory(const ftr_chunk_writer *writer)
{
    return writer->framed.capacity +
           (writer->has_index ? ftr_index_writer_memory(&writer->index) : 0) +
           (writer->queue != NULL ? ftr_chunk_queue_memory(writer->queue) : 0);
}
