/* The time scale and the epoch of the file that sink.ftr.file writes. */
#include "sink_clock.h"

#include "time_text.h"

#include <string.h>

__extension__ typedef __int128 wide;

/* Viewers count femtoseconds in 63 bits, so the latest time is 9223 s. If the first time of a trace
 * is 9000 s or more (for example, because its clock is the uptime of a machine), tick 0 is the
 * start of the second that contains this first time, and not the origin of the clock. */
#define FAR_SECONDS 9000
#define FINEST (-15)
#define NANOSECONDS UINT64_C(1000000000)

bool ftr_sink_scale_of(const char *unit, int *scale)
{
    return ftr_time_unit(unit, strlen(unit), scale);
}

/* If the frequency is a power of ten, returns the scale at which one cycle is one tick. Otherwise,
 * returns nanoseconds, or picoseconds for more than 1 GHz. */
static int scale_of_frequency(uint64_t frequency)
{
    uint64_t power = 1;
    for (int scale = 0; scale >= FINEST; scale--, power *= 10)
        if (power == frequency)
            return scale;
    return frequency > NANOSECONDS ? -12 : -9;
}

void ftr_sink_clock_note(ftr_sink_clock *clock, const bt_clock_class *class_)
{
    const uint64_t frequency = class_ != NULL ? bt_clock_class_get_frequency(class_) : 0;
    if (frequency > clock->finest)
        clock->finest = frequency;
}

void ftr_sink_clock_begin(ftr_sink_clock *clock, const bt_clock_snapshot *first)
{
    const bt_clock_class *class_ =
        first != NULL ? bt_clock_snapshot_borrow_clock_class_const(first) : NULL;
    ftr_sink_clock_note(clock, class_);
    if (clock->scale == FTR_SINK_SCALE_AUTO)
        clock->scale = scale_of_frequency(clock->finest > 0 ? clock->finest : NANOSECONDS);
    clock->second = 1;
    for (int scale = clock->scale; scale < 0; scale++)
        clock->second *= 10;
    if (class_ == NULL)
        return;
    uint64_t offset_cycles;
    const uint64_t frequency = bt_clock_class_get_frequency(class_);
    bt_clock_class_get_offset(class_, &clock->epoch, &offset_cycles);
    const uint64_t value = bt_clock_snapshot_get_value(first);
    if (value / frequency >= FAR_SECONDS)
        clock->epoch += (int64_t)(((wide)offset_cycles + value) / frequency);
}

uint64_t ftr_sink_ticks(ftr_sink_clock *clock, const bt_clock_snapshot *time)
{
    const bt_clock_class *class_ = bt_clock_snapshot_borrow_clock_class_const(time);
    const uint64_t frequency = bt_clock_class_get_frequency(class_);
    int64_t offset_seconds;
    uint64_t offset_cycles;
    bt_clock_class_get_offset(class_, &offset_seconds, &offset_cycles);
    const wide cycles = ((wide)offset_seconds - clock->epoch) * frequency + offset_cycles +
                        bt_clock_snapshot_get_value(time);
    if (cycles < 0) {
        clock->wrong++;
        return 0;
    }
    const wide part = cycles % frequency * clock->second;
    clock->inexact += part % frequency != 0;
    const wide ticks = cycles / frequency * clock->second + part / frequency;
    if (ticks <= UINT64_MAX)
        return (uint64_t)ticks;
    clock->wrong++;
    return UINT64_MAX;
}
