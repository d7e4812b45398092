/* Finds the wrappers that do not compile, by bisection. */
#include "wrapper_code.h"

/* If more than this number of wrappers do not compile, the cause is the generator or its headers,
 * not a few types. */
#define FAILING_LIMIT 16

typedef struct trial {
    const ftr_wrap_plan *plan;
    ftr_wrapper_trial *compiles;
    void *user;
    bool *is_culprit;
    size_t failing;
    size_t good; /**< number of functions with wrappers that compile */
} trial;

static void search(trial *t, size_t first, size_t count)
{
    const ftr_wrap_plan part = {.functions = t->plan->functions + first, .count = count};
    if (!count || t->failing > FAILING_LIMIT)
        return;
    if (t->compiles(t->user, &part)) {
        t->good += count;
    } else if (count == 1) {
        t->is_culprit[first] = true;
        t->failing++;
    } else {
        search(t, first, count / 2);
        search(t, first + count / 2, count - count / 2);
    }
}

static bool report_failing(ftr_link_arena *arena, ftr_link_report *report, const trial *t)
{
    static const char reason[] =
        "its wrapper does not compile: the debug information of its types is incomplete";
    ftr_message_groups rejected = {0};
    bool good = true;
    for (size_t i = 0; i < t->plan->count; i++) {
        const ftr_wrapped_function *function = &t->plan->functions[i];
        if (t->is_culprit[i] && !function->from_glob) {
            ftr_report_error(report, function->where, "%s: %s", function->name, reason);
            good = false;
        } else if (t->is_culprit[i]) {
            ftr_message_groups_add(arena, &rejected, function->where,
                                   ftr_arena_print(arena, "are skipped: %s", reason),
                                   function->name);
        }
    }
    ftr_message_groups_print(arena, report, &rejected);
    return good;
}

bool ftr_wrapper_trial_prune(ftr_link_arena *arena, ftr_link_report *report, ftr_wrap_plan *plan,
                             ftr_wrapper_trial *compiles, void *user)
{
    trial t = {.plan = plan, .compiles = compiles, .user = user};
    t.is_culprit = ftr_link_arena_allocate(arena, plan->count, sizeof *t.is_culprit);
    search(&t, 0, plan->count);
    if (!t.failing || t.failing > FAILING_LIMIT || (!t.good && plan->count > 1) ||
        !report_failing(arena, report, &t))
        return false;
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (!t.is_culprit[i])
            plan->functions[kept++] = plan->functions[i];
    plan->count = kept;
    return kept > 0;
}
