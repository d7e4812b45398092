/** @file
 *  Finds, before linking, calls of wrapped functions that will not be recorded. */
#ifndef FTR_BLIND_SPOTS_H
#define FTR_BLIND_SPOTS_H

#include "object_file.h"
#include "report.h"

/** Reports calls of @p function that --wrap cannot intercept: warnings for calls that exist, notes
 *  for calls that may exist. The debug information of the objects must have been read
 *  (ftr_object_read_facts()).
 *  @param groups collects the warnings if a glob selected the function; NULL: the configuration
 *  names the function, and each warning is printed immediately */
void ftr_blind_spots_report(ftr_link_arena *arena, ftr_link_report *report,
                            const ftr_object_list *objects, const char *function,
                            ftr_message_groups *groups);

/** Returns true if a linked object (or member of an archive) uses @p function, but does not define
 * it. */
bool ftr_blind_spots_refers(const ftr_object_list *objects, const char *function);

#endif
