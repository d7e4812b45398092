/* Frames chunks one after the other. Framed chunks accumulate until one append sends them. */
#ifndef FTR_CHUNK_WRITER_H
#define FTR_CHUNK_WRITER_H

#include "chunk_queue.h"
#include "format_tags.h"

#include <ftr/recorder.h>

typedef struct ftr_chunk_queue ftr_chunk_queue;
typedef struct ftr_output ftr_output;

typedef struct ftr_chunk_writer {
    ftr_lz4_compressor *compressor; /* NULL: no compression */
    /* the compressor for dictionaries that are too large for the viewer impulse, if `compressor` is
     * NULL; NULL: none was needed so far */
    ftr_lz4_compressor *of_large;
    int level; /* level of the compressor */
    bool plain_transactions;
    bool has_no_helper;     /* an attempt to start a helper has failed */
    ftr_chunk_queue *queue; /* with a helper thread; NULL: chunks are framed at once */
    /* the bytes of the framed chunks, which precede the chunks in the queue */
    ftr_cbor_writer framed;
    bool has_index;
    ftr_index_writer index; /* of the chunks of the file, if `has_index` is set */
    uint64_t chunks;
    uint64_t bytes_uncompressed;
} ftr_chunk_writer;

FTR_MUST_USE ftr_status ftr_chunk_writer_init(ftr_chunk_writer *writer, ftr_compression compression,
                                              int level);
void ftr_chunk_writer_release(ftr_chunk_writer *writer);

/* Starts a helper, which is a second thread that compresses chunks. Has no effect if there is a
 * helper already, if an earlier start has failed, or if transactions are not compressed. Only this
 * writer uses the helper: its functions must still be called by one thread at a time. */
void ftr_chunk_writer_start_helper(ftr_chunk_writer *writer);

/* Ends the helper if there is one. */
void ftr_chunk_writer_end_helper(ftr_chunk_writer *writer);

static inline bool ftr_chunk_writer_has_helper(const ftr_chunk_writer *writer)
{
    return writer->queue != NULL;
}

/* Begins the index of the next file, which has the path @p path; the path must stay valid. Called
 * before ftr_chunk_put_start(). */
void ftr_chunk_writer_begin_index(ftr_chunk_writer *writer, const char *path);

/* Frames the start of the file: the bytes before the first chunk, and the info chunk. */
void ftr_chunk_put_start(ftr_chunk_writer *writer, int time_scale, int64_t epoch_seconds);

/* Frames one chunk with @p body. */
void ftr_chunk_put(ftr_chunk_writer *writer, const ftr_chunk_head *head, const uint8_t *body,
                   size_t size);

/* Frames one chunk of transactions with the bytes of @p body. Afterwards, @p body is empty, perhaps
 * with other memory. */
void ftr_chunk_put_transactions(ftr_chunk_writer *writer, const ftr_chunk_head *head,
                                ftr_cbor_writer *body);

/* Frames the break at the end of the file. */
void ftr_chunk_put_break(ftr_chunk_writer *writer);

/* Returns the maximum number of bytes that ftr_chunk_send() will append. */
size_t ftr_chunk_unsent(const ftr_chunk_writer *writer);

/* Discards all chunks that are not sent yet. */
void ftr_chunk_drop(ftr_chunk_writer *writer);

/* Appends all chunks to @p output. */
FTR_MUST_USE ftr_status ftr_chunk_send(ftr_chunk_writer *writer, ftr_output *output,
                                       ftr_failure *failure);

/* Returns the size of the memory for chunks in bytes. */
size_t ftr_chunk_memory(const ftr_chunk_writer *writer);

#endif
