/** @file
 *  Warnings of one kind about many functions, which a glob may cause by the hundred, as one line.
 */
#ifndef TRACELINK_MESSAGE_GROUPS_H
#define TRACELINK_MESSAGE_GROUPS_H

#include "name_list.h"
#include "report.h"

struct message_group {
    const char *where;
    const char *text;       /**< what is said of the functions; groups differ in it or in `where` */
    struct name_list names; /**< the functions */
    struct name_list places;  /**< of each detail, or NULL */
    struct name_list details; /**< the warnings by themselves; none: the names say everything */
};

/** Zero-initialise. */
struct message_groups {
    struct message_group *groups;
    size_t count;
};

/** Adds a function to the group of @p text and @p where (NULL: no place). @p text is what follows
 * the names of several functions; an "are" at its begin becomes "is" for one. Texts are borrowed.
 */
struct message_group *message_groups_add(struct arena *arena, struct message_groups *groups,
                                         const char *where, const char *text, const char *function);

/** Adds a warning of its own about the function that was added last, for small groups. */
void message_group_detail(struct arena *arena, struct message_group *group, const char *where,
                          const char *text);

/** Prints a warning for each group: the first functions by name and how many more; all of them, or
 *  all details, if the report is verbose. */
void message_groups_tell(struct arena *arena, struct report *report,
                         const struct message_groups *groups);

#endif
