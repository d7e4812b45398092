/* Two cursors read the trace: one the calls, the other the `_timed` transactions that repeat or
 * complete them. A `_timed` transaction never ends before its call. If both end at the same time, a
 * `_timed` transaction of an awaited call comes first, so that the window stays small even if
 * all calls of a model are at one time. */
#include "call_folding.h"

#include "awaited_calls.h"
#include "call_roles.h"
#include "growing_array.h"
#include "name_table.h"
#include "open_table.h"
#include "phase_pairing.h"
#include "text_view.h"

#define SUCCESSOR "PREDECESSOR_SUCCESSOR"

enum { CALLS, TIMED, CURSORS };

typedef struct fold_link {
    ftr_view name;
    bool has[FTR_CALL_ROLES];
    ftr_phase_pairing *pairing; /* NULL: not needed so far */
} fold_link;

typedef struct fold_stream {
    ftr_call_role role;
    uint32_t link;
} fold_stream;

/* A request that waits for its response, or a response that was read before its request. */
typedef struct held_part {
    uint64_t id; /* of the request; must be the first member */
    ftr_call *call;
    bool has_call; /* the nb_transport call with BEGIN_REQ is in the trace */
    uint64_t call_id;
    uint64_t delay;
} held_part;

typedef struct held_parts {
    held_part *parts;
    size_t count, capacity;
} held_parts;

typedef struct call_folding {
    ftr_reader *reader;
    ftr_fold_output output;
    ftr_names names; /* of links; the number of a name is the number of the link */
    fold_link *links;
    size_t link_capacity;
    fold_stream *streams; /* index: number of the stream */
    size_t stream_capacity;
    /* from the id of a request to that of its response, and back: {id, 1} */
    ftr_id_file *partners;
    ftr_awaited_calls blocking, begins;
    held_parts requests, responses;
    ftr_cursor *cursors[CURSORS];
    ftr_transaction heads[CURSORS];
    bool has_head[CURSORS];
    ftr_call call, timed; /* decoded transactions; `timed` is heads[TIMED] */
} call_folding;

/* ---- tables ---------------------------------------------------------------------------------- */

static bool is_free(const void *part)
{
    return ((const held_part *)part)->call == NULL;
}

static const ftr_table_rule HELD = {sizeof(held_part), 0, is_free, ftr_table_has_number,
                                    ftr_table_hash_number};

static bool fail(call_folding *f, ftr_status status)
{
    if (f->output.status == FTR_OK)
        f->output.status = status;
    return false;
}

/* Stores a copy of a call. */
static bool hold(call_folding *f, held_parts *in, const held_part *part)
{
    held_part held = *part;
    held.call = calloc(1, sizeof *held.call);
    if (held.call == NULL || !ftr_call_copy(held.call, part->call) ||
        !ftr_table_grow(&HELD, &in->parts, &in->capacity, in->count, 64)) {
        free(held.call);
        return fail(f, FTR_ERR_MEMORY);
    }
    held_part *slot =
        ftr_table_search(&HELD, in->parts, in->capacity, ftr_hash_number(held.id), NULL);
    *slot = held;
    in->count++;
    return true;
}

static held_part *find_held(const held_parts *in, uint64_t id)
{
    if (in->count == 0)
        return NULL;
    held_part *slot = ftr_table_search(&HELD, in->parts, in->capacity, ftr_hash_number(id), &id);
    return is_free(slot) ? NULL : slot;
}

static void release_held(held_part *part)
{
    ftr_call_release(part->call);
    free(part->call);
    part->call = NULL;
}

static void remove_held(held_parts *in, held_part *part)
{
    ftr_call *call = part->call;
    ftr_table_remove(&HELD, in->parts, in->capacity, part);
    in->count--;
    ftr_call_release(call);
    free(call);
}

static void release_all_held(held_parts *in)
{
    for (size_t i = 0; i < in->capacity; i++)
        if (!is_free(&in->parts[i]))
            release_held(&in->parts[i]);
    free(in->parts);
}

/* ---- links ----------------------------------------------------------------------------------- */

