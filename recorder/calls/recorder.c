/* A recorder's life: open, flush, close, and what it tells the user. Knows the parts and their
 * order; what each does is theirs. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "drain.h"
#include "guarded_call.h"
#include "lane.h"
#include "recorder_options.h"
#include "signal_watch.h"
#include "struct_size.h"
#include "trace_open.h"
#include "unmatched_names.h"

#define GRACE_NS 20000000
#define FAILURE_TRIES 100
#define FAILURE_WAIT_NS 1000000

/* ---- telling ----------------------------------------------------------------------------------
 */

void ftr_recorder_report(const ftr_recorder *rec, ftr_severity severity, const char *format, ...)
{
    if (!rec->options.report)
        return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    rec->options.report(rec->options.report_user, severity, message);
}

void ftr_recorder_fail(ftr_recorder *rec, ftr_status status, const ftr_failure *failure)
{
    pthread_mutex_lock(&rec->lock);
    bool is_first = rec->failure.status == FTR_OK;
    if (is_first) {
        rec->failure = *failure;
        rec->failure.status = status;
        atomic_store_explicit(&rec->dead_status, status, memory_order_relaxed);
        rec->failure.offset = rec->output.offset;
        if (!failure->message[0])
            snprintf(rec->failure.message, sizeof rec->failure.message,
                     "%.300s: recording stopped at byte %llu: %s",
                     rec->output.path ? rec->output.path : "sink",
                     (unsigned long long)rec->failure.offset, ftr_status_text(status));
        ftr_recorder_set_gate(rec, ftr_recorder_gate(rec) | FTR_GATE_FAILED);
    }
    pthread_cond_broadcast(&rec->space);
    pthread_mutex_unlock(&rec->lock);
    if (is_first)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%s", rec->failure.message);
}

void ftr_recorder_set_gate(ftr_recorder *rec, uint32_t gate)
{
    __atomic_store_n(&rec->front.gate, gate, __ATOMIC_RELEASE); /* after what it is about */
    __atomic_store_n(&rec->front.owner, gate ? 0 : rec->owner, __ATOMIC_RELAXED);
    if (gate & FTR_GATE_DEAD)
        __atomic_store_n(&rec->front.slots, ftr_registry_no_slots(), __ATOMIC_RELAXED);
}

ftr_status ftr_recorder_dead_status(ftr_recorder *rec, uint32_t gate)
{
    if (gate & FTR_GATE_FORKED)
        return FTR_ERR_FORKED;
    if (gate & FTR_GATE_CLOSED) {
        ftr_signal_watch_hold_back(rec);
        return FTR_ERR_CLOSED;
    }
    atomic_thread_fence(memory_order_acquire); /* the gate was closed after that */
    return (ftr_status)atomic_load_explicit(&rec->dead_status, memory_order_relaxed);
}

