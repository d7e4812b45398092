/* A map from ids to values, as pages of values that can be packed. */
#include "id_map.h"

#include "lz4_block.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void ftr_id_map_init(ftr_id_map *map, ftr_budget *budget, uint64_t greatest)
{
    *map = (ftr_id_map){.budget = budget,
                        .width = greatest < UINT8_MAX    ? 1
                                 : greatest < UINT16_MAX ? 2
                                                         : 4};
}

/* Minimum number of pages that are packed in one step. */
#define PACKED_AT_ONCE 16u
#define EXPANDED_PAGES 8u
#define NO_PAGE UINT64_MAX

/* The values of a page, compressed to one LZ4 block. */
typedef struct packed_page {
    uint32_t size;
    uint8_t block[];
} packed_page;

struct ftr_expanded_pages {
    /* number of each page in `values`, or NO_PAGE; index: number of the page % EXPANDED_PAGES */
    uint64_t number[EXPANDED_PAGES];
    uint8_t values[]; /* EXPANDED_PAGES pages */
};

static size_t page_size(const ftr_id_map *map)
{
    return (size_t)FTR_ID_PAGE * map->width;
}

/* Returns the memory of a packed page, including the overhead of the allocator. */
static size_t packed_size(size_t block_size)
{
    return (sizeof(packed_page) + block_size + 8 + 15) / 16 * 16;
}

static bool is_packed(uint64_t address)
{
    return (address & 1) != 0;
}

static void *at_address(uint64_t address)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): it was a pointer */
    return (void *)(uintptr_t)(address & ~UINT64_C(1));
}

static size_t expanded_size(const ftr_id_map *map)
{
    return sizeof(ftr_expanded_pages) + EXPANDED_PAGES * page_size(map);
}

static ftr_expanded_pages *create_expanded(const ftr_id_map *map)
{
    ftr_expanded_pages *expanded = malloc(expanded_size(map));
    for (unsigned i = 0; expanded != NULL && i < EXPANDED_PAGES; i++)
        expanded->number[i] = NO_PAGE;
    return expanded;
}

/* Expands a block that pack_page() has made, so the expansion cannot fail. */
static void expand(const ftr_id_map *map, const packed_page *packed, uint8_t *values)
{
    const ftr_status status = ftr_lz4_expand(packed->block, packed->size, values, page_size(map));
    assert(status == FTR_OK);
    (void)status;
}

static const uint8_t *expanded_values(const ftr_id_map *map, uint64_t number,
                                      const packed_page *packed)
{
    ftr_expanded_pages *expanded = map->expanded;
    const size_t slot = number % EXPANDED_PAGES;
    uint8_t *values = expanded->values + slot * page_size(map);
    if (expanded->number[slot] != number) {
        expand(map, packed, values);
        expanded->number[slot] = number;
    }
    return values;
}

/* Returns the values of a page for reading; NULL if the page does not exist. */
static const uint8_t *read_page(const ftr_id_map *map, uint64_t number)
{
    if (map->recent_values != NULL && map->recent == number)
        return map->recent_values;
    const uint64_t address = ftr_id_index_get(&map->pages, number);
    if (address == FTR_ID_NONE)
        return NULL;
    return is_packed(address) ? expanded_values(map, number, at_address(address))
                              : at_address(address);
}

void ftr_id_map_release(ftr_id_map *map)
{
    for (size_t i = 0; i < map->pages.capacity; i++)
        if (map->pages.slots[i].value != FTR_ID_NONE)
            free(at_address(map->pages.slots[i].value));
    ftr_budget_release(map->budget, map->held);
    ftr_id_index_release(&map->pages, map->budget);
    free(map->expanded);
    map->recent_values = NULL;
    map->expanded = NULL;
    map->held = 0;
}

ftr_status ftr_id_map_view(const ftr_id_map *map, ftr_id_map *view)
{
    ftr_id_map made = *map;
    if (map->expanded != NULL) {
        made.expanded = create_expanded(map);
        if (made.expanded == NULL)
            return FTR_ERR_MEMORY;
    }
    *view = made;
    return FTR_OK;
}

void ftr_id_map_end_view(ftr_id_map *view)
{
    free(view->expanded);
    *view = (ftr_id_map){0};
}

/* ---- packing --------------------------------------------------------------------------------- */

/* Packs a page if this saves at least half of its memory. After an error, the page stays unpacked,
 * which is valid, too. */
static void pack_page(ftr_id_map *map, ftr_id_slot *slot, ftr_lz4_compressor *compressor,
                      uint8_t *block, size_t capacity)
{
    uint8_t *values = at_address(slot->value);
    size_t size;
    if (ftr_lz4_compress(compressor, 0, values, page_size(map), block, capacity, &size) != FTR_OK ||
        packed_size(size) > page_size(map) / 2)
        return;
    packed_page *packed = malloc(sizeof *packed + size);
    if (packed == NULL)
        return;
    packed->size = (uint32_t)size;
    memcpy(packed->block, block, size);
    free(values);
    slot->value = (uint64_t)(uintptr_t)packed | 1;
    const size_t saved = page_size(map) - packed_size(size);
    ftr_budget_release(map->budget, saved);
    map->held -= saved;
}

