/* The public calls that define streams, generators, relations and texts. They check the recorder's
 * state, take its lock, and pass the definition to all its traces. */
#include "definition_calls.h"

#include <ftr/detail/observed_calls.h>

#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "event_names.h"
#include "misuse.h"
#include "writer.h"

/* Takes the lock of a recorder. Returns an error, without the lock, if the recorder no longer
 * accepts definitions, @p result is NULL, or the caller has interrupted a guarded call. */
static ftr_status enter(ftr_guarded_call *call, ftr_recorder *rec, const void *result)
{
    ftr_status status = ftr_recorder_check(rec);
    if (status != FTR_OK)
        return status;
    if (result == NULL)
        return FTR_ERR_ARGUMENT;
    return ftr_recorder_lock(rec, call) ? FTR_OK : FTR_ERR_STATE;
}

static void leave(const ftr_guarded_call *call, ftr_recorder *rec)
{
    ftr_recorder_show_definitions(rec);
    ftr_lock_release(&rec->locks);
    ftr_writer_start_if_grown(rec);
    ftr_call_leave(call);
}

/* A definition of any kind. */
typedef struct definition {
    const char *call; /* name of the public function */
    uint32_t kind;    /* FTR_RECORD_... */
    const char *name;
    const char *owner; /* of a stream; NULL: none */
    const char *stream_kind;
    size_t length; /* length of a text */
    uint32_t buffer;
    ftr_stream stream;
    const ftr_attribute *attributes;
    size_t count;
    ftr_generator parents; /* for events: the generator of their parents; otherwise 0 */
    bool may_differ;       /* the events may be defined already, with any attributes */
} definition;

static const ftr_buffer_entry *buffer_of(const ftr_recorder *rec, const definition *given)
{
    return &rec->buffers.at[given->buffer];
}

static ftr_status define_in(ftr_recorder *trace, const definition *given, uint32_t kind_flags,
                            uint32_t *handle)
{
    ftr_definitions *definitions = &trace->definitions;
    switch (given->kind) {
    case FTR_RECORD_STREAM:
        return ftr_definitions_add_stream(definitions, given->name, given->stream_kind, kind_flags,
                                          handle);
    case FTR_RECORD_GENERATOR:
        return ftr_definitions_add_generator(definitions, given->stream, given->name,
                                             given->attributes, given->count, handle);
    case FTR_RECORD_RELATION_NAME:
        return ftr_definitions_add_relation(definitions, given->name, handle);
    default:
        return ftr_definitions_add_text(definitions, given->name, given->length, handle);
    }
}

/* Repeats a definition in the trace of a buffer. The definition must get the same number in this
 * trace, because a handle has the same meaning in all traces. */
static ftr_status repeat_in(ftr_recorder *trace, const ftr_recorder *rec, definition given,
                            uint32_t expected)
{
    uint32_t handle = 0;
    uint32_t kind_flags = FTR_ENTITY_FILTERED;
    if (given.kind == FTR_RECORD_STREAM && buffer_of(rec, &given)->trace == trace)
        kind_flags = buffer_of(rec, &given)->number << FTR_ENTITY_BUFFER_SHIFT;
    ftr_lock_take(&trace->locks);
    if (given.kind == FTR_RECORD_GENERATOR &&
        trace->front.entities[given.stream].kind & FTR_ENTITY_FILTERED)
        given.count = 0;
    ftr_status status = define_in(trace, &given, kind_flags, &handle);
    ftr_recorder_show_definitions(trace);
    ftr_lock_release(&trace->locks);
    return status == FTR_OK && handle != expected ? FTR_ERR_MEMORY : status;
}

/* Returns the additional bits in the `kind` of a stream. If the filter excludes the stream, returns
 * FTR_ENTITY_FILTERED. Otherwise returns the number of the stream's buffer and, if this buffer has
 * a separate trace, also FTR_ENTITY_FILTERED. */
static uint32_t kind_flags_of(const ftr_recorder *rec, const definition *given)
{
    /* The filter uses the requested name, because the name in the file depends on the other
     * streams. */
    if (!ftr_definitions_wants(&rec->definitions, given->owner, given->name))
        return FTR_ENTITY_FILTERED;
    uint32_t elsewhere = buffer_of(rec, given)->trace != rec ? FTR_ENTITY_FILTERED : 0;
    return elsewhere | given->buffer << FTR_ENTITY_BUFFER_SHIFT;
}

