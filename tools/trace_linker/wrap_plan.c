/* Chooses the wrapped functions: globs, reasons against wrapping, signatures. */
#include "wrap_plan.h"

#include "blind_spots.h"
#include "name_glob.h"
#include "near_name.h"
#include "plain_message.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct planning {
    ftr_link_arena *arena;
    ftr_link_report *report;
    const ftr_trace_config *config;
    ftr_link_inputs *inputs;
    ftr_wrap_plan *plan;
} planning;

static bool matches(const char *pattern, const char *name)
{
    return ftr_glob_matches(pattern, strlen(pattern), name, strlen(name));
}

static bool one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static bool needs_options(const ftr_c_signature *signature)
{
    for (size_t i = 0; i < signature->count; i++)
        if (ftr_c_type_needs_options(signature->parameters[i].type))
            return true;
    return ftr_c_type_needs_options(signature->result);
}

/* Returns the reason why a function must not be wrapped; NULL if there is none. @p signature may be
 * NULL. */
static const char *wrap_refusal(const char *function, const ftr_c_signature *signature)
{
    static const char *const twice[] = {"setjmp",      "_setjmp",    "sigsetjmp",
                                        "__sigsetjmp", "getcontext", "savectx",
                                        "vfork",       "__vfork",    NULL};
    if (strncmp(function, "_Z", 2) == 0)
        return "a C++ name: only functions of C linkage can be wrapped";
    if (function[strspn(function,
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$")])
        return "its name is not a C identifier";
    if (strncmp(function, "__wrap_", 7) == 0 || strncmp(function, "__real_", 7) == 0)
        return "its name is reserved by the linker option --wrap";
    if (one_of(function, twice))
        return "returns twice: its wrapper's frame would be gone the second time";
    if (signature != NULL && signature->variadic)
        return signature->count ? "variadic: its arguments cannot be passed on; trace the function "
                                  "that it calls, for example vprintf for printf"
                                : "its declaration does not contain its arguments";
    if (signature != NULL && needs_options(signature))
        return "passes vectors of more than 16 bytes: the convention depends on compiler options";
    if (signature != NULL && signature->unprototyped)
        for (size_t i = 0; i < signature->count; i++) {
            const ftr_c_type *type = ftr_c_type_bare(signature->parameters[i].type);
            if (type->kind == FTR_C_FLOAT && type->size < 8)
                return "declared without a prototype: its float arguments are passed as double";
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
    return ftr_function_list_names(user, function);
}

/* Reads the debug information of all linked objects. Damaged debug information is an error, because
 * a wrapper with a wrong signature would corrupt arguments. */
static bool read_facts(planning *p, bool (*wanted)(void *user, const char *function), void *user)
{
    bool good = true;
    for (size_t i = 0; i < p->inputs->objects.count; i++) {
        ftr_object_file *object = p->inputs->objects.objects[i];
        if (!object->linked || object->shared)
            continue;
        ftr_object_read_facts(p->arena, object, wanted, user);
        if (object->facts.damage != NULL) {
            ftr_report_error(p->report, object->name,
                             "its debug information is damaged (%s): compile it again",
                             object->facts.damage);
            good = false;
        }
    }
    return good;
}

/* Checks that all objects contain machine code, because --wrap has no effect on intermediate code.
 * If an object contains both, or if the command line requests link-time optimisation, the program
 * is linked with -fno-lto, so that the machine code is used. */
static bool accept_objects(planning *p)
{
    const char *slim = NULL;
    const char *fat = NULL;
    size_t slim_count = 0;
    for (size_t i = 0; i < p->inputs->objects.count; i++) {
        const ftr_object_file *object = p->inputs->objects.objects[i];
        if (object->lto && !slim_count++)
            slim = object->name;
        if (object->fat && object->linked && fat == NULL)
            fat = object->name;
    }
    if (slim != NULL) {
        ftr_report_error(
            p->report, slim,
            "contains only code for link-time optimisation (%zu of the inputs in total); its calls "
            "cannot be wrapped: compile it with -ffat-lto-objects or without -flto",
            slim_count);
        return false;
    }
    p->plan->without_lto = fat != NULL || p->inputs->optimises;
    if (p->plan->without_lto && p->config != NULL)
        ftr_report_warning(
            p->report, fat,
            "linked without link-time optimisation, which hides calls: with -fno-lto");
    return true;
}

/* Returns the signature of a function. Prefers a definition to a declaration, because a definition
 * contains the names of the arguments. */
static const ftr_c_signature *find_signature(const ftr_link_inputs *inputs, const char *name)
{
    const ftr_c_signature *found = NULL;
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const ftr_dwarf_facts *facts = &inputs->objects.objects[i]->facts;
        for (size_t k = 0; k < facts->count; k++) {
            const ftr_c_signature *signature = facts->signatures[k];
            if (strcmp(signature->function, name) == 0 &&
                (found == NULL || (signature->definition && !found->definition)))
                found = signature;
        }
    }
    return found;
}

static bool is_defined(const ftr_link_inputs *inputs, const char *name)
{
    for (size_t i = 0; i < inputs->objects.count; i++)
        if (inputs->objects.objects[i]->linked &&
            ftr_object_definition(inputs->objects.objects[i], name) != NULL)
            return true;
    return false;
}

static const ftr_object_file *static_definition(const ftr_link_inputs *inputs, const char *name)
{
    for (size_t i = 0; i < inputs->objects.count; i++) {
        const ftr_object_file *object = inputs->objects.objects[i];
        for (size_t k = 0; object->linked && k < object->symbol_count; k++) {
            const ftr_object_symbol *symbol = &object->symbols[k];
            if (symbol->local && symbol->section && symbol->function &&
                strcmp(symbol->name, name) == 0)
                return object;
        }
    }
    return NULL;
}

/* ---- choice ---------------------------------------------------------------------------------- */

static void add_function(planning *p, const char *name, const ftr_named_function *named)
{
    if (ftr_function_list_excludes(&p->config->traces, name))
        return;
    ftr_wrapped_function function = {
        .name = name, .where = named->where, .from_glob = ftr_glob_is_pattern(named->name)};
    for (size_t i = 0; i < p->plan->count; i++)
        if (strcmp(p->plan->functions[i].name, name) == 0) {
            p->plan->functions[i].from_glob &= function.from_glob;
            return;
        }
    FTR_ARENA_APPEND(p->arena, p->plan->functions, p->plan->count, function);
}

static void expand_glob(planning *p, const ftr_named_function *glob)
{
    size_t before = p->plan->count;
    for (size_t i = 0; i < p->inputs->objects.count; i++) {
        const ftr_object_file *object = p->inputs->objects.objects[i];
        for (size_t k = 0; object->linked && !object->shared && k < object->symbol_count; k++) {
            const ftr_object_symbol *symbol = &object->symbols[k];
            if (symbol->section && !symbol->local && symbol->function && symbol->size &&
                matches(glob->name, symbol->name))
                add_function(p, symbol->name, glob);
        }
    }
    for (size_t i = 0; i < p->config->signature_count; i++)
        if (matches(glob->name, p->config->signatures[i].function))
            add_function(p, p->config->signatures[i].function, glob);
    if (p->plan->count == before)
        ftr_report_warning(p->report, glob->where, "%s matches no further function", glob->name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const ftr_wrapped_function *)a)->name, ((const ftr_wrapped_function *)b)->name);
}

static bool is_listed(planning *p, const ftr_function_list *list, ftr_bitmap_mode mode,
                      const char *name)
{
    if (mode == FTR_BITMAP_ALL)
        return true;
    if (ftr_function_list_excludes(list, name))
        return false;
    if (!list->count && (p->config->generator.all_enabled || list->excluded_count))
        return true;
    return ftr_function_list_names(list, name);
}

static void report_unmatched(planning *p, const ftr_function_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        bool matched = false;
        for (size_t k = 0; k < p->plan->count; k++)
            matched |= matches(list->items[i].name, p->plan->functions[k].name);
        if (!matched)
            ftr_report_warning(p->report, list->items[i].where, "%s is not traced",
                               list->items[i].name);
    }
}

