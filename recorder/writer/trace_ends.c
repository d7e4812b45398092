/* Starts a trace when its time scale is known; ends the open transactions and the file. */
#include "trace_ends.h"

#include <string.h>

#include "blocks.h"
#include "drain.h"
#include "encoder.h"
#include "flight.h"
#include "kept_summary.h"
#include "lane.h"
#include "misuse.h"
#include "near_name.h"
#include "segments.h"

/* ---- the counts of a trace ------------------------------------------------------------------- */

void ftr_trace_count(ftr_recorder *rec, ftr_statistics *statistics)
{
    const ftr_encoder *encoder = &rec->encoder;
    *statistics = (ftr_statistics){
        .transactions = encoder->transactions,
        .attributes = encoder->attributes,
        .relations = encoder->relations + encoder->pending_relations.count,
        .filtered = ftr_recorder_filtered(rec),
        .dropped = atomic_load(&rec->counts.dropped),
        .relations_discarded =
            atomic_load(&rec->counts.relations_discarded) + encoder->relations_discarded,
        .unfinished = rec->unfinished,
        .misuses = atomic_load(&rec->misuses.count),
        .repaired_texts = encoder->repaired_texts,
        .rounded_floats = encoder->rounded_floats,
        .strings = encoder->strings_written,
        .strings_evicted = encoder->dictionary.evicted,
        .chunks = encoder->chunks.chunks,
        .bytes = ftr_segments_bytes(rec),
        .bytes_uncompressed = encoder->chunks.bytes_uncompressed,
        .memory = ftr_encoder_memory(encoder),
    };
    ftr_lanes_count(rec, statistics);
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++)
        statistics->open_transactions +=
            __atomic_load_n(&ftr_open_slot(&rec->open, i)->id, __ATOMIC_RELAXED) != FTR_SLOT_FREE;
}

_Static_assert(sizeof(ftr_statistics) % sizeof(uint64_t) == 0, "all members are uint64_t");

void ftr_statistics_add(ftr_statistics *sum, const ftr_statistics *more)
{
    for (size_t i = 0; i < sizeof *sum / sizeof(uint64_t); i++)
        ((uint64_t *)sum)[i] += ((const uint64_t *)more)[i];
}

void ftr_trace_report_cover(ftr_recorder *rec)
{
    const ftr_journal_header *header = rec->journal.header;
    if (header == NULL || rec->has_reported_cover ||
        atomic_load_explicit(&header->cover, memory_order_relaxed) == FTR_JOURNAL_COVERS)
        return;
    rec->has_reported_cover = true;
    ftr_recorder_report(
        rec, FTR_SEVERITY_WARNING,
        "%.300s: the journal cannot be extended: %s; recording now waits more often "
        "until the data is written, and data that does not fit into the journal "
        "cannot be recovered if the process is killed, only counted; free space "
        "there, or set FTR_JOURNAL_DIR to a directory with more space",
        rec->journal.path, ftr_journal_short_cause(header));
}

static void report_loss(ftr_recorder *rec, uint32_t number, ftr_loss_cause cause)
{
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    ftr_loss loss = ftr_losses_total(&rec->losses, number, cause);
    if (loss.count == 0 || buffer->trace != rec)
        return;
    ftr_recorder_report(rec, ftr_losses_severity(cause), "%llu %s, from tick %llu to %llu%s%s",
                        (unsigned long long)loss.count, ftr_losses_text(cause),
                        (unsigned long long)loss.from, (unsigned long long)loss.to,
                        buffer->name[0] ? ", of buffer " : "", buffer->name);
}

/* Reports the number of repaired texts, and describes one of them: the first one of the first trace
 * that has any. */
static void report_repaired_texts(ftr_recorder *rec, uint64_t count)
{
    const ftr_recorder *with = rec;
    for (uint32_t i = 0; i < ftr_recorder_trace_count(rec); i++) {
        if (with->encoder.repaired_texts == 0)
            with = rec->traces[i];
    }
    if (count == 0)
        return;
    char first[FTR_REPAIRED_MESSAGE_SIZE];
    ftr_repaired_text_describe(&with->encoder.first_repaired, first, sizeof first);
    ftr_recorder_report(
        rec, FTR_SEVERITY_WARNING,
        "%llu texts were not UTF-8; their invalid bytes became U+FFFD; the first one is %s",
        (unsigned long long)count, first);
}

