/* The files of a recording, their limits and their ends. Decides when a file is full. Other source
 * files encode records and write the output. */
#define _GNU_SOURCE
#include "segments.h"

#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "blocks.h"
#include "encoder.h"
#include "file_claim.h"
#include "index_place.h"
#include "kept_summary.h"
#include "stream_name_rules.h"
#include "retained_blocks.h"
#include "trace_path.h"

/* A file counts as full if less than 1/64 of its maximum size is free, because the rest would only
 * have space for chunks of a few transactions. */
#define LAST_SHARE 64
/* A trace of at least this size gets an index (FTR_WRITE_INDEX_LARGE). To find a transaction in a
 * shorter trace without an index takes less than 0.1 s. */
#define LARGE_TRACE ((uint64_t)32 << 20)
/* Maximum bytes of a file that is written at once. */
#define HELD_MAX ((size_t)256 << 10)

static bool has_failed(const ftr_recorder *rec)
{
    return ftr_recorder_valve(rec) & FTR_VALVE_FAILED;
}

ftr_status ftr_segments_init(ftr_recorder *rec)
{
    ftr_segments *segments = &rec->segments;
    const ftr_recorder_options *options = &rec->options;
    const ftr_output *output = &rec->output;
    *segments =
        (ftr_segments){.max_size = options->max_size ? options->max_size : UINT64_MAX, .number = 1};
    if (options->max_size || options->min_free || options->mode == FTR_MODE_FLIGHT)
        ftr_pending_relations_track_file(&rec->encoder.pending_relations);
    if (!output->is_regular)
        return FTR_OK;
    segments->min_free = options->min_free;
    segments->max_files = options->max_files;
    segments->path = ftr_trace_path_of_file(output->path, 1);
    if (options->max_files)
        segments->kept = calloc(options->max_files, sizeof *segments->kept);
    return segments->path != NULL && (segments->kept != NULL || !options->max_files)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

void ftr_segments_release(ftr_recorder *rec)
{
    ftr_segments *segments = &rec->segments;
    ftr_preamble_release(&rec->preamble);
    for (uint32_t i = 0; segments->kept != NULL && i < segments->max_files; i++)
        ftr_file_losses_release(&segments->kept[i].losses);
    free(segments->kept);
    free(segments->path);
    segments->kept = NULL;
    segments->path = NULL;
}

/* Makes the encoder count the discarded relations of the new file in the journal. */
static void open_account(ftr_recorder *rec)
{
    const ftr_segments *segments = &rec->segments;
    ftr_journal_header *header = rec->journal.header;
    ftr_relation_account *account = &rec->encoder.pending_relations.account;
    if (header == NULL)
        return;
    ftr_journal_losses *losses = &header->losses[segments->number & 1];
    losses->began = segments->latest_before;
    account->unheld = &header->relations_unheld;
    if (segments->max_files)
        account->discarded = &losses->relations_discarded;
}

static void put_start(ftr_recorder *rec)
{
    const int scale = rec->options.time_scale;
    ftr_chunk_put_start(&rec->encoder.chunks, scale == FTR_TIME_SCALE_SECOND ? 0 : scale,
                        rec->options.epoch_seconds);
}

void ftr_segments_start_file(ftr_recorder *rec)
{
    ftr_segments *segments = &rec->segments;
    segments->transactions_before = rec->encoder.transactions;
    segments->discarded_before = rec->encoder.relations_discarded;
    segments->latest_before = rec->encoder.latest;
    open_account(rec);
    if (rec->encoder.lacks_trace)
        return;
    if (rec->output.is_named && rec->options.index != FTR_WRITE_INDEX_NEVER)
        ftr_chunk_writer_begin_index(&rec->encoder.chunks, rec->output.path);
    put_start(rec);
    ftr_preamble_replay(&rec->preamble, &rec->encoder, rec->next_id);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Returns the number and the times of the transactions that were refused after a failure. */
static ftr_loss refused(ftr_recorder *rec)
{
    return (ftr_loss){.count = atomic_load(&rec->counts.refused),
                      .from = ~atomic_load(&rec->counts.refused_begin),
                      .to = atomic_load(&rec->counts.refused_end)};
}

/* Returns the earliest begin of the transactions that are encoded and not yet written. */
static uint64_t earliest_unsent(const ftr_encoder *encoder)
{
    uint64_t earliest = encoder->unsent_begin;
    const ftr_chunk_body *body = ftr_encoder_active_body(encoder, encoder->first_active);
    for (; body != NULL; body = ftr_encoder_active_body(encoder, body->next)) {
        if (body->stream != 0 && body->begin < earliest)
            earliest = body->begin;
    }
    return earliest;
}

static void keep_refused(ftr_recorder *rec)
{
    const ftr_loss now = refused(rec);
    ftr_losses_keep_refused(&rec->losses, &now);
}

/* After a failure, counts the encoded transactions that are not in the file. Counts each
 * transaction only once. */
static void count_unsent(ftr_recorder *rec)
{
    const ftr_encoder *encoder = &rec->encoder;
    uint64_t *counted = &rec->segments.unsent;
    const uint64_t count = encoder->transactions - encoder->sent.transactions - *counted;
    if (count == 0)
        return;
    const ftr_loss unsent = {count, earliest_unsent(encoder), encoder->latest};
    ftr_losses_add_recoverable(&rec->losses, 0, FTR_LOSS_FAILED, &unsent);
    *counted += unsent.count;
}

void ftr_segments_hold(ftr_recorder *rec)
{
    rec->segments.is_held = rec->output.is_regular && rec->output.offset == 0 && !has_failed(rec) &&
                            rec->summary == NULL && rec->encoder.pending_relations.in_file == NULL;
}

bool ftr_segments_are_held(const ftr_recorder *rec)
{
    return rec->segments.is_held;
}

void ftr_segments_send(ftr_recorder *rec)
{
    ftr_segments *segments = &rec->segments;
    ftr_encoder *encoder = &rec->encoder;
    ftr_failure failure = {0};
    if (segments->is_held && ftr_chunk_unsent(&encoder->chunks) <= HELD_MAX && !has_failed(rec))
        return;
    segments->is_held = false;
    if (segments->has_ended)
        return;
    if (has_failed(rec)) {
        count_unsent(rec);
        keep_refused(rec);
        return;
    }
    ftr_status status = ftr_encoder_send(encoder, &rec->output, &failure);
    if (status == FTR_OK) {
        segments->latest = encoder->latest;
        return;
    }
    count_unsent(rec);
    ftr_recorder_fail(rec, status, &failure);
}

void ftr_segments_flush(ftr_recorder *rec, uint64_t ticket, uint64_t before)
{
    while (ftr_encoder_flush_some(&rec->encoder, ticket, before))
        ftr_segments_send(rec);
    ftr_segments_send(rec);
}

void ftr_segments_write_start(ftr_recorder *rec)
{
    if (!rec->segments.start_is_due)
        return;
    rec->segments.start_is_due = false;
    ftr_segments_start_file(rec);
    ftr_segments_send(rec);
}

/* ---- the end of a file ----------------------------------------------------------------------- */

static void put_losses(ftr_recorder *rec)
{
    ftr_losses_ids ids = {.string = rec->encoder.sent.strings,
                          .tx = atomic_fetch_add(rec->next_id, FTR_LOSSES_MAX)};
    ids.stream = ftr_recorder_name_losses(rec, &ids.entity);
    ftr_losses_put(&rec->losses, &ids, &rec->encoder.chunks);
}

/* Returns the disk space, in bytes, that this trace may still use. */
static uint64_t disk_room(ftr_recorder *rec)
{
    const ftr_output *output = &rec->output;
    struct statvfs disk;
    if (!rec->segments.min_free || fstatvfs(output->fd, &disk) != 0)
        return UINT64_MAX;
    uint64_t ours = output->allocated > output->offset ? output->allocated - output->offset : 0;
    uint64_t room = (uint64_t)disk.f_bavail * disk.f_frsize + ours;
    return room > rec->segments.min_free ? room - rec->segments.min_free : 0;
}

/* Writes the index of the complete file. A trace without an index can be read as well, so a failure
 * is not reported. */
static void write_index(ftr_recorder *rec)
{
    ftr_output *output = &rec->output;
    ftr_chunk_writer *chunks = &rec->encoder.chunks;
    if (!chunks->has_index || has_failed(rec) ||
        (rec->options.index == FTR_WRITE_INDEX_LARGE && output->offset < LARGE_TRACE) ||
        ftr_index_writer_size(&chunks->index) > disk_room(rec) ||
        !ftr_file_is_at(output->fd, output->path))
        return;
    (void)!ftr_index_write(&chunks->index, output->path, output->fd);
}

/* Writes the end of the file: its losses, and the break. These bytes are not committed to the
 * journal: if the process is killed, recovery removes them and continues the file. */
static void write_end(ftr_recorder *rec)
{
    ftr_output *output = &rec->output;
    ftr_failure failure = {0};
    output->journal = NULL;
    output->is_ending = true;
    if (has_failed(rec))
        ftr_chunk_drop(&rec->encoder.chunks);
    if (ftr_losses_end_file(&rec->losses))
        put_losses(rec);
    ftr_chunk_put_break(&rec->encoder.chunks);
    ftr_status status = ftr_chunk_send(&rec->encoder.chunks, &rec->output, &failure);
    if (status != FTR_OK)
        ftr_recorder_fail(rec, status, &failure);
    else
        write_index(rec);
}

/* Counts the relations that are in no file because their two transactions are in different
 * files. */
static void count_separated(ftr_recorder *rec)
{
    const ftr_segments *segments = &rec->segments;
    if (segments->max_files == 0)
        return;
    const ftr_loss separated = {.count =
                                    rec->encoder.relations_discarded - segments->discarded_before,
                                .from = segments->latest_before,
                                .to = rec->encoder.latest};
    ftr_losses_add_recoverable(&rec->losses, 0, FTR_LOSS_SEPARATED, &separated);
}

/* Returns the number of transactions in the current file, and the interval of their times. */
static ftr_loss content(const ftr_recorder *rec)
{
    const ftr_segments *segments = &rec->segments;
    return (ftr_loss){.count = rec->encoder.sent.transactions - segments->transactions_before,
                      .from = segments->latest_before,
                      .to = segments->latest};
}

/* ---- from file to file ----------------------------------------------------------------------- */

/* Removes the oldest file if there is one file too many. The transactions and losses of this file
 * are counted in the current file before the old file is removed, because the process may be killed
 * between the two steps. */
static void remove_oldest(ftr_recorder *rec)
{
    ftr_segments *segments = &rec->segments;
    const ftr_kept_file *lost = &segments->kept[segments->number % segments->max_files];
    char *oldest = ftr_trace_path_of_file(segments->path, segments->number - segments->max_files);
    if (oldest != NULL && access(oldest, F_OK) == 0) {
        ftr_losses_carry(&rec->losses, &lost->losses);
        ftr_losses_add(&rec->losses, 0, FTR_LOSS_REMOVED, &lost->transactions);
        unlink(oldest);
        ftr_index_remove(oldest);
    }
    free(oldest);
}

/* Opens the file after the current one, and provides memory for the losses of the current file. The
 * current file is ended only after this step, so that one file of the trace is always locked, and
 * so that the losses can be written to the current file if the next file cannot be opened. */
static ftr_status open_next(ftr_recorder *rec, ftr_output *next, ftr_file_losses *losses,
                            ftr_failure *failure)
{
    const ftr_segments *segments = &rec->segments;
    ftr_status status = ftr_file_losses_init(losses);
    if (status != FTR_OK)
        return status;
    char *path = ftr_trace_path_of_file(segments->path, segments->number + 1);
    status = path != NULL ? ftr_output_replace(next, path, failure) : FTR_ERR_MEMORY;
    free(path);
    if (status == FTR_OK)
        ftr_file_copy_mode(rec->output.fd, next->fd);
    else
        ftr_file_losses_release(losses);
    return status;
}

/* Closes the current file, which is complete, remembers the number of its transactions and losses,
 * and continues in @p next. */
static ftr_status change_file(ftr_recorder *rec, const ftr_output *next, ftr_file_losses *losses,
                              ftr_failure *failure)
{
    ftr_segments *segments = &rec->segments;
    ftr_kept_file *kept = &segments->kept[segments->number % segments->max_files];
    ftr_losses_get_ended(&rec->losses, losses);
    ftr_file_losses_release(&kept->losses);
    *kept = (ftr_kept_file){content(rec), *losses};
    segments->bytes_before += rec->output.offset;
    ftr_status status = ftr_output_close(&rec->output, failure);
    rec->output = *next;
    return status;
}

static void next_file(ftr_recorder *rec)
{
    ftr_segments *segments = &rec->segments;
    ftr_encoder *encoder = &rec->encoder;
    ftr_failure failure = {0};
    ftr_output next;
    ftr_file_losses losses;
    ftr_encoder_end_file(encoder);
    ftr_segments_send(rec);
    if (has_failed(rec))
        return;
    ftr_status status = open_next(rec, &next, &losses, &failure);
    if (status != FTR_OK) {
        ftr_recorder_fail(rec, status, &failure);
        return;
    }
    /* Recovery reads only the last file and the file before it. A block that was read before this
     * file began must therefore not be retained any longer. */
    ftr_pending_relations_let_go(&encoder->pending_relations, 0, segments->newest_ticket);
    ftr_kept_summary_release_blocks(rec);
    count_separated(rec);
    write_end(rec);
    if (has_failed(rec)) {
        ftr_file_losses_release(&losses);
        ftr_output_discard(&next);
        (void)!ftr_output_close(&next, &failure);
        return;
    }
    status = change_file(rec, &next, &losses, &failure);
    if (status != FTR_OK) {
        ftr_recorder_fail(rec, status, &failure);
        return;
    }
    segments->number++;
    if (rec->journal.header != NULL) {
        segments->newest_ticket = ftr_retained_settle(rec, segments->number);
        ftr_journal_commit_file(&rec->journal, segments->number);
        rec->output.journal = &rec->journal;
    }
    if (segments->number > segments->max_files)
        remove_oldest(rec);
    ftr_encoder_start_over(encoder);
    ftr_segments_start_file(rec);
}

void ftr_segments_remove(ftr_recorder *rec, const char *why)
{
    const ftr_segments *segments = &rec->segments;
    uint32_t first = 1;
    if (segments->path == NULL)
        return;
    if (segments->max_files && segments->number > segments->max_files)
        first = segments->number - segments->max_files + 1;
    for (uint32_t number = first; number <= segments->number; number++) {
        char *path = ftr_trace_path_of_file(segments->path, number);
        if (path != NULL) {
            unlink(path);
            ftr_index_remove(path);
        }
        free(path);
    }
    ftr_recorder_report(rec, FTR_SEVERITY_NOTE, "%.300s is removed: %s", segments->path, why);
}

/* ---- the content of a file ------------------------------------------------------------------- */

/* Returns the number of bytes that may still be added to the file, without the space for the end of
 * the file. Sets segments->cause to the limit that applies. */
static uint64_t room_left(ftr_recorder *rec)
{
    ftr_segments *segments = &rec->segments;
    if (segments->max_size == UINT64_MAX && !segments->min_free)
        return UINT64_MAX; /* there is no limit */
    uint64_t waiting = ftr_encoder_waiting(&rec->encoder) + ftr_losses_room(&rec->losses);
    uint64_t taken = rec->output.offset + waiting;
    uint64_t in_file = taken < segments->max_size ? segments->max_size - taken : 0;
    uint64_t on_disk = disk_room(rec);
    on_disk = waiting < on_disk ? on_disk - waiting : 0;
    segments->cause = on_disk < in_file ? FTR_LOSS_MIN_FREE : FTR_LOSS_MAX_SIZE;
    return on_disk < in_file ? on_disk : in_file;
}

static size_t bound_of(const ftr_stored_tx *record)
{
    return ftr_encoder_bound(record, (const uint8_t *)(record + 1));
}

/* Returns the ring in which a relation must wait until its transaction in this ring is written;
 * NULL if it need not wait, or if @p record is not a relation. */
static ftr_buffer_entry *ring_of(ftr_recorder *rec, const ftr_stored_tx *record)
{
    return ftr_record_kind(record) == FTR_RECORD_RELATION
               ? ftr_ring_of_relation(rec, (const ftr_stored_relation *)record)
               : NULL;
}

/* Returns the end of the records from @p from on that fit into @p room bytes. A relation that must
 * wait in a ring ends them, too. */
static const uint8_t *fitting(ftr_recorder *rec, const uint8_t *from, const uint8_t *to,
                              uint64_t room)
{
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        size_t bound = bound_of(record);
        if (bound > room || ring_of(rec, record) != NULL)
            break;
        room -= bound;
        from += ftr_record_size(record);
    }
    return from;
}

static void lose_record(ftr_recorder *rec, uint32_t buffer, ftr_loss_cause cause,
                        ftr_stored_tx *record)
{
    const ftr_loss loss = {1, record->begin, record->end};
    if (record->kind == FTR_RECORD_RELATION) {
        rec->encoder.relations_discarded++;
        if (cause != FTR_LOSS_FAILED)
            ftr_pending_relations_discard(&rec->encoder.pending_relations,
                                          (ftr_stored_relation *)record);
    } else if (cause == FTR_LOSS_FAILED) {
        ftr_losses_add_recoverable(&rec->losses, buffer, cause, &loss);
    } else {
        ftr_losses_add(&rec->losses, buffer, cause, &loss);
        record->kind |= FTR_RECORD_COUNTED;
    }
}

/* Counts the records in [from, to) as lost. Recovery restores records that are lost because of a
 * failed write, but not records that are lost because of a limit. */
static void lose(ftr_recorder *rec, uint32_t buffer, ftr_loss_cause cause, uint8_t *from,
                 const uint8_t *to)
{
    while (from < to) {
        ftr_stored_tx *record = (ftr_stored_tx *)from;
        from += ftr_record_size(record);
        lose_record(rec, buffer, cause, record);
    }
}

/* Makes space for @p needed bytes: writes the pending data, which needs less space when it is
 * compressed. If this is not sufficient and another file is allowed, begins the next file. Returns
 * whether there is enough space. */
static bool make_room(ftr_recorder *rec, size_t needed)
{
    ftr_segments *segments = &rec->segments;
    ftr_segments_flush(rec, UINT64_MAX, UINT64_MAX);
    ftr_encoder_flush_definitions(&rec->encoder);
    ftr_segments_send(rec);
    uint64_t room = room_left(rec);
    bool is_of_size = segments->cause == FTR_LOSS_MAX_SIZE;
    if (needed <= room && (!is_of_size || segments->max_size / LAST_SHARE <= room))
        return true;
    bool is_empty = rec->encoder.sent.transactions == segments->transactions_before;
    if (is_of_size && segments->max_files && !is_empty && !has_failed(rec)) {
        next_file(rec);
        return needed <= room_left(rec);
    }
    return false;
}

/* Returns whether @p bound bytes fit into the current file. If necessary and allowed, first makes
 * the next file the current one. */
static bool has_room(ftr_recorder *rec, size_t bound)
{
    ftr_segments *segments = &rec->segments;
    if (segments->is_full)
        return false;
    if (bound <= room_left(rec) || make_room(rec, bound))
        return true;
    segments->is_full = segments->max_files == 0 || segments->cause == FTR_LOSS_MIN_FREE;
    return false;
}

/* Encodes the records in [from, to). Counts the records that cannot be encoded because of an
 * error. */
static void encode(ftr_recorder *rec, uint32_t buffer, uint8_t *from, const uint8_t *to)
{
    lose(rec, buffer, FTR_LOSS_FAILED, ftr_encoder_put_records(&rec->encoder, from, to), to);
}

/* Takes some records from @p from on. If the first one is a relation that must wait in a ring,
 * stores it in this ring. Otherwise encodes as many records as fit; if not even the first one fits,
 * counts it as lost. Returns the end of the taken records. */
static const uint8_t *take_some(ftr_recorder *rec, uint32_t buffer, uint8_t *from,
                                const uint8_t *to)
{
    const ftr_segments *segments = &rec->segments;
    const uint8_t *end = from + ftr_record_size((const ftr_stored_tx *)from);
    ftr_buffer_entry *ring = ring_of(rec, (const ftr_stored_tx *)from);
    if (ring != NULL) {
        ftr_ring_keep_relation(rec, ring, (const ftr_stored_relation *)from);
        return end;
    }
    if (!has_room(rec, bound_of((const ftr_stored_tx *)from))) {
        lose(rec, buffer, has_failed(rec) ? FTR_LOSS_FAILED : segments->cause, from, end);
        return end;
    }
    end = fitting(rec, from, to, room_left(rec));
    encode(rec, buffer, from, end);
    return end;
}

void ftr_segments_take(ftr_recorder *rec, ftr_lane *lane, uint32_t committed)
{
    ftr_segments *segments = &rec->segments;
    uint8_t *block = (uint8_t *)lane->reading;
    const uint8_t *to = block + committed;
    if (segments->max_files)
        ftr_preamble_collect(&rec->preamble, &rec->definitions, block + lane->read_offset, to);
    const bool is_limited =
        rec->encoder.pending_relations.in_file != NULL && !rec->encoder.lacks_trace;
    if (segments->has_ended)
        lane->read_offset = committed;
    while (lane->read_offset < committed) {
        uint8_t *from = block + lane->read_offset;
        const uint8_t *end = to;
        if (has_failed(rec))
            lose(rec, lane->buffer, FTR_LOSS_FAILED, from, to);
        else if (segments->is_full)
            lose(rec, lane->buffer, segments->cause, from, to);
        else if (is_limited)
            end = take_some(rec, lane->buffer, from, to);
        else
            encode(rec, lane->buffer, from, to);
        lane->read_offset = (uint32_t)(end - block);
    }
}

bool ftr_segments_take_open(ftr_recorder *rec, const ftr_slot *slot, uint64_t end, bool is_cut)
{
    ftr_segments *segments = &rec->segments;
    if (segments->has_ended)
        return false;
    ftr_stored_tx record = {.items_size = slot->fill};
    size_t bound = ftr_encoder_bound(&record, slot->items) + FTR_ITEM_ROOM;
    const bool is_limited =
        rec->encoder.pending_relations.in_file != NULL && !rec->encoder.lacks_trace;
    ftr_loss_cause cause = FTR_LOSS_FAILED;
    if (!has_failed(rec)) {
        if (is_limited && !has_room(rec, bound))
            cause = has_failed(rec) ? FTR_LOSS_FAILED : segments->cause;
        else if (ftr_encoder_put_open(&rec->encoder, slot, end, is_cut))
            return true;
    }
    ftr_losses_add_recoverable(&rec->losses, ftr_buffer_of_generator(rec, slot->generator), cause,
                               &(ftr_loss){1, slot->begin, end});
    return false;
}

/* If all data of the file is held, and the file has no losses, writes the whole file at once. Like
 * the end in write_end(), it is not committed to the journal. */
static void write_held(ftr_recorder *rec)
{
    ftr_journal *const journal = rec->output.journal;
    if (!rec->segments.is_held || has_failed(rec) || ftr_losses_are_any(&rec->losses))
        return;
    ftr_chunk_put_break(&rec->encoder.chunks);
    rec->segments.is_held = false;
    rec->output.journal = NULL;
    ftr_segments_send(rec);
    rec->output.journal = journal;
    rec->segments.has_ended = !has_failed(rec);
    if (rec->segments.has_ended) {
        write_index(rec);
        return;
    }
    /* Nothing was written. The file gets its start, so that it can be ended with its losses. */
    ftr_failure failure = {0};
    put_start(rec);
    (void)!ftr_chunk_send(&rec->encoder.chunks, &rec->output, &failure);
}

void ftr_segments_end(ftr_recorder *rec)
{
    ftr_encoder *encoder = &rec->encoder;
    if (rec->segments.has_ended)
        return;
    write_held(rec);
    if (rec->segments.has_ended)
        return;
    rec->segments.is_held = false;
    if (!has_failed(rec) && encoder->pending_relations.in_file != NULL) {
        ftr_encoder_end_file(encoder);
        encoder->relations_discarded += encoder->pending_relations.count;
        encoder->pending_relations.count = 0;
    }
    ftr_segments_send(rec);
    count_separated(rec);
    const ftr_loss of_calls = refused(rec);
    if (has_failed(rec))
        ftr_losses_add_refused(&rec->losses, &of_calls);
    if (rec->output.offset > 0)
        write_end(rec);
    rec->segments.has_ended = true;
}
