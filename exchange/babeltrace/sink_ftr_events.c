/* Converts traces that source.ftr.file or `ftr convert --output-format ctf` made from FTR files
 * back to FTR. Restores their transactions, attributes and relations. Layout: event_layout.h,
 * docs/exchange.md. */
#include "event_layout.h"
#include "hash.h"
#include "sink_file.h"
#include "sink_fields.h"

#include <string.h>

ftr_sink_role ftr_sink_ftr_role(const char *event)
{
    static const ftr_sink_role ROLES[FTR_TIMELINE_EVENT_KINDS] = {
        FTR_SINK_FTR_BEGIN, FTR_SINK_FTR_END, FTR_SINK_FTR_INSTANT};
    for (unsigned kind = 0; kind < FTR_TIMELINE_EVENT_KINDS; kind++)
        if (strcmp(event, ftr_event_names[kind]) == 0)
            return ROLES[kind];
    return strcmp(event, "tx_relation") == 0 ? FTR_SINK_FTR_RELATION : FTR_SINK_INSTANT;
}

static void keep(ftr_sink_file *sink, ftr_status status)
{
    if (status != FTR_OK)
        ftr_import_keep(&sink->target, status);
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Returns @p type if the values of @p array may have this type; otherwise the first type that @p
 * array allows. */
static ftr_type type_of(ftr_event_array array, uint64_t type)
{
    static const struct {
        ftr_type types[4];
    } ALLOWED[FTR_EVENT_ARRAYS] = {
        {{FTR_TYPE_BOOLEAN, FTR_TYPE_BOOLEAN, FTR_TYPE_BOOLEAN, FTR_TYPE_BOOLEAN}},
        {{FTR_TYPE_INTEGER, FTR_TYPE_INTEGER, FTR_TYPE_INTEGER, FTR_TYPE_INTEGER}},
        {{FTR_TYPE_UNSIGNED, FTR_TYPE_POINTER, FTR_TYPE_TIME, FTR_TYPE_UNSIGNED}},
        {{FTR_TYPE_FLOATING_POINT, FTR_TYPE_FIXED_POINT_INTEGER,
          FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, FTR_TYPE_FLOATING_POINT}},
        {{FTR_TYPE_STRING, FTR_TYPE_ENUMERATION, FTR_TYPE_BIT_VECTOR, FTR_TYPE_LOGIC_VECTOR}}};
    for (unsigned i = 0; i < 4; i++)
        if ((uint64_t)ALLOWED[array].types[i] == type)
            return (ftr_type)type;
    return ALLOWED[array].types[0];
}

static ftr_value value_of(ftr_event_array array, const bt_field *entry)
{
    const bt_field *field = ftr_sink_member(entry, "value");
    ftr_value value = {.type = type_of(array, ftr_sink_number(ftr_sink_member(entry, "type")))};
    switch (array) {
    case FTR_EVENT_BOOLEANS:
        value.as.boolean = ftr_sink_number(field) != 0;
        break;
    case FTR_EVENT_INTEGERS:
        value.as.integer = (int64_t)ftr_sink_number(field);
        break;
    case FTR_EVENT_UNSIGNEDS:
        value.as.number = ftr_sink_number(field);
        break;
    case FTR_EVENT_REALS:
        if (field != NULL &&
            bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
            value.as.real = bt_field_real_double_precision_get_value(field);
        break;
    default:
        value.text_length = FTR_NUL_TERMINATED;
        value.as.text = ftr_sink_text(field);
    }
    return value;
}

static void put_array(ftr_sink_file *sink, ftr_tx tx, ftr_event_array array,
                      const bt_field *entries)
{
    if (entries == NULL ||
        !bt_field_class_type_is(bt_field_get_class_type(entries), BT_FIELD_CLASS_TYPE_ARRAY))
        return;
    for (uint64_t i = 0; i < bt_field_array_get_length(entries); i++) {
        const bt_field *entry = bt_field_array_borrow_element_field_by_index_const(entries, i);
        const uint64_t class_ = ftr_sink_number(ftr_sink_member(entry, "class"));
        const ftr_value value = value_of(array, entry);
        keep(sink, ftr_tx_put_named(sink->target.recorder, tx,
                                    class_ <= FTR_CLASS_END ? (ftr_attribute_class)class_
                                                            : FTR_CLASS_RECORD,
                                    ftr_sink_text(ftr_sink_member(entry, "name")), &value));
    }
}

static void put_arrays(ftr_sink_file *sink, ftr_tx tx, const bt_field *payload)
{
    for (unsigned array = 0; array < FTR_EVENT_ARRAYS; array++)
        put_array(sink, tx, (ftr_event_array)array,
                  ftr_sink_member(payload, ftr_event_array_names[array]));
}

/* ---- transactions ---------------------------------------------------------------------------- */

static uint64_t key_of_ftr(const ftr_sink_stream *stream, uint64_t id)
{
    const uint64_t trace = (uintptr_t)bt_stream_borrow_trace_const(stream->stream);
    return ftr_hash_mix(ftr_hash_mix(7, trace), id);
}

/* Returns the generator of an event. Defines the generator and its FTR stream at their first use.
 * The name of the FTR stream is in the context of the packets. */
static ftr_generator generator_of(ftr_sink_file *sink, ftr_sink_stream *stream,
                                  const bt_event *event)
{
    const bt_field *context = ftr_sink_packet_context(event);
    if (stream->handle == 0)
        keep(sink, ftr_stream_define(
                       sink->target.recorder, ftr_sink_text(ftr_sink_member(context, "stream")),
                       ftr_sink_text(ftr_sink_member(context, "kind")), &stream->handle));
    return ftr_sink_generator(
        sink, stream->handle,
        ftr_sink_text(ftr_sink_member(bt_event_borrow_payload_field_const(event), "generator")));
}

/* Begins a transaction and keeps its entry, because relations refer to transactions by id and come
 * after all transactions. */
static ftr_tx_entry *begin(ftr_sink_file *sink, ftr_sink_stream *stream, const bt_event *event,
                           uint64_t time)
{
    const bt_field *payload = bt_event_borrow_payload_field_const(event);
    const uint64_t id = ftr_sink_number(ftr_sink_member(payload, "id"));
    const ftr_generator generator = generator_of(sink, stream, event);
    ftr_tx_entry *entry =
        generator != 0 ? ftr_tx_table_add(&sink->pending, key_of_ftr(stream, id)) : NULL;
    if (entry == NULL) {
        keep(sink, generator != 0 ? FTR_ERR_MEMORY : FTR_OK);
        return NULL;
    }
    const ftr_status status = ftr_tx_begin(sink->target.recorder, generator, time, &entry->tx);
    entry->time = time;
    entry->state = status == FTR_OK;
    keep(sink, status);
    return status == FTR_OK ? entry : NULL;
}

static void end(ftr_sink_file *sink, ftr_tx_entry *entry, const bt_event *event, uint64_t time)
{
    put_arrays(sink, entry->tx, bt_event_borrow_payload_field_const(event));
    keep(sink,
         ftr_tx_end(sink->target.recorder, entry->tx, time > entry->time ? time : entry->time));
    entry->state = 0;
}

static void relate(ftr_sink_file *sink, const ftr_sink_stream *stream, const bt_field *payload)
{
    const uint64_t from = ftr_sink_number(ftr_sink_member(payload, "from"));
    const uint64_t to = ftr_sink_number(ftr_sink_member(payload, "to"));
    const ftr_tx_entry *ends[] = {ftr_tx_table_find(&sink->pending, key_of_ftr(stream, from)),
                                  ftr_tx_table_find(&sink->pending, key_of_ftr(stream, to))};
    if (ends[0] == NULL || ends[1] == NULL) {
        sink->unmatched++;
        return;
    }
    ftr_import_relation(&sink->target, ftr_sink_text(ftr_sink_member(payload, "name")), ends[0]->tx,
                        ends[1]->tx);
}

void ftr_sink_import_ftr_event(ftr_sink_file *sink, ftr_sink_stream *stream, ftr_sink_role role,
                               const bt_event *event, uint64_t time)
{
    const bt_field *payload = bt_event_borrow_payload_field_const(event);
    if (role == FTR_SINK_FTR_RELATION) {
        relate(sink, stream, payload);
        return;
    }
    ftr_tx_entry *entry = NULL;
    if (role == FTR_SINK_FTR_END) {
        const uint64_t id = ftr_sink_number(ftr_sink_member(payload, "id"));
        entry = ftr_tx_table_find(&sink->pending, key_of_ftr(stream, id));
        sink->unmatched += entry == NULL || entry->state == 0;
    }
    if (entry == NULL || entry->state == 0)
        entry = begin(sink, stream, event, time);
    if (entry == NULL)
        return;
    if (role == FTR_SINK_FTR_BEGIN)
        put_arrays(sink, entry->tx, payload);
    else
        end(sink, entry, event, time);
}