void ftr_trace_report_losses(ftr_recorder *rec, const ftr_statistics *lost)
{
    for (uint32_t i = 0; i < FTR_LOSSES_MAX; i++)
        report_loss(rec, i / FTR_LOSS_CAUSES, (ftr_loss_cause)(i % FTR_LOSS_CAUSES));
    const struct {
        uint64_t count;
        ftr_severity severity;
        const char *text;
    } kinds[] = {
        {lost->relations_discarded, FTR_SEVERITY_NOTE,
         "relations were discarded because one of their transactions is not recorded"},
        {lost->unfinished, FTR_SEVERITY_NOTE,
         "transactions were still open and have the attribute unfinished = true"},
        {lost->rounded_floats, FTR_SEVERITY_WARNING,
         "values are not exact in single precision and were rounded (double or text keeps them: "
         "FTR_FLOAT, or --floats of the command ftr)"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].count)
            ftr_recorder_report(rec, kinds[i].severity, "%llu %s",
                                (unsigned long long)kinds[i].count, kinds[i].text);
    }
    report_repaired_texts(rec, lost->repaired_texts);
    ftr_misuses_report(rec);
}

/* ---- the start and the end ------------------------------------------------------------------- */

void ftr_trace_start(ftr_recorder *rec, int time_scale)
{
    ftr_window *window = &rec->window;
    int scale = time_scale == FTR_TIME_SCALE_SECOND ? 0 : time_scale;
    rec->options.time_scale = time_scale;
    ftr_recorder_set_window(
        rec, rec->options.start != NULL ? ftr_time_ticks(&window->start_time, scale) : 0,
        rec->options.stop != NULL ? ftr_time_ticks(&window->stop_time, scale) : UINT64_MAX);
    if (rec->journal.header != NULL) {
        rec->journal.header->time_scale = scale;
        rec->journal.header->scale_known = 1;
    }
    if (rec->options.mode == FTR_MODE_FILE)
        ftr_segments_set_start_due(rec);
    atomic_store_explicit(&window->scale_known, true, memory_order_release);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Returns the latest tick of all ended and open transactions. */
static uint64_t latest_tick(const ftr_recorder *rec)
{
    uint64_t latest = rec->encoder.latest;
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++) {
        const ftr_slot *slot = ftr_open_slot(&rec->open, i);
        if (slot->id != FTR_SLOT_FREE && slot->begin > latest)
            latest = slot->begin;
    }
    return latest;
}

/* Encodes or counts one transaction that is still open at the end. */
static void end_slot(ftr_recorder *rec, ftr_slot *slot, uint64_t latest)
{
    if (latest < ftr_recorder_start(rec)) {
        ftr_discarded_ids_add(&rec->discarded_ids, slot->id);
        slot->id = FTR_SLOT_FREE;
        atomic_fetch_add(&rec->counts.filtered, 1);
        return;
    }
    ftr_discarded_ids_keep(&rec->discarded_ids, slot->id);
    if (!ftr_ring_keeps_open(rec, slot)) {
        ftr_losses_add_recoverable(&rec->losses, ftr_buffer_of_generator(rec, slot->generator),
                                   FTR_LOSS_EVICTED, &(ftr_loss){1, slot->begin, latest});
    } else if (ftr_segments_take_open(rec, slot, latest, true)) {
        rec->unfinished++;
    }
}

/* Ends the open transactions. The caller holds `encoding`. */
static void end_open(ftr_recorder *rec)
{
    uint64_t latest = latest_tick(rec);
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++) {
        ftr_slot *slot = ftr_open_slot(&rec->open, i);
        if (slot->id != FTR_SLOT_FREE)
            end_slot(rec, slot, latest);
    }
    /* The slots are released only after this flush, and are not released after a failure, because
     * recovery needs the slots until the transactions are in the file. */
    ftr_segments_flush(rec, UINT64_MAX, UINT64_MAX);
    ftr_kept_summary_save_open(rec);
    if (ftr_recorder_valve(rec) & FTR_VALVE_FAILED)
        return;
    for (uint32_t i = 0; i < count; i++)
        ftr_open_slot(&rec->open, i)->id = FTR_SLOT_FREE;
}

