/* The tables of attributes, and the search in them. */
#include "generator_attributes.h"

#include "attribute_kinds.h"
#include "growing_array.h"
#include "hash.h"
#include "open_table.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16
/* An additional form, which is equal to every form. A search with it finds attributes that differ
 * only in their form. */
#define EVERY_FORM ((ftr_form)0x7f)

/* The parts of an attribute that a generator's table distinguishes. */
typedef struct attribute_key {
    const ftr_generator_attributes *generator;
    ftr_view name;
    ftr_attribute_class class_;
    ftr_type type;
    ftr_form form;
} attribute_key;

/* ---- the hash table -------------------------------------------------------------------------- */

static bool is_free(const void *slot)
{
    return ((const ftr_same_attributes *)slot)->first == 0;
}

static uint64_t hash_of(const void *slot)
{
    return ((const ftr_same_attributes *)slot)->hash;
}

static bool is_kind(const ftr_found_attribute *found, const attribute_key *key)
{
    return found->class_ == key->class_ && found->type == key->type &&
           (key->form == EVERY_FORM || found->form == key->form) &&
           found->name_size == key->name.size &&
           (found->name_size == 0 || memcmp(found->name, key->name.data, found->name_size) == 0);
}

static bool has_key(const void *slot, const void *wanted)
{
    const attribute_key *key = wanted;
    const ftr_same_attributes *same = slot;
    return is_kind(&key->generator->attributes[same->first - 1], key);
}

static const ftr_table_rule RULE = {sizeof(ftr_same_attributes), 0, is_free, has_key, hash_of};

static uint64_t hash_key(const attribute_key *key)
{
    const uint64_t kind = (uint64_t)key->class_ << 16 ^ (uint64_t)key->type << 8;
    const uint64_t hash =
        ftr_hash_mix(ftr_hash_text(FTR_HASH_SEED, key->name.data, key->name.size), kind);
    return hash ^ hash >> 32;
}

/* Returns the slot of a kind; NULL if the table does not contain this kind. The hash does not
 * depend on the form, so that a search with EVERY_FORM finds the slot, too. */
static ftr_same_attributes *find(const ftr_generator_attributes *generator,
                                 const attribute_key *key)
{
    if (generator->same_count == 0)
        return NULL;
    ftr_same_attributes *same =
        ftr_table_search(&RULE, generator->same, generator->same_capacity, hash_key(key), key);
    return is_free(same) ? NULL : same;
}

/* ---- visits ---------------------------------------------------------------------------------- */

void ftr_attribute_visit_begin(ftr_generator_attributes *generator)
{
    generator->visit++;
    generator->next = 0;
}

static ftr_found_attribute *take(ftr_generator_attributes *generator, size_t at)
{
    ftr_found_attribute *found = &generator->attributes[at];
    found->visit = generator->visit;
    generator->next = at + 1;
    return found;
}

static ftr_found_attribute *visit(ftr_generator_attributes *generator, const attribute_key *key)
{
    if (ftr_attribute_is_next(generator) && is_kind(&generator->attributes[generator->next], key))
        return take(generator, generator->next);
    ftr_same_attributes *same = find(generator, key);
    if (same == NULL)
        return NULL;
    if (same->visit != generator->visit) {
        same->visit = generator->visit;
        same->candidate = same->first;
    }
    while (same->candidate != 0 &&
           generator->attributes[same->candidate - 1].visit == generator->visit)
        same->candidate = generator->attributes[same->candidate - 1].following;
    return same->candidate != 0 ? take(generator, same->candidate - 1) : NULL;
}

ftr_found_attribute *ftr_attribute_visit(ftr_generator_attributes *generator,
                                         const ftr_attribute_value *attribute)
{
    const attribute_key key = {generator, attribute->name, attribute->class_, attribute->type,
                               ftr_attribute_kind_form(attribute)};
    return visit(generator, &key);
}

static attribute_key key_of(const ftr_generator_attributes *generator,
                            const ftr_found_attribute *found)
{
    return (attribute_key){
        generator, {found->name, found->name_size}, found->class_, found->type, found->form};
}

ftr_found_attribute *ftr_attribute_visit_like(ftr_generator_attributes *generator,
                                              const ftr_found_attribute *like)
{
    const attribute_key key = key_of(generator, like);
    return visit(generator, &key);
}

/* ---- tables ---------------------------------------------------------------------------------- */

bool ftr_attribute_add(ftr_generator_attributes *generator, ftr_found_attribute added)
{
    const attribute_key key = key_of(generator, &added);
    attribute_key each_form = key;
    each_form.form = EVERY_FORM;
    if (generator->count >= UINT32_MAX ||
        !ftr_array_grow(&generator->attributes, &generator->capacity, generator->count,
                        sizeof *generator->attributes) ||
        !ftr_table_grow(&RULE, &generator->same, &generator->same_capacity, generator->same_count,
                        FIRST_SLOTS))
        return false;
    const uint32_t number = (uint32_t)generator->count + 1;
    added.is_repeated = find(generator, &each_form) != NULL;
    ftr_same_attributes *same = find(generator, &key);
    if (same == NULL) {
        same = ftr_table_search(&RULE, generator->same, generator->same_capacity, hash_key(&key),
                                NULL);
        *same = (ftr_same_attributes){.hash = hash_key(&key), .first = number};
        generator->same_count++;
    } else {
        generator->attributes[same->last - 1].following = number;
    }
    added.visit = generator->visit;
    added.previous = same->last;
    added.following = 0;
    same->last = number;
    generator->attributes[generator->count++] = added;
    generator->next = generator->count;
    return true;
}

bool ftr_attribute_tables_copy(const ftr_attribute_tables *tables, ftr_attribute_tables *copy)
{
    *copy = (ftr_attribute_tables){
        .is_copy = true, .largest = tables->largest, .transactions = tables->transactions};
    copy->generators = calloc(tables->count + 1, sizeof *copy->generators);
    if (copy->generators == NULL)
        return false;
    for (; copy->count < tables->count; copy->count++) {
        const ftr_generator_attributes *from = &tables->generators[copy->count];
        ftr_generator_attributes *to = &copy->generators[copy->count];
        if (from->count == 0)
            continue;
        to->attributes = malloc(from->count * sizeof *to->attributes);
        if (to->attributes == NULL)
            return false;
        memcpy(to->attributes, from->attributes, from->count * sizeof *to->attributes);
        to->count = to->capacity = from->count;
        to->same = malloc(from->same_capacity * sizeof *to->same);
        if (to->same == NULL)
            return false;
        memcpy(to->same, from->same, from->same_capacity * sizeof *to->same);
        to->same_count = from->same_count;
        to->same_capacity = from->same_capacity;
        to->transactions = from->transactions;
        to->visit = from->visit;
    }
    return true;
}

void ftr_attribute_tables_release(ftr_attribute_tables *tables)
{
    for (size_t i = 0; i < tables->count; i++) {
        for (size_t k = 0; k < tables->generators[i].count && !tables->is_copy; k++)
            free(tables->generators[i].attributes[k].name);
        free(tables->generators[i].attributes);
        free(tables->generators[i].same);
    }
    free(tables->generators);
    *tables = (ftr_attribute_tables){0};
}
