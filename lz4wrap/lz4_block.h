/** @file
 *  LZ4 block compression: raw blocks, without frame or size prefix. The caller stores the size of
 *  the uncompressed bytes, because a block does not contain it. */
#ifndef FTR_LZ4_BLOCK_H
#define FTR_LZ4_BLOCK_H

#include <ftr/status.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The levels. Level 0 is LZ4, and levels 1 to FTR_LZ4_LEVEL_MAX are LZ4HC. Higher levels are
 *  slower and compress more. */
#define FTR_LZ4_LEVEL_FAST 0
#define FTR_LZ4_LEVEL_MAX 12

/** Number of kinds of blocks. A compressor chooses its method separately for each kind. */
#define FTR_LZ4_KINDS 8

/** Compresses blocks one after the other and reuses its work memory (29 KiB for level 0, 269 KiB
 *  for other levels). Not thread-safe. */
typedef struct ftr_lz4_compressor ftr_lz4_compressor;

/** Creates a compressor.
 *  @param[out] compressor the new compressor, which the caller must destroy; untouched on error
 *  @return FTR_OK; FTR_ERR_ARGUMENT for an invalid level; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_lz4_compressor_create(int level, ftr_lz4_compressor **compressor);

/** Frees the compressor. @p compressor may be NULL. */
void ftr_lz4_compressor_destroy(ftr_lz4_compressor *compressor);

/** Returns a capacity that is sufficient to compress any @p size bytes; 0 if @p size exceeds the
 *  maximum of a block (0x7e000000). */
size_t ftr_lz4_bound(size_t size);

/** Compresses @p size bytes at @p bytes to @p to, as one independent block.
 *  @param kind any number; blocks with the same number modulo FTR_LZ4_KINDS should have similar
 *              content. The number matters only at level 0 on x86-64, and only if @p size is at
 *              most 64 KiB: ftr_record_block_compress(), which is faster than liblz4, is then used
 *              if its blocks of the same kind were at most a 40th larger than those of liblz4.
 *              Blocks up to 4 KiB and larger blocks of the same number are different kinds.
 *  @param[out] block_size size of the block in bytes; untouched on error
 *  @return FTR_OK; FTR_ERR_LIMIT if the block does not fit into @p capacity (impossible with
 *          ftr_lz4_bound()), or if @p size exceeds the maximum of a block */
FTR_MUST_USE ftr_status ftr_lz4_compress(ftr_lz4_compressor *compressor, unsigned kind,
                                         const uint8_t *bytes, size_t size, uint8_t *to,
                                         size_t capacity, size_t *block_size);

/** Expands the block of @p size bytes at @p block to exactly @p raw_size bytes at @p to; on error,
 *  the content of @p to is undefined. The format has no checksum: FTR_OK means that the block is
 *  well-formed, not that the bytes are the original ones.
 *  @return FTR_OK; FTR_ERR_FORMAT if the block is corrupt or does not expand to @p raw_size bytes;
 *          FTR_ERR_LIMIT if @p size or @p raw_size exceeds INT_MAX */
FTR_MUST_USE ftr_status ftr_lz4_expand(const uint8_t *block, size_t size, uint8_t *to,
                                       size_t raw_size);

/** Expands a block, which may be truncated or corrupt, up to its first defect, but to at most
 *  @p capacity bytes. Accepts blocks of any size. Slower than ftr_lz4_expand().
 *  @return number of bytes written to @p to */
size_t ftr_lz4_expand_prefix(const uint8_t *block, size_t size, uint8_t *to, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
