/* The walk over the chunks of a file. It finds the kind and location of each chunk, and continues
 * at the next chunk after damaged bytes. It does not expand chunks of transactions. */
#include "cbor_reader.h"
#include "dictionary_chunks.h"
#include "growing_array.h"
#include "index_file.h"
#include "reader_state.h"

#include <inttypes.h>
#include <string.h>

void ftr_index_reset(ftr_reader *reader)
{
    ftr_budget *budget = &reader->budget;
    ftr_text_table_release(&reader->texts, budget);
    ftr_directory_release(&reader->directory, budget);
    for (ftr_content *content = reader->cache.oldest; content != NULL; content = content->newer)
        content->pins = 0; /* contents of a pipe are never unpinned, so reset the count */
    ftr_chunk_cache_clear(&reader->cache);
    for (size_t i = 0; i < reader->segment_count; i++)
        free(reader->segments[i]);
    ftr_budget_release(budget, reader->segment_count * sizeof(ftr_chunk_segment));
    ftr_array_release(budget, reader->segments, reader->segment_capacity,
                      sizeof(ftr_chunk_segment *));
    ftr_array_release(budget, reader->gaps.list, reader->gaps.capacity, sizeof(ftr_id_range));
    ftr_id_index_release(&reader->gaps.of_chunks, budget);
    reader->segments = NULL;
    reader->segment_count = reader->segment_capacity = reader->chunk_count = 0;
    reader->gaps = (ftr_id_gaps){0};
    reader->indexed = 0;
    reader->magic_seen = reader->info_is_malformed = reader->break_seen = false;
    reader->info = (ftr_file_info){.time_scale = -12, .sound_size = UINT64_MAX};
}

/* ---- chunks that are read immediately -------------------------------------------------------- */

static void read_info(ftr_reader *reader, const ftr_chunk *chunk, const ftr_content *content)
{
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, content->bytes, content->size);
    uint64_t count = 0;
    int64_t time_scale = 0;
    int64_t epoch = 0;
    uint64_t tag = 0;
    (void)ftr_cbor_get_array(&r, &count);
    if (ftr_cbor_get_int(&r, &time_scale) != FTR_OK || time_scale < -128 || time_scale > 127) {
        ftr_findings_add(&reader->findings, FTR_RULE_INFO_SHAPE, chunk->offset, 1,
                         "the info has no time scale: ps are assumed");
        reader->info_is_malformed = true;
        return;
    }
    reader->info.time_scale = (int)time_scale;
    reader->info.has_info = true;
    bool odd = count != 2;
    if (ftr_cbor_peek(&r) == FTR_CBOR_TAG)
        (void)ftr_cbor_get_tag(&r, &tag);
    odd |= tag != FTR_TAG_EPOCH;
    const ftr_cbor_type type = ftr_cbor_peek(&r);
    if (type == FTR_CBOR_HALF || type == FTR_CBOR_FLOAT || type == FTR_CBOR_DOUBLE) {
        double seconds = 0;
        (void)ftr_cbor_get_double(&r, &seconds);
        if (seconds > -9e18 && seconds < 9e18)
            epoch = (int64_t)seconds;
        odd = true;
    } else if (ftr_cbor_get_int(&r, &epoch) != FTR_OK) {
        odd = true;
    }
    reader->info.epoch_seconds = epoch;
    odd |= ftr_cbor_reader_left(&r) > 0;
    reader->info_is_malformed |= odd;
    if (odd)
        ftr_findings_add(&reader->findings, FTR_RULE_INFO_SHAPE, chunk->offset, 1,
                         "the info is not [int, 1(int)]: its valid part is used");
}

