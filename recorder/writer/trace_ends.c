/* Starts a trace when its time scale is known; ends the open transactions and the file. */
#include "trace_ends.h"

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
    rec->segments.start_is_due = rec->options.mode == FTR_MODE_FILE;
    atomic_store_explicit(&window->scale_known, true, memory_order_release);
}

/* ---- the end ----------------------------------------------------------------------------------
 */

uint32_t ftr_trace_close_gate(ftr_recorder *rec, bool is_for_signal)
{
    pthread_mutex_lock(&rec->lock);
    uint32_t gate = ftr_recorder_gate(rec);
    if (is_for_signal && !(gate & FTR_GATE_CLOSED))
        atomic_store(&rec->ending.is_for_signal, true);
    ftr_recorder_set_gate(rec, gate | FTR_GATE_CLOSED);
    pthread_cond_broadcast(&rec->lanes.space);
    pthread_mutex_unlock(&rec->lock);
    return gate;
}

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
static void end_slot(ftr_recorder *rec, const ftr_slot *slot, uint64_t latest)
{
    if (slot->flags & FTR_SLOT_WINDOWED && latest < atomic_load(&rec->window.start)) {
        ftr_discarded_ids_add(&rec->discarded_ids, slot->id);
        atomic_fetch_add(&rec->counts.filtered, 1);
    } else if (!ftr_ring_keeps_open(rec, slot)) {
        ftr_losses_add_recoverable(&rec->losses, ftr_buffer_of_generator(rec, slot->generator),
                                   FTR_LOSS_EVICTED, &(ftr_loss){1, slot->begin, latest});
    } else if (ftr_segments_take_open(rec, slot, latest)) {
        rec->unfinished++;
    }
}

/* Ends the open transactions. The caller holds `encoding`. */
static void end_open(ftr_recorder *rec)
{
    uint64_t latest = latest_tick(rec);
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++) {
        const ftr_slot *slot = ftr_open_slot(&rec->open, i);
        if (slot->id != FTR_SLOT_FREE)
            end_slot(rec, slot, latest);
    }
    /* The slots are released only after this flush: until the transactions are in the file,
     * recovery needs their slots. */
    ftr_encoder_flush(&rec->encoder, UINT64_MAX, UINT64_MAX);
    ftr_segments_send(rec);
    ftr_kept_summary_save_open(rec);
    for (uint32_t i = 0; i < count; i++)
        ftr_open_slot(&rec->open, i)->id = FTR_SLOT_FREE;
}

void ftr_trace_write_end(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->encoding);
    rec->output.is_ending = true;
    if (!atomic_load(&rec->window.scale_known))
        ftr_trace_start(rec, FTR_DEFAULT_TIME_SCALE);
    ftr_flight_end(rec);
    if (atomic_load(&rec->ending.run_has_failed))
        ftr_rings_trigger(rec);
    ftr_drain_lanes(rec, FTR_DRAIN_TAKE);
    end_open(rec);
    ftr_drain_lanes(rec, FTR_DRAIN_ALL);
    if (!ftr_flight_is_holding(&rec->flight)) {
        if (!rec->segments.has_ended)
            ftr_rings_count_rest(rec);
        ftr_segments_end(rec);
    }
    ftr_kept_summary_end(rec);
    pthread_mutex_unlock(&rec->encoding);
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

void ftr_trace_finish(ftr_recorder *rec)
{
    ftr_failure failure = {0};
    ftr_statistics *statistics = &rec->ending.at_close;
    ftr_trace_count(rec, statistics);
    for (uint32_t i = 1; i < ftr_recorder_trace_count(rec); i++)
        ftr_statistics_add(statistics, &rec->traces[i]->ending.at_close);
    ftr_status closed = ftr_output_close(&rec->output, &failure);
    if (closed != FTR_OK)
        ftr_recorder_fail(rec, closed, &failure);
    ftr_report_unmatched_names(rec);
    const char *why = reason_to_remove(rec);
    if (why != NULL)
        ftr_segments_remove(rec, why);
    else
        ftr_trace_report_losses(rec, statistics);
    if (rec->ending.failure.status != FTR_OK && rec->journal.header != NULL)
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                            "the data that was not written is in %.300s; 'ftr recover' recovers it",
                            rec->journal.path);
}
