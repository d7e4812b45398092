/* The state of a flight recorder. The ring of a flight recorder holds the newest transactions.
 * After a trigger, these transactions are written to a file. */
#ifndef FTR_FLIGHT_STATE_H
#define FTR_FLIGHT_STATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "time_text.h"

typedef enum ftr_flight_phase {
    FTR_FLIGHT_NONE,         /* the recorder is not a flight recorder */
    FTR_FLIGHT_ARMED,        /* the ring holds the newest transactions */
    FTR_FLIGHT_POST_TRIGGER, /* triggered, but recording continues until a simulated time */
    FTR_FLIGHT_WRITING,      /* the content of the ring is written to the file */
    FTR_FLIGHT_DONE          /* the file is complete */
} ftr_flight_phase;

typedef struct ftr_flight {
    _Atomic ftr_flight_phase phase; /* changed under `lock` */
    _Atomic bool is_triggered;
    _Atomic bool has_passed; /* a transaction began after the time at which recording stops */
    ftr_time_value after; /* ftr_recorder_options.flight_after; 0: recording stops at the trigger */
} ftr_flight;

/* Returns whether the ring holds the transactions: full blocks are evicted, and nothing is drained.
 */
static inline bool ftr_flight_is_holding(const ftr_flight *flight)
{
    ftr_flight_phase phase = atomic_load_explicit(&flight->phase, memory_order_relaxed);
    return phase == FTR_FLIGHT_ARMED || phase == FTR_FLIGHT_POST_TRIGGER;
}

#endif
