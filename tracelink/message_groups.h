/** @file
 *  Combines warnings of one kind about many functions into one line; a glob may cause hundreds
 *  of them. */
#ifndef FTR_MESSAGE_GROUPS_H
#define FTR_MESSAGE_GROUPS_H

#include "name_list.h"
#include "report.h"

typedef struct ftr_message_group {
    const char *where;
    /** the message about the functions; groups differ in it or in `where` */
    const char *text;
    ftr_name_list names;   /**< the functions */
    ftr_name_list places;  /**< of each detail, or NULL */
    ftr_name_list details; /**< the individual warnings; none: the names are sufficient */
} ftr_message_group;

/** Must be zero-initialised. */
typedef struct ftr_message_groups {
    ftr_message_group *groups;
    size_t count;
} ftr_message_groups;

/** Adds a function to the group of @p text and @p where (NULL: no position). @p text follows the
 * names of several functions; an "are" at its beginning becomes "is" for one. Texts are
 * borrowed. */
ftr_message_group *ftr_message_groups_add(ftr_link_arena *arena, ftr_message_groups *groups,
                                          const char *where, const char *text,
                                          const char *function);

/** Adds an individual warning about the function that was added last, for small groups. */
void ftr_message_group_detail(ftr_link_arena *arena, ftr_message_group *group, const char *where,
                              const char *text);

/** Prints a warning for each group: the first functions by name and the number of others; if the
 *  report is verbose, all functions or all details. */
void ftr_message_groups_print(ftr_link_arena *arena, ftr_link_report *report,
                              const ftr_message_groups *groups);

#endif
