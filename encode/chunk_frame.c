/* Writes the heads of chunks, and compresses their bodies. */
#include "chunk_frame.h"

#include "format_tags.h"

/* put_packed() assumes a compressed size up to this one: the heads of most compressed bodies then
 * have the same length. */
#define USUAL_PACKED_SIZE UINT16_MAX

/* Writes all parts of a chunk that precede the bytes of its body. @p bytes_size is the number of
 * these bytes in the file. @p raw_size is their number after decompression; 0: the bytes are not
 * compressed. Returns the end of the written parts. */
static uint8_t *heads_at(uint8_t *p, const ftr_chunk_head *head, size_t raw_size, size_t bytes_size)
{
    size_t elements = (head->has_range ? 3 : 0) + (raw_size ? 2 : 1);
    p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_TAG, raw_size ? head->tag + 1 : head->tag);
    if (elements > 1)
        p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, elements);
    if (head->has_range) {
        p = ftr_cbor_uint_at(p, head->range.stream);
        p = ftr_cbor_uint_at(p, head->range.begin);
        p = ftr_cbor_uint_at(p, head->range.end);
    }
    if (raw_size)
        p = ftr_cbor_uint_at(p, raw_size);
    return ftr_cbor_head_at(p, FTR_CBOR_MAJOR_BYTES, bytes_size);
}

/* Returns the kind of a chunk for the compressor: 0 for strings and definitions, 1 for relations, a
 * higher number for transactions, depending on their stream. */
static unsigned kind_of(const ftr_chunk_head *head)
{
    if (!head->has_range)
        return head->tag == FTR_TAG_RELATIONS;
    return 2 + head->range.stream % (FTR_LZ4_KINDS - 2);
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
    uint8_t *packed = heads_at(start, head, size, USUAL_PACKED_SIZE);
    size_t packed_size = 0;
    if (ftr_lz4_compress(compressor, kind_of(head), body, size, packed, bound, &packed_size) !=
            FTR_OK ||
        packed_size >= size)
        return false;
    uint8_t heads[FTR_CHUNK_HEADS_MAX];
    size_t heads_size = (size_t)(heads_at(heads, head, size, packed_size) - heads);
    if (start + heads_size != packed)
        memmove(start + heads_size, packed, packed_size);
    memcpy(start, heads, heads_size);
    ftr_cbor_advance(to, start + heads_size + packed_size);
    return true;
}

void ftr_chunk_frame(ftr_lz4_compressor *compressor, const ftr_chunk_head *head,
                     const uint8_t *body, size_t size, ftr_cbor_writer *to)
{
    if (compressor != NULL && put_packed(compressor, head, body, size, to))
        return;
    uint8_t heads[FTR_CHUNK_HEADS_MAX];
    ftr_cbor_put_encoded(to, heads, (size_t)(heads_at(heads, head, 0, size) - heads));
    ftr_cbor_put_encoded(to, body, size);
}
