/* The attributes of accesses. An attribute with its usual value is omitted: a delay of 0, a
 * streaming width that is not less than the length, the option TLM_MIN_PAYLOAD. */
#include "folded_access.h"

#include "text_view.h"

#include <string.h>

const char *const ftr_phase_names[FTR_CODES] = {"", "BEGIN_REQ", "END_REQ", "BEGIN_RESP",
                                                "END_RESP"};

ftr_phase_code ftr_phase_code_of(const char *name)
{
    for (ftr_phase_code code = FTR_CODE_BEGIN_REQ; code < FTR_CODES; code++)
        if (strcmp(name, ftr_phase_names[code]) == 0)
            return code;
    return FTR_CODE_OTHER;
}

typedef struct attribute_sink {
    ftr_put_attribute *put;
    void *user;
    bool is_stopped;
} attribute_sink;

static void put(attribute_sink *to, const ftr_attribute_value *value)
{
    to->is_stopped = to->is_stopped || !to->put(to->user, value);
}

static ftr_attribute_value named(const char *name, ftr_attribute_class class_, ftr_type type,
                                 ftr_form form)
{
    return (ftr_attribute_value){
        .name = {name, strlen(name)}, .class_ = class_, .type = type, .form = form};
}

static void put_number(attribute_sink *to, const char *name, ftr_attribute_class class_,
                       ftr_type type, uint64_t number)
{
    ftr_attribute_value value = named(name, class_, type, FTR_FORM_NUMBER);
    value.as.number = number;
    put(to, &value);
}

static void put_text(attribute_sink *to, const char *name, ftr_attribute_class class_,
                     const char *text)
{
    ftr_attribute_value value = named(name, class_, FTR_TYPE_STRING, FTR_FORM_TEXT);
    value.as.text = (ftr_view){text, strlen(text)};
    put(to, &value);
}

static void put_true(attribute_sink *to, const char *name)
{
    ftr_attribute_value value = named(name, FTR_CLASS_END, FTR_TYPE_BOOLEAN, FTR_FORM_BOOLEAN);
    value.as.boolean = true;
    put(to, &value);
}

static void put_field(attribute_sink *to, const ftr_call *call, ftr_call_field field,
                      const char *name)
{
    if (ftr_call_has(call, field))
        put_number(to, name, FTR_CLASS_BEGIN, FTR_TYPE_UNSIGNED, call->numbers[field]);
}

/* ---- data ------------------------------------------------------------------------------------ */

/* Finds an attribute of a call by its name, among those without an ftr_call_field. */
static bool find_other(const ftr_call *call, const char *name, ftr_attribute_value *found)
{
    size_t at = 0;
    while (ftr_call_next_other(call, &at, found))
        if (ftr_view_is(found->name, name))
            return true;
    return false;
}

/* Puts the attribute `data`: the recorded text of the data if there is one, otherwise the bytes of
 * the number FTR_CALL_DATA, at most @p limit of them. */
static void put_data(attribute_sink *to, const ftr_call *call, uint64_t limit)
{
    static const char DIGITS[] = "0123456789abcdef";
    ftr_attribute_value bytes;
    if (find_other(call, "data", &bytes)) {
        put(to, &bytes);
        return;
    }
    if (!ftr_call_has(call, FTR_CALL_DATA))
        return;
    uint64_t length = ftr_call_has(call, FTR_CALL_LENGTH) ? call->numbers[FTR_CALL_LENGTH] : 8;
    length = length < limit ? length : limit;
    char text[2 * sizeof(uint64_t) + 1];
    size_t size = 0;
    for (uint64_t i = 0; i < length && i < sizeof(uint64_t); i++) {
        const unsigned byte = (unsigned)(call->numbers[FTR_CALL_DATA] >> 8 * i & 0xff);
        text[size++] = DIGITS[byte >> 4];
        text[size++] = DIGITS[byte & 0xf];
    }
    text[size] = '\0';
    if (size > 0)
        put_text(to, "data", FTR_CLASS_RECORD, text);
}

/* Puts the data if it is valid: in the request of a write, and in the response of a successful
 * read. In a debug call, only the transported bytes are valid. */
static void put_valid_data(attribute_sink *to, const ftr_access *access, uint64_t payload)
{
    const ftr_call *response = access->response;
    ftr_attribute_value transported;
    if (access->place == FTR_PLACE_DEBUG) {
        const bool is_known = find_other(access->request, "transported", &transported) &&
                              transported.form == FTR_FORM_NUMBER;
        put_data(to, access->request,
                 is_known && transported.as.number < payload ? transported.as.number : payload);
    } else if (ftr_view_is(access->generator, "write"))
        put_data(to, access->request, payload);
    else if (ftr_view_is(access->generator, "read") && response != NULL &&
             strcmp(ftr_call_text(response, FTR_CALL_RESPONSE), "OK") == 0)
        put_data(to, response, payload);
}

/* ---- other attributes ------------------------------------------------------------------------ */

static void put_others(attribute_sink *to, const ftr_call *call)
{
    ftr_attribute_value value;
    size_t at = 0;
    while (ftr_call_next_other(call, &at, &value))
        if (!ftr_view_is(value.name, "data"))
            put(to, &value);
}

