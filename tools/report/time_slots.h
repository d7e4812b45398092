/* Equal slots of simulated time (time slots): time slot i covers the ticks [(first + i) << shift,
 * (first
 * + i + 1) << shift). Unlike the time slots of a time_series (figures/runs/), these are fixed
 * before the transactions are read. */
#ifndef FTR_TIME_SLOTS_H
#define FTR_TIME_SLOTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct ftr_time_slots {
    unsigned shift;
    uint64_t first;
    size_t count; /* 0: no time slots */
} ftr_time_slots;

/* Returns time slots that cover the ticks from @p begin to @p last: the shortest ones of which at
 * most
 * @p count are needed. */
static inline ftr_time_slots ftr_time_slots_of(uint64_t begin, uint64_t last, size_t count)
{
    ftr_time_slots slots = {0};
    if (count == 0 || begin > last)
        return slots;
    while ((last >> slots.shift) - (begin >> slots.shift) >= count)
        slots.shift++;
    slots.first = begin >> slots.shift;
    slots.count = (size_t)((last >> slots.shift) - slots.first) + 1;
    return slots;
}

/* Returns the time slot of a tick. For a tick before or after all time slots, returns the first or
 * the last time slot. */
static inline size_t ftr_time_slot_at(const ftr_time_slots *slots, uint64_t tick)
{
    const uint64_t number = tick >> slots->shift;
    if (number < slots->first)
        return 0;
    return number - slots->first < slots->count ? (size_t)(number - slots->first)
                                                : slots->count - 1;
}

/* Returns the first tick of time slot @p i. */
static inline uint64_t ftr_time_slot_begin(const ftr_time_slots *slots, size_t i)
{
    return (slots->first + i) << slots->shift;
}

/* Returns the last tick of the last time slot. */
static inline uint64_t ftr_time_slot_last(const ftr_time_slots *slots)
{
    return ftr_time_slot_begin(slots, slots->count) - 1; /* if the end is 2^64, wraps to 2^64-1 */
}

/* Divides the ticks [begin, end) among the time slots, and adds the number of ticks in each time
 * slot to the counter of this time slot. @p numbers points to the counter of time slot 0; the
 * counter of the next time slot is
 * @p stride bytes further. */
static inline void ftr_time_slots_spread(const ftr_time_slots *slots, uint64_t begin, uint64_t end,
                                         uint64_t *numbers, size_t stride)
{
    if (begin >= end)
        return;
    const size_t last = ftr_time_slot_at(slots, end - 1);
    size_t i = ftr_time_slot_at(slots, begin);
    char *at = (char *)numbers + i * stride;
    for (; i < last; i++, at += stride) {
        const uint64_t next = ftr_time_slot_begin(slots, i + 1);
        *(uint64_t *)at += next - begin;
        begin = next;
    }
    *(uint64_t *)at += end - begin;
}

/* Like ftr_time_slots_spread(), but faster if all ticks are in time slot @p at. @param at the time
 * slot of the tick @p begin or of an earlier tick */
static inline void ftr_time_slots_spread_from(const ftr_time_slots *slots, size_t at,
                                              uint64_t begin, uint64_t end, uint64_t *numbers,
                                              size_t stride)
{
    if (begin < end && end <= ftr_time_slot_begin(slots, at + 1))
        *(uint64_t *)(void *)((char *)numbers + at * stride) += end - begin;
    else
        ftr_time_slots_spread(slots, begin, end, numbers, stride);
}

#endif
