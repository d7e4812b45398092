/* The state that all parts of a recorder share: the valve, the latched failure, messages, the
 * clock.
 */
#define _GNU_SOURCE
#include "recorder_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "ended_slots.h"
#include "journal_state.h"
#include "stream_name_rules.h"

/* The number of times that a signal handler tries to take a lock, and the interval between two
 * attempts in ns. */
#define CALLBACK_TRIES 100
#define CALLBACK_WAIT_NS 1000000

void ftr_recorder_report(const ftr_recorder *rec, ftr_severity severity, const char *format, ...)
{
    if (rec->options.report == NULL)
        return;
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!ftr_messages_add(severity, message))
        rec->options.report(rec->options.report_user, severity, message);
}

void ftr_recorder_fail(ftr_recorder *rec, ftr_status status, const ftr_failure *failure)
{
    ftr_failure *latched = &rec->ending.failure;
    ftr_lock_take(&rec->locks);
    bool is_first = latched->status == FTR_OK;
    if (is_first) {
        *latched = *failure;
        latched->status = status;
        atomic_store_explicit(&rec->ending.dead_status, status, memory_order_relaxed);
        latched->offset = rec->output.offset;
        if (!failure->message[0])
            snprintf(latched->message, sizeof latched->message,
                     "%.300s: recording stopped at byte %llu: %s",
                     rec->output.path != NULL ? rec->output.path : "sink",
                     (unsigned long long)latched->offset, ftr_status_text(status));
        ftr_recorder_set_valve(rec, ftr_recorder_valve(rec) | FTR_VALVE_FAILED);
    }
    ftr_lock_wake_recording(&rec->locks);
    ftr_lock_release(&rec->locks);
    if (is_first)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%s", latched->message);
}

void ftr_recorder_init_locks(ftr_recorder *rec)
{
    ftr_locks *locks = &rec->locks;
    pthread_condattr_t monotonic;
    pthread_mutex_init(&locks->lock, NULL);
    pthread_mutex_init(&locks->encoding, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&locks->space, &monotonic);
    pthread_cond_init(&locks->work, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

/* Sets what the inline calls may do while a window is set. */
static void set_window_calls(ftr_recorder *rec, uint32_t valve)
{
    ftr_window_front *window = &rec->front.window;
    /* A flight recorder must know of each transaction that begins after the window. */
    const bool is_flight = rec->options.mode == FTR_MODE_FLIGHT;
    const uintptr_t owner = valve == FTR_VALVE_WINDOW && !is_flight ? rec->owner : 0;
    const bool has_stop = window->stop != UINT64_MAX;
    __atomic_store_n(&window->owner, owner, __ATOMIC_RELAXED);
    __atomic_store_n(&window->beginner,
                     valve == 0 ? rec->owner
                     : has_stop ? 0
                                : owner,
                     __ATOMIC_RELAXED);
    const uint64_t first_id = ftr_discarded_ids_watermark(&rec->discarded_ids);
    __atomic_store_n(&window->first_id, first_id, __ATOMIC_RELAXED);
    __atomic_store_n(&window->discard_before, first_id == UINT64_MAX ? window->start : 0,
                     __ATOMIC_RELAXED);
}

void ftr_recorder_set_valve(ftr_recorder *rec, uint32_t valve)
{
    /* the cause of the change was stored before */
    __atomic_store_n(&rec->front.valve, valve, __ATOMIC_RELEASE);
    __atomic_store_n(&rec->front.owner, valve ? 0 : rec->owner, __ATOMIC_RELAXED);
    set_window_calls(rec, valve);
    if (valve & FTR_VALVE_DEAD)
        __atomic_store_n(&rec->front.slots, ftr_ended_slots(), __ATOMIC_RELAXED);
}

void ftr_recorder_change_valve(ftr_recorder *rec, uint32_t removed, uint32_t added)
{
    ftr_lock_take(&rec->locks);
    ftr_recorder_set_valve(rec, (ftr_recorder_valve(rec) & ~removed) | added);
    ftr_lock_release(&rec->locks);
}

void ftr_recorder_set_window(ftr_recorder *rec, uint64_t start, uint64_t stop)
{
    ftr_lock_take(&rec->locks);
    __atomic_store_n(&rec->front.window.start, start, __ATOMIC_RELAXED);
    __atomic_store_n(&rec->front.window.stop, stop, __ATOMIC_RELAXED);
    ftr_recorder_set_valve(rec, ftr_recorder_valve(rec));
    ftr_lock_release(&rec->locks);
}

uint64_t ftr_recorder_filtered(const ftr_recorder *rec)
{
    const ftr_window_front *window = &rec->front.window;
    return atomic_load(&rec->counts.filtered) +
           __atomic_load_n(&window->skipped, __ATOMIC_RELAXED) +
           atomic_load(&rec->counts.discards_allowed) -
           (uint64_t)__atomic_load_n(&window->discards_left, __ATOMIC_RELAXED);
}

void ftr_recorder_allow_discards(ftr_recorder *rec)
{
    ftr_window_front *window = &rec->front.window;
    const uint64_t allowed = (uint64_t)(FTR_DISCARDS_AT_ONCE - window->discards_left);
    atomic_fetch_add(&rec->counts.discards_allowed, allowed);
    __atomic_store_n(&window->discards_left, FTR_DISCARDS_AT_ONCE, __ATOMIC_RELAXED);
}

uint32_t ftr_trace_close_valve(ftr_recorder *rec, bool is_for_signal)
{
    ftr_lock_take(&rec->locks);
    uint32_t valve = ftr_recorder_valve(rec);
    if (is_for_signal && !(valve & FTR_VALVE_CLOSED))
        atomic_store(&rec->ending.is_for_signal, true);
    ftr_recorder_set_valve(rec, valve | FTR_VALVE_CLOSED);
    ftr_lock_wake_recording(&rec->locks);
    ftr_lock_release(&rec->locks);
    return valve;
}

void ftr_recorder_set_phase(ftr_recorder *rec, ftr_flight_phase phase, uint32_t added)
{
    ftr_lock_take(&rec->locks);
    atomic_store(&rec->flight.phase, phase);
    ftr_recorder_set_valve(rec, ftr_recorder_valve(rec) | added);
    ftr_lock_wake_recording(&rec->locks);
    ftr_lock_release(&rec->locks);
}

ftr_status ftr_recorder_dead_status(ftr_recorder *rec, uint32_t valve)
{
    if (valve & FTR_VALVE_FORKED)
        return FTR_ERR_FORKED;
    if (valve & FTR_VALVE_CLOSED) {
        ftr_call_await_signal(&rec->ending.is_for_signal);
        return FTR_ERR_CLOSED;
    }
    atomic_thread_fence(memory_order_acquire); /* the valve was closed after the status was set */
    return (ftr_status)atomic_load_explicit(&rec->ending.dead_status, memory_order_relaxed);
}

/* Takes a lock; may be called in a report callback or a signal handler. Returns false if the lock
 * does not become free within 0.1 s, for example because the calling thread itself holds it. */
static bool take_in_callback(pthread_mutex_t *lock)
{
    bool is_taken = pthread_mutex_trylock(lock) == 0;
    for (int i = 1; i < CALLBACK_TRIES && !is_taken; i++) {
        clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){.tv_nsec = CALLBACK_WAIT_NS}, NULL);
        is_taken = pthread_mutex_trylock(lock) == 0;
    }
    return is_taken;
}

