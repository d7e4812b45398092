/* The full versions of the frequent calls of a simulation, with all checks. Some of them first try
 * the fast path of the inline call, and then find out why the fast path did not apply. Slow cases
 * (a full block, a large transaction) are in lane_supply.c and open_transactions.c. */
#include <ftr/detail/word_calls.h>

#include <assert.h>
#include <string.h>

#include "admission.h"
#include "item_value.h"
#include "lane_supply.h"
#include "misuse.h"
#include "thread_lane.h"
#include "time_window.h"

/* ftr_lane_tend() is called each time this number of transactions has ended without a record in the
 * lane. */
#define TEND_EVERY 256

/* A lane that has got the slots of other threads' transactions, but has not recorded yet, has no
 * ids: without new ones, its next transaction would get an id that is already in use. */
static void tend(ftr_lane *lane)
{
    if (++lane->ends_without_block % TEND_EVERY == 0 || ftr_lane_has_few_ids(lane))
        ftr_lane_tend(lane);
}

/* ---- begin and end ----------------------------------------------------------------------------
 */

/* Returns the flags of the slot for a transaction in a buffer. */
static uint32_t buffer_flags(const ftr_admission *admission)
{
    if (FTR_LIKELY(admission->buffer == 0))
        return 0;
    const ftr_buffer_entry *buffer = &admission->rec->buffers.at[admission->buffer];
    return FTR_SLOT_BUFFERED | atomic_load(&buffer->triggers) << FTR_SLOT_TRIGGERS_SHIFT;
}

static inline ftr_status begin_tx(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                                  ftr_tx *tx)
{
    ftr_admission a;
    if (tx == NULL)
        return FTR_ERR_ARGUMENT;
    *tx = (ftr_tx){0};
    if (!ftr_admit(&a, rec, generator, begin, tx))
        return a.status;
    ftr_lane *lane = ftr_thread_lane(a.rec);
    if (lane == NULL || ftr_lane_of_buffer(lane, a.buffer) == NULL)
        return FTR_ERR_MEMORY;
    ftr_lane_front *front = lane->front;
    if (front->free_slot == NULL) {
        ftr_status status = ftr_lane_take_slots(lane);
        if (status != FTR_OK)
            return status;
    }
    ftr_slot *slot = front->free_slot;
    assert(slot != NULL);
    front->free_slot = slot->next_free;
    uint64_t id = front->next_id++;
    ftr_slot_start(slot, generator, ftr_place(slot->handle, a.entity->stream), a.entity, id, begin,
                   buffer_flags(&a), tx);
    return FTR_OK;
}

ftr_status ftr_tx_begin(ftr_recorder *rec, ftr_generator generator, uint64_t begin, ftr_tx *tx)
{
    ftr_status status = begin_tx(rec, generator, begin, tx);
    return FTR_LIKELY(status == FTR_OK)
               ? FTR_OK
               : ftr_recorder_misuse(rec, status,
                                     &(ftr_misuse){.call = "ftr_tx_begin",
                                                   .set = FTR_MISUSE_HANDLE,
                                                   .handle = generator});
}

/* Returns whether @p tx is not recorded and the recorder can record: the call then has no effect,
 * and returns FTR_OK. */
static inline bool is_skipped(const ftr_recorder *rec, ftr_tx tx)
{
    return ftr_tx_is_not_recorded(tx) && rec != NULL && !ftr_recorder_dead_valve(rec);
}

/* Returns the slot of an open transaction, and sets @p rec to the trace that contains it. Returns
 * NULL if the transaction is not open, and then sets @p status to the error. */
static ftr_slot *find_slot(ftr_recorder **rec, ftr_tx tx, ftr_status *status)
{
    if (*rec == NULL) {
        *status = FTR_ERR_ARGUMENT;
        return NULL;
    }
    uint32_t valve = ftr_recorder_dead_valve(*rec);
    if (!valve) {
        *rec = ftr_recorder_trace_of(*rec, tx);
        valve = ftr_recorder_dead_valve(*rec);
    }
    ftr_slot *slot = ftr_slot_of(*rec, tx);
    if (FTR_LIKELY(!valve && ftr_slot_holds(slot, tx)))
        return slot;
    *status = valve ? ftr_recorder_dead_status(*rec, valve) : FTR_ERR_UNKNOWN_TX;
    return NULL;
}

