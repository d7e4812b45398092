/* The pass over all transactions that finds the attributes of generators. The reading threads find
 * the kinds of the attributes. The calling thread counts the attributes in stored order, so the
 * result does not depend on the number of threads. */
#include "attribute_kinds.h"
#include "generator_attributes.h"
#include "growing_array.h"
#include "text_view.h"
#include "attribute_types.h"

#include <stdlib.h>
#include <string.h>

/* Upper bounds for the sizes in an output file, in bytes: of a transaction without its attributes,
 * and of an attribute without its value. */
#define TRANSACTION_BYTES 64
#define ATTRIBUTE_BYTES 11

/* A thread appends this many numbers at once. */
#define NUMBERS_AT_ONCE 32u

/* The state of a thread that reads. */
typedef struct searching_thread {
    ftr_recent_kinds recent;
    size_t largest; /* upper bound for the size of a transaction in an output file, in bytes */
} searching_thread;

/* The attributes of a generator while they are counted. */
typedef struct counted_generator {
    /* kind of each attribute; index: index of the attribute in the table of the generator */
    uint32_t *kinds;
    size_t kind_capacity;
    /* `last`: the kinds of the attributes of the last transaction; `entries`: the indices of these
     * attributes in the table. Until the table changes, further transactions with the same kinds
     * have the same indices. */
    uint32_t *last;
    size_t *entries;
    size_t last_count, last_capacity, entry_capacity;
    bool has_last;
    uint64_t repeats; /* number of transactions with the kinds in `last` that are not counted yet */
} counted_generator;

typedef struct search {
    ftr_attribute_tables *tables;
    ftr_attribute_kinds kinds;
    searching_thread *threads;
    counted_generator *generators; /* index: number of the generator */
    size_t generator_count;
} search;

/* ---- on any thread --------------------------------------------------------------------------- */

/* Returns an upper bound for the size of an attribute, with its value, in an output file. */
static size_t value_size(const ftr_attribute_value *attribute)
{
    if (attribute->form == FTR_FORM_TEXT)
        return ATTRIBUTE_BYTES + attribute->as.text.size;
    return ATTRIBUTE_BYTES +
           (ftr_attribute_kind_form(attribute) == FTR_FORM_TEXT ? FTR_VECTOR_DIGITS : 8);
}

static void append(ftr_prepared *prepared, const uint32_t *numbers, size_t count)
{
    void *room = ftr_prepared_append(prepared, count * sizeof *numbers);
    if (room != NULL)
        memcpy(room, numbers, count * sizeof *numbers);
}

/* Appends the number of the generator, and the kinds of the attributes that have a value. */
static bool prepare_kinds(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                          ftr_prepared *prepared)
{
    search *s = user;
    searching_thread *state = &s->threads[thread];
    ftr_attribute_value attribute;
    uint32_t numbers[NUMBERS_AT_ONCE];
    size_t count = 1;
    size_t size = TRANSACTION_BYTES;
    numbers[0] = tx->generator->index;
    while (ftr_reader_next_attribute(reader, tx, &attribute)) {
        if (attribute.form == FTR_FORM_NONE)
            continue;
        if (count == NUMBERS_AT_ONCE) {
            append(prepared, numbers, count);
            count = 0;
        }
        numbers[count++] = ftr_attribute_kinds_find(&s->kinds, &state->recent, &attribute);
        size += value_size(&attribute);
    }
    append(prepared, numbers, count);
    state->largest = size > state->largest ? size : state->largest;
    return true;
}

/* ---- on the calling thread ------------------------------------------------------------------- */

static bool add(search *s, ftr_generator_attributes *generator, counted_generator *counted,
                uint32_t number)
{
    const ftr_attribute_kind kind = ftr_attribute_kinds_get(&s->kinds, number);
    if (!ftr_array_grow(&counted->kinds, &counted->kind_capacity, generator->count,
                        sizeof *counted->kinds))
        return false;
    const ftr_found_attribute found = {.name = ftr_text_duplicate(kind.name, kind.name_size),
                                       .name_size = kind.name_size,
                                       .class_ = kind.class_,
                                       .type = kind.type,
                                       .form = kind.form};
    counted->kinds[generator->count] = number;
    if (found.name != NULL && ftr_attribute_add(generator, found))
        return true;
    free(found.name);
    return false;
}

/* Does the same as ftr_attribute_visit(), for an attribute of the kind @p number. Returns the index
 * of the attribute in the table, or the number of attributes if the table does not contain it. */
