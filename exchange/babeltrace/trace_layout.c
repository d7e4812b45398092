/* The classes of babeltrace's trace IR (its in-memory form of a trace) and the values of their
 * fields. docs/exchange.md describes the layout. */
#include "trace_layout.h"

#include "attribute_types.h"

#include <string.h>

/* ---- classes --------------------------------------------------------------------------------- */

/* Appends a member to a structure class. Releases the caller's reference to the class of the
 * member, also on failure. */
static bool append(bt_field_class *structure, const char *name, bt_field_class *member)
{
    if (structure == NULL || member == NULL) {
        bt_field_class_put_ref(member);
        return false;
    }
    const bool ok = bt_field_class_structure_append_member(structure, name, member) ==
                    BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;
    bt_field_class_put_ref(member);
    return ok;
}

static bt_field_class *enumeration(bt_trace_class *trace_class, const char *const *labels,
                                   unsigned count)
{
    bt_field_class *class_ = bt_field_class_enumeration_unsigned_create(trace_class);
    if (class_ == NULL)
        return NULL;
    bt_field_class_integer_set_field_value_range(class_, 8);
    for (unsigned i = 0; i < count; i++) {
        bt_integer_range_set_unsigned *range = bt_integer_range_set_unsigned_create();
        const bool ok = range != NULL &&
                        bt_integer_range_set_unsigned_add_range(range, i, i) ==
                            BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK &&
                        bt_field_class_enumeration_unsigned_add_mapping(class_, labels[i], range) ==
                            BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;
        bt_integer_range_set_unsigned_put_ref(range);
        if (!ok) {
            bt_field_class_put_ref(class_);
            return NULL;
        }
    }
    return class_;
}

static bt_field_class *value_class(bt_trace_class *trace_class, ftr_event_array array)
{
    switch (array) {
    case FTR_EVENT_BOOLEANS:
        return enumeration(trace_class, ftr_event_boolean_labels, 2);
    case FTR_EVENT_INTEGERS:
        return bt_field_class_integer_signed_create(trace_class);
    case FTR_EVENT_UNSIGNEDS:
        return bt_field_class_integer_unsigned_create(trace_class);
    case FTR_EVENT_REALS:
        return bt_field_class_real_double_precision_create(trace_class);
    default:
        return bt_field_class_string_create(trace_class);
    }
}

static bt_field_class *attribute_array(bt_trace_class *trace_class, ftr_event_array array)
{
    bt_field_class *element = bt_field_class_structure_create(trace_class);
    bt_field_class *sequence = NULL;
    if (append(element, "name", bt_field_class_string_create(trace_class)) &&
        append(element, "class",
               enumeration(trace_class, ftr_event_class_labels, FTR_EVENT_CLASSES)) &&
        append(element, "type", enumeration(trace_class, ftr_type_names, FTR_TYPE_NAMES)) &&
        append(element, "value", value_class(trace_class, array)))
        sequence = bt_field_class_array_dynamic_create(trace_class, element, NULL);
    bt_field_class_put_ref(element);
    return sequence;
}

/* Makes the class of a payload with the arrays of @p shape. */
static bt_field_class *transaction_payload(bt_trace_class *trace_class, unsigned shape)
{
    bt_field_class *payload = bt_field_class_structure_create(trace_class);
    bool ok = append(payload, "id", bt_field_class_integer_unsigned_create(trace_class)) &&
              append(payload, "generator", bt_field_class_string_create(trace_class));
    for (unsigned i = 0; i < FTR_EVENT_ARRAYS && ok; i++)
        if ((shape & 1U << i) != 0)
            ok = append(payload, ftr_event_array_names[i],
                        attribute_array(trace_class, (ftr_event_array)i));
    if (ok)
        return payload;
    bt_field_class_put_ref(payload);
    return NULL;
}

static bt_field_class *relation_payload(bt_trace_class *trace_class)
{
    static const char *const IDS[] = {"from", "to", "from_stream", "to_stream"};
    bt_field_class *payload = bt_field_class_structure_create(trace_class);
    bool ok = append(payload, "name", bt_field_class_string_create(trace_class));
    for (unsigned i = 0; i < 4 && ok; i++)
        ok = append(payload, IDS[i], bt_field_class_integer_unsigned_create(trace_class));
    if (ok)
        return payload;
    bt_field_class_put_ref(payload);
    return NULL;
}