static bool add_stream(call_folding *f, const ftr_stream_info *stream)
{
    ftr_view name;
    const ftr_call_role role = ftr_call_role_of(stream, &name);
    if (!ftr_array_reach(&f->streams, &f->stream_capacity, stream->index, sizeof *f->streams))
        return fail(f, FTR_ERR_MEMORY);
    if (role == FTR_ROLE_NO_CALLS)
        return true;
    const ftr_name *known = ftr_names_intern(&f->names, name.data, name.size);
    if (known == NULL ||
        !ftr_array_reach(&f->links, &f->link_capacity, known->number, sizeof *f->links))
        return fail(f, FTR_ERR_MEMORY);
    fold_link *link = &f->links[known->number];
    link->name = (ftr_view){known->text, known->size};
    link->has[role] |= stream->chunks > 0;
    f->streams[stream->index] = (fold_stream){role, (uint32_t)known->number};
    return true;
}

static bool add_streams(call_folding *f)
{
    for (size_t i = 0; i < ftr_reader_stream_count(f->reader); i++)
        if (!add_stream(f, ftr_reader_get_stream(f->reader, i)))
            return false;
    return true;
}

static ftr_access access_of(const call_folding *f, const ftr_call *call, ftr_access_place place)
{
    const uint32_t link = f->streams[call->stream->index].link;
    const char *command = ftr_call_command(call);
    return (ftr_access){
        .place = place,
        .link = link,
        .link_name = f->links[link].name,
        .generator = {command, strlen(command)},
        .begin = call->begin,
        .end = call->end,
        .request = call,
        .response = call,
    };
}

/* Puts an access, and stores that its first transaction is a part of it. */
static bool put_alone(call_folding *f, const ftr_access *access, ftr_tx *tx)
{
    return ftr_fold_put(&f->output, access, tx) &&
           ftr_fold_note(&f->output, access->request->id, *tx);
}

/* ---- blocking calls -------------------------------------------------------------------------- */

static ftr_awaited_key key_of(const call_folding *f, const ftr_call *call, uint64_t begin,
                              uint64_t end)
{
    return (ftr_awaited_key){
        .link = f->streams[call->stream->index].link,
        .command = (uint64_t)ftr_call_command(call)[0],
        .begin = begin,
        .end = end,
        .address = ftr_call_number(call, FTR_CALL_ADDRESS),
        .length = ftr_call_number(call, FTR_CALL_LENGTH),
    };
}

/* Computes the times of an access: the times of its call plus the delays. If the end is before the
 * begin, raises it to the begin. @return false if a time exceeds 64 bits */
static bool set_times(ftr_access *access, const ftr_call *call)
{
    const uint64_t start = ftr_call_number(call, FTR_CALL_START_DELAY);
    const uint64_t after = ftr_call_number(call, FTR_CALL_END_DELAY);
    if (call->begin > UINT64_MAX - start || call->end > UINT64_MAX - after)
        return false;
    access->begin = call->begin + start;
    access->end = call->end + after;
    access->delay = start;
    if (access->end >= access->begin)
        return true;
    /* The delay of an unfinished call is not known at its end. */
    if (!access->is_unfinished)
        access->lowered_by = access->begin - access->end;
    access->end = access->begin;
    return true;
}

static bool fold_blocking(call_folding *f)
{
    const ftr_call *call = &f->call;
    ftr_access access = access_of(f, call, FTR_PLACE_LINK);
    ftr_tx tx;
    access.is_unfinished = ftr_call_number(call, FTR_CALL_UNFINISHED) != 0;
    if (!set_times(&access, call))
        return ftr_fold_skip(&f->output, call, FTR_FOLD_TIME);
    if (!put_alone(f, &access, &tx))
        return false;
    if (!f->links[access.link].has[FTR_ROLE_BLOCKING_TIMED])
        return true;
    const ftr_awaited_call awaited = {
        .key = key_of(f, call, access.begin, access.end),
        .id = call->id,
        .last = access.end,
        .access = {tx.id, tx.place},
    };
    return ftr_awaited_add(&f->blocking, &awaited, call->end) || fail(f, FTR_ERR_MEMORY);
}

/* A transaction in N_bl_timed repeats its call. If the call is not in the trace, this transaction
 * becomes the access. */
