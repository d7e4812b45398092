/* The output of a repair, and its messages: reports the first messages about each subject, and the
 * number of the other messages. */
#include "repair_run.h"

#include "byte_source.h"
#include "chunk_frame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- the output ------------------------------------------------------------------------------ */

/* Size from which copied bytes are written. */
#define WRITTEN_TOGETHER ((size_t)4 << 20)

void ftr_chunk_output_init(ftr_chunk_output *output, int fd)
{
    *output = (ftr_chunk_output){.fd = fd};
    ftr_cbor_writer_init_growing(&output->entries, 0);
}

void ftr_chunk_output_release(ftr_chunk_output *output)
{
    ftr_cbor_writer_free(&output->entries);
}

static void write_now(ftr_chunk_output *output, const void *bytes, size_t size)
{
    if (output->status != FTR_OK || output->fd < 0)
        return;
    output->status = ftr_write_all(output->fd, bytes, size);
    output->cause = errno;
}

void ftr_chunk_output_flush(ftr_chunk_output *output)
{
    if (output->pending_size > 0)
        write_now(output, output->pending, output->pending_size);
    output->pending_size = 0;
}

void ftr_chunk_output_put(ftr_chunk_output *output, const void *bytes, size_t size)
{
    ftr_chunk_output_flush(output);
    if (output->status != FTR_OK)
        return;
    write_now(output, bytes, size);
    output->written += size;
}

void ftr_chunk_output_copy(ftr_chunk_output *output, const uint8_t *bytes, size_t size)
{
    if (output->pending_size == 0 || output->pending + output->pending_size != bytes ||
        output->pending_size >= WRITTEN_TOGETHER) {
        ftr_chunk_output_flush(output);
        output->pending = bytes;
    }
    if (output->status != FTR_OK)
        return;
    output->pending_size += size;
    output->written += size;
}

void ftr_chunk_output_begin(ftr_chunk_output *output)
{
    ftr_cbor_writer_reset(&output->entries);
    output->count = 0;
}

void ftr_chunk_output_end(ftr_chunk_output *output, ftr_chunk_kind kind, uint64_t stream,
                          uint64_t start, uint64_t end)
{
    if (output->entries.status != FTR_OK && output->status == FTR_OK)
        output->status = output->entries.status;
    if (output->count == 0 || output->status != FTR_OK)
        return;
    const bool is_map = kind == FTR_CHUNK_DICTIONARY;
    const size_t size = ftr_cbor_writer_size(&output->entries);
    uint8_t body_head[FTR_CBOR_HEAD_MAX];
    ftr_cbor_writer w;
    ftr_cbor_writer_init(&w, body_head, sizeof body_head);
    if (is_map)
        ftr_cbor_put_map(&w, output->count);
    else
        ftr_cbor_put_indefinite_array(&w);
    const size_t body_head_size = ftr_cbor_writer_size(&w);
    const ftr_chunk_head head = {.tag = ftr_chunk_tag(kind),
                                 .has_range = kind == FTR_CHUNK_TRANSACTIONS,
                                 .range = {stream, start, end}};
    uint8_t heads[FTR_CHUNK_HEADS_MAX];
    const uint8_t *heads_end =
        ftr_chunk_heads_at(heads, &head, 0, body_head_size + size + (is_map ? 0 : 1));
    ftr_chunk_output_put(output, heads, (size_t)(heads_end - heads));
    ftr_chunk_output_put(output, body_head, body_head_size);
    ftr_chunk_output_put(output, output->entries.begin, size);
    if (!is_map)
        ftr_chunk_output_put(output, &(uint8_t){FTR_CBOR_BYTE_BREAK}, 1);
}

void ftr_chunk_output_info(ftr_chunk_output *output, int time_scale, int64_t epoch_seconds)
{
    uint8_t chunk[FTR_INFO_CHUNK_MAX];
    size_t content_size;
    const uint8_t *end = ftr_info_chunk_at(chunk, time_scale, epoch_seconds, &content_size);
    ftr_chunk_output_put(output, chunk, (size_t)(end - chunk));
}

/* ---- the messages ---------------------------------------------------------------------------- */

/* Maximum number of messages about one subject. */
#define MESSAGES_MAX 10

void ftr_repair_message(ftr_repair_run *run, ftr_repair_subject subject, const char *format, ...)
{
    char message[400];
    if (run->on_message == NULL ||
        (run->messages[subject]++ >= MESSAGES_MAX && subject != FTR_REPAIR_FILE))
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    run->on_message(run->user, message);
}

bool ftr_repair_has_dropped(const ftr_repair *report)
{
    return report->chunks_salvaged + report->chunks_dropped + report->bytes_dropped +
               report->transactions_dropped + report->attributes_dropped +
               report->relations_dropped + report->definitions_lost + report->texts_lost +
               report->times_changed >
           0;
}

void ftr_repair_report_suppressed(ftr_repair_run *run)
{
    static const char *const SUBJECTS[FTR_REPAIR_SUBJECTS] = {
        [FTR_REPAIR_BYTES] = "damaged places without a complete entry",
        [FTR_REPAIR_CHUNK] = "damaged chunks salvaged",
        [FTR_REPAIR_TEXT] = "texts that were used before they were defined, or lost",
        [FTR_REPAIR_DEFINITION] = "lost definitions",
        [FTR_REPAIR_TRANSACTION] = "transactions dropped",
        [FTR_REPAIR_TIMES] = "transactions that ended before they began",
        [FTR_REPAIR_RELATION] = "relations dropped",
    };
    for (unsigned subject = FTR_REPAIR_BYTES; subject < FTR_REPAIR_SUBJECTS; subject++)
        if (run->messages[subject] > MESSAGES_MAX)
            ftr_repair_message(run, FTR_REPAIR_FILE, "%" PRIu64 " more %s",
                               run->messages[subject] - MESSAGES_MAX, SUBJECTS[subject]);
}