uint64_t ftr_recorder_now(const ftr_recorder *rec)
{
    if (rec->options.clock)
        return rec->options.clock(rec->options.clock_user);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- open -------------------------------------------------------------------------------------
 */

static ftr_status start_file(ftr_recorder *rec, int time_scale)
{
    int scale = time_scale == FTR_TIME_SCALE_SECOND ? 0 : time_scale;
    rec->options.time_scale = time_scale;
    if (rec->options.start)
        atomic_store(&rec->start, ftr_simulated_time_ticks(rec->start_time, scale));
    if (rec->options.stop)
        atomic_store(&rec->stop, ftr_simulated_time_ticks(rec->stop_time, scale));
    if (rec->journal.header) {
        rec->journal.header->time_scale = scale;
        rec->journal.header->scale_known = 1;
    }
    /* A flight recorder's file starts when it is triggered. */
    if (rec->options.mode == FTR_MODE_FILE) {
        ftr_segments_start_file(rec);
        ftr_segments_send(rec);
    }
    atomic_store_explicit(&rec->scale_known, true, memory_order_release);
    return rec->failure.status;
}

static void free_parts(ftr_recorder *rec)
{
    ftr_lanes_release(rec);
    ftr_encoder_release(&rec->encoder);
    ftr_definitions_release(&rec->definitions);
    ftr_discarded_ids_release(&rec->discarded_ids);
    ftr_buffers_release(rec);
    ftr_segments_release(&rec->segments);
    ftr_arena_release(&rec->arena);
    ftr_losses_keep(&rec->losses, NULL);
    ftr_journal_close(&rec->journal, rec->failure.status != FTR_OK);
    free(rec->retained);
    rec->retained = NULL;
    rec->retained_count = 0;
}

static ftr_status make_encoder(ftr_recorder *rec)
{
    const ftr_recorder_options *options = &rec->options;
    ftr_discarded_ids_init(&rec->discarded_ids);
    ftr_losses_init(&rec->losses);
    bool tracks = options->when_full == FTR_WHEN_FULL_DROP || options->start || options->stop;
    ftr_status status = ftr_encoder_init(&rec->encoder, &rec->definitions, options);
    rec->encoder.pending_relations.open = &rec->open;
    rec->encoder.pending_relations.discarded_ids = tracks ? &rec->discarded_ids : NULL;
    return status;
}

/* The memory for what is recorded, in the journal if there is one and the disk has room for it. */
static ftr_status make_arena(ftr_recorder *rec)
{
    size_t blocks = ftr_options_blocks(rec);
    ftr_buffers_init(rec, blocks);
    ftr_status status = FTR_ERR_IO;
    if (rec->journal.header)
        status = ftr_arena_init(&rec->arena, blocks, FTR_BLOCKS_SHARE, &rec->journal);
    if (status == FTR_ERR_IO) {
        ftr_trace_give_up_journal(rec);
        status = ftr_arena_init(&rec->arena, blocks, FTR_BLOCKS_SHARE, NULL);
    }
    if (status != FTR_OK)
        return status;
    ftr_losses_keep(&rec->losses, &rec->journal);
    /* What a sink has taken recovery could not see again. */
    bool is_seen = rec->journal.header && !rec->output.has_sink;
    rec->output.journal = is_seen ? &rec->journal : NULL;
    ftr_open_transactions_init(&rec->open, &rec->arena, rec->open.slot_tag);
    rec->front.slots = ftr_registry_no_slots();
    rec->front.slot_tag = rec->open.slot_tag;
    rec->own_next_id = 1;
    rec->next_id = &rec->own_next_id;
    status = ftr_definitions_init(&rec->definitions, &rec->arena, rec->options.include,
                                  rec->options.exclude);
    rec->front.entities = (const ftr_entity *)rec->definitions.entities.base;
    if (status == FTR_OK)
        status = ftr_definitions_add_relation(&rec->definitions, "parent_of", &rec->parent_of);
    if (status == FTR_OK)
        ftr_recorder_show_definitions(rec);
    return status;
}

static void make_locks(ftr_recorder *rec)
{
    pthread_condattr_t monotonic;
    pthread_mutex_init(&rec->lock, NULL);
    pthread_mutex_init(&rec->encoding, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&rec->space, &monotonic);
    pthread_cond_init(&rec->work, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static ftr_status open_recorder(const char *path, const ftr_recorder_options *options,
                                const ftr_run *run, ftr_recorder **rec)
{
    ftr_recorder *made = calloc(1, sizeof *made);
    if (!made)
        return FTR_ERR_MEMORY;
    made->journal.fd = -1;
    made->run = *run;
    make_locks(made);
    /* Closed below before it is opened, if an option is wrong. */
    made->output.fd = -1;
    ftr_options_take(made, options);
    ftr_status status = ftr_options_check(made, path);
    if (status == FTR_OK)
        status = ftr_options_take_window(made);
    if (status == FTR_OK)
        status = ftr_flight_init(made);
    if (status == FTR_OK)
        status = ftr_options_fit(made);
    if (status == FTR_OK)
        status = ftr_registry_number(made);
    if (status == FTR_OK)
        status = make_encoder(made);
    if (status == FTR_OK)
        status = ftr_trace_open(made, path);
    if (status == FTR_OK)
        status = ftr_segments_init(made);
    if (status == FTR_OK)
        status = make_arena(made);
    if (status != FTR_OK) {
        ftr_failure ignored;
        if (status == FTR_ERR_MEMORY && made->output.path)
            ftr_recorder_report(made, FTR_SEVERITY_ERROR, "%.300s: cannot record: %s",
                                made->output.path, ftr_status_text(status));
        ftr_output_discard(&made->output);
        (void)!ftr_output_close(&made->output, &ignored);
        free_parts(made);
        free(made);
        return status;
    }
    ftr_registry_enter(made);
    /* Copies of what these point to are where they are needed. */
    made->options.flight_after = NULL;
    made->options.include = NULL;
    made->options.exclude = NULL;
    made->options.sink = NULL;
    /* A failure from here on is the recorder's: it is latched, and close reports it. */
    if (made->options.time_scale != FTR_TIME_SCALE_LATER)
        (void)!start_file(made, made->options.time_scale);
    if (made->options.threads && ftr_writer_start(made) != FTR_OK)
        ftr_recorder_report(made, FTR_SEVERITY_WARNING,
                            "no writer thread could be started: the recording threads write");
    *rec = made;
    return FTR_OK;
}

ftr_status ftr_recorder_open_in_run(const char *path, const ftr_recorder_options *options,
                                    const ftr_run *run, ftr_recorder **rec)
{
    int cancel_state;
    if (!rec)
        return FTR_ERR_ARGUMENT;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    ftr_status status = open_recorder(path, options, run, rec);
    pthread_setcancelstate(cancel_state, NULL);
    return status;
}

ftr_status ftr_recorder_open(const char *path, const ftr_recorder_options *options,
                             ftr_recorder **rec)
{
    return ftr_recorder_open_in_run(path, options, &(ftr_run){0}, rec);
}

ftr_status ftr_recorder_open_sized(const char *path, const ftr_recorder_options *options,
                                   size_t size, uint32_t layout, ftr_recorder **rec)
{
    ftr_recorder_options whole;
    if (options)
        ftr_struct_take(&whole, sizeof whole, options, size);
    if (layout != FTR_RECORDER_LAYOUT) {
        ftr_layout_report(layout, options ? whole.report : NULL,
                          options ? whole.report_user : NULL);
        return FTR_ERR_LAYOUT;
    }
    return ftr_recorder_open(path, options ? &whole : NULL, rec);
}

/* ---- life -------------------------------------------------------------------------------------
 */

static uint32_t dead_gate(const ftr_recorder *rec)
{
    return ftr_recorder_gate(rec) & FTR_GATE_DEAD;
}

ftr_status ftr_recorder_set_time_scale(ftr_recorder *rec, int time_scale)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (dead_gate(rec))
        return ftr_recorder_dead_status(rec, dead_gate(rec));
    if (!ftr_options_is_time_scale(time_scale))
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_WRITES))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    pthread_mutex_lock(&rec->encoding);
    ftr_status status = rec->options.time_scale == time_scale ? FTR_OK : FTR_ERR_STATE;
    if (!atomic_load(&rec->scale_known))
        status = start_file(rec, time_scale);
    pthread_mutex_unlock(&rec->encoding);
    ftr_recorder *trace;
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;)
        (void)ftr_recorder_set_time_scale(trace, time_scale);
    ftr_call_leave(&call);
    return status == FTR_ERR_STATE ? ftr_recorder_misuse(rec, status) : status;
}

