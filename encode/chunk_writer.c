/* Chunk framing. Knows the tags and heads of chunks, not the contents of their bodies. */
#include "chunk_writer.h"

#include "output.h"

#define SELF_DESCRIBED_CBOR 55799
#define HEADS_MAX ((size_t)7 * FTR_CBOR_HEAD_MAX)
/* put_packed() assumes a compressed size up to this one: the heads of most compressed bodies then
 * have the same length. */
#define USUAL_PACKED_SIZE UINT16_MAX

ftr_status ftr_chunk_writer_init(ftr_chunk_writer *writer, ftr_compression compression, int level)
{
    *writer = (ftr_chunk_writer){.plain_transactions = compression == FTR_COMPRESSION_META};
    ftr_cbor_writer_init_growing(&writer->framed, 0);
    if (compression == FTR_COMPRESSION_NONE)
        return FTR_OK;
    if (compression != FTR_COMPRESSION_LZ4HC)
        level = 0;
    return ftr_lz4_compressor_create(level, &writer->compressor);
}

void ftr_chunk_writer_release(ftr_chunk_writer *writer)
{
    ftr_lz4_compressor_destroy(writer->compressor);
    ftr_cbor_writer_free(&writer->framed);
    writer->compressor = NULL;
}

void ftr_chunk_put_start(ftr_chunk_writer *writer, int time_scale, int64_t epoch_seconds)
{
    uint8_t buffer[4 * FTR_CBOR_HEAD_MAX];
    ftr_cbor_writer info;
    ftr_cbor_writer_init(&info, buffer, sizeof buffer);
    ftr_cbor_put_array(&info, 2);
    ftr_cbor_put_int(&info, time_scale);
    ftr_cbor_put_tag(&info, FTR_TAG_EPOCH);
    ftr_cbor_put_int(&info, epoch_seconds);

    ftr_cbor_put_tag(&writer->framed, SELF_DESCRIBED_CBOR);
    ftr_cbor_put_indefinite_array(&writer->framed);
    ftr_cbor_put_tag(&writer->framed, FTR_TAG_INFO);
    ftr_cbor_put_bytes(&writer->framed, buffer, ftr_cbor_writer_size(&info));
    writer->chunks++;
    writer->bytes_uncompressed += ftr_cbor_writer_size(&info);
}

/* Writes all parts of a chunk that precede the bytes of its body. @p bytes_size is the number of
 * these bytes in the file. @p raw_size is their number after decompression; 0: the bytes are not
 * compressed. Returns the end of the written parts. */
static uint8_t *heads_at(uint8_t *p, uint64_t tag, const ftr_chunk_range *range, size_t raw_size,
                         size_t bytes_size)
{
    size_t elements = (range != NULL ? 3 : 0) + (raw_size ? 2 : 1);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TAG, raw_size ? tag + 1 : tag);
    if (elements > 1)
        p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, elements);
    if (range != NULL) {
        p = ftr_cbor_uint_at(p, range->stream);
        p = ftr_cbor_uint_at(p, range->begin);
        p = ftr_cbor_uint_at(p, range->end);
    }
    if (raw_size)
        p = ftr_cbor_uint_at(p, raw_size);
    return ftr_cbor_head_at(p, FTR_CBOR_MAJOR_BYTES, bytes_size);
}

/* Returns the kind of a chunk for the compressor: 0 for strings and definitions, 1 for relations, a
 * higher number for transactions, depending on their stream. */
static unsigned kind_of(uint64_t tag, const ftr_chunk_range *range)
{
    if (range == NULL)
        return tag == FTR_TAG_RELATIONS;
    return 2 + range->stream % (FTR_LZ4_KINDS - 2);
}

/* Compresses the body directly behind heads of the usual length. If the compressed size needs heads
 * of another length, moves the compressed bytes. Returns false if the chunk should contain the body
 * uncompressed. */
static bool put_packed(ftr_chunk_writer *writer, uint64_t tag, const ftr_chunk_range *range,
                       const uint8_t *body, size_t size)
{
    size_t bound = ftr_lz4_bound(size);
    uint8_t *start = bound ? ftr_cbor_reserve(&writer->framed, HEADS_MAX + bound) : NULL;
    if (start == NULL)
        return false;
    uint8_t *to = heads_at(start, tag, range, size, USUAL_PACKED_SIZE);
    size_t packed_size = 0;
    if (ftr_lz4_compress(writer->compressor, kind_of(tag, range), body, size, to, bound,
                         &packed_size) != FTR_OK ||
        packed_size >= size)
        return false;
    uint8_t heads[HEADS_MAX];
    size_t heads_size = (size_t)(heads_at(heads, tag, range, size, packed_size) - heads);
    if (start + heads_size != to)
        memmove(start + heads_size, to, packed_size);
    memcpy(start, heads, heads_size);
    ftr_cbor_advance(&writer->framed, start + heads_size + packed_size);
    return true;
}

void ftr_chunk_put(ftr_chunk_writer *writer, uint64_t tag, const ftr_chunk_range *range,
                   const uint8_t *body, size_t size)
{
    bool compress = writer->compressor != NULL && !(range != NULL && writer->plain_transactions);
    if (!compress || !put_packed(writer, tag, range, body, size)) {
        uint8_t heads[HEADS_MAX];
        ftr_cbor_put_encoded(&writer->framed, heads,
                             (size_t)(heads_at(heads, tag, range, 0, size) - heads));
        ftr_cbor_put_encoded(&writer->framed, body, size);
    }
    writer->chunks++;
    writer->bytes_uncompressed += size;
}

void ftr_chunk_put_break(ftr_chunk_writer *writer)
{
    ftr_cbor_put_break(&writer->framed);
}

ftr_status ftr_chunk_send(ftr_chunk_writer *writer, ftr_output *output, ftr_failure *failure)
{
    ftr_cbor_writer *framed = &writer->framed;
    ftr_status status = framed->status;
    size_t size = ftr_cbor_writer_size(framed);
    if (status == FTR_OK && size > 0)
        status = ftr_output_append(output, framed->begin, size, failure);
    ftr_cbor_writer_reset(framed);
    return status;
}
