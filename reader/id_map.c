/* Owns pages of values by id. Refuses to know what either means. */
#include "id_map.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_IDS 4096u

void ftr_id_map_init(ftr_id_map *map, ftr_budget *budget, uint64_t greatest)
{
    *map = (ftr_id_map){.budget = budget, .width = greatest < UINT8_MAX ? 1 : 2};
}

void ftr_id_map_release(ftr_id_map *map)
{
    for (size_t i = 0; i < map->page_capacity; i++)
        free(map->pages[i].values);
    ftr_budget_give(map->budget, map->page_capacity * sizeof *map->pages +
                                     map->page_count * PAGE_IDS * map->width);
    free(map->pages);
    map->pages = NULL;
    map->page_count = map->page_capacity = 0;
}

static size_t page_slot(const ftr_id_map *map, uint64_t number)
{
    size_t slot =
        (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (map->page_capacity - 1);
    while (map->pages[slot].values != NULL && map->pages[slot].number != number)
        slot = (slot + 1) & (map->page_capacity - 1);
    return slot;
}

uint32_t ftr_id_map_get(const ftr_id_map *map, uint64_t id)
{
    if (map->page_count == 0)
        return 0;
    const uint8_t *values = map->pages[page_slot(map, id / PAGE_IDS)].values;
    if (values == NULL)
        return 0;
    if (map->width == 1)
        return values[id % PAGE_IDS];
    uint16_t value;
    memcpy(&value, values + id % PAGE_IDS * 2, sizeof value);
    return value;
}

static ftr_status grow(ftr_id_map *map)
{
    const size_t capacity = map->page_capacity > 0 ? map->page_capacity * 2 : 64;
    if (!ftr_budget_take(map->budget, capacity * sizeof *map->pages))
        return FTR_ERR_LIMIT;
    ftr_id_page *grown = calloc(capacity, sizeof *grown);
    if (grown == NULL) {
        ftr_budget_give(map->budget, capacity * sizeof *grown);
        return FTR_ERR_MEMORY;
    }
    ftr_id_page *old = map->pages;
    const size_t old_capacity = map->page_capacity;
    map->pages = grown;
    map->page_capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].values != NULL)
            grown[page_slot(map, old[i].number)] = old[i];
    ftr_budget_give(map->budget, old_capacity * sizeof *old);
    free(old);
    return FTR_OK;
}

ftr_status ftr_id_map_put(ftr_id_map *map, uint64_t id, uint32_t value)
{
    if ((map->page_count + 1) * 4 > map->page_capacity * 3) {
        const ftr_status status = grow(map);
        if (status != FTR_OK)
            return status;
    }
    ftr_id_page *page = &map->pages[page_slot(map, id / PAGE_IDS)];
    if (page->values == NULL) {
        const size_t size = (size_t)PAGE_IDS * map->width;
        if (!ftr_budget_take(map->budget, size))
            return FTR_ERR_LIMIT;
        page->values = calloc(1, size);
        if (page->values == NULL) {
            ftr_budget_give(map->budget, size);
            return FTR_ERR_MEMORY;
        }
        page->number = id / PAGE_IDS;
        map->page_count++;
    }
    const uint32_t kept = ftr_id_map_kept(map, value);
    if (map->width == 1) {
        page->values[id % PAGE_IDS] = (uint8_t)kept;
    } else {
        const uint16_t narrow = (uint16_t)kept;
        memcpy(page->values + id % PAGE_IDS * 2, &narrow, sizeof narrow);
    }
    return FTR_OK;
}
