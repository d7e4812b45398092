/* The sequence of messages of one file: events in order of time, and around them the beginnings and
 * ends of streams and packets. trace_layout.c fills the fields of events. */
#include "source_component.h"

#include "growing_array.h"
#include "event_layout.h"
#include "timeline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Events per packet. Readers of CTF can skip whole packets, so packets should be small; with this
 * many events the cost of a packet's header is negligible. */
#define PACKET_EVENTS 4096
/* Maximum number of messages for one event: the end of a packet, the beginning of a stream, an
 * empty packet (2), discarded events, the beginning of a packet, the event, the end of its
 * packet. */
#define MESSAGES_MAX 8
/* After seeking, reading starts this much before the sought time, and each event is then compared
 * exactly. The reason is that babeltrace computes nanoseconds in floating point. */
#define ROUNDING_NS 2

typedef enum phase { TRANSACTIONS, RELATIONS, CLOSING, ENDED } phase;

/* The state of a stream in one iterator. */
typedef struct flow {
    bt_stream *stream; /* the stream of the trace, not owned; NULL until its first event */
    bt_packet *packet;
    unsigned events; /* number of events in the packet */
} flow;

typedef struct iterator {
    bt_self_message_iterator *self;
    ftr_source_trace *trace;
    phase phase;
    bool opened;
    bool seeking; /* events before `begin_ns` are still skipped */
    int64_t begin_ns;
    ftr_timeline events;
    ftr_loss_counts losses;
    ftr_relation_cursor *relations;
    flow *flows; /* [0]: relations; [n]: the stream with the number n - 1 in the file */
    size_t flow_count;
    size_t closing;
    uint64_t last_time; /* time of the last event, in cycles */
    const bt_message **messages;
    uint64_t count;
} iterator;

typedef bt_message_iterator_class_next_method_status next_status;
#define NEXT_OK BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_OK
#define NEXT_ERROR BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_ERROR
#define NEXT_MEMORY_ERROR BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_MEMORY_ERROR

