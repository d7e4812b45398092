/* The calls that affect a whole recorder. Each call is passed on to all traces of the recorder. */
#define _GNU_SOURCE

#include "encoder.h"
#include "flight.h"
#include "misuse.h"
#include "recorder_options.h"
#include "segments.h"
#include "struct_size.h"
#include "trace.h"
#include "trace_ends.h"
#include "writer.h"

ftr_status ftr_recorder_open(const char *path, const ftr_recorder_options *options,
                             ftr_recorder **rec)
{
    int cancel_state;
    ftr_recorder_options whole;
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    if (options != NULL)
        ftr_struct_take(&whole, sizeof whole, options);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    ftr_status status = ftr_trace_create(path, options != NULL ? &whole : NULL, &(ftr_run){0}, rec);
    pthread_setcancelstate(cancel_state, NULL);
    return status;
}

ftr_status ftr_recorder_open_layout(const char *path, const ftr_recorder_options *options,
                                    uint32_t layout, ftr_recorder **rec)
{
    if (layout == FTR_RECORDER_LAYOUT)
        return ftr_recorder_open(path, options, rec);
    ftr_layout_report(layout, options != NULL ? options->report : NULL,
                      options != NULL ? options->report_user : NULL);
    return FTR_ERR_LAYOUT;
}

static ftr_status refuse(ftr_recorder *rec, ftr_status status, const char *call)
{
    return ftr_recorder_misuse(rec, status, &(ftr_misuse){.call = call});
}

/* ---- while recording ------------------------------------------------------------------------- */

/* The first drain writes the start of the file, if a writer thread drains: on the calling thread,
 * this would take longer than the rest of a short run. Until then, recovery takes the time scale
 * from the journal. Returns FTR_ERR_STATE if the trace already has another time scale. */
static ftr_status set_trace_scale(ftr_recorder *trace, int time_scale)
{
    ftr_encoding_take(&trace->locks);
    ftr_status status = trace->options.time_scale == time_scale ? FTR_OK : FTR_ERR_STATE;
    if (!atomic_load(&trace->window.scale_known)) {
        ftr_trace_start(trace, time_scale);
        const bool has_writer = ftr_writer_is_running(trace) || ftr_writer_is_scheduled(trace);
        if (!has_writer || trace->output.has_sink)
            ftr_segments_write_start(trace);
        status = trace->ending.failure.status;
    }
    ftr_encoding_release(&trace->locks);
    return status;
}

ftr_status ftr_recorder_set_time_scale(ftr_recorder *rec, int time_scale)
{
    ftr_status status = ftr_recorder_check(rec);
    if (status != FTR_OK)
        return status;
    if (!ftr_options_is_time_scale(time_scale))
        return refuse(rec, FTR_ERR_ARGUMENT, "ftr_recorder_set_time_scale");
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_WRITES))
        return refuse(rec, FTR_ERR_STATE, "ftr_recorder_set_time_scale");
    status = set_trace_scale(rec, time_scale);
    for (uint32_t i = 1; i < ftr_recorder_trace_count(rec); i++)
        (void)set_trace_scale(rec->traces[i], time_scale);
    ftr_call_leave(&call);
    return status == FTR_ERR_STATE ? refuse(rec, status, "ftr_recorder_set_time_scale") : status;
}

ftr_status ftr_recorder_set_recording(ftr_recorder *rec, bool on)
{
    ftr_status status = ftr_recorder_check(rec);
    if (status != FTR_OK)
        return status;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return refuse(rec, FTR_ERR_STATE, "ftr_recorder_set_recording");
    for (uint32_t i = 0; i < ftr_recorder_trace_count(rec); i++) {
        ftr_recorder *trace = rec->traces[i];
        ftr_recorder_change_valve(trace, FTR_VALVE_OFF, on ? 0 : FTR_VALVE_OFF);
    }
    ftr_call_leave(&call);
    return FTR_OK;
}

/* Drains all records of all traces completely, for the public function @p name. Returns the first
 * failure. */
static ftr_status drain_all(ftr_recorder *rec, const char *name)
{
    ftr_status first = FTR_OK;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return refuse(rec, FTR_ERR_STATE, name);
    for (uint32_t i = 0; i < ftr_recorder_trace_count(rec); i++) {
        ftr_recorder *trace = rec->traces[i];
        if (!ftr_recorder_dead_valve(trace))
            ftr_writer_drain_everything(trace);
        if (first == FTR_OK && ftr_recorder_dead_valve(trace))
            first = ftr_recorder_dead_status(trace, ftr_recorder_dead_valve(trace));
    }
    ftr_call_leave(&call);
    return first;
}

ftr_status ftr_recorder_flush(ftr_recorder *rec)
{
    ftr_status status = ftr_recorder_check(rec);
    if (status != FTR_OK)
        return status;
    if (!atomic_load(&rec->window.scale_known))
        return refuse(rec, FTR_ERR_STATE, "ftr_recorder_flush");
    return drain_all(rec, "ftr_recorder_flush");
}

ftr_status ftr_recorder_trigger(ftr_recorder *rec)
{
    ftr_status status = ftr_recorder_check(rec);
    if (status != FTR_OK)
        return status;
    if (!ftr_flight_is_holding(&rec->flight) && atomic_load(&rec->buffers.count) == 1)
        return FTR_OK;
    ftr_flight_trigger(rec);
    return drain_all(rec, "ftr_recorder_trigger");
}

ftr_status ftr_recorder_mark_failed(ftr_recorder *rec)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    for (uint32_t i = 0; i < ftr_recorder_trace_count(rec); i++)
        atomic_store_explicit(&rec->traces[i]->ending.run_has_failed, true, memory_order_relaxed);
    return FTR_OK;
}

