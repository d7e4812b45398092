/* The state of a repair that makes a valid file from a damaged one: output, report and messages. */
#ifndef FTR_REPAIR_RUN_H
#define FTR_REPAIR_RUN_H

#include "cbor_writer.h"
#include "repair_sound.h"

#include <ftr/reader.h>

/* ---- the chunks that a repair writes: copies, and new chunks made from entries --------------- */

/* The output, and the chunk under construction: its entries and their number. If fd is -1, nothing
 * is written, and only the size is counted. */
typedef struct ftr_chunk_output {
    int fd;
    int cause;         /* errno of the failed write */
    ftr_status status; /* the first error; nothing is written after it */
    uint64_t written;
    /* bytes that were copied last and are not written yet, so that chunks that follow each other
     * are written together */
    const uint8_t *pending;
    size_t pending_size;
    ftr_cbor_writer entries;
    uint64_t count;
} ftr_chunk_output;

void ftr_chunk_output_init(ftr_chunk_output *output, int fd);
void ftr_chunk_output_release(ftr_chunk_output *output);

void ftr_chunk_output_put(ftr_chunk_output *output, const void *bytes, size_t size);

/* Like ftr_chunk_output_put(), for a chunk of the file that is read: the bytes must stay valid
 * until the output is flushed. */
void ftr_chunk_output_copy(ftr_chunk_output *output, const uint8_t *bytes, size_t size);

/* Writes the bytes that are not written yet. */
void ftr_chunk_output_flush(ftr_chunk_output *output);

/* Begins a new chunk; the caller puts its entries into output->entries and counts them in
 * output->count. */
void ftr_chunk_output_begin(ftr_chunk_output *output);

/* Ends the chunk: writes it uncompressed with its frame, unless it is empty. @p stream, @p start
 * and @p end are used for transactions only. */
void ftr_chunk_output_end(ftr_chunk_output *output, ftr_chunk_kind kind, uint64_t stream,
                          uint64_t start, uint64_t end);

/* Writes an info chunk. */
void ftr_chunk_output_info(ftr_chunk_output *output, int time_scale, int64_t epoch_seconds);

/* ---- the state of a repair, and its messages ------------------------------------------------- */

/* The subject of a message. All messages about FTR_REPAIR_FILE are reported. For each other
 * subject, only the first messages are reported, and the rest is counted. */
typedef enum ftr_repair_subject {
    FTR_REPAIR_FILE,
    FTR_REPAIR_BYTES,
    FTR_REPAIR_CHUNK,
    FTR_REPAIR_TEXT,
    FTR_REPAIR_DEFINITION,
    FTR_REPAIR_TRANSACTION,
    FTR_REPAIR_TIMES,
    FTR_REPAIR_RELATION,
    FTR_REPAIR_SUBJECTS
} ftr_repair_subject;

typedef struct ftr_repair_run {
    ftr_chunk_output out;
    ftr_repair *report;
    unsigned threads; /* number of threads that read; 0: one for each processor */
    void (*on_message)(void *user, const char *message);
    void *user;
    uint64_t messages[FTR_REPAIR_SUBJECTS];
    bool altered; /* the output differs from the input */
} ftr_repair_run;

__attribute__((format(printf, 3, 4))) void
ftr_repair_message(ftr_repair_run *run, ftr_repair_subject subject, const char *format, ...);

/* Returns true if the repair found losses other than the missing end of the input. */
bool ftr_repair_has_dropped(const ftr_repair *report);

static inline bool ftr_repair_has_losses(const ftr_repair *report)
{
    return report->was_open || ftr_repair_has_dropped(report);
}

/* Reports the number of suppressed messages. */
void ftr_repair_report_suppressed(ftr_repair_run *run);

/* First step: copies every valid chunk, and the valid entries of damaged chunks.
 * @param[in,out] sound in: whether the index of @p reader shows no error; out: whether the file has
 *                      none, except at its end
 * @return FTR_OK; FTR_ERR_LIMIT; FTR_ERR_MEMORY; FTR_ERR_IO: the cause is run->out.cause */
ftr_status ftr_repair_chunks(ftr_repair_run *run, ftr_reader *reader, ftr_sound_file *sound);

/* Second step: resolves contradictions between entries. Undefined texts, streams and generators are
 * defined, invalid entries are dropped. A file without contradictions is copied unchanged.
 * @param known the result of the first step for a file that begins with the chunks of this file;
 *              its ids of transactions are used up. NULL: none
 * @return as ftr_repair_chunks(); FTR_ERR_FORMAT if a chunk does not expand */
ftr_status ftr_repair_content(ftr_repair_run *run, ftr_reader *reader, ftr_sound_file *known);

#endif
