/** @file
 *  Finds, before linking, calls of wrapped functions that will not be recorded. */
#ifndef FTR_BLIND_SPOTS_H
#define FTR_BLIND_SPOTS_H

#include "object_file.h"
#include "report.h"

/** Reports calls of @p function that --wrap cannot intercept: with warnings for calls in the linked
 *  objects, with notes for calls in shared libraries. The debug information of the objects must
 *  have been read (ftr_object_read_facts()).
 *  @param groups collects the warnings, for functions that a glob selected; NULL: each warning is
 *  printed immediately, for a function that the configuration names */
void ftr_blind_spots_report(ftr_link_arena *arena, ftr_link_report *report,
                            const ftr_object_list *objects, const char *function,
                            ftr_message_groups *groups);

/** Returns true if a linked object (or member of an archive) uses @p function, but does not define
 * it. Shared libraries do not count. */
bool ftr_blind_spots_refers(const ftr_object_list *objects, const char *function);

#endif
