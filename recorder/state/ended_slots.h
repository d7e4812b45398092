/* The empty slot table, one for each copy of the library. A recorder has this table before it has
 * its first slots, and again after it was closed, has failed, or was forked. The inline calls then
 * find no transaction for a handle, and need not test the valve. */
#ifndef FTR_ENDED_SLOTS_H
#define FTR_ENDED_SLOTS_H

#include <stdbool.h>

#include <ftr/recorder.h>

/* Makes the table. Returns false if out of memory; a later call tries again. Not thread safe. */
FTR_MUST_USE bool ftr_ended_slots_prepare(void);

ftr_slot *ftr_ended_slots(void);

#endif
