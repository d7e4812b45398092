/* Clock classes of babeltrace in ticks of one FTR file. */
#ifndef FTR_SINK_CLOCK_H
#define FTR_SINK_CLOCK_H

#include <babeltrace2/babeltrace.h>

#include <stdbool.h>
#include <stdint.h>

#define FTR_SINK_SCALE_AUTO 1

typedef struct ftr_sink_clock {
    uint64_t finest;         /* greatest frequency of the clocks that are known before the choice */
    int scale;               /* a tick is 10^scale seconds; FTR_SINK_SCALE_AUTO before the choice */
    uint64_t second;         /* ticks */
    int64_t epoch;           /* of tick 0, seconds from the origin of the clock classes */
    uint64_t inexact, wrong; /* times that were rounded; before tick 0, or past 64 bits of ticks */
} ftr_sink_clock;

/* "ns" and the like. @return false for another text */
bool ftr_sink_scale_of(const char *unit, int *scale);

/* Takes a clock class into account; NULL: there is none. */
void ftr_sink_clock_note(ftr_sink_clock *clock, const bt_clock_class *class_);
/* Chooses the tick, unless it is given, and tick 0, by the first time of a trace; NULL: it has no
 * clock. */
void ftr_sink_clock_begin(ftr_sink_clock *clock, const bt_clock_snapshot *first);
/* Rounded down. */
uint64_t ftr_sink_ticks(ftr_sink_clock *clock, const bt_clock_snapshot *time);

#endif
