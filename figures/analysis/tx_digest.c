/* Computes the digests of transactions, and compares values. */
#include "tx_digest.h"

#include "name_glob.h"
#include "text_view.h"

#include <string.h>

#define SEED UINT64_C(0x9e3779b97f4a7c15)

/* Combines two numbers, so that the result depends on all bits of both. */
static inline uint64_t mix(uint64_t a, uint64_t b)
{
    __extension__ const unsigned __int128 product =
        (unsigned __int128)(a ^ SEED) * (b ^ UINT64_C(0xe7037ed1a0b428db));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t ftr_hash_bytes(const char *bytes, size_t size)
{
    uint64_t hash = mix(size, SEED);
    while (size >= 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        hash = mix(hash ^ word, SEED);
        bytes += 8;
        size -= 8;
    }
    uint64_t word = 0;
    if (size > 0)
        memcpy(&word, bytes, size);
    return mix(hash ^ word, size + 1);
}

static bool pattern_lists_match(const ftr_pattern_lists *patterns, ftr_view name)
{
    for (size_t i = 0; i < patterns->count; i++)
        if (ftr_glob_list_matches(patterns->list[i], name.data, name.size))
            return true;
    return false;
}

/* Returns true for the number of an access's payload. The numbers only show which transactions have
 * the same payload: one access more in a run changes all later numbers. */
static bool is_payload_number(ftr_view attribute)
{
    return ftr_view_is(attribute, "payload_id") || ftr_view_is(attribute, "trans.id");
}

bool ftr_digest_counts(const ftr_digest_rules *rules, ftr_view attribute)
{
    if (attribute.data == NULL)
        return rules->only.count == 0;
    if (pattern_lists_match(&rules->ignored, attribute))
        return false;
    if (rules->only.count > 0)
        return pattern_lists_match(&rules->only, attribute);
    return !is_payload_number(attribute) || pattern_lists_match(&rules->key, attribute);
}

static uint64_t hash_view(ftr_view text)
{
    return text.data != NULL ? ftr_hash_bytes(text.data, text.size) : 1;
}

static uint64_t hash_real(double real)
{
    uint64_t bits;
    if (real != real)
        return 2; /* all NaNs are equal */
    if (real == 0)
        real = 0; /* 0 and -0 are equal */
    memcpy(&bits, &real, sizeof bits);
    return mix(bits, 3);
}

static uint64_t hash_text(ftr_digester *digester, const ftr_attribute_value *attribute)
{
    const size_t slot = attribute->text_id & (FTR_DIGEST_TEXTS - 1);
    /* the hash is not cached if the text is in the attribute and not in the dictionary, or if it
     * was not found: it may be found later */
    if (attribute->text_id == UINT64_MAX || attribute->as.text.data == NULL)
        return hash_view(attribute->as.text);
    if (digester->texts[slot].id != attribute->text_id + 1) {
        digester->texts[slot].hash = hash_view(attribute->as.text);
        digester->texts[slot].id = attribute->text_id + 1;
    }
    return digester->texts[slot].hash;
}

static uint64_t hash_value(ftr_digester *digester, const ftr_attribute_value *attribute)
{
    switch (attribute->form) {
    case FTR_FORM_BOOLEAN:
        return mix(attribute->as.boolean, 4);
    case FTR_FORM_INTEGER:
        return mix((uint64_t)attribute->as.integer, 5);
    case FTR_FORM_NUMBER:
        return mix(attribute->type == FTR_TYPE_TIME ? attribute->as.number * digester->factor
                                                    : attribute->as.number,
                   6);
    case FTR_FORM_REAL:
        return hash_real(attribute->as.real);
    case FTR_FORM_TEXT:
        return hash_text(digester, attribute);
    default:
        return 7;
    }
}

static void note_matches(const ftr_pattern_lists *patterns, ftr_view name, uint64_t *matches)
{
    for (size_t i = 0; i < patterns->count && i < 64; i++)
        if (ftr_glob_list_matches(patterns->list[i], name.data, name.size))
            *matches |= UINT64_C(1) << i;
}

/* Returns the cache slot for the id of the attribute's name. */
static size_t find_name(ftr_digester *digester, const ftr_attribute_value *attribute)
{
    const size_t slot = attribute->name_id & (FTR_DIGEST_NAMES - 1);
    if (digester->names[slot].id != attribute->name_id + 1) {
        const ftr_digest_rules *rules = digester->rules;
        digester->names[slot].id = attribute->name.data != NULL ? attribute->name_id + 1 : 0;
        digester->names[slot].hash = hash_view(attribute->name);
        digester->names[slot].counts = ftr_digest_counts(rules, attribute->name);
        digester->names[slot].is_key = attribute->name.data != NULL && rules->key.count > 0 &&
                                       pattern_lists_match(&rules->key, attribute->name);
        if (attribute->name.data != NULL) {
            note_matches(&rules->ignored, attribute->name, &digester->matches.ignored);
            note_matches(&rules->only, attribute->name, &digester->matches.only);
            note_matches(&rules->key, attribute->name, &digester->matches.key);
        }
    }
    return slot;
}

ftr_tx_digest ftr_digest_tx(ftr_digester *digester, ftr_transaction *tx, uint64_t generator)
{
    const ftr_digest_rules *rules = digester->rules;
    ftr_tx_digest digest = {.identity = generator};
    ftr_attribute_value attribute;
    while (ftr_reader_next_attribute(digester->reader, tx, &attribute)) {
        const size_t name = find_name(digester, &attribute);
        const bool is_time = attribute.type == FTR_TYPE_TIME;
        if (!digester->names[name].counts || (is_time && rules->without_times))
            continue;
        /* A time at the begin, for example the delay of an access, changes like the times of the
         * transaction. It identifies a transaction only if the caller chooses it. */
        const bool is_key = rules->key.count > 0 ? digester->names[name].is_key
                                                 : attribute.class_ == FTR_CLASS_BEGIN && !is_time;
        const uint64_t hash =
            mix(digester->names[name].hash + (uint64_t)attribute.type * 4 + attribute.class_,
                hash_value(digester, &attribute));
        if (is_key && !(is_time && rules->inexact_times))
            digest.identity += hash;
        else
            digest.content += hash;
    }
    ftr_transaction_rewind(tx);
    return digest;
}

static bool is_same_time(const ftr_attribute_value *a, uint64_t factor_a,
                         const ftr_attribute_value *b, uint64_t factor_b, uint64_t tolerance)
{
    __extension__ typedef unsigned __int128 wide_time;
    const wide_time x = (wide_time)a->as.number * factor_a;
    const wide_time y = (wide_time)b->as.number * factor_b;
    return (x > y ? x - y : y - x) <= tolerance;
}

bool ftr_is_same_value(const ftr_attribute_value *a, uint64_t factor_a,
                       const ftr_attribute_value *b, uint64_t factor_b, uint64_t tolerance)
{
    if (a->type != b->type || a->class_ != b->class_ || a->form != b->form)
        return false;
    switch (a->form) {
    case FTR_FORM_BOOLEAN:
        return a->as.boolean == b->as.boolean;
    case FTR_FORM_INTEGER:
        return a->as.integer == b->as.integer;
    case FTR_FORM_NUMBER:
        return a->type == FTR_TYPE_TIME ? is_same_time(a, factor_a, b, factor_b, tolerance)
                                        : a->as.number == b->as.number;
    case FTR_FORM_REAL:
        return hash_real(a->as.real) == hash_real(b->as.real);
    case FTR_FORM_TEXT:
        if (a->as.text.data == NULL || b->as.text.data == NULL)
            return a->as.text.data == b->as.text.data;
        return ftr_view_equals(a->as.text, b->as.text);
    default:
        return true;
    }
}
