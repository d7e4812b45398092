/* The open accesses of a link, and the calls that begin at the present time. Calls are recorded
 * when they return, so a nested call is stored before its outer call. Therefore the calls of one
 * time are collected, and their phases are applied in the order that the protocol requires. */
#include "phase_pairing.h"

#include "growing_array.h"

/* The order of events at one time: the codes of the phases, then TLM_COMPLETED. */
enum { EVENT_COMPLETED = FTR_CODES, EVENTS };

typedef struct open_access {
    uint64_t serial; /* identifies the access among all accesses of the link */
    ftr_call request;
    ftr_call response;
    bool has_response;
    ftr_phase_code state; /* the last phase */
    uint64_t begin, request_end, response_begin;
} open_access;

typedef struct collected_call {
    ftr_call call;
    uint64_t serial; /* the serial number of the call's access; 0: unknown */
    unsigned entry;  /* the event when the call begins: the code of its phase */
    unsigned answer; /* the event when the call returns; 0: none */
} collected_call;

struct ftr_phase_pairing {
    ftr_fold_output *output;
    uint32_t link;
    ftr_view link_name;
    open_access *open;
    size_t open_count, open_capacity;
    collected_call *calls; /* calls with the same begin; `call_count` of them are in use */
    size_t call_count, call_capacity, call_initialised;
    uint64_t serials;
};

ftr_phase_pairing *ftr_phase_pairing_create(ftr_fold_output *output, uint32_t link,
                                            ftr_view link_name)
{
    ftr_phase_pairing *pairing = calloc(1, sizeof *pairing);
    if (pairing != NULL) {
        pairing->output = output;
        pairing->link = link;
        pairing->link_name = link_name;
    }
    return pairing;
}

static void release_access(open_access *access)
{
    ftr_call_release(&access->request);
    ftr_call_release(&access->response);
}

void ftr_phase_pairing_destroy(ftr_phase_pairing *pairing)
{
    if (pairing == NULL)
        return;
    for (size_t i = 0; i < pairing->open_count; i++)
        release_access(&pairing->open[i]);
    for (size_t i = 0; i < pairing->call_initialised; i++)
        ftr_call_release(&pairing->calls[i].call);
    free(pairing->open);
    free(pairing->calls);
    free(pairing);
}

static bool fail(ftr_phase_pairing *pairing)
{
    pairing->output->status = FTR_ERR_MEMORY;
    return false;
}

/* ---- the end of an access -------------------------------------------------------------------- */

static uint64_t difference(uint64_t later, uint64_t earlier)
{
    return later > earlier ? later - earlier : 0;
}

static void remove_access(ftr_phase_pairing *pairing, open_access *access)
{
    const size_t at = (size_t)(access - pairing->open);
    release_access(access);
    pairing->open_count--;
    memmove(access, access + 1, (pairing->open_count - at) * sizeof *access);
}

/* Puts an access and removes it from the open ones.
 * @param is_early the access was completed before END_REQ and BEGIN_RESP: it has no phases */
static bool end_access(ftr_phase_pairing *pairing, open_access *of, uint64_t end, bool is_finished,
                       bool is_early)
{
    const char *command = ftr_call_command(&of->request);
    ftr_tx tx;
    const ftr_access access = {
        .place = FTR_PLACE_LINK,
        .link = pairing->link,
        .link_name = pairing->link_name,
        .generator = {command, strlen(command)},
        .begin = of->begin,
        .end = end > of->begin ? end : of->begin,
        .request = &of->request,
        .response = of->has_response ? &of->response : NULL,
        .delay = ftr_call_number(&of->request, FTR_CALL_DELAY),
        .has_request_time = !is_early && of->state > FTR_CODE_BEGIN_REQ,
        .request_time = difference(of->request_end, of->begin),
        .has_response_time = is_finished && of->state == FTR_CODE_BEGIN_RESP,
        .response_time = difference(end, of->response_begin),
        .is_unfinished = !is_finished,
        .phase = is_finished ? FTR_CODE_OTHER : of->state,
        .lowered_by = is_finished ? difference(of->begin, end) : 0,
    };
    const bool ok = ftr_fold_put(pairing->output, &access, &tx) &&
                    ftr_fold_note(pairing->output, of->request.id, tx);
    remove_access(pairing, of);
    return ok;
}

static bool end_unfinished(ftr_phase_pairing *pairing, open_access *of)
{
    const uint64_t last = of->state == FTR_CODE_BEGIN_REQ ? of->begin
                          : of->state == FTR_CODE_END_REQ ? of->request_end
                                                          : of->response_begin;
    return end_access(pairing, of, last, false, false);
}

/* ---- the access of a call -------------------------------------------------------------------- */

static open_access *access_of_serial(ftr_phase_pairing *pairing, uint64_t serial)
{
    for (size_t i = 0; i < pairing->open_count; i++)
        if (pairing->open[i].serial == serial)
            return &pairing->open[i];
    return NULL;
}

