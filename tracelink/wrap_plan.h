/** @file
 * The wrapped functions and their signatures: the result of matching the configuration with the
 * objects to be linked. */
#ifndef FTR_WRAP_PLAN_H
#define FTR_WRAP_PLAN_H

#include "link_inputs.h"
#include "trace_config.h"

typedef struct ftr_wrapped_function {
    const char *name;
    const char *where; /**< position of the list that contains it */
    bool from_glob;
    bool enabled;
    bool triggers;
    const ftr_written_signature *written;
    const ftr_c_signature *found; /**< from the objects' debug information */
    /** from debug information, or the compiled form of the configured one */
    const ftr_c_signature *types;
    const char *reason; /**< during planning: why a glob's match was rejected */
} ftr_wrapped_function;

typedef struct ftr_wrap_plan {
    ftr_wrapped_function *functions; /**< sorted by name, without duplicates */
    size_t count;
    bool without_lto; /**< the link must not use the code for link-time optimisation */
} ftr_wrap_plan;

/** Chooses the functions. @return false after an error message if a named function cannot be
 * wrapped */
bool ftr_wrap_plan_make(ftr_link_arena *arena, ftr_link_report *report,
                        const ftr_trace_config *config, ftr_link_inputs *inputs, const char *driver,
                        ftr_wrap_plan *plan);

/** Compares the configured signatures, which were compiled into the object @p probe, with those in
 * the debug information, and sets the types of every function. @return false after an error message
 * if two differ */
bool ftr_wrap_plan_check_signatures(ftr_link_arena *arena, ftr_link_report *report,
                                    const char *probe, ftr_wrap_plan *plan);

/** Prints every function of the objects that can be wrapped, with its signature, and the reasons
 *  why others cannot. */
bool ftr_wrap_plan_list(ftr_link_arena *arena, ftr_link_report *report, ftr_link_inputs *inputs,
                        FILE *out);

/** Prefix of the function that is compiled to check a configured signature. */
#define FTR_WRAP_PROBE_PREFIX "ftr_probe_"

#endif
