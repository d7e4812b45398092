/* The memory of tallies. */
#include "tallies.h"

ftr_tally *ftr_tallies_enter(ftr_tallies *tallies, size_t number)
{
    if (number >= UINT32_MAX ||
        !ftr_array_reach(&tallies->place, &tallies->place_count, number, sizeof *tallies->place) ||
        !ftr_array_grow(&tallies->list, &tallies->capacity, tallies->count,
                        sizeof *tallies->list)) {
        tallies->failed = true;
        return NULL;
    }
    ftr_tally *added = &tallies->list[tallies->count++];
    *added = (ftr_tally){.number = number};
    tallies->place[number] = (uint32_t)tallies->count;
    return added;
}

void ftr_tallies_append(ftr_tallies *tallies, ftr_prepared *prepared)
{
    static const ftr_tally failed = {.number = FTR_TALLY_FAILED};
    const ftr_tally *from = tallies->failed ? &failed : tallies->list;
    const size_t size = (tallies->failed ? 1 : tallies->count) * sizeof *from;
    void *room = size > 0 ? ftr_prepared_append(prepared, size) : NULL;
    if (room != NULL)
        memcpy(room, from, size);
    for (size_t i = 0; i < tallies->count; i++)
        tallies->place[tallies->list[i].number] = 0;
    tallies->count = 0;
    tallies->failed = false;
}

void ftr_tallies_release(ftr_tallies *tallies)
{
    free(tallies->place);
    free(tallies->list);
    *tallies = (ftr_tallies){0};
}