ftr_status ftr_recorder_set_recording(ftr_recorder *rec, bool on)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (dead_gate(rec))
        return ftr_recorder_dead_status(rec, dead_gate(rec));
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    pthread_mutex_lock(&rec->lock);
    uint32_t gate = ftr_recorder_gate(rec) & ~(uint32_t)FTR_GATE_OFF;
    ftr_recorder_set_gate(rec, gate | (on ? 0 : FTR_GATE_OFF));
    pthread_mutex_unlock(&rec->lock);
    ftr_call_leave(&call);
    ftr_recorder *trace;
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;)
        (void)ftr_recorder_set_recording(trace, on);
    return FTR_OK;
}

/* Drains everything, to all traces of the recorder. Returns the first failure. */
static ftr_status drain_all_traces(ftr_recorder *rec)
{
    ftr_status first = FTR_OK;
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    ftr_drain_everything(rec);
    if (dead_gate(rec))
        first = ftr_recorder_dead_status(rec, dead_gate(rec));
    ftr_recorder *trace;
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;) {
        if (!dead_gate(trace))
            ftr_drain_everything(trace);
        if (first == FTR_OK && dead_gate(trace))
            first = ftr_recorder_dead_status(trace, dead_gate(trace));
    }
    ftr_call_leave(&call);
    return first;
}