static bool may_follow(const open_access *access, unsigned event)
{
    switch (event) {
    case FTR_CODE_END_REQ:
        return access->state == FTR_CODE_BEGIN_REQ;
    case FTR_CODE_BEGIN_RESP:
        return access->state < FTR_CODE_BEGIN_RESP;
    default:
        return access->state == FTR_CODE_BEGIN_RESP;
    }
}

enum { NO_MATCH, BY_LENGTH, BY_ADDRESS, BY_IDENTITY };

/* Returns how well a call matches the payload of an access. */
static unsigned match(const open_access *access, const ftr_call *call)
{
    const ftr_call *request = &access->request;
    if (ftr_call_has(call, FTR_CALL_IDENTITY) && ftr_call_has(request, FTR_CALL_IDENTITY))
        return call->numbers[FTR_CALL_IDENTITY] == request->numbers[FTR_CALL_IDENTITY] ? BY_IDENTITY
                                                                                       : NO_MATCH;
    if (strcmp(ftr_call_command(call), ftr_call_command(request)) != 0 ||
        ftr_call_number(call, FTR_CALL_LENGTH) != ftr_call_number(request, FTR_CALL_LENGTH))
        return NO_MATCH;
    /* An interconnect may change the address of a payload until the response. */
    return ftr_call_number(call, FTR_CALL_ADDRESS) == ftr_call_number(request, FTR_CALL_ADDRESS)
               ? BY_ADDRESS
               : BY_LENGTH;
}

static bool have_same_times(const open_access *a, const open_access *b)
{
    return a->begin == b->begin && a->state == b->state && a->request_end == b->request_end &&
           a->response_begin == b->response_begin;
}

/* Reports the call and all accesses that it may belong to. */
static bool skip_ambiguous(ftr_phase_pairing *pairing, const ftr_call *call, unsigned event,
                           unsigned quality)
{
    bool ok = ftr_fold_skip(pairing->output, call, FTR_FOLD_AMBIGUOUS);
    for (size_t i = pairing->open_count; ok && i-- > 0;) {
        open_access *access = &pairing->open[i];
        if (!may_follow(access, event) || match(access, call) != quality)
            continue;
        ok = ftr_fold_skip(pairing->output, &access->request, FTR_FOLD_AMBIGUOUS);
        remove_access(pairing, access);
    }
    return ok;
}

/* Finds the access of a call with a phase after BEGIN_REQ. @param[out] found NULL: the call was
 * reported instead */
