/* An FTR file as babeltrace's trace IR has it: its classes, and how a transaction fills an event.
 */
#ifndef FTR_TRACE_LAYOUT_H
#define FTR_TRACE_LAYOUT_H

#include "event_clock.h"
#include "event_layout.h"

#include <babeltrace2/babeltrace.h>

typedef struct ftr_layout {
    bt_trace_class *trace_class;
    bt_clock_class *clock_class;
    bt_stream_class *transactions, *relations;
    bt_event_class *events[FTR_TIMELINE_EVENT_KINDS][FTR_EVENT_SHAPES]; /* NULL: none yet */
    bt_event_class *relation;
    ftr_event_attributes attributes; /* of the event that is being made */
} ftr_layout;

/* @return false without memory */
bool ftr_layout_create(ftr_layout *layout, bt_self_component *component,
                       const ftr_event_clock *clock);
void ftr_layout_destroy(ftr_layout *layout);

/* Takes the attributes that are for @p event.
 * @return the class that such an event is of, NULL without memory */
const bt_event_class *ftr_layout_take(ftr_layout *layout, ftr_reader *reader,
                                      const ftr_timeline_event *event);
/* Fills the payload of an event with what was taken. @return false without memory */
bool ftr_layout_fill(const ftr_layout *layout, const ftr_transaction *tx, bt_event *event);
bool ftr_layout_fill_relation(const ftr_relation_info *relation, bt_event *event);

/* Nanoseconds since 1970 of a tick, as babeltrace calculates them. @return false past 64 bits */
bool ftr_layout_ns(const ftr_event_clock *clock, uint64_t ticks, int64_t *ns);

/* Fills the context of a packet of @p stream. */
bool ftr_layout_fill_context(const ftr_stream_info *stream, bt_packet *packet);

#endif
