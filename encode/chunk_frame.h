/* The form of a chunk in the file: tags, heads, compression (docs/format.md, "Chunks"). Knows
 * neither the order of chunks nor the content of their bodies. */
#ifndef FTR_CHUNK_FRAME_H
#define FTR_CHUNK_FRAME_H

#include <stdbool.h>

#include "cbor_writer.h"
#include "lz4_block.h"

/* Maximum number of bytes of a chunk without its body. */
#define FTR_CHUNK_HEADS_MAX ((size_t)7 * FTR_CBOR_HEAD_MAX)

/* The fields that precede the body of a transactions chunk: the number of the stream, and the
 * earliest begin and latest end of the transactions in ticks. */
typedef struct ftr_chunk_range {
    uint32_t stream;
    uint64_t begin;
    uint64_t end;
} ftr_chunk_range;

/* All of a chunk that is not its body. */
typedef struct ftr_chunk_head {
    uint64_t tag;
    bool has_range; /* only chunks of transactions have one */
    ftr_chunk_range range;
} ftr_chunk_head;

/* Appends a chunk with @p body to @p to. The chunk contains the body uncompressed if that needs
 * fewer bytes, or if @p compressor is NULL. An error is latched in @p to. */
void ftr_chunk_frame(ftr_lz4_compressor *compressor, const ftr_chunk_head *head,
                     const uint8_t *body, size_t size, ftr_cbor_writer *to);

#endif
