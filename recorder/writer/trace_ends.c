/* Starts a trace when its time scale is known; ends the open transactions and the file. */
#include "trace_ends.h"

#include <string.h>
#include <sys/stat.h>

#include "drain.h"
#include "encoder.h"
#include "flight.h"
#include "kept_summary.h"
#include "ring_blocks.h"
#include "segments.h"
#include "trace_statistics.h"
#include "unmatched_names.h"

void ftr_trace_start(ftr_recorder *rec, int time_scale)
{
    ftr_window *window = &rec->window;
    int scale = time_scale == FTR_TIME_SCALE_SECOND ? 0 : time_scale;
    rec->options.time_scale = time_scale;
    if (rec->options.start != NULL)
        atomic_store(&window->start, ftr_time_ticks(&window->start_time, scale));
    if (rec->options.stop != NULL)
        atomic_store(&window->stop, ftr_time_ticks(&window->stop_time, scale));
    if (rec->journal.header != NULL) {
        rec->journal.header->time_scale = scale;
        rec->journal.header->scale_known = 1;
    }
    if (rec->options.mode == FTR_MODE_FILE)
        ftr_segments_set_start_due(rec);
    atomic_store_explicit(&window->scale_known, true, memory_order_release);
}

/* ---- the end ----------------------------------------------------------------------------------
 */

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
    if (slot->flags & FTR_SLOT_WINDOWED && latest < atomic_load(&rec->window.start)) {
        ftr_discarded_ids_add(&rec->discarded_ids, slot->id);
        slot->id = FTR_SLOT_FREE;
        atomic_fetch_add(&rec->counts.filtered, 1);
    } else if (!ftr_ring_keeps_open(rec, slot)) {
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
    /* The slots are released only after this flush, and not after a failure: until the transactions
     * are in the file, recovery needs their slots. */
    ftr_encoder_flush(&rec->encoder, UINT64_MAX, UINT64_MAX);
    ftr_segments_send(rec);
    ftr_kept_summary_save_open(rec);
    if (ftr_recorder_gate(rec) & FTR_GATE_FAILED)
        return;
    for (uint32_t i = 0; i < count; i++)
        ftr_open_slot(&rec->open, i)->id = FTR_SLOT_FREE;
}

/* Records the end of the run in `ftr.run`, unless the exit status was recorded there: the signal
 * that ends the program, or that the program has closed the recorder. */
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

void ftr_trace_write_end(ftr_recorder *rec)
{
    ftr_encoding_take(&rec->locks);
    rec->output.is_ending = true;
    if (!atomic_load(&rec->window.scale_known))
        ftr_trace_start(rec, FTR_DEFAULT_TIME_SCALE);
    const bool was_holding = ftr_flight_is_holding(&rec->flight);
    ftr_flight_end(rec, put_run_end);
    if (atomic_load(&rec->ending.run_has_failed))
        ftr_rings_trigger(rec);
    ftr_drain_lanes(rec, FTR_DRAIN_TAKE);
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

static bool journal_is_deleted(const ftr_journal *journal)
{
    struct stat about;
    return journal->header != NULL && fstat(ftr_journal_descriptor(journal), &about) == 0 &&
           about.st_dev == journal->device && about.st_ino == journal->inode && about.st_nlink == 0;
}

/* Reports files that another program has renamed or deleted during the recording. A deleted trace
 * is a failure, which ftr_output_close() reports. */
static void report_moved_files(const ftr_recorder *rec)
{
    if (ftr_output_is_moved(&rec->output))
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s: the file was renamed during the recording: it is complete, "
                            "but has another name",
                            rec->output.path);
    if (journal_is_deleted(&rec->journal))
        ftr_recorder_report(rec, FTR_SEVERITY_WARNING,
                            "%.300s: the journal was deleted during the recording: after a crash, "
                            "its transactions would have been lost",
                            rec->journal.path);
}

/* Reports where the data is that a failed recorder did not write. */
static void report_rest(const ftr_recorder *rec)
{
    if (ftr_kept_summary_needs_journal(rec) && !journal_is_deleted(&rec->journal))
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                            "the figures of the summary are in %.300s; 'ftr recover' recovers them",
                            rec->journal.path);
    if (rec->ending.failure.status == FTR_OK || rec->journal.header == NULL ||
        journal_is_deleted(&rec->journal))
        return;
    ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                        "the data that was not written is in %.300s; 'ftr recover' recovers it%s",
                        rec->journal.path,
                        rec->journal.header->cover == FTR_JOURNAL_COVERS
                            ? ""
                            : ", and counts the data that did not fit into the journal");
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
    ftr_report_unmatched_names(rec);
    ftr_trace_report_cover(rec);
    const char *why = reason_to_remove(rec);
    if (why != NULL)
        ftr_segments_remove(rec, why);
    else
        ftr_trace_report_losses(rec, statistics);
    report_rest(rec);
}
