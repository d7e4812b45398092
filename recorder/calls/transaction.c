/* The calls that simulations make all the time, in full: what recorder_inline.h does for the usual
 * case and everything it leaves. They check, write a few words into a slot or a block, and return;
 * whatever takes longer is in lane.c. */
#include <ftr/detail/word_calls.h>

#include <assert.h>
#include <string.h>

#include "guarded_call.h"
#include "lane_supply.h"
#include "thread_lane.h"

#define UNLIKELY(condition) (!FTR_LIKELY(!(condition)))

#define NAME_LENGTH_MAX UINT16_MAX
/* Transactions a lane may leave out before it is tended. */
#define TEND_EVERY 256

static ftr_tx not_recorded_tx(ftr_stream stream)
{
    return (ftr_tx){.id = FTR_TX_NOT_RECORDED, .place = ftr_place(FTR_NO_SLOT, stream)};
}

static ftr_status filter(ftr_recorder *rec, ftr_tx *tx, ftr_stream stream)
{
    atomic_fetch_add_explicit(&rec->counts.filtered, 1, memory_order_relaxed);
    if (tx)
        *tx = not_recorded_tx(stream);
    return FTR_OK;
}

/* The entity of a generator that is recorded, in whatever buffer, or NULL and the answer. */
static inline const ftr_entity *find_generator(ftr_recorder *rec, ftr_generator generator,
                                               ftr_tx *tx, ftr_status *status)
{
    uint32_t count = __atomic_load_n(&rec->front.entity_count, __ATOMIC_ACQUIRE);
    if (FTR_LIKELY(generator < count)) {
        const ftr_entity *entity = &rec->front.entities[generator];
        if (FTR_LIKELY(entity->kind == FTR_ENTITY_GENERATOR))
            return entity;
        bool is_generator = (entity->kind & FTR_ENTITY_KIND_MASK) == FTR_ENTITY_GENERATOR;
        if (is_generator && ftr_buffer_of_kind(entity->kind))
            return entity;
        if (is_generator) {
            *status = filter(rec, tx, entity->stream);
            return NULL;
        }
    }
    *status = ftr_recorder_misuse(rec, FTR_ERR_UNDEFINED);
    return NULL;
}

/* What a gate that is not open means for a transaction that begins now: whether it may go on. */
static bool admit(ftr_recorder *rec, uint32_t gate, ftr_generator generator, uint64_t begin,
                  ftr_tx *tx, ftr_status *status)
{
    if (gate & FTR_GATE_DEAD) {
        *status = ftr_recorder_dead_status(rec, gate);
        if (gate & FTR_GATE_FAILED)
            atomic_fetch_add_explicit(&rec->counts.refused, 1, memory_order_relaxed);
        return false;
    }
    if (begin > atomic_load_explicit(&rec->window.stop, memory_order_relaxed))
        atomic_store_explicit(&rec->flight.has_passed, true, memory_order_relaxed);
    if (gate & FTR_GATE_OFF ||
        begin > atomic_load_explicit(&rec->window.stop, memory_order_relaxed)) {
        /* An unknown generator is a mistake whether or not this is recorded. */
        const ftr_entity *entity = find_generator(rec, generator, tx, status);
        if (entity)
            *status = filter(rec, tx, entity->stream);
        return false;
    }
    return true;
}

/* The recorder that has the transactions of a generator. */
static inline ftr_recorder *trace_of(ftr_recorder *rec, const ftr_entity *entity)
{
    return FTR_LIKELY(entity->kind == FTR_ENTITY_GENERATOR)
               ? rec
               : rec->buffers.at[ftr_buffer_of_kind(entity->kind)].trace;
}

/* What a slot notes of the buffer its transaction begins in. */
static inline uint32_t buffer_flags(const ftr_recorder *rec, const ftr_entity *entity)
{
    uint32_t number = ftr_buffer_of_kind(entity->kind);
    if (FTR_LIKELY(number == 0))
        return 0;
    return FTR_SLOT_BUFFERED | atomic_load(&rec->buffers.at[number].triggers)
                                   << FTR_SLOT_TRIGGERS_SHIFT;
}