/* Frees a slot and adds it to the lane's stock. */
static void free_slot(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot)
{
    __atomic_store_n(&slot->id, FTR_SLOT_FREE, __ATOMIC_RELEASE);
    if (slot->flags & FTR_SLOT_LARGE)
        ftr_lane_shrink_slot(rec, slot);
    slot->next_free = lane->front->free_slot;
    lane->front->free_slot = slot;
}

/* Frees the slot of a transaction that ends and is not recorded. Returns FTR_OK, or FTR_ERR_STATE
 * if the caller is a signal handler that has interrupted a guarded call. */
static ftr_status discard(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot)
{
    ftr_status status = ftr_discard_id(rec, slot->id);
    if (status != FTR_OK)
        return status;
    free_slot(rec, lane, slot);
    tend(lane);
    return FTR_OK;
}

/* Discards a transaction that ends before the window. */
static ftr_status filter(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot)
{
    ftr_status status = discard(rec, lane, slot);
    if (status != FTR_OK)
        return status;
    if (lane->front == &rec->front.lane && rec->front.window.discards_left < 0) {
        /* the inline call has already counted this transaction */
        ftr_recorder_allow_discards(rec);
        ftr_lane_tend(lane);
    } else {
        atomic_fetch_add_explicit(&rec->counts.filtered, 1, memory_order_relaxed);
    }
    return FTR_OK;
}

/* Returns the lane in which a transaction ends. A transaction that was open when its ring was
 * triggered ends in the main buffer, so that it is written to the file. */
static ftr_lane *lane_of_slot(ftr_recorder *rec, ftr_lane *lane, const ftr_slot *slot)
{
    if (FTR_LIKELY(!(slot->flags & FTR_SLOT_BUFFERED)))
        return lane;
    uint32_t number = ftr_buffer_of_generator(rec, slot->generator);
    const ftr_buffer_entry *buffer = &rec->buffers.at[number];
    tend(lane);
    bool was_triggered = buffer->is_ring && (uint16_t)atomic_load(&buffer->triggers) !=
                                                slot->flags >> FTR_SLOT_TRIGGERS_SHIFT;
    return ftr_lane_of_buffer(lane, was_triggered ? 0 : number);
}

static inline ftr_status end_tx(ftr_recorder *rec, ftr_tx tx, uint64_t end)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(&rec, tx, &status);
    if (slot == NULL)
        return status;
    if (end < slot->begin)
        return FTR_ERR_ORDER;
    ftr_lane *lane = ftr_thread_lane(rec);
    if (lane == NULL)
        return FTR_ERR_MEMORY;
    if (ftr_is_before_window(rec, end))
        return filter(rec, lane, slot);
    ftr_lane *into = lane_of_slot(rec, lane, slot);
    if (into == NULL)
        return FTR_ERR_MEMORY;
    size_t size = FTR_RECORD_HEADER_SIZE + slot->fill;
    uint8_t *to = ftr_lane_reserve(into, size, &status);
    if (to == NULL && status == FTR_LANE_DROPS) {
        status = ftr_admission_drop(rec, slot->generator, slot->begin, end);
        return status == FTR_OK ? discard(rec, lane, slot) : status;
    }
    if (to == NULL)
        return status;
    status = ftr_keep_id(lane, slot->id, slot->begin);
    if (status != FTR_OK)
        return status;
    ftr_slot_copy(slot, slot->fill, end, to);
    ((ftr_stored_tx *)to)->kind = FTR_RECORD_TX;
    ftr_lane_commit(into, size);
    free_slot(rec, lane, slot);
    return FTR_OK;
}

