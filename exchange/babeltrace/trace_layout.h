/* An FTR file as babeltrace's trace IR has it: its classes, and how a transaction fills an event.
 */
#ifndef FTR_TRACE_LAYOUT_H
#define FTR_TRACE_LAYOUT_H

#include <babeltrace2/babeltrace.h>
#include <ftr/reader.h>

typedef enum ftr_layout_event {
    FTR_LAYOUT_BEGIN,
    FTR_LAYOUT_END,
    FTR_LAYOUT_INSTANT
} ftr_layout_event;
#define FTR_LAYOUT_EVENTS 3

/* Attributes are held by what their values are: CTF names its fields in metadata, which names of
 * attributes are not fit for, and 2.0.4 cannot write a variant within a sequence. */
typedef enum ftr_layout_array {
    FTR_LAYOUT_BOOLEANS,
    FTR_LAYOUT_INTEGERS,
    FTR_LAYOUT_UNSIGNEDS,
    FTR_LAYOUT_REALS,
    FTR_LAYOUT_TEXTS
} ftr_layout_array;
#define FTR_LAYOUT_ARRAYS 5

/* How the ticks of a file become cycles of its clock. */
typedef struct ftr_layout_clock {
    uint64_t frequency; /* cycles a second */
    uint64_t factor;    /* cycles a tick: more than 1 only for ticks longer than a second */
    int64_t offset_seconds;
    uint64_t offset_cycles; /* less than the frequency */
} ftr_layout_clock;

/* What a clock shall say. @return false when no clock can: a time scale or an offset out of range,
 * or nanoseconds that are no whole number of ticks; *why says so */
bool ftr_layout_clock_of(const ftr_summary *summary, int64_t offset_s, int64_t offset_ns,
                         ftr_layout_clock *clock, const char **why);

typedef struct ftr_layout {
    bt_trace_class *trace_class;
    bt_clock_class *clock_class;
    bt_stream_class *transactions, *relations;
    /* By which arrays its events have, a bit for each; NULL until the first one. */
    bt_event_class *events[FTR_LAYOUT_EVENTS][1 << FTR_LAYOUT_ARRAYS];
    bt_event_class *relation;
    ftr_attribute_value *sorted[FTR_LAYOUT_ARRAYS]; /* of the event that is being made */
    size_t counts[FTR_LAYOUT_ARRAYS], capacities[FTR_LAYOUT_ARRAYS];
} ftr_layout;

/* @return false without memory */
bool ftr_layout_create(ftr_layout *layout, bt_self_component *component,
                       const ftr_layout_clock *clock);
void ftr_layout_destroy(ftr_layout *layout);

/* Takes the attributes of @p tx that are for an event of @p kind.
 * @return the class that such an event is of, NULL without memory */
const bt_event_class *ftr_layout_collect(ftr_layout *layout, ftr_layout_event kind,
                                         ftr_reader *reader, ftr_transaction *tx);
/* Fills the payload of an event with what was taken. @return false without memory */
bool ftr_layout_fill(const ftr_layout *layout, const ftr_transaction *tx, bt_event *event);
bool ftr_layout_fill_relation(const ftr_relation_info *relation, bt_event *event);

/* Fills the context of a packet of @p stream. */
bool ftr_layout_fill_context(const ftr_stream_info *stream, bt_packet *packet);

#endif
