/* The pass over a trace, and the rules of the base protocol that can be checked in a single
 * recorded call. Passes calls with an identity to protocol_order.c, and accesses to
 * protocol_access.c. Expects the streams and attributes of docs/attach.md; any program may have
 * recorded them. */
#include "protocol_trace.h"

#include "name_table.h"
#include "protocol_access.h"
#include "protocol_exclusion.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

#include <ftr/detail/protocol_rules.h>

enum {
#define ENUMERATOR(identifier, name, clause, severity, demand) RULE_##identifier,
    FTR_PROTOCOL_RULE_TABLE(ENUMERATOR)
#undef ENUMERATOR
};

#define SEVERITY_error FTR_SEVERITY_ERROR
#define SEVERITY_warning FTR_SEVERITY_WARNING

static const struct {
    const char *name, *clause;
    ftr_severity severity;
} RULES[] = {
#define TEXTS(identifier, name, clause, severity, demand) {name, clause, SEVERITY_##severity},
    FTR_PROTOCOL_RULE_TABLE(TEXTS)
#undef TEXTS
};

/* The attributes that rules need, in the order of NAMES. */
enum {
    COMMAND,
    ADDRESS,
    DATA_LENGTH,
    STREAMING_WIDTH,
    GP_OPTION,
    RESPONSE_STATUS,
    IDENTITY,
    START_DELAY,
    END_DELAY,
    PHASE,
    DELAY,
    SYNC,
    PHASE_AFTER,
    DELAY_AFTER,
    GRANTED,
    DMI_START,
    DMI_END,
    DMI_ACCESS,
    INVALID_START,
    INVALID_END,
    TRANSPORTED,
    UNFINISHED,
    ENABLE_LENGTH,
    DATA,
    ATTRIBUTES
};

static const char *const NAMES[ATTRIBUTES] = {
    "trans.command",
    "trans.address",
    "trans.data_length",
    "trans.streaming_width",
    "trans.gp_option",
    "trans.response_status",
    "trans.id",
    "start_delay",
    "end_delay",
    "tlm_phase",
    "delay",
    "tlm_sync",
    "tlm_phase[return_path]",
    "delay[return_path]",
    "granted",
    "dmi_data.start_address",
    "dmi_data.end_address",
    "dmi_data.access",
    "start_addr",
    "end_addr",
    "transported",
    "unfinished",
    "trans.byte_enable_length",
    "trans.data",
};

/* Number of stored violations. A stored violation is not reported again on other links of the same
 * payload. */
#define REMEMBERED 256

_Static_assert((int)ATTRIBUTES <= (int)FTR_PROTOCOL_VALUES, "a place for each attribute");

typedef struct checker {
    ftr_reader *reader;
    void (*found)(void *user, const ftr_protocol_finding *finding);
    void *user;
    const ftr_transaction *tx;
    ftr_protocol_values values;
    struct {
        uint64_t identity;
        unsigned rule;
    } remembered[REMEMBERED];
    unsigned next;
    /* NULL: not checked, because calls are not read in the order of their begins */
    ftr_protocol_order *order;
    uint64_t unsorted; /* number of calls that would be passed to `order` if it existed */
    ftr_protocol_access_checker accesses;
    ftr_names others; /* links with other protocols than the base protocol */
} checker;

static bool has(const checker *c, unsigned attribute)
{
    return c->values.has[attribute];
}

static uint64_t number(const checker *c, unsigned attribute)
{
    return c->values.number[attribute];
}

static bool is(const checker *c, unsigned attribute, const char *text)
{
    return ftr_protocol_value_is(&c->values, attribute, text);
}

static bool is_zero(const checker *c, unsigned attribute)
{
    return ftr_protocol_value_is_zero(&c->values, attribute);
}

static void report_of(void *user, unsigned rule, uint64_t identity, const ftr_transaction *tx,
                      const char *observation)
{
    checker *c = user;
    for (unsigned i = 0; identity != 0 && i < REMEMBERED; i++)
        if (c->remembered[i].identity == identity && c->remembered[i].rule == rule)
            return;
    if (identity != 0) {
        c->remembered[c->next % REMEMBERED].identity = identity;
        c->remembered[c->next++ % REMEMBERED].rule = rule;
    }
    c->found(c->user, &(ftr_protocol_finding){RULES[rule].name, RULES[rule].clause,
                                              RULES[rule].severity, observation, tx});
}

