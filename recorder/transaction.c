/* The calls that simulations make all the time. They check, write a few words into a slot or a
 * block, and return; whatever takes longer is in lane.c. */
#include <string.h>

#include "lane.h"

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define SLOW __attribute__((noinline, cold))

#define NAME_MAX_LENGTH UINT16_MAX
#define TEXT_MAX ((size_t)1 << 30)

SLOW static ftr_status misuse(ftr_recorder *rec, ftr_status status)
{
    if (rec)
        atomic_fetch_add_explicit(&rec->misuses, 1, memory_order_relaxed);
    return status;
}

static inline uint32_t gate_of(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->gate, memory_order_relaxed);
}

static inline bool is_not_recorded(ftr_tx tx)
{
    return tx.id == FTR_TX_NOT_RECORDED;
}

SLOW static ftr_status not_recorded(ftr_recorder *rec, ftr_tx *tx, ftr_stream stream)
{
    atomic_fetch_add_explicit(&rec->filtered, 1, memory_order_relaxed);
    if (tx)
        *tx = (ftr_tx){.id = FTR_TX_NOT_RECORDED, .stream = stream, .slot = FTR_NO_SLOT};
    return FTR_OK;
}

/* The entity of a generator that is recorded, or NULL and the answer. */
static inline const ftr_entity *find_generator(ftr_recorder *rec, ftr_generator generator,
                                               ftr_tx *tx, ftr_status *status)
{
    uint32_t count = atomic_load_explicit(&rec->definitions.entity_count, memory_order_acquire);
    if (LIKELY(generator < count)) {
        const ftr_entity *entity = ftr_definitions_entity(&rec->definitions, generator);
        if (LIKELY(entity->kind == FTR_ENTITY_GENERATOR))
            return entity;
        if (entity->kind == (FTR_ENTITY_GENERATOR | FTR_ENTITY_FILTERED)) {
            *status = not_recorded(rec, tx, entity->stream);
            return NULL;
        }
    }
    *status = misuse(rec, FTR_ERR_UNDEFINED);
    return NULL;
}

/* ---- gates ------------------------------------------------------------------------------------
 */

typedef enum admission { ADMITTED, WINDOWED, REFUSED } admission;

/* What a gate that is not open means for a transaction that begins now. */
SLOW static admission admit(ftr_recorder *rec, uint32_t gate, uint64_t begin, ftr_tx *tx,
                            ftr_status *status)
{
    if (gate & FTR_GATE_DEAD) {
        *status = ftr_recorder_dead_status(rec, gate);
        return REFUSED;
    }
    if (gate & FTR_GATE_OFF || begin > atomic_load_explicit(&rec->stop, memory_order_relaxed)) {
        *status = not_recorded(rec, tx, 0);
        return REFUSED;
    }
    return WINDOWED;
}

/* Whether a transaction that ends now ends before the window starts. */
SLOW static bool is_before_window(ftr_recorder *rec, uint64_t end)
{
    return end < atomic_load_explicit(&rec->start, memory_order_relaxed);
}

/* ---- begin and end ----------------------------------------------------------------------------
 */

SLOW static ftr_status refill_slots(ftr_lane *lane)
{
    return ftr_lane_take_slots(lane);
}

static inline uint64_t take_id(ftr_lane *lane)
{
    if (UNLIKELY(lane->next_id == lane->id_limit))
        ftr_lane_take_ids(lane);
    return lane->next_id++;
}

