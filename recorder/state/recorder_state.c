/* The state that all parts of a recorder share: the gate, the latched failure, messages, the clock.
 */
#define _GNU_SOURCE
#include "recorder_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "ended_slots.h"

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
    pthread_mutex_lock(&rec->lock);
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
        ftr_recorder_set_gate(rec, ftr_recorder_gate(rec) | FTR_GATE_FAILED);
    }
    pthread_cond_broadcast(&rec->lanes.space);
    pthread_mutex_unlock(&rec->lock);
    if (is_first)
        ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "%s", latched->message);
}

void ftr_recorder_set_gate(ftr_recorder *rec, uint32_t gate)
{
    __atomic_store_n(&rec->front.gate, gate, __ATOMIC_RELEASE); /* after its cause was stored */
    __atomic_store_n(&rec->front.owner, gate ? 0 : rec->owner, __ATOMIC_RELAXED);
    if (gate & FTR_GATE_DEAD)
        __atomic_store_n(&rec->front.slots, ftr_ended_slots(), __ATOMIC_RELAXED);
}

ftr_status ftr_recorder_dead_status(ftr_recorder *rec, uint32_t gate)
{
    if (gate & FTR_GATE_FORKED)
        return FTR_ERR_FORKED;
    if (gate & FTR_GATE_CLOSED) {
        ftr_call_await_signal(&rec->ending.is_for_signal);
        return FTR_ERR_CLOSED;
    }
    atomic_thread_fence(memory_order_acquire); /* the gate was closed after the status was set */
    return (ftr_status)atomic_load_explicit(&rec->ending.dead_status, memory_order_relaxed);
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
