/* The rules of the base protocol that can be checked in a single recorded call. Passes calls with
 * an identity to protocol_order.c. Expects the streams and attributes of docs/attach.md; any
 * program may have recorded them. */
#include "protocol_trace.h"

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

typedef struct checker {
    ftr_reader *reader;
    void (*found)(void *user, const ftr_protocol_finding *finding);
    void *user;
    const ftr_transaction *tx;
    bool has[ATTRIBUTES];
    uint64_t number[ATTRIBUTES]; /* integers, and booleans as 0 and 1 */
    char text[ATTRIBUTES][40];   /* texts, shortened if they are longer */
    struct {
        uint64_t identity;
        unsigned rule;
    } remembered[REMEMBERED];
    unsigned next;
    /* NULL: not checked, because calls are not read in the order of their begins */
    ftr_protocol_order *order;
    uint64_t unsorted; /* number of calls that would be passed to `order` if it existed */
} checker;

static void read_attributes(checker *c, ftr_transaction *tx)
{
    ftr_attribute_value value;
    memset(c->has, 0, sizeof c->has);
    c->tx = tx;
    while (ftr_reader_next_attribute(c->reader, tx, &value)) {
        unsigned i = 0;
        while (i < ATTRIBUTES && (strlen(NAMES[i]) != value.name.size ||
                                  memcmp(NAMES[i], value.name.data, value.name.size) != 0))
            i++;
        if (i == ATTRIBUTES)
            continue;
        c->has[i] = true;
        c->text[i][0] = '\0';
        if (value.form == FTR_FORM_NUMBER) {
            c->number[i] = value.as.number;
        } else if (value.form == FTR_FORM_INTEGER) {
            c->number[i] = (uint64_t)value.as.integer;
        } else if (value.form == FTR_FORM_BOOLEAN) {
            c->number[i] = value.as.boolean;
        } else if (value.form == FTR_FORM_TEXT && value.as.text.data != NULL) {
            const size_t size = value.as.text.size < sizeof c->text[i] - 1 ? value.as.text.size
                                                                           : sizeof c->text[i] - 1;
            memcpy(c->text[i], value.as.text.data, size);
            c->text[i][size] = '\0';
        } else {
            c->has[i] = false;
        }
    }
}

static bool is(const checker *c, unsigned attribute, const char *text)
{
    return c->has[attribute] && strcmp(c->text[attribute], text) == 0;
}

static bool is_zero(const checker *c, unsigned attribute)
{
    return c->has[attribute] && c->number[attribute] == 0;
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
    report_of(c, rule, c->has[IDENTITY] ? c->number[IDENTITY] : 0, c->tx, observation);
}

/* ---- transport ------------------------------------------------------------------------------- */

static void check_request(checker *c)
{
    const bool transfers = !is(c, COMMAND, "tlm::TLM_IGNORE_COMMAND");
    if (transfers && is_zero(c, DATA_LENGTH))
        report(c, RULE_data_length, "the data length is 0");
    if (transfers && is_zero(c, STREAMING_WIDTH))
        report(c, RULE_streaming_width, "the streaming width is 0");
    if (c->has[GP_OPTION] && !is(c, GP_OPTION, "tlm::TLM_MIN_PAYLOAD"))
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
    if (c->has[UNFINISHED])
        return;
    check_answer(c);
    if (c->has[START_DELAY] && c->number[START_DELAY] > INT64_MAX)
        report(c, RULE_delay_negative, "the delay was subtracted below zero");
    else if (c->has[START_DELAY] && c->has[END_DELAY] &&
             c->tx->end + c->number[END_DELAY] < c->tx->begin + c->number[START_DELAY])
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
    if ((is_updated || is_completed) && c->has[DELAY] && c->has[DELAY_AFTER] &&
        c->tx->end + c->number[DELAY_AFTER] < c->tx->begin + c->number[DELAY])
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
    if (c->has[UNFINISHED])
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
    if (!c->has[IDENTITY] || c->number[IDENTITY] == 0)
        return;
    if (c->order == NULL) {
        c->unsorted++;
        return;
    }
    call.identity = c->number[IDENTITY];
    for (unsigned i = 0; i < FTR_PROTOCOL_ATTRIBUTES; i++) {
        call.has[i] = c->has[COMPARED[i]];
        call.attributes[i] = c->number[COMPARED[i]];
    }
    call.attributes[FTR_PROTOCOL_COMMAND] =
        is(c, COMMAND, "tlm::TLM_WRITE_COMMAND") + 2U * is(c, COMMAND, "tlm::TLM_READ_COMMAND");
    call.has[FTR_PROTOCOL_DATA] &= is(c, COMMAND, "tlm::TLM_WRITE_COMMAND");
    if (!is_blocking) {
        call.phase = phase_of(c, PHASE);
        call.answer = is(c, SYNC, "tlm::TLM_COMPLETED") ? FTR_PHASE_COMPLETED
                      : is(c, SYNC, "tlm::TLM_UPDATED") ? phase_of(c, PHASE_AFTER)
                                                        : FTR_PHASE_NONE;
        call.delay = c->has[DELAY] ? c->number[DELAY] : 0;
        call.delay_after = c->has[DELAY_AFTER] ? c->number[DELAY_AFTER] : 0;
    }
    ftr_protocol_order_add(c->order, &call);
}

