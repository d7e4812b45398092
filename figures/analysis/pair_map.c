/* Owns pages of 4096 ids. If all ids of a page have the same distance to their partners, the page
 * stores only this distance. Does not know the meaning of an id. */
#include "pair_map.h"

#include "growing_array.h"

#define PAGE_BITS 12
#define PAGE_IDS (1u << PAGE_BITS)

struct ftr_pair_page {
    uint64_t number;
    uint64_t distance;   /* partner - id, for all ids, if `distances` is NULL */
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