ftr_status ftr_tx_begin(ftr_recorder *rec, ftr_generator generator, uint64_t begin, ftr_tx *tx)
{
    if (UNLIKELY(!rec || !tx))
        return misuse(rec, FTR_ERR_ARGUMENT);
    ftr_status status = FTR_OK;
    uint32_t flags = 0;
    uint32_t gate = gate_of(rec);
    if (UNLIKELY(gate)) {
        admission answer = admit(rec, gate, begin, tx, &status);
        if (answer == REFUSED)
            return status;
        flags = answer == WINDOWED ? FTR_SLOT_WINDOWED : 0;
    }
    const ftr_entity *entity = find_generator(rec, generator, tx, &status);
    if (UNLIKELY(!entity))
        return status;
    ftr_lane *lane = ftr_lane_of(rec);
    if (UNLIKELY(!lane))
        return FTR_ERR_MEMORY;
    uint32_t index = lane->free_slot;
    if (UNLIKELY(index == FTR_NO_SLOT)) {
        status = refill_slots(lane);
        if (status != FTR_OK)
            return status;
        index = lane->free_slot;
    }
    ftr_slot *slot = ftr_slot_at(rec->slots, index);
    lane->free_slot = slot->next_free;
    --lane->free_slots;
    uint64_t id = take_id(lane);
    slot->begin = begin;
    atomic_store_explicit(&slot->fill, 0, memory_order_relaxed);
    slot->generator = generator;
    slot->first_attribute = entity->first_attribute;
    slot->attribute_count = entity->attribute_count;
    slot->flags = flags;
    atomic_store_explicit(&slot->id, id, memory_order_release);
    ftr_lane_see(lane, begin);
    tx->id = id;
    tx->stream = entity->stream;
    tx->slot = index ^ rec->slot_tag;
    return FTR_OK;
}

/* Why a handle names no open transaction. */
SLOW static ftr_status no_slot(ftr_recorder *rec, ftr_tx tx)
{
    uint32_t gate = gate_of(rec);
    if (gate & FTR_GATE_DEAD)
        return ftr_recorder_dead_status(rec, gate);
    return is_not_recorded(tx) ? FTR_OK : misuse(rec, FTR_ERR_UNKNOWN_TX);
}

/* The slot of an open transaction, or NULL and the answer. */
static inline ftr_slot *find_slot(ftr_recorder *rec, ftr_tx tx, ftr_status *status)
{
    if (UNLIKELY(!rec)) {
        *status = FTR_ERR_ARGUMENT;
        return NULL;
    }
    uint32_t index = tx.slot ^ rec->slot_tag;
    if (LIKELY(!(gate_of(rec) & FTR_GATE_DEAD) &&
               index < atomic_load_explicit(&rec->open.slot_count, memory_order_acquire))) {
        ftr_slot *slot = ftr_slot_at(rec->slots, index);
        if (LIKELY(atomic_load_explicit(&slot->id, memory_order_relaxed) == tx.id && tx.id))
            return slot;
    }
    *status = no_slot(rec, tx);
    return NULL;
}

/* Frees a slot into the lane's stock. */
static inline void free_slot(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot, uint32_t index)
{
    atomic_store_explicit(&slot->id, 0, memory_order_release);
    if (UNLIKELY(slot->capacity >= FTR_BLOCK_SIZE)) {
        pthread_mutex_lock(&rec->lock);
        ftr_slot_shrink(&rec->open, slot);
        pthread_mutex_unlock(&rec->lock);
    }
    slot->next_free = lane->free_slot;
    lane->free_slot = index;
    if (UNLIKELY(++lane->free_slots >= 256))
        ftr_lane_give_slots(lane);
}

/* A transaction that ends without being recorded. */
SLOW static ftr_status leave_out(ftr_recorder *rec, ftr_lane *lane, ftr_slot *slot, uint32_t index,
                                 _Atomic uint64_t *counter)
{
    /* Before the slot is free: whoever sees it free may rely on the id being listed. */
    ftr_left_out_add(&rec->left_out, atomic_load_explicit(&slot->id, memory_order_relaxed));
    atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
    free_slot(rec, lane, slot, index);
    return FTR_OK;
}

ftr_status ftr_tx_end(ftr_recorder *rec, ftr_tx tx, uint64_t end)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    if (UNLIKELY(end < slot->begin))
        return misuse(rec, FTR_ERR_ORDER);
    ftr_lane *lane = ftr_lane_of(rec);
    if (UNLIKELY(!lane))
        return FTR_ERR_MEMORY;
    uint32_t index = tx.slot ^ rec->slot_tag;
    if (UNLIKELY(slot->flags & FTR_SLOT_WINDOWED) && is_before_window(rec, end))
        return leave_out(rec, lane, slot, index, &rec->filtered);
    uint64_t fill = atomic_load_explicit(&slot->fill, memory_order_relaxed);
    size_t items = (uint32_t)fill;
    size_t size = sizeof(ftr_record_tx) + items;
    ftr_record_tx *record = ftr_lane_reserve(lane, size, &status);
    if (UNLIKELY(!record))
        return status == FTR_ERR_LIMIT ? leave_out(rec, lane, slot, index, &rec->dropped) : status;
    record->size = (uint32_t)size;
    record->kind = FTR_RECORD_TX;
    record->generator = slot->generator;
    record->items = (uint32_t)(fill >> 32);
    record->id = tx.id;
    record->begin = slot->begin;
    record->end = end;
    uint64_t *to = (uint64_t *)(record + 1);
    const uint64_t *from = (const uint64_t *)slot->items;
    if (LIKELY(items <= 256)) {
        for (const uint64_t *last = from + items / 8; from != last; from += 2, to += 2) {
            to[0] = from[0];
            to[1] = from[1];
        }
    } else {
        memcpy(to, from, items);
    }
    ftr_lane_commit(lane, size);
    ftr_lane_see(lane, end);
    free_slot(rec, lane, slot, index);
    return FTR_OK;
}

