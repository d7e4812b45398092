/* The counts are a ring. It has room for all tickets from the lowest to the highest one, so it is
 * about as long as the list of retained blocks. */
#include "held_tickets.h"

#include <stdlib.h>

#define FIRST_CAPACITY ((size_t)64)

static uint32_t *count_of(const ftr_held_tickets *held, uint64_t ticket)
{
    return &held->counts[ticket & (held->capacity - 1)];
}

/* Makes the ring long enough for @p length tickets. */
static bool fit(ftr_held_tickets *held, uint64_t length)
{
    if (length <= held->capacity)
        return true;
    ftr_held_tickets longer = *held;
    longer.capacity = held->capacity ? held->capacity : FIRST_CAPACITY;
    while (longer.capacity < length) {
        if (longer.capacity > SIZE_MAX / 2)
            return false;
        longer.capacity *= 2;
    }
    longer.counts = calloc(longer.capacity, sizeof *longer.counts);
    if (longer.counts == NULL)
        return false;
    for (uint64_t ticket = held->first; ticket < held->end; ticket++)
        *count_of(&longer, ticket) = *count_of(held, ticket);
    free(held->counts);
    *held = longer;
    return true;
}

void ftr_held_tickets_release(ftr_held_tickets *held)
{
    free(held->counts);
    *held = (ftr_held_tickets){0};
}

bool ftr_held_tickets_add(ftr_held_tickets *held, uint64_t ticket)
{
    const bool is_empty = held->first == held->end;
    const uint64_t first = is_empty || ticket < held->first ? ticket : held->first;
    const uint64_t end = is_empty || ticket >= held->end ? ticket + 1 : held->end;
    if (!fit(held, end - first))
        return false;
    held->first = first;
    held->end = end;
    (*count_of(held, ticket))++;
    return true;
}

void ftr_held_tickets_remove(ftr_held_tickets *held, uint64_t ticket)
{
    (*count_of(held, ticket))--;
    while (held->first < held->end && *count_of(held, held->first) == 0)
        held->first++;
}
