/* The tickets of the bodies with data. Counts the bodies of each ticket, so that the lowest ticket
 * is known without a look at all bodies, of which there can be one for each stream. */
#ifndef FTR_HELD_TICKETS_H
#define FTR_HELD_TICKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ftr_held_tickets {
    /* index: ticket modulo `capacity`, for the tickets from `first` to `end` - 1 */
    uint32_t *counts;
    size_t capacity; /* a power of two, or 0 */
    uint64_t first;  /* the lowest ticket with a count above 0; if there is none, `end` */
    uint64_t end;
} ftr_held_tickets;

void ftr_held_tickets_release(ftr_held_tickets *held);

/* Counts one more body with @p ticket. Tickets usually increase, but may also be lower than all
 * others. Returns false if out of memory. */
bool ftr_held_tickets_add(ftr_held_tickets *held, uint64_t ticket);

/* Counts one body less with @p ticket, which was added. */
void ftr_held_tickets_remove(ftr_held_tickets *held, uint64_t ticket);

/* Returns the lowest ticket; UINT64_MAX: there is none. */
static inline uint64_t ftr_held_tickets_lowest(const ftr_held_tickets *held)
{
    return held->first < held->end ? held->first : UINT64_MAX;
}

#endif
