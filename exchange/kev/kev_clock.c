/* The upper half of times. The kernel writes a CONTROL TIME event at each rollover of the low half
 * and at the start of each of its buffers. Therefore the upper half of the times after such an
 * event is known, even if no other event is recorded for a long time. There are three exceptions:
 * - A record is late: it follows a record of another CPU that has a later time, by less than LATE
 *   cycles.
 * - A record is early: its time is after a rollover, but it precedes the CONTROL TIME event of this
 *   rollover.
 * - The log has no CONTROL TIME event for a rollover, for example because such events were filtered
 *   out. The records of a CPU are in order, so a lower low half shows a rollover. */
#include "kev_clock.h"

#define PERIOD (UINT64_C(1) << 32)
#define LATE (UINT64_C(1) << 28)
/* At the end of the log, a record is regarded as late only if it is late by less than this number
 * of cycles. */
#define LATE_AT_END (UINT64_C(1) << 20)
/* At most this number of records are late one after the other. */
#define LATE_RECORDS 64

static uint64_t with_upper_half_of(uint64_t time, uint32_t stamp)
{
    return (time & ~(PERIOD - 1)) | stamp;
}

static uint64_t told_by(const uint32_t *words)
{
    return (uint64_t)words[0] << 32 | words[1];
}

uint64_t ftr_kev_time_event(const uint32_t *words, uint32_t stamp)
{
    const uint64_t told = told_by(words);
    const uint64_t time = told + (uint64_t)(int64_t)(int32_t)(stamp - words[1]);
    const bool has_wrapped = (int32_t)(stamp - words[1]) >= 0 ? time < told : time > told;
    return has_wrapped ? told : time;
}

static void set_base(ftr_kev_clock *clock, unsigned cpu, uint64_t time, bool announced)
{
    clock->base = time;
    clock->latest = time;
    clock->period++;
    clock->cpus[cpu].latest = time;
    clock->cpus[cpu].period = clock->period;
    clock->known = true;
    clock->announced = announced;
    clock->ahead = false;
}

void ftr_kev_clock_begin(ftr_kev_clock *clock, const uint32_t *words, uint32_t stamp)
{
    set_base(clock, 0, ftr_kev_time_event(words, stamp), true);
    clock->ahead = true;
}

uint64_t ftr_kev_clock_set(ftr_kev_clock *clock, unsigned cpu, const uint32_t *words,
                           uint32_t stamp)
{
    set_base(clock, cpu, told_by(words), true);
    return ftr_kev_time_event(words, stamp);
}

/* Returns the time of a record that precedes the first CONTROL TIME event. It is the last time with
 * the low half @p stamp that is not much later than the time of this event. */
static uint64_t time_before(uint64_t first, uint32_t stamp)
{
    const uint64_t limit = first <= UINT64_MAX - LATE ? first + LATE - 1 : UINT64_MAX;
    const uint64_t time = with_upper_half_of(limit, stamp);
    return time > limit && time >= PERIOD ? time - PERIOD : time;
}

/* Returns true if a record is late. A record with the same low half can also be the first record
 * after a long time, shortly before the next rollover. If the record is late, the following records
 * continue at `latest`.
 * @param time the time of the record if it is not late */
static bool is_followed_as_late(const ftr_kev_clock *clock, uint64_t time, ftr_kev_look_ahead *look,
                                void *user)
{
    ftr_kev_later later;
    ftr_status status = FTR_OK;
    for (size_t i = 0; i < LATE_RECORDS && (status = look(user, &later)) == FTR_OK; i++) {
        if (later.is_time)
            return later.time + LATE <= time;
        const uint64_t other = with_upper_half_of(time, later.stamp);
        /* the other record is late, too, or soon after this record */
        const bool is_close = other + LATE > time;
        /* the time is before the base, or after the rollover */
        const bool is_early = other < clock->base;
        if (!is_close && !is_early)
            return true;
    }
    return status == FTR_ERR_END && clock->latest - (time - PERIOD) < LATE_AT_END;
}

static bool is_late(const ftr_kev_clock *clock, uint64_t time, ftr_kev_look_ahead *look, void *user)
{
    return time >= PERIOD && time > clock->latest && clock->latest - (time - PERIOD) < LATE &&
           is_followed_as_late(clock, time, look, user);
}

/* Returns true if the order of the records shows a rollover that no CONTROL TIME event has
 * announced. @param time the time that the record has if there was no such rollover */
static bool has_rolled_over(const ftr_kev_clock *clock, unsigned cpu, uint64_t time)
{
    const bool has_own = clock->cpus[cpu].period == clock->period;
    return (has_own && clock->cpus[cpu].latest > time + LATE) ||
           (!clock->announced && clock->latest > time + LATE);
}

static void note(ftr_kev_clock *clock, unsigned cpu, uint64_t time)
{
    if (clock->cpus[cpu].period != clock->period || clock->cpus[cpu].latest < time)
        clock->cpus[cpu].latest = time;
    clock->cpus[cpu].period = clock->period;
    if (clock->latest < time)
        clock->latest = time;
}

uint64_t ftr_kev_clock_time(ftr_kev_clock *clock, unsigned cpu, uint32_t stamp,
                            ftr_kev_look_ahead *look, void *user)
{
    if (clock->ahead)
        return time_before(clock->base, stamp);
    if (!clock->known)
        set_base(clock, cpu, stamp, false);
    const uint64_t time = with_upper_half_of(clock->base, stamp);
    if (is_late(clock, time, look, user))
        return time - PERIOD;
    const bool has_next = time <= UINT64_MAX - PERIOD;
    if (has_next && clock->latest > time && clock->latest - time > PERIOD - LATE) {
        note(clock, cpu, time + PERIOD); /* early: soon after `latest` */
        return time + PERIOD;
    }
    if (has_next && has_rolled_over(clock, cpu, time)) {
        set_base(clock, cpu, time + PERIOD, clock->announced);
        return time + PERIOD;
    }
    note(clock, cpu, time);
    return time;
}
