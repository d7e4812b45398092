/* Definitions of events, for the calls that record events. */
#ifndef FTR_DEFINITION_CALLS_H
#define FTR_DEFINITION_CALLS_H

#include "recorder_state.h"

/* Returns the entity of a generator, whether it is recorded or not; NULL if no generator has this
 * handle. */
static inline const ftr_entity *ftr_generator_entity(const ftr_recorder *rec,
                                                     ftr_generator generator)
{
    uint32_t count = __atomic_load_n(&rec->front.entity_count, __ATOMIC_ACQUIRE);
    const ftr_entity *entity = &rec->front.entities[generator < count ? generator : 0];
    return (entity->kind & FTR_ENTITY_KIND_MASK) == FTR_ENTITY_GENERATOR ? entity : NULL;
}

/* Returns the generator of the events of @p parents; 0 if it is not defined. */
static inline ftr_generator ftr_events_of(const ftr_recorder *rec, ftr_generator parents)
{
    return __atomic_load_n(&rec->front.entities[parents].events, __ATOMIC_ACQUIRE);
}

/* Like ftr_events_define(), but messages about an invalid call contain the function name @p call.
 * @p may_differ: events that are defined already may have other attributes. */
ftr_status ftr_events_define_for(const char *call, ftr_recorder *rec, ftr_generator parents,
                                 const ftr_attribute *attributes, size_t count, bool may_differ,
                                 ftr_generator *events);

#endif