static void report(checker *c, unsigned rule, const char *observation)
{
    report_of(c, rule, has(c, IDENTITY) ? number(c, IDENTITY) : 0, c->tx, observation);
}

/* ---- transport ------------------------------------------------------------------------------- */

static void check_request(checker *c)
{
    const bool transfers = !is(c, COMMAND, "tlm::TLM_IGNORE_COMMAND");
    if (transfers && is_zero(c, DATA_LENGTH))
        report(c, RULE_data_length, "the data length is 0");
    if (transfers && is_zero(c, STREAMING_WIDTH))
        report(c, RULE_streaming_width, "the streaming width is 0");
    if (has(c, GP_OPTION) && !is(c, GP_OPTION, "tlm::TLM_MIN_PAYLOAD"))
        report(c, RULE_gp_option, "the option is not TLM_MIN_PAYLOAD");
}

static void check_answer(checker *c)
{
    if (is(c, RESPONSE_STATUS, "tlm::TLM_INCOMPLETE_RESPONSE"))
        report(c, RULE_response_end, "the response status is still TLM_INCOMPLETE_RESPONSE");
}

static void check_blocking(checker *c)
{
    check_request(c);
    if (has(c, UNFINISHED))
        return;
    check_answer(c);
    if (has(c, START_DELAY) && number(c, START_DELAY) > INT64_MAX)
        report(c, RULE_delay_negative, "the delay was subtracted below zero");
    else if (has(c, START_DELAY) && has(c, END_DELAY) &&
             c->tx->end + number(c, END_DELAY) < c->tx->begin + number(c, START_DELAY))
        report(c, RULE_delay_lowered,
               "the effective time of the return is before that of the call");
}

/* Returns true if the answer announces a phase that may follow. */
static bool is_update_legal(const checker *c, bool is_forward)
{
    if (!is_forward)
        return is(c, PHASE_AFTER, "END_RESP");
    return is(c, PHASE_AFTER, "END_REQ") || is(c, PHASE_AFTER, "BEGIN_RESP");
}

static bool is_base_phase(const checker *c, unsigned attribute)
{
    return is(c, attribute, "BEGIN_REQ") || is(c, attribute, "END_REQ") ||
           is(c, attribute, "BEGIN_RESP") || is(c, attribute, "END_RESP");
}

/* Returns false if this phase cannot have this answer. */
static bool check_status(checker *c, bool is_forward)
{
    const bool is_updated = is(c, SYNC, "tlm::TLM_UPDATED");
    const bool is_completed = is(c, SYNC, "tlm::TLM_COMPLETED");
    bool is_right = false;
    if (is(c, PHASE, "END_RESP") && is_updated)
        report(c, RULE_end_status, "END_RESP is answered with TLM_UPDATED");
    else if (is(c, PHASE, "END_REQ") && is_completed)
        report(c, RULE_status_phase, "END_REQ is answered with TLM_COMPLETED");
    else if (is_updated && is_base_phase(c, PHASE) && is_base_phase(c, PHASE_AFTER) &&
             (is(c, PHASE, "END_REQ") || !is_update_legal(c, is_forward)))
        report(c, RULE_status_phase, "TLM_UPDATED returns with no phase that may follow");
    else
        is_right = true;
    if ((is_updated || is_completed) && has(c, DELAY) && has(c, DELAY_AFTER) &&
        c->tx->end + number(c, DELAY_AFTER) < c->tx->begin + number(c, DELAY))
        report(c, RULE_delay_decreases,
               "the effective time of the return is before that of the call");
    if (is(c, PHASE, "BEGIN_REQ") &&
        (is_completed || (is_updated && is(c, PHASE_AFTER, "BEGIN_RESP"))))
        check_answer(c);
    return is_right;
}

