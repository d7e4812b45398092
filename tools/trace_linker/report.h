/** @file
 *  Messages of the commands in this folder: one line each, with the position and the problem.
 *  Warnings of one kind about many functions are combined, because a glob may cause hundreds. */
#ifndef FTR_REPORT_H
#define FTR_REPORT_H

#include "command_arena.h"

#include <stdio.h>

typedef struct ftr_link_report {
    FILE *out;
    unsigned errors;
    unsigned warnings;
    int verbosity; /**< notes up to this level are printed */
    /** begins each message; errors then do not contain the word "error"; NULL: none */
    const char *program;
} ftr_link_report;

/** Print a message. @p where is the position that the message concerns (file, line, section and
 * key; or object and function); NULL: no position. A note is printed only if the verbosity is at
 * least @p level. */
void ftr_report_error(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_warning(ftr_link_report *report, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void ftr_report_note(ftr_link_report *report, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Warnings of one kind about several functions. */
typedef struct ftr_message_group {
    const char *where;
    /** the message about the functions. No two groups have both the same `text` and the same
     * `where` */
    const char *text;
    ftr_name_list names;  /**< names of the functions */
    ftr_name_list places; /**< position of each detail, or NULL */
    /** the warnings about single functions; empty: the names are sufficient */
    ftr_name_list details;
} ftr_message_group;

/** Must be zero-initialised. */
typedef struct ftr_message_groups {
    ftr_message_group *groups;
    size_t count;
} ftr_message_groups;

/** Adds a function to the group with @p text and @p where (NULL: no position). In the output,
 * @p text follows the names of the functions. @p text must be written for several functions: if
 * there is only one, "are" at its beginning becomes "is". Texts are borrowed. Returns the group,
 * which is valid until the next call. */
ftr_message_group *ftr_message_groups_add(ftr_link_arena *arena, ftr_message_groups *groups,
                                          const char *where, const char *text,
                                          const char *function);

/** Adds a warning about the function that was added last. If a group is small, these warnings are
 * printed instead of the combined one. */
void ftr_message_group_detail(ftr_link_arena *arena, ftr_message_group *group, const char *where,
                              const char *text);

/** Prints a warning for each group, with the names of the first functions and the number of the
 *  others. If the report is verbose, prints all names or all details. */
void ftr_message_groups_print(ftr_link_arena *arena, ftr_link_report *report,
                              const ftr_message_groups *groups);

#endif