/* Records the end of the run in `ftr.run`, unless the exit status was already recorded there.
 * Records which signal ends the program, or that the program has closed the recorder. */
static void put_run_end(ftr_recorder *rec)
{
    static const char *const names[] = {"closed", "signal"};
    const uint32_t generator = atomic_load(&rec->ending.run_generator);
    const int number = atomic_load(&rec->ending.signal);
    const char *name = names[number != 0];
    const uint16_t length = (uint16_t)strlen(name);
    struct {
        ftr_item item;
        char name[16];
    } put = {
        .item = {.attribute = FTR_ITEM_NAMED,
                 .type = number != 0 ? FTR_TYPE_INTEGER : FTR_TYPE_BOOLEAN,
                 .form = (uint8_t)((number != 0 ? FTR_ITEM_FORM_INTEGER : FTR_ITEM_FORM_BOOLEAN) |
                                   FTR_CLASS_END << 4),
                 .name_length = length,
                 .value = number != 0 ? (uint64_t)number : 1}};
    if (generator == 0 || atomic_load(&rec->ending.run_end_is_recorded) ||
        (ftr_definitions_entity(&rec->definitions, generator)->kind & FTR_ENTITY_FILTERED))
        return;
    memcpy(put.name, name, length);
    const uint64_t latest = latest_tick(rec);
    const ftr_slot slot = {.id = atomic_fetch_add(rec->next_id, 1),
                           .begin = latest,
                           .fill = (uint32_t)(sizeof put.item + ftr_item_pad(length)),
                           .generator = generator,
                           .items = (uint8_t *)&put};
    (void)ftr_segments_take_open(rec, &slot, latest, false);
}

static bool has_open(const ftr_recorder *rec)
{
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++) {
        if (ftr_open_slot(&rec->open, i)->id != FTR_SLOT_FREE)
            return true;
    }
    return false;
}

void ftr_trace_write_end(ftr_recorder *rec)
{
    ftr_encoding_take(&rec->locks);
    rec->output.is_ending = true;
    if (!atomic_load(&rec->window.scale_known))
        ftr_trace_start(rec, FTR_DEFAULT_TIME_SCALE);
    const bool was_holding = ftr_flight_is_holding(&rec->flight);
    if (!has_open(rec))
        ftr_segments_hold(rec);
    ftr_flight_end(rec, put_run_end);
    if (atomic_load(&rec->ending.run_has_failed))
        ftr_rings_trigger(rec);
    ftr_drain_lanes(rec, FTR_DRAIN_USUAL);
    if (!was_holding)
        put_run_end(rec);
    end_open(rec);
    ftr_drain_lanes(rec, FTR_DRAIN_ALL);
    if (!ftr_flight_is_holding(&rec->flight)) {
        if (!ftr_segments_have_ended(rec))
            ftr_rings_count_rest(rec);
        ftr_segments_end(rec);
    }
    ftr_kept_summary_end(rec);
    ftr_encoding_release(&rec->locks);
}

/* Returns the reason why the file must be removed; NULL if the file stays. */
static const char *reason_to_remove(const ftr_recorder *rec)
{
    bool has_failure = rec->ending.failure.status != FTR_OK;
    if (ftr_flight_is_holding(&rec->flight))
        return "the flight recorder was not triggered";
    if (rec->buffers.leaves_no_file && !rec->buffers.was_triggered && !has_failure)
        return "its ring was not triggered";
    bool is_kept =
        rec->options.keep == FTR_KEEP_ALWAYS || rec->ending.run_has_failed || has_failure;
    return is_kept ? NULL : "the run ended well";
}

/* Reports files that another program has renamed or deleted during the recording. A deleted trace
 * is a failure, which ftr_output_close() reports. */
static void report_moved_files(ftr_recorder *rec)
{
    if (ftr_output_is_moved(&rec->output))
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s: the file was renamed during the recording: it is complete, "
                            "but has another name",
                            rec->output.path);
    if (ftr_journal_is_deleted(&rec->journal))
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s: the journal was deleted during the recording: after a crash, "
                            "its transactions would have been lost",
                            rec->journal.path);
}

