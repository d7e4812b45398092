/* Owns the meaning of conditions. The page has the same meaning (report/page/run/search.js). Does
 * not know the order in which transactions are read, or the limit of results. */
#include "tx_search.h"

#include "copied_attributes.h"
#include "folded_text.h"
#include "run_collector.h"
#include "shown_value.h"
#include "text_view.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the caches from the ids of texts to the results of a condition. Powers of 2. */
#define NAMES 64u
#define VALUES 4096u

/* Size of a repaired text: each byte can become three. */
#define REPAIRED_MAX (3 * FTR_KEPT_TEXT_ROOM)

/* A result for the text with this id in the reader. */
typedef struct known_result {
    uint64_t id;
    bool is_known, fits;
} known_result;

/* The results of a condition. */
typedef struct known_results {
    known_result names[NAMES], values[VALUES];
} known_results;

/* The conditions that the name of a generator meets. */
typedef struct known_generator {
    bool is_known;
    uint32_t met;
} known_generator;

struct ftr_searching_thread {
    known_results *results; /* of each condition */
    known_generator *generators;
    size_t generator_count;
    char repaired[REPAIRED_MAX];
    char cut[FTR_KEPT_TEXT_ROOM];
};

/* ---- texts ----------------------------------------------------------------------------------- */

/* Returns the text as the page has it: cut, with U+FFFD instead of invalid bytes. */
static ftr_view shown_text(ftr_searching_thread *thread, ftr_view text)
{
    const ftr_view kept = ftr_kept_text(text, thread->cut);
    const size_t size =
        ftr_utf8_repair((const uint8_t *)kept.data, kept.size, (uint8_t *)thread->repaired);
    return (ftr_view){thread->repaired, size};
}

