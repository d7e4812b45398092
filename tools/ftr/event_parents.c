/* Finds the parents of events. Only the relations to transactions in streams with events are kept,
 * because other transactions use the relation `parent_of`, too. */
#include "event_parents.h"

#include "command.h"
#include "event_names.h"

#include <stdlib.h>

/* The parents may use 1 / PARENTS_SHARE of the memory. */
#define PARENTS_SHARE 4

static bool is_events(const ftr_generator_info *generator)
{
    return ftr_is_events_name(generator->name.data, generator->name.size);
}

/* Returns an array that says for each stream whether it has events; NULL if no stream has events,
 * or if out of memory. */
static bool *find_streams(const ftr_reader *reader, bool *failed)
{
    bool *has_events = NULL;
    for (size_t i = 0; i < ftr_reader_generator_count(reader); i++) {
        const ftr_generator_info *generator = ftr_reader_get_generator(reader, i);
        if (!generator->defined || !is_events(generator))
            continue;
        if (has_events == NULL)
            has_events = calloc(ftr_reader_stream_count(reader), sizeof *has_events);
        *failed = has_events == NULL;
        if (*failed)
            break;
        has_events[generator->stream->index] = true;
    }
    return has_events;
}

static bool may_be_event(const ftr_reader *reader, const bool *has_events,
                         const ftr_relation_info *relation)
{
    if (!ftr_is_text(relation->name.data, relation->name.size, FTR_PARENT_OF))
        return false;
    const ftr_stream_info *stream =
        relation->has_streams ? ftr_reader_find_stream(reader, relation->to_stream) : NULL;
    return stream == NULL || has_events[stream->index];
}

static ftr_status read_relations(ftr_event_parents *found, ftr_reader *reader,
                                 const bool *has_events)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while (status == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        /* The first parent counts. */
        if (may_be_event(reader, has_events, &relation) &&
            ftr_id_index_get(&found->parents, relation.to_tx) == FTR_ID_NONE &&
            relation.from_tx != FTR_ID_NONE)
            status =
                ftr_id_index_put(&found->parents, &found->budget, relation.to_tx, relation.from_tx);
    }
    ftr_relation_cursor_close(cursor);
    return status;
}

bool ftr_event_parents_read(ftr_event_parents *found, ftr_input *input)
{
    bool failed = false;
    *found = (ftr_event_parents){.budget.limit = input->memory / PARENTS_SHARE};
    bool *has_events = find_streams(input->reader, &failed);
    if (has_events == NULL)
        return ftr_input_check_end(input, failed ? FTR_ERR_MEMORY : FTR_ERR_END);
    ftr_status status = read_relations(found, input->reader, has_events);
    free(has_events);
    if (status == FTR_ERR_LIMIT) {
        ftr_event_parents_release(found);
        ftr_print_error("%s: the parents of events exceed the memory budget and are not printed; "
                        "raise --memory",
                        input->path);
        status = FTR_ERR_END;
    }
    return ftr_input_check_end(input, status);
}

void ftr_event_parents_release(ftr_event_parents *found)
{
    ftr_id_index_release(&found->parents, &found->budget);
    found->parents = (ftr_id_index){0};
}

uint64_t ftr_event_parents_find(const ftr_event_parents *found, const ftr_transaction *tx)
{
    return found->parents.count > 0 && is_events(tx->generator)
               ? ftr_id_index_get(&found->parents, tx->id)
               : FTR_ID_NONE;
}
