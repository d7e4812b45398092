/* Chooses the event for each attribute, names events and arrays, and computes the clock.
 * docs/exchange.md describes the layout. */
#include "event_layout.h"

#include "growing_array.h"

#include <stdlib.h>

const char *const ftr_event_names[FTR_TIMELINE_EVENT_KINDS] = {"tx_begin", "tx_end", "tx_instant"};
const char *const ftr_event_array_names[FTR_EVENT_ARRAYS] = {"booleans", "integers", "unsigneds",
                                                             "reals", "texts"};
const char *const ftr_event_class_labels[FTR_EVENT_CLASSES] = {"AT_BEGIN", "RECORDED", "AT_END"};
const char *const ftr_event_boolean_labels[2] = {"no", "yes"};

static ftr_event_array array_of(const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        return FTR_EVENT_BOOLEANS;
    case FTR_FORM_INTEGER:
        return FTR_EVENT_INTEGERS;
    case FTR_FORM_NUMBER:
        return attribute->type == FTR_TYPE_INTEGER && attribute->as.number <= INT64_MAX
                   ? FTR_EVENT_INTEGERS
                   : FTR_EVENT_UNSIGNEDS;
    case FTR_FORM_REAL:
        return FTR_EVENT_REALS;
    default:
        /* an attribute without a value is stored as an empty text of type NONE */
        return FTR_EVENT_TEXTS;
    }
}

static bool keep(ftr_event_attributes *attributes, ftr_event_array array,
                 const ftr_attribute_value *attribute)
{
    if (!ftr_array_grow(&attributes->sorted[array], &attributes->capacities[array],
                        attributes->counts[array], sizeof *attribute))
        return false;
    attributes->sorted[array][attributes->counts[array]++] = *attribute;
    attributes->shape |= 1U << array;
    return true;
}

bool ftr_event_collect(ftr_event_attributes *attributes, ftr_reader *reader,
                       ftr_timeline_event_kind kind, ftr_transaction *tx)
{
    ftr_attribute_value attribute;
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++)
        attributes->counts[array] = 0;
    attributes->shape = 0;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        const bool at_begin = attribute.class_ == FTR_CLASS_BEGIN;
        if (kind != FTR_TIMELINE_INSTANT && at_begin != (kind == FTR_TIMELINE_BEGIN))
            continue;
        if (!keep(attributes, array_of(&attribute), &attribute))
            return false;
    }
    return true;
}

void ftr_event_attributes_free(ftr_event_attributes *attributes)
{
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++)
        free(attributes->sorted[array]);
    *attributes = (ftr_event_attributes){0};
}

/* A larger offset in nanoseconds would exceed 64 bits. */
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

bool ftr_event_clock_of(const ftr_file_info *info, int64_t offset_s, int64_t offset_ns,
                        ftr_event_clock *clock, const char **why)
{
    *clock = (ftr_event_clock){.frequency = 1, .factor = 1};
    if (info->time_scale < -18 || info->time_scale > 9) {
        *why = "its time scale cannot be the frequency of a clock";
        return false;
    }
    for (int scale = info->time_scale; scale < 0; scale++)
        clock->frequency *= 10;
    for (int scale = info->time_scale; scale > 0; scale--)
        clock->factor *= 10;
    const int64_t epoch = info->epoch_seconds;
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
