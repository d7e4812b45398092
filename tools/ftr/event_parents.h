/* The parents of the events of a trace (docs/format.md, "Events"). */
#ifndef FTR_EVENT_PARENTS_H
#define FTR_EVENT_PARENTS_H

#include "id_index.h"
#include "input_file.h"

#include <ftr/reader.h>

typedef struct ftr_event_parents {
    ftr_budget budget;
    ftr_id_index parents; /* from the id of an event to the id of its parent */
} ftr_event_parents;

/* Reads the relations from parents to events. A trace without events has none, and its relations
 * are not read. If memory is not sufficient, prints a warning, and no parent is known. @return
 * false after an error message */
bool ftr_event_parents_read(ftr_event_parents *found, ftr_input *input);
void ftr_event_parents_release(ftr_event_parents *found);

/* Returns the id of the parent if @p tx is an event with a known parent, otherwise FTR_ID_NONE. May
 * be called by several threads at the same time. */
uint64_t ftr_event_parents_find(const ftr_event_parents *found, const ftr_transaction *tx);

#endif