static next_status refuse(const iterator *it, ftr_status status)
{
    if (status == FTR_ERR_MEMORY)
        return NEXT_MEMORY_ERROR;
    (void)BT_CURRENT_THREAD_ERROR_APPEND_CAUSE_FROM_MESSAGE_ITERATOR(
        it->self, "%s: %s", it->trace->path,
        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return NEXT_ERROR;
}

static bool put(iterator *it, const bt_message *message)
{
    if (message == NULL)
        return false;
    it->messages[it->count++] = message;
    return true;
}

/* ---- streams and packets --------------------------------------------------------------------- */

static bool end_packet(iterator *it, flow *f)
{
    const bool ok = put(it, bt_message_packet_end_create_with_default_clock_snapshot(
                                it->self, f->packet, it->last_time));
    bt_packet_put_ref(f->packet);
    f->packet = NULL;
    return ok;
}

static bool begin_packet(iterator *it, flow *f, const ftr_stream_info *stream)
{
    f->packet = bt_packet_create(f->stream);
    f->events = 0;
    return f->packet != NULL && ftr_layout_fill_context(stream, f->packet) &&
           put(it, bt_message_packet_beginning_create_with_default_clock_snapshot(
                       it->self, f->packet, it->last_time));
}

/* Sets the name of a stream in the trace. Prepends "_" to a name that begins with a dot: writers of
 * CTF use the name of a stream as a file name, and readers skip files with a leading dot. The
 * context of the packets has the unchanged name. */
static bool set_stream_name(bt_stream *stream, ftr_view name)
{
    char *copy = malloc(name.size + 2);
    if (copy == NULL)
        return false;
    const bool hidden = name.size > 0 && name.data[0] == '.';
    copy[0] = '_';
    memcpy(copy + hidden, name.data, name.size);
    copy[name.size + hidden] = '\0';
    const bool ok = bt_stream_set_name(stream, copy) == BT_STREAM_SET_NAME_STATUS_OK;
    free(copy);
    return ok;
}

static bt_stream *create_stream(ftr_source_trace *trace, bt_stream_class *class_, ftr_view name)
{
    bt_stream *stream = bt_stream_create(class_, trace->trace);
    if (stream != NULL && !set_stream_name(stream, name)) {
        bt_stream_put_ref(stream);
        return NULL;
    }
    return stream;
}

/* Returns the object for @p stream in the trace, shared by all iterators. NULL: the stream of
 * relations. */
static bt_stream *stream_of(ftr_source_trace *trace, const ftr_stream_info *stream)
{
    if (stream == NULL) {
        if (trace->relations == NULL)
            trace->relations =
                create_stream(trace, trace->layout.relations, (ftr_view){"relations", 9});
        return trace->relations;
    }
    if (!ftr_array_reach(&trace->streams, &trace->stream_count, stream->index, sizeof(bt_stream *)))
        return NULL;
    bt_stream **known = &trace->streams[stream->index];
    if (*known == NULL)
        *known = create_stream(trace, trace->layout.transactions, stream->name);
    return *known;
}

static flow *flow_at(iterator *it, size_t index)
{
    if (!ftr_array_reach(&it->flows, &it->flow_count, index, sizeof *it->flows))
        return NULL;
    return &it->flows[index];
}

/* Reports all losses of a stream as one message of discarded events. Writers of CTF require that
 * this message and the packet with the events of the losses have the same time range. An empty
 * packet comes first, because CTF states losses as the difference between the counters of two
 * packets. */
static bool put_losses(iterator *it, flow *f, const ftr_stream_info *stream,
                       const ftr_loss_count *losses)
{
    if (!begin_packet(it, f, stream) || !end_packet(it, f))
        return false;
    const uint64_t last = losses->last_end <= UINT64_MAX / it->trace->clock.factor
                              ? losses->last_end * it->trace->clock.factor
                              : UINT64_MAX;
    bt_message *message = bt_message_discarded_events_create_with_default_clock_snapshots(
        it->self, f->stream, it->last_time, last);
    if (message != NULL)
        bt_message_discarded_events_set_count(message, losses->count);
    return put(it, message);
}

static ftr_loss_count *losses_of(const iterator *it, const ftr_stream_info *stream)
{
    return stream != NULL ? ftr_loss_counts_of(&it->losses, stream) : NULL;
}

/* Prepares @p f for one more event at `last_time`: begins the stream or a packet if needed. */
static bool make_ready(iterator *it, flow *f, const ftr_stream_info *stream)
{
    const ftr_loss_count *losses = losses_of(it, stream);
    if (f->stream == NULL) {
        f->stream = stream_of(it->trace, stream);
        if (f->stream == NULL || !put(it, bt_message_stream_beginning_create(it->self, f->stream)))
            return false;
        if (losses != NULL && losses->count > 0 && !put_losses(it, f, stream, losses))
            return false;
    }
    if (f->packet != NULL && f->events == PACKET_EVENTS && losses == NULL && !end_packet(it, f))
        return false;
    return f->packet != NULL || begin_packet(it, f, stream);
}

/* ---- the events ------------------------------------------------------------------------------ */

static bt_message *event_message(iterator *it, flow *f, const bt_event_class *class_)
{
    f->events++;
    return bt_message_event_create_with_packet_and_default_clock_snapshot(it->self, class_,
                                                                          f->packet, it->last_time);
}

/* Gets the next event to put. After seeking, skips the events before the sought time. */
static ftr_status next_event(iterator *it, ftr_timeline_event *next)
{
    ftr_status status;
    int64_t ns;
    while ((status = ftr_timeline_next(&it->events, next)) == FTR_OK) {
        if (!it->seeking || !ftr_layout_ns(&it->trace->clock, next->time, &ns))
            return FTR_OK;
        if (ns >= it->begin_ns) {
            it->seeking = false;
            return FTR_OK;
        }
    }
    return status;
}

/* After the last loss of a stream, ends the packet that contains its losses. */
static bool end_losses(iterator *it, flow *f, const ftr_timeline_event *event)
{
    ftr_loss_count *losses = losses_of(it, event->tx->stream);
    if (losses == NULL || event->kind == FTR_TIMELINE_BEGIN || --losses->ends > 0)
        return true;
    return end_packet(it, f);
}

static next_status put_transaction(iterator *it)
{
    ftr_source_trace *trace = it->trace;
    ftr_timeline_event next;
    const ftr_status status = next_event(it, &next);
    if (status == FTR_ERR_END) {
        it->phase = RELATIONS;
        return NEXT_OK;
    }
    if (status != FTR_OK)
        return refuse(it, status);
    if (next.time > UINT64_MAX / trace->clock.factor)
        return refuse(it, FTR_ERR_LIMIT);
    it->last_time = next.time * trace->clock.factor;
    flow *f = flow_at(it, (size_t)next.tx->stream->index + 1);
    if (f == NULL || !make_ready(it, f, next.tx->stream))
        return NEXT_MEMORY_ERROR;
    const bt_event_class *class_ = ftr_layout_class_of(&trace->layout, trace->reader, &next);
    bt_message *message = class_ != NULL ? event_message(it, f, class_) : NULL;
    if (!put(it, message) ||
        !ftr_layout_fill(&trace->layout, next.tx, bt_message_event_borrow_event(message)) ||
        !end_losses(it, f, &next))
        return NEXT_MEMORY_ERROR;
    return NEXT_OK;
}

/* Puts the next relation. Relations have no time, so they get the time of the last transaction. If
 * a time window is set, no relations are put, because their transactions may be outside of the
 * window. If no event is at or after the sought time, no relations are put either. */
static next_status put_relation(iterator *it)
{
    ftr_source_trace *trace = it->trace;
    ftr_relation_info relation;
    ftr_status status = FTR_OK;
    if (!trace->window.windowed && !it->seeking && it->relations == NULL)
        status = ftr_relation_cursor_open(trace->reader, false, 0, &it->relations);
    if (status == FTR_OK)
        status = it->relations != NULL ? ftr_relation_cursor_next(it->relations, &relation)
                                       : FTR_ERR_END;
    if (status == FTR_ERR_END) {
        it->phase = CLOSING;
        return NEXT_OK;
    }
    if (status != FTR_OK)
        return refuse(it, status);
    flow *f = flow_at(it, 0);
    if (f == NULL || !make_ready(it, f, NULL))
        return NEXT_MEMORY_ERROR;
    bt_message *message = event_message(it, f, trace->layout.relation);
    if (!put(it, message) ||
        !ftr_layout_fill_relation(&relation, bt_message_event_borrow_event(message)))
        return NEXT_MEMORY_ERROR;
    return NEXT_OK;
}

static next_status close_stream(iterator *it)
{
    while (it->closing < it->flow_count && it->flows[it->closing].stream == NULL)
        it->closing++;
    if (it->closing == it->flow_count) {
        it->phase = ENDED;
        return NEXT_OK;
    }
    flow *f = &it->flows[it->closing++];
    if ((f->packet != NULL && !end_packet(it, f)) ||
        !put(it, bt_message_stream_end_create(it->self, f->stream)))
        return NEXT_MEMORY_ERROR;
    return NEXT_OK;
}

/* Returns the query of the iterator: its time window. After seeking, this window begins ROUNDING_NS
 * before the sought time. */
static ftr_query window_of(const iterator *it)
{
    ftr_query window = it->trace->window;
    if (!it->seeking)
        return window;
    const int64_t ns =
        it->begin_ns > INT64_MIN + ROUNDING_NS ? it->begin_ns - ROUNDING_NS : INT64_MIN;
    const uint64_t from = ftr_event_clock_ticks(&it->trace->clock, ns);
    window.from = !window.windowed || from > window.from ? from : window.from;
    window.to = window.windowed ? window.to : UINT64_MAX;
    window.windowed = true;
    return window;
}

static ftr_status open_iterator(iterator *it)
{
    const ftr_query window = window_of(it);
    if (window.windowed && window.from > window.to) {
        it->phase = ENDED;
        return FTR_OK;
    }
    const ftr_status status = ftr_loss_counts_read(&it->losses, it->trace->reader, &window);
    return status == FTR_OK ? ftr_timeline_open(&it->events, it->trace->reader, &window, NULL)
                            : status;
}

bt_message_iterator_class_next_method_status
ftr_source_iterator_next(bt_self_message_iterator *self, bt_message_array_const messages,
                         uint64_t capacity, uint64_t *count)
{
    iterator *it = bt_self_message_iterator_get_data(self);
    next_status status = NEXT_OK;
    it->messages = messages;
    it->count = 0;
    if (!it->opened) {
        const ftr_status opened = open_iterator(it);
        if (opened != FTR_OK)
            return refuse(it, opened);
        it->opened = true;
    }
    while (status == NEXT_OK && it->phase != ENDED && it->count + MESSAGES_MAX <= capacity)
        status = it->phase == TRANSACTIONS ? put_transaction(it)
                 : it->phase == RELATIONS  ? put_relation(it)
                                           : close_stream(it);
    /* after an error, babeltrace does not become the owner of the messages, so they are released
     * here */
    if (status != NEXT_OK) {
        while (it->count > 0)
            bt_message_put_ref(it->messages[--it->count]);
        return status;
    }
    *count = it->count;
    return it->count > 0 ? NEXT_OK : BT_MESSAGE_ITERATOR_CLASS_NEXT_METHOD_STATUS_END;
}

/* ---- lifecycle ------------------------------------------------------------------------------- */

static void rewind_iterator(iterator *it)
{
    for (size_t i = 0; i < it->flow_count; i++)
        bt_packet_put_ref(it->flows[i].packet);
    free(it->flows);
    if (it->opened)
        ftr_timeline_close(&it->events);
    ftr_relation_cursor_close(it->relations);
    ftr_loss_counts_release(&it->losses);
    *it = (iterator){.self = it->self, .trace = it->trace};
}

bt_message_iterator_class_initialize_method_status
ftr_source_iterator_initialize(bt_self_message_iterator *self,
                               bt_self_message_iterator_configuration *config,
                               bt_self_component_port_output *port)
{
    iterator *it = calloc(1, sizeof *it);
    if (it == NULL)
        return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_MEMORY_ERROR;
    it->self = self;
    it->trace =
        bt_self_component_port_get_data(bt_self_component_port_output_as_self_component_port(port));
    bt_self_message_iterator_set_data(self, it);
    /* babeltrace's library may seek by reading forward. Filters with a begin time need this. */
    bt_self_message_iterator_configuration_set_can_seek_forward(config, BT_TRUE);
    return BT_MESSAGE_ITERATOR_CLASS_INITIALIZE_METHOD_STATUS_OK;
}

void ftr_source_iterator_finalize(bt_self_message_iterator *self)
{
    iterator *it = bt_self_message_iterator_get_data(self);
    rewind_iterator(it);
    free(it);
}

bt_message_iterator_class_seek_beginning_method_status
ftr_source_iterator_seek_beginning(bt_self_message_iterator *self)
{
    rewind_iterator(bt_self_message_iterator_get_data(self));
    return BT_MESSAGE_ITERATOR_CLASS_SEEK_BEGINNING_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_beginning_method_status
ftr_source_iterator_can_seek_beginning(bt_self_message_iterator *self, bt_bool *can)
{
    (void)self;
    *can = BT_TRUE;
    return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_BEGINNING_METHOD_STATUS_OK;
}

bt_message_iterator_class_seek_ns_from_origin_method_status
ftr_source_iterator_seek_time(bt_self_message_iterator *self, int64_t ns)
{
    iterator *it = bt_self_message_iterator_get_data(self);
    rewind_iterator(it);
    it->seeking = true;
    it->begin_ns = ns;
    return BT_MESSAGE_ITERATOR_CLASS_SEEK_NS_FROM_ORIGIN_METHOD_STATUS_OK;
}

bt_message_iterator_class_can_seek_ns_from_origin_method_status
ftr_source_iterator_can_seek_time(bt_self_message_iterator *self, int64_t ns, bt_bool *can)
{
    (void)self;
    (void)ns;
    *can = BT_TRUE;
    return BT_MESSAGE_ITERATOR_CLASS_CAN_SEEK_NS_FROM_ORIGIN_METHOD_STATUS_OK;
}
