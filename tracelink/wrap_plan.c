/* Owns the choice of functions: globs, refusals, signatures. Writes no C and runs no linker. */
#include "wrap_plan.h"

#include "blind_spots.h"
#include "name_glob.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct planning {
    struct arena *arena;
    struct report *report;
    const struct trace_config *config;
    struct link_inputs *inputs;
    struct wrap_plan *plan;
};

static bool matches(const char *pattern, const char *name)
{
    return ftr_glob_matches(pattern, strlen(pattern), name, strlen(name));
}

static bool one_of(const char *name, const char *const *names)
{
    for (; *names; ++names)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

const char *wrap_refusal(const char *function, const struct c_signature *signature)
{
    static const char *const twice[] = {"setjmp",      "_setjmp",    "sigsetjmp",
                                        "__sigsetjmp", "getcontext", "savectx",
                                        "vfork",       "__vfork",    NULL};
    if (strncmp(function, "_Z", 2) == 0)
        return "a C++ name: only functions of C linkage can be wrapped";
    if (strncmp(function, "__wrap_", 7) == 0 || strncmp(function, "__real_", 7) == 0)
        return "a name the linker's --wrap uses itself";
    if (one_of(function, twice))
        return "returns twice: its wrapper's frame would be gone the second time";
    if (signature && signature->variadic)
        return signature->count ? "variadic: its arguments cannot be passed on; trace the function "
                                  "it calls, as vprintf for printf"
                                : "its declaration does not say what its arguments are";
    if (signature && signature->unprototyped)
        for (size_t i = 0; i < signature->count; ++i) {
            const struct c_type *type = c_type_bare(signature->parameters[i].type);
            if (type->kind == C_FLOAT && type->size < 8)
                return "declared without a prototype: its float arguments arrive as double";
        }
    return NULL;
}

static bool wants_all(void *user, const char *function)
{
    (void)user, (void)function;
    return true;
}

static bool wants_traced(void *user, const char *function)
{
    const struct function_list *traces = user;
    for (size_t i = 0; i < traces->count; ++i)
        if (matches(traces->items[i].name, function))
            return true;
    return false;
}

static void read_facts(struct planning *p, bool (*wanted)(void *user, const char *function),
                       void *user)
{
    for (size_t i = 0; i < p->inputs->objects.count; ++i) {
        struct object *object = p->inputs->objects.objects[i];
        if (object->linked && !object->shared)
            object_read_facts(p->arena, object, wanted, user);
    }
}

/* A definition says more than a declaration: it has names. */
static const struct c_signature *find_signature(const struct link_inputs *inputs, const char *name)
{
    const struct c_signature *found = NULL;
    for (size_t i = 0; i < inputs->objects.count; ++i) {
        const struct dwarf_facts *facts = &inputs->objects.objects[i]->facts;
        for (size_t k = 0; k < facts->count; ++k) {
            const struct c_signature *signature = facts->signatures[k];
            if (strcmp(signature->function, name) == 0 &&
                (!found || (signature->definition && !found->definition)))
                found = signature;
        }
    }
    return found;
}

static bool is_defined(const struct link_inputs *inputs, const char *name)
{
    for (size_t i = 0; i < inputs->objects.count; ++i)
        if (inputs->objects.objects[i]->linked &&
            object_definition(inputs->objects.objects[i], name))
            return true;
    return false;
}

static const struct object *static_definition(const struct link_inputs *inputs, const char *name)
{
    for (size_t i = 0; i < inputs->objects.count; ++i) {
        const struct object *object = inputs->objects.objects[i];
        for (size_t k = 0; object->linked && k < object->symbol_count; ++k) {
            const struct object_symbol *symbol = &object->symbols[k];
            if (symbol->local && symbol->section && symbol->function &&
                strcmp(symbol->name, name) == 0)
                return object;
        }
    }
    return NULL;
}

/* ---- choosing ---------------------------------------------------------------------------------
 */

static void add_function(struct planning *p, const char *name, const struct named_function *named)
{
    struct traced_function function = {
        .name = name, .where = named->where, .from_glob = ftr_glob_is_pattern(named->name)};
    for (size_t i = 0; i < p->plan->count; ++i)
        if (strcmp(p->plan->functions[i].name, name) == 0) {
            p->plan->functions[i].from_glob &= function.from_glob;
            return;
        }
    ARENA_APPEND(p->arena, p->plan->functions, p->plan->count, function);
}

static void expand_glob(struct planning *p, const struct named_function *glob)
{
    size_t before = p->plan->count;
    for (size_t i = 0; i < p->inputs->objects.count; ++i) {
        const struct object *object = p->inputs->objects.objects[i];
        for (size_t k = 0; object->linked && !object->shared && k < object->symbol_count; ++k) {
            const struct object_symbol *symbol = &object->symbols[k];
            if (symbol->section && !symbol->local && symbol->function && symbol->size &&
                matches(glob->name, symbol->name))
                add_function(p, symbol->name, glob);
        }
    }
    for (size_t i = 0; i < p->config->signature_count; ++i)
        if (matches(glob->name, p->config->signatures[i].function))
            add_function(p, p->config->signatures[i].function, glob);
    if (p->plan->count == before)
        report_warning(p->report, glob->where, "%s matches no function that is not chosen already",
                       glob->name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct traced_function *)a)->name,
                  ((const struct traced_function *)b)->name);
}

