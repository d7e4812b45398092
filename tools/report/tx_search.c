/* Tests transactions against the condition of a search. The page gives conditions the same meaning
 * (tools/report/page/run/search.js). Texts are compared as the page has them: cut, with U+FFFD
 * instead of invalid bytes. */
#include "tx_search.h"

#include "report_attributes.h"
#include "run_collector.h"
#include "text_view.h"
#include "condition.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the caches from the ids of texts to the results of a condition. Powers of 2. */
#define NAMES 64u
#define VALUES 4096u

/* Size of a repaired text, in which each byte can become three bytes. */
#define REPAIRED_MAX (3 * FTR_KEPT_TEXT_ROOM)

/* The result of one comparison with the text that has this id in the reader. */
typedef struct known_result {
    uint64_t id;
    bool is_known, fits;
} known_result;

/* The cached results of the comparisons with one text of the condition. */
typedef struct known_results {
    known_result names[NAMES], values[VALUES];
} known_results;

/* The texts of the condition that the name of a generator contains; met: a bit for each text. */
typedef struct known_generator {
    bool is_known;
    uint32_t met;
} known_generator;

/* A text of the condition, with which a transaction is compared. */
typedef struct searched_text {
    const ftr_condition_node *node;
    ftr_view name;                   /* name of the attribute; only for `=` and `~` */
    ftr_view value;                  /* the wanted value; for `=`, as written, otherwise folded */
    bool is_hexadecimal, is_decimal; /* the value is a number of at most 64 bits in this form */
    uint64_t as_number;              /* the number, if is_hexadecimal or is_decimal */
    double as_real;                  /* the value as a real; NAN if it is not a number */
} searched_text;

typedef enum test_kind { TEST_FIELDS, TEST_ATTRIBUTES, TEST_TEXT, TEST_STATE } test_kind;

struct ftr_searched_texts {
    size_t count;
    searched_text of[FTR_SEARCH_TEXTS_MAX];
    /* index of both arrays: number of the node in the condition */
    test_kind kinds[FTR_CONDITION_NODES_MAX];
    uint8_t index[FTR_CONDITION_NODES_MAX]; /* for TEST_TEXT: index of the text in `of` */
};

struct ftr_searching_thread {
    known_results *results; /* an element for each text */
    known_generator *generators;
    size_t generator_count;
    char left[REPAIRED_MAX]; /* the left side of a comparison, if it is a text */
    char repaired[REPAIRED_MAX];
    char cut[FTR_KEPT_TEXT_ROOM];
};

/* A transaction that is tested. */
typedef struct tested_tx {
    const ftr_tx_search *search;
    ftr_searching_thread *thread;
    ftr_reader *reader;
    ftr_transaction *tx;
    const ftr_condition_node *node; /* the node that was tested last */
    bool only_fields; /* attributes are not read: tests of attributes have an unknown result */
} tested_tx;

/* ---- texts ----------------------------------------------------------------------------------- */

/* Returns the text as the page has it: cut, with U+FFFD instead of invalid bytes. */
static ftr_view shown_text(ftr_searching_thread *thread, ftr_view text, char to[REPAIRED_MAX])
{
    const ftr_view kept = ftr_kept_text(text, thread->cut);
    return (ftr_view){to, ftr_utf8_repair((const uint8_t *)kept.data, kept.size, (uint8_t *)to)};
}

