/* Compares relations. Reads one relation of each trace in turn, and stores the relations that have
 * so far occurred more often in one trace than in the other. */
#include "relation_diff.h"

#include "growing_array.h"
#include "hash.h"
#include "name_table.h"
#include "open_table.h"

#include <stdlib.h>
#include <string.h>

/* ---- the map of partners --------------------------------------------------------------------- */

/* The map has pages of 4096 ids. If all ids of a page have the same distance to their partners, the
 * page stores only this distance. */

#define PAGE_BITS 12
#define PAGE_IDS (1u << PAGE_BITS)

struct ftr_pair_page {
    uint64_t number;
    uint64_t distance;   /* partner - id, which applies to all ids if `distances` is NULL */
    uint64_t *distances; /* one for each id; NULL: `distance` applies to all */
    uint64_t has[PAGE_IDS / 64];
};

static ftr_pair_page *page_of(ftr_pair_map *map, uint64_t number)
{
    if (map->recent != NULL && map->recent->number == number)
        return map->recent;
    const uint64_t index = ftr_id_index_get(&map->index, number);
    if (index == FTR_ID_NONE)
        return NULL;
    map->recent = map->pages[index];
    return map->recent;
}

static ftr_pair_page *add_page(ftr_pair_map *map, uint64_t number, uint64_t distance)
{
    if (ftr_array_reserve(&map->budget, &map->pages, &map->capacity, map->count + 1,
                          sizeof(ftr_pair_page *)) != FTR_OK ||
        !ftr_budget_reserve(&map->budget, sizeof(ftr_pair_page)))
        return NULL;
    ftr_pair_page *page = calloc(1, sizeof *page);
    if (page == NULL)
        return NULL;
    page->number = number;
    page->distance = distance;
    map->pages[map->count] = page;
    map->recent = page;
    return ftr_id_index_put(&map->index, &map->budget, number, map->count++) == FTR_OK ? page
                                                                                       : NULL;
}

bool ftr_pair_map_put(ftr_pair_map *map, uint64_t id, uint64_t other)
{
    const uint64_t distance = other - id; /* modulo 2^64 */
    ftr_pair_page *page = page_of(map, id >> PAGE_BITS);
    if (page == NULL)
        page = add_page(map, id >> PAGE_BITS, distance);
    if (page == NULL)
        return false;
    const size_t at = id & (PAGE_IDS - 1);
    if (page->distances == NULL && page->distance != distance) {
        if (!ftr_budget_reserve(&map->budget, PAGE_IDS * sizeof *page->distances))
            return false;
        page->distances = malloc(PAGE_IDS * sizeof *page->distances);
        if (page->distances == NULL)
            return false;
        for (size_t i = 0; i < PAGE_IDS; i++)
            page->distances[i] = page->distance;
    }
    if (page->distances != NULL)
        page->distances[at] = distance;
    page->has[at / 64] |= UINT64_C(1) << (at % 64);
    return true;
}

bool ftr_pair_map_get(ftr_pair_map *map, uint64_t id, uint64_t *other)
{
    const ftr_pair_page *page = page_of(map, id >> PAGE_BITS);
    const size_t at = id & (PAGE_IDS - 1);
    if (page == NULL || (page->has[at / 64] >> (at % 64) & 1) == 0)
        return false;
    *other = id + (page->distances != NULL ? page->distances[at] : page->distance);
    return true;
}

void ftr_pair_map_release(ftr_pair_map *map)
{
    for (size_t i = 0; i < map->count; i++) {
        free(map->pages[i]->distances);
        free(map->pages[i]);
    }
    free(map->pages);
    ftr_id_index_release(&map->index, &map->budget);
    *map = (ftr_pair_map){.budget.limit = map->budget.limit};
}

/* Maximum number of relations that wait for their counterparts. */
#define WAITING_MAX ((size_t)1 << 18)
#define NAMES_MAX 4096

