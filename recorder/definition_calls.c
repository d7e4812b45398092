/* The public calls that define: they check the recorder's state, take its lock and pass on. */
#include "recorder_state.h"

static ftr_status answer(ftr_recorder *rec, ftr_status status)
{
    if (status >= FTR_ERR_ARGUMENT && status <= FTR_ERR_LIMIT && status != FTR_ERR_MEMORY)
        atomic_fetch_add_explicit(&rec->misuses, 1, memory_order_relaxed);
    return status;
}

/* Takes the lock of a recorder that can still be added to. */
static ftr_status enter(ftr_recorder *rec, const void *result)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    uint32_t gate = ftr_recorder_gate(rec) & FTR_GATE_DEAD;
    if (gate)
        return ftr_recorder_dead_status(rec, gate);
    if (!result)
        return answer(rec, FTR_ERR_ARGUMENT);
    pthread_mutex_lock(&rec->lock);
    return FTR_OK;
}

static ftr_status leave(ftr_recorder *rec, ftr_status status)
{
    ftr_recorder_show_definitions(rec);
    pthread_mutex_unlock(&rec->lock);
    return answer(rec, status);
}

ftr_status ftr_stream_define(ftr_recorder *rec, const char *name, const char *kind,
                             ftr_stream *stream)
{
    ftr_status status = enter(rec, stream);
    if (status != FTR_OK)
        return status;
    return leave(rec, ftr_definitions_add_stream(&rec->definitions, name, kind, stream));
}

bool ftr_stream_is_recorded(ftr_recorder *rec, ftr_stream stream)
{
    if (!rec || ftr_recorder_gate(rec) & FTR_GATE_DEAD)
        return false;
    uint32_t count = atomic_load_explicit(&rec->definitions.entity_count, memory_order_acquire);
    return stream < count &&
           ftr_definitions_entity(&rec->definitions, stream)->kind == FTR_ENTITY_STREAM;
}

ftr_status ftr_generator_define(ftr_recorder *rec, ftr_stream stream, const char *name,
                                const ftr_attribute *attributes, size_t count,
                                ftr_generator *generator)
{
    ftr_status status = enter(rec, generator);
    if (status != FTR_OK)
        return status;
    return leave(rec, ftr_definitions_add_generator(&rec->definitions, stream, name, attributes,
                                                    count, generator));
}

ftr_status ftr_relation_define(ftr_recorder *rec, const char *name, ftr_relation *relation)
{
    ftr_status status = enter(rec, relation);
    if (status != FTR_OK)
        return status;
    return leave(rec, ftr_definitions_add_relation(&rec->definitions, name, relation));
}

ftr_status ftr_text_define(ftr_recorder *rec, const char *text, size_t length, ftr_text *defined)
{
    ftr_status status = enter(rec, defined);
    if (status != FTR_OK)
        return status;
    return leave(rec, ftr_definitions_add_text(&rec->definitions, text, length, defined));
}
