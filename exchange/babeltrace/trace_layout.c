/* Owns the classes of babeltrace's trace IR and the filling of fields. Refuses to know messages,
   and in which order anything comes. docs/exchange.md describes the layout. */
#include "trace_layout.h"

#include "type_names.h"

#include <stdlib.h>
#include <string.h>

/* ---- the clock ------------------------------------------------------------------------------- */

/* Offsets beyond this are none that nanoseconds in 64 bits can hold. */
#define OFFSET_SECONDS_MAX INT64_C(9000000000)
#define NANOSECONDS UINT64_C(1000000000)

static bool add_nanoseconds(ftr_layout_clock *clock, int64_t offset_ns)
{
    int64_t seconds = offset_ns / (int64_t)NANOSECONDS;
    int64_t rest = offset_ns % (int64_t)NANOSECONDS;
    if (rest < 0) {
        rest += (int64_t)NANOSECONDS;
        seconds--;
    }
    clock->offset_seconds += seconds;
    if (clock->frequency >= NANOSECONDS) { /* both are powers of ten */
        clock->offset_cycles = (uint64_t)rest * (clock->frequency / NANOSECONDS);
        return true;
    }
    const uint64_t nanoseconds_a_cycle = NANOSECONDS / clock->frequency;
    clock->offset_cycles = (uint64_t)rest / nanoseconds_a_cycle;
    return (uint64_t)rest % nanoseconds_a_cycle == 0;
}

bool ftr_layout_clock_of(const ftr_summary *summary, int64_t offset_s, int64_t offset_ns,
                         ftr_layout_clock *clock, const char **why)
{
    *clock = (ftr_layout_clock){.frequency = 1, .factor = 1};
    if (summary->time_scale < -18 || summary->time_scale > 9) {
        *why = "its time scale is not one that a clock can have";
        return false;
    }
    for (int scale = summary->time_scale; scale < 0; scale++)
        clock->frequency *= 10;
    for (int scale = summary->time_scale; scale > 0; scale--)
        clock->factor *= 10;
    const int64_t epoch = summary->epoch_seconds;
    if (epoch < -OFFSET_SECONDS_MAX / 2 || epoch > OFFSET_SECONDS_MAX / 2 ||
        offset_s < -OFFSET_SECONDS_MAX / 2 || offset_s > OFFSET_SECONDS_MAX / 2) {
        *why = "its clock is offset by more than nanoseconds in 64 bits can hold";
        return false;
    }
    clock->offset_seconds = epoch + offset_s;
    if (!add_nanoseconds(clock, offset_ns)) {
        *why = "the offset in nanoseconds is no whole number of ticks";
        return false;
    }
    return true;
}

/* ---- classes --------------------------------------------------------------------------------- */

/* Appends a member and drops our reference to its class. */
static bool append(bt_field_class *structure, const char *name, bt_field_class *member)
{
    if (structure == NULL || member == NULL) {
        bt_field_class_put_ref(member);
        return false;
    }
    const bool well = bt_field_class_structure_append_member(structure, name, member) ==
                      BT_FIELD_CLASS_STRUCTURE_APPEND_MEMBER_STATUS_OK;
    bt_field_class_put_ref(member);
    return well;
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
        const bool well =
            range != NULL &&
            bt_integer_range_set_unsigned_add_range(range, i, i) ==
                BT_INTEGER_RANGE_SET_ADD_RANGE_STATUS_OK &&
            bt_field_class_enumeration_unsigned_add_mapping(class_, labels[i], range) ==
                BT_FIELD_CLASS_ENUMERATION_ADD_MAPPING_STATUS_OK;
        bt_integer_range_set_unsigned_put_ref(range);
        if (!well) {
            bt_field_class_put_ref(class_);
            return NULL;
        }
    }
    return class_;
}

static bt_field_class *value_class(bt_trace_class *trace_class, ftr_layout_array array)
{
    static const char *const BOOLEANS[] = {"no", "yes"};
    switch (array) {
    case FTR_LAYOUT_BOOLEANS:
        return enumeration(trace_class, BOOLEANS, 2);
    case FTR_LAYOUT_INTEGERS:
        return bt_field_class_integer_signed_create(trace_class);
    case FTR_LAYOUT_UNSIGNEDS:
        return bt_field_class_integer_unsigned_create(trace_class);
    case FTR_LAYOUT_REALS:
        return bt_field_class_real_double_precision_create(trace_class);
    default:
        return bt_field_class_string_create(trace_class);
    }
}

static bt_field_class *attribute_array(bt_trace_class *trace_class, ftr_layout_array array)
{
    static const char *const CLASSES[] = {"AT_BEGIN", "RECORDED", "AT_END"};
    bt_field_class *element = bt_field_class_structure_create(trace_class);
    bt_field_class *sequence = NULL;
    if (append(element, "name", bt_field_class_string_create(trace_class)) &&
        append(element, "class", enumeration(trace_class, CLASSES, 3)) &&
        append(element, "type", enumeration(trace_class, ftr_type_names, FTR_TYPE_NAMES)) &&
        append(element, "value", value_class(trace_class, array)))
        sequence = bt_field_class_array_dynamic_create(trace_class, element, NULL);
    bt_field_class_put_ref(element);
    return sequence;
}

