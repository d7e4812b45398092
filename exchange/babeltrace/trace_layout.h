/* The layout of an FTR file in babeltrace's trace IR (its in-memory form of a trace): the classes,
 * and the fields of events. */
#ifndef FTR_TRACE_LAYOUT_H
#define FTR_TRACE_LAYOUT_H

#include "event_layout.h"

#include <babeltrace2/babeltrace.h>

typedef struct ftr_layout {
    bt_trace_class *trace_class;
    bt_clock_class *clock_class;
    bt_stream_class *transactions, *relations;
    bt_event_class *events[FTR_TIMELINE_EVENT_KINDS][FTR_EVENT_SHAPES]; /* NULL: not created yet */
    bt_event_class *relation;
    ftr_event_attributes attributes; /* attributes of the current event */
} ftr_layout;

/* @return false if out of memory */
bool ftr_layout_create(ftr_layout *layout, bt_self_component *component,
                       const ftr_event_clock *clock);
void ftr_layout_destroy(ftr_layout *layout);

/* Collects the attributes of @p event for the next ftr_layout_fill().
 * @return the class of the event, NULL if out of memory */
const bt_event_class *ftr_layout_class_of(ftr_layout *layout, ftr_reader *reader,
                                          const ftr_timeline_event *event);
/* Fills the payload of an event with the collected attributes. @return false if out of memory */
bool ftr_layout_fill(const ftr_layout *layout, const ftr_transaction *tx, bt_event *event);
bool ftr_layout_fill_relation(const ftr_relation_info *relation, bt_event *event);

/* Converts a tick to nanoseconds since 1970, with the same rounding as babeltrace. @return false if
 * the result exceeds 64 bits */
bool ftr_layout_ns(const ftr_event_clock *clock, uint64_t ticks, int64_t *ns);

/* Fills the context of a packet of @p stream; NULL: a packet of relations. @return false if out of
 * memory */
bool ftr_layout_fill_context(const ftr_stream_info *stream, bt_packet *packet);

#endif
