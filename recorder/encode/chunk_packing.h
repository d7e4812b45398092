/* A body becomes a chunk of the file, compressed if possible. */
#ifndef FTR_CHUNK_PACKING_H
#define FTR_CHUNK_PACKING_H

#include "chunk_frame.h"
#include "lz4_block.h"

/* Maximum size of a byte string in the file that impulse reads. */
#define FTR_CHUNK_BYTES_MAX ((size_t)64 << 10)

/* Appends a chunk with @p body to @p to. The chunk contains the body uncompressed if that needs
 * fewer bytes, or if @p compressor is NULL. An error is latched in @p to. */
void ftr_chunk_pack(ftr_lz4_compressor *compressor, const ftr_chunk_head *head, const uint8_t *body,
                    size_t size, ftr_cbor_writer *to);

#endif