/* With the arrays that @p arrays has a bit for. */
static bt_field_class *transaction_payload(bt_trace_class *trace_class, unsigned arrays)
{
    static const char *const ARRAYS[FTR_LAYOUT_ARRAYS] = {"booleans", "integers", "unsigneds",
                                                          "reals", "texts"};
    bt_field_class *payload = bt_field_class_structure_create(trace_class);
    bool well = append(payload, "id", bt_field_class_integer_unsigned_create(trace_class)) &&
                append(payload, "generator", bt_field_class_string_create(trace_class));
    for (unsigned i = 0; i < FTR_LAYOUT_ARRAYS && well; i++)
        if ((arrays & 1U << i) != 0)
            well = append(payload, ARRAYS[i], attribute_array(trace_class, (ftr_layout_array)i));
    if (well)
        return payload;
    bt_field_class_put_ref(payload);
    return NULL;
}

static bt_field_class *relation_payload(bt_trace_class *trace_class)
{
    static const char *const IDS[] = {"from", "to", "from_stream", "to_stream"};
    bt_field_class *payload = bt_field_class_structure_create(trace_class);
    bool well = append(payload, "name", bt_field_class_string_create(trace_class));
    for (unsigned i = 0; i < 4 && well; i++)
        well = append(payload, IDS[i], bt_field_class_integer_unsigned_create(trace_class));
    if (well)
        return payload;
    bt_field_class_put_ref(payload);
    return NULL;
}

static bt_stream_class *stream_class(ftr_layout *layout, const char *name)
{
    bt_stream_class *class_ = bt_stream_class_create(layout->trace_class);
    bt_field_class *context = bt_field_class_structure_create(layout->trace_class);
    bool well = class_ != NULL &&
                bt_stream_class_set_name(class_, name) == BT_STREAM_CLASS_SET_NAME_STATUS_OK &&
                bt_stream_class_set_default_clock_class(class_, layout->clock_class) ==
                    BT_STREAM_CLASS_SET_DEFAULT_CLOCK_CLASS_STATUS_OK;
    if (well) {
        bt_stream_class_set_supports_packets(class_, BT_TRUE, BT_TRUE, BT_TRUE);
        well = append(context, "stream", bt_field_class_string_create(layout->trace_class)) &&
               append(context, "kind", bt_field_class_string_create(layout->trace_class)) &&
               bt_stream_class_set_packet_context_field_class(class_, context) ==
                   BT_STREAM_CLASS_SET_FIELD_CLASS_STATUS_OK;
    }
    bt_field_class_put_ref(context);
    if (well)
        return class_;
    bt_stream_class_put_ref(class_);
    return NULL;
}

static bt_event_class *event_class(bt_stream_class *stream, const char *name,
                                   bt_field_class *payload)
{
    bt_event_class *class_ = payload != NULL ? bt_event_class_create(stream) : NULL;
    const bool well = class_ != NULL &&
                      bt_event_class_set_name(class_, name) == BT_EVENT_CLASS_SET_NAME_STATUS_OK &&
                      bt_event_class_set_payload_field_class(class_, payload) ==
                          BT_EVENT_CLASS_SET_FIELD_CLASS_STATUS_OK;
    bt_field_class_put_ref(payload);
    if (well)
        return class_;
    bt_event_class_put_ref(class_);
    return NULL;
}

static bool create_clock(ftr_layout *layout, bt_self_component *component,
                         const ftr_layout_clock *clock)
{
    bt_clock_class *class_ = layout->clock_class = bt_clock_class_create(component);
    if (class_ == NULL)
        return false;
    bt_clock_class_set_frequency(class_, clock->frequency);
    bt_clock_class_set_offset(class_, clock->offset_seconds, clock->offset_cycles);
    bt_clock_class_set_origin_is_unix_epoch(class_, BT_TRUE);
    return bt_clock_class_set_name(class_, "simulated_time") == BT_CLOCK_CLASS_SET_NAME_STATUS_OK &&
           bt_clock_class_set_description(class_, "a cycle is a tick of the FTR file") ==
               BT_CLOCK_CLASS_SET_DESCRIPTION_STATUS_OK;
}

bool ftr_layout_create(ftr_layout *layout, bt_self_component *component,
                       const ftr_layout_clock *clock)
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
    for (unsigned kind = 0; kind < FTR_LAYOUT_EVENTS; kind++)
        for (unsigned arrays = 0; arrays < 1U << FTR_LAYOUT_ARRAYS; arrays++)
            bt_event_class_put_ref(layout->events[kind][arrays]);
    bt_event_class_put_ref(layout->relation);
    bt_stream_class_put_ref(layout->transactions);
    bt_stream_class_put_ref(layout->relations);
    bt_clock_class_put_ref(layout->clock_class);
    bt_trace_class_put_ref(layout->trace_class);
    for (unsigned i = 0; i < FTR_LAYOUT_ARRAYS; i++)
        free(layout->sorted[i]);
    *layout = (ftr_layout){0};
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* A string of CTF ends at its first NUL: each becomes U+FFFD. */
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

