/* Owns pages of values; index: id. Does not know the meaning of ids and values. */
#include "id_map.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_IDS 4096u

void ftr_id_map_init(ftr_id_map *map, ftr_budget *budget, uint64_t greatest)
{
    *map = (ftr_id_map){.budget = budget,
                        .width = greatest < UINT8_MAX    ? 1
                                 : greatest < UINT16_MAX ? 2
                                                         : 4};
}

static size_t page_size(const ftr_id_map *map)
{
    return (size_t)PAGE_IDS * map->width;
}

/* Returns the values of a page; NULL if the page does not exist. */
static uint8_t *page_of(const ftr_id_map *map, uint64_t number)
{
    if (map->recent_values != NULL && map->recent == number)
        return map->recent_values;
    const uint64_t address = ftr_id_index_get(&map->pages, number);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): it was a pointer */
    return address != FTR_ID_NONE ? (uint8_t *)(uintptr_t)address : NULL;
}

void ftr_id_map_release(ftr_id_map *map)
{
    map->recent_values = NULL;
    for (size_t i = 0; i < map->pages.capacity; i++)
        if (map->pages.slots[i].value != FTR_ID_NONE)
            free(page_of(map, map->pages.slots[i].id));
    ftr_budget_release(map->budget, map->pages.count * page_size(map));
    ftr_id_index_release(&map->pages, map->budget);
}

uint32_t ftr_id_map_get(const ftr_id_map *map, uint64_t id)
{
    const uint8_t *values = page_of(map, id / PAGE_IDS);
    if (values == NULL)
        return 0;
    if (map->width == 1)
        return values[id % PAGE_IDS];
    if (map->width == 4) {
        uint32_t wide;
        memcpy(&wide, values + id % PAGE_IDS * 4, sizeof wide);
        return wide;
    }
    uint16_t value;
    memcpy(&value, values + id % PAGE_IDS * 2, sizeof value);
    return value;
}

static ftr_status add_page(ftr_id_map *map, uint64_t number, uint8_t **values)
{
    if (!ftr_budget_reserve(map->budget, page_size(map)))
        return FTR_ERR_LIMIT;
    *values = calloc(1, page_size(map));
    const ftr_status status = *values != NULL ? ftr_id_index_put(&map->pages, map->budget, number,
                                                                 (uint64_t)(uintptr_t)*values)
                                              : FTR_ERR_MEMORY;
    if (status != FTR_OK) {
        free(*values);
        ftr_budget_release(map->budget, page_size(map));
    }
    return status;
}

ftr_status ftr_id_map_put(ftr_id_map *map, uint64_t id, uint32_t value)
{
    uint8_t *values = page_of(map, id / PAGE_IDS);
    if (values == NULL) {
        const ftr_status status = add_page(map, id / PAGE_IDS, &values);
        if (status != FTR_OK)
            return status;
    }
    map->recent = id / PAGE_IDS;
    map->recent_values = values;
    const uint32_t kept = ftr_id_map_kept(map, value);
    if (map->width == 1) {
        values[id % PAGE_IDS] = (uint8_t)kept;
    } else if (map->width == 4) {
        memcpy(values + id % PAGE_IDS * 4, &kept, sizeof kept);
    } else {
        const uint16_t narrow = (uint16_t)kept;
        memcpy(values + id % PAGE_IDS * 2, &narrow, sizeof narrow);
    }
    return FTR_OK;
}