static ftr_status add_info(ftr_reader *reader, ftr_chunk *chunk, const ftr_frame *frame)
{
    if (reader->info.has_info || reader->chunk_count != 1)
        ftr_findings_add(&reader->findings, FTR_RULE_INFO, chunk->offset, 0,
                         reader->info.has_info ? "a second info: skipped"
                                               : "the info is not the first chunk: still used");
    if (frame->bare && !reader->info.has_info)
        ftr_findings_add(&reader->findings, FTR_RULE_INFO_SHAPE, chunk->offset, 0,
                         "the info is not in a byte string: still used");
    if (reader->info.has_info)
        return FTR_OK;
    ftr_content *content;
    const ftr_status status = ftr_chunk_cache_pin(&reader->cache, chunk, &content);
    if (status != FTR_OK)
        return status == FTR_ERR_FORMAT ? FTR_OK : status;
    read_info(reader, chunk, content);
    ftr_chunk_cache_unpin(&reader->cache, content);
    return FTR_OK;
}

/* ---- entries of the index -------------------------------------------------------------------- */

static ftr_status new_chunk(ftr_reader *reader, ftr_chunk **chunk)
{
    if (reader->chunk_count == reader->segment_count * FTR_CHUNKS_A_SEGMENT) {
        ftr_status status =
            ftr_array_reserve(&reader->budget, &reader->segments, &reader->segment_capacity,
                              reader->segment_count + 1, sizeof(ftr_chunk_segment *));
        if (status != FTR_OK)
            return status;
        if (!ftr_budget_reserve(&reader->budget, sizeof(ftr_chunk_segment)))
            return FTR_ERR_LIMIT;
        ftr_chunk_segment *segment = malloc(sizeof *segment);
        if (segment == NULL) {
            ftr_budget_release(&reader->budget, sizeof *segment);
            return FTR_ERR_MEMORY;
        }
        segment->transaction_ids = segment->relation_ids = FTR_ID_RANGE_NONE;
        segment->without_ids = 0;
        reader->segments[reader->segment_count++] = segment;
    }
    *chunk = ftr_chunk_at(reader, reader->chunk_count);
    reader->chunk_count++;
    return FTR_OK;
}

static ftr_status add_transactions(ftr_reader *reader, ftr_chunk *chunk, const ftr_frame *frame)
{
    ftr_stream_entry *stream = ftr_directory_find_stream(&reader->directory, frame->stream);
    if (stream == NULL)
        ftr_findings_add(&reader->findings, FTR_RULE_UNDEFINED_STREAM, chunk->offset, 0,
                         "transactions of stream %" PRIu64 ", which is not defined yet",
                         frame->stream);
    const ftr_status status = ftr_directory_need_stream(&reader->directory, &reader->budget,
                                                        frame->stream, chunk->offset, &stream);
    if (status != FTR_OK)
        return status;
    ftr_stream_info *info = &stream->info;
    chunk->stream = info->index;
    info->chunks++;
    info->bytes += frame->size;
    info->bytes_expanded += frame->raw_size;
    if (frame->end < frame->start) {
        chunk->inverted_range = 1;
        ftr_findings_add(&reader->findings, FTR_RULE_CHUNK_RANGE, chunk->offset, 0,
                         "the declared end of the chunk is before its start: both are ignored");
        return FTR_OK;
    }
    ftr_file_info *whole = &reader->info;
    if (frame->start < info->first_time)
        info->first_time = frame->start;
    if (frame->end > info->last_time)
        info->last_time = frame->end;
    if (!whole->has_times || frame->start < whole->first_time)
        whole->first_time = frame->start;
    if (!whole->has_times || frame->end > whole->last_time)
        whole->last_time = frame->end;
    whole->has_times = true;
    return FTR_OK;
}

static void say_frame(ftr_reader *reader, const ftr_frame *frame, uint64_t offset)
{
    if (frame->malformed)
        ftr_findings_add(&reader->findings, FTR_RULE_CHUNK_SHAPE, offset, 0,
                         "a chunk of tag %" PRIu64 " with missing fields: skipped", frame->tag);
    else if (frame->kind == FTR_CHUNK_UNKNOWN && frame->tag != UINT64_MAX)
        ftr_findings_add(&reader->findings, FTR_RULE_TOP_LEVEL, offset, 0,
                         "tag %" PRIu64 " is not the tag of a chunk: skipped", frame->tag);
    else if (frame->kind == FTR_CHUNK_UNKNOWN)
        ftr_findings_add(&reader->findings, FTR_RULE_TOP_LEVEL, offset, 0,
                         "an item without a tag: skipped");
    else if (frame->indefinite)
        ftr_findings_add(&reader->findings, FTR_RULE_CHUNK_SHAPE, offset, 0,
                         "the chunk is in indefinite form: still read");
}

