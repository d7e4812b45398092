/** @file
 *  Which functions are wrapped and what their signatures are: the configuration met with the
 * objects that will be linked. */
#ifndef FTR_WRAP_PLAN_H
#define FTR_WRAP_PLAN_H

#include "link_inputs.h"
#include "trace_config.h"

typedef struct ftr_wrapped_function {
    const char *name;
    const char *where; /**< of the list that names it */
    bool from_glob;
    bool enabled;
    bool triggers;
    const ftr_written_signature *written;
    const ftr_c_signature *found; /**< in the objects' debug information */
    const ftr_c_signature *types; /**< found, or the written one as the compiler sees it */
    const char *reason;           /**< why a glob's match is left out, while planning */
} ftr_wrapped_function;

typedef struct ftr_wrap_plan {
    ftr_wrapped_function *functions; /**< sorted by name, each once */
    size_t count;
    bool without_lto; /**< there is code for link-time optimisation, which the link must not use */
} ftr_wrap_plan;

/** Why a function must not be wrapped, or NULL. @p signature may be NULL. */
const char *ftr_wrap_refusal(const char *function, const ftr_c_signature *signature);

/** Chooses the functions. @return false when one named cannot be wrapped; the report was told */
bool ftr_wrap_plan_make(ftr_link_arena *arena, ftr_link_report *report,
                        const ftr_trace_config *config, ftr_link_inputs *inputs, const char *driver,
                        ftr_wrap_plan *plan);

/** Compares written signatures, compiled into the object @p probe, with those found, and gives
 * every function its types. @return false when two disagree; the report was told of both */
bool ftr_wrap_plan_check_signatures(ftr_link_arena *arena, ftr_link_report *report,
                                    const char *probe, ftr_wrap_plan *plan);

/** Prints every function of the objects that can be wrapped, with its signature, and why others
 *  cannot. */
bool ftr_wrap_plan_list(ftr_link_arena *arena, ftr_link_report *report, ftr_link_inputs *inputs,
                        FILE *out);

/** What a probe of a written signature is called: this before the function's name. */
#define FTR_WRAP_PROBE_PREFIX "ftr_probe_"

#endif