/* Returns false if the phase or its answer breaks a rule. */
static bool check_phase(checker *c, bool is_forward)
{
    const bool goes_forward = is(c, PHASE, "BEGIN_REQ") || is(c, PHASE, "END_RESP");
    if (is_base_phase(c, PHASE) && goes_forward != is_forward) {
        report(c, RULE_phase_path,
               is_forward ? "this phase does not travel forward"
                          : "this phase does not travel backward");
        return false;
    }
    if (is(c, PHASE, "BEGIN_REQ"))
        check_request(c);
    if (is(c, PHASE, "BEGIN_RESP"))
        check_answer(c);
    if (has(c, UNFINISHED))
        return false;
    if (c->tx->end != c->tx->begin)
        report(c, RULE_nonblocking_waits, "time has passed");
    return check_status(c, is_forward);
}

/* ---- several calls --------------------------------------------------------------------------- */

static ftr_protocol_phase phase_of(const checker *c, unsigned attribute)
{
    static const char *const PHASES[] = {"BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP"};
    for (unsigned i = 0; i < 4; i++)
        if (is(c, attribute, PHASES[i]))
            return (ftr_protocol_phase)(FTR_PHASE_BEGIN_REQ + i);
    return FTR_PHASE_NONE;
}

static void check_order(checker *c, bool is_blocking, bool is_right)
{
    static const unsigned COMPARED[FTR_PROTOCOL_ATTRIBUTES] = {
        COMMAND, DATA_LENGTH, STREAMING_WIDTH, ENABLE_LENGTH, DATA};
    ftr_protocol_call call = {.tx = c->tx, .is_blocking = is_blocking, .is_wrong = !is_right};
    if (!has(c, IDENTITY) || number(c, IDENTITY) == 0)
        return;
    if (c->order == NULL) {
        c->unsorted++;
        return;
    }
    call.identity = number(c, IDENTITY);
    for (unsigned i = 0; i < FTR_PROTOCOL_ATTRIBUTES; i++) {
        call.has[i] = has(c, COMPARED[i]);
        call.attributes[i] = number(c, COMPARED[i]);
    }
    call.attributes[FTR_PROTOCOL_COMMAND] =
        is(c, COMMAND, "tlm::TLM_WRITE_COMMAND") + 2U * is(c, COMMAND, "tlm::TLM_READ_COMMAND");
    call.has[FTR_PROTOCOL_DATA] &= is(c, COMMAND, "tlm::TLM_WRITE_COMMAND");
    if (!is_blocking) {
        call.phase = phase_of(c, PHASE);
        call.answer = is(c, SYNC, "tlm::TLM_COMPLETED") ? FTR_PHASE_COMPLETED
                      : is(c, SYNC, "tlm::TLM_UPDATED") ? phase_of(c, PHASE_AFTER)
                                                        : FTR_PHASE_NONE;
        call.delay = has(c, DELAY) ? number(c, DELAY) : 0;
        call.delay_after = has(c, DELAY_AFTER) ? number(c, DELAY_AFTER) : 0;
    }
    ftr_protocol_order_add(c->order, &call);
}

/* ---- DMI and debug transport ----------------------------------------------------------------- */

static void check_grant(checker *c)
{
    const char *access = has(c, DMI_ACCESS) ? c->values.text[DMI_ACCESS] : "";
    if (strcmp(access, "tlm::DMI_ACCESS_NONE") == 0)
        report(c, RULE_dmi_grant, "the access type is DMI_ACCESS_NONE");
    else if (number(c, ADDRESS) < number(c, DMI_START) || number(c, ADDRESS) > number(c, DMI_END))
        report(c, RULE_dmi_grant, "the range does not contain the address");
    else if ((is(c, COMMAND, "tlm::TLM_READ_COMMAND") &&
              strcmp(access, "tlm::DMI_ACCESS_WRITE") == 0) ||
             (is(c, COMMAND, "tlm::TLM_WRITE_COMMAND") &&
              strcmp(access, "tlm::DMI_ACCESS_READ") == 0))
        report(c, RULE_dmi_access, "the requested command is not allowed");
}

