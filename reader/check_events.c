/* The rules of events inside transactions (docs/format.md, "Events"). Only files with events pay
 * for these rules: the streams with events are read again, to compare each event with its parent.
 * If the events do not fit into the memory budget, they are compared in several parts. */
#include "check_state.h"

#include "dictionary_chunks.h"
#include "event_names.h"
#include "hash.h"
#include "numbering.h"
#include "transaction_walk.h"

#include <inttypes.h>
#include <stdlib.h>

/* Each part takes one pass over the streams with events, and one over all relations. */
#define PARTS_MAX 64u
#define LEAST_EVENTS 256u

typedef struct event {
    uint64_t id, begin, end;
    uint64_t parent;  /* id of the parent, from the first relation to the event */
    uint64_t offset;  /* offset of its chunk in the file */
    uint32_t within;  /* offset of the event in the content of its chunk */
    uint32_t stream;  /* index of its stream */
    uint32_t parents; /* number of relations from a parent */
    bool is_short;    /* a relation without five elements was reported */
} event;

typedef struct events {
    ftr_check *check;
    uint8_t *has_events; /* nonzero: the stream has a generator of events; index: stream */
    size_t stream_count;
    uint64_t count; /* number of events in the file */
    uint32_t part, parts;
    event *list; /* the events of the current part: first sorted by id, later by parent */
    /* number of events in the part; if greater than `capacity`, the further ones are not stored */
    size_t held, capacity;
    /* the generator and the relation name that were compared last: 1 + id; 0: none */
    uint64_t generator, relation;
    bool is_events, is_parent_of;
} events;

typedef void visit_tx(events *all, const ftr_tx_head *head);

static bool is_event(events *all, const ftr_tx_head *head)
{
    if (all->generator != head->generator + 1) {
        const ftr_generator_entry *generator =
            ftr_directory_find_generator(&all->check->reader->directory, head->generator);
        all->generator = head->generator + 1;
        all->is_events = generator != NULL &&
                         ftr_is_events_name(generator->info.name.data, generator->info.name.size);
    }
    return all->is_events;
}

/* Makes chunk @p index the current chunk of the check, and returns its content. Returns NULL if the
 * content cannot be read; the check of this chunk has already reported that. */
static ftr_content *enter(events *all, size_t index, ftr_status *status)
{
    ftr_check *check = all->check;
    ftr_content *content = NULL;
    check->chunk = ftr_chunk_at(check->reader, index);
    check->index = (uint32_t)index;
    check->reader->cache.moment++;
    check->reader->findings.muted++;
    *status = ftr_chunk_cache_pin_usable(&check->reader->cache, check->chunk, &content);
    check->reader->findings.muted--;
    if (content != NULL) {
        check->bytes = content->bytes;
        check->size = content->size;
    }
    return content;
}

