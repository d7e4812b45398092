/* Copies the attributes of a transaction, which then stay valid when the cursor moves. */
#include "call_record.h"

#include "attribute_types.h"
#include "growing_array.h"
#include "text_view.h"

#define PAYLOAD_PREFIX "trans."

typedef struct field_name {
    const char *name;
    ftr_call_field field;
} field_name;

static const field_name NAMES[] = {
    {"trans.id", FTR_CALL_IDENTITY},
    {"trans.address", FTR_CALL_ADDRESS},
    {"trans.data_length", FTR_CALL_LENGTH},
    {"trans.streaming_width", FTR_CALL_STREAMING_WIDTH},
    {"trans.byte_enable_length", FTR_CALL_ENABLE_LENGTH},
    {"trans.data", FTR_CALL_DATA},
    {"trans.dmi_allowed", FTR_CALL_DMI_ALLOWED},
    {"start_delay", FTR_CALL_START_DELAY},
    {"end_delay", FTR_CALL_END_DELAY},
    {"delay", FTR_CALL_DELAY},
    {"delay[return_path]", FTR_CALL_DELAY_AFTER},
    {"unfinished", FTR_CALL_UNFINISHED},
    {"lowered_by", FTR_CALL_LOWERED},
    {"trans.command", FTR_CALL_COMMAND},
    {"trans.gp_option", FTR_CALL_OPTION},
    {"trans.response_status", FTR_CALL_RESPONSE},
    {"tlm_phase", FTR_CALL_PHASE},
    {"tlm_phase[return_path]", FTR_CALL_PHASE_AFTER},
    {"tlm_sync", FTR_CALL_SYNC},
};

/* An attribute that is not a field, in ftr_call.others. The name and the text follow. */
typedef struct other_attribute {
    ftr_attribute_value value; /* its views are not valid */
    size_t name_size, text_size;
} other_attribute;

static ftr_call_field field_of(ftr_view name)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        if (ftr_view_is(name, NAMES[i].name))
            return NAMES[i].field;
    return FTR_CALL_FIELDS;
}

const char *ftr_call_text(const ftr_call *call, ftr_call_field field)
{
    return ftr_call_has(call, field) ? call->texts[field - FTR_CALL_NUMBERS] : "";
}

static ftr_view without_prefix(ftr_view text, const char *prefix)
{
    const size_t size = strlen(prefix);
    if (ftr_text_begins(text.data, text.size, prefix) && text.size > size)
        text = (ftr_view){text.data + size, text.size - size};
    return text;
}

/* Copies a text without the parts that the names of TLM-2.0 have in common. */
static void put_text(ftr_call *call, ftr_call_field field, ftr_view text)
{
    static const char SUFFIX[] = "_RESPONSE";
    char *to = call->texts[field - FTR_CALL_NUMBERS];
    text = without_prefix(without_prefix(text, "tlm::"), "TLM_");
    if (field == FTR_CALL_RESPONSE && ftr_text_ends(text.data, text.size, SUFFIX) &&
        text.size >= sizeof SUFFIX)
        text.size -= sizeof SUFFIX - 1;
    const size_t size = text.size < FTR_CALL_TEXT_SIZE ? text.size : FTR_CALL_TEXT_SIZE - 1;
    memcpy(to, text.data, size);
    to[size] = '\0';
}

/* Stores the value of a field. @return false if its form is not the form of the field */
static bool put_field(ftr_call *call, ftr_call_field field, const ftr_attribute_value *value)
{
    if (field >= FTR_CALL_NUMBERS && value->form == FTR_FORM_TEXT && value->as.text.data != NULL)
        put_text(call, field, value->as.text);
    else if (field < FTR_CALL_NUMBERS && value->form == FTR_FORM_BOOLEAN)
        call->numbers[field] = value->as.boolean;
    else if (field < FTR_CALL_NUMBERS && value->form == FTR_FORM_NUMBER)
        call->numbers[field] = value->as.number;
    else if (field == FTR_CALL_DATA && value->form == FTR_FORM_INTEGER)
        call->numbers[field] = (uint64_t)value->as.integer;
    else
        return false;
    call->has |= UINT32_C(1) << field;
    return true;
}

static bool put_other(ftr_call *call, const ftr_attribute_value *value)
{
    const bool is_text = value->form == FTR_FORM_TEXT && value->as.text.data != NULL;
    ftr_view name = without_prefix(value->name, PAYLOAD_PREFIX);
    if (ftr_view_is(value->name, "trans.bytes"))
        name = (ftr_view){"data", strlen("data")};
    const other_attribute other = {*value, name.data != NULL ? name.size : 0,
                                   is_text ? value->as.text.size : 0};
    const size_t size = sizeof other + other.name_size + other.text_size;
    if (!ftr_array_fit(&call->others, &call->others_capacity, call->others_size + size, 1))
        return false;
    unsigned char *to = call->others + call->others_size;
    memcpy(to, &other, sizeof other);
    if (other.name_size > 0)
        memcpy(to + sizeof other, name.data, other.name_size);
    if (other.text_size > 0)
        memcpy(to + sizeof other + other.name_size, value->as.text.data, other.text_size);
    call->others_size += size;
    return true;
}

bool ftr_call_decode(ftr_call *call, ftr_reader *reader, ftr_transaction *tx)
{
    ftr_attribute_value value;
    char digits[FTR_VECTOR_DIGITS];
    call->id = tx->id;
    call->begin = tx->begin;
    call->end = tx->end > tx->begin ? tx->end : tx->begin;
    call->stream = tx->stream;
    call->generator = tx->generator;
    call->has = 0;
    call->others_size = 0;
    ftr_transaction_rewind(tx);
    while (ftr_reader_next_attribute(reader, tx, &value)) {
        ftr_vector_as_text(&value, digits);
        const ftr_call_field field = field_of(value.name);
        if (field < FTR_CALL_FIELDS && put_field(call, field, &value))
            continue;
        if (!put_other(call, &value))
            return false;
    }
    return true;
}

bool ftr_call_copy(ftr_call *to, const ftr_call *from)
{
    unsigned char *others = to->others;
    size_t capacity = to->others_capacity;
    if (!ftr_array_fit(&others, &capacity, from->others_size, 1))
        return false;
    *to = *from;
    to->others = others;
    to->others_capacity = capacity;
    if (from->others_size > 0)
        memcpy(others, from->others, from->others_size);
    return true;
}

void ftr_call_release(ftr_call *call)
{
    free(call->others);
    *call = (ftr_call){0};
}

bool ftr_call_next_other(const ftr_call *call, size_t *at, ftr_attribute_value *attribute)
{
    other_attribute other;
    if (*at + sizeof other > call->others_size)
        return false;
    const char *texts = (const char *)call->others + *at + sizeof other;
    memcpy(&other, call->others + *at, sizeof other);
    *attribute = other.value;
    attribute->name = (ftr_view){texts, other.name_size};
    if (attribute->form == FTR_FORM_TEXT)
        attribute->as.text = (ftr_view){texts + other.name_size, other.text_size};
    *at += sizeof other + other.name_size + other.text_size;
    return true;
}

const char *ftr_call_command(const ftr_call *call)
{
    const char *command = ftr_call_text(call, FTR_CALL_COMMAND);
    const ftr_view generator = call->generator->name;
    if (ftr_view_is(generator, "read") || strcmp(command, "READ_COMMAND") == 0)
        return "read";
    if (ftr_view_is(generator, "write") || strcmp(command, "WRITE_COMMAND") == 0)
        return "write";
    return "ignore";
}
