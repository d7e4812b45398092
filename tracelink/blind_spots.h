/** @file
 *  The calls a wrapped function will make or take that nothing will record, found before linking.
 */
#ifndef TRACELINK_BLIND_SPOTS_H
#define TRACELINK_BLIND_SPOTS_H

#include "object_file.h"
#include "report.h"

/** Reports what --wrap cannot see of @p function: warnings for calls that exist, notes for calls
 *  that may. The facts of the objects must have been read.
 *  @param chosen the function was named, not only matched by a glob */
void blind_spots_report(struct arena *arena, struct report *report,
                        const struct object_list *objects, const char *function, bool chosen);

#endif