/* Adds a dictionary with known entries. Its content is read when a text is needed. */
static ftr_status add_listed_dictionary(ftr_reader *reader, uint32_t index, uint64_t strings)
{
    ftr_text_table *table = &reader->texts;
    const uint64_t first = ftr_text_table_limit(table);
    if (strings == 0)
        return FTR_OK;
    table->count += strings;
    return ftr_text_table_put_run(table, &reader->budget, first, (uint32_t)strings, index);
}

/* Adds a chunk. @p listed is its part in the index beside the file; NULL: the content of a
 * dictionary is read. */
static ftr_status add_chunk(ftr_reader *reader, const ftr_frame *frame, uint64_t offset,
                            const ftr_listed_chunk *listed)
{
    ftr_chunk *chunk;
    ftr_status status = new_chunk(reader, &chunk);
    if (status != FTR_OK)
        return status;
    const uint32_t index = (uint32_t)(reader->chunk_count - 1);
    const uint8_t *bytes = ftr_source_at(&reader->source, offset);
    *chunk = (ftr_chunk){.offset = offset, .start = frame->start, .end = frame->end};
    chunk->kind = (uint8_t)frame->kind & 15;
    chunk->compressed = frame->compressed;
    ftr_file_info *info = &reader->info;
    info->chunks[frame->kind]++;
    info->bytes[frame->kind] += frame->size;
    info->bytes_expanded[frame->kind] += frame->raw_size;
    info->compressed_chunks += frame->compressed;
    say_frame(reader, frame, offset);
    if (frame->kind == FTR_CHUNK_UNKNOWN) {
        /* ftr_reader_get_chunk() computes the end of the item from this size. */
        chunk->payload_size = frame->size <= UINT32_MAX ? (uint32_t)frame->size : UINT32_MAX;
        return FTR_OK;
    }
    chunk->in_pieces = frame->in_pieces;
    chunk->is_listed = listed != NULL;
    reader->segments[reader->segment_count - 1]->without_ids += ftr_chunk_has_ids(frame->kind);
    chunk->head = (uint8_t)(frame->payload - bytes);
    chunk->tail = (frame->size - chunk->head - frame->payload_size) & 15u;
    if (frame->payload_size > UINT32_MAX || frame->raw_size > UINT32_MAX) {
        chunk->payload_size = chunk->raw_size = UINT32_MAX;
        ftr_chunk_cache_refuse(&reader->cache, chunk);
    } else {
        chunk->payload_size = (uint32_t)frame->payload_size;
        chunk->raw_size = (uint32_t)frame->raw_size;
    }
    switch (frame->kind) {
    case FTR_CHUNK_INFO:
        return add_info(reader, chunk, frame);
    case FTR_CHUNK_DICTIONARY:
        return listed != NULL ? add_listed_dictionary(reader, index, listed->strings)
                              : ftr_dictionary_add(reader, index);
    case FTR_CHUNK_DIRECTORY:
        return ftr_directory_add(reader, index);
    case FTR_CHUNK_TRANSACTIONS:
        return add_transactions(reader, chunk, frame);
    default:
        return FTR_OK;
    }
}

/* Parses the item at @p offset. A usual chunk is parsed from a copy of its head, because mapping
 * the pages of all heads takes more time than all other work on the index. */
static ftr_status parse_frame(ftr_reader *reader, uint64_t offset, ftr_frame *frame)
{
    const ftr_source *source = &reader->source;
    const uint8_t *bytes = ftr_source_at(source, offset);
    const uint64_t left = source->size - offset;
    ftr_copied_head *head = &reader->copied_head;
    /* The file may have grown after its size was read: a copy must not contain later bytes. */
    if (left < sizeof head->bytes)
        return ftr_frame_parse(bytes, left, frame);
    /* The walk parses each item twice: first to check that the walk can continue after the previous
     * item, then to index it. */
    if (head->offset != offset || head->size == 0) {
        head->offset = offset;
        head->size = ftr_source_copy_cached(source, offset, head->bytes, sizeof head->bytes);
    }
    if (head->size == sizeof head->bytes &&
        ftr_frame_parse_head(head->bytes, head->size, left, frame)) {
        frame->payload = bytes + (frame->payload - head->bytes);
        return FTR_OK;
    }
    return ftr_frame_parse(bytes, left, frame);
}

