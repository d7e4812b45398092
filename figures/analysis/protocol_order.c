/* The payloads that are in flight in a trace, and the requests and responses that are open on its
 * links. Calls that begin at the same time are recorded in the order of their returns, so a nested
 * call comes before its outer call. Therefore the order of calls that begin at the same time is not
 * checked. Payloads without a recorded request are not checked. */
#include "protocol_order.h"

#include <stdlib.h>
#include <string.h>

#include <ftr/detail/protocol_rules.h>

enum {
#define ENUMERATOR(identifier, name, clause, severity, demand) RULE_##identifier,
    FTR_PROTOCOL_RULE_TABLE(ENUMERATOR)
#undef ENUMERATOR
};

/* Size of the table of payloads; index: identity % PAYLOADS. A later payload replaces the payload
 * with the same index. Further calls of the replaced payload are not checked. */
#define PAYLOADS ((size_t)FTR_PROTOCOL_PAYLOADS)
#define LINKS ((size_t)FTR_PROTOCOL_LINKS)

typedef enum hop_state { UNKNOWN, REQUEST, REQUEST_ENDED, RESPONSE, COMPLETED } hop_state;

/* The location of a call, for reports. */
typedef struct moment {
    const ftr_stream_info *stream;
    const ftr_generator_info *generator;
    uint64_t id, begin, end;
} moment;

/* The calls with phases of one payload on one link. Times are in ticks. */
typedef struct hop {
    const ftr_stream_info *stream;
    uint64_t time;      /* begin of the calls that are counted in `events` */
    uint64_t effective; /* latest effective time of earlier calls */
    /* earliest and latest effective time of the calls that are counted in `events` */
    uint64_t earliest, latest;
    unsigned events[FTR_PHASE_COMPLETED + 1];
    moment of[FTR_PHASE_COMPLETED + 1]; /* the latest call with each event */
    hop_state state;
    bool is_confused; /* not checked, because a phase was wrong or the request is missing */
} hop;

typedef struct payload {
    uint64_t identity; /* 0: free */
    bool has[FTR_PROTOCOL_ATTRIBUTES];
    uint64_t attributes[FTR_PROTOCOL_ATTRIBUTES];
    moment first;
    hop *hops; /* NULL: no call with phases so far */
    unsigned count, capacity;
} payload;

/* The open request or response of a link, and a suspect: another request or response that began
 * while this one was open. */
typedef struct open_phase {
    uint64_t identity; /* 0: none */
    uint64_t suspect;  /* the payload that began at `began` while `before` was open; 0: none */
    uint64_t before;   /* the payload that was open */
    moment began;
} open_phase;

typedef struct link {
    const ftr_stream_info *stream;
    open_phase request, response;
} link;

struct ftr_protocol_order {
    ftr_protocol_order_report *report;
    void *user;
    payload *payloads;
    link links[FTR_PROTOCOL_LINKS];
    ftr_protocol_unchecked unchecked;
};

ftr_protocol_order *ftr_protocol_order_create(ftr_protocol_order_report *report, void *user)
{
    ftr_protocol_order *order = calloc(1, sizeof *order);
    if (order == NULL)
        return NULL;
    order->report = report;
    order->user = user;
    order->payloads = calloc(PAYLOADS, sizeof *order->payloads);
    if (order->payloads == NULL) {
        free(order);
        return NULL;
    }
    return order;
}

void ftr_protocol_order_destroy(ftr_protocol_order *order)
{
    if (order == NULL)
        return;
    for (size_t i = 0; i < PAYLOADS; i++)
        free(order->payloads[i].hops);
    free(order->payloads);
    free(order);
}

static moment moment_of(const ftr_transaction *tx)
{
    return (moment){tx->stream, tx->generator, tx->id, tx->begin, tx->end};
}

static void report(const ftr_protocol_order *order, unsigned rule, uint64_t identity,
                   const moment *at, const char *observation)
{
    order->report(order->user, rule, identity,
                  &(ftr_transaction){.id = at->id,
                                     .begin = at->begin,
                                     .end = at->end,
                                     .stream = at->stream,
                                     .generator = at->generator},
                  observation);
}

