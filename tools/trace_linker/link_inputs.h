/** @file
 *  The inputs of a link command line. Does not change the command line. */
#ifndef FTR_LINK_INPUTS_H
#define FTR_LINK_INPUTS_H

#include "object_file.h"

typedef struct ftr_link_inputs {
    ftr_object_list objects;
    /** inputs on the command line that are not ELF files, for example sources and scripts, and
     * libraries that were not found */
    ftr_name_list uninspected;
    bool is_static; /**< whether the options contain -static or -static-pie */
    /** some inputs are sources, in which the calls are not known before the link */
    bool has_sources;
    bool optimises; /**< link-time optimisation is on: -flto, and no later -fno-lto */
} ftr_link_inputs;

/** Finds the files that a link with these arguments would use.
 *  @param driver the compiler, which is asked for the paths of libraries
 *  @return false after an error message if an input cannot be read */
bool ftr_link_inputs_read(ftr_link_arena *arena, ftr_link_report *report, const char *driver,
                          char *const *arguments, size_t count, ftr_link_inputs *inputs);

/** Appends the shared C library (libc and libm), which the command line usually does not name. Does
 * nothing if the link is static. */
void ftr_link_inputs_add_c_library(ftr_link_arena *arena, ftr_link_report *report,
                                   const char *driver, ftr_link_inputs *inputs);

/** Returns true if @p word, the first word after `--`, is a link driver: it is a program that
 * exists, and neither an option nor an input of the link. */
bool ftr_link_line_names_driver(const char *word);

#endif
