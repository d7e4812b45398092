/* Decodes records for the summary of the run. */
#include "run_observer.h"

#include <stdlib.h>
#include <string.h>

#include "growing_array.h"

ftr_status ftr_run_observer_init(ftr_run_observer *observer, const ftr_definitions *definitions)
{
    *observer = (ftr_run_observer){.definitions = definitions};
    return ftr_run_collector_create(FTR_COLLECT_AS_RECORDED, &observer->collector);
}

void ftr_run_observer_release(ftr_run_observer *observer)
{
    ftr_run_collector_destroy(observer->collector);
    free(observer->entities);
    free(observer->attributes);
    free(observer->texts);
    *observer = (ftr_run_observer){0};
}

/* ---- streams --------------------------------------------------------------------------------- */

static ftr_status enter_stream(ftr_run_observer *observer, uint32_t handle, size_t *stream)
{
    const ftr_entity *entity = ftr_definitions_entity(observer->definitions, handle);
    const char *kind = entity->stream_kind != NULL ? entity->stream_kind : "";
    if (!ftr_array_reach(&observer->entities, &observer->entity_count, handle,
                         sizeof *observer->entities))
        return FTR_ERR_MEMORY;
    ftr_observed_entity *observed = &observer->entities[handle];
    if (observed->number == 0) {
        const ftr_status status = ftr_run_collector_stream(
            observer->collector, entity->name, strlen(entity->name), kind, strlen(kind), stream);
        if (status != FTR_OK)
            return status;
        observed->number = (uint32_t)*stream + 1;
    }
    *stream = observed->number - 1;
    return FTR_OK;
}

ftr_status ftr_run_observer_add_streams(ftr_run_observer *observer)
{
    const uint32_t count =
        atomic_load_explicit(&observer->definitions->entity_count, memory_order_acquire);
    ftr_status status = observer->status;
    for (uint32_t handle = 1; handle < count && status == FTR_OK; handle++) {
        const uint32_t kind = ftr_definitions_entity(observer->definitions, handle)->kind;
        size_t stream;
        if ((kind & 0xff) == FTR_ENTITY_STREAM && !(kind & FTR_ENTITY_FILTERED))
            status = enter_stream(observer, handle, &stream);
    }
    return status;
}

/* ---- attributes ------------------------------------------------------------------------------ */

/* The transaction that is being added. */
typedef struct observed_tx {
    ftr_run_observer *observer;
    const ftr_observed_entity *generator;
    ftr_tx_figures figures;
    ftr_tx_time times[FTR_TIMES_MAX];
} observed_tx;

/* Adds any value. */
static __attribute__((noinline)) void add_value(observed_tx *tx, ftr_figure_meaning meaning,
                                                const char *name, size_t name_size,
                                                const ftr_item *item, const uint8_t *text)
{
    ftr_figure_attribute attribute = {
        .name = name, .name_size = name_size, .is_time = item->type == FTR_TYPE_TIME};
    const unsigned form = ftr_item_form(item);
    if (form == FTR_ITEM_FORM_BOOLEAN) {
        attribute.form = item->value != 0 ? FTR_FIGURE_TRUE : FTR_FIGURE_OTHER;
    } else if (form == FTR_ITEM_FORM_NUMBER ||
               (form == FTR_ITEM_FORM_INTEGER && (int64_t)item->value >= 0)) {
        attribute.form = FTR_FIGURE_NUMBER;
        attribute.number = item->value;
    } else if (form == FTR_ITEM_FORM_INTEGER) {
        attribute.form = FTR_FIGURE_INTEGER;
        attribute.integer = (int64_t)item->value;
    } else if (form == FTR_ITEM_FORM_DEFINED) {
        const ftr_defined_text *defined =
            ftr_definitions_text(tx->observer->definitions, (uint32_t)item->value);
        attribute.form = FTR_FIGURE_TEXT;
        attribute.text = defined->text;
        attribute.text_size = defined->length;
    } else if (form == FTR_ITEM_FORM_TEXT) {
        attribute.form = FTR_FIGURE_TEXT;
        attribute.text = (const char *)text;
        attribute.text_size = (size_t)item->value;
    }
    ftr_tx_figures_attribute(&tx->figures, meaning, &attribute);
    if (tx->generator->notes && tx->observer->status == FTR_OK)
        tx->observer->status =
            ftr_run_collector_note(tx->observer->collector, tx->generator->number - 1, &attribute);
}