/* Reports each exclusion that matches no function, because it is probably misspelled. */
static void report_excluded(planning *p, const ftr_function_list *list)
{
    for (size_t i = 0; i < list->excluded_count; i++) {
        const char *pattern = list->excluded[i].name;
        bool matched = false;
        for (size_t o = 0; !matched && o < p->inputs->objects.count; o++) {
            const ftr_object_file *object = p->inputs->objects.objects[o];
            for (size_t k = 0; !matched && !object->shared && k < object->symbol_count; k++)
                matched = matches(pattern, object->symbols[k].name);
        }
        if (!matched)
            ftr_report_warning(p->report, list->excluded[i].where, "!%s matches no function",
                               pattern);
    }
}

/* ---- refusal --------------------------------------------------------------------------------- */

static const char *unknown_name(planning *p, const char *name)
{
    static const char text[] = "no linked object defines or calls it";
    ftr_near_name near;
    ftr_near_name_init(&near, name, strlen(name));
    for (size_t i = 0; i < p->inputs->objects.count; i++) {
        const ftr_object_file *object = p->inputs->objects.objects[i];
        for (size_t k = 0; object->linked && !object->shared && k < object->symbol_count; k++)
            if (object->symbols[k].function && !object->symbols[k].local)
                ftr_near_name_offer(&near, object->symbols[k].name,
                                    strlen(object->symbols[k].name));
    }
    const char *found = ftr_near_name_get(&near);
    return found != NULL ? ftr_arena_print(p->arena, "%s; did you mean %s?", text, found) : text;
}

