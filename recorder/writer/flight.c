/* The trigger of a flight recorder. This file decides when the ring is written. ring_blocks.c
 * evicts blocks from the ring; drain.c and segments.c write the ring. */
#include "flight.h"

#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "drain.h"
#include "growing_array.h"
#include "segments.h"

/* Maximum number of attempts to copy a slot that its thread changes at the same time. */
#define TRIES 8

ftr_status ftr_flight_init(ftr_recorder *rec)
{
    const ftr_recorder_options *options = &rec->options;
    if (options->mode != FTR_MODE_FLIGHT)
        return FTR_OK;
    if (options->flight_after != NULL &&
        !ftr_time_parse(options->flight_after, &rec->flight.after, NULL)) {
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR,
                            "cannot record: flight_after is not a time such as \"10 us\"");
        return FTR_ERR_ARGUMENT;
    }
    rec->flight.phase = FTR_FLIGHT_ARMED;
    return FTR_OK;
}

/* ---- triggering ------------------------------------------------------------------------------ */

void ftr_flight_trigger(ftr_recorder *rec)
{
    atomic_store_explicit(&rec->flight.is_triggered, true, memory_order_release);
    for (uint32_t i = 0; i < ftr_recorder_trace_count(rec); i++)
        ftr_rings_trigger(rec->traces[i]);
}

/* Continues to record transactions that begin within the configured time after the trigger. */
static void go_on(ftr_recorder *rec)
{
    int scale = rec->options.time_scale == FTR_TIME_SCALE_SECOND ? 0 : rec->options.time_scale;
    uint64_t after = ftr_time_ticks(&rec->flight.after, scale);
    uint64_t latest = ftr_lanes_latest(rec);
    uint64_t stop = after < UINT64_MAX - latest ? latest + after : UINT64_MAX;
    if (stop < ftr_recorder_stop(rec))
        ftr_recorder_set_window(rec, ftr_recorder_start(rec), stop);
    ftr_recorder_set_phase(rec, FTR_FLIGHT_POST_TRIGGER, FTR_VALVE_WINDOW);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* An acquire fence, which orders the reads before it and the reads after it. ThreadSanitizer does
 * not support fences. */
#ifdef FTR_THREAD_SANITIZER
#define READ_FENCE() atomic_signal_fence(memory_order_acquire)
#else
#define READ_FENCE() atomic_thread_fence(memory_order_acquire)
#endif

/* Copies an open transaction while its thread may still change it. If the transaction changed
 * during the copy, copies it again, at most TRIES times. Returns false if there is no transaction
 * or no valid copy. ThreadSanitizer would report these reads. @p items grows on demand. */
__attribute__((no_sanitize("thread"))) static bool copy_open(const ftr_slot *slot, ftr_slot *copy,
                                                             uint8_t **items, size_t *capacity)
{
    for (int i = 0; i < TRIES; i++) {
        uint64_t id = __atomic_load_n(&slot->id, __ATOMIC_ACQUIRE);
        uint32_t fill = __atomic_load_n(&slot->fill, __ATOMIC_ACQUIRE);
        const uint8_t *from = slot->items;
        if (id == FTR_SLOT_FREE)
            return false;
        if (!ftr_array_grow(items, capacity, fill, 1))
            return false;
        *copy = (ftr_slot){.id = id,
                           .begin = slot->begin,
                           .fill = fill,
                           .generator = slot->generator,
                           .if_unfinished = slot->if_unfinished,
                           .items = *items};
        for (uint32_t at = 0; at < fill; at++)
            (*items)[at] = *(const volatile uint8_t *)(from + at);
        READ_FENCE();
        if (__atomic_load_n(&slot->id, __ATOMIC_RELAXED) == id &&
            __atomic_load_n(&slot->fill, __ATOMIC_RELAXED) == fill && slot->items == from)
            return true;
    }
    return false;
}

static void write_open(ftr_recorder *rec)
{
    uint8_t *items = NULL;
    size_t capacity = 0;
    uint64_t latest = ftr_lanes_latest(rec);
    if (latest < rec->encoder.latest)
        latest = rec->encoder.latest;
    uint32_t count = atomic_load(&rec->open.slot_count);
    for (uint32_t i = 0; i < count; i++) {
        ftr_slot copy;
        if (copy_open(ftr_open_slot(&rec->open, i), &copy, &items, &capacity) &&
            !ftr_pending_relations_has_in_file(&rec->encoder.pending_relations, copy.id) &&
            ftr_segments_take_open(rec, &copy, copy.begin > latest ? copy.begin : latest, true))
            rec->unfinished++;
    }
    free(items);
}

/* Writes the content of the ring and the open transactions, and ends the file. @p put_end: a
 * function that records the end of the run before the file ends; NULL: the run continues */
static void write_file(ftr_recorder *rec, void (*put_end)(ftr_recorder *rec))
{
    ftr_recorder_set_phase(rec, FTR_FLIGHT_WRITING, 0);
    ftr_segments_start_file(rec);
    ftr_rings_trigger(rec);
    ftr_drain_lanes(rec, FTR_DRAIN_ALL);
    if (put_end != NULL)
        put_end(rec);
    write_open(rec);
    ftr_segments_end(rec);
    ftr_recorder_set_phase(rec, FTR_FLIGHT_DONE, FTR_VALVE_OFF);
}

void ftr_flight_update(ftr_recorder *rec)
{
    const ftr_flight *flight = &rec->flight;
    bool is_triggered = atomic_load_explicit(&flight->is_triggered, memory_order_acquire);
    if (!ftr_flight_is_holding(flight) || !is_triggered)
        return;
    if (atomic_load(&flight->phase) == FTR_FLIGHT_ARMED && flight->after.mantissa > 0)
        go_on(rec);
    else if (atomic_load(&flight->phase) == FTR_FLIGHT_ARMED ||
             atomic_load_explicit(&flight->has_passed, memory_order_relaxed))
        write_file(rec, NULL);
}

void ftr_flight_end(ftr_recorder *rec, void (*put_end)(ftr_recorder *rec))
{
    if (ftr_flight_is_holding(&rec->flight) &&
        (atomic_load(&rec->flight.is_triggered) || atomic_load(&rec->ending.run_has_failed)))
        write_file(rec, put_end);
}
