/* Converts babeltrace's field classes to attributes (docs/exchange.md). */
#include "sink_fields.h"

#include "hash.h"

#include <stdio.h>
#include <string.h>

#define NAME_SIZE 1024
#define BITS_MAX 64

/* The destination of attributes, and the name of the current attribute, to which parts are
 * appended. */
typedef struct writer {
    const ftr_sink_attributes *to;
    char name[NAME_SIZE];
} writer;

static void put(writer *w, const ftr_value *value)
{
    ftr_import_keep(w->to->target,
                    ftr_tx_put_named(w->to->target->recorder, w->to->tx, w->to->class_,
                                     w->name[0] != '\0' ? w->name : "value", value));
}

static void put_text(writer *w, ftr_type type, const char *text)
{
    put(w, &(ftr_value){.type = type, .text_length = FTR_NUL_TERMINATED, .as.text = text});
}

static void put_field(writer *w, size_t size, const bt_field *field);

/* ---- scalars --------------------------------------------------------------------------------- */

static void put_bits(writer *w, const bt_field *field)
{
    char bits[BITS_MAX + 1];
    const uint64_t length = bt_field_class_bit_array_get_length(bt_field_borrow_class_const(field));
    const uint64_t value = bt_field_bit_array_get_value_as_integer(field);
    const unsigned count = length < BITS_MAX ? (unsigned)length : BITS_MAX;
    for (unsigned i = 0; i < count; i++)
        bits[i] = (value >> (count - 1 - i) & 1) != 0 ? '1' : '0';
    bits[count] = '\0';
    put_text(w, FTR_TYPE_BIT_VECTOR, bits);
}

static void put_integer(writer *w, bt_field_class_type type, const bt_field *field)
{
    ftr_value value = {.type = FTR_TYPE_UNSIGNED};
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)) {
        value.as.number = bt_field_integer_unsigned_get_value(field);
    } else {
        value.type = FTR_TYPE_INTEGER;
        value.as.integer = bt_field_integer_signed_get_value(field);
    }
    put(w, &value);
}

/* Puts the value of an enumeration: all its labels, or the number if it has no label. */
static void put_enumeration(writer *w, bt_field_class_type type, const bt_field *field)
{
    char text[NAME_SIZE];
    bt_field_class_enumeration_mapping_label_array labels;
    uint64_t count = 0;
    const bt_field_enumeration_get_mapping_labels_status status =
        bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER)
            ? bt_field_enumeration_unsigned_get_mapping_labels(field, &labels, &count)
            : bt_field_enumeration_signed_get_mapping_labels(field, &labels, &count);
    if (status != BT_FIELD_ENUMERATION_GET_MAPPING_LABELS_STATUS_OK || count == 0) {
        put_integer(w, type, field);
        return;
    }
    if (count == 1) {
        put_text(w, FTR_TYPE_ENUMERATION, labels[0]);
        return;
    }
    size_t size = 0;
    for (uint64_t i = 0; i < count && size < sizeof text; i++)
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "%s%s", i > 0 ? "|" : "", labels[i]);
    put_text(w, FTR_TYPE_ENUMERATION, text);
}

static void put_real(writer *w, bt_field_class_type type, const bt_field *field)
{
    const ftr_value value = {.type = FTR_TYPE_FLOATING_POINT,
                             .as.real =
                                 type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL
                                     ? (double)bt_field_real_single_precision_get_value(field)
                                     : bt_field_real_double_precision_get_value(field)};
    put(w, &value);
}

/* ---- compounds ------------------------------------------------------------------------------- */

/* Appends @p separator and @p part to the first @p size bytes of the name. @return new size of the
 * name */
static size_t append(writer *w, size_t size, const char *separator, const char *part)
{
    const int more =
        snprintf(w->name + size, sizeof w->name - size, "%s%s", size > 0 ? separator : "", part);
    size += more > 0 ? (size_t)more : 0;
    return size < sizeof w->name ? size : sizeof w->name - 1;
}

static bool is_omitted(const writer *w, const bt_field *field)
{
    for (size_t i = 0; i < w->to->omitted_count; i++)
        if (w->to->omitted[i] == field)
            return true;
    return false;
}

static void put_structure(writer *w, size_t size, const bt_field *field)
{
    const bt_field_class *class_ = bt_field_borrow_class_const(field);
    const uint64_t count = bt_field_class_structure_get_member_count(class_);
    if (count == 0 && size > 0 && w->name[size - 1] != '.')
        put_text(w, FTR_TYPE_STRING, "{}");
    for (uint64_t i = 0; i < count; i++) {
        const char *name = bt_field_class_structure_member_get_name(
            bt_field_class_structure_borrow_member_by_index_const(class_, i));
        const char *separator = size > 0 && w->name[size - 1] == '.' ? "" : ".";
        const bt_field *member = bt_field_structure_borrow_member_field_by_index_const(field, i);
        if (is_omitted(w, member))
            continue;
        put_field(w, append(w, size, separator, name), member);
        w->name[size] = '\0';
    }
}

