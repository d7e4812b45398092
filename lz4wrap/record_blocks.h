/* LZ4 blocks of data that consists of similar records. The result is an ordinary LZ4 block. */
#ifndef FTR_RECORD_BLOCKS_H
#define FTR_RECORD_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On other processors, liblz4 is used. */
#ifdef __x86_64__
#define FTR_RECORD_BLOCKS 1
#endif

/* Maximum size of a block in bytes, because positions in a block are stored in 16 bits. LZ4 also
 * stores the distance of a match in 16 bits. */
#define FTR_RECORD_BLOCK_MAX ((size_t)1 << 16)
/* Number of entries of the table of positions. */
#define FTR_RECORD_TABLE_SIZE ((size_t)1 << 12)
/* Blocks up to this number of bytes are small. Small blocks are compressed more thoroughly, with a
 * part of the table: to clear the whole table would take longer than to compress the block. */
#define FTR_RECORD_SMALL_MAX ((size_t)4 << 10)
/* Number of bytes behind a small block that comparisons may read. */
#define FTR_RECORD_PADDING ((size_t)48)

/* Work memory. Its previous content has no effect. */
typedef struct ftr_record_work {
    uint16_t table[FTR_RECORD_TABLE_SIZE];
    uint8_t padded[FTR_RECORD_SMALL_MAX + FTR_RECORD_PADDING]; /* a copy of a small block */
} ftr_record_work;

/* Compresses @p size bytes, at most FTR_RECORD_BLOCK_MAX, to @p to, which must have room for
 * ftr_lz4_bound(size) bytes. Returns the size of the block. The result depends only on the
 * bytes. */
size_t ftr_record_block_compress(ftr_record_work *work, const uint8_t *bytes, size_t size,
                                 uint8_t *to);

#ifdef __cplusplus
}
#endif

#endif
