/* Owns the conversion of the ticks of a file to cycles of a clock. */
#include "event_clock.h"

/* Larger offsets exceed 64 bits in nanoseconds. */
#define OFFSET_SECONDS_MAX INT64_C(9000000000)
#define NANOSECONDS UINT64_C(1000000000)

static bool add_nanoseconds(ftr_event_clock *clock, int64_t offset_ns)
{
    int64_t seconds = offset_ns / (int64_t)NANOSECONDS;
    int64_t rest = offset_ns % (int64_t)NANOSECONDS;
    if (rest < 0) {
        rest += (int64_t)NANOSECONDS;
        seconds--;
    }
    clock->offset_seconds += seconds;
    /* both numbers are powers of ten, so the division is exact */
    if (clock->frequency >= NANOSECONDS) {
        clock->offset_cycles = (uint64_t)rest * (clock->frequency / NANOSECONDS);
        return true;
    }
    const uint64_t nanoseconds_a_cycle = NANOSECONDS / clock->frequency;
    clock->offset_cycles = (uint64_t)rest / nanoseconds_a_cycle;
    return (uint64_t)rest % nanoseconds_a_cycle == 0;
}

bool ftr_event_clock_of(const ftr_summary *summary, int64_t offset_s, int64_t offset_ns,
                        ftr_event_clock *clock, const char **why)
{
    *clock = (ftr_event_clock){.frequency = 1, .factor = 1};
    if (summary->time_scale < -18 || summary->time_scale > 9) {
        *why = "its time scale cannot be the frequency of a clock";
        return false;
    }
    for (int scale = summary->time_scale; scale < 0; scale++)
        clock->frequency *= 10;
    for (int scale = summary->time_scale; scale > 0; scale--)
        clock->factor *= 10;
    const int64_t epoch = summary->epoch_seconds;
    if (epoch < -OFFSET_SECONDS_MAX / 2 || epoch > OFFSET_SECONDS_MAX / 2 ||
        offset_s < -OFFSET_SECONDS_MAX / 2 || offset_s > OFFSET_SECONDS_MAX / 2) {
        *why = "the offset of its clock exceeds 64 bits of nanoseconds";
        return false;
    }
    clock->offset_seconds = epoch + offset_s;
    if (!add_nanoseconds(clock, offset_ns)) {
        *why = "the offset in nanoseconds is not a whole number of ticks";
        return false;
    }
    return true;
}

uint64_t ftr_event_clock_ticks(const ftr_event_clock *clock, int64_t ns)
{
    __extension__ typedef __int128 wide;
    const wide since = (wide)ns - (wide)clock->offset_seconds * (int64_t)NANOSECONDS;
    const wide cycles = since * clock->frequency / (int64_t)NANOSECONDS - clock->offset_cycles;
    if (since < 0 || cycles < 0)
        return 0;
    const wide ticks = cycles / clock->factor;
    return ticks < UINT64_MAX ? (uint64_t)ticks : UINT64_MAX;
}
