/* Admits, filters and drops transactions. Uses valves, generators and the window, but no lanes. */
#include "admission.h"

ftr_status ftr_admission_filter(ftr_recorder *rec, ftr_stream stream, ftr_tx *tx)
{
    atomic_fetch_add_explicit(&rec->counts.filtered, 1, memory_order_relaxed);
    if (tx != NULL)
        *tx = ftr_tx_of_nothing(stream);
    return FTR_OK;
}

static void raise_to(_Atomic uint64_t *maximum, uint64_t value)
{
    uint64_t now = atomic_load_explicit(maximum, memory_order_relaxed);
    while (now < value && !atomic_compare_exchange_weak(maximum, &now, value))
        continue;
}

void ftr_admission_count_refused(ftr_recorder *rec, uint64_t begin, uint64_t end)
{
    raise_to(&rec->counts.refused_begin, ~begin);
    raise_to(&rec->counts.refused_end, end);
    atomic_fetch_add(&rec->counts.refused, 1);
}

ftr_status ftr_admission_drop(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                              uint64_t end)
{
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return FTR_ERR_STATE;
    /* In a flight recorder, the cause is a full linear buffer, not a slow writer. */
    bool is_flight = rec->options.mode == FTR_MODE_FLIGHT;
    ftr_losses_add(&rec->losses, ftr_buffer_of_generator(rec, generator),
                   is_flight ? FTR_LOSS_FULL : FTR_LOSS_DROPPED, &(ftr_loss){1, begin, end});
    atomic_fetch_add_explicit(&rec->counts.dropped, 1, memory_order_relaxed);
    ftr_call_leave(&call);
    return FTR_OK;
}

/* Returns the entity of a generator that is recorded, in any buffer; NULL, with the status set, if
 * the generator is not recorded. */
static const ftr_entity *find_generator(ftr_admission *admission, ftr_generator generator,
                                        ftr_tx *tx)
{
    ftr_recorder *rec = admission->rec;
    uint32_t count = __atomic_load_n(&rec->front.entity_count, __ATOMIC_ACQUIRE);
    const ftr_entity *entity = &rec->front.entities[generator < count ? generator : 0];
    if (FTR_LIKELY(entity->kind == FTR_ENTITY_GENERATOR))
        return entity;
    bool is_generator = (entity->kind & FTR_ENTITY_KIND_MASK) == FTR_ENTITY_GENERATOR;
    if (is_generator && ftr_buffer_of_kind(entity->kind))
        return entity;
    admission->status =
        is_generator ? ftr_admission_filter(rec, entity->stream, tx) : FTR_ERR_UNDEFINED;
    return NULL;
}

/* Like ftr_admit(), but only for the trace `rec`, although the buffer may belong to another
 * trace. */
static bool admit_here(ftr_admission *admission, ftr_generator generator, uint64_t begin,
                       ftr_tx *tx)
{
    ftr_recorder *rec = admission->rec;
    uint32_t valve = ftr_recorder_valve(rec);
    if (valve & FTR_VALVE_DEAD) {
        admission->status = ftr_recorder_dead_status(rec, valve);
        if (valve & FTR_VALVE_FAILED)
            ftr_admission_count_refused(rec, begin, begin);
        return false;
    }
    bool is_late = valve && begin > ftr_recorder_stop(rec);
    if (is_late)
        atomic_store_explicit(&rec->flight.has_passed, true, memory_order_relaxed);
    admission->entity = find_generator(admission, generator, tx);
    if (admission->entity == NULL)
        return false; /* an unknown generator is an invalid call, even while nothing is recorded */
    if (is_late || valve & FTR_VALVE_OFF) {
        admission->status = ftr_admission_filter(rec, admission->entity->stream, tx);
        return false;
    }
    admission->buffer = ftr_buffer_of_kind(admission->entity->kind);
    return true;
}

bool ftr_admit(ftr_admission *admission, ftr_recorder *rec, ftr_generator generator, uint64_t begin,
               ftr_tx *tx)
{
    if (rec == NULL) {
        admission->status = FTR_ERR_ARGUMENT;
        return false;
    }
    do {
        admission->rec = rec;
        if (!admit_here(admission, generator, begin, tx))
            return false;
        rec = rec->buffers.at[admission->buffer].trace;
    } while (rec != admission->rec);
    return true;
}