static void put_request_details(attribute_sink *to, const ftr_call *request)
{
    const char *option = ftr_call_text(request, FTR_CALL_OPTION);
    if (ftr_call_number(request, FTR_CALL_STREAMING_WIDTH) <
            ftr_call_number(request, FTR_CALL_LENGTH) &&
        ftr_call_has(request, FTR_CALL_STREAMING_WIDTH))
        put_field(to, request, FTR_CALL_STREAMING_WIDTH, "streaming_width");
    if (*option != '\0' && strcmp(option, "MIN_PAYLOAD") != 0)
        put_text(to, "gp_option", FTR_CLASS_BEGIN, option);
}

/* Puts the response status. @param has_hint whether the DMI hint is put, too */
static void put_answer(attribute_sink *to, const ftr_call *response, bool has_hint)
{
    const char *status = ftr_call_text(response, FTR_CALL_RESPONSE);
    if (*status != '\0')
        put_text(to, "response", FTR_CLASS_END, status);
    if (has_hint && ftr_call_number(response, FTR_CALL_DMI_ALLOWED) != 0)
        put_true(to, "dmi_allowed");
}

static void put_times(attribute_sink *to, const ftr_access *access)
{
    if (access->has_request_time)
        put_number(to, "request_time", FTR_CLASS_END, FTR_TYPE_TIME, access->request_time);
    if (access->has_response_time)
        put_number(to, "response_time", FTR_CLASS_END, FTR_TYPE_TIME, access->response_time);
    if (access->phase != FTR_CODE_OTHER)
        put_text(to, "phase", FTR_CLASS_END, ftr_phase_names[access->phase]);
    if (access->is_unfinished)
        put_true(to, "unfinished");
    if (access->lowered_by > 0)
        put_number(to, "lowered_by", FTR_CLASS_END, FTR_TYPE_TIME, access->lowered_by);
}

/* Returns the name of an attribute of a DMI call in a recording of accesses. */
static ftr_view dmi_name(ftr_view name)
{
    static const char PREFIX[] = "dmi_data.";
    if (ftr_text_begins(name.data, name.size, PREFIX) && name.size >= sizeof PREFIX)
        return (ftr_view){name.data + sizeof PREFIX - 1, name.size - (sizeof PREFIX - 1)};
    if (ftr_view_is(name, "start_addr"))
        return (ftr_view){"start_address", strlen("start_address")};
    if (ftr_view_is(name, "end_addr"))
        return (ftr_view){"end_address", strlen("end_address")};
    return name;
}

static void put_dmi(attribute_sink *to, const ftr_call *call)
{
    static const char PREFIX[] = "tlm::DMI_ACCESS_";
    ftr_attribute_value value;
    size_t at = 0;
    const char *command = ftr_call_command(call);
    if (ftr_call_has(call, FTR_CALL_COMMAND))
        put_text(to, "command", FTR_CLASS_BEGIN,
                 *command == 'r'   ? "READ"
                 : *command == 'w' ? "WRITE"
                                   : "IGNORE");
    put_field(to, call, FTR_CALL_ADDRESS, "address");
    while (ftr_call_next_other(call, &at, &value)) {
        ftr_view *text = &value.as.text;
        if (ftr_view_is(value.name, "start_addr") || ftr_view_is(value.name, "end_addr"))
            /* the class of the same names in `get`, because viewers keep one class for a name */
            value.class_ = FTR_CLASS_END;
        value.name = dmi_name(value.name);
        if (value.form == FTR_FORM_TEXT && ftr_text_begins(text->data, text->size, PREFIX))
            *text = (ftr_view){text->data + sizeof PREFIX - 1, text->size - (sizeof PREFIX - 1)};
        put(to, &value);
    }
}

bool ftr_access_each_attribute(const ftr_access *access, uint64_t payload, ftr_put_attribute *take,
                               void *user)
{
    attribute_sink to = {take, user, false};
    const ftr_call *request = access->request;
    if (access->place == FTR_PLACE_DMI) {
        put_dmi(&to, request);
        return !to.is_stopped;
    }
    if (access->place == FTR_PLACE_PHASES) {
        put_field(&to, request, FTR_CALL_ADDRESS, "address");
        return !to.is_stopped;
    }
    put_field(&to, request, FTR_CALL_IDENTITY, "payload_id");
    put_field(&to, request, FTR_CALL_ADDRESS, "address");
    put_field(&to, request, FTR_CALL_LENGTH, "length");
    if (access->delay > 0)
        put_number(&to, "delay", FTR_CLASS_BEGIN, FTR_TYPE_TIME, access->delay);
    put_valid_data(&to, access, payload);
    if (access->response != NULL)
        put_answer(&to, access->response, access->place == FTR_PLACE_LINK);
    put_times(&to, access);
    if (access->place == FTR_PLACE_LINK)
        put_request_details(&to, request);
    put_others(&to, request);
    if (access->response != NULL && access->response != request)
        put_others(&to, access->response);
    return !to.is_stopped;
}