ftr_status ftr_recorder_flush(ftr_recorder *rec)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (dead_gate(rec))
        return ftr_recorder_dead_status(rec, dead_gate(rec));
    if (!atomic_load(&rec->scale_known))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    return drain_all_traces(rec);
}

/* The latest tick of all that ended or is open. */
static uint64_t latest_tick(const ftr_recorder *rec)
{
    uint64_t latest = rec->encoder.latest;
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; ++i) {
        const ftr_slot *slot = ftr_open_slot(&rec->open, i);
        if (slot->id != FTR_SLOT_FREE && slot->begin > latest)
            latest = slot->begin;
    }
    return latest;
}

/* Encodes or counts one transaction that is still open at the end. */
static void end_slot(ftr_recorder *rec, const ftr_slot *slot, uint64_t latest)
{
    if (slot->flags & FTR_SLOT_WINDOWED && latest < atomic_load(&rec->start)) {
        ftr_discarded_ids_add(&rec->discarded_ids, slot->id);
        atomic_fetch_add(&rec->filtered, 1);
    } else if (!ftr_buffers_keep_open(rec, slot)) {
        uint32_t buffer = ftr_buffer_of_kind(rec->front.entities[slot->generator].kind);
        ftr_losses_add_recoverable(&rec->losses, buffer, FTR_LOSS_EVICTED,
                                   &(ftr_loss){1, slot->begin, latest});
    } else if (ftr_segments_take_open(rec, slot, latest)) {
        ++rec->unfinished;
    }
}

/* Ends what is open. The caller holds `encoding`; nobody records any more. */
static void end_open(ftr_recorder *rec)
{
    uint64_t latest = latest_tick(rec);
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; ++i) {
        const ftr_slot *slot = ftr_open_slot(&rec->open, i);
        if (slot->id != FTR_SLOT_FREE)
            end_slot(rec, slot, latest);
    }
    /* Until the file has them, recovery finds them in their slots. */
    ftr_encoder_flush(&rec->encoder, UINT64_MAX, UINT64_MAX);
    ftr_segments_send(rec);
    for (uint32_t i = 0; i < count; ++i)
        ftr_open_slot(&rec->open, i)->id = FTR_SLOT_FREE;
}

static void write_rest(ftr_recorder *rec)
{
    if (!atomic_load(&rec->scale_known))
        (void)!start_file(rec, FTR_DEFAULT_TIME_SCALE);
    ftr_flight_end(rec);
    if (atomic_load(&rec->run_has_failed))
        ftr_buffers_trigger_all(rec);
    ftr_drain_locked(rec, FTR_DRAIN_TAKE);
    end_open(rec);
    ftr_drain_locked(rec, FTR_DRAIN_ALL);
    if (!ftr_flight_is_holding(&rec->flight) && !rec->segments.has_ended)
        ftr_buffers_count_rest(rec);
    if (!ftr_flight_is_holding(&rec->flight))
        ftr_segments_end(rec);
}

void ftr_recorder_write_end(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->encoding);
    write_rest(rec);
    pthread_mutex_unlock(&rec->encoding);
}