/* The lane in which a transaction ends. A transaction that was open when its ring was triggered
 * goes to the file. */
static ftr_lane *lane_of_slot(ftr_recorder *rec, ftr_lane *lane, const ftr_slot *slot)
{
    if (FTR_LIKELY(!(slot->flags & FTR_SLOT_BUFFERED)))
        return lane;
    uint32_t number = ftr_buffer_of_generator(rec, slot->generator);
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    if (buffer->is_ring &&
        (uint16_t)atomic_load(&buffer->triggers) != slot->flags >> FTR_SLOT_TRIGGERS_SHIFT)
        number = 0;
    if (++lane->ends_without_block % TEND_EVERY == 0)
        ftr_lane_tend(lane);
    return ftr_lane_of_buffer(lane, number);
}

/* Whether a transaction that ends at @p end is over before recording starts. */
static bool is_before_window(ftr_recorder *rec, uint64_t end)
{
    return end < atomic_load_explicit(&rec->window.start, memory_order_relaxed);
}

/* The next id. A lane that has no block yet may have no ids either. */
static ftr_status take_id(ftr_lane *lane, uint64_t *id)
{
    if (UNLIKELY(lane->front->next_id == lane->id_limit)) {
        ftr_status status = ftr_lane_take_slots(lane);
        if (status != FTR_OK)
            return status;
    }
    *id = lane->front->next_id++;
    return FTR_OK;
}

/* ---- begin and end ----------------------------------------------------------------------------
 */

ftr_status ftr_tx_begin(ftr_recorder *rec, ftr_generator generator, uint64_t begin, ftr_tx *tx)
{
    if (UNLIKELY(!tx))
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    *tx = (ftr_tx){0};
    if (UNLIKELY(!rec))
        return FTR_ERR_ARGUMENT;
    ftr_status status = FTR_OK;
    uint32_t gate = ftr_recorder_gate(rec);
    if (UNLIKELY(gate) && !admit(rec, gate, generator, begin, tx, &status))
        return status;
    const ftr_entity *entity = find_generator(rec, generator, tx, &status);
    if (UNLIKELY(!entity))
        return status;
    if (UNLIKELY(trace_of(rec, entity) != rec))
        return ftr_tx_begin(trace_of(rec, entity), generator, begin, tx);
    ftr_lane *lane = ftr_thread_lane(rec);
    if (UNLIKELY(!lane || !ftr_lane_of_buffer(lane, ftr_buffer_of_kind(entity->kind))))
        return FTR_ERR_MEMORY;
    ftr_lane_front *front = lane->front;
    if (UNLIKELY(!front->free_slot)) {
        status = ftr_lane_take_slots(lane);
        if (status != FTR_OK)
            return status == FTR_ERR_LIMIT ? ftr_recorder_misuse(rec, status) : status;
    }
    ftr_slot *slot = front->free_slot;
    assert(slot);
    front->free_slot = slot->next_free;
    uint64_t id = front->next_id++;
    ftr_slot_start(slot, generator, entity, id, begin,
                   buffer_flags(rec, entity) | (gate ? FTR_SLOT_WINDOWED : 0), tx);
    return FTR_OK;
}

static ftr_slot *find_slot_elsewhere(ftr_recorder **of, ftr_tx tx, ftr_status *status);

/* The slot of an open transaction, or NULL and the answer. @p of becomes the recorder that the
 * transaction is in. */
static inline ftr_slot *find_slot(ftr_recorder **of, ftr_tx tx, ftr_status *status)
{
    ftr_recorder *rec = *of;
    if (!rec) {
        *status = FTR_ERR_ARGUMENT;
        return NULL;
    }
    ftr_slot *slot = ftr_slot_of(rec, tx);
    uint32_t gate = ftr_recorder_gate(rec);
    if (FTR_LIKELY(!(gate & FTR_GATE_DEAD) && ftr_slot_holds(slot, tx)))
        return slot;
    return find_slot_elsewhere(of, tx, status);
}