/* ---- damaged bytes --------------------------------------------------------------------------- */

/* Returns true if the walk can continue at @p offset: at a chunk, the break, or the end of the
 * file. */
static bool can_continue(ftr_reader *reader, uint64_t offset)
{
    if (offset >= reader->source.size)
        return true;
    ftr_frame frame;
    const ftr_status status = parse_frame(reader, offset, &frame);
    if (status == FTR_ERR_END)
        return offset + 1 == reader->source.size;
    /* A chunk with a complete head is accepted: the rest of it may not have been written yet. */
    if (status == FTR_ERR_TRUNCATED)
        return frame.payload != NULL;
    /* An info chunk without its byte string looks like the head of a transaction. */
    return status == FTR_OK && frame.kind != FTR_CHUNK_UNKNOWN && !frame.bare;
}

/* Searches for the next chunk at or after @p from, in time linear in the number of bytes searched.
 * @return false if no chunk was found within this time, or if there is no memory for the search */
static bool find_chunk(ftr_reader *reader, uint64_t from, uint64_t *found)
{
    const ftr_source *source = &reader->source;
    /* An LZ4 block expands to at most 255 times its size. */
    const uint64_t most = (source->size - from) * 255 + 64;
    size_t scratch_size = reader->budget.limit / 8;
    if (scratch_size > (4u << 20))
        scratch_size = 4u << 20;
    if (scratch_size > most)
        scratch_size = (size_t)most;
    if (!ftr_budget_reserve(&reader->budget, scratch_size))
        return false;
    uint8_t *scratch = malloc(scratch_size);
    uint64_t work = 64 * (source->size - from) + (64u << 20);
    bool is_found = false;
    for (uint64_t at = from; scratch != NULL && !is_found && at < source->size; at++) {
        ftr_frame frame = {.raw_size = 0};
        is_found = ftr_frame_is_likely(ftr_source_at(source, at), source->size - at, scratch,
                                       scratch_size, &frame);
        const uint64_t spent = frame.raw_size < scratch_size ? frame.raw_size : scratch_size;
        if (spent >= work)
            break;
        work -= spent;
        if (is_found)
            *found = at;
    }
    free(scratch);
    ftr_budget_release(&reader->budget, scratch_size);
    return is_found;
}

/* Called if the item at `indexed` is not a chunk, or if the walk cannot continue after it. Moves to
 * the next chunk and reports the skipped bytes. @p cause: the result of parsing the item.
 * @return FTR_OK; FTR_ERR_TRUNCATED if no chunk follows and the item is incomplete, and always for
 * a pipe: `indexed` is not changed; FTR_ERR_END if no chunk follows and the item is complete: the
 * rest of the file is reported as damaged and skipped */
static ftr_status step_over(ftr_reader *reader, ftr_status cause)
{
    ftr_source *source = &reader->source;
    uint64_t found = 0;
    if (!source->is_pipe && find_chunk(reader, reader->indexed + 1, &found)) {
        ftr_findings_add(&reader->findings, FTR_RULE_DAMAGED, reader->indexed, 0,
                         "%" PRIu64 " bytes that are not a chunk: skipped to the next chunk",
                         found - reader->indexed);
        if (reader->info.sound_size == UINT64_MAX)
            reader->info.sound_size = reader->indexed;
        reader->indexed = found;
        return FTR_OK;
    }
    if (cause == FTR_ERR_TRUNCATED || source->is_pipe)
        return FTR_ERR_TRUNCATED;
    if (reader->info.sound_size == UINT64_MAX)
        reader->info.sound_size = reader->indexed;
    ftr_findings_add(&reader->findings, FTR_RULE_DAMAGED, reader->indexed, 0,
                     "the last %" PRIu64 " bytes are not a chunk: skipped",
                     source->size - reader->indexed);
    reader->indexed = source->size;
    return FTR_ERR_END;
}

