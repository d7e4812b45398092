/* Rules for recorded accesses. If the effective time goes back during an access, an attribute of
 * the access says by how much (`lowered_by`). Only if the response begins before the end of the
 * request, there is no such attribute, and the times are compared. An early completion has no
 * phases and looks like a blocking access: its lowered time is reported as delay-lowered, which
 * belongs to the same clause as delay-decreases. */
#include "protocol_access.h"

#include "text_view.h"

#include <ftr/detail/protocol_rules.h>

enum {
#define ENUMERATOR(identifier, name, clause, severity, demand) RULE_##identifier,
    FTR_PROTOCOL_RULE_TABLE(ENUMERATOR)
#undef ENUMERATOR
};

/* The attributes that rules need, in the order of NAMES. */
enum {
    IDENTITY,
    ADDRESS,
    LENGTH,
    DELAY,
    DATA,
    RESPONSE,
    REQUEST_TIME,
    RESPONSE_TIME,
    PHASE,
    UNFINISHED,
    LOWERED,
    REQUEST_LOWERED,
    RESPONSE_LOWERED,
    WIDTH,
    ENABLES,
    OPTION,
    COMMAND,
    GRANTED,
    START,
    END,
    ACCESS,
    TRANSPORTED,
    ATTRIBUTES
};

static const char *const NAMES[ATTRIBUTES] = {
    "payload_id",
    "address",
    "length",
    "delay",
    "data",
    "response",
    "request_time",
    "response_time",
    "phase",
    "unfinished",
    "lowered_by",
    "request_lowered_by",
    "response_lowered_by",
    "streaming_width",
    "byte_enable",
    "gp_option",
    "command",
    "granted",
    "start_address",
    "end_address",
    "access",
    "transported",
};

_Static_assert((int)ATTRIBUTES <= (int)FTR_PROTOCOL_VALUES, "a place for each attribute");

static bool has(const ftr_protocol_access_checker *c, unsigned attribute)
{
    return c->values.has[attribute];
}

static uint64_t number(const ftr_protocol_access_checker *c, unsigned attribute)
{
    return c->values.number[attribute];
}

static bool is(const ftr_protocol_access_checker *c, unsigned attribute, const char *text)
{
    return ftr_protocol_value_is(&c->values, attribute, text);
}

static void report(const ftr_protocol_access_checker *c, const ftr_transaction *tx, unsigned rule,
                   const char *observation)
{
    c->report(c->user, rule, has(c, IDENTITY) ? number(c, IDENTITY) : 0, tx, observation);
}

/* ---- one access ------------------------------------------------------------------------------ */

/* Returns whether an access was certainly made in phases, by nb_transport. */
static bool is_in_phases(const ftr_protocol_access_checker *c)
{
    return has(c, REQUEST_TIME) || has(c, RESPONSE_TIME) || has(c, PHASE);
}

static void check_request(const ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    const bool transfers = !ftr_view_is(tx->generator->name, "ignore");
    if (transfers && ftr_protocol_value_is_zero(&c->values, LENGTH))
        report(c, tx, RULE_data_length, "the data length is 0");
    if (transfers && ftr_protocol_value_is_zero(&c->values, WIDTH))
        report(c, tx, RULE_streaming_width, "the streaming width is 0");
    if (has(c, OPTION))
        report(c, tx, RULE_gp_option, "the option is not TLM_MIN_PAYLOAD");
}

/* Returns whether the effective time went back from one phase of an access to the next. */
static bool has_decreased(const ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    if (has(c, REQUEST_LOWERED) || has(c, RESPONSE_LOWERED) || has(c, LOWERED))
        return true;
    if (!has(c, REQUEST_TIME))
        return false;
    const uint64_t request_end = tx->begin + number(c, REQUEST_TIME);
    if (has(c, RESPONSE_TIME))
        return request_end > tx->end - number(c, RESPONSE_TIME);
    return is(c, PHASE, "BEGIN_RESP") && request_end > tx->end;
}

static void check_times(const ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    if (has(c, DELAY) && number(c, DELAY) > INT64_MAX)
        report(c, tx, RULE_delay_negative, "the delay was subtracted below zero");
    else if (is_in_phases(c) && has_decreased(c, tx))
        report(c, tx, RULE_delay_decreases,
               "the effective time of a phase is before that of the phase before");
    else if (!is_in_phases(c) && has(c, LOWERED))
        report(c, tx, RULE_delay_lowered,
               "the effective time of the end is before that of the begin");
}

static void check_response(const ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    if (is(c, RESPONSE, "INCOMPLETE"))
        report(c, tx, RULE_response_end, "the response status is still TLM_INCOMPLETE_RESPONSE");
    if (!has(c, RESPONSE) && !has(c, UNFINISHED))
        report(c, tx, RULE_phase_order, "the access ended before its response began");
}

/* ---- the accesses of a payload --------------------------------------------------------------- */