static bool is_listed(struct planning *p, const struct function_list *list, enum bitmap_mode mode,
                      const char *name)
{
    if (mode == BITMAP_ALL || (!list->count && p->config->generator.all_enabled))
        return true;
    for (size_t i = 0; i < list->count; ++i)
        if (matches(list->items[i].name, name))
            return true;
    return false;
}

static void tell_unmatched(struct planning *p, const struct function_list *list)
{
    for (size_t i = 0; i < list->count; ++i) {
        bool matched = false;
        for (size_t k = 0; k < p->plan->count; ++k)
            matched |= matches(list->items[i].name, p->plan->functions[k].name);
        if (!matched)
            report_warning(p->report, list->items[i].where, "%s is not traced",
                           list->items[i].name);
    }
}

/* ---- judging ----------------------------------------------------------------------------------
 */

/* Why this function cannot be wrapped; NULL when it can. */
static const char *judge(struct planning *p, const struct traced_function *function)
{
    const char *refusal = wrap_refusal(function->name, function->found);
    if (refusal)
        return refusal;
    if (function->written && name_list_has(&function->written->types, "..."))
        return "variadic: its arguments cannot be passed on";
    const struct object *holder = static_definition(p->inputs, function->name);
    if (holder && !is_defined(p->inputs, function->name))
        return arena_print(p->arena, "static in %s: the linker does not see its calls",
                           holder->name);
    if (!function->written && !function->found)
        return "no signature: write one, or compile its object with -g";
    return NULL;
}

static bool judge_all(struct planning *p)
{
    bool good = true;
    size_t kept = 0;
    for (size_t i = 0; i < p->plan->count; ++i) {
        struct traced_function *function = &p->plan->functions[i];
        function->written = trace_config_signature(p->config, function->name);
        function->found = find_signature(p->inputs, function->name);
        const char *reason = judge(p, function);
        if (!reason)
            p->plan->functions[kept++] = *function;
        else if (function->from_glob)
            report_warning(p->report, function->where, "%s is left out: %s", function->name,
                           reason);
        else {
            report_error(p->report, function->where, "%s: %s", function->name, reason);
            good = false;
        }
    }
    p->plan->count = kept;
    if (good && !kept) {
        report_error(p->report, NULL, "nothing to trace: no function is left");
        return false;
    }
    return good;
}

static void tell_about(struct planning *p, const struct traced_function *function)
{
    static const char *const never[] = {"exit",         "_exit",      "_Exit",
                                        "abort",        "longjmp",    "siglongjmp",
                                        "pthread_exit", "quick_exit", NULL};
    blind_spots_report(p->arena, p->report, &p->inputs->objects, function->name,
                       !function->from_glob);
    if (one_of(function->name, never) || (function->found && function->found->noreturn))
        report_note(p->report, 1, "%s does not return: its calls have no exit of their own",
                    function->name);
    if (!is_defined(p->inputs, function->name))
        report_warning(p->report, function->where, "%s: no inspected object or library defines it",
                       function->name);
}

