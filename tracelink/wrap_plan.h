/** @file
 *  Which functions are wrapped and what their signatures are: the configuration met with the
 * objects that will be linked. */
#ifndef TRACELINK_WRAP_PLAN_H
#define TRACELINK_WRAP_PLAN_H

#include "link_inputs.h"
#include "trace_config.h"

struct traced_function {
    const char *name;
    const char *where; /**< of the list that names it */
    bool from_glob;
    bool enabled;
    bool triggers;
    const struct written_signature *written;
    const struct c_signature *found; /**< in the objects' debug information */
    const struct c_signature *types; /**< found, or the written one as the compiler sees it */
    const char *reason;              /**< why a glob's match is left out, while planning */
};

struct wrap_plan {
    struct traced_function *functions; /**< sorted by name, each once */
    size_t count;
    bool without_lto; /**< there is code for link-time optimisation, which the link must not use */
};

/** Why a function must not be wrapped, or NULL. @p signature may be NULL. */
const char *wrap_refusal(const char *function, const struct c_signature *signature);

/** Chooses the functions. @return false when one named cannot be wrapped; the report was told */
bool wrap_plan_make(struct arena *arena, struct report *report, const struct trace_config *config,
                    struct link_inputs *inputs, const char *driver, struct wrap_plan *plan);

/** Compares written signatures, compiled into the object @p probe, with those found, and gives
 * every function its types. @return false when two disagree; the report was told of both */
bool wrap_plan_check_signatures(struct arena *arena, struct report *report, const char *probe,
                                struct wrap_plan *plan);

/** Prints every function of the objects that can be wrapped, with its signature, and why others
 *  cannot. */
bool wrap_plan_list(struct arena *arena, struct report *report, struct link_inputs *inputs,
                    FILE *out);

/** What a probe of a written signature is called: this before the function's name. */
#define WRAP_PROBE_PREFIX "ftr_probe_"

#endif