bool ftr_trace_close_in_handler(ftr_recorder *rec)
{
    if (!take_in_callback(&rec->locks.lock))
        return false;
    const uint32_t valve = ftr_recorder_valve(rec);
    const bool is_open = !(valve & FTR_VALVE_DEAD) && ftr_writer_is_scheduled(rec);
    if (is_open) {
        atomic_store(&rec->ending.is_for_signal, true);
        ftr_recorder_set_valve(rec, valve | FTR_VALVE_CLOSED);
    }
    ftr_lock_release(&rec->locks);
    return is_open;
}

bool ftr_locks_take_in_handler(ftr_recorder *rec)
{
    if (!take_in_callback(&rec->locks.encoding))
        return false;
    if (take_in_callback(&rec->locks.lock))
        return true;
    ftr_encoding_release(&rec->locks);
    return false;
}

bool ftr_recorder_copy_failure(ftr_recorder *rec, ftr_failure *failure)
{
    /* In a forked child the lock may still be locked: a thread of the parent may have held it. */
    const bool is_forked = ftr_recorder_dead_valve(rec) & FTR_VALVE_FORKED;
    if (!is_forked && ftr_current_call.kind == FTR_CALL_NONE)
        ftr_lock_take(&rec->locks);
    else if (!is_forked && !take_in_callback(&rec->locks.lock))
        return false;
    *failure = rec->ending.failure;
    if (!is_forked)
        ftr_lock_release(&rec->locks);
    return true;
}

ftr_status ftr_recorder_make_state_room(ftr_recorder *rec, size_t size)
{
    ftr_lock_take(&rec->locks); /* the lock also protects the growth of the journal */
    const ftr_status status = ftr_journal_state_make_room(&rec->journal, size);
    ftr_lock_release(&rec->locks);
    return status;
}

const char *ftr_recorder_name_losses(ftr_recorder *rec, uint32_t *count)
{
    bool renamed;
    ftr_lock_take(&rec->locks);
    *count = rec->definitions.entity_count;
    if (rec->losses_stream == NULL &&
        ftr_stream_names_choose(&rec->definitions.stream_names, FTR_LOSS_STREAM,
                                &rec->losses_stream, &renamed) != FTR_OK)
        rec->losses_stream = NULL;
    const char *name = rec->losses_stream != NULL ? rec->losses_stream : FTR_LOSS_STREAM;
    ftr_lock_release(&rec->locks);
    return name;
}

uint64_t ftr_recorder_now(const ftr_recorder *rec)
{
    if (rec->options.clock != NULL)
        return rec->options.clock(rec->options.clock_user);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

ftr_recorder *ftr_recorder_trace_of(ftr_recorder *rec, ftr_tx tx)
{
    if (FTR_LIKELY((((uint32_t)tx.place ^ rec->open.slot_tag) & ~FTR_SLOT_PLACE) == 0))
        return rec;
    uint32_t count = ftr_recorder_trace_count(rec);
    for (uint32_t i = 1; i < count; i++) {
        if ((((uint32_t)tx.place ^ rec->traces[i]->open.slot_tag) & ~FTR_SLOT_PLACE) == 0)
            return rec->traces[i];
    }
    return rec;
}
