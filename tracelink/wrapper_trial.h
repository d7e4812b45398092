/** @file
 * Finds functions with wrappers that do not compile. If generated C cannot express a type in the
 * debug information, only the functions with this type are not wrapped. */
#ifndef FTR_WRAPPER_TRIAL_H
#define FTR_WRAPPER_TRIAL_H

#include "wrap_plan.h"

/** Generates and compiles the wrappers of a plan, without messages. @return true on success */
typedef bool ftr_wrapper_trial(void *user, const ftr_wrap_plan *plan);

/** Removes the functions with wrappers that do not compile from @p plan. Prints warnings for
 * functions that a glob matched, and errors for named functions.
 * @return false, with @p plan unchanged, if one of them is a named function, or if the error is not
 *         caused by a few functions */
bool ftr_wrapper_trial_prune(ftr_link_arena *arena, ftr_link_report *report, ftr_wrap_plan *plan,
                             ftr_wrapper_trial *compiles, void *user);

#endif