/* ---- the order of phases --------------------------------------------------------------------- */

static void misplace(ftr_protocol_order *order, const payload *of, hop *at, unsigned rule,
                     ftr_protocol_phase phase, const char *observation)
{
    if (!at->is_confused)
        report(order, rule, of->identity, &at->of[phase], observation);
    at->is_confused = true;
}

static void apply_event(ftr_protocol_order *order, const payload *of, hop *at,
                        ftr_protocol_phase phase)
{
    static const char *const AFTER[] = {"", "the phase before is BEGIN_REQ",
                                        "the phase before is END_REQ",
                                        "the phase before is BEGIN_RESP", ""};
    const hop_state state = at->state;
    if (state == COMPLETED && phase == FTR_PHASE_COMPLETED)
        return;
    if (state == UNKNOWN && phase != FTR_PHASE_BEGIN_REQ) {
        at->is_confused = true; /* the recording began after the request */
        return;
    }
    if (state == COMPLETED && phase != FTR_PHASE_BEGIN_REQ) {
        misplace(order, of, at, RULE_after_completion, phase,
                 "the transaction is complete on this link");
        return;
    }
    const bool is_legal =
        (phase == FTR_PHASE_BEGIN_REQ && (state == UNKNOWN || state == COMPLETED)) ||
        (phase == FTR_PHASE_END_REQ && state == REQUEST) ||
        (phase == FTR_PHASE_BEGIN_RESP && (state == REQUEST || state == REQUEST_ENDED)) ||
        (phase == FTR_PHASE_END_RESP && state == RESPONSE) || phase == FTR_PHASE_COMPLETED;
    /* The answer of a call at the same time has completed the transaction. */
    if (!is_legal && phase == FTR_PHASE_END_RESP && at->events[FTR_PHASE_COMPLETED] > 0)
        misplace(order, of, at, RULE_after_completion, phase,
                 "the transaction is complete on this link");
    else if (!is_legal)
        misplace(order, of, at, RULE_phase_order, phase, AFTER[state]);
    static const hop_state NEXT[] = {UNKNOWN,  REQUEST,   REQUEST_ENDED,
                                     RESPONSE, COMPLETED, COMPLETED};
    at->state = NEXT[phase];
}

/* Checks the events that have the same time, in the order that the protocol requires. */
static void flush(ftr_protocol_order *order, const payload *of, hop *at)
{
    ftr_protocol_phase first = FTR_PHASE_NONE;
    for (ftr_protocol_phase phase = FTR_PHASE_COMPLETED; phase > FTR_PHASE_NONE; phase--)
        first = at->events[phase] > 0 ? phase : first;
    if (first == FTR_PHASE_NONE)
        return;
    if (at->earliest < at->effective && !at->is_confused)
        report(order, RULE_delay_decreases, of->identity, &at->of[first],
               "the effective time is before that of the phase before");
    /* two requests at one time have an unknown order */
    at->is_confused |= at->events[FTR_PHASE_BEGIN_REQ] > 1;
    at->effective = at->latest > at->effective ? at->latest : at->effective;
    for (ftr_protocol_phase phase = FTR_PHASE_BEGIN_REQ; phase <= FTR_PHASE_COMPLETED; phase++) {
        for (unsigned i = 0; i < at->events[phase] && !at->is_confused; i++)
            apply_event(order, of, at, phase);
        at->events[phase] = 0;
    }
}

static void add_event(hop *at, const ftr_protocol_call *call, ftr_protocol_phase phase,
                      uint64_t effective)
{
    const bool is_first = at->events[0] == 0;
    at->events[0] = 1; /* 1: there are events */
    at->events[phase]++;
    at->of[phase] = moment_of(call->tx);
    at->earliest = is_first || effective < at->earliest ? effective : at->earliest;
    at->latest = is_first || effective > at->latest ? effective : at->latest;
}

