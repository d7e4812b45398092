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
    free(observer->numbers);
    free(observer->meanings);
    *observer = (ftr_run_observer){0};
}

/* ---- definitions ------------------------------------------------------------------------------
 */

static size_t *number_at(ftr_run_observer *observer, uint32_t handle)
{
    return ftr_array_reach(&observer->numbers, &observer->number_count, handle,
                           sizeof *observer->numbers)
               ? &observer->numbers[handle]
               : NULL;
}

static ftr_status enter_stream(ftr_run_observer *observer, uint32_t handle, size_t *stream)
{
    const ftr_entity *entity = ftr_definitions_entity(observer->definitions, handle);
    const char *kind = entity->stream_kind != NULL ? entity->stream_kind : "";
    size_t *number = number_at(observer, handle);
    if (number == NULL)
        return FTR_ERR_MEMORY;
    if (*number == 0) {
        const ftr_status status = ftr_run_collector_stream(
            observer->collector, entity->name, strlen(entity->name), kind, strlen(kind), stream);
        if (status != FTR_OK)
            return status;
        *number = *stream + 1;
    }
    *stream = *number - 1;
    return FTR_OK;
}

static ftr_status enter_generator(ftr_run_observer *observer, uint32_t handle, size_t *generator)
{
    const ftr_entity *entity = ftr_definitions_entity(observer->definitions, handle);
    size_t stream;
    size_t *number = number_at(observer, handle);
    if (number == NULL)
        return FTR_ERR_MEMORY;
    if (*number > 0) {
        *generator = *number - 1;
        return FTR_OK;
    }
    ftr_status status = enter_stream(observer, entity->stream, &stream);
    if (status == FTR_OK)
        status = ftr_run_collector_generator(observer->collector, stream, entity->name,
                                             strlen(entity->name), generator);
    if (status == FTR_OK)
        *number_at(observer, handle) = *generator + 1;
    return status;
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

/* ---- transactions -----------------------------------------------------------------------------
 */

/* The transaction that is being added. `generator` is a number in the collector. `notes`: see
 * ftr_run_collector_notes(). */
typedef struct observed_tx {
    ftr_run_observer *observer;
    size_t generator;
    bool notes;
    ftr_tx_figures figures;
    ftr_tx_time times[FTR_TIMES_MAX];
} observed_tx;

static void add_value(observed_tx *tx, ftr_figure_meaning meaning, const char *name,
                      size_t name_size, const ftr_item *item, const uint8_t *text)
{
    ftr_figure_attribute attribute = {
        .name = name, .name_size = name_size, .is_time = item->type == FTR_TYPE_TIME};
    const uint8_t form = item->form & FTR_ITEM_FORM_MASK;
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
    if (tx->notes && tx->observer->status == FTR_OK)
        tx->observer->status =
            ftr_run_collector_note(tx->observer->collector, tx->generator, &attribute);
}

/* Returns the meaning of a declared attribute. Its name is compared only once. */
static ftr_figure_meaning meaning_of(ftr_run_observer *observer, uint32_t index)
{
    if (index < observer->meaning_count && observer->meanings[index] > 0)
        return (ftr_figure_meaning)(observer->meanings[index] - 1);
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(observer->definitions, index);
    const ftr_figure_meaning meaning =
        ftr_figure_meaning_of(attribute->name, strlen(attribute->name));
    if (ftr_array_reach(&observer->meanings, &observer->meaning_count, index,
                        sizeof *observer->meanings))
        observer->meanings[index] = (uint8_t)(meaning + 1);
    return meaning;
}

static void add_declared(observed_tx *tx, const ftr_item *item, const uint8_t *text)
{
    const ftr_declared_attribute *attribute =
        ftr_definitions_attribute(tx->observer->definitions, item->attribute);
    const ftr_figure_meaning meaning = meaning_of(tx->observer, item->attribute);
    const uint8_t form = item->form & FTR_ITEM_FORM_MASK;
    const bool is_text = form == FTR_ITEM_FORM_DEFINED || form == FTR_ITEM_FORM_TEXT;
    /* Most attributes have no meaning for the figures. The name of a response can be the text of
     * any attribute. */
    if (meaning == FTR_MEANS_NOTHING && !is_text && !tx->notes && item->type != FTR_TYPE_TIME)
        return;
    add_value(tx, meaning, attribute->name, strlen(attribute->name), item, text);
}

/* Adds declared attributes that were recorded as words. */
static void add_words(observed_tx *tx, const ftr_item *words)
{
    const uint64_t *word = &words->value;
    for (uint32_t i = 0; i < words->name_length; i++) {
        const uint32_t index = (words->attribute ^ FTR_ITEM_WORDS) + i;
        const ftr_declared_attribute *attribute =
            ftr_definitions_attribute(tx->observer->definitions, index);
        const ftr_item item = {.attribute = index,
                               .type = attribute->type,
                               .form = ftr_word_form(attribute->form),
                               .value = word[i]};
        add_declared(tx, &item, NULL);
    }
}

static void add_items(observed_tx *tx, const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        const ftr_item *item = (const ftr_item *)at;
        at += sizeof *item;
        if (item->attribute == FTR_ITEM_NAMED) {
            const char *name = (const char *)at;
            at += ftr_item_pad(item->name_length);
            add_value(tx, ftr_figure_meaning_of(name, item->name_length), name, item->name_length,
                      item, at);
        } else if (ftr_item_is_words(item)) {
            add_words(tx, item);
            at += ftr_words_size(item->name_length) - sizeof *item;
            continue;
        } else {
            add_declared(tx, item, at);
        }
        at += ftr_item_text_size(item);
    }
}

void ftr_run_observer_add(ftr_run_observer *observer, const ftr_stored_tx *tx, const uint8_t *items,
                          bool is_unfinished)
{
    observed_tx observed;
    observed.observer = observer;
    observed.figures =
        (ftr_tx_figures){.id = tx->id, .begin = tx->begin, .end = tx->end, .times = observed.times};
    if (observer->status != FTR_OK)
        return;
    observer->status = enter_generator(observer, tx->generator, &observed.generator);
    if (observer->status != FTR_OK)
        return;
    observed.notes = ftr_run_collector_notes(observer->collector, observed.generator);
    add_items(&observed, items, items + tx->items_size);
    observed.figures.unfinished |= is_unfinished;
    observer->transactions++;
    if (observer->status == FTR_OK)
        observer->status =
            ftr_run_collector_add(observer->collector, observed.generator, &observed.figures);
}
