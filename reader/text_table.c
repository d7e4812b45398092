/* The ids of the dictionary and the location of each text. Texts are not stored: they stay in the
 * contents of their chunks, which the cache may evict. */
#include "text_table.h"

#include "growing_array.h"

#include <assert.h>

/* Encodes the location of an out-of-order id, the number of its chunk and its ordinal in the chunk,
 * as one value. */
static uint64_t location_value(uint32_t chunk, uint32_t ordinal)
{
    return (uint64_t)chunk << 32 | ordinal;
}

static const ftr_text_run *find_run(const ftr_text_table *table, uint64_t id)
{
    size_t low = 0;
    size_t high = table->run_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (table->runs[middle].first <= id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    const ftr_text_run *run = &table->runs[low - 1];
    return id - run->first < run->count ? run : NULL;
}

bool ftr_text_table_locate(const ftr_text_table *table, uint64_t id, uint32_t *chunk,
                           uint32_t *ordinal)
{
    const uint64_t stray = ftr_id_index_get(&table->strays, id);
    if (stray != FTR_ID_NONE) {
        *chunk = (uint32_t)(stray >> 32);
        *ordinal = (uint32_t)stray;
        return true;
    }
    const ftr_text_run *run = find_run(table, id);
    if (run == NULL)
        return false;
    *chunk = run->chunk;
    *ordinal = run->ordinal + (uint32_t)(id - run->first);
    return true;
}

static ftr_status add_run(ftr_text_table *table, ftr_budget *budget, const ftr_text_run *run)
{
    const ftr_status status = ftr_array_reserve(budget, &table->runs, &table->run_capacity,
                                                table->run_count + 1, sizeof *table->runs);
    if (status != FTR_OK)
        return status;
    assert(table->runs != NULL); /* there is room for one run now */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): see the assertion */
    table->runs[table->run_count++] = *run;
    return FTR_OK;
}

ftr_status ftr_text_table_put(ftr_text_table *table, ftr_budget *budget, uint64_t id,
                              uint32_t chunk, uint32_t ordinal)
{
    uint32_t before;
    ftr_text_run *last = table->run_count > 0 ? &table->runs[table->run_count - 1] : NULL;
    if (last != NULL && last->chunk == chunk && id == last->first + last->count &&
        ordinal == last->ordinal + last->count) {
        last->count++;
        return FTR_OK;
    }
    if (last != NULL && id < last->first + last->count &&
        ftr_text_table_locate(table, id, &before, &before))
        return FTR_ERR_STATE;
    if (last != NULL && id < last->first + last->count)
        return ftr_id_index_put(&table->strays, budget, id, location_value(chunk, ordinal));
    return add_run(table, budget, &(ftr_text_run){id, 1, chunk, ordinal});
}

ftr_status ftr_text_table_put_run(ftr_text_table *table, ftr_budget *budget, uint64_t first,
                                  uint32_t count, uint32_t chunk)
{
    return add_run(table, budget, &(ftr_text_run){first, count, chunk, 0});
}

bool ftr_text_table_chunk(const ftr_text_table *table, uint64_t id, uint32_t *chunk)
{
    uint32_t ordinal;
    return ftr_text_table_locate(table, id, chunk, &ordinal);
}

uint64_t ftr_text_table_limit(const ftr_text_table *table)
{
    /* Out-of-order ids are smaller than the ids of the last run. */
    const ftr_text_run *last = table->run_count > 0 ? &table->runs[table->run_count - 1] : NULL;
    return last != NULL ? last->first + last->count : 0;
}

void ftr_text_table_release(ftr_text_table *table, ftr_budget *budget)
{
    ftr_array_release(budget, table->runs, table->run_capacity, sizeof *table->runs);
    ftr_id_index_release(&table->strays, budget);
    *table = (ftr_text_table){0};
}
