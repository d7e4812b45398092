/* The clock of a CTF or babeltrace trace that was made from an FTR file: converts ticks to
 * cycles. */
#ifndef FTR_EVENT_CLOCK_H
#define FTR_EVENT_CLOCK_H

#include <ftr/reader.h>

typedef struct ftr_event_clock {
    uint64_t frequency; /* cycles per second */
    uint64_t factor;    /* cycles per tick; more than 1 only for ticks longer than a second */
    int64_t offset_seconds;
    uint64_t offset_cycles; /* less than the frequency */
} ftr_event_clock;

#define FTR_EVENT_CLOCK_NAME "simulated_time"
#define FTR_EVENT_CLOCK_DESCRIPTION "a cycle is a tick of the FTR file"

/* Initialises the clock for a file. @p offset_s and @p offset_ns are added to its times.
 * @return false if the time scale or the offset is out of range, or if @p offset_ns is not a whole
 *         number of ticks; *why is then the reason, a static text */
bool ftr_event_clock_of(const ftr_summary *summary, int64_t offset_s, int64_t offset_ns,
                        ftr_event_clock *clock, const char **why);

/* Returns the tick that contains @p ns nanoseconds since 1970; 0 for times before tick 0,
 * UINT64_MAX if the cycles exceed 64 bits. */
uint64_t ftr_event_clock_ticks(const ftr_event_clock *clock, int64_t ns);

#endif