static bool fold_blocking_timed(call_folding *f)
{
    const ftr_call *timed = &f->timed;
    const ftr_awaited_key key = key_of(f, timed, timed->begin, timed->end);
    ftr_awaited_call *call = ftr_awaited_find(&f->blocking, &key);
    ftr_tx tx;
    if (call != NULL) {
        tx = (ftr_tx){call->access[0], call->access[1]};
        ftr_awaited_remove(&f->blocking, call);
        return ftr_fold_note(&f->output, timed->id, tx);
    }
    ftr_access access = access_of(f, timed, FTR_PLACE_LINK);
    access.is_unfinished = ftr_call_number(timed, FTR_CALL_UNFINISHED) != 0;
    access.lowered_by = ftr_call_number(timed, FTR_CALL_LOWERED);
    return put_alone(f, &access, &tx);
}

/* ---- non-blocking calls ---------------------------------------------------------------------- */

/* Puts a phase into the stream of phases, if the base protocol does not have this phase. */
static bool put_phase(call_folding *f, ftr_call_field field, uint64_t time)
{
    const char *phase = ftr_call_text(&f->call, field);
    ftr_access access = access_of(f, &f->call, FTR_PLACE_PHASES);
    if (*phase == '\0' || ftr_phase_code_of(phase) != FTR_CODE_OTHER)
        return true;
    access.generator = (ftr_view){phase, strlen(phase)};
    access.begin = access.end = time;
    return ftr_fold_put(&f->output, &access, NULL);
}

static bool put_phases(call_folding *f)
{
    const ftr_call *call = &f->call;
    const char *before = ftr_call_text(call, FTR_CALL_PHASE);
    const char *after = ftr_call_text(call, FTR_CALL_PHASE_AFTER);
    const bool is_updated = strcmp(ftr_call_text(call, FTR_CALL_SYNC), "UPDATED") == 0;
    if (!put_phase(f, FTR_CALL_PHASE, call->begin + ftr_call_number(call, FTR_CALL_DELAY)))
        return false;
    return !is_updated || strcmp(before, after) == 0 ||
           put_phase(f, FTR_CALL_PHASE_AFTER,
                     call->end + ftr_call_number(call, FTR_CALL_DELAY_AFTER));
}

/* Folds a call of a link with recorded requests and responses. A call with BEGIN_REQ waits for its
 * request. The other calls are absorbed, because request and response contain their data. */
static bool await_request(call_folding *f)
{
    const ftr_call *call = &f->call;
    const uint64_t delay = ftr_call_number(call, FTR_CALL_DELAY);
    const char *phase = ftr_call_text(call, FTR_CALL_PHASE);
    if (*phase == '\0')
        return ftr_fold_skip(&f->output, call, FTR_FOLD_NO_PHASE);
    if (call->begin > UINT64_MAX - delay)
        return ftr_fold_skip(&f->output, call, FTR_FOLD_TIME);
    if (ftr_phase_code_of(phase) != FTR_CODE_BEGIN_REQ)
        return ftr_fold_absorb(&f->output, call->id);
    const ftr_awaited_call awaited = {
        .key = key_of(f, call, call->begin + delay, 0),
        .is_completed = strcmp(ftr_call_text(call, FTR_CALL_SYNC), "COMPLETED") == 0,
        .id = call->id,
        .stream = call->stream,
        .generator = call->generator,
        .delay = delay,
        .last = UINT64_MAX, /* a request may last until the end of the trace */
    };
    return ftr_awaited_add(&f->begins, &awaited, call->end) || fail(f, FTR_ERR_MEMORY);
}

static bool fold_nonblocking(call_folding *f)
{
    fold_link *link = &f->links[f->streams[f->call.stream->index].link];
    if (!put_phases(f))
        return false;
    if (link->has[FTR_ROLE_NONBLOCKING_TIMED])
        return await_request(f);
    if (link->pairing == NULL)
        link->pairing = ftr_phase_pairing_create(&f->output, f->streams[f->call.stream->index].link,
                                                 link->name);
    if (link->pairing == NULL)
        return fail(f, FTR_ERR_MEMORY);
    return ftr_phase_pairing_add(link->pairing, &f->call);
}