/* ---- attributes -------------------------------------------------------------------------------
 */

SLOW static ftr_status grow_slot(ftr_recorder *rec, ftr_slot *slot, size_t needed)
{
    pthread_mutex_lock(&rec->lock);
    ftr_status status = ftr_slot_grow(&rec->open, slot, needed);
    pthread_mutex_unlock(&rec->lock);
    return status;
}

/* Room for one more item of @p size bytes at the end of the slot's, or NULL. */
static inline ftr_item *reserve_item(ftr_recorder *rec, ftr_slot *slot, size_t size,
                                     ftr_status *status)
{
    size_t used = (uint32_t)atomic_load_explicit(&slot->fill, memory_order_relaxed);
    if (UNLIKELY(used + size > slot->capacity)) {
        *status = grow_slot(rec, slot, used + size);
        if (*status != FTR_OK)
            return NULL;
    }
    return (ftr_item *)(slot->items + used);
}

static inline void commit_item(ftr_slot *slot, size_t size)
{
    uint64_t fill = atomic_load_explicit(&slot->fill, memory_order_relaxed);
    atomic_store_explicit(&slot->fill, fill + size + (UINT64_C(1) << 32), memory_order_release);
}

static inline void set_head(ftr_item *item, uint64_t head)
{
    memcpy(item, &head, sizeof head);
}

/* The declaration of attribute @p number of the slot's generator if its values have @p form. */
static inline const ftr_declared_attribute *find_attribute(ftr_recorder *rec, const ftr_slot *slot,
                                                           unsigned number, uint8_t form,
                                                           ftr_status *status)
{
    if (UNLIKELY(number >= slot->attribute_count)) {
        *status = misuse(rec, FTR_ERR_ATTRIBUTE);
        return NULL;
    }
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(&rec->definitions, slot->first_attribute + number);
    if (UNLIKELY((uint8_t)(attribute->item_head >> 40) != form)) {
        *status = misuse(rec, FTR_ERR_TYPE);
        return NULL;
    }
    return attribute;
}

static inline ftr_status put_word(ftr_recorder *rec, ftr_tx tx, unsigned number, uint8_t form,
                                  uint64_t value)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    const ftr_declared_attribute *attribute = find_attribute(rec, slot, number, form, &status);
    if (UNLIKELY(!attribute))
        return status;
    ftr_item *item = reserve_item(rec, slot, sizeof *item, &status);
    if (UNLIKELY(!item))
        return status;
    set_head(item, attribute->item_head);
    item->value = value;
    commit_item(slot, sizeof *item);
    return FTR_OK;
}

ftr_status ftr_tx_put_bool(ftr_recorder *rec, ftr_tx tx, unsigned attribute, bool value)
{
    return put_word(rec, tx, attribute, FTR_FORM_BOOLEAN, value);
}

ftr_status ftr_tx_put_int(ftr_recorder *rec, ftr_tx tx, unsigned attribute, int64_t value)
{
    return put_word(rec, tx, attribute, FTR_FORM_INTEGER, (uint64_t)value);
}

ftr_status ftr_tx_put_number(ftr_recorder *rec, ftr_tx tx, unsigned attribute, uint64_t value)
{
    return put_word(rec, tx, attribute, FTR_FORM_NUMBER, value);
}

ftr_status ftr_tx_put_real(ftr_recorder *rec, ftr_tx tx, unsigned attribute, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return put_word(rec, tx, attribute, FTR_FORM_REAL, bits);
}

/* Copies a text behind an item. The padding is part of what is compared and compressed later by
 * nobody, so it keeps whatever was there. */