/* Packs all pages if many pages were added or expanded since the pages were packed last. Packing
 * after each new page would take more time than all other use of the map. */
static void pack_pages(ftr_id_map *map)
{
    const size_t many = map->pages.count / 8;
    if (map->opened < (many > PACKED_AT_ONCE ? many : PACKED_AT_ONCE))
        return;
    const size_t capacity = ftr_lz4_bound(page_size(map));
    ftr_lz4_compressor *compressor = NULL;
    uint8_t *block = malloc(capacity);
    if (map->expanded == NULL)
        map->expanded = create_expanded(map);
    if (block != NULL && map->expanded != NULL &&
        ftr_lz4_compressor_create(FTR_LZ4_LEVEL_FAST, &compressor) == FTR_OK)
        for (size_t i = 0; i < map->pages.capacity; i++) {
            ftr_id_slot *slot = &map->pages.slots[i];
            if (slot->value != FTR_ID_NONE && !is_packed(slot->value))
                pack_page(map, slot, compressor, block, capacity);
        }
    ftr_lz4_compressor_destroy(compressor);
    free(block);
    map->recent_values = NULL;
    map->opened = 0;
}

/* Reserves the memory of a page that is not packed. If memory becomes scarce, packs other pages. */
static bool reserve_page(ftr_id_map *map)
{
    const size_t size = page_size(map);
    if (map->held + size > map->budget->limit / 2)
        pack_pages(map);
    if (!ftr_budget_reserve(map->budget, size)) {
        pack_pages(map);
        if (!ftr_budget_reserve(map->budget, size))
            return false;
    }
    map->held += size;
    return true;
}

static void release_page(ftr_id_map *map, size_t size)
{
    ftr_budget_release(map->budget, size);
    map->held -= size;
}

/* ---- values ---------------------------------------------------------------------------------- */

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
    const uint8_t *values = read_page(map, id / FTR_ID_PAGE);
    return values != NULL ? value_at(map, values, id % FTR_ID_PAGE) : 0;
}

uint64_t ftr_id_map_greatest(const ftr_id_map *map)
{
    uint64_t greatest = 0;
    for (size_t i = 0; i < map->pages.capacity; i++) {
        const ftr_id_slot *slot = &map->pages.slots[i];
        if (slot->value == FTR_ID_NONE || slot->id < greatest / FTR_ID_PAGE)
            continue;
        const uint8_t *values = read_page(map, slot->id);
        for (size_t k = FTR_ID_PAGE; k > 0; k--) {
            const uint64_t id = slot->id * FTR_ID_PAGE + k - 1;
            if (id > greatest && value_at(map, values, k - 1) != 0) {
                greatest = id;
                break;
            }
        }
    }
    return greatest;
}

static ftr_status add_page(ftr_id_map *map, uint64_t number, uint8_t **values)
{
    if (!reserve_page(map))
        return FTR_ERR_LIMIT;
    uint8_t *added = calloc(1, page_size(map));
    const ftr_status status = added != NULL ? ftr_id_index_put(&map->pages, map->budget, number,
                                                               (uint64_t)(uintptr_t)added)
                                            : FTR_ERR_MEMORY;
    if (status != FTR_OK) {
        free(added);
        release_page(map, page_size(map));
        return status;
    }
    map->opened++;
    *values = added;
    return FTR_OK;
}

/* Replaces a packed page by its values. */
static ftr_status open_page(ftr_id_map *map, uint64_t number, uint8_t **values)
{
    if (!reserve_page(map))
        return FTR_ERR_LIMIT;
    ftr_id_slot *slot = ftr_id_index_slot(&map->pages, number);
    packed_page *packed = at_address(slot->value);
    uint8_t *opened = malloc(page_size(map));
    if (opened == NULL) {
        release_page(map, page_size(map));
        return FTR_ERR_MEMORY;
    }
    expand(map, packed, opened);
    release_page(map, packed_size(packed->size));
    free(packed);
    slot->value = (uint64_t)(uintptr_t)opened;
    if (map->expanded->number[number % EXPANDED_PAGES] == number)
        map->expanded->number[number % EXPANDED_PAGES] = NO_PAGE;
    map->opened++;
    *values = opened;
    return FTR_OK;
}

/* Returns the values of a page for writing. Adds the page if it does not exist, and expands it if
 * it is packed. */
static ftr_status use_page(ftr_id_map *map, uint64_t number, uint8_t **values)
{
    if (map->recent_values != NULL && map->recent == number) {
        *values = map->recent_values;
        return FTR_OK;
    }
    const uint64_t address = ftr_id_index_get(&map->pages, number);
    ftr_status status = FTR_OK;
    if (address == FTR_ID_NONE)
        status = add_page(map, number, values);
    else if (is_packed(address))
        status = open_page(map, number, values);
    else
        *values = at_address(address);
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

bool ftr_id_map_remove(ftr_id_map *map, const ftr_id_run *run, size_t count)
{
    uint8_t *values;
    if (count == 0)
        return true;
    if (use_page(map, run->page, &values) != FTR_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        store(map, values, run->offsets[i], 0);
    return true;
}
