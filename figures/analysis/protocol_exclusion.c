/* Checks that a link has one request and one response at a time. An access has effective times
 * only, which do not show the order of the calls. Its events do: an event is recorded in the call
 * that has the phase, so the events of a stream are stored in the order of these calls. An access
 * is stored when it has ended. */
#include "protocol_exclusion.h"

#include "event_names.h"
#include "growing_array.h"
#include "id_index.h"
#include "protocol_values.h"

#include <ftr/detail/protocol_rules.h>

enum {
#define ENUMERATOR(identifier, name, clause, severity, demand) RULE_##identifier,
    FTR_PROTOCOL_RULE_TABLE(ENUMERATOR)
#undef ENUMERATOR
};

/* The accesses with the latest request and with the latest response on a link, if these have not
 * ended; FTR_ID_NONE: none. */
typedef struct link {
    bool is_known;
    uint64_t request, response;
} link;

typedef struct checker {
    ftr_reader *reader;
    bool (*is_checked)(void *user, const ftr_stream_info *stream);
    ftr_protocol_order_report *report;
    void *user;
    uint64_t *requests;
    ftr_budget budget;
    ftr_id_index parents; /* from an event to its access */
    link *links;          /* index: number of the stream */
    size_t link_count;
} checker;

static bool is_events(const ftr_generator_info *generator)
{
    return ftr_is_events_name(generator->name.data, generator->name.size);
}

static bool has_events(const checker *c)
{
    for (size_t i = 0; i < ftr_reader_generator_count(c->reader); i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(c->reader, i);
        if (generator->defined && is_events(generator) && c->is_checked(c->user, generator->stream))
            return true;
    }
    return false;
}

static ftr_status read_parents(checker *c)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(c->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while (status == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        const ftr_stream_info *stream =
            relation.has_streams ? ftr_reader_find_stream(c->reader, relation.to_stream) : NULL;
        if (stream != NULL && c->is_checked(c->user, stream) && relation.from_tx != FTR_ID_NONE &&
            ftr_is_text(relation.name.data, relation.name.size, FTR_PARENT_OF))
            status = ftr_id_index_put(&c->parents, &c->budget, relation.to_tx, relation.from_tx);
    }
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

static void begin(checker *c, uint64_t *open, uint64_t access, unsigned rule,
                  const ftr_transaction *event)
{
    if (*open != FTR_ID_NONE && *open != access)
        c->report(c->user, rule, 0, event,
                  rule == RULE_request_exclusion ? "the request of another access is not ended"
                                                 : "the response of another access is not ended");
    *open = access;
}

static void end(uint64_t *open, uint64_t access)
{
    if (*open == access)
        *open = FTR_ID_NONE;
}

static void apply_event(checker *c, link *on, ftr_transaction *event)
{
    static const char *const NAMES[] = {FTR_EVENT_NAME};
    ftr_protocol_values values;
    const uint64_t access = ftr_id_index_get(&c->parents, event->id);
    if (access == FTR_ID_NONE)
        return;
    ftr_protocol_values_read(&values, NAMES, 1, c->reader, event);
    if (ftr_protocol_value_is(&values, 0, "BEGIN_REQ")) {
        *c->requests += 1;
        begin(c, &on->request, access, RULE_request_exclusion, event);
    } else if (ftr_protocol_value_is(&values, 0, "END_REQ")) {
        end(&on->request, access);
    } else if (ftr_protocol_value_is(&values, 0, "BEGIN_RESP")) {
        end(&on->request, access);
        begin(c, &on->response, access, RULE_response_exclusion, event);
    } else if (ftr_protocol_value_is(&values, 0, "END_RESP")) {
        end(&on->response, access);
    }
}

static ftr_status apply(checker *c, ftr_transaction *tx)
{
    if (!ftr_array_reach(&c->links, &c->link_count, tx->stream->index, sizeof *c->links))
        return FTR_ERR_MEMORY;
    link *on = &c->links[tx->stream->index];
    if (!on->is_known)
        *on = (link){true, FTR_ID_NONE, FTR_ID_NONE};
    if (is_events(tx->generator)) {
        apply_event(c, on, tx);
    } else {
        end(&on->request, tx->id);
        end(&on->response, tx->id);
    }
    return FTR_OK;
}

static ftr_status check(checker *c)
{
    const ftr_query query = {.size = sizeof query,
                             .order = FTR_ORDER_STORED,
                             .choose_stream = c->is_checked,
                             .user = c->user};
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status = read_parents(c);
    if (status != FTR_OK)
        return status;
    status = ftr_cursor_open(c->reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while (status == FTR_OK && (status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        status = apply(c, &tx);
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

ftr_status
ftr_protocol_exclusion_check(ftr_reader *reader, size_t memory,
                             bool (*is_checked)(void *user, const ftr_stream_info *stream),
                             ftr_protocol_order_report *report, void *user, uint64_t *requests)
{
    checker c = {.reader = reader,
                 .is_checked = is_checked,
                 .report = report,
                 .user = user,
                 .requests = requests,
                 .budget.limit = memory};
    *requests = 0;
    if (!has_events(&c))
        return FTR_OK;
    const ftr_status status = check(&c);
    ftr_id_index_release(&c.parents, &c.budget);
    free(c.links);
    return status;
}