ftr_status ftr_tx_end(ftr_recorder *rec, ftr_tx tx, uint64_t end)
{
    ftr_status status = is_skipped(rec, tx) ? FTR_OK : end_tx(rec, tx, end);
    return FTR_LIKELY(status == FTR_OK)
               ? FTR_OK
               : ftr_recorder_misuse(rec, status,
                                     &(ftr_misuse){.call = "ftr_tx_end",
                                                   .set = FTR_MISUSE_TX | FTR_MISUSE_END,
                                                   .tx = tx,
                                                   .end = end});
}

/* ---- attributes -------------------------------------------------------------------------------
 */

/* Makes room for @p size more bytes of items. */
static ftr_status make_room(ftr_recorder *rec, ftr_slot *slot, size_t size)
{
    return FTR_LIKELY(ftr_slot_has_room(slot, size)) ? FTR_OK : ftr_lane_grow_slot(rec, slot, size);
}

/* Finds out why the fast path did not put an item of @p size bytes, and makes room if necessary.
 * Returns the slot if the item can be put now, otherwise NULL. Sets @p rec to the trace of the
 * transaction. */
static ftr_slot *prepare_put(ftr_recorder **rec, ftr_tx tx, unsigned attribute, unsigned form,
                             size_t size, ftr_status *status)
{
    ftr_slot *slot = find_slot(rec, tx, status);
    if (slot == NULL)
        return NULL;
    if (attribute >= slot->entity->attributes.count)
        *status = FTR_ERR_ATTRIBUTE;
    else if (slot->entity->attributes.at[attribute].form != form)
        *status = FTR_ERR_TYPE;
    else
        *status = make_room(*rec, slot, size);
    return *status == FTR_OK ? slot : NULL;
}

/* Returns the status of a call that puts an attribute: FTR_OK or an error. */
static ftr_status answer_put(ftr_recorder *rec, ftr_status status, const char *call, ftr_tx tx,
                             unsigned attribute)
{
    return status == FTR_OK
               ? FTR_OK
               : ftr_recorder_misuse(rec, status,
                                     &(ftr_misuse){.call = call,
                                                   .set = FTR_MISUSE_TX | FTR_MISUSE_ATTRIBUTE,
                                                   .tx = tx,
                                                   .attribute = attribute});
}

static ftr_status put_word(const char *call, ftr_recorder *rec, ftr_tx tx, unsigned attribute,
                           unsigned form, uint64_t value)
{
    ftr_status status = FTR_OK;
    ftr_recorder *trace = rec;
    if (prepare_put(&trace, tx, attribute, form, FTR_ITEM_SIZE, &status) != NULL)
        (void)ftr_slot_put_word(trace, tx, attribute, form, value, FTR_TRUST_NOTHING);
    return answer_put(rec, status, call, tx, attribute);
}

ftr_status ftr_tx_put_bool(ftr_recorder *rec, ftr_tx tx, unsigned attribute, bool value)
{
    const unsigned form = FTR_ITEM_FORM_BOOLEAN;
    return is_skipped(rec, tx) ||
                   ftr_slot_put_word(rec, tx, attribute, form, value, FTR_TRUST_NOTHING)
               ? FTR_OK
               : put_word("ftr_tx_put_bool", rec, tx, attribute, form, value);
}

ftr_status ftr_tx_put_int(ftr_recorder *rec, ftr_tx tx, unsigned attribute, int64_t value)
{
    const unsigned form = FTR_ITEM_FORM_INTEGER;
    return is_skipped(rec, tx) ||
                   ftr_slot_put_word(rec, tx, attribute, form, (uint64_t)value, FTR_TRUST_NOTHING)
               ? FTR_OK
               : put_word("ftr_tx_put_int", rec, tx, attribute, form, (uint64_t)value);
}

ftr_status ftr_tx_put_number(ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t value)
{
    const unsigned form = FTR_ITEM_FORM_NUMBER;
    return is_skipped(rec, tx) ||
                   ftr_slot_put_word(rec, tx, attribute, form, value, FTR_TRUST_NOTHING)
               ? FTR_OK
               : put_word("ftr_tx_put_number", rec, tx, attribute, form, value);
}

