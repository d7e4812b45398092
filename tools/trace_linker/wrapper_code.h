/** @file
 *  The generated C code of a trace: the wrappers, made from the templates of the generator, and
 *  tables that describe the functions (signatures, attributes, names). Some wrappers do not
 * compile, for example because generated C cannot express a type. These wrappers are found and
 * removed. */
#ifndef FTR_WRAPPER_CODE_H
#define FTR_WRAPPER_CODE_H

#include "trace_config.h"
#include "wrap_plan.h"

#include <stdio.h>

/** Writes a function for each signature in the configuration. The debug information of the compiled
 * functions then contains the types. */
void ftr_wrapper_code_probe(ftr_link_arena *arena, FILE *out, const ftr_trace_config *config,
                            const ftr_wrap_plan *plan);

/** Writes the wrappers. @return false after an error message about an unknown macro */
bool ftr_wrapper_code_write(ftr_link_arena *arena, ftr_link_report *report, FILE *out,
                            const ftr_trace_config *config, const ftr_wrap_plan *plan);

/** Generates and compiles the wrappers of a plan, without messages. @return true if they compile */
typedef bool ftr_wrapper_trial(void *user, const ftr_wrap_plan *plan);

/** Removes the functions with wrappers that do not compile from @p plan. Prints a warning for each
 * of them that a glob selected, and an error for each that the configuration names.
 * @return true if functions were removed, and others are left. Returns false without a change of
 * @p plan if the configuration names one of these functions; if so many wrappers do not compile
 * that the cause is not in the types; or if every single wrapper compiles. Also returns false if no
 * function is left. */
bool ftr_wrapper_trial_prune(ftr_link_arena *arena, ftr_link_report *report, ftr_wrap_plan *plan,
                             ftr_wrapper_trial *compiles, void *user);

#endif