typedef struct waiting_relation {
    uint64_t from, to; /* ids of transactions in the second trace */
    uint64_t own[2];   /* ids of the same transactions in the trace that contains the relation */
    uint32_t name;     /* number of the name + 1; 0: free */
    int32_t count;     /* occurrences in the first trace minus occurrences in the second */
} waiting_relation;

typedef struct relation_diff {
    ftr_trace_diff *diff;
    ftr_pair_map *partners, *paired;
    waiting_relation *table; /* a hash table with open addressing */
    size_t capacity, used;
    ftr_names names;
    bool overflow;
} relation_diff;

static bool is_free(const void *item)
{
    return ((const waiting_relation *)item)->name == 0;
}

static bool is_same(const void *item, const void *key)
{
    const waiting_relation *a = item;
    const waiting_relation *b = key;
    return a->from == b->from && a->to == b->to && a->name == b->name;
}

static uint64_t hash_of(const void *item)
{
    const waiting_relation *of = item;
    return ftr_hash_number(ftr_hash_mix(ftr_hash_mix(of->from, of->name), of->to));
}

static const ftr_table_rule RULE = {sizeof(waiting_relation), 0, is_free, is_same, hash_of};

static waiting_relation *slot_of(const relation_diff *r, const waiting_relation *wanted)
{
    return ftr_table_search(&RULE, r->table, r->capacity, hash_of(wanted), wanted);
}

/* Removes relations that have found their counterparts, and makes room for more. Sets `overflow` if
 * too many relations wait. */
static bool rebuild(relation_diff *r)
{
    size_t waiting = 0;
    for (size_t i = 0; i < r->capacity; i++) {
        waiting += r->table[i].count != 0;
        if (r->table[i].count == 0)
            r->table[i].name = 0;
    }
    size_t capacity = r->capacity;
    if (capacity == 0 || waiting * 4 > capacity)
        capacity = capacity > 0 ? capacity * 2 : 1024;
    if (capacity > WAITING_MAX * 2) {
        r->overflow = true;
        return true;
    }
    r->used = waiting;
    return ftr_table_resize(&RULE, &r->table, &r->capacity, capacity);
}

/* Returns the number of a name + 1; 0 if out of memory or if there are too many names. */
static uint32_t name_of(relation_diff *r, ftr_view text)
{
    const ftr_name *name =
        ftr_names_intern(&r->names, text.data, text.data != NULL ? text.size : 0);
    return name != NULL && name->number < NAMES_MAX ? (uint32_t)name->number + 1 : 0;
}

static ftr_status add(relation_diff *r, unsigned side, const ftr_relation_info *relation)
{
    waiting_relation wanted = {.from = relation->from_tx,
                               .to = relation->to_tx,
                               .own = {relation->from_tx, relation->to_tx}};
    uint64_t ignored;
    const bool has_partners =
        side == 0 ? ftr_pair_map_get(r->partners, relation->from_tx, &wanted.from) &&
                        ftr_pair_map_get(r->partners, relation->to_tx, &wanted.to)
                  : ftr_pair_map_get(r->paired, relation->from_tx, &ignored) &&
                        ftr_pair_map_get(r->paired, relation->to_tx, &ignored);
    if (!has_partners) {
        r->diff->relations_alone[side]++;
        return FTR_OK;
    }
    r->diff->relations[side]++;
    if (r->overflow)
        return FTR_OK;
    wanted.name = name_of(r, relation->name);
    if (wanted.name == 0)
        return FTR_ERR_MEMORY;
    if ((r->used + 1) * 2 > r->capacity && !rebuild(r))
        return FTR_ERR_MEMORY;
    if (r->overflow)
        return FTR_OK;
    waiting_relation *kept = slot_of(r, &wanted);
    if (kept->name == 0) {
        *kept = wanted;
        r->used++;
    } else if (kept->count == 0) {
        memcpy(kept->own, wanted.own, sizeof kept->own);
    }
    kept->count += side == 0 ? 1 : -1;
    return FTR_OK;
}