static bool is_same(ftr_view a, ftr_view b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool contains(ftr_searching_thread *thread, ftr_view text, ftr_view part)
{
    const ftr_view shown = shown_text(thread, text);
    ftr_fold_text(thread->repaired, shown.size);
    return ftr_text_contains(shown.data, shown.size, part.data, part.size);
}

/* Returns the result for a text; computes it if it is not in the cache. */
static bool look_up(ftr_searching_thread *thread, known_result *known, uint64_t id, ftr_view text,
                    ftr_view wanted, bool is_part)
{
    const bool is_in_dictionary = id != UINT64_MAX; /* otherwise, the text is in the attribute */
    if (!is_in_dictionary || !known->is_known || known->id != id)
        *known = (known_result){id, true,
                                is_part ? contains(thread, text, wanted)
                                        : is_same(shown_text(thread, text), wanted)};
    return known->fits;
}

/* ---- generators ------------------------------------------------------------------------------ */

static size_t append_shown(ftr_view text, char *to)
{
    return text.size == 0 ? 0
                          : ftr_utf8_repair((const uint8_t *)text.data, text.size, (uint8_t *)to);
}

/* Returns a bit for each condition that "stream.generator" meets. If memory is exhausted, returns
 * none. */
static uint32_t compare_generator(const ftr_search_conditions *conditions,
                                  const ftr_generator_info *generator)
{
    const ftr_view stream = generator->stream->name;
    char *name = malloc(3 * (stream.size + generator->name.size) + 1);
    uint32_t met = 0;
    if (name == NULL)
        return 0;
    size_t size = append_shown(stream, name);
    name[size++] = '.';
    size += append_shown(generator->name, name + size);
    ftr_fold_text(name, size);
    for (size_t i = 0; i < conditions->count; i++) {
        const ftr_search_condition *condition = &conditions->of[i];
        if (condition->kind == FTR_SEARCH_TEXT &&
            ftr_text_contains(name, size, condition->value.data, condition->value.size))
            met |= 1u << i;
    }
    free(name);
    return met;
}

static uint32_t met_by_generator(const ftr_tx_search *search, ftr_searching_thread *thread,
                                 const ftr_generator_info *generator)
{
    if (generator->index >= thread->generator_count) /* not defined */
        return compare_generator(search->conditions, generator);
    known_generator *known = &thread->generators[generator->index];
    if (!known->is_known)
        *known = (known_generator){true, compare_generator(search->conditions, generator)};
    return known->met;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns true if the text of a value that is not a text is the wanted one. */
static bool is_shown_as(const ftr_search_condition *condition, const ftr_attribute_value *attribute,
                        int scale)
{
    char text[FTR_SHOWN_VALUE_MAX];
    const size_t size = ftr_shown_value(attribute, scale, text);
    return is_same((ftr_view){text, size}, condition->value);
}

/* Compares a number. Hexadecimal numbers fit all types; the page shows pointers only in this form.
 */
static bool is_number(const ftr_search_condition *condition, const ftr_attribute_value *attribute,
                      int scale)
{
    const uint64_t number = attribute->as.number;
    if (condition->is_hexadecimal)
        return condition->as_number == number;
    if (attribute->type == FTR_TYPE_TIME) {
        const ftr_view value = condition->value; /* all times end with a unit */
        return value.size > 0 && value.data[value.size - 1] == 's' &&
               is_shown_as(condition, attribute, scale);
    }
    return attribute->type != FTR_TYPE_POINTER && condition->is_decimal &&
           condition->as_number == number;
}

/* Compares a real: first the numbers, because the text takes more time. */
static bool is_real(const ftr_search_condition *condition, const ftr_attribute_value *attribute,
                    int scale)
{
    const double real = attribute->as.real;
    const double wanted = condition->as_real;
    const bool is_near =
        attribute->real_size == sizeof(double) ? wanted == real : (float)wanted == (float)real;
    return (is_near || isnan(real)) && is_shown_as(condition, attribute, scale);
}

/* Returns true if the value, which is not a text, is the wanted one. */
static bool is_equal(const ftr_search_condition *condition, const ftr_attribute_value *attribute,
                     int scale)
{
    if (attribute->form == FTR_FORM_NUMBER)
        return is_number(condition, attribute, scale);
    if (attribute->form == FTR_FORM_REAL)
        return is_real(condition, attribute, scale);
    return is_shown_as(condition, attribute, scale);
}

/* The text of a value that the file does not define. */
static const ftr_view NO_VALUE = {"(none)", sizeof "(none)" - 1};

static bool text_fits(ftr_searching_thread *thread, const ftr_search_condition *condition,
                      known_results *results, const ftr_attribute_value *attribute)
{
    const bool is_part = condition->kind != FTR_SEARCH_EQUAL;
    if (attribute->as.text.data != NULL)
        return look_up(thread, &results->values[attribute->text_id % VALUES], attribute->text_id,
                       attribute->as.text, condition->value, is_part);
    if (condition->kind == FTR_SEARCH_TEXT)
        return false;
    return is_part ? ftr_text_contains(NO_VALUE.data, NO_VALUE.size, condition->value.data,
                                       condition->value.size)
                   : is_same(NO_VALUE, condition->value);
}

static bool name_fits(ftr_searching_thread *thread, const ftr_search_condition *condition,
                      known_results *results, const ftr_attribute_value *attribute)
{
    static const ftr_view unknown = {"?", 1};
    const bool is_part = condition->kind == FTR_SEARCH_TEXT;
    const ftr_view wanted = is_part ? condition->value : condition->name;
    if (attribute->name.data == NULL)
        return is_part ? contains(thread, unknown, wanted) : is_same(unknown, wanted);
    return look_up(thread, &results->names[attribute->name_id % NAMES], attribute->name_id,
                   attribute->name, wanted, is_part);
}

static bool value_contains(const ftr_search_condition *condition,
                           const ftr_attribute_value *attribute, int scale)
{
    char text[FTR_SHOWN_VALUE_MAX];
    const size_t size = ftr_shown_value(attribute, scale, text);
    ftr_fold_text(text, size);
    return ftr_text_contains(text, size, condition->value.data, condition->value.size);
}

static bool attribute_fits(const ftr_tx_search *search, ftr_searching_thread *thread, size_t index,
                           const ftr_attribute_value *attribute)
{
    const ftr_search_condition *condition = &search->conditions->of[index];
    known_results *results = &thread->results[index];
    const bool named = name_fits(thread, condition, results, attribute);
    if (condition->kind == FTR_SEARCH_TEXT ? named : !named)
        return named;
    if (attribute->form == FTR_FORM_TEXT)
        return text_fits(thread, condition, results, attribute);
    return condition->kind == FTR_SEARCH_PART
               ? value_contains(condition, attribute, search->time_scale)
               : is_equal(condition, attribute, search->time_scale);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void add_state(ftr_tx_figures *figures, const ftr_attribute_value *attribute)
{
    if (attribute->form == FTR_FORM_TEXT) {
        const ftr_view text = attribute->as.text;
        if (text.data != NULL && ftr_may_be_response(text.data, text.size))
            ftr_tx_figures_response(figures, text.data, text.size);
    } else if (attribute->form == FTR_FORM_BOOLEAN && attribute->as.boolean &&
               attribute->name.data != NULL) {
        figures->unfinished |= ftr_figure_meaning_of(attribute->name.data, attribute->name.size) ==
                               FTR_MEANS_UNFINISHED;
    }
}

static ftr_tx_state state_of(const ftr_tx_figures *figures, const ftr_transaction *tx)
{
    const ftr_view kind = tx->generator->stream->kind;
    const ftr_view name = tx->generator->name;
    return (ftr_tx_state){
        .error = figures->error ||
                 (figures->incomplete &&
                  ftr_generator_has_responses(kind.data, kind.size, name.data, name.size)),
        .unfinished = figures->unfinished,
    };
}

ftr_tx_state ftr_tx_state_of(ftr_reader *reader, ftr_transaction *tx)
{
    ftr_tx_figures figures = {0};
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(reader, tx, &attribute))
        add_state(&figures, &attribute);
    ftr_transaction_rewind(tx);
    return state_of(&figures, tx);
}

static bool state_fits(const ftr_tx_search *search, const ftr_tx_figures *figures,
                       const ftr_transaction *tx)
{
    const ftr_tx_state state = state_of(figures, tx);
    for (uint32_t left = search->by_state; left != 0; left &= left - 1) {
        const ftr_search_kind kind = search->conditions->of[__builtin_ctz(left)].kind;
        if (kind == FTR_SEARCH_ERROR ? !state.error : !state.unfinished)
            return false;
    }
    return true;
}

/* ---- transactions ---------------------------------------------------------------------------- */

static bool numbers_fit(const ftr_tx_search *search, const ftr_transaction *tx)
{
    const uint64_t duration = tx->end > tx->begin ? tx->end - tx->begin : 0;
    for (uint32_t left = search->numeric; left != 0; left &= left - 1)
        if (!ftr_search_number_fits(&search->conditions->of[__builtin_ctz(left)], tx->id, duration))
            return false;
    return true;
}

bool ftr_tx_search_meets(ftr_tx_search *search, unsigned thread_number, ftr_reader *reader,
                         ftr_transaction *tx)
{
    ftr_searching_thread *thread = &search->threads[thread_number];
    const uint32_t all = (uint32_t)((UINT64_C(1) << search->conditions->count) - 1);
    ftr_tx_figures figures = {0};
    ftr_attribute_value attribute;
    if (!numbers_fit(search, tx))
        return false;
    uint32_t open = all & ~search->numeric & ~search->by_state;
    if (open != 0)
        open &= ~met_by_generator(search, thread, tx->generator);
    while ((open != 0 || search->by_state != 0) &&
           ftr_reader_next_attribute(reader, tx, &attribute)) {
        for (uint32_t left = open; left != 0; left &= left - 1) {
            const unsigned index = (unsigned)__builtin_ctz(left);
            if (attribute_fits(search, thread, index, &attribute))
                open &= ~(1u << index);
        }
        if (search->by_state != 0)
            add_state(&figures, &attribute);
    }
    return open == 0 && (search->by_state == 0 || state_fits(search, &figures, tx));
}

bool ftr_tx_search_init(ftr_tx_search *search, const ftr_search_conditions *conditions,
                        int time_scale, unsigned threads, size_t generators)
{
    *search = (ftr_tx_search){.conditions = conditions, .time_scale = time_scale};
    for (size_t i = 0; i < conditions->count; i++) {
        const ftr_search_kind kind = conditions->of[i].kind;
        if (kind == FTR_SEARCH_ERROR || kind == FTR_SEARCH_UNFINISHED)
            search->by_state |= 1u << i;
        else if (kind >= FTR_SEARCH_ID)
            search->numeric |= 1u << i;
    }
    search->threads = calloc(threads, sizeof *search->threads);
    if (search->threads == NULL)
        return false;
    search->thread_count = threads;
    for (unsigned i = 0; i < threads; i++) {
        ftr_searching_thread *thread = &search->threads[i];
        thread->results = calloc(conditions->count + 1, sizeof *thread->results);
        thread->generators = calloc(generators + 1, sizeof *thread->generators);
        thread->generator_count = generators;
        if (thread->results == NULL || thread->generators == NULL)
            return false;
    }
    return true;
}

void ftr_tx_search_release(ftr_tx_search *search)
{
    for (unsigned i = 0; i < search->thread_count; i++) {
        free(search->threads[i].results);
        free(search->threads[i].generators);
    }
    free(search->threads);
    *search = (ftr_tx_search){0};
}