/* Reports where to find the data that a failed recorder did not write. */
static void report_rest(ftr_recorder *rec)
{
    if (ftr_kept_summary_needs_journal(rec) && !ftr_journal_is_deleted(&rec->journal))
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                            "the figures of the summary are in %.300s; 'ftr recover' recovers them",
                            rec->journal.path);
    if (rec->ending.failure.status == FTR_OK || rec->journal.header == NULL ||
        ftr_journal_is_deleted(&rec->journal))
        return;
    ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                        "the data that was not written is in %.300s; 'ftr recover' recovers it%s",
                        rec->journal.path,
                        rec->journal.header->cover == FTR_JOURNAL_COVERS
                            ? ""
                            : ", and counts the data that did not fit into the journal");
}

/* Longer patterns are truncated in the message. */
#define PATTERN_SHOWN 200

typedef struct unmatched {
    const ftr_recorder *rec;
    const char *what; /* the option that contains the pattern, for the message */
    const char *buffer;
    uint32_t streams;
} unmatched;

static bool is_stream(const ftr_recorder *rec, uint32_t handle)
{
    return ftr_definitions_entity(&rec->definitions, handle)->kind & FTR_ENTITY_STREAM;
}

static void report_pattern(void *user, const char *pattern, size_t size)
{
    const unmatched *u = user;
    ftr_near_name near;
    ftr_near_name_init(&near, pattern, size);
    uint32_t count = atomic_load(&u->rec->definitions.entity_count);
    for (uint32_t i = 1; i < count; i++) {
        const char *name = ftr_definitions_entity(&u->rec->definitions, i)->name;
        if (is_stream(u->rec, i))
            ftr_near_name_offer(&near, name, strlen(name));
    }
    const char *nearest = ftr_near_name_get(&near);
    ftr_recorder_report(u->rec, FTR_SEVERITY_WARNING,
                        "%s%s: the pattern '%.*s' matches none of %u streams%s%s%s", u->what,
                        u->buffer, (int)(size < PATTERN_SHOWN ? size : PATTERN_SHOWN), pattern,
                        (unsigned)u->streams, nearest != NULL ? "; did you mean '" : "",
                        nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

/* Reports each pattern of include, exclude and the buffers that matched no stream. Reports nothing
 * if no stream was defined. */
static void report_unmatched_names(const ftr_recorder *rec)
{
    unmatched u = {.rec = rec, .buffer = ""};
    uint32_t count = atomic_load(&rec->definitions.entity_count);
    for (uint32_t i = 1; i < count; i++)
        u.streams += is_stream(rec, i);
    if (u.streams == 0)
        return;
    u.what = "include";
    ftr_name_filter_list_unmatched(&rec->definitions.include, report_pattern, &u);
    u.what = "exclude";
    ftr_name_filter_list_unmatched(&rec->definitions.exclude, report_pattern, &u);
    u.what = "buffer ";
    uint32_t buffers = atomic_load(&rec->buffers.count);
    for (uint32_t i = 1; i < buffers; i++) {
        u.buffer = rec->buffers.at[i].name;
        ftr_name_filter_list_unmatched(&rec->buffers.at[i].streams, report_pattern, &u);
    }
}

void ftr_trace_finish(ftr_recorder *rec)
{
    ftr_failure failure = {0};
    ftr_statistics *statistics = &rec->ending.at_close;
    ftr_trace_count(rec, statistics);
    for (uint32_t i = 1; i < ftr_recorder_trace_count(rec); i++)
        ftr_statistics_add(statistics, &rec->traces[i]->ending.at_close);
    report_moved_files(rec);
    ftr_status closed = ftr_output_close(&rec->output, &failure);
    if (closed != FTR_OK)
        ftr_recorder_fail(rec, closed, &failure);
    report_unmatched_names(rec);
    ftr_trace_report_cover(rec);
    const char *why = reason_to_remove(rec);
    if (why != NULL)
        ftr_segments_remove(rec, why);
    else
        ftr_trace_report_losses(rec, statistics);
    report_rest(rec);
}
