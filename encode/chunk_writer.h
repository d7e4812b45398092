/* Frames the body of a chunk: tag, head, compression (docs/format.md, "Chunks"). Framed chunks
 * accumulate until one append sends them. */
#ifndef FTR_CHUNK_WRITER_H
#define FTR_CHUNK_WRITER_H

#include "cbor_writer.h"
#include "format_tags.h"
#include "lz4_block.h"

#include <ftr/recorder.h>

typedef struct ftr_output ftr_output;

typedef struct ftr_chunk_writer {
    ftr_lz4_compressor *compressor; /* NULL: no compression */
    bool plain_transactions;
    ftr_cbor_writer framed;
    uint64_t chunks;
    uint64_t bytes_uncompressed;
} ftr_chunk_writer;

/* The fields that precede the body of a transactions chunk: the number of the stream, and the
 * earliest begin and latest end of the transactions in ticks. */
typedef struct ftr_chunk_range {
    uint32_t stream;
    uint64_t begin;
    uint64_t end;
} ftr_chunk_range;

FTR_MUST_USE ftr_status ftr_chunk_writer_init(ftr_chunk_writer *writer, ftr_compression compression,
                                              int level);
void ftr_chunk_writer_release(ftr_chunk_writer *writer);

/* Frames the start of the file: the bytes before the first chunk, and the info chunk. */
void ftr_chunk_put_start(ftr_chunk_writer *writer, int time_scale, int64_t epoch_seconds);

/* Frames one chunk with @p body. @p range: with FTR_TAG_TRANSACTIONS; otherwise NULL. */
void ftr_chunk_put(ftr_chunk_writer *writer, uint64_t tag, const ftr_chunk_range *range,
                   const uint8_t *body, size_t size);

/* Frames the break at the end of the file. */
void ftr_chunk_put_break(ftr_chunk_writer *writer);

/* Appends all framed chunks to @p output. */
FTR_MUST_USE ftr_status ftr_chunk_send(ftr_chunk_writer *writer, ftr_output *output,
                                       ftr_failure *failure);

#endif