/* Calls @p visit for the transactions of all streams with events. */
static ftr_status visit_streams(events *all, visit_tx *visit)
{
    ftr_reader *reader = all->check->reader;
    ftr_status status = FTR_OK;
    for (size_t i = 0; status == FTR_OK && i < reader->chunk_count; i++) {
        const ftr_chunk *chunk = ftr_chunk_at(reader, i);
        if (chunk->kind != FTR_CHUNK_TRANSACTIONS || chunk->stream >= all->stream_count ||
            !all->has_events[chunk->stream])
            continue;
        ftr_content *content = enter(all, i, &status);
        if (content == NULL)
            continue;
        ftr_tx_walk walk;
        ftr_tx_head head;
        ftr_tx_walk_init(&walk, content->bytes, content->size, NULL);
        ftr_status walked = FTR_OK;
        while (walked == FTR_OK || walked == FTR_ERR_ARGUMENT) {
            walked = ftr_tx_walk_next(&walk, &head);
            if (walked == FTR_OK)
                visit(all, &head);
        }
        ftr_chunk_cache_unpin(&reader->cache, content);
    }
    return status;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void check_name(events *all, const ftr_tx_head *head)
{
    ftr_check *check = all->check;
    if (!is_event(all, head))
        return;
    all->count++;
    ftr_cbor_reader r;
    ftr_cbor_reader_init(&r, head->first, (size_t)(head->last - head->first));
    while (ftr_cbor_reader_left(&r) > 0) {
        const uint8_t *at = r.cursor;
        uint64_t tag = 0;
        uint64_t count = 0;
        uint64_t name = 0;
        uint64_t type = 0;
        ftr_cbor_reader attribute = r;
        (void)ftr_cbor_get_tag(&attribute, &tag);
        (void)ftr_cbor_get_array(&attribute, &count);
        (void)ftr_cbor_get_uint(&attribute, &name);
        const bool is_attribute = ftr_cbor_get_uint(&attribute, &type) == FTR_OK;
        if (ftr_cbor_skip(&r) != FTR_OK)
            return;
        const ftr_view text = is_attribute && tag == FTR_TAG_BEGIN
                                  ? ftr_text_of(check->reader, name)
                                  : (ftr_view){NULL, 0};
        if (!ftr_is_text(text.data, text.size, FTR_EVENT_NAME))
            continue;
        if (type >= FTR_STORED_TYPES ||
            ftr_type_rows[check->reader->numbering][type].type != FTR_TYPE_STRING)
            ftr_check_report(check, FTR_RULE_EVENT_NAME_TYPE, at,
                             "the name of event %" PRIu64 " is not a STRING", head->id);
        return;
    }
    ftr_check_report(check, FTR_RULE_EVENT_NAME, head->entry,
                     "event %" PRIu64 " has no begin attribute 'name'", head->id);
}

/* ---- one part -------------------------------------------------------------------------------- */

static void collect(events *all, const ftr_tx_head *head)
{
    const ftr_check *check = all->check;
    if (!is_event(all, head) || ftr_hash_number(head->id) % all->parts != all->part)
        return;
    if (all->held < all->capacity)
        all->list[all->held] = (event){.id = head->id,
                                       .begin = head->begin,
                                       .end = head->end,
                                       .offset = check->chunk->offset,
                                       .within = (uint32_t)(head->entry - check->bytes),
                                       .stream = check->chunk->stream};
    all->held++;
}

static int by_id(const void *a, const void *b)
{
    const event *left = a;
    const event *right = b;
    return (left->id > right->id) - (left->id < right->id);
}

static int by_parent(const void *a, const void *b)
{
    const event *left = a;
    const event *right = b;
    return left->parent != right->parent ? (left->parent > right->parent ? 1 : -1) : by_id(a, b);
}

static event *find(events *all, uint64_t id)
{
    const event key = {.id = id};
    return bsearch(&key, all->list, all->held, sizeof key, by_id);
}

static bool is_parent_of(events *all, uint64_t name)
{
    if (all->relation != name + 1) {
        const ftr_view text = ftr_text_of(all->check->reader, name);
        all->relation = name + 1;
        all->is_parent_of = ftr_is_text(text.data, text.size, FTR_PARENT_OF);
    }
    return all->is_parent_of;
}

static void check_relation(events *all, const uint64_t field[5], unsigned fields, const uint8_t *at)
{
    ftr_check *check = all->check;
    event *found = find(all, field[2]);
    if (found == NULL || !is_parent_of(all, field[0]))
        return;
    if (fields != 5 && !found->is_short)
        ftr_check_report(check, FTR_RULE_EVENT_RELATION, at,
                         "the relation to event %" PRIu64 " has %u elements, not 5", field[2],
                         fields);
    found->is_short |= fields != 5;
    if (found->parents++ > 0) {
        if (found->parents == 2)
            ftr_check_report(check, FTR_RULE_EVENT_PARENTS, at,
                             "event %" PRIu64 " has parent %" PRIu64 " and here %" PRIu64, field[2],
                             found->parent, field[1]);
        return;
    }
    found->parent = field[1];
    const uint32_t stream =
        check->ids_untracked ? 0 : ftr_id_map_get(&check->streams, found->parent);
    if (stream != 0 && stream != ftr_id_map_kept(&check->streams, found->stream + 1))
        ftr_check_report(check, FTR_RULE_EVENT_STREAM, at,
                         "event %" PRIu64 " is in another stream than its parent %" PRIu64,
                         field[2], field[1]);
}

static ftr_status visit_relations(events *all)
{
    ftr_reader *reader = all->check->reader;
    ftr_status status = FTR_OK;
    for (size_t i = 0; status == FTR_OK && i < reader->chunk_count; i++) {
        if (ftr_chunk_at(reader, i)->kind != FTR_CHUNK_RELATIONS)
            continue;
        ftr_content *content = enter(all, i, &status);
        if (content == NULL)
            continue;
        ftr_cbor_reader r;
        uint64_t count;
        ftr_cbor_reader_init(&r, content->bytes, content->size);
        if (ftr_cbor_get_array(&r, &count) == FTR_OK) {
            while (ftr_cbor_next(&r, &count)) {
                const uint8_t *at = r.cursor;
                uint64_t field[5];
                unsigned fields;
                if (ftr_relation_parse(&r, field, &fields) == FTR_OK)
                    check_relation(all, field, fields, at);
            }
        }
        ftr_chunk_cache_unpin(&reader->cache, content);
    }
    return status;
}

static void report_orphans(events *all)
{
    for (const event *e = all->list; e != all->list + all->held; e++) {
        if (e->parents == 0)
            ftr_findings_add(&all->check->reader->findings, FTR_RULE_EVENT_PARENT, e->offset,
                             1 + (uint64_t)e->within, "event %" PRIu64 " has no parent", e->id);
    }
}

/* Compares a transaction with the events that name it as their parent. */
static void check_times(events *all, const ftr_tx_head *head)
{
    size_t low = 0;
    size_t high = all->held;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (all->list[middle].parent < head->id)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < all->held && all->list[low].parent == head->id; low++) {
        const event *e = &all->list[low];
        if (e->parents > 0 && (e->begin < head->begin || e->end > head->end))
            ftr_findings_add(&all->check->reader->findings, FTR_RULE_EVENT_TIMES, e->offset,
                             1 + (uint64_t)e->within,
                             "event %" PRIu64 " is outside of the time of its parent %" PRIu64,
                             e->id, head->id);
    }
}

