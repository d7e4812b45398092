/** @file
 *  How this run was asked to work: command line and options of the configuration, made one. */
#ifndef FTR_LINK_SETTINGS_H
#define FTR_LINK_SETTINGS_H

#include "name_list.h"
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
    char **arguments; /**< behind `--`, or the objects to list */
    size_t argument_count;
    /* resolved */
    const char *objcopy;
    ftr_name_list flags; /**< of the wrapper's compiler and the link driver */
} ftr_link_settings;

typedef enum ftr_settings_outcome {
    FTR_SETTINGS_RUN,
    FTR_SETTINGS_DONE,
    FTR_SETTINGS_WRONG
} ftr_settings_outcome;

/** Reads the command line. The usage and version texts are printed. */
ftr_settings_outcome ftr_link_settings_read(ftr_link_arena *arena, ftr_link_report *report,
                                            int argc, char **argv, ftr_link_settings *settings);

/** Lets the options of the configuration fill what the command line left open, and names the tools.
 *  @return false when the BSP cannot be found; the report was told */
bool ftr_link_settings_resolve(ftr_link_arena *arena, ftr_link_report *report,
                               const ftr_trace_options *options, ftr_link_settings *settings);

/** The directory @p name below the installation of this program: "share/ftr/trace-linker". */
const char *ftr_link_settings_installed(ftr_link_arena *arena, const char *name);

#endif