static bool find_access(ftr_phase_pairing *pairing, const ftr_call *call, unsigned event,
                        open_access **found)
{
    unsigned best = NO_MATCH;
    bool is_ambiguous = false;
    *found = NULL;
    for (size_t i = 0; i < pairing->open_count; i++) {
        open_access *access = &pairing->open[i];
        const unsigned quality = may_follow(access, event) ? match(access, call) : NO_MATCH;
        if (quality > best) {
            best = quality;
            *found = access;
            is_ambiguous = false;
        } else if (quality == best && best > NO_MATCH) {
            is_ambiguous |= !have_same_times(*found, access);
        }
    }
    if (is_ambiguous) {
        *found = NULL;
        return skip_ambiguous(pairing, call, event, best);
    }
    return *found != NULL || ftr_fold_skip(pairing->output, call, FTR_FOLD_NO_REQUEST);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* If the payload of the call still has an open access, ends this access as unfinished: the payload
 * is sent again before END_RESP or TLM_COMPLETED. Does nothing if the calls have no identity. */
static bool end_replaced(ftr_phase_pairing *pairing, const ftr_call *call)
{
    for (size_t i = 0; ftr_call_has(call, FTR_CALL_IDENTITY) && i < pairing->open_count; i++)
        if (match(&pairing->open[i], call) == BY_IDENTITY)
            return end_unfinished(pairing, &pairing->open[i]);
    return true;
}

static bool begin_access(ftr_phase_pairing *pairing, collected_call *of, uint64_t time)
{
    if (!end_replaced(pairing, &of->call))
        return false;
    if (pairing->open_count == FTR_PAIRING_OPEN_MAX && !end_unfinished(pairing, pairing->open))
        return false;
    if (!ftr_array_grow(&pairing->open, &pairing->open_capacity, pairing->open_count,
                        sizeof *pairing->open))
        return fail(pairing);
    open_access *access = &pairing->open[pairing->open_count];
    *access =
        (open_access){.serial = ++pairing->serials, .state = FTR_CODE_BEGIN_REQ, .begin = time};
    of->serial = access->serial;
    if (!ftr_call_copy(&access->request, &of->call))
        return fail(pairing);
    pairing->open_count++;
    return true;
}

static bool keep_response(ftr_phase_pairing *pairing, open_access *access, const ftr_call *call)
{
    access->has_response = true;
    return ftr_call_copy(&access->response, call) || fail(pairing);
}

/* Applies an event to its access. */
static bool apply(ftr_phase_pairing *pairing, const ftr_call *call, open_access *access,
                  unsigned event, uint64_t time)
{
    switch (event) {
    case FTR_CODE_END_REQ:
        access->state = FTR_CODE_END_REQ;
        access->request_end = time;
        return true;
    case FTR_CODE_BEGIN_RESP:
        if (access->state == FTR_CODE_BEGIN_REQ)
            access->request_end = time;
        access->state = FTR_CODE_BEGIN_RESP;
        access->response_begin = time;
        return keep_response(pairing, access, call);
    case FTR_CODE_END_RESP:
        return end_access(pairing, access, time, true, false);
    default: /* TLM_COMPLETED */
        if (access->state < FTR_CODE_BEGIN_RESP && access->request.id == call->id &&
            !keep_response(pairing, access, call))
            return false;
        return end_access(pairing, access, time, true, access->state == FTR_CODE_BEGIN_REQ);
    }
}

static bool apply_entry(ftr_phase_pairing *pairing, collected_call *of)
{
    const uint64_t time = of->call.begin + ftr_call_number(&of->call, FTR_CALL_DELAY);
    if (of->entry == FTR_CODE_BEGIN_REQ)
        return begin_access(pairing, of, time);
    open_access *access;
    if (!find_access(pairing, &of->call, of->entry, &access))
        return false;
    if (access == NULL)
        return true;
    of->serial = access->serial;
    return ftr_fold_absorb(pairing->output, of->call.id) &&
           apply(pairing, &of->call, access, of->entry, time);
}

static bool apply_answer(ftr_phase_pairing *pairing, const collected_call *of)
{
    const uint64_t time = of->call.end + ftr_call_number(&of->call, FTR_CALL_DELAY_AFTER);
    open_access *access = of->serial > 0 ? access_of_serial(pairing, of->serial) : NULL;
    if (access == NULL || (of->answer != EVENT_COMPLETED && !may_follow(access, of->answer)))
        return true;
    return apply(pairing, &of->call, access, of->answer, time);
}

static bool apply_collected(ftr_phase_pairing *pairing)
{
    bool ok = true;
    for (unsigned event = FTR_CODE_BEGIN_REQ; ok && event < EVENTS; event++)
        for (size_t i = 0; ok && i < pairing->call_count; i++) {
            collected_call *of = &pairing->calls[i];
            if (of->entry == event)
                ok = apply_entry(pairing, of);
            if (ok && of->answer == event)
                ok = apply_answer(pairing, of);
        }
    pairing->call_count = 0;
    return ok;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static unsigned answer_of(const ftr_call *call, unsigned entry)
{
    const char *sync = ftr_call_text(call, FTR_CALL_SYNC);
    const unsigned after = ftr_phase_code_of(ftr_call_text(call, FTR_CALL_PHASE_AFTER));
    if (strcmp(sync, "COMPLETED") == 0)
        return EVENT_COMPLETED;
    return strcmp(sync, "UPDATED") == 0 && after != entry ? after : 0;
}

/* Returns whether the times of the call and of its return fit into 64 bits. */
static bool has_times(const ftr_call *call)
{
    return call->begin <= UINT64_MAX - ftr_call_number(call, FTR_CALL_DELAY) &&
           call->end <= UINT64_MAX - ftr_call_number(call, FTR_CALL_DELAY_AFTER);
}

bool ftr_phase_pairing_add(ftr_phase_pairing *pairing, const ftr_call *call)
{
    if (pairing->call_count > 0 && (call->begin != pairing->calls[0].call.begin ||
                                    pairing->call_count == FTR_PAIRING_CALLS_MAX)) {
        if (!apply_collected(pairing))
            return false;
    }
    if (!ftr_call_has(call, FTR_CALL_PHASE))
        return ftr_fold_skip(pairing->output, call, FTR_FOLD_NO_PHASE);
    if (!has_times(call))
        return ftr_fold_skip(pairing->output, call, FTR_FOLD_TIME);
    const unsigned entry = ftr_phase_code_of(ftr_call_text(call, FTR_CALL_PHASE));
    if (entry == FTR_CODE_OTHER) /* an ignorable phase does not change the state */
        return ftr_fold_absorb(pairing->output, call->id);
    if (!ftr_array_grow(&pairing->calls, &pairing->call_capacity, pairing->call_count,
                        sizeof *pairing->calls))
        return fail(pairing);
    collected_call *of = &pairing->calls[pairing->call_count];
    if (pairing->call_count == pairing->call_initialised) {
        of->call = (ftr_call){0};
        pairing->call_initialised++;
    }
    of->serial = 0;
    of->entry = entry;
    of->answer = answer_of(call, entry);
    pairing->call_count++;
    return ftr_call_copy(&of->call, call) || fail(pairing);
}

bool ftr_phase_pairing_finish(ftr_phase_pairing *pairing)
{
    bool ok = apply_collected(pairing);
    while (ok && pairing->open_count > 0)
        ok = end_unfinished(pairing, pairing->open);
    return ok;
}