static bool set_text(bt_field *field, ftr_view text)
{
    bt_field_string_clear(field);
    if (text.data == NULL || text.size == 0)
        return true;
    if (memchr(text.data, '\0', text.size) != NULL)
        return set_text_with_nuls(field, text);
    return bt_field_string_append_with_length(field, text.data, text.size) ==
           BT_FIELD_STRING_APPEND_STATUS_OK;
}

static bt_field *member(bt_field *structure, uint64_t index)
{
    return bt_field_structure_borrow_member_field_by_index(structure, index);
}

static ftr_layout_array array_of(const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        return FTR_LAYOUT_BOOLEANS;
    case FTR_FORM_INTEGER:
        return FTR_LAYOUT_INTEGERS;
    case FTR_FORM_NUMBER:
        return attribute->type == FTR_TYPE_INTEGER && attribute->as.number <= INT64_MAX
                   ? FTR_LAYOUT_INTEGERS
                   : FTR_LAYOUT_UNSIGNEDS;
    case FTR_FORM_REAL:
        return FTR_LAYOUT_REALS;
    default:
        return FTR_LAYOUT_TEXTS; /* without a value: an empty text of type NONE */
    }
}

static bool keep(ftr_layout *layout, ftr_layout_array array, const ftr_attribute_value *attribute)
{
    if (layout->counts[array] == layout->capacities[array]) {
        const size_t capacity = layout->capacities[array] * 2 + 8;
        ftr_attribute_value *grown =
            realloc(layout->sorted[array], capacity * sizeof *layout->sorted[array]);
        if (grown == NULL)
            return false;
        layout->sorted[array] = grown;
        layout->capacities[array] = capacity;
    }
    layout->sorted[array][layout->counts[array]++] = *attribute;
    return true;
}

static bool set_value(ftr_layout_array array, const ftr_attribute_value *attribute, bt_field *field)
{
    switch (array) {
    case FTR_LAYOUT_BOOLEANS:
        bt_field_integer_unsigned_set_value(field, attribute->as.boolean);
        return true;
    case FTR_LAYOUT_INTEGERS:
        bt_field_integer_signed_set_value(field, attribute->form == FTR_FORM_INTEGER
                                                     ? attribute->as.integer
                                                     : (int64_t)attribute->as.number);
        return true;
    case FTR_LAYOUT_UNSIGNEDS:
        bt_field_integer_unsigned_set_value(field, attribute->as.number);
        return true;
    case FTR_LAYOUT_REALS:
        bt_field_real_double_precision_set_value(field, attribute->as.real);
        return true;
    default:
        return attribute->form == FTR_FORM_TEXT ? set_text(field, attribute->as.text)
                                                : set_text(field, (ftr_view){0});
    }
}

static bool fill_array(const ftr_layout *layout, ftr_layout_array array, bt_field *field)
{
    const size_t count = layout->counts[array];
    if (bt_field_array_dynamic_set_length(field, count) !=
        BT_FIELD_DYNAMIC_ARRAY_SET_LENGTH_STATUS_OK)
        return false;
    for (size_t i = 0; i < count; i++) {
        const ftr_attribute_value *attribute = &layout->sorted[array][i];
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

/* Events are of the class that has the arrays they need and no other: most have none or one, and an
 * empty array costs as much as a full one. */
const bt_event_class *ftr_layout_collect(ftr_layout *layout, ftr_layout_event kind,
                                         ftr_reader *reader, ftr_transaction *tx)
{
    static const char *const NAMES[] = {"tx_begin", "tx_end", "tx_instant"};
    unsigned arrays = 0;
    ftr_attribute_value attribute;
    memset(layout->counts, 0, sizeof layout->counts);
    while (ftr_reader_next_attribute(reader, tx, &attribute))
        if (kind == FTR_LAYOUT_INSTANT ||
            (kind == FTR_LAYOUT_BEGIN) == (attribute.class_ == FTR_CLASS_BEGIN)) {
            const ftr_layout_array array = array_of(&attribute);
            if (!keep(layout, array, &attribute))
                return NULL;
            arrays |= 1U << array;
        }
    bt_event_class **class_ = &layout->events[kind][arrays];
    if (*class_ == NULL)
        *class_ = event_class(layout->transactions, NAMES[kind],
                              transaction_payload(layout->trace_class, arrays));
    return *class_;
}

bool ftr_layout_fill(const ftr_layout *layout, const ftr_transaction *tx, bt_event *event)
{
    bt_field *payload = bt_event_borrow_payload_field(event);
    bt_field_integer_unsigned_set_value(member(payload, 0), tx->id);
    if (!set_text(member(payload, 1), tx->generator->name))
        return false;
    uint64_t next = 2;
    for (unsigned i = 0; i < FTR_LAYOUT_ARRAYS; i++)
        if (layout->counts[i] > 0 &&
            !fill_array(layout, (ftr_layout_array)i, member(payload, next++)))
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
