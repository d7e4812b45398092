/* Writes a repaired file: copies of chunks, and new chunks made from entries. */
#ifndef FTR_CHUNK_OUTPUT_H
#define FTR_CHUNK_OUTPUT_H

#include "cbor_writer.h"

#include <ftr/reader.h>

/* The output, and the chunk under construction: its entries and their number. If fd is -1, nothing
 * is written, and only the size is counted. */
typedef struct ftr_chunk_output {
    int fd;
    int cause; /* errno of the failed write */
    ftr_status status;
    uint64_t written;
    ftr_cbor_writer entries;
    uint64_t count;
} ftr_chunk_output;

void ftr_chunk_output_init(ftr_chunk_output *output, int fd);
void ftr_chunk_output_release(ftr_chunk_output *output);

void ftr_chunk_output_put(ftr_chunk_output *output, const void *bytes, size_t size);

/* Begins a new chunk; the caller puts its entries into output->entries and counts them in
 * output->count. */
void ftr_chunk_output_begin(ftr_chunk_output *output);

/* Ends the chunk: writes it uncompressed with its frame, unless it is empty. @p stream, @p start
 * and @p end are used for transactions only. */
void ftr_chunk_output_end(ftr_chunk_output *output, ftr_chunk_kind kind, uint64_t stream,
                          uint64_t start, uint64_t end);

/* Writes an info chunk. */
void ftr_chunk_output_info(ftr_chunk_output *output, int time_scale, int64_t epoch_seconds);

#endif
