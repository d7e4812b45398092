/** @file
 *  LZ4 block compression: raw blocks, without frame or size prefix. The size of the raw bytes is
 *  kept by the caller, and expansion never believes the block about it. */
#ifndef FTR_LZ4_BLOCK_H
#define FTR_LZ4_BLOCK_H

#include <ftr/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The levels: 0 is LZ4, 1 to FTR_LZ4_LEVEL_MAX are LZ4HC, slower and smaller the higher. */
#define FTR_LZ4_LEVEL_FAST 0
#define FTR_LZ4_LEVEL_MAX 12

/** Compresses one block after the other with one work memory (16 KiB for level 0, 256 KiB for the
 *  others). Used by one thread at a time. */
typedef struct ftr_lz4_compressor ftr_lz4_compressor;

/** @param[out] compressor new, the caller's until ftr_lz4_compressor_destroy(); untouched on error
 *  @return FTR_OK; FTR_ERR_ARGUMENT for a level that is none; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_lz4_compressor_create(int level, ftr_lz4_compressor **compressor);

/** Nothing for NULL. */
void ftr_lz4_compressor_destroy(ftr_lz4_compressor *compressor);

/** Bytes that suffice for @p size compressed bytes whatever they are; 0 when @p size is more than a
 *  block can have (0x7e000000). */
size_t ftr_lz4_bound(size_t size);

/** Compresses @p size bytes at @p bytes to @p to, as one block that depends on no other.
 *  @param[out] block_size bytes of the block, untouched on error
 *  @return FTR_OK; FTR_ERR_LIMIT when the block does not fit into @p capacity (never with
 *          ftr_lz4_bound()), or @p size is more than a block can have */
FTR_MUST_USE ftr_status ftr_lz4_compress(ftr_lz4_compressor *compressor, const uint8_t *bytes,
                                         size_t size, uint8_t *to, size_t capacity,
                                         size_t *block_size);

/** Expands the block of @p size bytes at @p block to exactly @p raw_size bytes at @p to, which may
 *  hold anything after an error. The format has no checksum: FTR_OK says that the block could be
 *  followed to its end, not that its bytes are those once compressed.
 *  @return FTR_OK; FTR_ERR_FORMAT when the block is corrupt or holds more or fewer bytes;
 *          FTR_ERR_LIMIT when a size is more than a block can have */
FTR_MUST_USE ftr_status ftr_lz4_expand(const uint8_t *block, size_t size, uint8_t *to,
                                       size_t raw_size);

/** Expands as much of the beginning of a block that is cut short or corrupt as its bytes tell, at
 *  most @p capacity. Takes blocks of any size. Slower than ftr_lz4_expand().
 *  @return bytes expanded to @p to */
size_t ftr_lz4_expand_prefix(const uint8_t *block, size_t size, uint8_t *to, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
