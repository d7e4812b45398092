/* Decides whether a query includes a chunk or transaction, and fills in the public description of
 * included transactions. */
#include "selection.h"

#include "chunk_ids.h"
#include "growing_array.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = 0, INCLUDED = 1, EXCLUDED = 2 };

void ftr_selection_init(ftr_selection *selection, ftr_reader *reader, const ftr_query *query)
{
    *selection = (ftr_selection){.reader = reader};
    if (query != NULL)
        selection->query = *query;
    if (selection->query.threads == 0)
        selection->query.threads = reader->threads;
    selection->every_transaction = !selection->query.by_id && !selection->query.windowed &&
                                   selection->query.choose_generator == NULL;
}

void ftr_selection_release(ftr_selection *selection)
{
    ftr_budget_release(&selection->reader->budget,
                       selection->streams.capacity + selection->generators.capacity);
    free(selection->streams.answer);
    free(selection->generators.answer);
}

/* Returns the place of answer number @p index; NULL if out of memory. */
static uint8_t *answer_at(ftr_selection *selection, ftr_stored_answers *answers, size_t index)
{
    if (index < answers->capacity)
        return &answers->answer[index];
    const size_t before = answers->capacity;
    if (ftr_array_reserve(&selection->reader->budget, &answers->answer, &answers->capacity,
                          index + 64, 1) != FTR_OK)
        return NULL;
    memset(answers->answer + before, UNKNOWN, answers->capacity - before);
    return &answers->answer[index];
}

static bool wants_stream(ftr_selection *selection, const ftr_stream_info *stream)
{
    if (selection->query.choose_stream == NULL)
        return true;
    uint8_t *answer = answer_at(selection, &selection->streams, stream->index);
    if (answer != NULL && *answer != UNKNOWN)
        return *answer == INCLUDED;
    const bool wanted = selection->query.choose_stream(selection->query.user, stream);
    if (answer != NULL)
        *answer = wanted ? INCLUDED : EXCLUDED;
    return wanted;
}

static bool wants_generator(ftr_selection *selection, const ftr_generator_info *generator)
{
    uint8_t *answer = answer_at(selection, &selection->generators, generator->index);
    if (answer != NULL && *answer != UNKNOWN)
        return *answer == INCLUDED;
    const bool wanted = selection->query.choose_generator(selection->query.user, generator);
    if (answer != NULL)
        *answer = wanted ? INCLUDED : EXCLUDED;
    return wanted;
}

ftr_status ftr_selection_settle(ftr_selection *selection)
{
    const ftr_directory *directory = &selection->reader->directory;
    if (selection->query.choose_generator == NULL)
        return FTR_OK;
    if (answer_at(selection, &selection->generators,
                  directory->generator_count + directory->stream_count) == NULL)
        return FTR_ERR_MEMORY;
    for (size_t i = 0; i < directory->generator_count; i++)
        (void)wants_generator(selection, &directory->generators[i]->info);
    return FTR_OK;
}

bool ftr_selection_may_include(ftr_selection *selection, const ftr_chunk *chunk)
{
    const ftr_query *query = &selection->query;
    if (chunk->kind != FTR_CHUNK_TRANSACTIONS || chunk->unusable)
        return false;
    if (query->windowed && !chunk->inverted_range &&
        (chunk->end < query->from || chunk->start > query->to))
        return false;
    if (query->by_id && !ftr_chunk_ids_may_have(selection->reader, chunk, query->id))
        return false;
    return wants_stream(selection, &selection->reader->directory.streams[chunk->stream]->info);
}

static const ftr_generator_info *generator_of(ftr_reader *reader, const ftr_chunk *chunk,
                                              uint64_t id)
{
    const ftr_generator_entry *generator = ftr_directory_find_generator(&reader->directory, id);
    if (generator != NULL)
        return &generator->info;
    if (reader->origin != NULL) {
        reader->findings.count++; /* so the reader of this view reads the chunk again */
        return NULL;
    }
    return ftr_directory_undefined(&reader->directory, &reader->budget,
                                   reader->directory.streams[chunk->stream]);
}

bool ftr_selection_includes_checked(ftr_selection *selection, const ftr_chunk *chunk,
                                    const ftr_tx_head *head)
{
    const ftr_query *query = &selection->query;
    if (query->by_id && head->id != query->id)
        return false;
    /* If a transaction ends before it begins, only its begin counts. */
    if (query->windowed &&
        (head->begin > query->to ||
         (head->end < query->from && (head->end >= head->begin || head->begin < query->from))))
        return false;
    if (query->choose_generator == NULL)
        return true;
    const ftr_generator_info *generator = generator_of(selection->reader, chunk, head->generator);
    return generator != NULL && wants_generator(selection, generator);
}

bool ftr_transaction_fill_checked(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                                  const ftr_tx_head *head, ftr_transaction *tx)
{
    const ftr_generator_info *generator = generator_of(reader, chunk, head->generator);
    if (generator == NULL) {
        ftr_findings_add(&reader->findings, FTR_RULE_CHUNK_BUDGET, chunk->offset, 0,
                         "out of memory for generator %" PRIu64 ": transaction skipped",
                         head->generator);
        return false;
    }
    if (!generator->defined)
        ftr_findings_add(&reader->findings, FTR_RULE_UNDEFINED_GENERATOR, chunk->offset, 1 + within,
                         "transaction %" PRIu64 " belongs to generator %" PRIu64
                         ", which is not defined",
                         head->id, head->generator);
    if (generator->defined) {
        const unsigned entry = head->generator % FTR_FORM_PROGRAMS;
        reader->forms.generator[entry].info = generator;
        reader->forms.generator[entry].id = head->generator;
    }
    ftr_transaction_set(chunk, within, head, generator, tx);
    return true;
}

void ftr_selection_report(ftr_reader *reader, const ftr_chunk *chunk, uint64_t within,
                          ftr_status status)
{
    if (status == FTR_ERR_ARGUMENT)
        ftr_findings_add(&reader->findings, FTR_RULE_TX_SHAPE, chunk->offset, 1 + within,
                         "an item that is not a transaction: skipped");
    else
        ftr_findings_add(&reader->findings, FTR_RULE_TX_SHAPE, chunk->offset, 1 + within,
                         "the transactions of the chunk end early: its rest is skipped");
}

ftr_status ftr_chunk_order_collect(ftr_chunk_order *order, ftr_reader *reader,
                                   ftr_chunk_choice *chooses, void *user)
{
    for (size_t i = 0; i < reader->chunk_count; i++) {
        if (!chooses(user, ftr_chunk_at(reader, i)))
            continue;
        const ftr_status status = ftr_array_reserve(&reader->budget, &order->list, &order->capacity,
                                                    order->count + 1, sizeof *order->list);
        if (status != FTR_OK)
            return status;
        order->list[order->count++] = (uint32_t)i;
    }
    return FTR_OK;
}

static bool may_include(void *user, const ftr_chunk *chunk)
{
    return ftr_selection_may_include(user, chunk);
}

ftr_status ftr_chunk_order_select(ftr_chunk_order *order, ftr_selection *selection)
{
    return ftr_chunk_order_collect(order, selection->reader, may_include, selection);
}

void ftr_chunk_order_release(ftr_chunk_order *order, ftr_budget *budget)
{
    ftr_array_release(budget, order->list, order->capacity, sizeof *order->list);
    *order = (ftr_chunk_order){0};
}
