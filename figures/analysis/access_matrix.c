/* Follows chains of accesses. All accesses are in memory, in order of id, so a relation finds its
 * two accesses by a binary search. */
#include "access_matrix.h"

#include "growing_array.h"
#include "open_table.h"
#include "hash.h"
#include "stream_name_rules.h"
#include "text_view.h"
#include "tx_figures.h"

#include <stdlib.h>
#include <string.h>

/* A longer chain is a loop: an access does not pass that many links. */
#define HOPS_MAX 1024u

#define NO_PARENT UINT32_MAX

typedef struct hop {
    uint64_t id, latency, bytes;
    uint32_t link;   /* number of the stream */
    uint32_t parent; /* index of the hop before, or NO_PARENT */
    bool has_next;   /* another hop has this one as parent */
    bool branches;   /* several hops have this one as parent */
    bool is_unfinished;
} hop;

/* A first hop and a target that it reaches. Only first hops with several last hops are in the set,
 * because only these can reach a target more than once. */
typedef struct reached {
    uint32_t first; /* index of the hop + 1; 0: free */
    uint32_t link;
} reached;

typedef struct pass {
    ftr_access_matrix *matrix;
    ftr_reader *reader;
    const ftr_query *query;
    hop *hops;
    size_t count, capacity;
    bool is_unsorted;
    reached *set;
    size_t set_count, set_capacity;
} pass;

/* ---- the accesses ---------------------------------------------------------------------------- */

static bool choose_stream(void *user, const ftr_stream_info *stream)
{
    const pass *p = user;
    const bool is_chosen =
        ftr_view_is(stream->kind, FTR_ACCESS_KIND) &&
        (p->query->choose_stream == NULL || p->query->choose_stream(p->query->user, stream));
    p->matrix->links += is_chosen;
    return is_chosen;
}

static bool choose_generator(void *user, const ftr_generator_info *generator)
{
    const pass *p = user;
    return !ftr_text_ends(generator->name.data, generator->name.size, FTR_EVENTS_SUFFIX) &&
           (p->query->choose_generator == NULL ||
            p->query->choose_generator(p->query->user, generator));
}

static void read_attributes(ftr_reader *reader, ftr_transaction *tx, hop *to)
{
    ftr_tx_figures figures = {0};
    ftr_attribute_value value;
    while (ftr_reader_next_attribute(reader, tx, &value)) {
        const ftr_figure_meaning meaning =
            value.name.data != NULL ? ftr_figure_meaning_of(value.name.data, value.name.size)
                                    : FTR_MEANS_NOTHING;
        if (value.form == FTR_FORM_NUMBER)
            ftr_tx_figures_number(&figures, meaning, value.as.number);
        else if (value.form == FTR_FORM_BOOLEAN && value.as.boolean)
            figures.unfinished |= meaning == FTR_MEANS_UNFINISHED;
    }
    to->bytes = figures.bytes;
    to->is_unfinished = figures.unfinished;
}

static ftr_status add_hop(pass *p, ftr_transaction *tx)
{
    if (p->count == NO_PARENT)
        return FTR_ERR_LIMIT;
    const ftr_status status = ftr_array_reserve(&p->matrix->budget, &p->hops, &p->capacity,
                                                p->count + 1, sizeof *p->hops);
    if (status != FTR_OK)
        return status;
    hop *added = &p->hops[p->count];
    *added = (hop){.id = tx->id,
                   .latency = tx->end > tx->begin ? tx->end - tx->begin : 0,
                   .link = (uint32_t)tx->generator->stream->index,
                   .parent = NO_PARENT};
    read_attributes(p->reader, tx, added);
    p->is_unsorted |= p->count > 0 && p->hops[p->count - 1].id > tx->id;
    p->count++;
    return FTR_OK;
}

static int compare_hops(const void *a, const void *b)
{
    const uint64_t x = ((const hop *)a)->id;
    const uint64_t y = ((const hop *)b)->id;
    return (x > y) - (x < y);
}

static ftr_status read_accesses(pass *p)
{
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_query query = *p->query;
    query.order = FTR_ORDER_STORED;
    query.choose_stream = choose_stream;
    query.choose_generator = choose_generator;
    query.user = p;
    ftr_status status = ftr_cursor_open(p->reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        status = add_hop(p, &tx);
        if (status != FTR_OK)
            break;
    }
    ftr_cursor_close(cursor);
    p->matrix->accesses = p->count;
    if (status != FTR_ERR_END)
        return status;
    /* Sorting can need a copy of the array. */
    const size_t size = p->count * sizeof *p->hops;
    if (!p->is_unsorted)
        return FTR_OK;
    if (!ftr_budget_reserve(&p->matrix->budget, size))
        return FTR_ERR_LIMIT;
    qsort(p->hops, p->count, sizeof *p->hops, compare_hops);
    ftr_budget_release(&p->matrix->budget, size);
    return FTR_OK;
}

/* ---- the relations --------------------------------------------------------------------------- */

static hop *find(const pass *p, uint64_t id)
{
    const hop key = {.id = id};
    return p->count > 0 ? bsearch(&key, p->hops, p->count, sizeof *p->hops, compare_hops) : NULL;
}

/* If a hop has several parents, the first relation counts. */
static void relate(pass *p, hop *parent, hop *child)
{
    if (parent == NULL || child == NULL || parent == child || child->parent != NO_PARENT)
        return;
    child->parent = (uint32_t)(parent - p->hops);
    parent->branches |= parent->has_next;
    parent->has_next = true;
}