/* Returns true if the size of the well-formed item at `indexed` can be trusted. An unknown item is
 * trusted if the walk can continue after it and no chunk is found inside it. A chunk is trusted if
 * the walk can continue after it, if its content is valid, or if no other chunk follows. An info
 * without a byte string is trusted only as the first chunk. */
static bool is_credible(ftr_reader *reader, const ftr_frame *frame)
{
    uint64_t found = 0;
    if (frame->bare && reader->chunk_count > 0)
        return false;
    const bool continues = can_continue(reader, reader->indexed + frame->size);
    if (frame->kind == FTR_CHUNK_UNKNOWN)
        return continues && (!find_chunk(reader, reader->indexed + 1, &found) ||
                             found >= reader->indexed + frame->size);
    return continues || !find_chunk(reader, reader->indexed, &found) || found == reader->indexed;
}

/* ---- the walk -------------------------------------------------------------------------------- */

static ftr_status index_break(ftr_reader *reader)
{
    ftr_source *source = &reader->source;
    if (!source->is_pipe && reader->indexed + 1 < source->size)
        return step_over(reader, FTR_ERR_FORMAT);
    reader->indexed++;
    reader->break_seen = true;
    ftr_source_consume(source, reader->indexed);
    return FTR_ERR_END;
}

/* Indexes one item. Returns FTR_ERR_END after the last item, FTR_ERR_TRUNCATED if the item is
 * incomplete. */
static ftr_status extend_by_one(ftr_reader *reader)
{
    ftr_source *source = &reader->source;
    if (reader->indexed == source->size)
        return FTR_ERR_END;
    if (reader->break_seen)
        return step_over(reader, FTR_ERR_FORMAT);
    ftr_frame frame;
    ftr_status status = parse_frame(reader, reader->indexed, &frame);
    if (status == FTR_ERR_END)
        return index_break(reader);
    if (status == FTR_ERR_TRUNCATED && source->is_pipe)
        return status;
    if (status != FTR_OK || (!source->is_pipe && !is_credible(reader, &frame)))
        return step_over(reader, status);
    /* Only the first page of the item was read, and at most 64 KiB are mapped with it. */
    ftr_source_touch(source, frame.size < 65536 ? (size_t)frame.size : 65536);
    status = add_chunk(reader, &frame, reader->indexed, NULL);
    if (status != FTR_OK)
        return status;
    reader->indexed += frame.size;
    return FTR_OK;
}

ftr_status ftr_index_add_listed(ftr_reader *reader, const ftr_frame *frame,
                                const ftr_listed_chunk *listed)
{
    const ftr_status status = add_chunk(reader, frame, reader->indexed, listed);
    if (status == FTR_OK)
        reader->indexed += frame->size;
    return status;
}

/* Reports that the file is not a trace. If it is another file of ftr, the finding states its kind
 * and the command that reads it. */
static void report_foreign_file(ftr_reader *reader)
{
    static const uint8_t info[] = {0xd9, 0xd9, 0xf7, 0x83};
    static const uint8_t journal[] = {'F', 'T', 'R', 'J'};
    const ftr_source *source = &reader->source;
    const uint8_t *start = source->bytes;
    if (memcmp(start, info, sizeof info) == 0)
        ftr_findings_add(&reader->findings, FTR_RULE_MAGIC, 0, 0,
                         "it is a summary, not a trace; 'ftr summary --table' prints its figures");
    else if (source->size >= FTR_INDEX_MAGIC_SIZE &&
             memcmp(start, FTR_INDEX_MAGIC, FTR_INDEX_MAGIC_SIZE) == 0)
        ftr_findings_add(&reader->findings, FTR_RULE_MAGIC, 0, 0,
                         "it is the index beside a trace; name the trace");
    else if (memcmp(start, journal, sizeof journal) == 0)
        ftr_findings_add(&reader->findings, FTR_RULE_MAGIC, 0, 0,
                         "it is a journal, not a trace; 'ftr recover' adds its transactions to "
                         "its trace");
    else
        ftr_findings_add(&reader->findings, FTR_RULE_MAGIC, 0, 0,
                         "it begins with %02x %02x %02x %02x: not an FTR file", start[0], start[1],
                         start[2], start[3]);
}

