/** @file
 * The wrapped functions and their signatures. They are determined from the configuration and the
 * objects to be linked. */
#ifndef FTR_WRAP_PLAN_H
#define FTR_WRAP_PLAN_H

#include "link_inputs.h"
#include "trace_config.h"

typedef struct ftr_wrapped_function {
    const char *name;
    const char *where; /**< position of the function in the configuration */
    bool from_glob;
    bool enabled;
    bool triggers;
    const ftr_written_signature *written;
    /** signature from the debug information of the objects; NULL: none */
    const ftr_c_signature *found;
    /** the signature that is used: `found`, or `written` after compilation */
    const ftr_c_signature *types;
    /** during planning: why a function that a glob selected cannot be wrapped */
    const char *reason;
} ftr_wrapped_function;

typedef struct ftr_wrap_plan {
    ftr_wrapped_function *functions; /**< sorted by name, without duplicates */
    size_t count;
    bool without_lto; /**< the program is linked with -fno-lto, because --wrap has no effect on
                         intermediate code */
} ftr_wrap_plan;

/** Chooses the functions to wrap. @return false after an error message if a function that the
 * configuration names (not by a glob) cannot be wrapped, if an object contains no machine code, if
 * the debug information of an object is damaged, or if no function is left */
bool ftr_wrap_plan_make(ftr_link_arena *arena, ftr_link_report *report,
                        const ftr_trace_config *config, ftr_link_inputs *inputs, const char *driver,
                        ftr_wrap_plan *plan);

/** Compares the signatures in the configuration with those in the debug information of the objects,
 * and sets `types` of each function with a signature in the configuration. These signatures were
 * compiled into the object @p probe. @return false after an error message if two signatures differ
 */
bool ftr_wrap_plan_check_signatures(ftr_link_arena *arena, ftr_link_report *report,
                                    const char *probe, ftr_wrap_plan *plan);

/** Prints every function in the objects that can be wrapped, with its signature. For each function
 * that cannot be wrapped, prints the reason. @return false after an error message if an object
 * contains no machine code, or has damaged debug information */
bool ftr_wrap_plan_list(ftr_link_arena *arena, ftr_link_report *report, ftr_link_inputs *inputs,
                        FILE *out);

/** Prefix of the name of the function that is compiled to check a signature from the
 * configuration. */
#define FTR_WRAP_PROBE_PREFIX "ftr_probe_"

#endif