static inline void put_bytes(void *to, const char *text, size_t length)
{
    memcpy(to, text, length);
}

ftr_status ftr_tx_put_text(ftr_recorder *rec, ftr_tx tx, unsigned attribute, const char *text,
                           size_t length)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    const ftr_declared_attribute *declared =
        find_attribute(rec, slot, attribute, FTR_FORM_TEXT, &status);
    if (UNLIKELY(!declared))
        return status;
    if (UNLIKELY(!text))
        return misuse(rec, FTR_ERR_ARGUMENT);
    if (length == FTR_NUL_TERMINATED)
        length = strlen(text);
    if (UNLIKELY(length > TEXT_MAX))
        return misuse(rec, FTR_ERR_LIMIT);
    size_t size = sizeof(ftr_item) + ftr_record_pad(length);
    ftr_item *item = reserve_item(rec, slot, size, &status);
    if (UNLIKELY(!item))
        return status;
    set_head(item, declared->item_head);
    item->value = length;
    put_bytes(item + 1, text, length);
    commit_item(slot, size);
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
    return head ^ (uint64_t)(FTR_FORM_TEXT ^ FTR_FORM_DEFINED) << 40;
}

ftr_status ftr_tx_put_defined(ftr_recorder *rec, ftr_tx tx, unsigned attribute, ftr_text text)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    const ftr_declared_attribute *declared =
        find_attribute(rec, slot, attribute, FTR_FORM_TEXT, &status);
    if (UNLIKELY(!declared))
        return status;
    if (UNLIKELY(!is_defined_text(rec, text)))
        return misuse(rec, FTR_ERR_UNDEFINED);
    ftr_item *item = reserve_item(rec, slot, sizeof *item, &status);
    if (UNLIKELY(!item))
        return status;
    set_head(item, defined_head(declared->item_head));
    item->value = text;
    commit_item(slot, sizeof *item);
    return FTR_OK;
}

/* ---- values -----------------------------------------------------------------------------------
 */

/* A value checked and brought into the form of an item. */
typedef struct shaped_value {
    uint8_t form;
    uint64_t word;    /* the item's value */
    const char *text; /* NULL: none in place */
    size_t size;      /* bytes behind the item */
} shaped_value;

static inline ftr_status shape(ftr_recorder *rec, const ftr_value *value, shaped_value *shaped)
{
    *shaped = (shaped_value){.word = value->as.number};
    switch (value->type) {
    case FTR_TYPE_BOOLEAN:
        shaped->form = FTR_FORM_BOOLEAN;
        shaped->word = value->as.boolean;
        return FTR_OK;
    case FTR_TYPE_INTEGER:
        shaped->form = FTR_FORM_INTEGER;
        return FTR_OK;
    case FTR_TYPE_UNSIGNED:
    case FTR_TYPE_POINTER:
    case FTR_TYPE_TIME:
        shaped->form = FTR_FORM_NUMBER;
        return FTR_OK;
    case FTR_TYPE_FLOATING_POINT:
    case FTR_TYPE_FIXED_POINT_INTEGER:
    case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
        shaped->form = FTR_FORM_REAL;
        return FTR_OK;
    case FTR_TYPE_ENUMERATION:
    case FTR_TYPE_BIT_VECTOR:
    case FTR_TYPE_LOGIC_VECTOR:
    case FTR_TYPE_STRING:
        break;
    default:
        return misuse(rec, FTR_ERR_ARGUMENT);
    }
    if (value->defined) {
        shaped->form = FTR_FORM_DEFINED;
        shaped->word = value->defined;
        return is_defined_text(rec, value->defined) ? FTR_OK : misuse(rec, FTR_ERR_UNDEFINED);
    }
    shaped->form = FTR_FORM_TEXT;
    shaped->text = value->as.text;
    if (UNLIKELY(!shaped->text))
        return misuse(rec, FTR_ERR_ARGUMENT);
    shaped->word =
        value->text_length == FTR_NUL_TERMINATED ? strlen(shaped->text) : value->text_length;
    if (UNLIKELY(shaped->word > TEXT_MAX))
        return misuse(rec, FTR_ERR_LIMIT);
    shaped->size = ftr_record_pad(shaped->word);
    return FTR_OK;
}