/* Returns whether @p events declares the attributes of @p given. */
static bool declares(const ftr_entity *events, const definition *given)
{
    if (events->attributes.count != given->count)
        return false;
    for (size_t i = 0; i < given->count; i++) {
        const ftr_declared_attribute *declared = &events->attributes.at[i];
        const ftr_attribute *attribute = &given->attributes[i];
        if (declared->type != attribute->type || declared->class_ != attribute->class_ ||
            attribute->name == NULL || strcmp(declared->name, attribute->name) != 0)
            return false;
    }
    return true;
}

/* Returns true if @p given defines events that are defined already. Sets @p status to the status
 * that the call must return and, if this is FTR_OK, @p result to the handle of the events. */
static bool find_defined(const ftr_recorder *rec, const definition *given, uint32_t *result,
                         ftr_status *status)
{
    ftr_generator events = given->parents ? ftr_events_of(rec, given->parents) : 0;
    if (events == 0)
        return false;
    const ftr_entity *entity = ftr_definitions_entity(&rec->definitions, events);
    *status = given->may_differ || declares(entity, given) ? FTR_OK : FTR_ERR_STATE;
    if (*status == FTR_OK)
        *result = events;
    return true;
}

static ftr_status try_define(ftr_recorder *rec, definition given, uint32_t *result)
{
    uint32_t handle = 0;
    uint32_t kind_flags = 0;
    ftr_guarded_call call;
    ftr_status status = enter(&call, rec, result);
    if (status != FTR_OK)
        return status;
    if (find_defined(rec, &given, result, &status)) {
        leave(&call, rec);
        return status;
    }
    if (given.kind == FTR_RECORD_STREAM && given.name != NULL)
        kind_flags = kind_flags_of(rec, &given);
    if (ftr_buffer_of_kind(kind_flags) == 0)
        given.buffer = 0;
    status = define_in(rec, &given, kind_flags, &handle);
    ftr_recorder *lost = NULL;
    for (uint32_t i = 1; status == FTR_OK && i < ftr_recorder_trace_count(rec); i++) {
        if (repeat_in(rec->traces[i], rec, given, handle) != FTR_OK)
            lost = rec->traces[i];
    }
    if (status == FTR_OK)
        *result = handle;
    if (status == FTR_OK && given.parents) {
        ftr_entity *parents = ftr_definitions_entity(&rec->definitions, given.parents);
        __atomic_store_n(&parents->events, handle, __ATOMIC_RELEASE);
    }
    leave(&call, rec);
    /* from now on, handles in this trace would differ from those in the recorder */
    if (lost != NULL)
        ftr_recorder_fail(lost, FTR_ERR_MEMORY, &(ftr_failure){0});
    return status;
}

static ftr_status define(ftr_recorder *rec, definition given, uint32_t *result)
{
    ftr_status status = try_define(rec, given, result);
    if (status == FTR_OK)
        return FTR_OK;
    bool is_name = given.kind != FTR_RECORD_TEXT; /* a text need not end with a NUL */
    bool differs = status == FTR_ERR_STATE && given.parents && ftr_events_of(rec, given.parents);
    return ftr_recorder_misuse(rec, status,
                               &(ftr_misuse){.call = given.call,
                                             .set = differs ? FTR_MISUSE_DIFFERS : 0,
                                             .name = is_name ? given.name : NULL});
}

ftr_status ftr_stream_define_in(ftr_recorder *rec, ftr_buffer buffer, const char *name,
                                const char *kind, ftr_stream *stream)
{
    static const char call[] = "ftr_stream_define_in";
    if (rec != NULL && buffer >= atomic_load(&rec->buffers.count))
        return ftr_recorder_misuse(
            rec, FTR_ERR_UNDEFINED,
            &(ftr_misuse){.call = call, .set = FTR_MISUSE_HANDLE, .handle = buffer});
    return define(rec,
                  (definition){.call = call,
                               .kind = FTR_RECORD_STREAM,
                               .name = name,
                               .stream_kind = kind,
                               .buffer = buffer},
                  stream);
}

ftr_status ftr_stream_define_of(ftr_recorder *rec, const char *owner, const char *name,
                                const char *kind, ftr_stream *stream)
{
    const bool is_named = rec != NULL && name != NULL;
    return define(rec,
                  (definition){.call = "ftr_stream_define",
                               .kind = FTR_RECORD_STREAM,
                               .name = name,
                               .owner = owner,
                               .stream_kind = kind,
                               .buffer = is_named ? ftr_buffers_choose(rec, owner, name) : 0},
                  stream);
}