static void collect_statistics(ftr_recorder *rec, ftr_statistics *statistics)
{
    const ftr_encoder *encoder = &rec->encoder;
    *statistics = (ftr_statistics){
        .transactions = encoder->transactions,
        .attributes = encoder->attributes,
        .relations = encoder->relations + encoder->pending_relations.count,
        .filtered = atomic_load(&rec->filtered),
        .dropped = atomic_load(&rec->dropped),
        .relations_left_out = atomic_load(&rec->relations_discarded) + encoder->relations_discarded,
        .unfinished = rec->unfinished,
        .misuses = atomic_load(&rec->misuses),
        .repaired_texts = encoder->repaired_texts,
        .rounded_floats = encoder->rounded_floats,
        .renamed_streams = rec->definitions.renamed_streams,
        .strings = encoder->strings_written,
        .strings_forgotten = encoder->dictionary.forgotten,
        .waits = rec->waits,
        .chunks = encoder->chunks.chunks,
        .bytes = rec->segments.bytes_before + rec->output.offset,
        .bytes_uncompressed = encoder->chunks.bytes_uncompressed,
        .memory = ftr_encoder_memory(encoder) + rec->arena.blocks.committed +
                  atomic_load(&rec->open.slot_count) * FTR_SLOT_SIZE,
    };
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; ++i)
        statistics->open_transactions +=
            __atomic_load_n(&ftr_open_slot(&rec->open, i)->id, __ATOMIC_RELAXED) != FTR_SLOT_FREE;
}

static void report_losses(ftr_recorder *rec)
{
    for (uint32_t i = 0; i < FTR_LOSSES_MAX; ++i) {
        const ftr_buffer_entry *buffer = &rec->buffers.at[i / FTR_LOSS_CAUSES];
        ftr_loss_cause cause = (ftr_loss_cause)(i % FTR_LOSS_CAUSES);
        ftr_loss loss = ftr_losses_total(&rec->losses, i / FTR_LOSS_CAUSES, cause);
        if (loss.count && buffer->trace == rec)
            ftr_recorder_report(rec, ftr_losses_severity(cause),
                                "%llu %s, from tick %llu to %llu%s%s",
                                (unsigned long long)loss.count, ftr_losses_text(cause),
                                (unsigned long long)loss.from, (unsigned long long)loss.to,
                                buffer->name[0] ? ", of buffer " : "", buffer->name);
    }
    const ftr_statistics *lost = &rec->at_close;
    const struct {
        uint64_t count;
        ftr_severity severity;
        const char *what;
    } kinds[] = {
        {lost->relations_left_out, FTR_SEVERITY_NOTE,
         "relations were left out because an end of them is not recorded"},
        {lost->unfinished, FTR_SEVERITY_NOTE,
         "transactions were still open and carry unfinished = true"},
        {lost->rounded_floats, FTR_SEVERITY_WARNING,
         "values do not fit single precision and were rounded (double and text keep them: "
         "FTR_FLOAT, or --floats of the command ftr)"},
        {lost->repaired_texts, FTR_SEVERITY_WARNING,
         "texts were not UTF-8; their invalid bytes became U+FFFD"},
        {lost->misuses, FTR_SEVERITY_WARNING, "calls were wrong and did nothing"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        if (kinds[i].count)
            ftr_recorder_report(rec, kinds[i].severity, "%llu %s",
                                (unsigned long long)kinds[i].count, kinds[i].what);
    }
}

ftr_status ftr_recorder_mark_failed(ftr_recorder *rec)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    atomic_store_explicit(&rec->run_has_failed, true, memory_order_relaxed);
    ftr_recorder *trace;
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;)
        atomic_store_explicit(&trace->run_has_failed, true, memory_order_relaxed);
    return FTR_OK;
}

ftr_status ftr_recorder_trigger(ftr_recorder *rec)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (dead_gate(rec))
        return ftr_recorder_dead_status(rec, dead_gate(rec));
    if (!ftr_flight_is_holding(&rec->flight) && atomic_load(&rec->buffers.count) == 1)
        return FTR_OK;
    ftr_flight_trigger(rec);
    return drain_all_traces(rec);
}

