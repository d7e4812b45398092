/* The limits of --wrap: this linker option replaces only undefined references to a name. This file
 * finds the calls of each function that are not recorded for this reason, and reports them. */
#include "blind_spots.h"

#include <string.h>

#define CALLERS_SHOWN 4

typedef struct caller_list {
    ftr_name_list names;
    size_t calls;
} caller_list;

static void add_caller(ftr_link_arena *arena, caller_list *callers, const char *name)
{
    callers->calls++;
    if (name != NULL && !ftr_name_list_has(&callers->names, name))
        ftr_name_list_add(arena, &callers->names, name);
}

static const char *callers_text(ftr_link_arena *arena, const caller_list *callers)
{
    const char *text = "";
    for (size_t i = 0; i < callers->names.count && i < CALLERS_SHOWN; i++)
        text = ftr_arena_print(arena, "%s%s%s", text, i ? ", " : " (in ", callers->names.names[i]);
    if (callers->names.count > CALLERS_SHOWN)
        text =
            ftr_arena_print(arena, "%s and %zu more", text, callers->names.count - CALLERS_SHOWN);
    return callers->names.count ? ftr_arena_print(arena, "%s)", text) : text;
}

static const char *plural(size_t count, const char *one, const char *more)
{
    return count == 1 ? one : more;
}

/* Returns true if a reference in the object that defines @p function refers to @p function. The
 * reference names the symbol of the function, or the section (or a local symbol in it) and an
 * offset. */
static bool refers_to(const ftr_object_file *object, const ftr_object_reference *reference,
                      const ftr_object_symbol *function)
{
    const ftr_object_symbol *symbol = &object->symbols[reference->symbol];
    if (symbol->section != function->section)
        return false;
    if (symbol->is_section || symbol->local)
        return symbol->value + (uint64_t)reference->addend == function->value;
    return symbol->value == function->value && strcmp(symbol->name, function->name) == 0;
}

/* A function, and the destination of warnings about it. */
typedef struct checked_function {
    ftr_link_arena *arena;
    ftr_link_report *report;
    ftr_object_file *object;
    const ftr_object_symbol *function;
    ftr_message_groups *groups; /**< NULL: each warning is printed immediately */
} checked_function;

/* Reports a problem of a function. @p of_many is the message if several functions have the same
 * problem; @p text is the message for one function. */
static void report_limit(const checked_function *l, const char *of_many, const char *text)
{
    const char *where = ftr_arena_print(l->arena, "%s: %s", l->object->name, l->function->name);
    if (l->groups == NULL) {
        ftr_report_warning(l->report, where, "%s", text);
        return;
    }
    ftr_message_group *group =
        ftr_message_groups_add(l->arena, l->groups, NULL, of_many, l->function->name);
    ftr_message_group_detail(l->arena, group, where, text);
}

static void report_calls(const checked_function *l, const caller_list *calls,
                         const caller_list *inlined, const caller_list *addresses)
{
    ftr_link_arena *arena = l->arena;
    if (calls->calls)
        report_limit(
            l, "are called inside the objects that define them: these calls will not be recorded",
            ftr_arena_print(
                arena, "%zu %s inside the object that defines it will not be recorded%s",
                calls->calls, plural(calls->calls, "call", "calls"), callers_text(arena, calls)));
    if (inlined->calls)
        report_limit(l, "were inlined: these calls will not be recorded",
                     ftr_arena_print(arena, "%zu %s inlined and will not be recorded%s",
                                     inlined->calls,
                                     plural(inlined->calls, "call was", "calls were"),
                                     callers_text(arena, inlined)));
    if (addresses->calls)
        report_limit(
            l,
            "have their addresses taken inside the objects that define them: calls through these "
            "addresses will not be recorded",
            ftr_arena_print(arena,
                            "its address is taken inside the object that defines it: calls "
                            "through it will not be recorded%s",
                            callers_text(arena, addresses)));
}

static void report_inner_calls(const checked_function *l)
{
    ftr_link_arena *arena = l->arena;
    ftr_object_file *object = l->object;
    caller_list calls = {0};
    caller_list addresses = {0};
    ftr_object_read_references(arena, object);
    for (size_t i = 0; i < object->reference_count; i++) {
        const ftr_object_reference *reference = &object->references[i];
        if (!refers_to(object, reference, l->function))
            continue;
        const ftr_object_symbol *caller =
            ftr_object_function_at(object, reference->section, reference->offset);
        add_caller(arena, reference->call ? &calls : &addresses,
                   caller != NULL ? caller->name : NULL);
    }
    caller_list inlined = {0};
    caller_list sites = {0};
    for (size_t i = 0; i < object->facts.call_count; i++) {
        const ftr_dwarf_call *call = &object->facts.calls[i];
        if (strcmp(call->function, l->function->name) == 0)
            add_caller(arena, call->inlined ? &inlined : &sites, call->caller);
    }
    /* An assembler may resolve calls within a section itself, without a relocation. Debug
     * information still contains these calls. */
    report_calls(l, sites.calls > calls.calls ? &sites : &calls, &inlined, &addresses);
}

bool ftr_blind_spots_refers(const ftr_object_list *objects, const char *function)
{
    for (size_t i = 0; i < objects->count; i++)
        if (objects->objects[i]->linked && !objects->objects[i]->shared &&
            ftr_object_needs(objects->objects[i], function))
            return true;
    return false;
}

static void report_aliases(const checked_function *l, const ftr_object_list *objects)
{
    for (size_t i = 0; i < l->object->symbol_count; i++) {
        const ftr_object_symbol *alias = &l->object->symbols[i];
        if (alias->local || alias->section != l->function->section || !alias->function ||
            alias->value != l->function->value || !alias->size ||
            strcmp(alias->name, l->function->name) == 0 ||
            !ftr_blind_spots_refers(objects, alias->name))
            continue;
        report_limit(l, "are called by other names: these calls will not be recorded",
                     ftr_arena_print(l->arena, "calls by its other name %s will not be recorded",
                                     alias->name));
    }
}

void ftr_blind_spots_report(ftr_link_arena *arena, ftr_link_report *report,
                            const ftr_object_list *objects, const char *function,
                            ftr_message_groups *groups)
{
    for (size_t i = 0; i < objects->count; i++) {
        ftr_object_file *object = objects->objects[i];
        if (!object->linked)
            continue;
        const ftr_object_symbol *symbol = ftr_object_definition(object, function);
        if (symbol != NULL && object->shared)
            ftr_report_note(report, 1,
                            "%s: defined in %s: calls inside shared libraries are not recorded",
                            function, object->name);
        else if (symbol != NULL) {
            const checked_function l = {arena, report, object, symbol, groups};
            report_inner_calls(&l);
            report_aliases(&l, objects);
        } else if (object->shared && ftr_object_needs(object, function))
            ftr_report_note(report, 1, "%s: calls from %s are not recorded", function,
                            object->name);
    }
}