/* ---- close ----------------------------------------------------------------------------------- */

/* If the trace of a buffer has failed, its file does not contain the losses that the failure
 * caused. This function counts these losses in the recorder's own trace. */
static void take_losses(ftr_recorder *rec, ftr_recorder *trace)
{
    uint32_t number = 1;
    while (rec->buffers.at[number].trace != trace)
        number++;
    for (uint32_t i = 0; i < FTR_BUFFERS_MAX; i++) {
        ftr_loss lost = ftr_losses_total(&trace->losses, i, FTR_LOSS_FAILED);
        ftr_losses_add_recoverable(&rec->losses, number, FTR_LOSS_FAILED, &lost);
    }
}

static ftr_status close_traces(ftr_recorder *rec)
{
    ftr_status of_buffers = FTR_OK;
    uint32_t valve = ftr_trace_close_valve(rec, false);
    if (valve & FTR_VALVE_CLOSED)
        return ftr_recorder_dead_status(rec, FTR_VALVE_CLOSED);
    if (rec->ending.failure.status != FTR_OK)
        (void)ftr_recorder_mark_failed(rec);
    for (uint32_t i = 1; i < ftr_recorder_trace_count(rec); i++) {
        ftr_recorder *trace = rec->traces[i];
        (void)ftr_trace_close_valve(trace, false);
        ftr_status status = ftr_trace_close(trace);
        if (of_buffers == FTR_OK)
            of_buffers = status;
        take_losses(rec, trace);
    }
    ftr_status own = ftr_trace_close(rec);
    return own != FTR_OK ? own : of_buffers;
}

ftr_status ftr_recorder_close(ftr_recorder *rec)
{
    ftr_guarded_call call;
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    /* In a forked child the lock may still be locked: a thread of the parent may have held it. */
    if (ftr_recorder_dead_valve(rec) & FTR_VALVE_FORKED)
        return FTR_ERR_FORKED;
    if (!ftr_call_enter(&call, rec, FTR_CALL_WRITES))
        return refuse(rec, FTR_ERR_STATE, "ftr_recorder_close");
    ftr_status status = close_traces(rec);
    ftr_call_leave(&call);
    return status;
}

/* ---- questions ------------------------------------------------------------------------------- */

static void get_trace_statistics(ftr_recorder *trace, ftr_statistics *statistics)
{
    ftr_encoding_take(&trace->locks);
    /* This drain is necessary because transactions are only counted when they are encoded. */
    ftr_writer_drain_locked(trace, FTR_DRAIN_USUAL);
    ftr_trace_count(trace, statistics);
    ftr_encoding_release(&trace->locks);
}

ftr_status ftr_recorder_get_statistics(ftr_recorder *rec, ftr_statistics *statistics)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    if (statistics == NULL)
        return refuse(rec, FTR_ERR_ARGUMENT, "ftr_recorder_get_statistics");
    if (ftr_recorder_dead_valve(rec) & (FTR_VALVE_CLOSED | FTR_VALVE_FORKED)) {
        *statistics = rec->ending.at_close;
        return FTR_OK;
    }
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_WRITES))
        return refuse(rec, FTR_ERR_STATE, "ftr_recorder_get_statistics");
    *statistics = (ftr_statistics){0};
    for (uint32_t i = 0; i < ftr_recorder_trace_count(rec); i++) {
        ftr_statistics of_trace;
        get_trace_statistics(rec->traces[i], &of_trace);
        ftr_statistics_add(statistics, &of_trace);
    }
    ftr_call_leave(&call);
    return FTR_OK;
}

ftr_status ftr_recorder_list_streams(ftr_recorder *rec,
                                     void (*each)(void *user, const char *name,
                                                  uint64_t transactions),
                                     void *user)
{
    if (rec == NULL || each == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_status status = ftr_recorder_flush(rec);
    if (status != FTR_OK &&
        (ftr_recorder_dead_valve(rec) || !atomic_load(&rec->window.scale_known)))
        /* if only the trace of a buffer has failed, its statistics are still known */
        return status;
    uint32_t count = __atomic_load_n(&rec->front.entity_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 1; i < count; i++) {
        const ftr_entity *entity = ftr_definitions_entity(&rec->definitions, i);
        if (!ftr_stream_is_recorded(rec, i))
            continue;
        ftr_recorder *trace = rec->buffers.at[ftr_buffer_of_kind(entity->kind)].trace;
        ftr_guarded_call call;
        if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
            return refuse(rec, FTR_ERR_STATE, "ftr_recorder_list_streams");
        ftr_encoding_take(&trace->locks);
        uint64_t transactions = ftr_encoder_count(&trace->encoder, i);
        ftr_encoding_release(&trace->locks);
        ftr_call_leave(&call);
        each(user, entity->name, transactions);
    }
    return FTR_OK;
}

void ftr_recorder_count_filtered(ftr_recorder *rec, uint64_t count)
{
    atomic_fetch_add_explicit(&rec->counts.filtered, count, memory_order_relaxed);
}

ftr_status ftr_recorder_get_failure(ftr_recorder *rec, ftr_failure *failure)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    if (failure == NULL)
        return refuse(rec, FTR_ERR_ARGUMENT, "ftr_recorder_get_failure");
    uint32_t count = ftr_recorder_trace_count(rec);
    for (uint32_t i = 0; i < count && (i == 0 || failure->status == FTR_OK); i++) {
        ftr_recorder *trace = rec->traces[i];
        if (!ftr_recorder_copy_failure(trace, failure))
            return refuse(rec, FTR_ERR_STATE, "ftr_recorder_get_failure");
    }
    return FTR_OK;
}
