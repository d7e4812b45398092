/* Writes chunks with their bodies, which are compressed if that needs fewer bytes. */
#include "chunk_packing.h"

/* put_packed() assumes a compressed size up to this one: the heads of most compressed bodies then
 * have the same length. */
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
