/** @file
 *  How this run was asked to work: command line and options of the configuration, made one. */
#ifndef TRACELINK_LINK_SETTINGS_H
#define TRACELINK_LINK_SETTINGS_H

#include "name_list.h"
#include "report.h"
#include "trace_config.h"

struct link_settings {
    const char *config;
    struct name_list search;
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
    char **arguments; /**< behind `--`, or the objects to list */
    size_t argument_count;
    /* resolved */
    const char *objcopy;
    struct name_list flags; /**< of the wrapper's compiler and the link driver */
};

enum settings_outcome { SETTINGS_RUN, SETTINGS_DONE, SETTINGS_WRONG };

/** Reads the command line. The usage and version texts are printed. */
enum settings_outcome link_settings_read(struct arena *arena, struct report *report, int argc,
                                         char **argv, struct link_settings *settings);

/** Lets the options of the configuration fill what the command line left open, and names the tools.
 *  @return false when the BSP cannot be found; the report was told */
bool link_settings_resolve(struct arena *arena, struct report *report,
                           const struct trace_options *options, struct link_settings *settings);

/** The directory @p name below the installation of this program: "share/ftr/trace-linker". */
const char *link_settings_installed(struct arena *arena, const char *name);

#endif