/* Why there should be no file; NULL: there should. */
static const char *reason_to_remove(const ftr_recorder *rec)
{
    if (ftr_flight_is_holding(&rec->flight))
        return "the flight recorder was not triggered";
    if (rec->buffers.leaves_no_file && !rec->buffers.was_triggered && rec->failure.status == FTR_OK)
        return "its ring was not triggered";
    bool has_failed = rec->run_has_failed || rec->failure.status != FTR_OK;
    return rec->options.keep == FTR_KEEP_ALWAYS || has_failed ? NULL : "the run ended well";
}

/* The file is whole: closes it, and keeps or removes it. */
static void finish_file(ftr_recorder *rec)
{
    ftr_failure failure = {0};
    collect_statistics(rec, &rec->at_close);
    ftr_buffers_add_statistics(rec, &rec->at_close);
    ftr_status closed = ftr_output_close(&rec->output, &failure);
    if (closed != FTR_OK)
        ftr_recorder_fail(rec, closed, &failure);
    ftr_report_unmatched_names(rec);
    const char *why = reason_to_remove(rec);
    if (why)
        ftr_segments_remove(rec, why);
    else
        report_losses(rec);
    if (rec->failure.status != FTR_OK && rec->journal.header)
        ftr_recorder_report(rec, FTR_SEVERITY_NOTE,
                            "what was not written is in %.300s; recovery brings it back",
                            rec->journal.path);
}

static void close_gate(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->lock);
    ftr_recorder_set_gate(rec, ftr_recorder_gate(rec) | FTR_GATE_CLOSED);
    pthread_cond_broadcast(&rec->space);
    pthread_mutex_unlock(&rec->lock);
}

/* Leaves the journal, too, if a thread was held up in its call for so long that the file has not
 * got what it recorded. */
static void leave_file(ftr_recorder *rec)
{
    if (rec->journal.path && rec->failure.status == FTR_OK && ftr_drain_is_complete(rec))
        unlink(rec->journal.path);
    finish_file(rec);
}

static void close_gate_for_signal(ftr_recorder *rec)
{
    atomic_store(&rec->ends_for_signal, true);
    close_gate(rec);
}

void ftr_recorder_end_for_signal(ftr_recorder *rec)
{
    ftr_recorder *trace;
    close_gate_for_signal(rec);
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;)
        close_gate_for_signal(trace);
    /* Who is in a call now is out of it by then: none takes as long that does not wait for us. */
    clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = GRACE_NS}, NULL);
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;) {
        ftr_writer_stop(trace);
        leave_file(trace);
    }
    ftr_recorder_write_end(rec);
    leave_file(rec);
    ftr_signal_watch_done(rec);
}

static ftr_status close_recorder(ftr_recorder *rec)
{
    pthread_mutex_lock(&rec->lock);
    uint32_t gate = ftr_recorder_gate(rec);
    ftr_recorder_set_gate(rec, gate | FTR_GATE_CLOSED);
    pthread_mutex_unlock(&rec->lock);
    if (gate & FTR_GATE_CLOSED)
        return ftr_recorder_dead_status(rec, FTR_GATE_CLOSED);
    ftr_status of_buffers = ftr_buffers_close(rec);
    ftr_writer_stop(rec);
    finish_file(rec);
    free_parts(rec);
    return rec->failure.status != FTR_OK ? rec->failure.status : of_buffers;
}

ftr_status ftr_recorder_close(ftr_recorder *rec)
{
    ftr_guarded_call call;
    if (!rec)
        return FTR_ERR_ARGUMENT;
    /* In a forked child the lock may be one that a thread of the parent held. */
    if (dead_gate(rec) & FTR_GATE_FORKED)
        return FTR_ERR_FORKED;
    if (!ftr_call_enter(&call, rec, FTR_CALL_WRITES))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    ftr_status status = close_recorder(rec);
    ftr_call_leave(&call);
    return status;
}