static hop *hop_of(payload *of, const ftr_stream_info *stream)
{
    for (unsigned i = 0; i < of->count; i++)
        if (of->hops[i].stream == stream)
            return &of->hops[i];
    if (of->count == of->capacity) {
        const unsigned capacity = of->capacity == 0 ? 2 : 2 * of->capacity;
        hop *more =
            capacity > FTR_PROTOCOL_HOPS ? NULL : realloc(of->hops, capacity * sizeof *more);
        if (more == NULL)
            return NULL;
        of->hops = more;
        of->capacity = capacity;
    }
    hop *made = &of->hops[of->count++];
    memset(made, 0, sizeof *made);
    made->stream = stream;
    return made;
}

/* ---- one request and one response at a time -------------------------------------------------- */

static link *link_of(ftr_protocol_order *order, const ftr_stream_info *stream)
{
    for (size_t i = 0; i < LINKS; i++) {
        link *at = &order->links[((uintptr_t)stream / sizeof *stream + i) % LINKS];
        if (at->stream == NULL)
            at->stream = stream;
        if (at->stream == stream)
            return at;
    }
    return NULL;
}

/* Reports a suspect if the simulated time has advanced: the earlier phase had not ended when the
 * suspect began. */
static void judge(ftr_protocol_order *order, open_phase *open, unsigned rule, uint64_t now)
{
    if (open->suspect == 0 || now <= open->began.begin)
        return;
    report(order, rule, open->suspect, &open->began,
           rule == RULE_request_exclusion ? "the request of another transaction is not ended"
                                          : "the response of another transaction is not ended");
    open->suspect = 0;
}

static void begin_phase(open_phase *open, const ftr_protocol_call *call)
{
    if (open->identity != 0 && open->identity != call->identity && open->suspect == 0) {
        open->suspect = call->identity;
        open->before = open->identity;
        open->began = moment_of(call->tx);
    }
    open->identity = call->identity;
}

static void end_phase(open_phase *open, uint64_t identity)
{
    if (open->suspect != 0 && open->before == identity)
        open->suspect = 0; // the phase that was open ended at the same time, perhaps inside one of
                           // the calls
    if (open->identity == identity)
        open->identity = 0;
}

/* Returns true if a call with a later phase began at the same time. Such a call was nested in this
 * call, and was recorded before this call. */
static bool is_followed(const hop *at, ftr_protocol_phase phase)
{
    for (ftr_protocol_phase later = phase + 1; later <= FTR_PHASE_COMPLETED; later++)
        if (at->events[later] > 0)
            return true;
    return false;
}

static void apply_link_event(link *on, const hop *at, const ftr_protocol_call *call,
                             ftr_protocol_phase phase)
{
    const bool is_open = !is_followed(at, phase);
    if (phase != FTR_PHASE_BEGIN_REQ)
        end_phase(&on->request, call->identity);
    else if (is_open)
        begin_phase(&on->request, call);
    if (phase == FTR_PHASE_BEGIN_RESP && is_open)
        begin_phase(&on->response, call);
    else if (phase != FTR_PHASE_BEGIN_REQ && phase != FTR_PHASE_END_REQ)
        end_phase(&on->response, call->identity);
}