/* Returns the reason why a function cannot be wrapped; NULL if it can be wrapped. */
static const char *refusal_reason(planning *p, const ftr_wrapped_function *function)
{
    const char *refusal = wrap_refusal(function->name, function->found);
    if (refusal != NULL)
        return refusal;
    if (function->written != NULL && ftr_name_list_has(&function->written->types, "..."))
        return "variadic: its arguments cannot be passed on";
    const ftr_object_file *holder = static_definition(p->inputs, function->name);
    if (holder != NULL && !is_defined(p->inputs, function->name))
        return ftr_arena_print(p->arena, "static in %s: the linker cannot redirect its calls",
                               holder->name);
    if (function->written != NULL || function->found != NULL)
        return NULL;
    if (holder == NULL && !is_defined(p->inputs, function->name) &&
        !ftr_blind_spots_refers(&p->inputs->objects, function->name))
        return unknown_name(p, function->name);
    return "no signature: write one, or compile its object with -g";
}

static void reject(planning *p, ftr_message_groups *groups, const ftr_wrapped_function *function,
                   const char *reason)
{
    ftr_message_groups_add(p->arena, groups, function->where,
                           ftr_arena_print(p->arena, "are skipped: %s", reason), function->name);
}

/* Returns true if no linked object refers to the function from outside of the object that defines
 * it, so that no call would be recorded. Returns false for main, which the start-up code calls.
 * Also returns false if the command line contains sources, because the calls in them are not known
 * yet. */
static bool is_never_called(const planning *p, const char *function)
{
    return !p->inputs->has_sources && strcmp(function, "main") != 0 &&
           !ftr_blind_spots_refers(&p->inputs->objects, function);
}

static bool accept_functions(planning *p)
{
    bool good = true;
    size_t kept = 0;
    ftr_message_groups rejected = {0};
    for (size_t i = 0; i < p->plan->count; i++) {
        ftr_wrapped_function *function = &p->plan->functions[i];
        if (function->from_glob && is_never_called(p, function->name)) {
            reject(p, &rejected, function, "no linked object refers to it from outside");
            continue;
        }
        function->written = ftr_trace_config_signature(p->config, function->name);
        function->found = find_signature(p->inputs, function->name);
        const char *reason = refusal_reason(p, function);
        if (reason == NULL)
            p->plan->functions[kept++] = *function;
        else if (function->from_glob)
            reject(p, &rejected, function, reason);
        else {
            ftr_report_error(p->report, function->where, "%s: %s", function->name, reason);
            good = false;
        }
    }
    p->plan->count = kept;
    ftr_message_groups_print(p->arena, p->report, &rejected);
    if (good && !kept) {
        ftr_report_error(p->report, NULL, "nothing to trace: all functions are skipped");
        return false;
    }
    return good;
}

static void report_about(planning *p, const ftr_wrapped_function *function,
                         ftr_message_groups *groups)
{
    static const char *const never[] = {"exit",         "_exit",      "_Exit",
                                        "abort",        "longjmp",    "siglongjmp",
                                        "pthread_exit", "quick_exit", NULL};
    ftr_blind_spots_report(p->arena, p->report, &p->inputs->objects, function->name,
                           function->from_glob ? groups : NULL);
    if (one_of(function->name, never) || (function->found != NULL && function->found->noreturn))
        ftr_report_note(p->report, 1, "%s does not return: its calls have no exit record",
                        function->name);
    if (!function->from_glob && is_never_called(p, function->name))
        ftr_report_warning(
            p->report, function->name,
            "no linked object refers to it from outside: none of its calls will be recorded");
    if (!p->inputs->has_sources && !is_defined(p->inputs, function->name))
        ftr_report_warning(p->report, function->where,
                           "%s: no inspected object or library defines it", function->name);
}

