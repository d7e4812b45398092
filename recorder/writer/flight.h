/* The flight recorder: the blocks are a ring that holds the newest transactions, and become a file
 * when something makes that worth while. */
#ifndef FTR_FLIGHT_H
#define FTR_FLIGHT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <ftr/recorder.h>

#include "simulated_time.h"

typedef enum ftr_flight_state {
    FTR_FLIGHT_NONE,         /* it is no flight recorder */
    FTR_FLIGHT_ARMED,        /* the ring turns */
    FTR_FLIGHT_POST_TRIGGER, /* it was triggered, and turns until a time of the simulation */
    FTR_FLIGHT_WRITING,      /* what is in it goes to the file */
    FTR_FLIGHT_DONE          /* the file is complete */
} ftr_flight_state;

typedef struct ftr_flight {
    _Atomic ftr_flight_state state; /* changed under `lock` */
    _Atomic bool is_triggered;      /* somebody has triggered it */
    _Atomic bool has_passed;        /* something began after the time at which it stops */
    ftr_simulated_time after;
} ftr_flight;

/* Makes a flight recorder if the options ask for one. */
FTR_MUST_USE ftr_status ftr_flight_init(ftr_recorder *rec);

/* Whether records stay in the ring. Writes the file when it is time for that. The caller holds
 * `encoding`.
 */
bool ftr_flight_holds(ftr_recorder *rec);

/* Whether the ring turns: blocks are taken from its oldest, instead of waited for. */
static inline bool ftr_flight_is_holding(const ftr_flight *flight)
{
    ftr_flight_state state = atomic_load_explicit(&flight->state, memory_order_relaxed);
    return state == FTR_FLIGHT_ARMED || state == FTR_FLIGHT_POST_TRIGGER;
}

/* Triggers it, and all rings of the recorder's buffers; safe in a signal handler. The writer
 * threads notice. */
void ftr_flight_trigger(ftr_recorder *rec);

/* The recorder closes: writes the file if the run has failed. The caller holds `encoding`. */
void ftr_flight_end(ftr_recorder *rec);

#endif
