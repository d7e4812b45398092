/* The table of slots of recorders that have ended. No transaction is in it, so the inline calls
 * find that a handle is stale without looking at the gate. One for the process. */
#ifndef FTR_ENDED_SLOTS_H
#define FTR_ENDED_SLOTS_H

#include <stdbool.h>

#include <ftr/recorder.h>

/* Makes the table. Returns false without memory; a later call tries again. Not thread safe. */
FTR_MUST_USE bool ftr_ended_slots_prepare(void);

ftr_slot *ftr_ended_slots(void);

#endif
