/* Chunks that are not yet compressed, in the order of the file, and the *helper*, a thread that
 * compresses them. The *owner* is the thread that adds chunks to the queue. When the bytes of the
 * chunks are needed, the owner compresses the chunks that the helper has not begun. Only the owner
 * may call these functions. */
#ifndef FTR_CHUNK_QUEUE_H
#define FTR_CHUNK_QUEUE_H

#include "chunk_frame.h"
#include "index_file.h"
#include "lz4_block.h"

typedef struct ftr_chunk_queue ftr_chunk_queue;

/* The compressor of the owner, the writer that collects the bytes of all chunks, and the index that
 * describes the chunks (NULL: there is none). All are borrowed. */
typedef struct ftr_chunk_collector {
    ftr_lz4_compressor *compressor;
    ftr_cbor_writer *framed;
    ftr_index_writer *index;
} ftr_chunk_collector;

/* Creates a queue and starts its helper, which blocks the same signals as the calling thread.
 * @param level  of the helper's compressor
 * @return NULL: this thread may use only one processor, or there is not enough memory, or the
 *         system refuses a further thread */
ftr_chunk_queue *ftr_chunk_queue_start(int level);

/* Collects all chunks, ends the helper and frees the queue. @p queue may be NULL. */
void ftr_chunk_queue_end(ftr_chunk_queue *queue, const ftr_chunk_collector *collector);

/* Adds a chunk with a copy of the @p size bytes at @p body. If the queue is full, the oldest chunk
 * is collected first. */
void ftr_chunk_queue_add(ftr_chunk_queue *queue, const ftr_chunk_head *head, const uint8_t *body,
                         size_t size, const ftr_chunk_collector *collector);

/* Like ftr_chunk_queue_add(), but takes over the memory of @p body. Afterwards, @p body is empty,
 * with other memory. */
void ftr_chunk_queue_move(ftr_chunk_queue *queue, const ftr_chunk_head *head, ftr_cbor_writer *body,
                          const ftr_chunk_collector *collector);

/* Removes all chunks from the queue, and appends their bytes to the writer of the collector. Errors
 * are latched in this writer. */
void ftr_chunk_queue_collect(ftr_chunk_queue *queue, const ftr_chunk_collector *collector);

/* Returns the maximum number of bytes that the chunks of the queue will have. */
size_t ftr_chunk_queue_bound(const ftr_chunk_queue *queue);

/* Returns the size of the queue's memory in bytes. */
size_t ftr_chunk_queue_memory(const ftr_chunk_queue *queue);

/* Maximum size of a byte string in the file that the viewer impulse reads. */
#define FTR_CHUNK_BYTES_MAX ((size_t)64 << 10)

/* Appends a chunk with @p body to @p to. The body is not compressed if the chunk is then smaller,
 * or if @p compressor is NULL. An error is latched in @p to. */
void ftr_chunk_pack(ftr_lz4_compressor *compressor, const ftr_chunk_head *head, const uint8_t *body,
                    size_t size, ftr_cbor_writer *to);

#endif
