/* Calls the registered functions in order of time. One cursor returns transactions in order of
 * begin, a second one in order of end, so that no transaction has to be kept in memory between its
 * begin and its end. */
#include <ftr/parser.h>

#include <stdlib.h>
#include <string.h>

typedef enum event_kind {
    EVENT_STREAM,
    EVENT_GENERATOR,
    EVENT_BEGIN,
    EVENT_ATTRIBUTE,
    EVENT_END,
    EVENT_RELATION,
    EVENT_KINDS
} event_kind;

typedef union callback {
    ftr_parser_stream *stream;
    ftr_parser_generator *generator;
    ftr_parser_transaction *transaction;
    ftr_parser_attribute *attribute;
    ftr_parser_relation *relation;
} callback;

typedef struct registration {
    struct registration *next;
    ftr_parser_range range;
    callback call;
    void *user;
} registration;

struct ftr_parser {
    ftr_reader *reader;
    registration *registered[EVENT_KINDS]; /* in the order of registration */
};

ftr_status ftr_parser_create(ftr_reader *reader, ftr_parser **created)
{
    if (reader == NULL || created == NULL)
        return FTR_ERR_ARGUMENT;
    ftr_parser *parser = calloc(1, sizeof *parser);
    if (parser == NULL)
        return FTR_ERR_MEMORY;
    parser->reader = reader;
    *created = parser;
    return FTR_OK;
}

void ftr_parser_destroy(ftr_parser *parser)
{
    if (parser == NULL)
        return;
    for (int kind = 0; kind < EVENT_KINDS; kind++)
        for (registration *r = parser->registered[kind]; r != NULL;) {
            registration *next = r->next;
            free(r);
            r = next;
        }
    free(parser);
}

/* ---- registration ---------------------------------------------------------------------------- */

static ftr_status add(ftr_parser *parser, event_kind kind, const ftr_parser_range *range,
                      bool has_callback, callback call, void *user)
{
    if (parser == NULL || !has_callback)
        return FTR_ERR_ARGUMENT;
    registration *r = calloc(1, sizeof *r);
    if (r == NULL)
        return FTR_ERR_MEMORY;
    if (range != NULL)
        r->range = *range;
    if (r->range.stream_last == 0)
        r->range.stream_last = UINT64_MAX;
    if (r->range.generator_last == 0)
        r->range.generator_last = UINT64_MAX;
    r->call = call;
    r->user = user;
    registration **last = &parser->registered[kind];
    while (*last != NULL)
        last = &(*last)->next;
    *last = r;
    return FTR_OK;
}

ftr_status ftr_parser_on_stream(ftr_parser *parser, const ftr_parser_range *range,
                                ftr_parser_stream *call, void *user)
{
    return add(parser, EVENT_STREAM, range, call != NULL, (callback){.stream = call}, user);
}

ftr_status ftr_parser_on_generator(ftr_parser *parser, const ftr_parser_range *range,
                                   ftr_parser_generator *call, void *user)
{
    return add(parser, EVENT_GENERATOR, range, call != NULL, (callback){.generator = call}, user);
}

ftr_status ftr_parser_on_begin(ftr_parser *parser, const ftr_parser_range *range,
                               ftr_parser_transaction *call, void *user)
{
    return add(parser, EVENT_BEGIN, range, call != NULL, (callback){.transaction = call}, user);
}

ftr_status ftr_parser_on_attribute(ftr_parser *parser, const ftr_parser_range *range,
                                   ftr_parser_attribute *call, void *user)
{
    return add(parser, EVENT_ATTRIBUTE, range, call != NULL, (callback){.attribute = call}, user);
}

ftr_status ftr_parser_on_end(ftr_parser *parser, const ftr_parser_range *range,
                             ftr_parser_transaction *call, void *user)
{
    return add(parser, EVENT_END, range, call != NULL, (callback){.transaction = call}, user);
}