ftr_status ftr_stream_define(ftr_recorder *rec, const char *name, const char *kind,
                             ftr_stream *stream)
{
    return ftr_stream_define_of(rec, NULL, name, kind, stream);
}

bool ftr_stream_name_is_recorded(const ftr_recorder *rec, const char *owner, const char *name)
{
    return rec != NULL && name != NULL && ftr_definitions_wants(&rec->definitions, owner, name);
}

bool ftr_stream_is_recorded(ftr_recorder *rec, ftr_stream stream)
{
    if (rec == NULL || ftr_recorder_dead_valve(rec))
        return false;
    uint32_t count = atomic_load_explicit(&rec->definitions.entity_count, memory_order_acquire);
    if (stream >= count)
        return false;
    uint32_t kind = ftr_definitions_entity(&rec->definitions, stream)->kind;
    return kind == FTR_ENTITY_STREAM || (kind & FTR_ENTITY_STREAM && ftr_buffer_of_kind(kind));
}

ftr_status ftr_generator_define(ftr_recorder *rec, ftr_stream stream, const char *name,
                                const ftr_attribute *attributes, size_t count,
                                ftr_generator *generator)
{
    return define(rec,
                  (definition){.call = "ftr_generator_define",
                               .kind = FTR_RECORD_GENERATOR,
                               .name = name,
                               .stream = stream,
                               .attributes = attributes,
                               .count = count},
                  generator);
}

ftr_status ftr_events_define_for(const char *call, ftr_recorder *rec, ftr_generator parents,
                                 const ftr_attribute *attributes, size_t count, bool may_differ,
                                 ftr_generator *events)
{
    ftr_status status = ftr_recorder_check(rec);
    const ftr_entity *of = NULL;
    if (status == FTR_OK) {
        of = ftr_generator_entity(rec, parents);
        status = of == NULL                         ? FTR_ERR_UNDEFINED
                 : count != 0 && attributes == NULL ? FTR_ERR_ARGUMENT
                                                    : FTR_OK;
    }
    if (status != FTR_OK)
        return ftr_recorder_misuse(
            rec, status, &(ftr_misuse){.call = call, .set = FTR_MISUSE_HANDLE, .handle = parents});
    size_t length = strlen(of->name);
    char *name = malloc(length + sizeof FTR_EVENTS_SUFFIX);
    ftr_attribute *declared =
        count < SIZE_MAX / sizeof *declared - 1 ? malloc((count + 1) * sizeof *declared) : NULL;
    status = FTR_ERR_MEMORY;
    if (name != NULL && declared != NULL) {
        memcpy(name, of->name, length);
        memcpy(name + length, FTR_EVENTS_SUFFIX, sizeof FTR_EVENTS_SUFFIX);
        declared[0] = (ftr_attribute){FTR_EVENT_NAME, FTR_TYPE_STRING, FTR_CLASS_BEGIN};
        for (size_t i = 0; i < count; i++)
            declared[i + 1] = attributes[i];
        status = define(rec,
                        (definition){.call = call,
                                     .kind = FTR_RECORD_GENERATOR,
                                     .name = name,
                                     .stream = of->stream,
                                     .attributes = declared,
                                     .count = count + 1,
                                     .parents = parents,
                                     .may_differ = may_differ},
                        events);
    }
    free(name);
    free(declared);
    return status;
}

ftr_status ftr_events_define(ftr_recorder *rec, ftr_generator generator,
                             const ftr_attribute *attributes, size_t count, ftr_generator *events)
{
    return ftr_events_define_for("ftr_events_define", rec, generator, attributes, count, false,
                                 events);
}

ftr_status ftr_relation_define(ftr_recorder *rec, const char *name, ftr_relation *relation)
{
    return define(
        rec,
        (definition){.call = "ftr_relation_define", .kind = FTR_RECORD_RELATION_NAME, .name = name},
        relation);
}

ftr_status ftr_text_define(ftr_recorder *rec, const char *text, size_t length, ftr_text *defined)
{
    return define(
        rec,
        (definition){
            .call = "ftr_text_define", .kind = FTR_RECORD_TEXT, .name = text, .length = length},
        defined);
}