static ftr_status read_both(relation_diff *r, ftr_reader *const readers[2])
{
    ftr_relation_cursor *cursor[2] = {NULL, NULL};
    ftr_relation_info relation;
    ftr_status status = FTR_OK;
    bool ended[2] = {false, false};
    for (unsigned s = 0; s < 2 && status == FTR_OK; s++)
        status = ftr_relation_cursor_open(readers[s], false, 0, &cursor[s]);
    while (status == FTR_OK && !(ended[0] && ended[1]))
        for (unsigned s = 0; s < 2 && status == FTR_OK; s++) {
            if (ended[s])
                continue;
            status = ftr_relation_cursor_next(cursor[s], &relation);
            ended[s] = status == FTR_ERR_END;
            if (status == FTR_OK)
                status = add(r, s, &relation);
            else if (ended[s])
                status = FTR_OK;
        }
    for (unsigned s = 0; s < 2; s++)
        ftr_relation_cursor_close(cursor[s]);
    return status;
}

/* Compares by origin, then by name. With the same origin and name, relations of the first trace
 * come before relations of the second trace. */
static int compare_origins(const void *x, const void *y)
{
    const waiting_relation *a = x;
    const waiting_relation *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->name != b->name)
        return a->name < b->name ? -1 : 1;
    return (a->count < b->count) - (a->count > b->count);
}

static void report(relation_diff *r, const ftr_diff_options *options, const waiting_relation *first,
                   const waiting_relation *second)
{
    const waiting_relation *either = first != NULL ? first : second;
    ftr_relation_difference difference = {
        .name = {r->names.names[either->name - 1]->text, r->names.names[either->name - 1]->size}};
    const waiting_relation *both[2] = {first, second};
    for (unsigned s = 0; s < 2; s++)
        if (both[s] != NULL) {
            difference.exists[s] = true;
            difference.from[s] = both[s]->own[0];
            difference.to[s] = both[s]->own[1];
        }
    r->diff->relations_differing++;
    if (options->relation_differs != NULL)
        options->relation_differs(options->user, &difference);
}

/* Reports the relations that are still without a counterpart. If each trace has such a relation
 * with the same name and origin, the two relations are reported as one relation with a different
 * target. */
static void report_all(relation_diff *r, const ftr_diff_options *options)
{
    size_t count = 0;
    for (size_t i = 0; i < r->capacity; i++)
        if (r->table[i].count != 0)
            r->table[count++] = r->table[i];
    if (count > 0)
        qsort(r->table, count, sizeof *r->table, compare_origins);
    size_t from = 0;
    while (from < count) {
        size_t to = from;
        while (to < count && r->table[to].from == r->table[from].from &&
               r->table[to].name == r->table[from].name)
            to++;
        waiting_relation *first = &r->table[from];
        waiting_relation *second = first;
        const waiting_relation *end = r->table + to;
        while (second < end && second->count > 0)
            second++;
        const waiting_relation *middle = second;
        while (first < middle || second < end) {
            report(r, options, first < middle ? first : NULL, second < end ? second : NULL);
            if (first < middle && --first->count == 0)
                first++;
            if (second < end && ++second->count == 0)
                second++;
        }
        from = to;
    }
}

ftr_status ftr_relation_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                                 ftr_reader *const readers[2], ftr_pair_map *partners,
                                 ftr_pair_map *paired)
{
    relation_diff *r = calloc(1, sizeof *r);
    if (r == NULL)
        return FTR_ERR_MEMORY;
    r->diff = diff;
    r->partners = partners;
    r->paired = paired;
    const ftr_status status = read_both(r, readers);
    if (r->overflow)
        diff->relations_differing = UINT64_MAX;
    else if (status == FTR_OK)
        report_all(r, options);
    ftr_names_release(&r->names);
    free(r->table);
    free(r);
    return status;
}
