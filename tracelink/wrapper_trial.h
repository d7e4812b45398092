/** @file
 *  Which functions' wrappers do not compile. A type that debug information describes and generated
 * C cannot spell costs its own function only. */
#ifndef FTR_WRAPPER_TRIAL_H
#define FTR_WRAPPER_TRIAL_H

#include "wrap_plan.h"

/** Generates and compiles the wrappers of a plan, without messages. @return whether that went well
 */
typedef bool ftr_wrapper_trial(void *user, const ftr_wrap_plan *plan);

/** Takes the functions out of @p plan whose wrappers are the reason why all of them did not
 * compile. Those that a glob matched are warnings, those that were named are errors.
 *  @return false if one was named, or the fault is not that of a few functions: the plan is
 * unchanged */
bool ftr_wrapper_trial_prune(ftr_link_arena *arena, ftr_link_report *report, ftr_wrap_plan *plan,
                             ftr_wrapper_trial *compiles, void *user);

#endif