bool ftr_wrap_plan_make(ftr_link_arena *arena, ftr_link_report *report,
                        const ftr_trace_config *config, ftr_link_inputs *inputs, const char *driver,
                        ftr_wrap_plan *plan)
{
    planning p = {arena, report, config, inputs, plan};
    ftr_message_groups blind = {0};
    if (!accept_objects(&p))
        return false;
    for (size_t i = 0; i < config->traces.count; i++) {
        const ftr_named_function *named = &config->traces.items[i];
        if (ftr_glob_is_pattern(named->name))
            expand_glob(&p, named);
        else
            add_function(&p, named->name, named);
    }
    if (plan->count)
        qsort(plan->functions, plan->count, sizeof *plan->functions, by_name);
    if (!read_facts(&p, wants_traced, (void *)&config->traces) || !accept_functions(&p))
        return false;
    ftr_link_inputs_add_c_library(arena, report, driver, inputs);
    for (size_t i = 0; i < plan->count; i++) {
        ftr_wrapped_function *function = &plan->functions[i];
        function->types = function->found;
        function->enabled =
            is_listed(&p, &config->enables, config->options.enables, function->name);
        function->triggers =
            is_listed(&p, &config->triggers, config->options.triggers, function->name);
        report_about(&p, function, &blind);
    }
    ftr_message_groups_print(arena, report, &blind);
    report_excluded(&p, &config->traces);
    report_unmatched(&p, &config->enables);
    report_unmatched(&p, &config->triggers);
    for (size_t i = 0; i < inputs->uninspected.count; i++)
        ftr_report_note(report, 1, "%s is not inspected: calls inside it are not reported",
                        inputs->uninspected.names[i]);
    return true;
}

/* ---- signatures ------------------------------------------------------------------------------ */

static bool wants_probes(void *user, const char *function)
{
    (void)user;
    return strncmp(function, FTR_WRAP_PROBE_PREFIX, strlen(FTR_WRAP_PROBE_PREFIX)) == 0;
}

static ftr_c_signature *probed(const ftr_dwarf_facts *facts, const char *function)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(facts->signatures[i]->function + strlen(FTR_WRAP_PROBE_PREFIX), function) == 0)
            return facts->signatures[i];
    return NULL;
}

bool ftr_wrap_plan_check_signatures(ftr_link_arena *arena, ftr_link_report *report,
                                    const char *probe, ftr_wrap_plan *plan)
{
    ftr_dwarf_facts facts = {0};
    bool good = true;
    int fd = open(probe, O_RDONLY | O_CLOEXEC);
    if (fd >= 0)
        ftr_dwarf_facts_read(arena, probe, fd, wants_probes, NULL, &facts);
    for (size_t i = 0; i < plan->count; i++) {
        ftr_wrapped_function *function = &plan->functions[i];
        if (function->written == NULL)
            continue;
        ftr_c_signature *written = probed(&facts, function->name);
        if (written == NULL)
            continue; /* the probe has no debug information about the function, so nothing can be
                         compared */
        written->function = function->name;
        for (size_t k = 0; k < written->count; k++)
            written->parameters[k].name = NULL;
        if (function->found == NULL) {
            function->types = written;
            continue;
        }
        if (!ftr_c_signature_same(written, function->found)) {
            ftr_report_error(report, function->written->where,
                             "disagrees with %s: written: %s; %s: %s", function->found->object,
                             ftr_c_signature_text(arena, written),
                             function->found->definition ? "defined" : "declared",
                             ftr_c_signature_text(arena, function->found));
            good = false;
        }
        for (size_t k = 0; k < written->count && k < function->found->count; k++)
            written->parameters[k].name = function->found->parameters[k].name;
        written->noreturn = function->found->noreturn;
        function->types = written;
    }
    return good;
}

/* ---- listing --------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool ftr_wrap_plan_list(ftr_link_arena *arena, ftr_link_report *report, ftr_link_inputs *inputs,
                        FILE *out)
{
    ftr_wrap_plan plan = {0};
    planning p = {arena, report, NULL, inputs, &plan};
    ftr_name_list names = {0};
    if (!accept_objects(&p))
        return false;
    for (size_t i = 0; i < inputs->objects.count; i++) {
        ftr_object_file *object = inputs->objects.objects[i];
        object->linked = true;
        for (size_t k = 0; !object->shared && k < object->symbol_count; k++) {
            const ftr_object_symbol *symbol = &object->symbols[k];
            if (symbol->section && !symbol->local && symbol->function && symbol->size)
                ftr_name_list_add(arena, &names, symbol->name);
        }
    }
    bool good = read_facts(&p, wants_all, NULL);
    if (names.count)
        qsort(names.names, names.count, sizeof *names.names, by_text);
    for (size_t i = 0; i < names.count; i++) {
        if (i && strcmp(names.names[i], names.names[i - 1]) == 0)
            continue;
        const ftr_c_signature *signature = find_signature(inputs, names.names[i]);
        const char *refusal = wrap_refusal(names.names[i], signature);
        if (refusal != NULL)
            ftr_print_message(out, "; ", "%s: %s", names.names[i], refusal);
        else if (signature != NULL)
            ftr_print_message(out, "", "%s", ftr_c_signature_text(arena, signature));
        else
            ftr_print_message(out, "", "%s; no debug information: a signature must be written",
                              names.names[i]);
    }
    return good;
}