static void check_order(ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    if (!has(c, IDENTITY) || number(c, IDENTITY) == 0)
        return;
    if (c->order == NULL) {
        c->unsorted++;
        return;
    }
    const bool is_write = ftr_view_is(tx->generator->name, "write");
    const bool is_read = ftr_view_is(tx->generator->name, "read");
    ftr_protocol_call call = {.tx = tx, .identity = number(c, IDENTITY), .is_access = true};
    call.has[FTR_PROTOCOL_COMMAND] = true;
    call.attributes[FTR_PROTOCOL_COMMAND] = is_write + 2U * is_read;
    call.has[FTR_PROTOCOL_DATA_LENGTH] = has(c, LENGTH);
    call.attributes[FTR_PROTOCOL_DATA_LENGTH] = number(c, LENGTH);
    /* A width is recorded if it is less than the length, and byte enables if there are any. */
    call.has[FTR_PROTOCOL_STREAMING_WIDTH] = true;
    call.attributes[FTR_PROTOCOL_STREAMING_WIDTH] = has(c, WIDTH) ? number(c, WIDTH) : UINT64_MAX;
    call.has[FTR_PROTOCOL_ENABLES] = true;
    call.attributes[FTR_PROTOCOL_ENABLES] = has(c, ENABLES) ? number(c, ENABLES) : 0;
    call.has[FTR_PROTOCOL_DATA] = is_write && has(c, DATA);
    call.attributes[FTR_PROTOCOL_DATA] = number(c, DATA);
    ftr_protocol_order_add(c->order, &call);
}

/* ---- DMI and debug transport ----------------------------------------------------------------- */

static void check_grant(const ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    if (is(c, ACCESS, "NONE"))
        report(c, tx, RULE_dmi_grant, "the access type is DMI_ACCESS_NONE");
    else if (number(c, ADDRESS) < number(c, START) || number(c, ADDRESS) > number(c, END))
        report(c, tx, RULE_dmi_grant, "the range does not contain the address");
    else if ((is(c, COMMAND, "READ") && is(c, ACCESS, "WRITE")) ||
             (is(c, COMMAND, "WRITE") && is(c, ACCESS, "READ")))
        report(c, tx, RULE_dmi_access, "the requested command is not allowed");
}

static void check_dmi(const ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    const bool has_range = has(c, START) && has(c, END);
    if (ftr_view_is(tx->generator->name, "get")) {
        if (is(c, COMMAND, "IGNORE"))
            report(c, tx, RULE_dmi_command, "the command is TLM_IGNORE_COMMAND");
        if (has(c, GRANTED) && number(c, GRANTED) != 0 && has(c, ADDRESS) && has_range)
            check_grant(c, tx);
    } else if (ftr_view_is(tx->generator->name, "invalidate") && has_range &&
               number(c, START) > number(c, END)) {
        report(c, tx, RULE_invalidation_range, "the range ends before it starts");
    }
}

static void check_debug(const ftr_protocol_access_checker *c, const ftr_transaction *tx)
{
    if (has(c, TRANSPORTED) && has(c, LENGTH) && number(c, TRANSPORTED) > number(c, LENGTH))
        report(c, tx, RULE_debug_length, "more bytes were returned than the data length");
}

/* ---- one transaction ------------------------------------------------------------------------- */

ftr_protocol_access_kind ftr_protocol_access_kind_of(const ftr_stream_info *stream)
{
    if (ftr_view_is(stream->kind, "TLM"))
        return FTR_PROTOCOL_ACCESS;
    if (ftr_view_is(stream->kind, "TLM DMI"))
        return FTR_PROTOCOL_DMI;
    return ftr_view_is(stream->kind, "TLM debug") ? FTR_PROTOCOL_DEBUG : FTR_PROTOCOL_NO_ACCESS;
}

ftr_view ftr_protocol_access_link(const ftr_stream_info *stream)
{
    static const char *const SUFFIXES[] = {
        [FTR_PROTOCOL_DMI] = "dmi", [FTR_PROTOCOL_DEBUG] = "debug"};
    ftr_view link = stream->name;
    const ftr_protocol_access_kind kind = ftr_protocol_access_kind_of(stream);
    if ((kind == FTR_PROTOCOL_DMI || kind == FTR_PROTOCOL_DEBUG) &&
        ftr_text_ends(link.data, link.size, SUFFIXES[kind]) && link.size > strlen(SUFFIXES[kind]))
        link.size -= strlen(SUFFIXES[kind]) + 1; /* and a dot or a slash before it */
    return link;
}

bool ftr_protocol_access_check(ftr_protocol_access_checker *checker, ftr_protocol_access_kind kind,
                               ftr_transaction *tx)
{
    const ftr_view name = tx->generator->name;
    if (kind == FTR_PROTOCOL_ACCESS && !ftr_view_is(name, "read") && !ftr_view_is(name, "write") &&
        !ftr_view_is(name, "ignore"))
        return false;
    ftr_protocol_values_read(&checker->values, NAMES, ATTRIBUTES, checker->reader, tx);
    if (kind == FTR_PROTOCOL_DMI) {
        check_dmi(checker, tx);
    } else if (kind == FTR_PROTOCOL_DEBUG) {
        check_debug(checker, tx);
    } else {
        checker->with_phase += is_in_phases(checker);
        check_request(checker, tx);
        check_times(checker, tx);
        check_response(checker, tx);
        check_order(checker, tx);
    }
    return true;
}