ftr_status ftr_tx_put_named(ftr_recorder *rec, ftr_tx tx, ftr_attribute_class class_,
                            const char *name, const ftr_value *value)
{
    ftr_status status = FTR_OK;
    ftr_slot *slot = find_slot(rec, tx, &status);
    if (UNLIKELY(!slot))
        return status;
    if (UNLIKELY(!name || !*name || !value || (unsigned)class_ > FTR_CLASS_END))
        return misuse(rec, FTR_ERR_ARGUMENT);
    size_t name_length = strlen(name);
    if (UNLIKELY(name_length > NAME_MAX_LENGTH))
        return misuse(rec, FTR_ERR_LIMIT);
    shaped_value shaped;
    status = shape(rec, value, &shaped);
    if (UNLIKELY(status != FTR_OK))
        return status;
    size_t name_size = ftr_record_pad(name_length);
    size_t size = sizeof(ftr_item) + name_size + shaped.size;
    ftr_item *item = reserve_item(rec, slot, size, &status);
    if (UNLIKELY(!item))
        return status;
    set_head(item, ftr_item_head(FTR_ITEM_NAMED, (uint8_t)value->type,
                                 (uint8_t)(shaped.form | (unsigned)class_ << 4)) |
                       (uint64_t)name_length << 48);
    item->value = shaped.word;
    put_bytes(item + 1, name, name_length);
    if (shaped.text)
        put_bytes((uint8_t *)(item + 1) + name_size, shaped.text, shaped.word);
    commit_item(slot, size);
    return FTR_OK;
}

/* ---- whole transactions -----------------------------------------------------------------------
 */

/* Checks values against their declarations; tells how many bytes their items take. */
static ftr_status measure(ftr_recorder *rec, const ftr_entity *entity, const ftr_value *values,
                          size_t count, size_t *size)
{
    if (UNLIKELY(count > entity->attribute_count))
        return misuse(rec, FTR_ERR_ATTRIBUTE);
    if (UNLIKELY(count && !values))
        return misuse(rec, FTR_ERR_ARGUMENT);
    const ftr_declared_attribute *declared =
        ftr_definitions_attribute(&rec->definitions, entity->first_attribute);
    for (size_t i = 0; i < count; ++i) {
        if (UNLIKELY((uint8_t)values[i].type != declared[i].type))
            return misuse(rec, FTR_ERR_TYPE);
        *size += sizeof(ftr_item);
        uint8_t form = (uint8_t)(declared[i].item_head >> 40);
        if (form != FTR_FORM_TEXT)
            continue;
        shaped_value shaped;
        ftr_status status = shape(rec, &values[i], &shaped);
        if (UNLIKELY(status != FTR_OK))
            return status;
        *size += shaped.size;
    }
    return *size > TEXT_MAX ? misuse(rec, FTR_ERR_LIMIT) : FTR_OK;
}

/* The generator of a transaction that is recorded whole, or NULL and the answer. */
static inline const ftr_entity *find_recorded(ftr_recorder *rec, ftr_generator generator,
                                              uint64_t begin, uint64_t end, ftr_tx *tx,
                                              ftr_status *status)
{
    if (UNLIKELY(!rec)) {
        *status = FTR_ERR_ARGUMENT;
        return NULL;
    }
    uint32_t gate = gate_of(rec);
    if (UNLIKELY(gate) && admit(rec, gate, begin, tx, status) == REFUSED)
        return NULL;
    const ftr_entity *entity = find_generator(rec, generator, tx, status);
    if (UNLIKELY(!entity))
        return NULL;
    if (UNLIKELY(end < begin)) {
        *status = misuse(rec, FTR_ERR_ORDER);
        return NULL;
    }
    if (UNLIKELY(gate) && is_before_window(rec, end)) {
        *status = not_recorded(rec, tx, entity->stream);
        return NULL;
    }
    return entity;
}

/* A whole transaction finds no room in a block. */
SLOW static ftr_status no_room(ftr_recorder *rec, ftr_status status, ftr_stream stream, ftr_tx *tx)
{
    if (status != FTR_ERR_LIMIT)
        return status;
    atomic_fetch_add_explicit(&rec->dropped, 1, memory_order_relaxed);
    if (tx)
        *tx = (ftr_tx){FTR_TX_NOT_RECORDED, stream, FTR_NO_SLOT};
    return FTR_OK;
}