/* ---- DMI and debug transport ----------------------------------------------------------------- */

static void check_grant(checker *c)
{
    const char *access = c->has[DMI_ACCESS] ? c->text[DMI_ACCESS] : "";
    if (strcmp(access, "tlm::DMI_ACCESS_NONE") == 0)
        report(c, RULE_dmi_grant, "the access type is DMI_ACCESS_NONE");
    else if (c->number[ADDRESS] < c->number[DMI_START] || c->number[ADDRESS] > c->number[DMI_END])
        report(c, RULE_dmi_grant, "the range does not contain the address");
    else if ((is(c, COMMAND, "tlm::TLM_READ_COMMAND") &&
              strcmp(access, "tlm::DMI_ACCESS_WRITE") == 0) ||
             (is(c, COMMAND, "tlm::TLM_WRITE_COMMAND") &&
              strcmp(access, "tlm::DMI_ACCESS_READ") == 0))
        report(c, RULE_dmi_access, "the requested command is not allowed");
}

static void check_dmi(checker *c)
{
    if (c->has[GRANTED] && is(c, COMMAND, "tlm::TLM_IGNORE_COMMAND"))
        report(c, RULE_dmi_command, "the command is TLM_IGNORE_COMMAND");
    if (c->has[GRANTED] && c->number[GRANTED] != 0 && c->has[DMI_START] && c->has[DMI_END])
        check_grant(c);
    if (c->has[INVALID_START] && c->has[INVALID_END] &&
        c->number[INVALID_START] > c->number[INVALID_END])
        report(c, RULE_invalidation_range, "the range ends before it starts");
}

static void check_debug(checker *c)
{
    if (c->has[TRANSPORTED] && c->has[DATA_LENGTH] &&
        c->number[TRANSPORTED] > c->number[DATA_LENGTH])
        report(c, RULE_debug_length, "more bytes were returned than the data length");
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool is_kind(const ftr_stream_info *stream, const char *kind)
{
    return stream->kind.size == strlen(kind) &&
           memcmp(stream->kind.data, kind, stream->kind.size) == 0;
}

/* Timed streams are excluded, because they contain the same calls again. */
static bool is_of_protocol(const ftr_stream_info *stream)
{
    return is_kind(stream, "[TLM][base-protocol][b]") ||
           is_kind(stream, "[TLM][base-protocol][nb]") ||
           is_kind(stream, "[TLM][base-protocol][dmi]") ||
           is_kind(stream, "[TLM][base-protocol][dbg]");
}

static bool is_name(ftr_view name, const char *text)
{
    return name.size == strlen(text) && memcmp(name.data, text, name.size) == 0;
}

static bool has_violations(const ftr_stream_info *stream)
{
    return is_kind(stream, "protocol") && is_name(stream->name, "ftr.protocol");
}

static bool is_read(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return is_of_protocol(stream) || has_violations(stream);
}

static void check(checker *c, ftr_transaction *tx, ftr_protocol_counts *counts)
{
    const ftr_stream_info *stream = tx->stream;
    const ftr_view name = tx->generator->name;
    const bool is_blocking = is_kind(stream, "[TLM][base-protocol][b]");
    const bool is_phase = is_kind(stream, "[TLM][base-protocol][nb]");
    const bool is_dmi = is_kind(stream, "[TLM][base-protocol][dmi]");
    if (has_violations(stream)) {
        counts->recorded_errors += is_name(name, "error");
        counts->recorded_warnings += is_name(name, "warning");
        return;
    }
    counts->calls++;
    read_attributes(c, tx);
    bool is_right = true;
    if (is_blocking)
        check_blocking(c);
    else if (is_phase)
        is_right = check_phase(c, is_name(name, "fw"));
    if (is_blocking || is_phase)
        check_order(c, is_blocking, is_right);
    else if (is_dmi)
        check_dmi(c);
    else
        check_debug(c);
}

ftr_status ftr_protocol_trace_check(ftr_reader *reader,
                                    void (*found)(void *user, const ftr_protocol_finding *finding),
                                    void *user, ftr_protocol_counts *counts)
{
    ftr_query query = {.size = sizeof query, .order = FTR_ORDER_BEGIN, .choose_stream = is_read};
    ftr_cursor *cursor = NULL;
    ftr_transaction tx;
    *counts = (ftr_protocol_counts){0};
    checker *c = calloc(1, sizeof *c);
    if (c == NULL)
        return FTR_ERR_MEMORY;
    c->reader = reader;
    c->found = found;
    c->user = user;
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status == FTR_OK) {
        c->order = ftr_protocol_order_create(report_of, c);
        status = c->order == NULL ? FTR_ERR_MEMORY : FTR_OK;
    } else if (status == FTR_ERR_STATE) { /* a pipe cannot be sorted */
        query.order = FTR_ORDER_STORED;
        status = ftr_cursor_open(reader, &query, &cursor);
    }
    while (status == FTR_OK && (status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        check(c, &tx, counts);
    if (c->order != NULL) {
        ftr_protocol_order_finish(c->order);
        counts->unchecked = ftr_protocol_order_unchecked(c->order);
    }
    counts->unsorted = c->unsorted;
    ftr_protocol_order_destroy(c->order);
    ftr_cursor_close(cursor);
    free(c);
    return status == FTR_ERR_END ? FTR_OK : status;
}
