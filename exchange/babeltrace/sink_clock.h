/* Converts clock snapshots of babeltrace to ticks of one FTR file. */
#ifndef FTR_SINK_CLOCK_H
#define FTR_SINK_CLOCK_H

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

#define FTR_SINK_SCALE_AUTO 1

typedef struct ftr_sink_clock {
    /* greatest frequency (Hz) of the clocks that are known before the scale is chosen */
    uint64_t finest;
    /* a tick is 10^scale seconds; FTR_SINK_SCALE_AUTO before it is chosen */
    int scale;
    uint64_t second; /* ticks per second */
    int64_t epoch;   /* time of tick 0, in seconds from the origin of the clock classes */
    /* `inexact`: how many clock snapshots were rounded; `wrong`: how many are before tick 0 or
     * exceed 64 bits of ticks */
    uint64_t inexact, wrong;
} ftr_sink_clock;

/* Parses a unit, for example "ns". @return false for any other text */
bool ftr_sink_scale_of(const char *unit, int *scale);

/* Raises `finest` to the frequency of a clock class if this is higher. ftr_sink_clock_begin()
 * chooses the scale from `finest`. NULL is ignored. */
void ftr_sink_clock_note(ftr_sink_clock *clock, const bt_clock_class *class_);
/* Chooses the epoch from the first time of a trace, and the scale if it is FTR_SINK_SCALE_AUTO.
 * NULL: the trace has no clock. */
void ftr_sink_clock_begin(ftr_sink_clock *clock, const bt_clock_snapshot *first);
/* Converts a time to ticks, rounded down. A time before tick 0 becomes 0, and a time beyond 64 bits
 * of ticks becomes UINT64_MAX; both are counted in `wrong`. */
uint64_t ftr_sink_ticks(ftr_sink_clock *clock, const bt_clock_snapshot *time);

#endif