ftr_status ftr_recorder_get_statistics(ftr_recorder *rec, ftr_statistics *statistics)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (!statistics)
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    if (dead_gate(rec) & (FTR_GATE_CLOSED | FTR_GATE_FORKED)) {
        *statistics = rec->at_close;
        return FTR_OK;
    }
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_WRITES))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    pthread_mutex_lock(&rec->encoding);
    /* What lies in blocks is counted when it is encoded. */
    ftr_drain_locked(rec, FTR_DRAIN_USUAL);
    pthread_mutex_lock(&rec->lock);
    collect_statistics(rec, statistics);
    pthread_mutex_unlock(&rec->lock);
    pthread_mutex_unlock(&rec->encoding);
    ftr_buffers_add_statistics(rec, statistics);
    ftr_call_leave(&call);
    return FTR_OK;
}

ftr_status ftr_recorder_get_statistics_sized(ftr_recorder *rec, ftr_statistics *statistics,
                                             size_t size)
{
    ftr_statistics whole;
    ftr_status status = ftr_recorder_get_statistics(rec, statistics ? &whole : NULL);
    if (status == FTR_OK)
        ftr_struct_copy(statistics, size, &whole, sizeof whole);
    return status;
}

ftr_status ftr_recorder_list_streams(ftr_recorder *rec,
                                     void (*each)(void *user, const char *name,
                                                  uint64_t transactions),
                                     void *user)
{
    if (!rec || !each)
        return FTR_ERR_ARGUMENT;
    ftr_status status = ftr_recorder_flush(rec);
    if (status != FTR_OK && (dead_gate(rec) || !atomic_load(&rec->scale_known)))
        return status; /* of a buffer's trace that failed there is still the number */
    uint32_t count = __atomic_load_n(&rec->front.entity_count, __ATOMIC_ACQUIRE);
    for (uint32_t i = 1; i < count; ++i) {
        const ftr_entity *entity = ftr_definitions_entity(&rec->definitions, i);
        if (!ftr_stream_is_recorded(rec, i))
            continue;
        ftr_recorder *trace = rec->buffers.at[ftr_buffer_of_kind(entity->kind)].trace;
        ftr_guarded_call call;
        if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
            return ftr_recorder_misuse(rec, FTR_ERR_STATE);
        pthread_mutex_lock(&trace->encoding);
        uint64_t transactions = ftr_encoder_count(&trace->encoder, i);
        pthread_mutex_unlock(&trace->encoding);
        ftr_call_leave(&call);
        each(user, entity->name, transactions);
    }
    return FTR_OK;
}

/* Takes the lock, from a report callback, too. A signal handler does not get it if the interrupted
 * thread holds it. */
static bool lock_failure(ftr_recorder *rec)
{
    if (ftr_current_call.kind == FTR_CALL_NONE)
        return pthread_mutex_lock(&rec->lock) == 0;
    for (int i = 0; i < FAILURE_TRIES; ++i) {
        if (pthread_mutex_trylock(&rec->lock) == 0)
            return true;
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = FAILURE_WAIT_NS}, NULL);
    }
    return false;
}

ftr_status ftr_recorder_get_failure(ftr_recorder *rec, ftr_failure *failure)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (!failure)
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    bool is_forked = dead_gate(rec) & FTR_GATE_FORKED; /* see ftr_recorder_close() */
    if (!is_forked && !lock_failure(rec))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    *failure = rec->failure;
    if (!is_forked)
        pthread_mutex_unlock(&rec->lock);
    ftr_recorder *trace;
    for (uint32_t at = 0;
         failure->status == FTR_OK && (trace = ftr_buffers_next_trace(rec, &at)) != NULL;)
        (void)ftr_recorder_get_failure(trace, failure);
    return FTR_OK;
}

ftr_status ftr_recorder_get_failure_sized(ftr_recorder *rec, ftr_failure *failure, size_t size)
{
    ftr_failure whole;
    ftr_status status = ftr_recorder_get_failure(rec, failure ? &whole : NULL);
    if (status == FTR_OK)
        ftr_struct_copy(failure, size, &whole, sizeof whole);
    return status;
}