/* Puts an access and stores the ids of its parts. @p response: NULL: none */
static bool put_parts(call_folding *f, ftr_access *access, const held_part *request,
                      const ftr_call *response)
{
    ftr_tx tx;
    access->delay = request->delay;
    return put_alone(f, access, &tx) &&
           (response == NULL || ftr_fold_note(&f->output, response->id, tx)) &&
           (!request->has_call || ftr_fold_note(&f->output, request->call_id, tx));
}

/* Puts an access with a response. */
static bool put_pair(call_folding *f, const held_part *request, const ftr_call *response)
{
    const ftr_call *first = request->call;
    const bool is_unfinished = ftr_call_number(response, FTR_CALL_UNFINISHED) != 0;
    const uint64_t end = is_unfinished ? response->begin : response->end;
    ftr_access access = access_of(f, first, FTR_PLACE_LINK);
    access.response = response;
    access.end = end > first->begin ? end : first->begin;
    access.lowered_by = is_unfinished || end >= first->begin ? 0 : first->begin - end;
    access.has_request_time = true;
    access.request_time = first->end - first->begin;
    access.has_response_time = !is_unfinished;
    access.response_time = response->end - response->begin;
    access.is_unfinished = is_unfinished;
    access.phase = is_unfinished ? FTR_CODE_BEGIN_RESP : FTR_CODE_OTHER;
    return put_parts(f, &access, request, response);
}

/* Puts an access without a response: completed early, or unfinished. The call with BEGIN_REQ shows
 * which of both. If this call is not in the trace, the response status of the request shows it:
 * early completion has replaced TLM_INCOMPLETE_RESPONSE. */
static bool put_request(call_folding *f, const held_part *request, bool is_completed)
{
    const ftr_call *call = request->call;
    ftr_access access = access_of(f, call, FTR_PLACE_LINK);
    const char *status = ftr_call_text(call, FTR_CALL_RESPONSE);
    const bool is_open = ftr_call_number(call, FTR_CALL_UNFINISHED) != 0;
    if (!request->has_call)
        is_completed = *status != '\0' && strcmp(status, "INCOMPLETE") != 0;
    if (is_open || !is_completed) {
        access.response = NULL;
        access.is_unfinished = true;
        access.phase = is_open ? FTR_CODE_BEGIN_REQ : FTR_CODE_END_REQ;
        access.end = is_open ? call->begin : call->end;
        access.has_request_time = !is_open;
        access.request_time = call->end - call->begin;
    }
    return put_parts(f, &access, request, NULL);
}

/* Gets the id of the response of a request, or of the request of a response. @return false if the
 * trace has no relation between them */
static bool has_partner(const call_folding *f, uint64_t id, uint64_t *partner)
{
    const ftr_id_value value = ftr_id_file_get(f->partners, id);
    *partner = value.word[0];
    return value.word[1] != 0;
}

static bool fold_request(call_folding *f)
{
    const ftr_call *request = &f->timed;
    uint64_t partner;
    const ftr_awaited_key key = key_of(f, request, request->begin, 0);
    ftr_awaited_call *call = ftr_awaited_find(&f->begins, &key);
    const bool is_completed = call != NULL && call->is_completed;
    const held_part part = {.id = request->id,
                            .call = &f->timed,
                            .has_call = call != NULL,
                            .call_id = call != NULL ? call->id : 0,
                            .delay = call != NULL ? call->delay : 0};
    if (call != NULL)
        ftr_awaited_remove(&f->begins, call);
    if (!has_partner(f, request->id, &partner))
        return put_request(f, &part, is_completed);
    held_part *response = find_held(&f->responses, request->id);
    if (response == NULL)
        return hold(f, &f->requests, &part);
    const bool ok = put_pair(f, &part, response->call);
    remove_held(&f->responses, response);
    return ok;
}

static bool fold_response(call_folding *f)
{
    held_part part = {.call = &f->timed};
    if (!has_partner(f, f->timed.id, &part.id))
        return ftr_fold_skip(&f->output, &f->timed, FTR_FOLD_NO_REQUEST);
    held_part *request = find_held(&f->requests, part.id);
    if (request == NULL)
        return hold(f, &f->responses, &part);
    const bool ok = put_pair(f, request, &f->timed);
    remove_held(&f->requests, request);
    return ok;
}