bool wrap_plan_make(struct arena *arena, struct report *report, const struct trace_config *config,
                    struct link_inputs *inputs, const char *driver, struct wrap_plan *plan)
{
    struct planning p = {arena, report, config, inputs, plan};
    for (size_t i = 0; i < config->traces.count; ++i) {
        const struct named_function *named = &config->traces.items[i];
        if (ftr_glob_is_pattern(named->name))
            expand_glob(&p, named);
        else
            add_function(&p, named->name, named);
    }
    if (plan->count)
        qsort(plan->functions, plan->count, sizeof *plan->functions, by_name);
    read_facts(&p, wants_traced, (void *)&config->traces);
    if (!judge_all(&p))
        return false;
    link_inputs_add_c_library(arena, report, driver, inputs);
    for (size_t i = 0; i < plan->count; ++i) {
        struct traced_function *function = &plan->functions[i];
        function->types = function->found;
        function->enabled =
            is_listed(&p, &config->enables, config->options.enables, function->name);
        function->triggers =
            is_listed(&p, &config->triggers, config->options.triggers, function->name);
        tell_about(&p, function);
    }
    tell_unmatched(&p, &config->enables);
    tell_unmatched(&p, &config->triggers);
    for (size_t i = 0; i < inputs->uninspected.count; ++i)
        report_note(report, 1, "%s is not inspected: what it hides is not reported",
                    inputs->uninspected.names[i]);
    for (size_t i = 0; i < inputs->objects.count; ++i)
        if (inputs->objects.objects[i]->lto)
            report_warning(report, inputs->objects.objects[i]->name,
                           "holds code for link-time optimisation only: not inspected");
    return true;
}

/* ---- signatures -------------------------------------------------------------------------------
 */

static bool wants_probes(void *user, const char *function)
{
    (void)user;
    return strncmp(function, WRAP_PROBE_PREFIX, strlen(WRAP_PROBE_PREFIX)) == 0;
}

static struct c_signature *probed(const struct dwarf_facts *facts, const char *function)
{
    for (size_t i = 0; i < facts->count; ++i)
        if (strcmp(facts->signatures[i]->function + strlen(WRAP_PROBE_PREFIX), function) == 0)
            return facts->signatures[i];
    return NULL;
}

bool wrap_plan_check_signatures(struct arena *arena, struct report *report, const char *probe,
                                struct wrap_plan *plan)
{
    struct dwarf_facts facts = {0};
    bool good = true;
    int fd = open(probe, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        dwarf_facts_read(arena, probe, fd, wants_probes, NULL, &facts);
    for (size_t i = 0; i < plan->count; ++i) {
        struct traced_function *function = &plan->functions[i];
        if (!function->written)
            continue;
        struct c_signature *written = probed(&facts, function->name);
        if (!written)
            continue; /* a compiler without debug information: nothing to compare */
        written->function = function->name;
        for (size_t k = 0; k < written->count; ++k)
            written->parameters[k].name = NULL;
        if (!function->found) {
            function->types = written;
            continue;
        }
        if (!c_signature_same(written, function->found)) {
            report_error(report, function->written->where,
                         "disagrees with %s:\n  written: %s\n  %s: %s", function->found->object,
                         c_signature_text(arena, written),
                         function->found->definition ? "defined" : "declared",
                         c_signature_text(arena, function->found));
            good = false;
        }
        for (size_t k = 0; k < written->count && k < function->found->count; ++k)
            written->parameters[k].name = function->found->parameters[k].name;
        written->noreturn = function->found->noreturn;
        function->types = written;
    }
    return good;
}

/* ---- listing ----------------------------------------------------------------------------------
 */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool wrap_plan_list(struct arena *arena, struct report *report, struct link_inputs *inputs,
                    FILE *out)
{
    struct wrap_plan plan = {0};
    struct planning p = {arena, report, NULL, inputs, &plan};
    struct name_list names = {0};
    for (size_t i = 0; i < inputs->objects.count; ++i) {
        struct object *object = inputs->objects.objects[i];
        object->linked = true;
        for (size_t k = 0; !object->shared && k < object->symbol_count; ++k) {
            const struct object_symbol *symbol = &object->symbols[k];
            if (symbol->section && !symbol->local && symbol->function && symbol->size)
                name_list_add(arena, &names, symbol->name);
        }
    }
    read_facts(&p, wants_all, NULL);
    if (names.count)
        qsort(names.names, names.count, sizeof *names.names, by_text);
    for (size_t i = 0; i < names.count; ++i) {
        if (i && strcmp(names.names[i], names.names[i - 1]) == 0)
            continue;
        const struct c_signature *signature = find_signature(inputs, names.names[i]);
        const char *refusal = wrap_refusal(names.names[i], signature);
        if (refusal)
            fprintf(out, "; %s: %s\n", names.names[i], refusal);
        else if (signature)
            fprintf(out, "%s\n", c_signature_text(arena, signature));
        else
            fprintf(out, "%s; no debug information: a signature must be written\n", names.names[i]);
    }
    return true;
}