static uint8_t *write_item(uint8_t *to, uint64_t head, const ftr_value *value, size_t length)
{
    ftr_item *item = (ftr_item *)to;
    to += sizeof *item;
    uint8_t form = (uint8_t)(head >> 40);
    if (form == FTR_FORM_TEXT && value->defined) {
        set_head(item, defined_head(head));
        item->value = value->defined;
    } else if (form == FTR_FORM_TEXT) {
        set_head(item, head);
        item->value = length;
        put_bytes(to, value->as.text, length);
        to += ftr_record_pad(length);
    } else {
        set_head(item, head);
        item->value = form == FTR_FORM_BOOLEAN ? value->as.boolean : value->as.number;
    }
    return to;
}

ftr_status ftr_tx_record(ftr_recorder *rec, ftr_generator generator, uint64_t begin, uint64_t end,
                         const ftr_value *values, size_t count, ftr_tx *tx)
{
    ftr_status status = FTR_OK;
    const ftr_entity *entity = find_recorded(rec, generator, begin, end, tx, &status);
    if (UNLIKELY(!entity))
        return status;
    size_t size = sizeof(ftr_record_tx);
    status = measure(rec, entity, values, count, &size);
    if (UNLIKELY(status != FTR_OK))
        return status;
    ftr_lane *lane = ftr_lane_of(rec);
    if (UNLIKELY(!lane))
        return FTR_ERR_MEMORY;
    ftr_record_tx *record = ftr_lane_reserve(lane, size, &status);
    if (UNLIKELY(!record))
        return no_room(rec, status, entity->stream, tx);
    uint64_t id = take_id(lane);
    *record = (ftr_record_tx){.size = (uint32_t)size,
                              .kind = FTR_RECORD_TX,
                              .generator = generator,
                              .items = (uint32_t)count,
                              .id = id,
                              .begin = begin,
                              .end = end};
    const ftr_declared_attribute *declared =
        ftr_definitions_attribute(&rec->definitions, entity->first_attribute);
    uint8_t *to = (uint8_t *)(record + 1);
    for (size_t i = 0; i < count; ++i) {
        bool is_text = (uint8_t)(declared[i].item_head >> 40) == FTR_FORM_TEXT;
        size_t length = is_text && !values[i].defined && values[i].text_length == FTR_NUL_TERMINATED
                            ? strlen(values[i].as.text)
                            : values[i].text_length;
        to = write_item(to, declared[i].item_head, &values[i], length);
    }
    ftr_lane_commit(lane, size);
    ftr_lane_see(lane, end);
    if (tx)
        *tx = (ftr_tx){id, entity->stream, FTR_NO_SLOT};
    return FTR_OK;
}

/* Writes one item a word; false when one names no text. */
static inline bool write_words(ftr_recorder *rec, ftr_item *to,
                               const ftr_declared_attribute *declared, const uint64_t *words,
                               size_t count)
{
    uint32_t texts = atomic_load_explicit(&rec->definitions.text_count, memory_order_acquire);
    for (const uint64_t *last = words + count; words != last; ++words, ++declared, ++to) {
        uint64_t head = declared->item_head;
        uint64_t word = *words;
        if ((uint8_t)(head >> 40) == FTR_FORM_TEXT) {
            if (UNLIKELY(word - 1 >= texts - 1))
                return false;
            head = defined_head(head);
        }
        set_head(to, head);
        to->value = word;
    }
    return true;
}

ftr_status ftr_tx_record_words(ftr_recorder *rec, ftr_generator generator, uint64_t begin,
                               uint64_t end, const uint64_t *words, size_t count, ftr_tx *tx)
{
    ftr_status status = FTR_OK;
    const ftr_entity *entity = find_recorded(rec, generator, begin, end, tx, &status);
    if (UNLIKELY(!entity))
        return status;
    if (UNLIKELY(count > entity->attribute_count))
        return misuse(rec, FTR_ERR_ATTRIBUTE);
    if (UNLIKELY(!words))
        return misuse(rec, FTR_ERR_ARGUMENT);
    size_t size = sizeof(ftr_record_tx) + count * sizeof(ftr_item);
    ftr_lane *lane = ftr_lane_of(rec);
    if (UNLIKELY(!lane))
        return FTR_ERR_MEMORY;
    ftr_record_tx *record = ftr_lane_reserve(lane, size, &status);
    if (UNLIKELY(!record))
        return no_room(rec, status, entity->stream, tx);
    if (UNLIKELY(!write_words(rec, (ftr_item *)(record + 1),
                              ftr_definitions_attribute(&rec->definitions, entity->first_attribute),
                              words, count)))
        return misuse(rec, FTR_ERR_UNDEFINED);
    uint64_t id = take_id(lane);
    *record = (ftr_record_tx){.size = (uint32_t)size,
                              .kind = FTR_RECORD_TX,
                              .generator = generator,
                              .items = (uint32_t)count,
                              .id = id,
                              .begin = begin,
                              .end = end};
    ftr_lane_commit(lane, size);
    ftr_lane_see(lane, end);
    if (tx)
        *tx = (ftr_tx){id, entity->stream, FTR_NO_SLOT};
    return FTR_OK;
}