/* Returns the use of the usual items of an attribute: those with the form of its type. */
static ftr_observed_use use_of(ftr_figure_meaning meaning, uint8_t type, uint8_t form)
{
    if (form == FTR_ITEM_FORM_TEXT)
        return FTR_USE_TEXT;
    if (type == FTR_TYPE_TIME || form == FTR_ITEM_FORM_BYTES)
        return FTR_USE_OTHER;
    if (meaning == FTR_MEANS_BYTES)
        return form == FTR_ITEM_FORM_NUMBER ? FTR_USE_BYTES : FTR_USE_OTHER;
    return meaning == FTR_MEANS_NOTHING || meaning == FTR_MEANS_RESPONSE ? FTR_USE_NONE
                                                                         : FTR_USE_OTHER;
}

/* Looks up the uses of declared attributes, so that each name is compared only once. @return false
 * if out of memory */
static bool look_up(ftr_run_observer *observer, uint32_t first, uint32_t count)
{
    if (!ftr_array_reach(&observer->attributes, &observer->attribute_count, (size_t)first + count,
                         sizeof *observer->attributes))
        return false;
    for (uint32_t index = first; index < first + count; index++) {
        const ftr_declared_attribute *attribute =
            ftr_definitions_attribute(observer->definitions, index);
        const ftr_figure_meaning meaning =
            ftr_figure_meaning_of(attribute->name, strlen(attribute->name));
        observer->attributes[index] = (ftr_observed_attribute){
            .head = ftr_item_head(index, attribute->type, attribute->form),
            .use = (uint8_t)use_of(meaning, attribute->type, attribute->form),
            .meaning = (uint8_t)meaning};
    }
    return true;
}

/* Adds a text, which can be a response in any attribute. */
static inline void add_text(observed_tx *tx, unsigned meaning, const uint8_t *text, size_t size)
{
    if (!FTR_LIKELY(ftr_is_no_error(text, size)))
        ftr_tx_figures_response(&tx->figures, (ftr_figure_meaning)meaning, (const char *)text,
                                size);
}

static __attribute__((noinline)) bool is_no_error(ftr_run_observer *observer, uint32_t handle)
{
    const ftr_defined_text *defined = ftr_definitions_text(observer->definitions, handle);
    const bool is = ftr_is_no_error((const uint8_t *)defined->text, defined->length);
    const bool is_defined =
        handle < atomic_load_explicit(&observer->definitions->text_count, memory_order_acquire);
    if (is_defined && ftr_array_reach(&observer->texts, &observer->text_count, handle, 1))
        observer->texts[handle] = is ? 1 : 2;
    return is;
}

/* Adds a defined text. */
static inline void add_defined(observed_tx *tx, unsigned meaning, uint64_t handle)
{
    ftr_run_observer *observer = tx->observer;
    const uint32_t number = (uint32_t)handle;
    if (FTR_LIKELY(number < observer->text_count && observer->texts[number] == 1) ||
        is_no_error(observer, number))
        return;
    const ftr_defined_text *defined = ftr_definitions_text(observer->definitions, number);
    add_text(tx, meaning, (const uint8_t *)defined->text, defined->length);
}

/* Adds a word of any use. */
static __attribute__((noinline)) void add_other_word(observed_tx *tx, uint32_t index, uint64_t word)
{
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(tx->observer->definitions, index);
    const ftr_item item = {.attribute = index,
                           .type = attribute->type,
                           .form = ftr_word_form(attribute->form),
                           .value = word};
    if (item.type != FTR_TYPE_TIME || tx->generator->has_times || tx->generator->notes)
        add_value(tx, (ftr_figure_meaning)tx->observer->attributes[index].meaning, attribute->name,
                  strlen(attribute->name), &item, NULL);
}

