/* Owns pages of 4096 ids. A page of ids that all have the same distance to their partners stores
 * only that distance. Does not know the meaning of an id. */
#include "pair_map.h"

#include <stdlib.h>

#define PAGE_BITS 12
#define PAGE_IDS (1u << PAGE_BITS)

struct ftr_pair_page {
    uint64_t number;
    uint64_t distance;   /* of every id, if `distances` is NULL */
    uint64_t *distances; /* one for each id; NULL: `distance` applies to all */
    uint64_t has[PAGE_IDS / 64];
};

static size_t slot_of(const ftr_pair_map *map, uint64_t number)
{
    size_t at = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (map->capacity - 1);
    while (map->pages[at] != NULL && map->pages[at]->number != number)
        at = (at + 1) & (map->capacity - 1);
    return at;
}

static bool take(ftr_pair_map *map, size_t size)
{
    if (size > map->limit - map->held)
        return false;
    map->held += size;
    return true;
}

static bool grow(ftr_pair_map *map)
{
    ftr_pair_map grown = *map;
    grown.capacity = map->capacity > 0 ? map->capacity * 2 : 64;
    if (!take(&grown, (grown.capacity - map->capacity) * sizeof(ftr_pair_page *)))
        return false;
    grown.pages = calloc(grown.capacity, sizeof(ftr_pair_page *));
    if (grown.pages == NULL)
        return false;
    for (size_t i = 0; i < map->capacity; i++)
        if (map->pages[i] != NULL)
            grown.pages[slot_of(&grown, map->pages[i]->number)] = map->pages[i];
    free(map->pages);
    *map = grown;
    return true;
}

static ftr_pair_page *page_of(ftr_pair_map *map, uint64_t number)
{
    if (map->recent != NULL && map->recent->number == number)
        return map->recent;
    if (map->capacity == 0)
        return NULL;
    ftr_pair_page *page = map->pages[slot_of(map, number)];
    if (page != NULL)
        map->recent = page;
    return page;
}

static ftr_pair_page *add_page(ftr_pair_map *map, uint64_t number, uint64_t distance)
{
    if ((map->count + 1) * 4 > map->capacity * 3 && !grow(map))
        return NULL;
    ftr_pair_page *page = take(map, sizeof *page) ? calloc(1, sizeof *page) : NULL;
    if (page == NULL)
        return NULL;
    page->number = number;
    page->distance = distance;
    map->pages[slot_of(map, number)] = page;
    map->count++;
    map->recent = page;
    return page;
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
        if (!take(map, PAGE_IDS * sizeof *page->distances))
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
    for (size_t i = 0; i < map->capacity; i++)
        if (map->pages[i] != NULL) {
            free(map->pages[i]->distances);
            free(map->pages[i]);
        }
    free(map->pages);
    *map = (ftr_pair_map){.limit = map->limit};
}