/* The same for a handle that the recorder itself does not know. */
static ftr_slot *find_slot_elsewhere(ftr_recorder **of, ftr_tx tx, ftr_status *status)
{
    ftr_recorder *rec = *of;
    uint32_t gate = ftr_recorder_gate(rec);
    *of = ftr_recorder_trace_of(rec, tx);
    if (*of != rec && !(gate & FTR_GATE_DEAD))
        return find_slot(of, tx, status);
    if (gate & FTR_GATE_DEAD)
        *status = ftr_recorder_dead_status(rec, gate);
    else
        *status =
            ftr_tx_is_not_recorded(tx) ? FTR_OK : ftr_recorder_misuse(rec, FTR_ERR_UNKNOWN_TX);
    return NULL;
}

/* Frees a slot into the lane's stock. */
static void free_slot(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot)
{
    __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
    ftr_guarded_call call;
    if (UNLIKELY(slot->flags & FTR_SLOT_LARGE) && ftr_call_enter(&call, rec, FTR_CALL_LOCKS)) {
        pthread_mutex_lock(&rec->lock);
        ftr_slot_shrink(&rec->open, slot);
        pthread_mutex_unlock(&rec->lock);
        ftr_call_leave(&call);
    }
    slot->next_free = lane->front->free_slot;
    lane->front->free_slot = slot;
}

/* A transaction that ends without being recorded. */
static ftr_status discard(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot,
                          _Atomic uint64_t *counter)
{
    /* Before the slot is free: whoever sees it free may rely on the id being listed. */
    ftr_discarded_ids_add(&rec->discarded_ids, slot->id);
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
    free_slot(rec, lane, slot);
    if (++lane->ends_without_block % TEND_EVERY == 0)
        ftr_lane_tend(lane);
    return FTR_OK;
}

/* Why there is no block: a flight recorder waits for no writer. */
static ftr_loss_cause drop_cause(const ftr_recorder *rec)
{
    return rec->options.mode == FTR_MODE_FLIGHT ? FTR_LOSS_FULL : FTR_LOSS_DROPPED;
}

/* A transaction that ends while there is no block for it. */
static ftr_status drop(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot, uint64_t end)
{
    uint32_t number = ftr_buffer_of_generator(rec, slot->generator);
    ftr_losses_add(&rec->losses, number, drop_cause(rec), &(ftr_loss){1, slot->begin, end});
    return discard(rec, lane, slot, &rec->counts.dropped);
}

ftr_status ftr_tx_end(ftr_recorder *rec, ftr_tx tx, uint64_t end)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(&rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    if (UNLIKELY(end < slot->begin))
        return ftr_recorder_misuse(rec, FTR_ERR_ORDER);
    ftr_lane *lane = ftr_thread_lane(rec);
    if (UNLIKELY(!lane))
        return FTR_ERR_MEMORY;
    if (UNLIKELY(slot->flags & FTR_SLOT_WINDOWED) && is_before_window(rec, end))
        return discard(rec, lane, slot, &rec->counts.filtered);
    ftr_lane *into = lane_of_slot(rec, lane, slot);
    if (UNLIKELY(!into))
        return FTR_ERR_MEMORY;
    size_t size = FTR_RECORD_HEADER_SIZE + slot->fill;
    uint8_t *to = ftr_lane_reserve(into, size, &status);
    if (UNLIKELY(!to))
        return status == FTR_LANE_DROPS ? drop(rec, lane, slot, end) : status;
    ftr_slot_copy(slot, slot->fill, end, to);
    ((ftr_stored_tx *)to)->kind = FTR_RECORD_TX;
    ftr_lane_commit(into, size);
    free_slot(rec, lane, slot);
    return FTR_OK;
}