/* Adds a word of an attribute. */
static inline void add_word(observed_tx *tx, uint32_t index, uint64_t word)
{
    const ftr_observed_attribute *attribute = &tx->observer->attributes[index];
    const unsigned use = tx->generator->notes ? FTR_USE_OTHER : attribute->use;
    if (use == FTR_USE_TEXT)
        add_defined(tx, attribute->meaning, word);
    else if (use == FTR_USE_BYTES)
        ftr_tx_figures_number(&tx->figures, FTR_MEANS_BYTES, word);
    else if (use == FTR_USE_OTHER)
        add_other_word(tx, index, word);
}

/* Adds declared attributes that were recorded as words. */
static inline void add_words(observed_tx *tx, const ftr_item *words)
{
    const ftr_observed_entity *generator = tx->generator;
    const uint64_t *word = &words->value;
    const uint32_t first = words->attribute ^ FTR_ITEM_WORDS;
    const uint32_t count = words->name_length;
    const uint32_t skipped = first - generator->first;
    if (FTR_LIKELY(skipped < generator->count && count - 1 < generator->count - skipped &&
                   generator->count <= 64 && !generator->notes)) {
        uint64_t used = generator->used_words >> skipped;
        for (used &= UINT64_MAX >> (64 - count); used != 0; used &= used - 1) {
            const uint32_t i = (uint32_t)__builtin_ctzll(used);
            add_word(tx, first + i, word[i]);
        }
        return;
    }
    /* If the journal of a killed process is damaged, the attribute can be any. */
    for (uint32_t i = 0; i < count && first + i < tx->observer->attribute_count; i++)
        add_word(tx, first + i, word[i]);
}

/* Adds an item of any kind. Returns the next item. */
static __attribute__((noinline)) const uint8_t *add_item(observed_tx *tx, const ftr_item *item)
{
    const uint8_t *at = (const uint8_t *)(item + 1);
    if (item->attribute == FTR_ITEM_NAMED) {
        const char *name = (const char *)at;
        at += ftr_item_pad(item->name_length);
        add_value(tx, ftr_figure_meaning_of(name, item->name_length), name, item->name_length, item,
                  at);
    } else if (ftr_item_is_words(item)) {
        add_words(tx, item);
        return (const uint8_t *)item + ftr_words_size(item->name_length);
    } else if (item->attribute < tx->observer->attribute_count) {
        const ftr_declared_attribute *attribute =
            ftr_definitions_attribute(tx->observer->definitions, item->attribute);
        const unsigned meaning = tx->observer->attributes[item->attribute].meaning;
        if (ftr_item_form(item) == FTR_ITEM_FORM_DEFINED && !tx->generator->notes)
            add_defined(tx, meaning, item->value);
        else if (ftr_item_form(item) != FTR_ITEM_FORM_BYTES)
            add_value(tx, (ftr_figure_meaning)meaning, attribute->name, strlen(attribute->name),
                      item, at);
    }
    return at + ftr_item_text_size(item);
}

/* Adds the items in [at, end). Most items are declared attributes in the order of their
 * declarations, with values that have no use for the figures. */
static inline void add_items(observed_tx *tx, const uint8_t *at, const uint8_t *end)
{
    const ftr_observed_attribute *expected = &tx->observer->attributes[tx->generator->first];
    while (at < end) {
        const ftr_item *item = (const ftr_item *)at;
        if (FTR_LIKELY(memcmp(item, &expected->head, sizeof expected->head) == 0)) {
            const ftr_observed_attribute *usual = expected++;
            if (usual->use == FTR_USE_NONE) {
                at += sizeof *item;
                continue;
            }
            if (usual->use == FTR_USE_BYTES) {
                ftr_tx_figures_number(&tx->figures, FTR_MEANS_BYTES, item->value);
                at += sizeof *item;
                continue;
            }
            if (usual->use == FTR_USE_TEXT) {
                at += sizeof *item;
                add_text(tx, usual->meaning, at, item->value);
                at += ftr_item_pad(item->value);
                continue;
            }
        } else if (ftr_item_is_words(item)) {
            add_words(tx, item);
            at += ftr_words_size(item->name_length);
            continue;
        }
        at = add_item(tx, item);
    }
}