static bt_stream_class *stream_class(ftr_layout *layout, const char *name)
{
    bt_stream_class *class_ = bt_stream_class_create(layout->trace_class);
    bt_field_class *context = bt_field_class_structure_create(layout->trace_class);
    bool ok = class_ != NULL &&
              bt_stream_class_set_name(class_, name) == BT_STREAM_CLASS_SET_NAME_STATUS_OK &&
              bt_stream_class_set_default_clock_class(class_, layout->clock_class) ==
                  BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK;
    if (ok) {
        bt_stream_class_set_supports_packets(class_, BT_TRUE, BT_TRUE, BT_TRUE);
        bt_stream_class_set_supports_discarded_events(class_, BT_TRUE, BT_TRUE);
        ok = append(context, "stream", bt_field_class_string_create(layout->trace_class)) &&
             append(context, "kind", bt_field_class_string_create(layout->trace_class)) &&
             bt_stream_class_set_packet_context_field_class(class_, context) ==
                 BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
    }
    bt_field_class_put_ref(context);
    if (ok)
        return class_;
    bt_stream_class_put_ref(class_);
    return NULL;
}

static bt_event_class *event_class(bt_stream_class *stream, const char *name,
                                   bt_field_class *payload)
{
    bt_event_class *class_ = payload != NULL ? bt_event_class_create(stream) : NULL;
    const bool ok = class_ != NULL &&
                    bt_event_class_set_name(class_, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
                    bt_event_class_set_payload_field_class(class_, payload) ==
                        BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
    bt_field_class_put_ref(payload);
    if (ok)
        return class_;
    bt_event_class_put_ref(class_);
    return NULL;
}

static bool create_clock(ftr_layout *layout, bt_self_component *component,
                         const ftr_event_clock *clock)
{
    bt_clock_class *class_ = layout->clock_class = bt_clock_class_create(component);
    if (class_ == NULL)
        return false;
    bt_clock_class_set_frequency(class_, clock->frequency);
    bt_clock_class_set_offset(class_, clock->offset_seconds, clock->offset_cycles);
    bt_clock_class_set_origin_is_unix_epoch(class_, BT_TRUE);
    return bt_clock_class_set_name(class_, FTR_EVENT_CLOCK_NAME) ==
               BT_CLOCK_CLASS_SET_NAME_STATUS_OK &&
           bt_clock_class_set_description(class_, FTR_EVENT_CLOCK_DESCRIPTION) ==
               BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK;
}

bool ftr_layout_create(ftr_layout *layout, bt_self_component *component,
                       const ftr_event_clock *clock)
{
    *layout = (ftr_layout){.trace_class = bt_trace_class_create(component)};
    bt_trace_class *class_ = layout->trace_class;
    if (class_ == NULL || !create_clock(layout, component, clock))
        return false;
    layout->transactions = stream_class(layout, "transactions");
    layout->relations = stream_class(layout, "relations");
    if (layout->transactions == NULL || layout->relations == NULL)
        return false;
    layout->relation = event_class(layout->relations, "tx_relation", relation_payload(class_));
    return layout->relation != NULL;
}

void ftr_layout_destroy(ftr_layout *layout)
{
    for (unsigned kind = 0; kind < FTR_TIMELINE_EVENT_KINDS; kind++)
        for (unsigned shape = 0; shape < FTR_EVENT_SHAPES; shape++)
            bt_event_class_put_ref(layout->events[kind][shape]);
    bt_event_class_put_ref(layout->relation);
    bt_stream_class_put_ref(layout->transactions);
    bt_stream_class_put_ref(layout->relations);
    bt_clock_class_put_ref(layout->clock_class);
    bt_trace_class_put_ref(layout->trace_class);
    ftr_event_attributes_free(&layout->attributes);
    *layout = (ftr_layout){0};
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Sets a text that contains NULs. A CTF string ends at its first NUL, so each NUL within the text
 * becomes U+FFFD. */
static bool set_text_with_nuls(bt_field *field, ftr_view text)
{
    while (text.size > 0) {
        const char *nul = memchr(text.data, '\0', text.size);
        const size_t plain = nul != NULL ? (size_t)(nul - text.data) : text.size;
        if (bt_field_string_append_with_length(field, text.data, plain) !=
                BT_FIELD_STRING_APPEND_STATUS_OK ||
            (nul != NULL && bt_field_string_append_with_length(field, "\xef\xbf\xbd", 3) !=
                                BT_FIELD_STRING_APPEND_STATUS_OK))
            return false;
        text.data += plain + (nul != NULL);
        text.size -= plain + (nul != NULL);
    }
    return true;
}

/* Clearing a reused string does not clear its bytes (babeltrace 2.0.4). Only an append, even of an
 * empty string, writes the terminating NUL. */
static bool set_text(bt_field *field, ftr_view text)
{
    bt_field_string_clear(field);
    if (text.data == NULL || text.size == 0)
        return bt_field_string_append_with_length(field, "", 0) == BT_FIELD_STRING_APPEND_STATUS_OK;
    if (memchr(text.data, '\0', text.size) != NULL)
        return set_text_with_nuls(field, text);
    return bt_field_string_append_with_length(field, text.data, text.size) ==
           BT_FIELD_STRING_APPEND_STATUS_OK;
}

static bt_field *member(bt_field *structure, uint64_t index)
{
    return bt_field_structure_borrow_member_field_by_index(structure, index);
}

static bool set_value(ftr_event_array array, const ftr_attribute_value *attribute, bt_field *field)
{
    switch (array) {
    case FTR_EVENT_BOOLEANS:
        bt_field_integer_unsigned_set_value(field, attribute->as.boolean);
        return true;
    case FTR_EVENT_INTEGERS:
        bt_field_integer_signed_set_value(field, ftr_event_integer(attribute));
        return true;
    case FTR_EVENT_UNSIGNEDS:
        bt_field_integer_unsigned_set_value(field, attribute->as.number);
        return true;
    case FTR_EVENT_REALS:
        bt_field_real_double_precision_set_value(field, attribute->as.real);
        return true;
    default:
        return attribute->form == FTR_FORM_TEXT ? set_text(field, attribute->as.text)
                                                : set_text(field, (ftr_view){0});
    }
}

static bool fill_array(const ftr_layout *layout, ftr_event_array array, bt_field *field)
{
    const size_t count = layout->attributes.counts[array];
    if (bt_field_array_dynamic_set_length(field, count) !=
        BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        const ftr_attribute_value *attribute = &layout->attributes.sorted[array][i];
        bt_field *element = bt_field_array_borrow_element_field_by_index(field, i);
        if (!set_text(member(element, 0), attribute->name))
            return false;
        bt_field_integer_unsigned_set_value(member(element, 1), (uint64_t)attribute->class_);
        bt_field_integer_unsigned_set_value(member(element, 2), (uint64_t)attribute->type);
        if (!set_value(array, attribute, member(element, 3)))
            return false;
    }
    return true;
}

const bt_event_class *ftr_layout_class_of(ftr_layout *layout, ftr_reader *reader,
                                          const ftr_timeline_event *event)
{
    if (!ftr_event_collect(&layout->attributes, reader, event->kind, event->tx))
        return NULL;
    const unsigned shape = layout->attributes.shape;
    bt_event_class **class_ = &layout->events[event->kind][shape];
    if (*class_ == NULL)
        *class_ = event_class(layout->transactions, ftr_event_names[event->kind],
                              transaction_payload(layout->trace_class, shape));
    return *class_;
}

bool ftr_layout_fill(const ftr_layout *layout, const ftr_transaction *tx, bt_event *event)
{
    bt_field *payload = bt_event_borrow_payload_field(event);
    bt_field_integer_unsigned_set_value(member(payload, 0), tx->id);
    if (!set_text(member(payload, 1), tx->generator->name))
        return false;
    uint64_t next = 2;
    for (unsigned i = 0; i < FTR_EVENT_ARRAYS; i++)
        if (layout->attributes.counts[i] > 0 &&
            !fill_array(layout, (ftr_event_array)i, member(payload, next++)))
            return false;
    return true;
}

bool ftr_layout_fill_relation(const ftr_relation_info *relation, bt_event *event)
{
    bt_field *payload = bt_event_borrow_payload_field(event);
    bt_field_integer_unsigned_set_value(member(payload, 1), relation->from_tx);
    bt_field_integer_unsigned_set_value(member(payload, 2), relation->to_tx);
    bt_field_integer_unsigned_set_value(member(payload, 3),
                                        relation->has_streams ? relation->from_stream : 0);
    bt_field_integer_unsigned_set_value(member(payload, 4),
                                        relation->has_streams ? relation->to_stream : 0);
    return set_text(member(payload, 0), relation->name);
}

bool ftr_layout_fill_context(const ftr_stream_info *stream, bt_packet *packet)
{
    bt_field *context = bt_packet_borrow_context_field(packet);
    return set_text(member(context, 0), stream != NULL ? stream->name : (ftr_view){0}) &&
           set_text(member(context, 1), stream != NULL ? stream->kind : (ftr_view){0});
}

bool ftr_layout_ns(const ftr_event_clock *clock, uint64_t ticks, int64_t *ns)
{
    return ticks <= UINT64_MAX / clock->factor &&
           bt_util_clock_cycles_to_ns_from_origin(
               ticks * clock->factor, clock->frequency, clock->offset_seconds, clock->offset_cycles,
               ns) == BT_UTIL_CLOCK_CYCLES_TO_NS_FROM_ORIGIN_STATUS_OK;
}