static void apply_phases(ftr_protocol_order *order, payload *of, const ftr_protocol_call *call)
{
    hop *at = hop_of(of, call->tx->stream);
    link *on = link_of(order, call->tx->stream);
    if (at == NULL || on == NULL) {
        order->unchecked.hops += at == NULL;
        order->unchecked.links += at != NULL;
        return;
    }
    judge(order, &on->request, RULE_request_exclusion, call->tx->begin);
    judge(order, &on->response, RULE_response_exclusion, call->tx->begin);
    if (call->tx->begin != at->time) {
        flush(order, of, at);
        at->events[0] = 0;
        at->time = call->tx->begin;
    }
    at->is_confused |= call->is_wrong;
    if (call->phase != FTR_PHASE_NONE)
        add_event(at, call, call->phase, call->tx->begin + call->delay);
    if (call->answer != FTR_PHASE_NONE && call->phase != FTR_PHASE_END_RESP)
        add_event(at, call, call->answer, call->tx->end + call->delay_after);
    if (call->is_wrong)
        return;
    if (call->phase != FTR_PHASE_NONE)
        apply_link_event(on, at, call, call->phase);
    if (call->answer != FTR_PHASE_NONE)
        apply_link_event(on, at, call, call->answer);
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* Returns true if the payload was passed by @p call later than by @p than. At the same time, ids
 * decide: b_transport calls and accesses get ids in the order of their begins, nb_transport calls
 * in the order of their returns. */
static bool is_passed_later(const ftr_protocol_call *call, const moment *than)
{
    if (call->tx->begin != than->begin)
        return call->tx->begin > than->begin;
    return (call->tx->id > than->id) == (call->is_blocking || call->is_access);
}

static void compare(ftr_protocol_order *order, const payload *of, const ftr_protocol_call *call)
{
    static const struct {
        unsigned rule;
        const char *observation;
    } CHANGES[FTR_PROTOCOL_ATTRIBUTES] = {
        {RULE_command_changed, "the command is not that of another link of the payload"},
        {RULE_data_length_changed, "the data length is not that of another link of the payload"},
        {RULE_streaming_width_changed,
         "the streaming width is not that of another link of the payload"},
        {RULE_byte_enable_changed, "the byte enables are not those of another link of the payload"},
        {RULE_write_data_changed, "the data of a write is not that of another link of the payload"},
    };
    const bool is_later = is_passed_later(call, &of->first);
    const bool is_same_length =
        call->attributes[FTR_PROTOCOL_DATA_LENGTH] == of->attributes[FTR_PROTOCOL_DATA_LENGTH];
    const moment now = moment_of(call->tx);
    for (unsigned i = 0; i < FTR_PROTOCOL_ATTRIBUTES; i++) {
        if (!call->has[i] || !of->has[i] || call->attributes[i] == of->attributes[i])
            continue;
        const bool depends_on_length =
            i == FTR_PROTOCOL_DATA || (i == FTR_PROTOCOL_STREAMING_WIDTH && call->is_access);
        if (!depends_on_length || is_same_length)
            report(order, CHANGES[i].rule, of->identity, is_later ? &now : &of->first,
                   CHANGES[i].observation);
    }
}

static void retire(ftr_protocol_order *order, payload *of)
{
    for (unsigned i = 0; i < of->count; i++)
        flush(order, of, &of->hops[i]);
    of->count = 0;
    of->identity = 0;
}

void ftr_protocol_order_add(ftr_protocol_order *order, const ftr_protocol_call *call)
{
    payload *of = &order->payloads[call->identity % PAYLOADS];
    if (of->identity > call->identity) {
        order->unchecked.payloads += !call->is_access;
        order->unchecked.accesses += call->is_access;
        return;
    }
    if (of->identity != call->identity) {
        retire(order, of);
        of->identity = call->identity;
        of->first = moment_of(call->tx);
        memcpy(of->has, call->has, sizeof of->has);
        memcpy(of->attributes, call->attributes, sizeof of->attributes);
    } else {
        compare(order, of, call);
    }
    if (!call->is_blocking && !call->is_access)
        apply_phases(order, of, call);
}

void ftr_protocol_order_finish(ftr_protocol_order *order)
{
    for (size_t i = 0; i < PAYLOADS; i++)
        retire(order, &order->payloads[i]);
    for (size_t i = 0; i < LINKS; i++) {
        judge(order, &order->links[i].request, RULE_request_exclusion, UINT64_MAX);
        judge(order, &order->links[i].response, RULE_response_exclusion, UINT64_MAX);
    }
}

ftr_protocol_unchecked ftr_protocol_order_unchecked(const ftr_protocol_order *order)
{
    return order->unchecked;
}
