/* The index from ids to positions in a trace. */
#include "id_positions.h"

#include "growing_array.h"

#include <stdlib.h>

enum { LOOK_UPS_WITHOUT = 2 };

/* An index with room for fewer entries is not worth the budget. */
#define ENTRIES_MIN ((size_t)4096)

static bool fits(size_t budget, size_t entry_count, size_t chunk_count)
{
    return entry_count * sizeof(ftr_id_position) + chunk_count * sizeof(uint64_t) <= budget;
}

size_t ftr_id_positions_limit(size_t budget)
{
    size_t limit = 0;
    for (size_t next = ENTRIES_MIN; fits(budget, next, 1); next = ftr_array_larger(next, 0))
        limit = next;
    return limit;
}

static ftr_status add_chunk(ftr_id_positions *positions, uint64_t offset)
{
    if (!ftr_array_grow(&positions->chunks, &positions->chunk_capacity, positions->chunk_count,
                        sizeof *positions->chunks))
        return FTR_ERR_MEMORY;
    positions->chunks[positions->chunk_count++] = offset;
    return FTR_OK;
}

static ftr_status add_entry(ftr_id_positions *positions, size_t budget, const ftr_transaction *tx)
{
    if (positions->count == positions->capacity &&
        !fits(budget, ftr_array_larger(positions->capacity, ENTRIES_MIN),
              positions->chunk_count + 1))
        return FTR_ERR_LIMIT;
    if (!ftr_array_grow(&positions->entries, &positions->capacity, positions->count,
                        sizeof *positions->entries))
        return FTR_ERR_MEMORY;
    if (positions->chunk_count == 0 ||
        positions->chunks[positions->chunk_count - 1] != tx->chunk_offset) {
        const ftr_status status = add_chunk(positions, tx->chunk_offset);
        if (status != FTR_OK)
            return status;
    }
    positions->entries[positions->count++] = (ftr_id_position){
        tx->id, (uint32_t)(positions->chunk_count - 1), (uint32_t)tx->chunk_within};
    return FTR_OK;
}

static int compare(const void *a, const void *b)
{
    const ftr_id_position *x = a;
    const ftr_id_position *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    if (x->chunk != y->chunk)
        return x->chunk < y->chunk ? -1 : 1;
    return x->within < y->within ? -1 : x->within > y->within;
}

static ftr_status collect(ftr_id_positions *positions, ftr_reader *reader, size_t budget,
                          uint64_t *moves)
{
    ftr_cursor *cursor;
    ftr_status status = ftr_cursor_open(reader, NULL, &cursor);
    if (status != FTR_OK)
        return status;
    ftr_transaction tx;
    while ((status = ftr_cursor_next(cursor, &tx)) == FTR_OK) {
        status = add_entry(positions, budget, &tx);
        if (status != FTR_OK)
            break;
    }
    (*moves)++;
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

ftr_status ftr_id_positions_ask(ftr_id_positions *positions, ftr_reader *reader, size_t budget,
                                uint64_t *moves, bool *usable)
{
    *usable = positions->is_built;
    if (positions->is_built || positions->is_too_large || positions->asked++ < LOOK_UPS_WITHOUT)
        return FTR_OK;
    const ftr_status status = collect(positions, reader, budget, moves);
    if (status != FTR_OK) {
        ftr_id_positions_release(positions);
        positions->is_too_large = status == FTR_ERR_LIMIT;
        return status == FTR_ERR_LIMIT ? FTR_OK : status;
    }
    if (positions->count > 0)
        qsort(positions->entries, positions->count, sizeof *positions->entries, compare);
    positions->is_built = *usable = true;
    return FTR_OK;
}

const ftr_id_position *ftr_id_positions_find(const ftr_id_positions *positions, uint64_t id,
                                             size_t *count)
{
    size_t low = 0;
    size_t high = positions->count;
    *count = 0;
    if (high == 0)
        return NULL;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (positions->entries[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    size_t end = low;
    while (end < positions->count && positions->entries[end].id == id)
        end++;
    *count = end - low;
    return positions->entries + low;
}

void ftr_id_positions_release(ftr_id_positions *positions)
{
    free(positions->entries);
    free(positions->chunks);
    *positions = (ftr_id_positions){0};
}