static ftr_status read_relations(pass *p)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    ftr_status status = ftr_relation_cursor_open(p->reader, false, 0, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK)
        if (ftr_view_is(relation.name, FTR_PARENT_CHILD))
            relate(p, find(p, relation.from_tx), find(p, relation.to_tx));
    ftr_relation_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

/* ---- the chains ------------------------------------------------------------------------------ */

static bool reached_is_free(const void *slot)
{
    return ((const reached *)slot)->first == 0;
}

static bool reached_is(const void *slot, const void *key)
{
    return memcmp(slot, key, sizeof(reached)) == 0;
}

static uint64_t reached_hash(const void *slot)
{
    const reached *of = slot;
    return ftr_hash_number((uint64_t)of->first << 32 | of->link);
}

static const ftr_table_rule REACHED = {sizeof(reached), 0, reached_is_free, reached_is,
                                       reached_hash};

/* Stores that a first hop reaches a link.
 * @param[out] is_first whether this was not stored before; untouched on error */
static ftr_status note_reached(pass *p, uint32_t first, uint32_t link, bool *is_first)
{
    const reached key = {first + 1, link};
    if ((p->set_count + 1) * 2 > p->set_capacity) {
        const size_t capacity = p->set_capacity > 0 ? 2 * p->set_capacity : 1024;
        if (!ftr_budget_reserve(&p->matrix->budget, capacity * sizeof key))
            return FTR_ERR_LIMIT;
        const size_t before = p->set_capacity;
        if (!ftr_table_resize(&REACHED, &p->set, &p->set_capacity, capacity))
            return FTR_ERR_MEMORY;
        ftr_budget_release(&p->matrix->budget, before * sizeof key);
    }
    reached *slot = ftr_table_search(&REACHED, p->set, p->set_capacity, reached_hash(&key), &key);
    *is_first = slot->first == 0;
    p->set_count += *is_first;
    *slot = key;
    return FTR_OK;
}

static ftr_status cell_of(pass *p, uint32_t first, uint32_t last, ftr_matrix_cell **cell)
{
    ftr_access_matrix *matrix = p->matrix;
    size_t at = 0;
    size_t end = matrix->cell_count;
    while (at < end) {
        const size_t middle = at + (end - at) / 2;
        const ftr_matrix_cell *of = &matrix->cells[middle];
        if (of->first < first || (of->first == first && of->last < last))
            at = middle + 1;
        else
            end = middle;
    }
    if (at == matrix->cell_count || matrix->cells[at].first != first ||
        matrix->cells[at].last != last) {
        const ftr_status status =
            ftr_array_reserve(&matrix->budget, &matrix->cells, &matrix->cell_capacity,
                              matrix->cell_count + 1, sizeof *matrix->cells);
        if (status != FTR_OK)
            return status;
        memmove(&matrix->cells[at + 1], &matrix->cells[at],
                (matrix->cell_count - at) * sizeof *matrix->cells);
        matrix->cell_count++;
        matrix->cells[at] = (ftr_matrix_cell){.first = first, .last = last};
    }
    *cell = &matrix->cells[at];
    return FTR_OK;
}

/* Counts the chain that ends with @p last in its cell. */
static ftr_status add_chain(pass *p, const hop *last)
{
    const hop *first = last;
    bool branches = false;
    bool is_first = true;
    ftr_matrix_cell *cell;
    for (unsigned hops = 0; first->parent != NO_PARENT; hops++) {
        if (hops == HOPS_MAX) {
            p->matrix->loops++;
            return FTR_OK;
        }
        first = &p->hops[first->parent];
        branches |= first->branches;
    }
    if (first->is_unfinished || last->is_unfinished) {
        p->matrix->unfinished++;
        return FTR_OK;
    }
    ftr_status status = cell_of(p, first->link, last->link, &cell);
    if (status == FTR_OK && branches)
        status = note_reached(p, (uint32_t)(first - p->hops), last->link, &is_first);
    if (status != FTR_OK)
        return status;
    cell->bytes += last->bytes;
    if (!is_first)
        return FTR_OK;
    cell->count++;
    cell->ticks += first->latency;
    cell->longest = first->latency > cell->longest ? first->latency : cell->longest;
    return FTR_OK;
}

ftr_status ftr_access_matrix_read(ftr_access_matrix *matrix, ftr_reader *reader,
                                  const ftr_query *query)
{
    pass p = {.matrix = matrix, .reader = reader, .query = query};
    ftr_status status = read_accesses(&p);
    if (status == FTR_OK)
        status = read_relations(&p);
    for (size_t i = 0; status == FTR_OK && i < p.count; i++)
        if (!p.hops[i].has_next)
            status = add_chain(&p, &p.hops[i]);
    ftr_budget_release(&matrix->budget,
                       p.capacity * sizeof *p.hops + p.set_capacity * sizeof *p.set);
    free(p.hops);
    free(p.set);
    return status;
}

void ftr_access_matrix_release(ftr_access_matrix *matrix)
{
    ftr_budget_release(&matrix->budget, matrix->cell_capacity * sizeof *matrix->cells);
    free(matrix->cells);
    *matrix = (ftr_access_matrix){.budget = matrix->budget};
}
