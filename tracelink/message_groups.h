/** @file
 *  Warnings of one kind about many functions, which a glob may cause by the hundred, as one line.
 */
#ifndef FTR_MESSAGE_GROUPS_H
#define FTR_MESSAGE_GROUPS_H

#include "name_list.h"
#include "report.h"

typedef struct ftr_message_group {
    const char *where;
    const char *text;      /**< what is said of the functions; groups differ in it or in `where` */
    ftr_name_list names;   /**< the functions */
    ftr_name_list places;  /**< of each detail, or NULL */
    ftr_name_list details; /**< the warnings by themselves; none: the names say everything */
} ftr_message_group;

/** Zero-initialise. */
typedef struct ftr_message_groups {
    ftr_message_group *groups;
    size_t count;
} ftr_message_groups;

/** Adds a function to the group of @p text and @p where (NULL: no place). @p text is what follows
 * the names of several functions; an "are" at its begin becomes "is" for one. Texts are borrowed.
 */
ftr_message_group *ftr_message_groups_add(ftr_link_arena *arena, ftr_message_groups *groups,
                                          const char *where, const char *text,
                                          const char *function);

/** Adds a warning of its own about the function that was added last, for small groups. */
void ftr_message_group_detail(ftr_link_arena *arena, ftr_message_group *group, const char *where,
                              const char *text);

/** Prints a warning for each group: the first functions by name and how many more; all of them, or
 *  all details, if the report is verbose. */
void ftr_message_groups_tell(ftr_link_arena *arena, ftr_link_report *report,
                             const ftr_message_groups *groups);

#endif
