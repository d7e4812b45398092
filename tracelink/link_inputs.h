/** @file
 *  The inputs of a link command line. The line itself is never changed. */
#ifndef TRACELINK_LINK_INPUTS_H
#define TRACELINK_LINK_INPUTS_H

#include "name_list.h"
#include "object_file.h"

struct link_inputs {
    struct object_list objects;
    struct name_list uninspected; /**< sources and scripts on the line */
    bool is_static;               /**< -static or -static-pie */
    bool has_sources;             /**< what they call is not known before the link */
    bool optimises;               /**< -flto */
};

/** Reads what a link with these arguments would link.
 *  @param driver asked where libraries are
 *  @return false when an input cannot be read; the report was told */
bool link_inputs_read(struct arena *arena, struct report *report, const char *driver,
                      char *const *arguments, size_t count, struct link_inputs *inputs);

/** Appends the C library, which no command line names. */
void link_inputs_add_c_library(struct arena *arena, struct report *report, const char *driver,
                               struct link_inputs *inputs);

/** Whether the first word behind `--` is a link driver: no option, no input, found as a program. */
bool link_line_names_driver(const char *word);

#endif