static bool is_same(ftr_view a, ftr_view b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static bool has_part(ftr_view text, ftr_view part)
{
    return part.size == 0 ||
           (text.size >= part.size && memmem(text.data, text.size, part.data, part.size) != NULL);
}

static bool contains(ftr_searching_thread *thread, ftr_view text, ftr_view part)
{
    const ftr_view shown = shown_text(thread, text, thread->repaired);
    ftr_fold_text(thread->repaired, shown.size);
    return has_part(shown, part);
}

/* Returns the result of the comparison with a text; computes the result if it is not in the
 * cache. */
static bool look_up(ftr_searching_thread *thread, known_result *known, uint64_t id, ftr_view text,
                    ftr_view wanted, bool is_part)
{
    const bool is_in_dictionary = id != UINT64_MAX; /* otherwise, the text is in the attribute */
    if (!is_in_dictionary || !known->is_known || known->id != id)
        *known =
            (known_result){id, true,
                           is_part ? contains(thread, text, wanted)
                                   : is_same(shown_text(thread, text, thread->repaired), wanted)};
    return known->fits;
}

/* ---- generators ------------------------------------------------------------------------------ */

static size_t append_shown(ftr_view text, char *to)
{
    return text.size == 0 ? 0
                          : ftr_utf8_repair((const uint8_t *)text.data, text.size, (uint8_t *)to);
}

static bool is_word(const searched_text *text)
{
    return text->node->kind == FTR_NODE_TEXT;
}

/* Returns a bit for each word of the condition that "stream.generator" contains. If memory is
 * exhausted, returns no bits. */
static uint32_t compare_generator(const ftr_searched_texts *texts,
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
    for (size_t i = 0; i < texts->count; i++) {
        const searched_text *text = &texts->of[i];
        if (is_word(text) && has_part((ftr_view){name, size}, text->value))
            met |= 1u << i;
    }
    free(name);
    return met;
}

static uint32_t met_by_generator(const ftr_tx_search *search, ftr_searching_thread *thread,
                                 const ftr_generator_info *generator)
{
    if (generator->index >= thread->generator_count) /* not defined */
        return compare_generator(search->texts, generator);
    known_generator *known = &thread->generators[generator->index];
    if (!known->is_known)
        *known = (known_generator){true, compare_generator(search->texts, generator)};
    return known->met;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Returns true if the page shows the value, which is not a text, as the wanted text. */
static bool is_shown_as(const searched_text *wanted, const ftr_attribute_value *attribute,
                        int scale)
{
    char text[FTR_SHOWN_VALUE_MAX];
    const size_t size = ftr_shown_value(attribute, scale, text);
    return is_same((ftr_view){text, size}, wanted->value);
}

/* Compares a number with the wanted value. A hexadecimal value is compared with numbers of all
 * types. A decimal value is not compared with pointers, because the page shows pointers only in
 * hexadecimal. */
static bool is_number(const searched_text *wanted, const ftr_attribute_value *attribute, int scale)
{
    const uint64_t number = attribute->as.number;
    if (wanted->is_hexadecimal)
        return wanted->as_number == number;
    if (attribute->type == FTR_TYPE_TIME) {
        const ftr_view value = wanted->value; /* all times end with a unit */
        return value.size > 0 && value.data[value.size - 1] == 's' &&
               is_shown_as(wanted, attribute, scale);
    }
    return attribute->type != FTR_TYPE_POINTER && wanted->is_decimal && wanted->as_number == number;
}

/* Compares a real with the wanted value. Compares the numbers first, because it takes more time to
 * compute the text. */
static bool is_real(const searched_text *wanted, const ftr_attribute_value *attribute, int scale)
{
    const double real = attribute->as.real;
    const double number = wanted->as_real;
    const bool is_near =
        attribute->real_size == sizeof(double) ? number == real : (float)number == (float)real;
    return (is_near || isnan(real)) && is_shown_as(wanted, attribute, scale);
}

/* Returns true if the value, which is not a text, is equal to the wanted one. */
static bool is_equal(const searched_text *wanted, const ftr_attribute_value *attribute, int scale)
{
    if (attribute->form == FTR_FORM_NUMBER)
        return is_number(wanted, attribute, scale);
    if (attribute->form == FTR_FORM_REAL)
        return is_real(wanted, attribute, scale);
    return is_shown_as(wanted, attribute, scale);
}

/* The text that is shown for a text that the file does not define. */
static const ftr_view NO_VALUE = {"(none)", sizeof "(none)" - 1};

static bool text_fits(ftr_searching_thread *thread, const searched_text *wanted,
                      known_results *results, const ftr_attribute_value *attribute)
{
    const bool is_part = is_word(wanted) || wanted->node->comparison == FTR_PART;
    if (attribute->as.text.data != NULL)
        return look_up(thread, &results->values[attribute->text_id % VALUES], attribute->text_id,
                       attribute->as.text, wanted->value, is_part);
    if (is_word(wanted))
        return false;
    return is_part ? has_part(NO_VALUE, wanted->value) : is_same(NO_VALUE, wanted->value);
}

static bool name_fits(ftr_searching_thread *thread, const searched_text *wanted,
                      known_results *results, const ftr_attribute_value *attribute)
{
    static const ftr_view unknown = {"?", 1};
    const bool is_part = is_word(wanted);
    const ftr_view text = is_part ? wanted->value : wanted->name;
    if (attribute->name.data == NULL)
        return is_part ? contains(thread, unknown, text) : is_same(unknown, text);
    return look_up(thread, &results->names[attribute->name_id % NAMES], attribute->name_id,
                   attribute->name, text, is_part);
}

static bool value_contains(const searched_text *wanted, const ftr_attribute_value *attribute,
                           int scale)
{
    char text[FTR_SHOWN_VALUE_MAX];
    const size_t size = ftr_shown_value(attribute, scale, text);
    ftr_fold_text(text, size);
    return has_part((ftr_view){text, size}, wanted->value);
}

static bool attribute_fits(const tested_tx *t, size_t index, const ftr_attribute_value *attribute)
{
    const searched_text *wanted = &t->search->texts->of[index];
    known_results *results = &t->thread->results[index];
    const int scale = t->search->time_scale;
    const bool named = name_fits(t->thread, wanted, results, attribute);
    if (is_word(wanted) ? named : !named)
        return named;
    if (attribute->form == FTR_FORM_TEXT)
        return text_fits(t->thread, wanted, results, attribute);
    return !is_word(wanted) && wanted->node->comparison == FTR_PART
               ? value_contains(wanted, attribute, scale)
               : is_equal(wanted, attribute, scale);
}

/* ---- states ---------------------------------------------------------------------------------- */

static void add_state(ftr_tx_figures *figures, const ftr_attribute_value *attribute)
{
    const ftr_view name = attribute->name;
    if (attribute->form == FTR_FORM_TEXT) {
        const ftr_view text = attribute->as.text;
        if (text.data != NULL && ftr_may_be_response(text.data, text.size))
            ftr_tx_figures_response(figures, ftr_figure_meaning_of(name.data, name.size), text.data,
                                    text.size);
    } else if (attribute->form == FTR_FORM_BOOLEAN && attribute->as.boolean && name.data != NULL) {
        figures->unfinished |= ftr_figure_meaning_of(name.data, name.size) == FTR_MEANS_UNFINISHED;
    }
}

static ftr_tx_state state_of(const ftr_tx_figures *figures, const ftr_transaction *tx)
{
    const ftr_view kind = tx->generator->stream->kind;
    const ftr_view name = tx->generator->name;
    return (ftr_tx_state){
        .error = ftr_tx_figures_is_error(
            figures, ftr_response_rule_of(kind.data, kind.size, name.data, name.size)),
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

/* ---- fields and attributes ------------------------------------------------------------------- */

static ftr_compared attribute_value(const tested_tx *t, ftr_view name)
{
    ftr_attribute_value attribute;
    ftr_transaction_rewind(t->tx);
    while (ftr_reader_next_attribute(t->reader, t->tx, &attribute)) {
        const ftr_view text = attribute.name.data != NULL ? attribute.name : (ftr_view){"?", 1};
        if (is_same(text, name) || is_same(shown_text(t->thread, text, t->thread->repaired), name))
            return ftr_attribute_compared(&attribute);
    }
    return (ftr_compared){.kind = FTR_COMPARED_ABSENT};
}

/* Gets a value as the page has it: no transaction ends before it begins. */
static ftr_compared get(void *user, const ftr_operand *name)
{
    const tested_tx *t = user;
    ftr_tx_field field = name->field;
    if (field == FTR_FIELD_END && t->tx->end < t->tx->begin)
        field = FTR_FIELD_BEGIN;
    ftr_compared value =
        field != FTR_FIELD_ATTRIBUTE ? ftr_tx_value(t->tx, field) : attribute_value(t, name->text);
    char *to = name == &t->node->a ? t->thread->left : t->thread->repaired;
    if (value.kind == FTR_COMPARED_TEXT)
        value.text = shown_text(t->thread, value.text, to);
    return value;
}

/* ---- transactions ---------------------------------------------------------------------------- */

static bool text_is_found(const tested_tx *t, size_t index)
{
    ftr_attribute_value attribute;
    if ((met_by_generator(t->search, t->thread, t->tx->generator) >> index & 1) != 0)
        return true;
    ftr_transaction_rewind(t->tx);
    while (ftr_reader_next_attribute(t->reader, t->tx, &attribute))
        if (attribute_fits(t, index, &attribute))
            return true;
    return false;
}

static bool node_fits(tested_tx *t, size_t number)
{
    t->node = &t->search->condition.nodes[number];
    switch (t->search->texts->kinds[number]) {
    case TEST_TEXT:
        return text_is_found(t, t->search->texts->index[number]);
    case TEST_STATE: {
        ftr_transaction_rewind(t->tx);
        const ftr_tx_state state = ftr_tx_state_of(t->reader, t->tx);
        return ftr_view_is(t->node->a.text, "error") ? state.error : state.unfinished;
    }
    default:
        return ftr_condition_node_holds(t->node, get, t);
    }
}

static ftr_truth test(void *user, const ftr_condition_node *node)
{
    tested_tx *t = user;
    const size_t number = (size_t)(node - t->search->condition.nodes);
    if (t->only_fields && t->search->texts->kinds[number] != TEST_FIELDS)
        return FTR_UNKNOWN;
    return node_fits(t, number) ? FTR_TRUE : FTR_FALSE;
}

bool ftr_tx_search_meets(ftr_tx_search *search, unsigned thread, ftr_reader *reader,
                         ftr_transaction *tx)
{
    tested_tx t = {search, &search->threads[thread], reader, tx, NULL, search->has_fields};
    ftr_truth truth = ftr_condition_evaluate(&search->condition, test, &t);
    t.only_fields = false;
    if (truth == FTR_UNKNOWN)
        truth = ftr_condition_evaluate(&search->condition, test, &t);
    return truth == FTR_TRUE;
}

/* ---- preparation ----------------------------------------------------------------------------- */

/* Parses digits. @return false if the text is empty or contains a byte that is not a digit, or if
 * the number exceeds 64 bits */
static bool parse_digits(const char *text, size_t size, unsigned base, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < size; i++) {
        const char lower = (char)(text[i] | 0x20);
        const unsigned digit = text[i] >= '0' && text[i] <= '9' ? (unsigned)(text[i] - '0')
                               : lower >= 'a' && lower <= 'f'   ? (unsigned)(lower - 'a') + 10
                                                                : base;
        if (digit >= base || *number > (UINT64_MAX - digit) / base)
            return false;
        *number = *number * base + digit;
    }
    return size > 0;
}

/* Stores the number that a value denotes. Digits with a leading zero are a text, not a decimal. */
static void note_number(searched_text *wanted)
{
    const char *text = wanted->value.data;
    const size_t size = wanted->value.size;
    char real[64], *end;
    wanted->as_real = NAN;
    if (size > 0 && size < sizeof real) {
        memcpy(real, text, size);
        real[size] = '\0';
        wanted->as_real = strtod(real, &end);
        if (end != real + size)
            wanted->as_real = NAN;
    }
    if (size > 2 && text[0] == '0' && (text[1] | 0x20) == 'x')
        wanted->is_hexadecimal = parse_digits(text + 2, size - 2, 16, &wanted->as_number);
    else if (size > 0 && (text[0] != '0' || size == 1))
        wanted->is_decimal = parse_digits(text, size, 10, &wanted->as_number);
}

static bool reads_attribute(const ftr_operand *operand)
{
    return operand->is_name && operand->field == FTR_FIELD_ATTRIBUTE;
}

static test_kind kind_of(const ftr_condition_node *node)
{
    if (node->kind == FTR_NODE_TEXT)
        return !node->is_quoted && (ftr_view_is(node->a.text, "error") ||
                                    ftr_view_is(node->a.text, "unfinished"))
                   ? TEST_STATE
                   : TEST_TEXT;
    if (node->kind == FTR_NODE_COMPARE &&
        (node->comparison == FTR_SHOWN || node->comparison == FTR_PART))
        return TEST_TEXT;
    return reads_attribute(&node->a) || reads_attribute(&node->b) ? TEST_ATTRIBUTES : TEST_FIELDS;
}

static void take_text(ftr_tx_search *search, const ftr_condition_node *node, searched_text *wanted)
{
    const bool is_named = node->kind == FTR_NODE_COMPARE;
    *wanted = (searched_text){.node = node, .value = is_named ? node->b.text : node->a.text};
    if (is_named)
        wanted->name = node->a.text;
    if (!is_named || node->comparison == FTR_PART) /* a folded text has the same size */
        wanted->value.data = search->folded + (wanted->value.data - search->condition.text);
    note_number(wanted);
}

/* @return false if there are too many texts */
static bool take_nodes(ftr_tx_search *search)
{
    ftr_searched_texts *texts = search->texts;
    for (size_t i = 0; i < search->condition.count; i++) {
        const ftr_condition_node *node = &search->condition.nodes[i];
        if (node->kind <= FTR_NODE_NOT)
            continue;
        texts->kinds[i] = kind_of(node);
        search->has_fields |= texts->kinds[i] == TEST_FIELDS;
        if (texts->kinds[i] != TEST_TEXT)
            continue;
        if (texts->count == FTR_SEARCH_TEXTS_MAX)
            return false;
        texts->index[i] = (uint8_t)texts->count;
        take_text(search, node, &texts->of[texts->count++]);
    }
    return true;
}

static bool open_threads(ftr_tx_search *search, unsigned threads, size_t generators)
{
    search->threads = calloc(threads, sizeof *search->threads);
    if (search->threads == NULL)
        return false;
    search->thread_count = threads;
    for (unsigned i = 0; i < threads; i++) {
        ftr_searching_thread *thread = &search->threads[i];
        thread->results = calloc(search->texts->count + 1, sizeof *thread->results);
        thread->generators = calloc(generators + 1, sizeof *thread->generators);
        thread->generator_count = generators;
        if (thread->results == NULL || thread->generators == NULL)
            return false;
    }
    return true;
}

ftr_status ftr_tx_search_init(ftr_tx_search *search, const char *text, int time_scale,
                              unsigned threads, size_t generators, ftr_condition_error *error)
{
    *search = (ftr_tx_search){.time_scale = time_scale};
    ftr_status status = ftr_condition_parse(text, true, time_scale, &search->condition, error);
    if (status != FTR_OK)
        return status;
    search->folded = strdup(text);
    search->texts = calloc(1, sizeof *search->texts);
    if (search->folded == NULL || search->texts == NULL)
        return FTR_ERR_MEMORY;
    ftr_fold_text(search->folded, strlen(search->folded));
    if (!take_nodes(search)) {
        *error = (ftr_condition_error){1, "the search has more than 32 words"};
        return FTR_ERR_FORMAT;
    }
    return open_threads(search, threads, generators) ? FTR_OK : FTR_ERR_MEMORY;
}

void ftr_tx_search_release(ftr_tx_search *search)
{
    for (unsigned i = 0; i < search->thread_count; i++) {
        free(search->threads[i].results);
        free(search->threads[i].generators);
    }
    free(search->threads);
    free(search->texts);
    free(search->folded);
    ftr_condition_release(&search->condition);
    *search = (ftr_tx_search){0};
}