static size_t visit(search *s, ftr_generator_attributes *generator,
                    const counted_generator *counted, uint32_t number)
{
    if (ftr_attribute_is_next(generator) && counted->kinds[generator->next] == number) {
        generator->attributes[generator->next].visit = generator->visit;
        return generator->next++;
    }
    const ftr_attribute_kind kind = ftr_attribute_kinds_get(&s->kinds, number);
    char *name;
    memcpy(&name, &kind.name, sizeof name);
    const ftr_found_attribute like = {.name = name,
                                      .name_size = kind.name_size,
                                      .class_ = kind.class_,
                                      .type = kind.type,
                                      .form = kind.form};
    const ftr_found_attribute *found = ftr_attribute_visit_like(generator, &like);
    return found != NULL ? (size_t)(found - generator->attributes) : generator->count;
}

static void count_last(ftr_generator_attributes *generator, counted_generator *counted)
{
    for (size_t i = 0; i < counted->last_count; i++)
        generator->attributes[counted->entries[i]].present += counted->repeats;
    counted->repeats = 0;
}

/* Counts the attributes of a transaction. The kinds of these attributes differ from the kinds of
 * the attributes of the last transaction. Returns false if out of memory. */
static bool count_others(search *s, ftr_generator_attributes *generator, counted_generator *counted,
                         const uint32_t *kinds, size_t count)
{
    const size_t before = generator->count;
    count_last(generator, counted);
    counted->last_count = 0;
    if (!ftr_array_fit(&counted->last, &counted->last_capacity, count, sizeof *counted->last) ||
        !ftr_array_fit(&counted->entries, &counted->entry_capacity, count,
                       sizeof *counted->entries))
        return false;
    ftr_attribute_visit_begin(generator);
    for (size_t i = 0; i < count; i++) {
        if (kinds[i] == UINT32_MAX)
            return false;
        const size_t found = visit(s, generator, counted, kinds[i]);
        if (found == generator->count && !add(s, generator, counted, kinds[i]))
            return false;
        counted->last[i] = kinds[i];
        counted->entries[i] = found;
    }
    counted->last_count = count;
    counted->repeats = 1;
    /* If attributes were added to the table, the next visit could find other attributes. */
    counted->has_last = generator->count == before;
    return true;
}

static bool count_transaction(search *s, const uint32_t *numbers, size_t count)
{
    ftr_attribute_tables *tables = s->tables;
    const uint32_t index = numbers[0];
    if (!ftr_array_reach(&tables->generators, &tables->count, index, sizeof *tables->generators) ||
        !ftr_array_reach(&s->generators, &s->generator_count, index, sizeof *s->generators))
        return false;
    ftr_generator_attributes *generator = &tables->generators[index];
    counted_generator *counted = &s->generators[index];
    const uint32_t *kinds = numbers + 1;
    count--;
    tables->transactions++;
    generator->transactions++;
    if (counted->has_last && counted->last_count == count &&
        (count == 0 || memcmp(counted->last, kinds, count * sizeof *kinds) == 0)) {
        counted->repeats++;
        return true;
    }
    return count_others(s, generator, counted, kinds, count);
}

static ftr_status read_all(search *s, ftr_reader *reader, unsigned threads)
{
    const ftr_query query = {
        .size = sizeof query, .threads = threads, .prepare = prepare_kinds, .prepare_user = s};
    ftr_cursor *cursor;
    const void *bytes;
    size_t size;
    ftr_status status = ftr_cursor_open(reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next_prepared(cursor, &bytes, &size)) == FTR_OK)
        if (!count_transaction(s, bytes, size / sizeof(uint32_t))) {
            status = FTR_ERR_MEMORY;
            break;
        }
    ftr_cursor_close(cursor);
    return status == FTR_ERR_END ? FTR_OK : status;
}

ftr_status ftr_attribute_tables_find(ftr_attribute_tables *tables, ftr_reader *reader,
                                     unsigned threads)
{
    search s = {.tables = tables, .kinds = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    *tables = (ftr_attribute_tables){0};
    threads = threads > 0 ? threads : 1;
    s.threads = calloc(threads, sizeof *s.threads);
    const ftr_status status = s.threads != NULL ? read_all(&s, reader, threads) : FTR_ERR_MEMORY;
    for (unsigned i = 0; i < threads && s.threads != NULL; i++)
        if (s.threads[i].largest > tables->largest)
            tables->largest = s.threads[i].largest;
    for (size_t i = 0; i < s.generator_count; i++) {
        count_last(&tables->generators[i], &s.generators[i]);
        free(s.generators[i].kinds);
        free(s.generators[i].last);
        free(s.generators[i].entries);
    }
    free(s.generators);
    free(s.threads);
    ftr_attribute_kinds_release(&s.kinds);
    return status;
}
