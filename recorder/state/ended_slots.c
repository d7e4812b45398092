/* The slot table of ended recorders. */
#include "ended_slots.h"

#include "address_range.h"
#include "arena.h"

static ftr_range table;

bool ftr_ended_slots_prepare(void)
{
    if (table.base == NULL && ftr_range_allocate(&table, FTR_SLOTS_MAX * FTR_SLOT_SIZE) != FTR_OK)
        return false;
    /* A zeroed handle refers to the first slot, so the id and the place of this slot must not be
     * 0. */
    ftr_ended_slots()->id = FTR_SLOT_FREE;
    ftr_ended_slots()->place = FTR_SLOT_SIZE;
    return true;
}

ftr_slot *ftr_ended_slots(void)
{
    return (ftr_slot *)table.base;
}
