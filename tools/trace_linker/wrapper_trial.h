/** @file
 * Finds functions with wrappers that do not compile, for example because generated C cannot express
 * a type. Only these functions are then not wrapped. */
#ifndef FTR_WRAPPER_TRIAL_H
#define FTR_WRAPPER_TRIAL_H

#include "wrap_plan.h"

/** Generates and compiles the wrappers of a plan, without messages. @return true if they compile */
typedef bool ftr_wrapper_trial(void *user, const ftr_wrap_plan *plan);

/** Removes the functions with wrappers that do not compile from @p plan. Prints a warning for each
 * of them that a glob selected, and an error for each that the configuration names.
 * @return false, with @p plan unchanged, if the configuration names one of these functions, or if
 *         more than a few functions cause the error */
bool ftr_wrapper_trial_prune(ftr_link_arena *arena, ftr_link_report *report, ftr_wrap_plan *plan,
                             ftr_wrapper_trial *compiles, void *user);

#endif