static void check_dmi(checker *c)
{
    if (has(c, GRANTED) && is(c, COMMAND, "tlm::TLM_IGNORE_COMMAND"))
        report(c, RULE_dmi_command, "the command is TLM_IGNORE_COMMAND");
    if (has(c, GRANTED) && number(c, GRANTED) != 0 && has(c, DMI_START) && has(c, DMI_END))
        check_grant(c);
    if (has(c, INVALID_START) && has(c, INVALID_END) &&
        number(c, INVALID_START) > number(c, INVALID_END))
        report(c, RULE_invalidation_range, "the range ends before it starts");
}

static void check_debug(checker *c)
{
    if (has(c, TRANSPORTED) && has(c, DATA_LENGTH) &&
        number(c, TRANSPORTED) > number(c, DATA_LENGTH))
        report(c, RULE_debug_length, "more bytes were returned than the data length");
}

/* ---- the pass -------------------------------------------------------------------------------- */

/* Timed streams are excluded, because they contain the same calls again. */
static bool has_calls(const ftr_stream_info *stream)
{
    return ftr_view_is(stream->kind, "[TLM][base-protocol][b]") ||
           ftr_view_is(stream->kind, "[TLM][base-protocol][nb]") ||
           ftr_view_is(stream->kind, "[TLM][base-protocol][dmi]") ||
           ftr_view_is(stream->kind, "[TLM][base-protocol][dbg]");
}

static bool has_violations(const ftr_stream_info *stream)
{
    return ftr_view_is(stream->kind, "protocol") && ftr_view_is(stream->name, "ftr.protocol");
}

static bool describes_run(const ftr_stream_info *stream)
{
    return ftr_view_is(stream->kind, "run") && ftr_view_is(stream->name, "ftr.run");
}

/* Returns whether the stream name @p link belongs to the link with this name. The name of a stream
 * may have slashes instead of dots (docs/format.md, "Stream names"). */
static bool is_link(ftr_view link, const ftr_name *name)
{
    if (link.size != name->size)
        return false;
    for (size_t i = 0; i < link.size; i++)
        if (link.data[i] != name->text[i] && !(link.data[i] == '/' && name->text[i] == '.'))
            return false;
    return true;
}

/* Returns whether a stream has accesses of the base protocol. The kind of the stream does not name
 * the protocol, but the transactions of ftr.run do. */
static bool has_accesses(const checker *c, const ftr_stream_info *stream)
{
    if (ftr_protocol_access_kind_of(stream) == FTR_PROTOCOL_NO_ACCESS)
        return false;
    const ftr_view link = ftr_protocol_access_link(stream);
    for (size_t i = 0; i < c->others.count; i++)
        if (is_link(link, c->others.names[i]))
            return false;
    return true;
}

static bool is_read(void *user, const ftr_stream_info *stream)
{
    return has_calls(stream) || has_violations(stream) || has_accesses(user, stream) ||
           describes_run(stream);
}

static bool is_run(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return describes_run(stream);
}

static bool may_exclude(void *user, const ftr_stream_info *stream)
{
    return ftr_protocol_access_kind_of(stream) == FTR_PROTOCOL_ACCESS && has_accesses(user, stream);
}

/* Stores the names of the links with other protocols. */
static ftr_status read_protocols(checker *c, ftr_transaction *tx)
{
    static const char PREFIX[] = "protocol.";
    const size_t prefix = sizeof PREFIX - 1;
    ftr_attribute_value value;
    while (ftr_reader_next_attribute(c->reader, tx, &value))
        if (ftr_text_begins(value.name.data, value.name.size, PREFIX) &&
            value.form == FTR_FORM_TEXT && !ftr_view_is(value.as.text, "base-protocol") &&
            ftr_names_intern(&c->others, value.name.data + prefix, value.name.size - prefix) ==
                NULL)
            return FTR_ERR_MEMORY;
    return FTR_OK;
}