/* ---- attributes -------------------------------------------------------------------------------
 */

static __attribute__((noinline)) ftr_status grow_slot(ftr_recorder *rec, ftr_slot *slot,
                                                      size_t needed)
{
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    pthread_mutex_lock(&rec->lock);
    ftr_status status = ftr_slot_grow(&rec->open, slot, needed);
    pthread_mutex_unlock(&rec->lock);
    ftr_call_leave(&call);
    return status == FTR_ERR_LIMIT ? ftr_recorder_misuse(rec, status) : status;
}

/* Room for one more item of @p size bytes at the end of the slot's, or NULL and why. */
static inline ftr_item *reserve_item(ftr_recorder *rec, ftr_slot *slot, size_t size,
                                     ftr_status *status)
{
    if (UNLIKELY(slot->fill + size > slot->capacity)) {
        *status = grow_slot(rec, slot, slot->fill + size);
        if (*status != FTR_OK)
            return NULL;
    }
    return (ftr_item *)(slot->items + slot->fill);
}

static inline void set_item(ftr_item *item, uint64_t head, uint64_t value)
{
    memcpy(item, &head, sizeof head);
    item->value = value;
}

static inline uint64_t head_of(const ftr_declared_attribute *declared)
{
    uint64_t head;
    memcpy(&head, declared, sizeof head);
    return head;
}

/* The declaration of attribute @p number of the slot's generator if its values have @p form. */
static inline const ftr_declared_attribute *find_attribute(ftr_recorder *rec, const ftr_slot *slot,
                                                           unsigned number, unsigned form,
                                                           ftr_status *status)
{
    if (UNLIKELY(number >= slot->attributes.count)) {
        *status = ftr_recorder_misuse(rec, FTR_ERR_ATTRIBUTE);
        return NULL;
    }
    const ftr_declared_attribute *attribute = &slot->attributes.at[number];
    if (UNLIKELY(attribute->form != form)) {
        *status = ftr_recorder_misuse(rec, FTR_ERR_TYPE);
        return NULL;
    }
    return attribute;
}

static inline ftr_status put_word(ftr_recorder *rec, ftr_tx tx, unsigned number, unsigned form,
                                  uint64_t value)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(&rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    const ftr_declared_attribute *attribute = find_attribute(rec, slot, number, form, &status);
    if (UNLIKELY(!attribute))
        return status;
    ftr_item *item = reserve_item(rec, slot, sizeof *item, &status);
    if (UNLIKELY(!item))
        return status;
    set_item(item, head_of(attribute), value);
    ftr_slot_commit(slot, sizeof *item);
    return FTR_OK;
}

ftr_status ftr_tx_put_bool(ftr_recorder *rec, ftr_tx tx, unsigned attribute, bool value)
{
    return put_word(rec, tx, attribute, FTR_ITEM_FORM_BOOLEAN, value);
}

ftr_status ftr_tx_put_int(ftr_recorder *rec, ftr_tx tx, unsigned attribute, int64_t value)
{
    return put_word(rec, tx, attribute, FTR_ITEM_FORM_INTEGER, (uint64_t)value);
}

ftr_status ftr_tx_put_number(ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t value)
{
    return put_word(rec, tx, attribute, FTR_ITEM_FORM_NUMBER, value);
}

ftr_status ftr_tx_put_real(ftr_recorder *rec, ftr_tx tx, unsigned attribute, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_word(rec, tx, attribute, FTR_ITEM_FORM_REAL, bits);
}

