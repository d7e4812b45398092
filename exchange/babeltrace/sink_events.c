/* Converts events to streams, generators and transactions. A transaction with a duration is made
 * from a pair of events. sink_fields.c converts the content of fields. */
#include "growing_array.h"
#include "hash.h"
#include "sink_file.h"
#include "sink_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of open transactions: half of the recorder's limit. While this number of
 * transactions are open, each further begin event becomes an instant. */
#define PENDING_MAX ((size_t)1 << 17)

static void keep(ftr_sink_file *sink, ftr_status status)
{
    if (status != FTR_OK)
        ftr_import_keep(&sink->target, status);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Returns the part after the last slash: readers of CTF use the path of a file as the name of the
 * stream, and the path of a directory as the name of the trace. */
static const char *last_part(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* Makes the name TRACE.STREAM. If the stream has no name, STREAM is the name of its class (or
 * "stream") and its number. */
static void make_name(const bt_stream *stream, char *name, size_t size)
{
    const bt_stream_class *class_ = bt_stream_borrow_class_const(stream);
    const char *trace = last_part(bt_trace_get_name(bt_stream_borrow_trace_const(stream)));
    const char *own = last_part(bt_stream_get_name(stream));
    const char *class_name = bt_stream_class_get_name(class_);
    const bool named = own != NULL && *own != '\0';
    const int used = snprintf(name, size, "%s%s", trace != NULL ? trace : "",
                              trace != NULL && *trace != '\0' ? "." : "");
    if (used < 0 || (size_t)used >= size)
        return;
    if (named)
        (void)snprintf(name + used, size - (size_t)used, "%s", own);
    else
        (void)snprintf(name + used, size - (size_t)used, "%s%llu",
                       class_name != NULL && *class_name != '\0' ? class_name : "stream",
                       (unsigned long long)bt_stream_get_id(stream));
}

static ftr_stream handle_of(ftr_sink_file *sink, ftr_sink_stream *stream)
{
    char name[1024];
    if (stream->handle != 0)
        return stream->handle;
    const char *kind = bt_stream_class_get_name(bt_stream_borrow_class_const(stream->stream));
    make_name(stream->stream, name, sizeof name);
    keep(sink,
         ftr_stream_define(sink->target.recorder, name, kind != NULL ? kind : "", &stream->handle));
    return stream->handle;
}

/* ---- event classes --------------------------------------------------------------------------- */

static bool is_word_end(char byte)
{
    return byte == '\0' || byte == '_' || byte == ':' || byte == '.' || byte == '-' || byte == ' ';
}

/* Finds @p word as a whole word in a name; NULL if the name does not contain it. */
static const char *find_word(const char *name, const char *word)
{
    const size_t size = strlen(word);
    for (const char *at = strstr(name, word); at != NULL; at = strstr(at + 1, word))
        if ((at == name || is_word_end(at[-1])) && is_word_end(at[size]))
            return at;
    return NULL;
}

/* Returns an allocated copy of the name, without the word of @p size bytes at @p at and one
 * separator next to this word. */
static char *without(const char *name, const char *at, size_t size)
{
    char *rest = malloc(strlen(name) + 1);
    if (rest == NULL)
        return NULL;
    const char *behind = at + size;
    size_t before = (size_t)(at - name);
    if (before > 0)
        before--;
    else if (*behind != '\0')
        behind++;
    memcpy(rest, name, before);
    (void)stpcpy(rest + before, behind);
    if (*rest == '\0') /* the name consists only of the word */
        (void)stpcpy(rest, name);
    return rest;
}

static void choose_role(const ftr_sink_file *sink, const char *name, ftr_sink_event *event)
{
    for (size_t i = 0; i < sink->options.pair_count && event->name == NULL; i++) {
        const ftr_sink_pair *pair = &sink->options.pairs[i];
        const char *begin = find_word(name, pair->begin);
        const char *end = find_word(name, pair->end);
        if ((begin != NULL) == (end != NULL)) /* the name contains neither word, or both */
            continue;
        event->role = begin != NULL ? FTR_SINK_BEGIN : FTR_SINK_END;
        event->name = begin != NULL ? without(name, begin, strlen(pair->begin))
                                    : without(name, end, strlen(pair->end));
    }
    if (event->name == NULL)
        event->name = strdup(name);
}

static const char *name_of(const bt_event_class *class_)
{
    const char *name = bt_event_class_get_name(class_);
    return name != NULL && *name != '\0' ? name : "event";
}

static ftr_sink_event *event_of(ftr_sink_file *sink, const ftr_sink_stream *stream,
                                const bt_event_class *class_)
{
    const uint64_t key =
        ftr_hash_mix(ftr_hash_mix(2, (uint64_t)(stream - sink->streams)), (uintptr_t)class_);
    const ftr_tx_entry *known = ftr_tx_table_find(&sink->index, key);
    if (known != NULL)
        return &sink->events[known->owner];
    ftr_tx_entry *entry = ftr_array_grow(&sink->events, &sink->event_capacity, sink->event_count,
                                         sizeof *sink->events)
                              ? ftr_tx_table_add(&sink->index, key)
                              : NULL;
    if (entry == NULL) {
        keep(sink, FTR_ERR_MEMORY);
        return NULL;
    }
    entry->owner = (uint32_t)sink->event_count;
    ftr_sink_event *event = &sink->events[sink->event_count];
    *event = (ftr_sink_event){.role = FTR_SINK_INSTANT};
    if (stream->from_ftr)
        event->role = ftr_sink_ftr_role(name_of(class_));
    if (event->role == FTR_SINK_INSTANT)
        choose_role(sink, name_of(class_), event);
    else
        event->name = strdup(name_of(class_));
    if (event->name == NULL) {
        keep(sink, FTR_ERR_MEMORY);
        ftr_tx_table_remove(&sink->index, entry);
        return NULL;
    }
    sink->event_count++;
    return event;
}

/* Finds a field by name. Searches the scopes of an event from the innermost (the payload) to the
 * outermost (the context of the packet). */
static const bt_field *find_field(const bt_event *event, const char *name)
{
    const bt_field *scopes[] = {bt_event_borrow_payload_field_const(event),
                                bt_event_borrow_specific_context_field_const(event),
                                bt_event_borrow_common_context_field_const(event),
                                ftr_sink_packet_context(event)};
    for (unsigned i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
        const bt_field *field = ftr_sink_member(scopes[i], name);
        if (field != NULL)
            return field;
    }
    return NULL;
}

/* Computes the key that a begin and its end have in common. It consists of the name and the stream,
 * or, if key fields are given, of the name, the trace and the values of these fields. Stores the
 * key fields in `sink->key_fields`. */
static uint64_t pair_key(ftr_sink_file *sink, const ftr_sink_stream *stream,
                         const ftr_sink_event *class_, const bt_event *event)
{
    const size_t count = sink->options.key_count;
    const uint64_t name = ftr_sink_hash_text(0, class_->name);
    if (count == 0)
        return ftr_hash_mix(ftr_hash_mix(4, (uintptr_t)stream->stream), name);
    uint64_t key = ftr_hash_mix(
        ftr_hash_mix(5, (uintptr_t)bt_stream_borrow_trace_const(stream->stream)), name);
    if (!ftr_array_fit(&sink->key_fields, &sink->key_field_capacity, count,
                       sizeof(const bt_field *))) {
        keep(sink, FTR_ERR_MEMORY);
        return key;
    }
    for (size_t i = 0; i < count; i++) {
        const bt_field *field = find_field(event, sink->options.keys[i]);
        bool is_whole;
        key = ftr_hash_mix(key, ftr_sink_hash_field(field, &is_whole));
        sink->key_fields[i] = is_whole ? field : NULL;
    }
    return key;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Puts all fields of an event as attributes. The attributes of class end omit the key fields, which
 * have the same values in the begin event. */
static void put_all_fields(ftr_sink_file *sink, const bt_event *event, ftr_tx tx,
                           ftr_attribute_class class_)
{
    const ftr_sink_attributes to = {
        &sink->target, tx, class_, sink->key_fields,
        class_ == FTR_CLASS_END && sink->key_fields != NULL ? sink->options.key_count : 0};
    ftr_sink_put_fields(&to, "", bt_event_borrow_payload_field_const(event));
    ftr_sink_put_fields(&to, "specific.", bt_event_borrow_specific_context_field_const(event));
    ftr_sink_put_fields(&to, "common.", bt_event_borrow_common_context_field_const(event));
    ftr_sink_put_fields(&to, "packet.", ftr_sink_packet_context(event));
}

static bool begin(ftr_sink_file *sink, ftr_generator generator, uint64_t time, ftr_tx *tx)
{
    if (generator == 0)
        return false;
    const ftr_status status = ftr_tx_begin(sink->target.recorder, generator, time, tx);
    keep(sink, status);
    return status == FTR_OK;
}

static void import_instant(ftr_sink_file *sink, ftr_sink_stream *stream, ftr_sink_event *class_,
                           const bt_event *event, uint64_t time)
{
    ftr_tx tx;
    if (class_->instants == 0)
        class_->instants = ftr_sink_generator(sink, handle_of(sink, stream),
                                              name_of(bt_event_borrow_class_const(event)));
    if (!begin(sink, class_->instants, time, &tx))
        return;
    put_all_fields(sink, event, tx, FTR_CLASS_BEGIN);
    keep(sink, ftr_tx_end(sink->target.recorder, tx, time));
}

static void import_begin(ftr_sink_file *sink, ftr_sink_stream *stream, ftr_sink_event *class_,
                         const bt_event *event, uint64_t time)
{
    ftr_tx tx;
    if (class_->generator == 0)
        class_->generator = ftr_sink_generator(sink, handle_of(sink, stream), class_->name);
    if (!begin(sink, class_->generator, time, &tx))
        return;
    put_all_fields(sink, event, tx, FTR_CLASS_BEGIN);
    (void)ftr_sink_push(sink, pair_key(sink, stream, class_, event), tx, time);
}

static void import_end(ftr_sink_file *sink, const ftr_sink_open *open, const bt_event *event,
                       uint64_t time)
{
    put_all_fields(sink, event, open->tx, FTR_CLASS_END);
    keep(sink,
         ftr_tx_end(sink->target.recorder, open->tx, time > open->begin ? time : open->begin));
}

/* Returns the time of an event in ticks. If its stream has no clock, returns the time of the
 * previous event. */
static uint64_t time_of(ftr_sink_file *sink, const bt_message *message, const bt_event *event)
{
    const bt_stream_class *class_ =
        bt_stream_borrow_class_const(bt_event_borrow_stream_const(event));
    if (bt_stream_class_borrow_default_clock_class_const(class_) == NULL)
        sink->untimed++;
    else
        sink->last = ftr_sink_ticks(&sink->clock,
                                    bt_message_event_borrow_default_clock_snapshot_const(message));
    return sink->last;
}

void ftr_sink_import_event(ftr_sink_file *sink, const bt_message *message)
{
    const bt_event *event = bt_message_event_borrow_event_const(message);
    const uint64_t time = time_of(sink, message, event);
    ftr_sink_stream *stream = ftr_sink_stream_of(sink, bt_event_borrow_stream_const(event));
    ftr_sink_event *class_ =
        stream != NULL ? event_of(sink, stream, bt_event_borrow_class_const(event)) : NULL;
    ftr_sink_open open;
    if (class_ == NULL)
        return;
    if (class_->role >= FTR_SINK_FTR_BEGIN) {
        ftr_sink_import_ftr_event(sink, stream, class_->role, event, time);
    } else if (class_->role == FTR_SINK_BEGIN && sink->pending_count < PENDING_MAX) {
        import_begin(sink, stream, class_, event, time);
    } else if (class_->role == FTR_SINK_END &&
               ftr_sink_pop(sink, pair_key(sink, stream, class_, event), &open)) {
        import_end(sink, &open, event, time);
    } else {
        sink->unmatched += class_->role != FTR_SINK_INSTANT;
        import_instant(sink, stream, class_, event, time);
    }
}

/* ---- losses ---------------------------------------------------------------------------------- */

static void record_loss(ftr_sink_file *sink, ftr_stream stream, bool packets, const uint64_t *times,
                        const uint64_t *count)
{
    ftr_tx tx;
    if (!begin(sink, ftr_sink_generator(sink, stream, "loss"), times[0], &tx))
        return;
    const ftr_value what = {.type = FTR_TYPE_STRING,
                            .text_length = FTR_NUL_TERMINATED,
                            .as.text = packets ? "packets were discarded by the tracer"
                                               : "events were discarded by the tracer"};
    keep(sink, ftr_tx_put_named(sink->target.recorder, tx, FTR_CLASS_BEGIN, "what", &what));
    if (count != NULL) {
        const ftr_value number = {.type = FTR_TYPE_UNSIGNED, .as.number = *count};
        keep(sink, ftr_tx_put_named(sink->target.recorder, tx, FTR_CLASS_BEGIN, "count", &number));
    }
    keep(sink, ftr_tx_end(sink->target.recorder, tx, times[1] > times[0] ? times[1] : times[0]));
}

static void interval_of(ftr_sink_file *sink, const bt_message *message, bool packets,
                        uint64_t *times)
{
    const bt_stream *stream = packets ? bt_message_discarded_packets_borrow_stream_const(message)
                                      : bt_message_discarded_events_borrow_stream_const(message);
    const bt_stream_class *class_ = bt_stream_borrow_class_const(stream);
    times[0] = times[1] = sink->last;
    if (packets && bt_stream_class_discarded_packets_have_default_clock_snapshots(class_)) {
        times[0] = ftr_sink_ticks(
            &sink->clock,
            bt_message_discarded_packets_borrow_beginning_default_clock_snapshot_const(message));
        times[1] = ftr_sink_ticks(
            &sink->clock,
            bt_message_discarded_packets_borrow_end_default_clock_snapshot_const(message));
    } else if (!packets && bt_stream_class_discarded_events_have_default_clock_snapshots(class_)) {
        times[0] = ftr_sink_ticks(
            &sink->clock,
            bt_message_discarded_events_borrow_beginning_default_clock_snapshot_const(message));
        times[1] = ftr_sink_ticks(
            &sink->clock,
            bt_message_discarded_events_borrow_end_default_clock_snapshot_const(message));
    }
}

/* Records losses as transactions in a stream NAME.ftr.losses, where NAME is the stream that lost
 * events. Messages of traces that were made from FTR files are skipped, because these traces
 * already contain their losses as events. */
void ftr_sink_import_discarded(ftr_sink_file *sink, const bt_message *message, bool packets)
{
    char of[1024];
    char name[sizeof of + sizeof ".ftr.losses"];
    uint64_t times[2];
    uint64_t count = 0;
    ftr_stream losses = 0;
    const bt_stream *stream = packets ? bt_message_discarded_packets_borrow_stream_const(message)
                                      : bt_message_discarded_events_borrow_stream_const(message);
    const ftr_sink_stream *known = ftr_sink_stream_of(sink, stream);
    if (known == NULL || known->from_ftr)
        return;
    const bt_property_availability known_count =
        packets ? bt_message_discarded_packets_get_count(message, &count)
                : bt_message_discarded_events_get_count(message, &count);
    const bool counted = known_count == BT_PROPERTY_AVAILABILITY_AVAILABLE;
    *(packets ? &sink->discarded_packets : &sink->discarded_events) += counted ? count : 0;
    sink->discarded_unknown += !counted;
    interval_of(sink, message, packets, times);
    make_name(stream, of, sizeof of);
    (void)snprintf(name, sizeof name, "%s.ftr.losses", of);
    const uint64_t key = ftr_hash_mix(6, (uintptr_t)stream);
    ftr_tx_entry *entry = ftr_tx_table_add(&sink->index, key);
    if (entry == NULL) {
        keep(sink, FTR_ERR_MEMORY);
        return;
    }
    if (entry->owner == 0) {
        keep(sink, ftr_stream_define(sink->target.recorder, name, "losses", &losses));
        entry->owner = losses;
    }
    record_loss(sink, entry->owner, packets, times, counted ? &count : NULL);
}
