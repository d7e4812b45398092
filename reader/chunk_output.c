/* The chunks that a repair writes. */
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
    const ftr_chunk_head head = {.tag = ftr_chunk_tag(kind),
                                 .has_range = kind == FTR_CHUNK_TRANSACTIONS,
                                 .range = {stream, start, end}};
    uint8_t heads[FTR_CHUNK_HEADS_MAX];
    const uint8_t *heads_end =
        ftr_chunk_heads_at(heads, &head, 0, body_head_size + size + (is_map ? 0 : 1));
    ftr_chunk_output_put(output, heads, (size_t)(heads_end - heads));
    ftr_chunk_output_put(output, body_head, body_head_size);
    ftr_chunk_output_put(output, output->entries.begin, size);
    if (!is_map)
        ftr_chunk_output_put(output, &(uint8_t){FTR_CBOR_BYTE_BREAK}, 1);
}

void ftr_chunk_output_info(ftr_chunk_output *output, int time_scale, int64_t epoch_seconds)
{
    uint8_t chunk[FTR_INFO_CHUNK_MAX];
    size_t content_size;
    const uint8_t *end = ftr_info_chunk_at(chunk, time_scale, epoch_seconds, &content_size);
    ftr_chunk_output_put(output, chunk, (size_t)(end - chunk));
}