ftr_status ftr_tx_put_real(ftr_recorder *rec, ftr_tx tx, unsigned attribute, double value)
{
    const unsigned form = FTR_ITEM_FORM_REAL;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return is_skipped(rec, tx) ||
                   ftr_slot_put_word(rec, tx, attribute, form, bits, FTR_TRUST_NOTHING)
               ? FTR_OK
               : put_word("ftr_tx_put_real", rec, tx, attribute, form, bits);
}

static ftr_status put_text(ftr_recorder *rec, ftr_tx tx, unsigned attribute, const char *text,
                           size_t length)
{
    ftr_status status = FTR_OK;
    if (text != NULL && length == FTR_NUL_TERMINATED)
        length = strlen(text);
    bool is_text = text != NULL && length <= FTR_TEXT_SIZE_MAX;
    if (prepare_put(&rec, tx, attribute, FTR_ITEM_FORM_TEXT,
                    is_text ? sizeof(ftr_item) + ftr_item_pad(length) : 0, &status) == NULL)
        return status;
    if (!is_text)
        return text != NULL ? FTR_ERR_LIMIT : FTR_ERR_ARGUMENT;
    (void)ftr_slot_put_text(rec, tx, attribute, ftr_text_source_of(text, length),
                            FTR_TRUST_NOTHING);
    return FTR_OK;
}

ftr_status ftr_tx_put_text(ftr_recorder *rec, ftr_tx tx, unsigned attribute, const char *text,
                           size_t length)
{
    if (is_skipped(rec, tx) ||
        ftr_slot_put_text(rec, tx, attribute, ftr_text_source_of(text, length), FTR_TRUST_NOTHING))
        return FTR_OK;
    ftr_status status = put_text(rec, tx, attribute, text, length);
    return answer_put(rec, status, "ftr_tx_put_text", tx, attribute);
}

static ftr_status put_defined(ftr_recorder *rec, ftr_tx tx, unsigned attribute, ftr_text text)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot =
        prepare_put(&rec, tx, attribute, FTR_ITEM_FORM_TEXT, sizeof(ftr_item), &status);
    if (slot == NULL)
        return status;
    if (!ftr_text_is_defined(rec, text))
        return FTR_ERR_UNDEFINED;
    ftr_item_set((ftr_item *)(slot->items + slot->fill),
                 ftr_item_head_of(&slot->entity->attributes.at[attribute], FTR_ITEM_FORM_DEFINED),
                 text);
    ftr_slot_commit(slot, slot->items, slot->fill + sizeof(ftr_item));
    return FTR_OK;
}

ftr_status ftr_tx_put_defined(ftr_recorder *rec, ftr_tx tx, unsigned attribute, ftr_text text)
{
    ftr_status status = is_skipped(rec, tx) ? FTR_OK : put_defined(rec, tx, attribute, text);
    return answer_put(rec, status, "ftr_tx_put_defined", tx, attribute);
}

static ftr_status put_bytes(ftr_recorder *rec, ftr_tx tx, unsigned attribute, const void *bytes,
                            size_t size)
{
    ftr_status status = FTR_OK;
    const bool is_text = (bytes != NULL || size == 0) && size <= FTR_TEXT_SIZE_MAX / 2;
    const size_t item_size = is_text ? sizeof(ftr_item) + ftr_item_pad(size) : 0;
    ftr_slot *slot = prepare_put(&rec, tx, attribute, FTR_ITEM_FORM_TEXT, item_size, &status);
    if (slot == NULL)
        return status;
    if (!is_text)
        return bytes != NULL ? FTR_ERR_LIMIT : FTR_ERR_ARGUMENT;
    const ftr_declared_attribute *declared = &slot->entity->attributes.at[attribute];
    if (declared->type != FTR_TYPE_STRING)
        return FTR_ERR_TYPE;
    uint8_t *to = slot->items + slot->fill;
    ftr_item_set((ftr_item *)to, ftr_item_head_of(declared, FTR_ITEM_FORM_BYTES), size);
    if (size > 0)
        memcpy(to + sizeof(ftr_item), bytes, size);
    ftr_slot_commit(slot, slot->items, slot->fill + item_size);
    return FTR_OK;
}