static bool fold_nonblocking_timed(call_folding *f)
{
    const ftr_view generator = f->timed.generator->name;
    if (ftr_view_is(generator, "request"))
        return fold_request(f);
    if (ftr_view_is(generator, "response"))
        return fold_response(f);
    return ftr_fold_skip(&f->output, &f->timed, FTR_FOLD_GENERATOR);
}

/* Reports the transactions whose accesses lack another part, and ends the accesses that are still
 * open in phase_pairing.c. */
static bool skip_rest(call_folding *f)
{
    bool ok = true;
    for (size_t i = 0; ok && i < f->requests.capacity; i++)
        if (!is_free(&f->requests.parts[i]))
            ok = ftr_fold_skip(&f->output, f->requests.parts[i].call, FTR_FOLD_NO_RESPONSE);
    for (size_t i = 0; ok && i < f->responses.capacity; i++)
        if (!is_free(&f->responses.parts[i]))
            ok = ftr_fold_skip(&f->output, f->responses.parts[i].call, FTR_FOLD_NO_REQUEST);
    for (size_t i = 0; ok && i < f->begins.capacity; i++) {
        const ftr_awaited_call *call = &f->begins.calls[i];
        if (call->is_used) {
            const ftr_call lost = {
                .id = call->id, .stream = call->stream, .generator = call->generator};
            ok = ftr_fold_skip(&f->output, &lost, FTR_FOLD_NO_REQUEST);
        }
    }
    for (size_t i = 0; ok && i < f->link_capacity; i++)
        if (f->links[i].pairing != NULL)
            ok = ftr_phase_pairing_finish(f->links[i].pairing);
    return ok;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool fold_other(call_folding *f, ftr_access_place place)
{
    ftr_access access = access_of(f, &f->call, place);
    ftr_tx tx;
    if (place == FTR_PLACE_DMI)
        access.generator = f->call.generator->name;
    return put_alone(f, &access, &tx);
}

static bool fold_call(call_folding *f)
{
    if (!ftr_call_decode(&f->call, f->reader, &f->heads[CALLS]))
        return fail(f, FTR_ERR_MEMORY);
    f->output.counts.calls++;
    switch (f->streams[f->call.stream->index].role) {
    case FTR_ROLE_BLOCKING:
        return fold_blocking(f);
    case FTR_ROLE_NONBLOCKING:
        return fold_nonblocking(f);
    case FTR_ROLE_DMI_CALLS:
        return fold_other(f, FTR_PLACE_DMI);
    case FTR_ROLE_DEBUG_CALLS:
        return fold_other(f, FTR_PLACE_DEBUG);
    default:
        return ftr_fold_skip(&f->output, &f->call, FTR_FOLD_STREAM);
    }
}

static bool fold_timed(call_folding *f)
{
    f->output.counts.calls++;
    switch (f->streams[f->timed.stream->index].role) {
    case FTR_ROLE_BLOCKING_TIMED:
        return fold_blocking_timed(f);
    case FTR_ROLE_NONBLOCKING_TIMED:
        return fold_nonblocking_timed(f);
    default:
        return ftr_fold_skip(&f->output, &f->timed, FTR_FOLD_STREAM);
    }
}

/* Returns whether the next `_timed` transaction can be folded before the next call: its call was
 * read, or it is a response, which is folded with its request. */
static bool is_ready(const call_folding *f)
{
    const ftr_call *timed = &f->timed;
    const bool is_blocking = f->streams[timed->stream->index].role == FTR_ROLE_BLOCKING_TIMED;
    if (!is_blocking && !ftr_view_is(timed->generator->name, "request"))
        return true;
    const ftr_awaited_key key = key_of(f, timed, timed->begin, is_blocking ? timed->end : 0);
    return ftr_awaited_find(is_blocking ? &f->blocking : &f->begins, &key) != NULL;
}

static bool advance(call_folding *f, unsigned cursor)
{
    const ftr_status status = ftr_cursor_next(f->cursors[cursor], &f->heads[cursor]);
    f->has_head[cursor] = status == FTR_OK;
    if (status != FTR_OK && status != FTR_ERR_END)
        return fail(f, status);
    return status == FTR_ERR_END || cursor == CALLS ||
           ftr_call_decode(&f->timed, f->reader, &f->heads[TIMED]) || fail(f, FTR_ERR_MEMORY);
}

static bool fold_all(call_folding *f)
{
    bool ok = advance(f, CALLS) && advance(f, TIMED);
    while (ok && (f->has_head[CALLS] || f->has_head[TIMED])) {
        const uint64_t end = f->heads[CALLS].end;
        const uint64_t timed_end = f->heads[TIMED].end;
        const bool is_timed = f->has_head[TIMED] && (!f->has_head[CALLS] || timed_end < end ||
                                                     (timed_end == end && is_ready(f)));
        ok = is_timed ? fold_timed(f) && advance(f, TIMED) : fold_call(f) && advance(f, CALLS);
    }
    return ok && skip_rest(f);
}

static bool is_timed_role(ftr_call_role role)
{
    return role == FTR_ROLE_BLOCKING_TIMED || role == FTR_ROLE_NONBLOCKING_TIMED;
}

static bool choose_calls(void *user, const ftr_stream_info *stream)
{
    const ftr_call_role role = ftr_call_role_of(stream, NULL);
    (void)user;
    return role != FTR_ROLE_NO_CALLS && !is_timed_role(role);
}

static bool choose_timed(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return is_timed_role(ftr_call_role_of(stream, NULL));
}

/* Stores which response belongs to which request. Other relations of this name connect calls of
 * different links. */
static bool read_partners(call_folding *f)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(f->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return fail(f, status);
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        const ftr_stream_info *stream =
            relation.has_streams ? ftr_reader_find_stream(f->reader, relation.from_stream) : NULL;
        if (!ftr_view_is(relation.name, SUCCESSOR) ||
            (stream != NULL && ftr_call_role_of(stream, NULL) != FTR_ROLE_NONBLOCKING_TIMED))
            continue;
        const ftr_id_value from = {{relation.from_tx, 1}};
        const ftr_id_value to = {{relation.to_tx, 1}};
        status = ftr_id_file_put(f->partners, relation.from_tx, to);
        if (status == FTR_OK)
            status = ftr_id_file_put(f->partners, relation.to_tx, from);
        if (status != FTR_OK)
            break;
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END || fail(f, status);
}

static bool open_cursors(call_folding *f)
{
    ftr_query query = {.size = sizeof query, .order = FTR_ORDER_END, .choose_stream = choose_calls};
    ftr_status status = ftr_cursor_open(f->reader, &query, &f->cursors[CALLS]);
    query.choose_stream = choose_timed;
    if (status == FTR_OK)
        status = ftr_cursor_open(f->reader, &query, &f->cursors[TIMED]);
    return status == FTR_OK || fail(f, status);
}

static void release(call_folding *f)
{
    for (unsigned i = 0; i < CURSORS; i++)
        ftr_cursor_close(f->cursors[i]);
    for (size_t i = 0; i < f->link_capacity; i++)
        ftr_phase_pairing_destroy(f->links[i].pairing);
    free(f->links);
    free(f->streams);
    ftr_names_release(&f->names);
    ftr_id_file_destroy(f->partners);
    ftr_awaited_release(&f->blocking);
    ftr_awaited_release(&f->begins);
    release_all_held(&f->requests);
    release_all_held(&f->responses);
    ftr_call_release(&f->call);
    ftr_call_release(&f->timed);
}

ftr_status ftr_calls_fold(ftr_reader *reader, const ftr_fold_sink *sink, ftr_id_file *ids,
                          ftr_fold_counts *counts)
{
    call_folding f = {.reader = reader, .output = {.sink = sink, .ids = ids}};
    f.partners = ftr_id_file_create();
    if (f.partners == NULL)
        return FTR_ERR_MEMORY;
    if (add_streams(&f) && read_partners(&f) && open_cursors(&f))
        (void)fold_all(&f);
    release(&f);
    *counts = f.output.counts;
    return f.output.status;
}