static void put_array(writer *w, size_t size, const bt_field *field)
{
    char index[32];
    const uint64_t count = bt_field_array_get_length(field);
    if (count == 0)
        put_text(w, FTR_TYPE_STRING, "[]");
    for (uint64_t i = 0; i < count; i++) {
        (void)snprintf(index, sizeof index, "[%llu]", (unsigned long long)i);
        put_field(w, append(w, size, "", index),
                  bt_field_array_borrow_element_field_by_index_const(field, i));
        w->name[size] = '\0';
    }
}

/* Puts the selected option of a variant. The name of the attribute includes the name of the option,
 * because the field that selects the option may be in another scope. */
static void put_variant(writer *w, size_t size, const bt_field *field)
{
    const char *option =
        bt_field_class_variant_option_get_name(bt_field_class_variant_borrow_option_by_index_const(
            bt_field_borrow_class_const(field), bt_field_variant_get_selected_option_index(field)));
    put_field(w, option != NULL ? append(w, size, ".", option) : size,
              bt_field_variant_borrow_selected_option_field_const(field));
    w->name[size] = '\0';
}

/* Puts a field of any class. The first @p size bytes of `w->name` are the name of this field. */
static void put_field(writer *w, size_t size, const bt_field *field)
{
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (type == BT_FIELD_CLASS_TYPE_BOOL)
        put(w, &(ftr_value){.type = FTR_TYPE_BOOLEAN,
                            .as.boolean = bt_field_bool_get_value(field) != BT_FALSE});
    else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
        put_bits(w, field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION))
        put_enumeration(w, type, field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER))
        put_integer(w, type, field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_REAL))
        put_real(w, type, field);
    else if (type == BT_FIELD_CLASS_TYPE_STRING)
        put_text(w, FTR_TYPE_STRING, ftr_sink_text(field));
    else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
        put_structure(w, size, field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
        put_array(w, size, field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
        put_variant(w, size, field);
    else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION) &&
             bt_field_option_borrow_field_const(field) != NULL)
        put_field(w, size, bt_field_option_borrow_field_const(field));
}

void ftr_sink_put_fields(const ftr_sink_attributes *to, const char *prefix,
                         const bt_field *structure)
{
    writer w = {.to = to};
    if (structure != NULL)
        put_structure(&w, append(&w, 0, "", prefix), structure);
}

/* ---- single fields --------------------------------------------------------------------------- */

const bt_field *ftr_sink_packet_context(const bt_event *event)
{
    const bt_stream_class *class_ =
        bt_stream_borrow_class_const(bt_event_borrow_stream_const(event));
    return bt_stream_class_supports_packets(class_)
               ? bt_packet_borrow_context_field_const(bt_event_borrow_packet_const(event))
               : NULL;
}

const bt_field *ftr_sink_member(const bt_field *structure, const char *name)
{
    return structure != NULL && bt_field_get_class_type(structure) == BT_FIELD_CLASS_TYPE_STRUCTURE
               ? bt_field_structure_borrow_member_field_by_name_const(structure, name)
               : NULL;
}

/* babeltrace 2.0.4 uses the fields of earlier events again. For an empty text, it sets only the
 * length: the bytes are still those of the earlier text. */
const char *ftr_sink_text(const bt_field *field)
{
    return field != NULL && bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_STRING &&
                   bt_field_string_get_length(field) > 0
               ? bt_field_string_get_value(field)
               : "";
}

uint64_t ftr_sink_number(const bt_field *field)
{
    if (field == NULL)
        return 0;
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
        return bt_field_integer_unsigned_get_value(field);
    if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER))
        return (uint64_t)bt_field_integer_signed_get_value(field);
    return 0;
}

uint64_t ftr_sink_hash_text(uint64_t seed, const char *text)
{
    const uint64_t hash = ftr_hash_text(FTR_HASH_SEED ^ seed, text, strlen(text));
    return hash ^ hash >> 29;
}

uint64_t ftr_sink_hash_field(const bt_field *field, bool *is_whole)
{
    *is_whole = true;
    if (field == NULL) {
        *is_whole = false;
        return 1;
    }
    const bt_field_class_type type = bt_field_get_class_type(field);
    if (type == BT_FIELD_CLASS_TYPE_STRING)
        return ftr_sink_hash_text(2, ftr_sink_text(field));
    if (type == BT_FIELD_CLASS_TYPE_BOOL)
        return bt_field_bool_get_value(field) != BT_FALSE ? 4 : 3;
    if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
        return bt_field_bit_array_get_value_as_integer(field) + 3;
    *is_whole = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_INTEGER);
    return ftr_sink_number(field) + 3;
}
