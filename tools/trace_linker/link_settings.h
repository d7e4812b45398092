/** @file
 *  The settings of this run of ftr-ld, from the command line and from the options in the
 *  configuration. */
#ifndef FTR_LINK_SETTINGS_H
#define FTR_LINK_SETTINGS_H

#include "report.h"
#include "trace_config.h"

typedef struct ftr_link_settings {
    const char *config;
    ftr_name_list search;
    const char *cc;
    const char *ld;
    const char *prefix;
    const char *cflags;
    const char *rtems_path;
    const char *rtems_bsp;
    const char *wrapper;
    bool keep;
    bool warn;
    bool list;
    int verbose;
    char **arguments; /**< the arguments after `--`, or the objects to list */
    size_t argument_count;
    /* set by ftr_link_settings_resolve() */
    const char *objcopy;
    ftr_name_list flags; /**< options for the compiler of the wrappers and for the link driver */
} ftr_link_settings;

typedef enum ftr_settings_outcome {
    FTR_SETTINGS_RUN,    /**< the command line requests a link or a list */
    FTR_SETTINGS_DONE,   /**< the usage or the version was requested and printed */
    FTR_SETTINGS_INVALID /**< the command line is invalid; a message was printed */
} ftr_settings_outcome;

/** Reads the command line. Prints the usage or the version if requested. */
ftr_settings_outcome ftr_link_settings_read(ftr_link_arena *arena, ftr_link_report *report,
                                            int argc, char **argv, ftr_link_settings *settings);

/** Takes settings that the command line does not contain from the options in the configuration.
 * Chooses compiler and linker.
 *  @return false after an error message if the BSP (board support package of RTEMS) cannot be
 *  found */
bool ftr_link_settings_resolve(ftr_link_arena *arena, ftr_link_report *report,
                               const ftr_trace_options *options, ftr_link_settings *settings);

/** Returns the path of @p name in the installation of this program, for example of
 * "share/ftr/trace-linker". */
const char *ftr_link_settings_installed(ftr_link_arena *arena, const char *name);

#endif
