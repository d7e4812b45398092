/* Owns pages of values; index: id. Does not know the meaning of ids and values. */
#include "id_map.h"

#include <stdlib.h>
#include <string.h>

void ftr_id_map_init(ftr_id_map *map, ftr_budget *budget, uint64_t greatest)
{
    *map = (ftr_id_map){.budget = budget,
                        .width = greatest < UINT8_MAX    ? 1
                                 : greatest < UINT16_MAX ? 2
                                                         : 4};
}

static size_t page_size(const ftr_id_map *map)
{
    return (size_t)FTR_ID_PAGE * map->width;
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

static uint32_t value_at(const ftr_id_map *map, const uint8_t *values, size_t offset)
{
    if (map->width == 1)
        return values[offset];
    if (map->width == 4) {
        uint32_t wide;
        memcpy(&wide, values + offset * 4, sizeof wide);
        return wide;
    }
    uint16_t value;
    memcpy(&value, values + offset * 2, sizeof value);
    return value;
}

uint32_t ftr_id_map_get(const ftr_id_map *map, uint64_t id)
{
    const uint8_t *values = page_of(map, id / FTR_ID_PAGE);
    return values != NULL ? value_at(map, values, id % FTR_ID_PAGE) : 0;
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

/* Returns the values of a page, which is added if it does not exist. */
static ftr_status use_page(ftr_id_map *map, uint64_t number, uint8_t **values)
{
    *values = page_of(map, number);
    const ftr_status status = *values != NULL ? FTR_OK : add_page(map, number, values);
    if (status == FTR_OK) {
        map->recent = number;
        map->recent_values = *values;
    }
    return status;
}

static void store(const ftr_id_map *map, uint8_t *values, size_t offset, uint32_t kept)
{
    if (map->width == 1) {
        values[offset] = (uint8_t)kept;
    } else if (map->width == 4) {
        memcpy(values + offset * 4, &kept, sizeof kept);
    } else {
        const uint16_t narrow = (uint16_t)kept;
        memcpy(values + offset * 2, &narrow, sizeof narrow);
    }
}

ftr_status ftr_id_map_put(ftr_id_map *map, uint64_t id, uint32_t value)
{
    uint8_t *values;
    const ftr_status status = use_page(map, id / FTR_ID_PAGE, &values);
    if (status == FTR_OK)
        store(map, values, id % FTR_ID_PAGE, ftr_id_map_kept(map, value));
    return status;
}

size_t ftr_id_map_put_new(ftr_id_map *map, const ftr_id_run *run)
{
    uint8_t *values;
    if (use_page(map, run->page, &values) != FTR_OK)
        return 0;
    const uint32_t kept = ftr_id_map_kept(map, run->value);
    size_t i = 0;
    if (map->width == 1)
        for (; i < run->count && values[run->offsets[i]] == 0; i++)
            values[run->offsets[i]] = (uint8_t)kept;
    else
        for (; i < run->count && value_at(map, values, run->offsets[i]) == 0; i++)
            store(map, values, run->offsets[i], kept);
    return i;
}

void ftr_id_map_remove(ftr_id_map *map, const ftr_id_run *run, size_t count)
{
    uint8_t *values = page_of(map, run->page);
    for (size_t i = 0; i < count; i++)
        store(map, values, run->offsets[i], 0);
}