ftr_status ftr_parser_on_relation(ftr_parser *parser, const ftr_parser_range *range,
                                  ftr_parser_relation *call, void *user)
{
    return add(parser, EVENT_RELATION, range, call != NULL, (callback){.relation = call}, user);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool has_stream(const registration *r, uint64_t stream)
{
    return stream >= r->range.stream_first && stream <= r->range.stream_last;
}

static bool has_generator(const registration *r, uint64_t stream, uint64_t generator)
{
    return has_stream(r, stream) && generator >= r->range.generator_first &&
           generator <= r->range.generator_last;
}

static bool call_definitions(const ftr_parser *parser)
{
    for (size_t i = 0; i < ftr_reader_stream_count(parser->reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(parser->reader, i);
        for (const registration *r = parser->registered[EVENT_STREAM]; r != NULL; r = r->next)
            if (has_stream(r, stream->id) && !r->call.stream(r->user, stream))
                return false;
    }
    for (size_t i = 0; i < ftr_reader_generator_count(parser->reader); i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(parser->reader, i);
        for (const registration *r = parser->registered[EVENT_GENERATOR]; r != NULL; r = r->next)
            if (has_generator(r, generator->stream->id, generator->id) &&
                !r->call.generator(r->user, generator))
                return false;
    }
    return true;
}

static bool call_transaction(const ftr_parser *parser, event_kind kind, const ftr_transaction *tx)
{
    for (const registration *r = parser->registered[kind]; r != NULL; r = r->next)
        if (has_generator(r, tx->stream->id, tx->generator_id) && !r->call.transaction(r->user, tx))
            return false;
    return true;
}

static bool call_attributes(const ftr_parser *parser, ftr_transaction *tx, bool at_begin)
{
    if (parser->registered[EVENT_ATTRIBUTE] == NULL)
        return true;
    ftr_attribute_value attribute;
    bool proceed = true;
    while (proceed && ftr_reader_next_attribute(parser->reader, tx, &attribute)) {
        if ((attribute.class_ == FTR_CLASS_BEGIN) != at_begin)
            continue;
        for (const registration *r = parser->registered[EVENT_ATTRIBUTE]; r != NULL && proceed;
             r = r->next)
            if (has_generator(r, tx->stream->id, tx->generator_id))
                proceed = r->call.attribute(r->user, tx, &attribute);
    }
    ftr_transaction_rewind(tx);
    return proceed;
}

static uint64_t end_of(const ftr_transaction *tx)
{
    return tx->end > tx->begin ? tx->end : tx->begin;
}

/* Returns true if the end of @p ending comes before the begin of @p beginning. */
static bool ends_first(const ftr_transaction *ending, const ftr_transaction *beginning)
{
    const uint64_t end = end_of(ending);
    /* If an end and a begin have the same time, a transaction with a duration ends first. A
     * transaction without duration ends after it begins. */
    return end < beginning->begin || (end == beginning->begin && ending->begin < end);
}

static ftr_status run_transactions(const ftr_parser *parser, ftr_cursor *begins, ftr_cursor *ends)
{
    ftr_transaction beginning;
    ftr_transaction ending;
    ftr_status more_begins = ftr_cursor_next(begins, &beginning);
    ftr_status more_ends = ftr_cursor_next(ends, &ending);
    for (;;) {
        if (more_begins != FTR_OK && more_begins != FTR_ERR_END)
            return more_begins;
        if (more_ends != FTR_OK)
            return more_ends == FTR_ERR_END ? FTR_OK : more_ends;
        if (more_begins == FTR_OK && !ends_first(&ending, &beginning)) {
            if (!call_transaction(parser, EVENT_BEGIN, &beginning) ||
                !call_attributes(parser, &beginning, true))
                return FTR_ERR_END;
            more_begins = ftr_cursor_next(begins, &beginning);
        } else {
            if (!call_attributes(parser, &ending, false) ||
                !call_transaction(parser, EVENT_END, &ending))
                return FTR_ERR_END;
            more_ends = ftr_cursor_next(ends, &ending);
        }
    }
}

static ftr_status run_passes(const ftr_parser *parser)
{
    if (parser->registered[EVENT_BEGIN] == NULL && parser->registered[EVENT_ATTRIBUTE] == NULL &&
        parser->registered[EVENT_END] == NULL)
        return FTR_OK;
    ftr_query query = {.size = sizeof query, .order = FTR_ORDER_BEGIN};
    ftr_cursor *begins = NULL;
    ftr_cursor *ends = NULL;
    ftr_status status = ftr_cursor_open(parser->reader, &query, &begins);
    query.order = FTR_ORDER_END;
    if (status == FTR_OK)
        status = ftr_cursor_open(parser->reader, &query, &ends);
    if (status == FTR_OK)
        status = run_transactions(parser, begins, ends);
    ftr_cursor_close(begins);
    ftr_cursor_close(ends);
    return status;
}

static ftr_status run_relations(const ftr_parser *parser)
{
    if (parser->registered[EVENT_RELATION] == NULL)
        return FTR_OK;
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(parser->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    bool proceed = true;
    while (proceed && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK)
        for (const registration *r = parser->registered[EVENT_RELATION]; r != NULL && proceed;
             r = r->next)
            if (!relation.has_streams || has_stream(r, relation.from_stream))
                proceed = r->call.relation(r->user, &relation);
    ftr_relation_cursor_close(cursor);
    if (!proceed)
        return FTR_ERR_END;
    return status == FTR_ERR_END ? FTR_OK : status;
}

ftr_status ftr_parser_run(ftr_parser *parser)
{
    if (parser == NULL)
        return FTR_ERR_ARGUMENT;
    if (!call_definitions(parser))
        return FTR_ERR_END;
    const ftr_status status = run_passes(parser);
    return status == FTR_OK ? run_relations(parser) : status;
}