/* Duplicate ids are reported by another rule. */
static void remove_duplicates(events *all)
{
    size_t kept = 0;
    for (size_t i = 0; i < all->held; i++) {
        if (kept == 0 || all->list[kept - 1].id != all->list[i].id)
            all->list[kept++] = all->list[i];
    }
    all->held = kept;
}

static ftr_status check_part(events *all)
{
    all->held = 0;
    ftr_status status = visit_streams(all, collect);
    if (status != FTR_OK || all->held == 0)
        return status;
    if (all->held > all->capacity)
        return FTR_ERR_LIMIT;
    qsort(all->list, all->held, sizeof *all->list, by_id);
    remove_duplicates(all);
    status = visit_relations(all);
    if (status != FTR_OK)
        return status;
    report_orphans(all);
    qsort(all->list, all->held, sizeof *all->list, by_parent);
    return visit_streams(all, check_times);
}

/* ---- all events ------------------------------------------------------------------------------ */

/* Finds the streams with events. Returns false if there are none, or if memory is exhausted; in the
 * second case, sets *is_full. */
static bool find_streams(events *all, bool *is_full)
{
    ftr_reader *reader = all->check->reader;
    const ftr_directory *directory = &reader->directory;
    for (size_t i = 0; i < directory->generator_count; i++) {
        const ftr_generator_info *generator = &directory->generators[i]->info;
        if (!generator->defined || !ftr_is_events_name(generator->name.data, generator->name.size))
            continue;
        if (all->has_events == NULL) {
            if (!ftr_budget_reserve(&reader->budget, directory->stream_count)) {
                *is_full = true;
                return false;
            }
            all->stream_count = directory->stream_count;
            all->has_events = calloc(all->stream_count, 1);
            *is_full = all->has_events == NULL;
            if (*is_full)
                return false;
        }
        all->has_events[generator->stream->index] = 1;
    }
    return all->has_events != NULL;
}

/* Allocates the list for all events, or for as many as fit into a quarter of the budget, and sets
 * the number of parts. Returns false if memory is exhausted or too many parts would be necessary.
 * */
static bool allocate(events *all)
{
    ftr_budget *budget = &all->check->reader->budget;
    size_t capacity = all->count < LEAST_EVENTS ? LEAST_EVENTS : (size_t)all->count;
    while (capacity > LEAST_EVENTS && (capacity > budget->limit / 4 / sizeof *all->list ||
                                       !ftr_budget_reserve(budget, capacity * sizeof *all->list)))
        capacity /= 2;
    if (capacity <= LEAST_EVENTS) {
        capacity = LEAST_EVENTS;
        if (!ftr_budget_reserve(budget, capacity * sizeof *all->list))
            return false;
    }
    all->capacity = capacity;
    all->list = malloc(capacity * sizeof *all->list);
    /* On average, a part fills at most 3/4 of the list: parts differ in size, because the hash of
     * the id selects the part. */
    all->parts = all->count <= capacity ? 1 : (uint32_t)(all->count / (capacity / 4 * 3) + 1);
    return all->list != NULL && all->count / (capacity / 4 * 3) < PARTS_MAX;
}

static void release(events *all)
{
    ftr_budget *budget = &all->check->reader->budget;
    ftr_budget_release(budget, all->capacity * sizeof *all->list + all->stream_count);
    free(all->list);
    free(all->has_events);
}

ftr_status ftr_check_events(ftr_check *check)
{
    events all = {.check = check};
    ftr_status status = FTR_OK;
    bool is_full = false;
    if (find_streams(&all, &is_full))
        status = visit_streams(&all, check_name);
    if (status == FTR_OK && all.count > 0) {
        is_full = !allocate(&all);
        for (; status == FTR_OK && !is_full && all.part < all.parts; all.part++)
            status = check_part(&all);
    }
    is_full |= status == FTR_ERR_LIMIT;
    release(&all);
    check->chunk = NULL;
    if (is_full)
        ftr_check_report(check, FTR_RULE_NOT_CHECKED, NULL,
                         "the memory budget is full: events are not compared with their parents; "
                         "--memory sets the budget");
    return status == FTR_ERR_LIMIT ? FTR_OK : status;
}
