/* Owns the framing of chunks that a repair writes. Does not know the meaning of entries. */
#include "chunk_output.h"

#include "byte_source.h"
#include "chunk_frame.h"

#include <errno.h>

void ftr_chunk_output_init(ftr_chunk_output *output, int fd)
{
    *output = (ftr_chunk_output){.fd = fd};
    ftr_cbor_writer_init_growing(&output->entries, 0);
}

void ftr_chunk_output_release(ftr_chunk_output *output)
{
    ftr_cbor_writer_free(&output->entries);
}

void ftr_chunk_output_put(ftr_chunk_output *output, const void *bytes, size_t size)
{
    if (output->status != FTR_OK)
        return;
    if (output->fd >= 0) {
        output->status = ftr_write_all(output->fd, bytes, size);
        output->cause = errno;
    }
    output->written += size;
}

void ftr_chunk_output_begin(ftr_chunk_output *output)
{
    ftr_cbor_writer_reset(&output->entries);
    output->count = 0;
}

void ftr_chunk_output_end(ftr_chunk_output *output, ftr_chunk_kind kind, uint64_t stream,
                          uint64_t start, uint64_t end)
{
    static const uint8_t TAGS[FTR_CHUNK_KINDS] = {FTR_TAG_INFO, FTR_TAG_DICTIONARY,
                                                  FTR_TAG_DIRECTORY, FTR_TAG_TRANSACTIONS,
                                                  FTR_TAG_RELATIONS};
    if (output->entries.status != FTR_OK && output->status == FTR_OK)
        output->status = output->entries.status;
    if (output->count == 0 || output->status != FTR_OK)
        return;
    const bool is_map = kind == FTR_CHUNK_DICTIONARY;
    const size_t size = ftr_cbor_writer_size(&output->entries);
    uint8_t body_head[FTR_CBOR_HEAD_MAX];
    ftr_cbor_writer w;
    ftr_cbor_writer_init(&w, body_head, sizeof body_head);
    if (is_map)
        ftr_cbor_put_map(&w, output->count);
    else
        ftr_cbor_put_indefinite_array(&w);
    const size_t body_head_size = ftr_cbor_writer_size(&w);
    uint8_t frame[FTR_FRAME_HEAD_MAX];
    ftr_cbor_writer_init(&w, frame, sizeof frame);
    ftr_cbor_put_tag(&w, TAGS[kind]);
    if (kind == FTR_CHUNK_TRANSACTIONS) {
        ftr_cbor_put_array(&w, 4);
        ftr_cbor_put_uint(&w, stream);
        ftr_cbor_put_uint(&w, start);
        ftr_cbor_put_uint(&w, end);
    }
    ftr_cbor_put_head(&w, FTR_CBOR_MAJOR_BYTES, body_head_size + size + (is_map ? 0 : 1));
    ftr_chunk_output_put(output, frame, ftr_cbor_writer_size(&w));
    ftr_chunk_output_put(output, body_head, body_head_size);
    ftr_chunk_output_put(output, output->entries.begin, size);
    if (!is_map)
        ftr_chunk_output_put(output, &(uint8_t){FTR_CBOR_BYTE_BREAK}, 1);
}

void ftr_chunk_output_info(ftr_chunk_output *output, int time_scale, int64_t epoch_seconds)
{
    uint8_t content[32];
    uint8_t frame[48];
    ftr_cbor_writer w;
    ftr_cbor_writer_init(&w, content, sizeof content);
    ftr_cbor_put_array(&w, 2);
    ftr_cbor_put_int(&w, time_scale);
    ftr_cbor_put_tag(&w, FTR_TAG_EPOCH);
    ftr_cbor_put_int(&w, epoch_seconds);
    const size_t size = ftr_cbor_writer_size(&w);
    ftr_cbor_writer_init(&w, frame, sizeof frame);
    ftr_cbor_put_tag(&w, FTR_TAG_INFO);
    ftr_cbor_put_bytes(&w, content, size);
    ftr_chunk_output_put(output, frame, ftr_cbor_writer_size(&w));
}
