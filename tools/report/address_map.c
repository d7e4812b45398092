/* The map of the addresses of one attribute. */
#include "address_map.h"

#include <stdlib.h>

/* Number of rows in memory. If a page is added to a full map, neighbouring pages are merged first.
 */
#define ROWS ((size_t)FTR_ADDRESS_PAGES_MAX)
/* If all addresses are aligned, pages are enlarged to the alignment, but to at most
 * 2^ALIGNMENT_MAX addresses. */
#define ALIGNMENT_MAX 6u
/* Size of the hash table of rows. The table does not use open_table.h, because its size is fixed
 * and an item has only 16 bits. */
#define TABLE_BITS 9u
#define TABLE ((size_t)1 << TABLE_BITS)
_Static_assert(TABLE == (size_t)2 * FTR_ADDRESS_PAGES_MAX, "the table is half full at most");

bool ftr_address_map_init(ftr_address_map *map, const ftr_time_slots *slots)
{
    *map = (ftr_address_map){.slots = slots};
    map->counts = calloc(slots->count * ROWS, sizeof *map->counts);
    return map->counts != NULL;
}

/* Returns the first entry to be searched for a page. Neighbouring pages differ most in the highest
 * bits of the product, so the index consists of these bits, and most searches end at the first
 * entry. */
static size_t first_entry(uint64_t page)
{
    return (size_t)((page * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - TABLE_BITS));
}

/* Returns the entry of a page in the hash table, or the free entry for it. */
static uint16_t *entry_of(ftr_address_map *map, uint64_t page)
{
    size_t at = first_entry(page);
    while (map->rows_of[at] != 0 && map->pages[map->rows_of[at] - 1] != page)
        at = (at + 1) & (TABLE - 1);
    return &map->rows_of[at];
}

static void add_row(ftr_address_map *map, size_t to, size_t from)
{
    uint32_t *sum = map->counts + to * map->slots->count;
    uint32_t *more = map->counts + from * map->slots->count;
    for (size_t i = 0; i < map->slots->count; i++)
        sum[i] += more[i];
}

static void move_row(ftr_address_map *map, size_t to, size_t from)
{
    const size_t size = map->slots->count * sizeof *map->counts;
    if (to != from)
        memcpy(map->counts + to * map->slots->count, map->counts + from * map->slots->count, size);
}

/* Adds the counts in `present` to their column of `counts`. */
static void flush_column(ftr_address_map *map)
{
    for (size_t row = 0; row < map->row_count; row++)
        map->counts[row * map->slots->count + map->column] += map->present[row];
    memset(map->present, 0, map->row_count * sizeof *map->present);
}

/* Doubles the size of pages, and merges the rows of any two pages that become one. */
static void join_pages(ftr_address_map *map)
{
    const size_t count = map->row_count;
    flush_column(map);
    memset(map->rows_of, 0, sizeof map->rows_of);
    map->row_count = 0;
    map->page_shift++;
    for (size_t row = 0; row < count; row++) {
        const uint64_t page = map->pages[row] >> 1;
        uint16_t *entry = entry_of(map, page);
        if (*entry != 0) {
            add_row(map, *entry - 1u, row);
            continue;
        }
        move_row(map, map->row_count, row);
        map->pages[map->row_count] = page;
        *entry = (uint16_t)++map->row_count;
    }
    memset(map->counts + map->row_count * map->slots->count, 0,
           (ROWS - map->row_count) * map->slots->count * sizeof *map->counts);
}

void ftr_address_map_add(ftr_address_map *map, uint64_t begin, uint64_t address)
{
    uint16_t *entry = entry_of(map, address >> map->page_shift);
    while (*entry == 0 && map->row_count == FTR_ADDRESS_PAGES_MAX) {
        join_pages(map);
        entry = entry_of(map, address >> map->page_shift);
    }
    if (*entry == 0) {
        map->pages[map->row_count] = address >> map->page_shift;
        *entry = (uint16_t)++map->row_count;
    }
    const size_t column = ftr_time_slot_at(map->slots, begin);
    if (column != map->column) {
        flush_column(map);
        map->column = column;
    }
    map->count++;
    map->present[*entry - 1u]++;
}

typedef struct sorted_row {
    uint64_t page;
    size_t row;
} sorted_row;

static int compare_rows(const void *a, const void *b)
{
    const sorted_row *x = a;
    const sorted_row *y = b;
    return (x->page > y->page) - (x->page < y->page);
}

/* Returns true if all pages begin at multiples of twice their size. */
static bool is_aligned(const ftr_address_map *map)
{
    uint64_t odd = 0;
    for (size_t row = 0; row < map->row_count; row++)
        odd |= map->pages[row] & 1;
    return map->row_count > 0 && odd == 0;
}

bool ftr_address_map_sort(ftr_address_map *map)
{
    flush_column(map);
    while (map->page_shift < ALIGNMENT_MAX && is_aligned(map))
        join_pages(map);
    sorted_row order[FTR_ADDRESS_PAGES_MAX];
    const size_t columns = map->slots->count;
    uint32_t *sorted = calloc(columns * ROWS, sizeof *sorted);
    if (sorted == NULL)
        return false;
    for (size_t i = 0; i < map->row_count; i++)
        order[i] = (sorted_row){map->pages[i], i};
    qsort(order, map->row_count, sizeof *order, compare_rows);
    for (size_t i = 0; i < map->row_count; i++) {
        map->pages[i] = order[i].page;
        memcpy(sorted + i * columns, map->counts + order[i].row * columns,
               columns * sizeof *sorted);
    }
    free(map->counts);
    map->counts = sorted;
    return true;
}

void ftr_address_map_print(const ftr_address_map *map, ftr_data_block *block, ftr_json *json)
{
    const size_t cells = map->row_count * map->slots->count;
    ftr_json_count(json, "count", map->count);
    ftr_json_count(json, "page_shift", map->page_shift);
    ftr_json_count(json, "shift", map->slots->shift);
    ftr_json_wide(json, "first", map->slots->first);
    ftr_json_count(json, "columns", map->slots->count);
    ftr_json_values(json, "pages", block, FTR_DATA_ARRAY(map->pages, map->row_count), true);
    ftr_json_values(json, "counts", block, FTR_DATA_ARRAY(map->counts, cells), false);
}

void ftr_address_map_release(ftr_address_map *map)
{
    free(map->counts);
    *map = (ftr_address_map){0};
}