ftr_status ftr_tx_put_text(ftr_recorder *rec, ftr_tx tx, unsigned attribute, const char *text,
                           size_t length)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(&rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    const ftr_declared_attribute *declared =
        find_attribute(rec, slot, attribute, FTR_ITEM_FORM_TEXT, &status);
    if (UNLIKELY(!declared))
        return status;
    if (UNLIKELY(!text))
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    if (length == FTR_NUL_TERMINATED)
        length = strlen(text);
    if (UNLIKELY(length > FTR_TEXT_SIZE_MAX))
        return ftr_recorder_misuse(rec, FTR_ERR_LIMIT);
    size_t size = sizeof(ftr_item) + ftr_item_pad(length);
    ftr_item *item = reserve_item(rec, slot, size, &status);
    if (UNLIKELY(!item))
        return status;
    set_item(item, head_of(declared), length);
    memcpy(item + 1, text, length);
    ftr_slot_commit(slot, size);
    return FTR_OK;
}

static inline bool is_defined_text(ftr_recorder *rec, ftr_text text)
{
    return text != 0 &&
           text < atomic_load_explicit(&rec->definitions.text_count, memory_order_acquire);
}

/* The head of an item whose text is a defined one. */
static inline uint64_t defined_head(uint64_t head)
{
    return head ^ (uint64_t)(FTR_ITEM_FORM_TEXT ^ FTR_ITEM_FORM_DEFINED) << 40;
}

ftr_status ftr_tx_put_defined(ftr_recorder *rec, ftr_tx tx, unsigned attribute, ftr_text text)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(&rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    const ftr_declared_attribute *declared =
        find_attribute(rec, slot, attribute, FTR_ITEM_FORM_TEXT, &status);
    if (UNLIKELY(!declared))
        return status;
    if (UNLIKELY(!is_defined_text(rec, text)))
        return ftr_recorder_misuse(rec, FTR_ERR_UNDEFINED);
    ftr_item *item = reserve_item(rec, slot, sizeof *item, &status);
    if (UNLIKELY(!item))
        return status;
    set_item(item, defined_head(head_of(declared)), text);
    ftr_slot_commit(slot, sizeof *item);
    return FTR_OK;
}

