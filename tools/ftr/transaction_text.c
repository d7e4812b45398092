/* The text form of a transaction. */
#include "transaction_text.h"

#include "attribute_types.h"

const char *ftr_class_name(ftr_attribute_class class_)
{
    static const char *const NAMES[] = {"begin", "record", "end"};
    return NAMES[class_];
}

static void put_view_plain(ftr_printer *text, ftr_view view)
{
    if (view.data != NULL)
        ftr_print_plain(text, view.data, view.size);
    else
        ftr_print_char(text, '?');
}

static bool is_address(const ftr_attribute_value *attribute)
{
    return attribute->type == FTR_TYPE_POINTER ||
           (attribute->name.data != NULL &&
            ftr_is_address_name(attribute->name.data, attribute->name.size));
}

void ftr_put_value_plain(ftr_printer *text, const ftr_attribute_value *attribute,
                         ftr_value_style style)
{
    if (attribute->form == FTR_FORM_NUMBER && attribute->type == FTR_TYPE_TIME)
        ftr_print_time(text, attribute->as.number, style.time_scale);
    else if (attribute->form == FTR_FORM_NUMBER && !style.decimal && is_address(attribute))
        ftr_print_hexadecimal(text, attribute->as.number);
    else if (attribute->form == FTR_FORM_TEXT)
        put_view_plain(text, attribute->as.text);
    else
        ftr_put_value_json(text, attribute);
}

#define PUT_LITERAL(text, literal) ftr_print(text, literal, sizeof(literal) - 1)

void ftr_put_transaction_json(ftr_printer *text, ftr_reader *reader, ftr_transaction *tx,
                              uint64_t parent, const ftr_link_names *links)
{
    PUT_LITERAL(text, "{\"record\": \"transaction\", \"id\": ");
    ftr_print_uint(text, tx->id);
    PUT_LITERAL(text, ", \"stream\": ");
    ftr_put_view_json(text, tx->stream->name);
    if (ftr_link_has_label(links, tx->stream->name)) {
        PUT_LITERAL(text, ", \"link\": ");
        ftr_put_view_json(text, ftr_link_label(links, tx->stream->name));
    }
    PUT_LITERAL(text, ", \"generator\": ");
    ftr_put_view_json(text, tx->generator->name);
    PUT_LITERAL(text, ", \"begin\": ");
    ftr_print_uint(text, tx->begin);
    PUT_LITERAL(text, ", \"end\": ");
    ftr_print_uint(text, tx->end);
    if (parent != FTR_NO_PARENT) {
        PUT_LITERAL(text, ", \"parent\": ");
        ftr_print_uint(text, parent);
    }
    PUT_LITERAL(text, ", \"attributes\": [");
    ftr_attribute_value attribute;
    for (const char *comma = ""; ftr_reader_next_attribute(reader, tx, &attribute); comma = ", ") {
        ftr_print_string(text, comma);
        PUT_LITERAL(text, "[\"");
        ftr_print_string(text, ftr_class_name(attribute.class_));
        PUT_LITERAL(text, "\", ");
        ftr_put_view_json(text, attribute.name);
        PUT_LITERAL(text, ", \"");
        ftr_print_string(text, ftr_type_name(attribute.type));
        PUT_LITERAL(text, "\", ");
        ftr_put_value_json(text, &attribute);
        ftr_print_char(text, ']');
    }
    PUT_LITERAL(text, "]}");
}

void ftr_put_transaction_plain(ftr_printer *text, ftr_reader *reader, ftr_transaction *tx,
                               uint64_t parent, ftr_value_style style)
{
    ftr_print_char(text, '[');
    ftr_print_time(text, tx->begin, style.time_scale);
    PUT_LITERAL(text, " .. ");
    ftr_print_time(text, tx->end, style.time_scale);
    PUT_LITERAL(text, "] ");
    put_view_plain(text, ftr_link_label(style.links, tx->stream->name));
    ftr_print_char(text, ' ');
    ftr_print_plain(text, tx->generator->name.data, tx->generator->name.size);
    PUT_LITERAL(text, " #");
    ftr_print_uint(text, tx->id);
    if (parent != FTR_NO_PARENT) {
        PUT_LITERAL(text, " in #");
        ftr_print_uint(text, parent);
    }
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        ftr_print_char(text, ' ');
        put_view_plain(text, attribute.name);
        ftr_print_char(text, '=');
        ftr_put_value_plain(text, &attribute, style);
    }
}