ftr_status ftr_index_begin(ftr_reader *reader)
{
    ftr_source *source = &reader->source;
    if (reader->magic_seen)
        return FTR_OK;
    while (source->size < FTR_FILE_MAGIC_SIZE) {
        const ftr_status status = ftr_source_read_more(source);
        if (status != FTR_OK)
            return status == FTR_ERR_END ? FTR_ERR_FORMAT : status;
    }
    if (memcmp(source->bytes, FTR_FILE_MAGIC, FTR_FILE_MAGIC_SIZE) != 0) {
        report_foreign_file(reader);
        return FTR_ERR_FORMAT;
    }
    reader->magic_seen = true;
    reader->indexed = FTR_FILE_MAGIC_SIZE;
    return FTR_OK;
}

/* Reports that a pipe has ended, at the first call only. @p cause is the reason. */
static void report_end_of_pipe(ftr_reader *reader, ftr_status cause)
{
    const uint64_t left = reader->source.size - reader->indexed;
    if (reader->end_reported)
        return;
    reader->end_reported = true;
    if (cause == FTR_ERR_TRUNCATED && left > 0)
        ftr_findings_add(&reader->findings, FTR_RULE_TORN, reader->indexed, 0,
                         "the pipe ended inside a chunk: its %" PRIu64 " bytes are not read", left);
    else
        ftr_findings_add(
            &reader->findings, FTR_RULE_END, reader->indexed, 0,
            "the closing break is missing: the pipe was closed before the end of the trace");
    reader->indexed = reader->source.size;
}

static ftr_status extend_pipe(ftr_reader *reader)
{
    ftr_source *source = &reader->source;
    ftr_source_consume(source, reader->indexed);
    for (;;) {
        ftr_status status = reader->break_seen ? FTR_ERR_END : extend_by_one(reader);
        if (status == FTR_OK) {
            ftr_directory_resolve(reader, false);
            return FTR_OK;
        }
        if (reader->break_seen || (status != FTR_ERR_END && status != FTR_ERR_TRUNCATED))
            return status;
        const ftr_status more = ftr_source_read_more(source);
        if (more == FTR_ERR_END)
            report_end_of_pipe(reader, status);
        if (more != FTR_OK)
            return more;
    }
}

ftr_status ftr_index_extend(ftr_reader *reader)
{
    ftr_status status = ftr_index_begin(reader);
    if (status != FTR_OK)
        return status;
    if (reader->source.is_pipe)
        return extend_pipe(reader);
    const size_t before = reader->chunk_count;
    reader->copied_head.size = 0;
    do
        status = extend_by_one(reader);
    while (status == FTR_OK);
    if (status != FTR_ERR_END && status != FTR_ERR_TRUNCATED)
        return status;
    ftr_directory_resolve(reader, false);
    return reader->chunk_count > before ? FTR_OK : FTR_ERR_END;
}

void ftr_index_settle(ftr_reader *reader)
{
    ftr_file_info *info = &reader->info;
    ftr_directory_resolve(reader, true);
    if (!info->has_info)
        ftr_findings_add(&reader->findings, FTR_RULE_INFO, 0, 0,
                         "there is no info: a tick is assumed to be 1 ps");
    if (reader->indexed < reader->source.size) {
        if (info->sound_size == UINT64_MAX)
            info->sound_size = reader->indexed;
        ftr_findings_add(&reader->findings, FTR_RULE_TORN, reader->indexed, 0,
                         "the last %" PRIu64 " bytes are an incomplete chunk: not read",
                         reader->source.size - reader->indexed);
    } else if (!reader->break_seen) {
        ftr_findings_add(&reader->findings, FTR_RULE_END, reader->indexed, 0,
                         "the closing break is missing: the file was not closed, or is incomplete");
    }
}