ftr_status ftr_tx_event(ftr_recorder *rec, ftr_tx parent, ftr_generator generator, uint64_t time,
                        const ftr_value *values, size_t count, ftr_tx *tx)
{
    if (UNLIKELY(!rec))
        return FTR_ERR_ARGUMENT;
    ftr_tx event;
    ftr_status status = FTR_OK;
    if (UNLIKELY(!is_not_recorded(parent) && (parent.id == 0 || parent.stream == 0)))
        return misuse(rec, FTR_ERR_UNKNOWN_TX);
    status = ftr_tx_record(rec, generator, time, time, values, count, &event);
    if (status != FTR_OK)
        return status;
    status = ftr_relation_put(rec, rec->parent_of, parent, event);
    if (status == FTR_OK && tx)
        *tx = event;
    return status;
}

/* ---- relations --------------------------------------------------------------------------------
 */

/* Whether a handle may once have been a transaction here. */
static inline bool was_transaction(ftr_recorder *rec, ftr_tx tx)
{
    return tx.id != 0 && tx.stream != 0 &&
           tx.id < atomic_load_explicit(&rec->next_id, memory_order_relaxed) &&
           tx.stream < atomic_load_explicit(&rec->definitions.entity_count, memory_order_relaxed);
}

SLOW static ftr_status leave_relation_out(ftr_recorder *rec)
{
    atomic_fetch_add_explicit(&rec->relations_left_out, 1, memory_order_relaxed);
    return FTR_OK;
}

SLOW static ftr_status odd_relation(ftr_recorder *rec, ftr_tx from, ftr_tx to)
{
    if ((is_not_recorded(from) || was_transaction(rec, from)) &&
        (is_not_recorded(to) || was_transaction(rec, to)))
        return leave_relation_out(rec);
    return misuse(rec, FTR_ERR_UNKNOWN_TX);
}

ftr_status ftr_relation_put(ftr_recorder *rec, ftr_relation relation, ftr_tx from, ftr_tx to)
{
    if (UNLIKELY(!rec))
        return FTR_ERR_ARGUMENT;
    uint32_t gate = gate_of(rec);
    if (UNLIKELY(gate & FTR_GATE_DEAD))
        return ftr_recorder_dead_status(rec, gate);
    if (UNLIKELY(relation == 0 || relation >= atomic_load_explicit(&rec->definitions.relation_count,
                                                                   memory_order_acquire)))
        return misuse(rec, FTR_ERR_UNDEFINED);
    if (UNLIKELY(!was_transaction(rec, from) || !was_transaction(rec, to)))
        return odd_relation(rec, from, to);
    ftr_lane *lane = ftr_lane_of(rec);
    if (UNLIKELY(!lane))
        return FTR_ERR_MEMORY;
    ftr_status status = FTR_OK;
    ftr_record_relation *record = ftr_lane_reserve(lane, sizeof *record, &status);
    if (UNLIKELY(!record))
        return status == FTR_ERR_LIMIT ? leave_relation_out(rec) : status;
    *record = (ftr_record_relation){.size = sizeof *record,
                                    .kind = FTR_RECORD_RELATION,
                                    .relation = relation,
                                    .from_stream = from.stream,
                                    .to_stream = to.stream,
                                    .from_slot = from.slot,
                                    .from = from.id,
                                    .to = to.id,
                                    .to_slot = to.slot};
    ftr_lane_commit(lane, sizeof *record);
    return FTR_OK;
}
