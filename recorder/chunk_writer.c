/* Chunk framing. Knows the tags and heads of chunks, nothing of what is in their bodies. */
#include "chunk_writer.h"

#define SELF_DESCRIBED_CBOR 55799
#define EPOCH_TIME_TAG 1

ftr_status ftr_chunk_writer_init(ftr_chunk_writer *writer, ftr_compression compression, int level)
{
    *writer = (ftr_chunk_writer){.plain_transactions = compression == FTR_COMPRESSION_META};
    writer->output.fd = -1;
    ftr_cbor_writer_init_growing(&writer->framed, 0);
    ftr_cbor_writer_init_growing(&writer->packed, 0);
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
    ftr_cbor_writer_free(&writer->packed);
    writer->compressor = NULL;
}

void ftr_chunk_put_start(ftr_chunk_writer *writer, int time_scale, int64_t epoch_seconds)
{
    uint8_t buffer[4 * FTR_CBOR_HEAD_MAX];
    ftr_cbor_writer info;
    ftr_cbor_writer_init(&info, buffer, sizeof buffer);
    ftr_cbor_put_array(&info, 2);
    ftr_cbor_put_int(&info, time_scale);
    ftr_cbor_put_tag(&info, EPOCH_TIME_TAG);
    ftr_cbor_put_int(&info, epoch_seconds);

    ftr_cbor_put_tag(&writer->framed, SELF_DESCRIBED_CBOR);
    ftr_cbor_put_indefinite_array(&writer->framed);
    ftr_cbor_put_tag(&writer->framed, FTR_TAG_INFO);
    ftr_cbor_put_bytes(&writer->framed, buffer, ftr_cbor_writer_size(&info));
    ++writer->chunks;
    writer->bytes_uncompressed += ftr_cbor_writer_size(&info);
}

/* The body compressed into writer->packed; its size, or 0 when it is better left as it is. */
static size_t pack(ftr_chunk_writer *writer, const uint8_t *body, size_t size)
{
    size_t bound = ftr_lz4_bound(size);
    ftr_cbor_writer_reset(&writer->packed);
    uint8_t *packed = bound ? ftr_cbor_reserve(&writer->packed, bound) : NULL;
    size_t packed_size = 0;
    if (!packed ||
        ftr_lz4_compress(writer->compressor, body, size, packed, bound, &packed_size) != FTR_OK)
        return 0;
    return packed_size < size ? packed_size : 0;
}

void ftr_chunk_put(ftr_chunk_writer *writer, uint64_t tag, const ftr_chunk_range *range,
                   const uint8_t *body, size_t size)
{
    ftr_cbor_writer *out = &writer->framed;
    bool compress = writer->compressor && !(range && writer->plain_transactions);
    size_t packed_size = compress ? pack(writer, body, size) : 0;
    size_t elements = (range ? 3 : 0) + (packed_size ? 2 : 1);

    ftr_cbor_put_tag(out, packed_size ? tag + 1 : tag);
    if (elements > 1)
        ftr_cbor_put_array(out, elements);
    if (range) {
        ftr_cbor_put_uint(out, range->stream);
        ftr_cbor_put_uint(out, range->begin);
        ftr_cbor_put_uint(out, range->end);
    }
    if (packed_size) {
        ftr_cbor_put_uint(out, size);
        ftr_cbor_put_bytes(out, writer->packed.begin, packed_size);
    } else {
        ftr_cbor_put_bytes(out, body, size);
    }
    ++writer->chunks;
    writer->bytes_uncompressed += size;
}

void ftr_chunk_put_break(ftr_chunk_writer *writer)
{
    ftr_cbor_put_break(&writer->framed);
}

ftr_status ftr_chunk_send(ftr_chunk_writer *writer, ftr_failure *failure)
{
    ftr_cbor_writer *framed = &writer->framed;
    ftr_status status = framed->status;
    size_t size = ftr_cbor_writer_size(framed);
    if (status == FTR_OK && size > 0)
        status = ftr_output_append(&writer->output, framed->begin, size, failure);
    ftr_cbor_writer_reset(framed);
    return status;
}