static void check_call(checker *c, ftr_transaction *tx)
{
    const ftr_stream_info *stream = tx->stream;
    const bool is_blocking = ftr_view_is(stream->kind, "[TLM][base-protocol][b]");
    const bool is_phase = ftr_view_is(stream->kind, "[TLM][base-protocol][nb]");
    c->tx = tx;
    ftr_protocol_values_read(&c->values, NAMES, ATTRIBUTES, c->reader, tx);
    bool is_right = true;
    if (is_blocking)
        check_blocking(c);
    else if (is_phase)
        is_right = check_phase(c, ftr_view_is(tx->generator->name, "fw"));
    if (is_blocking || is_phase)
        check_order(c, is_blocking, is_right);
    else if (ftr_view_is(stream->kind, "[TLM][base-protocol][dmi]"))
        check_dmi(c);
    else
        check_debug(c);
}

static ftr_status check(checker *c, ftr_transaction *tx, ftr_protocol_counts *counts)
{
    const ftr_stream_info *stream = tx->stream;
    if (describes_run(stream))
        return read_protocols(c, tx);
    if (has_violations(stream)) {
        counts->recorded_errors += ftr_view_is(tx->generator->name, "error");
        counts->recorded_warnings += ftr_view_is(tx->generator->name, "warning");
    } else if (has_calls(stream)) {
        counts->calls++;
        check_call(c, tx);
    } else if (has_accesses(c, stream)) {
        counts->accesses +=
            ftr_protocol_access_check(&c->accesses, ftr_protocol_access_kind_of(stream), tx);
    }
    return FTR_OK;
}

static bool was_checked(const ftr_reader *reader)
{
    for (size_t i = 0; i < ftr_reader_stream_count(reader); i++)
        if (has_violations(ftr_reader_get_stream(reader, i)))
            return true;
    return false;
}

/* Reads the transactions that @p choose chooses, in @p order. */
static ftr_status pass(checker *c, ftr_order order,
                       bool (*choose)(void *user, const ftr_stream_info *stream),
                       ftr_protocol_counts *counts)
{
    const ftr_query query = {
        .size = sizeof query, .order = order, .choose_stream = choose, .user = c};
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status = ftr_cursor_open(c->reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while (status == FTR_OK && (status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        status = check(c, &tx, counts);
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* Checks a file that can be read more than once.
 * @return FTR_ERR_STATE for a pipe, of which nothing is read then */
static ftr_status check_sorted(checker *c, size_t memory, ftr_protocol_counts *counts)
{
    uint64_t requests;
    ftr_status status = pass(c, FTR_ORDER_BEGIN, is_run, counts);
    if (status != FTR_OK)
        return status;
    c->order = c->accesses.order = ftr_protocol_order_create(report_of, c);
    if (c->order == NULL)
        return FTR_ERR_MEMORY;
    status = pass(c, FTR_ORDER_BEGIN, is_read, counts);
    ftr_protocol_order_finish(c->order);
    counts->unchecked = ftr_protocol_order_unchecked(c->order);
    if (status != FTR_OK)
        return status;
    status = ftr_protocol_exclusion_check(c->reader, memory, may_exclude, report_of, c, &requests);
    counts->has_all_events = status == FTR_OK && requests >= c->accesses.with_phase;
    counts->accesses_in_phases = requests;
    return status == FTR_ERR_LIMIT ? FTR_OK : status;
}

ftr_status ftr_protocol_trace_check(ftr_reader *reader, size_t memory,
                                    void (*found)(void *user, const ftr_protocol_finding *finding),
                                    void *user, ftr_protocol_counts *counts)
{
    *counts = (ftr_protocol_counts){0};
    checker *c = calloc(1, sizeof *c);
    if (c == NULL)
        return FTR_ERR_MEMORY;
    c->reader = reader;
    c->found = found;
    c->user = user;
    c->accesses = (ftr_protocol_access_checker){.reader = reader, .report = report_of, .user = c};
    ftr_status status = check_sorted(c, memory, counts);
    if (status == FTR_ERR_STATE)
        status = pass(c, FTR_ORDER_STORED, is_read, counts);
    counts->was_checked = was_checked(reader);
    counts->unsorted = c->unsorted;
    counts->unsorted_accesses = c->accesses.unsorted;
    if (c->accesses.with_phase > counts->accesses_in_phases)
        counts->accesses_in_phases = c->accesses.with_phase;
    ftr_protocol_order_destroy(c->order);
    ftr_names_release(&c->others);
    free(c);
    return status;
}
