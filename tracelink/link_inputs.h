/** @file
 *  The inputs of a link command line. The line itself is never changed. */
#ifndef FTR_LINK_INPUTS_H
#define FTR_LINK_INPUTS_H

#include "name_list.h"
#include "object_file.h"

typedef struct ftr_link_inputs {
    ftr_object_list objects;
    ftr_name_list uninspected; /**< sources and scripts on the line */
    bool is_static;            /**< -static or -static-pie */
    bool has_sources;          /**< what they call is not known before the link */
    bool optimises;            /**< -flto */
} ftr_link_inputs;

/** Reads what a link with these arguments would link.
 *  @param driver asked where libraries are
 *  @return false when an input cannot be read; the report was told */
bool ftr_link_inputs_read(ftr_link_arena *arena, ftr_link_report *report, const char *driver,
                          char *const *arguments, size_t count, ftr_link_inputs *inputs);

/** Appends the C library, which no command line names. */
void ftr_link_inputs_add_c_library(ftr_link_arena *arena, ftr_link_report *report,
                                   const char *driver, ftr_link_inputs *inputs);

/** Whether the first word behind `--` is a link driver: no option, no input, found as a program. */
bool ftr_link_line_names_driver(const char *word);

#endif