ftr_status ftr_tx_put_word(ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t word)
{
    ftr_status status = FTR_OK;
    const ftr_slot *slot = find_slot(&rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    if (UNLIKELY(attribute >= slot->attributes.count))
        return ftr_recorder_misuse(rec, FTR_ERR_ATTRIBUTE);
    unsigned form = slot->attributes.at[attribute].form;
    return form == FTR_ITEM_FORM_TEXT
               ? ftr_tx_put_defined(rec, tx, attribute, word <= UINT32_MAX ? (ftr_text)word : 0)
               : put_word(rec, tx, attribute, form, word);
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* A value checked and brought into the form of an item. */
typedef struct shaped_value {
    unsigned form;
    uint64_t word;    /* the item's value */
    const char *text; /* NULL: none in place */
} shaped_value;

static ftr_status shape_text(ftr_recorder *rec, const ftr_value *value, shaped_value *shaped)
{
    if (value->defined) {
        shaped->form = FTR_ITEM_FORM_DEFINED;
        shaped->word = value->defined;
        return is_defined_text(rec, value->defined) ? FTR_OK
                                                    : ftr_recorder_misuse(rec, FTR_ERR_UNDEFINED);
    }
    shaped->text = value->as.text;
    if (UNLIKELY(!shaped->text))
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    shaped->word =
        value->text_length == FTR_NUL_TERMINATED ? strlen(shaped->text) : value->text_length;
    return shaped->word > FTR_TEXT_SIZE_MAX ? ftr_recorder_misuse(rec, FTR_ERR_LIMIT) : FTR_OK;
}

static inline ftr_status shape(ftr_recorder *rec, const ftr_value *value, unsigned form,
                               shaped_value *shaped)
{
    *shaped = (shaped_value){.form = form, .word = value->as.number};
    if (form == FTR_ITEM_FORM_BOOLEAN)
        shaped->word = value->as.boolean;
    return form == FTR_ITEM_FORM_TEXT ? shape_text(rec, value, shaped) : FTR_OK;
}

ftr_status ftr_tx_put_named(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                            const char *name, const ftr_value *value)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(&rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    if (UNLIKELY(!name || !*name || !value || (unsigned)class_ > FTR_CLASS_END ||
                 (unsigned)value->type > FTR_TYPE_TIME))
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    size_t name_length = strlen(name);
    if (UNLIKELY(name_length > NAME_LENGTH_MAX))
        return ftr_recorder_misuse(rec, FTR_ERR_LIMIT);
    shaped_value shaped;
    status = shape(rec, value, ftr_form_of(value->type), &shaped);
    if (UNLIKELY(status != FTR_OK))
        return status;
    size_t name_size = ftr_item_pad(name_length);
    size_t size = sizeof(ftr_item) + name_size + (shaped.text ? ftr_item_pad(shaped.word) : 0);
    ftr_item *item = reserve_item(rec, slot, size, &status);
    if (UNLIKELY(!item))
        return status;
    uint64_t head = ftr_item_head(FTR_ITEM_NAMED, (uint8_t)value->type,
                                  (uint8_t)(shaped.form | (unsigned)class_ << 4));
    set_item(item, head | (uint64_t)name_length << 48, shaped.word);
    memcpy(item + 1, name, name_length);
    if (shaped.text)
        memcpy((uint8_t *)(item + 1) + name_size, shaped.text, shaped.word);
    ftr_slot_commit(slot, size);
    return FTR_OK;
}

/* ---- whole transactions -----------------------------------------------------------------------
 */

/* Writes one item, or as much as there is room for, and tells what it takes. */
static inline ftr_status write_value(ftr_recorder *rec, const ftr_declared_attribute *declared,
                                     const ftr_value *value, uint8_t *to, size_t room, size_t *size)
{
    if (UNLIKELY((uint8_t)value->type != declared->type))
        return ftr_recorder_misuse(rec, FTR_ERR_TYPE);
    shaped_value shaped;
    ftr_status status = shape(rec, value, declared->form, &shaped);
    if (UNLIKELY(status != FTR_OK))
        return status;
    *size = sizeof(ftr_item) + (shaped.text ? ftr_item_pad(shaped.word) : 0);
    if (UNLIKELY(*size > room))
        return FTR_OK;
    uint64_t head = head_of(declared);
    set_item((ftr_item *)to, shaped.form == FTR_ITEM_FORM_DEFINED ? defined_head(head) : head,
             shaped.word);
    if (shaped.text)
        memcpy(to + sizeof(ftr_item), shaped.text, shaped.word);
    return FTR_OK;
}

/* Writes the items of all values to @p to; tells how many bytes they take, and stops writing when
 * that is more than there is room for. */
static ftr_status write_values(ftr_recorder *rec, const ftr_entity *entity, const ftr_value *values,
                               size_t count, uint8_t *to, size_t room, size_t *total)
{
    *total = 0;
    for (size_t i = 0; i < count; ++i) {
        size_t size = 0;
        ftr_status status = write_value(rec, &entity->attributes.at[i], &values[i], to + *total,
                                        *total < room ? room - *total : 0, &size);
        if (UNLIKELY(status != FTR_OK))
            return status;
        *total += size;
    }
    return *total > FTR_TEXT_SIZE_MAX ? ftr_recorder_misuse(rec, FTR_ERR_LIMIT) : FTR_OK;
}

/* Room for a whole transaction with its items already written. NULL and FTR_LANE_DROPS: dropped. */
static uint8_t *write_transaction(ftr_recorder *rec, ftr_lane *lane, const ftr_entity *entity,
                                  const ftr_value *values, size_t count, size_t *items_size,
                                  ftr_status *status)
{
    for (size_t room = 0;; room = *items_size) {
        uint8_t *to = ftr_lane_reserve(lane, FTR_RECORD_HEADER_SIZE + room, status);
        if (UNLIKELY(!to))
            return NULL;
        const ftr_lane_front *front = lane->front;
        room = front->block_limit - front->block->committed - FTR_RECORD_HEADER_SIZE;
        *status =
            write_values(rec, entity, values, count, to + FTR_RECORD_HEADER_SIZE, room, items_size);
        if (UNLIKELY(*status != FTR_OK))
            return NULL;
        if (FTR_LIKELY(*items_size <= room))
            return to;
    }
}

/* A whole transaction was not written, and why: with FTR_ERR_LIMIT it is dropped. */
__attribute__((noinline, cold)) static ftr_status drop_whole(ftr_recorder *rec,
                                                             const ftr_entity *entity,
                                                             uint64_t begin, uint64_t end,
                                                             ftr_status status, ftr_tx *tx)
{
    if (status != FTR_LANE_DROPS) {
        /* It came when the recorder failed: by itself, if nobody else writes. */
        if (ftr_recorder_gate(rec) & FTR_GATE_FAILED)
            atomic_fetch_add_explicit(&rec->counts.refused, 1, memory_order_relaxed);
        return status;
    }
    ftr_losses_add(&rec->losses, ftr_buffer_of_kind(entity->kind), drop_cause(rec),
                   &(ftr_loss){1, begin, end});
    atomic_fetch_add_explicit(&rec->counts.dropped, 1, memory_order_relaxed);
    if (tx)
        *tx = not_recorded_tx(entity->stream);
    return FTR_OK;
}

/* Whether recording takes a whole transaction; if not, @p status is the answer. */
static bool admit_whole(ftr_recorder *rec, const ftr_entity *entity, uint64_t begin, uint64_t end,
                        const ftr_value *values, size_t count, ftr_tx *tx, ftr_status *status)
{
    if (UNLIKELY(end < begin))
        *status = ftr_recorder_misuse(rec, FTR_ERR_ORDER);
    else if (UNLIKELY(count > entity->attributes.count))
        *status = ftr_recorder_misuse(rec, FTR_ERR_ATTRIBUTE);
    else if (UNLIKELY(count && !values))
        *status = ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    else if (UNLIKELY(ftr_recorder_gate(rec)) && is_before_window(rec, end))
        *status = filter(rec, tx, entity->stream);
    else
        return true;
    return false;
}

static inline ftr_stored_tx head_of_whole(ftr_generator generator, uint64_t id, uint64_t begin,
                                          uint64_t end, size_t items_size)
{
    return (ftr_stored_tx){.id = id,
                           .begin = begin,
                           .items_size = (uint32_t)items_size,
                           .generator = generator,
                           .kind = FTR_RECORD_TX,
                           .end = end};
}

/* Completes a transaction whose items have been written behind its head at @p to. */
static inline void commit_whole(ftr_recorder *rec, ftr_lane *into, uint8_t *to,
                                const ftr_stored_tx *head, ftr_tx *tx)
{
    *(ftr_stored_tx *)to = *head;
    ftr_lane_commit(into, FTR_RECORD_HEADER_SIZE + head->items_size);
    if (tx) /* no slot holds this id */
        *tx = (ftr_tx){head->id,
                       ftr_place(rec->open.slot_tag, rec->front.entities[head->generator].stream)};
}

ftr_status ftr_tx_record(ftr_recorder *rec, ftr_generator generator, uint64_t begin, uint64_t end,
                         const ftr_value *values, size_t count, ftr_tx *tx)
{
    if (UNLIKELY(!rec))
        return FTR_ERR_ARGUMENT;
    ftr_status status = FTR_OK;
    uint32_t gate = ftr_recorder_gate(rec);
    if (UNLIKELY(gate) && !admit(rec, gate, generator, begin, tx, &status))
        return status;
    const ftr_entity *entity = find_generator(rec, generator, tx, &status);
    if (UNLIKELY(entity && trace_of(rec, entity) != rec))
        return ftr_tx_record(trace_of(rec, entity), generator, begin, end, values, count, tx);
    if (UNLIKELY(!entity) || !admit_whole(rec, entity, begin, end, values, count, tx, &status))
        return status;
    ftr_lane *lane = ftr_thread_lane(rec);
    ftr_lane *into = lane ? ftr_lane_of_buffer(lane, ftr_buffer_of_kind(entity->kind)) : NULL;
    if (UNLIKELY(!into))
        return FTR_ERR_MEMORY;
    size_t items_size;
    uint64_t id;
    status = take_id(lane, &id);
    if (UNLIKELY(status != FTR_OK))
        return status;
    uint8_t *to = write_transaction(rec, into, entity, values, count, &items_size, &status);
    if (UNLIKELY(!to))
        return drop_whole(rec, entity, begin, end, status, tx);
    const ftr_stored_tx head = head_of_whole(generator, id, begin, end, items_size);
    commit_whole(rec, into, to, &head, tx);
    return FTR_OK;
}

ftr_status ftr_tx_record_words(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                               uint64_t end, const uint64_t *words, size_t count, ftr_tx *tx)
{
    if (UNLIKELY(!rec || !words))
        return FTR_ERR_ARGUMENT;
    ftr_status status = FTR_OK;
    uint32_t gate = ftr_recorder_gate(rec);
    if (UNLIKELY(gate) && !admit(rec, gate, generator, begin, tx, &status))
        return status;
    const ftr_entity *entity = find_generator(rec, generator, tx, &status);
    if (UNLIKELY(entity && trace_of(rec, entity) != rec))
        return ftr_tx_record_words(trace_of(rec, entity), generator, begin, end, words, count, tx);
    if (UNLIKELY(!entity) || !admit_whole(rec, entity, begin, end, NULL, 0, tx, &status))
        return status;
    if (UNLIKELY(count > entity->attributes.count))
        return ftr_recorder_misuse(rec, FTR_ERR_ATTRIBUTE);
    ftr_lane *lane = ftr_thread_lane(rec);
    ftr_lane *into = lane ? ftr_lane_of_buffer(lane, ftr_buffer_of_kind(entity->kind)) : NULL;
    if (UNLIKELY(!into))
        return FTR_ERR_MEMORY;
    size_t items_size = ftr_words_size(count);
    uint8_t *to = ftr_lane_reserve(into, FTR_RECORD_HEADER_SIZE + items_size, &status);
    if (UNLIKELY(!to))
        return drop_whole(rec, entity, begin, end, status, tx);
    uint64_t id;
    status = take_id(lane, &id);
    if (UNLIKELY(status != FTR_OK))
        return status;
    ftr_words_write(entity->attributes.first, words, count, to + FTR_RECORD_HEADER_SIZE);
    const ftr_stored_tx head = head_of_whole(generator, id, begin, end, items_size);
    commit_whole(rec, into, to, &head, tx);
    return FTR_OK;
}

ftr_status ftr_tx_begin_words(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                              const uint64_t *words, size_t count, ftr_tx *tx)
{
    if (UNLIKELY(!words && count))
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    ftr_status status = ftr_tx_begin(rec, generator, begin, tx);
    if (status != FTR_OK || ftr_tx_is_not_recorded(*tx))
        return status;
    rec = trace_of(rec, &rec->front.entities[generator]);
    const ftr_entity *entity = &rec->front.entities[generator];
    ftr_slot *slot = ftr_slot_of(rec, *tx);
    size_t size = ftr_words_size(count);
    ftr_item *items = NULL;
    if (UNLIKELY(count > entity->attributes.count))
        status = ftr_recorder_misuse(rec, FTR_ERR_ATTRIBUTE);
    else
        items = reserve_item(rec, slot, size, &status);
    if (UNLIKELY(!items)) {
        *tx = (ftr_tx){0};
        free_slot(rec, ftr_thread_lane(rec), slot);
        return status;
    }
    ftr_words_write(entity->attributes.first, words, count, (uint8_t *)items);
    ftr_slot_commit(slot, size);
    return FTR_OK;
}