ftr_status ftr_tx_put_bytes(ftr_recorder *rec, ftr_tx tx, unsigned attribute, const void *bytes,
                            size_t size)
{
    ftr_status status = is_skipped(rec, tx) ? FTR_OK : put_bytes(rec, tx, attribute, bytes, size);
    return answer_put(rec, status, "ftr_tx_put_bytes", tx, attribute);
}

ftr_status ftr_tx_put_word(ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t word)
{
    ftr_status status = FTR_OK;
    ftr_recorder *trace = rec;
    if (is_skipped(rec, tx))
        return FTR_OK;
    const ftr_slot *slot = find_slot(&trace, tx, &status);
    if (slot != NULL && attribute >= slot->entity->attributes.count)
        status = FTR_ERR_ATTRIBUTE;
    if (slot == NULL || status != FTR_OK)
        return answer_put(rec, status, "ftr_tx_put_word", tx, attribute);
    unsigned form = slot->entity->attributes.at[attribute].form;
    if (form == FTR_ITEM_FORM_TEXT)
        return ftr_tx_put_defined(rec, tx, attribute, word <= UINT32_MAX ? (ftr_text)word : 0);
    return ftr_slot_put_word(trace, tx, attribute, form, word, FTR_TRUST_NOTHING)
               ? FTR_OK
               : put_word("ftr_tx_put_word", rec, tx, attribute, form, word);
}

static ftr_status put_named(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                            const char *name, const ftr_value *value)
{
    ftr_status status = FTR_OK;
    ftr_named_item item;
    ftr_slot *slot = find_slot(&rec, tx, &status);
    if (slot == NULL)
        return status;
    status = ftr_named_item_take(rec, class_, name, value, &item);
    if (status == FTR_OK)
        status = make_room(rec, slot, item.size);
    if (status != FTR_OK)
        return status;
    ftr_named_item_write(slot->items + slot->fill, &item);
    ftr_slot_commit(slot, slot->items, slot->fill + item.size);
    return FTR_OK;
}

ftr_status ftr_tx_put_named(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                            const char *name, const ftr_value *value)
{
    if (is_skipped(rec, tx) || ftr_slot_put_named(rec, tx, class_, name, value, FTR_TRUST_NOTHING))
        return FTR_OK;
    ftr_status status = put_named(rec, tx, class_, name, value);
    return status == FTR_OK
               ? FTR_OK
               : ftr_recorder_misuse(
                     rec, status,
                     &(ftr_misuse){
                         .call = "ftr_tx_put_named", .set = FTR_MISUSE_TX, .tx = tx, .name = name});
}

static ftr_status refuse_words(ftr_recorder *rec, ftr_status status, ftr_generator generator,
                               size_t count)
{
    return ftr_recorder_misuse(rec, status,
                               &(ftr_misuse){.call = "ftr_tx_begin_words",
                                             .set = FTR_MISUSE_HANDLE,
                                             .handle = generator,
                                             .count = count});
}

ftr_status ftr_tx_begin_words(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                              const uint64_t *words, size_t count, ftr_tx *tx)
{
    if (words == NULL && count)
        return refuse_words(rec, FTR_ERR_ARGUMENT, generator, count);
    ftr_status status = ftr_tx_begin(rec, generator, begin, tx);
    if (status != FTR_OK || ftr_tx_is_not_recorded(*tx))
        return status;
    ftr_recorder *trace = ftr_recorder_trace_of(rec, *tx);
    ftr_slot *slot = ftr_slot_of(trace, *tx);
    size_t size = ftr_words_size(count);
    status =
        count <= slot->entity->attributes.count ? make_room(trace, slot, size) : FTR_ERR_ATTRIBUTE;
    if (status != FTR_OK) {
        *tx = (ftr_tx){0};
        free_slot(trace, ftr_thread_lane(trace), slot);
        return refuse_words(rec, status, generator, count);
    }
    ftr_words_write(slot->entity->attributes.first, words, count, slot->items + slot->fill);
    ftr_slot_commit(slot, slot->items, slot->fill + size);
    return FTR_OK;
}
