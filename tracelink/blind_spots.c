/* Owns the knowledge of what --wrap does not do: it replaces undefined references to a name and
 * nothing else. Says so for each function; changes nothing. */
#include "blind_spots.h"

#include <string.h>

#define CALLERS_SHOWN 4

struct callers {
    struct name_list names;
    size_t calls;
};

static void add_caller(struct arena *arena, struct callers *callers, const char *name)
{
    ++callers->calls;
    if (name && !name_list_has(&callers->names, name))
        name_list_add(arena, &callers->names, name);
}

static const char *callers_text(struct arena *arena, const struct callers *callers)
{
    const char *text = "";
    for (size_t i = 0; i < callers->names.count && i < CALLERS_SHOWN; ++i)
        text = arena_print(arena, "%s%s%s", text, i ? ", " : " from ", callers->names.names[i]);
    if (callers->names.count > CALLERS_SHOWN)
        text = arena_print(arena, "%s and %zu more", text, callers->names.count - CALLERS_SHOWN);
    return text;
}

static const char *plural(size_t count, const char *one, const char *more)
{
    return count == 1 ? one : more;
}

/* Whether a reference in the defining object means this function: by its symbol, or by its place in
 * the section. */
static bool refers_to(const struct object *object, const struct object_reference *reference,
                      const struct object_symbol *function)
{
    const struct object_symbol *symbol = &object->symbols[reference->symbol];
    if (symbol->section != function->section)
        return false;
    if (symbol->is_section || symbol->local)
        return symbol->value + (uint64_t)reference->addend == function->value;
    return symbol->value == function->value && strcmp(symbol->name, function->name) == 0;
}

static void report_inner_calls(struct arena *arena, struct report *report, struct object *object,
                               const struct object_symbol *function)
{
    struct callers calls = {0};
    struct callers addresses = {0};
    object_read_references(arena, object);
    for (size_t i = 0; i < object->reference_count; ++i) {
        const struct object_reference *reference = &object->references[i];
        if (!refers_to(object, reference, function))
            continue;
        const struct object_symbol *caller =
            object_function_at(object, reference->section, reference->offset);
        add_caller(arena, reference->call ? &calls : &addresses, caller ? caller->name : NULL);
    }
    struct callers inlined = {0};
    struct callers sites = {0};
    for (size_t i = 0; i < object->facts.call_count; ++i) {
        const struct dwarf_call *call = &object->facts.calls[i];
        if (strcmp(call->function, function->name) == 0)
            add_caller(arena, call->inlined ? &inlined : &sites, call->caller);
    }
    /* An assembler may resolve calls within a section itself: debug information still has them. */
    if (sites.calls > calls.calls)
        calls = sites;
    const char *where = arena_print(arena, "%s: %s", object->name, function->name);
    if (calls.calls)
        report_warning(report, where, "%zu %s inside the object that defines it will not be seen%s",
                       calls.calls, plural(calls.calls, "call", "calls"),
                       callers_text(arena, &calls));
    if (inlined.calls)
        report_warning(report, where, "%zu %s inlined and will not be seen%s", inlined.calls,
                       plural(inlined.calls, "call was", "calls were"),
                       callers_text(arena, &inlined));
    if (addresses.calls)
        report_warning(report, where,
                       "its address is taken inside the object that defines it: calls through it "
                       "will not be seen%s",
                       callers_text(arena, &addresses));
}

static void report_aliases(struct arena *arena, struct report *report, const struct object *object,
                           const struct object_symbol *function, const struct object_list *objects)
{
    for (size_t i = 0; i < object->symbol_count; ++i) {
        const struct object_symbol *alias = &object->symbols[i];
        if (alias->local || alias->section != function->section || !alias->function ||
            alias->value != function->value || !alias->size ||
            strcmp(alias->name, function->name) == 0)
            continue;
        for (size_t k = 0; k < objects->count; ++k)
            if (objects->objects[k]->linked && !objects->objects[k]->shared &&
                object_needs(objects->objects[k], alias->name)) {
                report_warning(report, arena_print(arena, "%s: %s", object->name, function->name),
                               "calls by its other name %s will not be seen", alias->name);
                break;
            }
    }
}

static bool refers_from_outside(const struct object_list *objects, const char *function)
{
    for (size_t i = 0; i < objects->count; ++i)
        if (objects->objects[i]->linked && !objects->objects[i]->shared &&
            object_needs(objects->objects[i], function))
            return true;
    return false;
}

void blind_spots_report(struct arena *arena, struct report *report,
                        const struct object_list *objects, const char *function, bool chosen)
{
    bool has_lto = false;
    for (size_t i = 0; i < objects->count; ++i) {
        struct object *object = objects->objects[i];
        has_lto |= object->lto;
        if (!object->linked)
            continue;
        const struct object_symbol *symbol = object_definition(object, function);
        if (symbol && object->shared)
            report_note(report, 1, "%s: defined in %s: calls inside shared libraries are not seen",
                        function, object->name);
        else if (symbol) {
            report_inner_calls(arena, report, object, symbol);
            report_aliases(arena, report, object, symbol, objects);
        } else if (object->shared && object_needs(object, function))
            report_note(report, 1, "%s: calls from %s are not seen", function, object->name);
    }
    /* The start-up code, which nothing names, refers to main. */
    if (has_lto || strcmp(function, "main") == 0 || refers_from_outside(objects, function))
        return;
    static const char text[] =
        "no linked object refers to it from outside: none of its calls will be seen";
    if (chosen)
        report_warning(report, function, "%s", text);
    else
        report_note(report, 1, "%s: %s", function, text);
}
