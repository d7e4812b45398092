/** @file
 *  The inputs of a link command line. The command line itself is never changed. */
#ifndef FTR_LINK_INPUTS_H
#define FTR_LINK_INPUTS_H

#include "name_list.h"
#include "object_file.h"

typedef struct ftr_link_inputs {
    ftr_object_list objects;
    ftr_name_list uninspected; /**< sources and scripts on the command line */
    bool is_static;            /**< -static or -static-pie */
    bool has_sources;          /**< their calls are unknown before the link */
    bool optimises;            /**< -flto */
} ftr_link_inputs;

/** Finds the files that a link with these arguments would use.
 *  @param driver compiler that is asked for the paths of libraries
 *  @return false after an error message if an input cannot be read */
bool ftr_link_inputs_read(ftr_link_arena *arena, ftr_link_report *report, const char *driver,
                          char *const *arguments, size_t count, ftr_link_inputs *inputs);

/** Appends the C library, which is linked implicitly. */
void ftr_link_inputs_add_c_library(ftr_link_arena *arena, ftr_link_report *report,
                                   const char *driver, ftr_link_inputs *inputs);

/** Returns true if the first word after `--` is a link driver: neither an option nor an input, and
 * an existing program. */
bool ftr_link_line_names_driver(const char *word);

#endif
