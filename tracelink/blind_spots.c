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
    callers->calls++;
    if (name != NULL && !name_list_has(&callers->names, name))
        name_list_add(arena, &callers->names, name);
}

static const char *callers_text(struct arena *arena, const struct callers *callers)
{
    const char *text = "";
    for (size_t i = 0; i < callers->names.count && i < CALLERS_SHOWN; i++)
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

/* A function, and where the warnings about it go. */
struct looked_at {
    struct arena *arena;
    struct report *report;
    struct object *object;
    const struct object_symbol *function;
    struct message_groups *groups; /**< NULL: each warning is printed */
};

/* @p of_many is said of several functions at once. */
static void tell(const struct looked_at *l, const char *of_many, const char *text)
{
    const char *where = arena_print(l->arena, "%s: %s", l->object->name, l->function->name);
    if (l->groups == NULL) {
        report_warning(l->report, where, "%s", text);
        return;
    }
    struct message_group *group =
        message_groups_add(l->arena, l->groups, NULL, of_many, l->function->name);
    message_group_detail(l->arena, group, where, text);
}

static void tell_calls(const struct looked_at *l, const struct callers *calls,
                       const struct callers *inlined, const struct callers *addresses)
{
    struct arena *arena = l->arena;
    if (calls->calls)
        tell(l, "are called inside the objects that define them: those calls will not be seen",
             arena_print(arena, "%zu %s inside the object that defines it will not be seen%s",
                         calls->calls, plural(calls->calls, "call", "calls"),
                         callers_text(arena, calls)));
    if (inlined->calls)
        tell(l, "were inlined in places: those calls will not be seen",
             arena_print(arena, "%zu %s inlined and will not be seen%s", inlined->calls,
                         plural(inlined->calls, "call was", "calls were"),
                         callers_text(arena, inlined)));
    if (addresses->calls)
        tell(l,
             "have their addresses taken inside the objects that define them: calls through those "
             "will not be seen",
             arena_print(arena,
                         "its address is taken inside the object that defines it: calls through it "
                         "will not be seen%s",
                         callers_text(arena, addresses)));
}

static void report_inner_calls(const struct looked_at *l)
{
    struct arena *arena = l->arena;
    struct object *object = l->object;
    struct callers calls = {0};
    struct callers addresses = {0};
    object_read_references(arena, object);
    for (size_t i = 0; i < object->reference_count; i++) {
        const struct object_reference *reference = &object->references[i];
        if (!refers_to(object, reference, l->function))
            continue;
        const struct object_symbol *caller =
            object_function_at(object, reference->section, reference->offset);
        add_caller(arena, reference->call ? &calls : &addresses,
                   caller != NULL ? caller->name : NULL);
    }
    struct callers inlined = {0};
    struct callers sites = {0};
    for (size_t i = 0; i < object->facts.call_count; i++) {
        const struct dwarf_call *call = &object->facts.calls[i];
        if (strcmp(call->function, l->function->name) == 0)
            add_caller(arena, call->inlined ? &inlined : &sites, call->caller);
    }
    /* An assembler may resolve calls within a section itself: debug information still has them. */
    tell_calls(l, sites.calls > calls.calls ? &sites : &calls, &inlined, &addresses);
}

bool blind_spots_refers(const struct object_list *objects, const char *function)
{
    for (size_t i = 0; i < objects->count; i++)
        if (objects->objects[i]->linked && !objects->objects[i]->shared &&
            object_needs(objects->objects[i], function))
            return true;
    return false;
}

static void report_aliases(const struct looked_at *l, const struct object_list *objects)
{
    for (size_t i = 0; i < l->object->symbol_count; i++) {
        const struct object_symbol *alias = &l->object->symbols[i];
        if (alias->local || alias->section != l->function->section || !alias->function ||
            alias->value != l->function->value || !alias->size ||
            strcmp(alias->name, l->function->name) == 0 ||
            !blind_spots_refers(objects, alias->name))
            continue;
        tell(l, "are called by other names of theirs: those calls will not be seen",
             arena_print(l->arena, "calls by its other name %s will not be seen", alias->name));
    }
}

void blind_spots_report(struct arena *arena, struct report *report,
                        const struct object_list *objects, const char *function,
                        struct message_groups *groups)
{
    for (size_t i = 0; i < objects->count; i++) {
        struct object *object = objects->objects[i];
        if (!object->linked)
            continue;
        const struct object_symbol *symbol = object_definition(object, function);
        if (symbol != NULL && object->shared)
            report_note(report, 1, "%s: defined in %s: calls inside shared libraries are not seen",
                        function, object->name);
        else if (symbol != NULL) {
            const struct looked_at l = {arena, report, object, symbol, groups};
            report_inner_calls(&l);
            report_aliases(&l, objects);
        } else if (object->shared && object_needs(object, function))
            report_note(report, 1, "%s: calls from %s are not seen", function, object->name);
    }
}
