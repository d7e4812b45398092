/** @file
 *  Which functions' wrappers do not compile. A type that debug information describes and generated
 * C cannot spell costs its own function only. */
#ifndef TRACELINK_WRAPPER_TRIAL_H
#define TRACELINK_WRAPPER_TRIAL_H

#include "wrap_plan.h"

/** Generates and compiles the wrappers of a plan, without messages. @return whether that went well
 */
typedef bool wrapper_trial(void *user, const struct wrap_plan *plan);

/** Takes the functions out of @p plan whose wrappers are the reason why all of them did not
 * compile. Those that a glob matched are warnings, those that were named are errors.
 *  @return false if one was named, or the fault is not that of a few functions: the plan is
 * unchanged */
bool wrapper_trial_prune(struct arena *arena, struct report *report, struct wrap_plan *plan,
                         wrapper_trial *compiles, void *user);

#endif
