/** @file
 *  The calls a wrapped function will make or take that nothing will record, found before linking.
 */
#ifndef FTR_BLIND_SPOTS_H
#define FTR_BLIND_SPOTS_H

#include "message_groups.h"
#include "object_file.h"
#include "report.h"

/** Reports what --wrap cannot see of @p function: warnings for calls that exist, notes for calls
 *  that may. The facts of the objects must have been read.
 *  @param groups takes the warnings of a function that only a glob matched; NULL: it was named */
void ftr_blind_spots_report(ftr_link_arena *arena, ftr_link_report *report,
                            const ftr_object_list *objects, const char *function,
                            ftr_message_groups *groups);

/** Whether an object or member that is linked leaves @p function to others. */
bool ftr_blind_spots_refers(const ftr_object_list *objects, const char *function);

#endif