/* Adds the items of a transaction that describes the run. */
static __attribute__((noinline)) void add_noted_items(observed_tx *tx, const uint8_t *at,
                                                      const uint8_t *end)
{
    while (at < end)
        at = add_item(tx, (const ftr_item *)at);
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* Returns a bit for each of the first 64 attributes of a generator: see ftr_observed_entity. */
static uint64_t used_words(const ftr_run_observer *observer, const ftr_entity *generator)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < generator->attributes.count && i < 64; i++)
        if (observer->attributes[generator->attributes.first + i].use != FTR_USE_NONE)
            used |= UINT64_C(1) << i;
    return used;
}

static ftr_status enter_generator(ftr_run_observer *observer, uint32_t handle)
{
    const ftr_entity *entity = ftr_definitions_entity(observer->definitions, handle);
    size_t stream;
    size_t generator;
    if (!ftr_array_reach(&observer->entities, &observer->entity_count, handle,
                         sizeof *observer->entities))
        return FTR_ERR_MEMORY;
    ftr_status status = enter_stream(observer, entity->stream, &stream);
    if (status == FTR_OK)
        status = ftr_run_collector_generator(observer->collector, stream, entity->name,
                                             strlen(entity->name), &generator);
    /* A usual item is compared with one attribute more, which never is its own. */
    if (status == FTR_OK && !look_up(observer, entity->attributes.first, entity->attributes.count))
        status = FTR_ERR_MEMORY;
    if (status == FTR_OK)
        observer->entities[handle] = (ftr_observed_entity){
            .number = (uint32_t)generator + 1,
            .notes = ftr_run_collector_notes(observer->collector, generator),
            .has_times = ftr_run_collector_has_times(observer->collector, generator),
            .first = entity->attributes.first,
            .count = entity->attributes.count,
            .used_words = used_words(observer, entity)};
    return status;
}

static inline void add(ftr_run_observer *observer, const ftr_stored_tx *tx, const uint8_t *items,
                       bool is_unfinished)
{
    if (!FTR_LIKELY(tx->generator < observer->entity_count &&
                    observer->entities[tx->generator].number > 0) &&
        observer->status == FTR_OK)
        observer->status = enter_generator(observer, tx->generator);
    if (!FTR_LIKELY(observer->status == FTR_OK))
        return;
    observed_tx observed;
    observed.observer = observer;
    observed.generator = &observer->entities[tx->generator];
    observed.figures = (ftr_tx_figures){.id = tx->id, .begin = tx->begin, .end = tx->end};
    observed.figures.times = observed.generator->has_times ? observed.times : NULL;
    if (FTR_LIKELY(!observed.generator->notes))
        add_items(&observed, items, items + tx->items_size);
    else
        add_noted_items(&observed, items, items + tx->items_size);
    observed.figures.unfinished |= is_unfinished;
    observer->transactions++;
    const ftr_status added = ftr_run_collector_add(
        observer->collector, observed.generator->number - 1, &observed.figures);
    if (!FTR_LIKELY(added == FTR_OK) && observer->status == FTR_OK)
        observer->status = added;
}

void ftr_run_observer_add(ftr_run_observer *observer, const ftr_stored_tx *tx, const uint8_t *items,
                          bool is_unfinished)
{
    add(observer, tx, items, is_unfinished);
}

uint64_t ftr_run_observer_add_records(ftr_run_observer *observer, const uint8_t *from,
                                      const uint8_t *to)
{
    uint64_t latest = 0;
    while (from < to) {
        const ftr_stored_tx *record = (const ftr_stored_tx *)from;
        from += sizeof *record;
        if (!FTR_LIKELY(ftr_record_kind(record) == FTR_RECORD_TX))
            continue;
        latest = record->end > latest ? record->end : latest;
        add(observer, record, from, false);
        from += record->items_size;
    }
    return latest;
}
