/** @file
 *  The calls a wrapped function will make or take that nothing will record, found before linking.
 */
#ifndef TRACELINK_BLIND_SPOTS_H
#define TRACELINK_BLIND_SPOTS_H

#include "message_groups.h"
#include "object_file.h"
#include "report.h"

/** Reports what --wrap cannot see of @p function: warnings for calls that exist, notes for calls
 *  that may. The facts of the objects must have been read.
 *  @param groups takes the warnings of a function that only a glob matched; NULL: it was named */
void blind_spots_report(struct arena *arena, struct report *report,
                        const struct object_list *objects, const char *function,
                        struct message_groups *groups);

/** Whether an object or member that is linked leaves @p function to others. */
bool blind_spots_refers(const struct object_list *objects, const char *function);

#endif
