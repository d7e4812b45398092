/* Compares two transactions, attribute by attribute. */
#include "trace_differences.h"

#include <string.h>

static bool is_same_name(const ftr_attribute_value *a, const ftr_attribute_value *b)
{
    return a->class_ == b->class_ && a->name.size == b->name.size &&
           (a->name.size == 0 || (a->name.data != NULL && b->name.data != NULL &&
                                  memcmp(a->name.data, b->name.data, a->name.size) == 0));
}

/* Finds attribute number @p number (from 0) among the attributes with the name and class of @p
 * wanted. */
static bool find(ftr_reader *reader, ftr_transaction tx, const ftr_attribute_value *wanted,
                 size_t number, ftr_attribute_value *found)
{
    ftr_transaction_rewind(&tx);
    while (ftr_reader_next_attribute(reader, &tx, found))
        if (is_same_name(found, wanted) && number-- == 0)
            return true;
    return false;
}

/* Counts the attributes before @p next that have the name and class of @p wanted. */
static size_t number_of(ftr_reader *reader, ftr_transaction tx, const uint8_t *next,
                        const ftr_attribute_value *wanted)
{
    size_t number = 0;
    ftr_attribute_value other;
    ftr_transaction_rewind(&tx);
    while (tx.attributes.next < next && ftr_reader_next_attribute(reader, &tx, &other))
        number += is_same_name(&other, wanted);
    return number;
}

size_t ftr_attributes_compare(const ftr_attribute_sides *sides, ftr_transaction tx[2],
                              void (*differs)(void *user, const ftr_attribute_value *first,
                                              const ftr_attribute_value *second),
                              void *user)
{
    size_t count = 0;
    for (unsigned s = 0; s < 2; s++) {
        ftr_attribute_value own;
        ftr_attribute_value other;
        ftr_transaction_rewind(&tx[s]);
        for (;;) {
            const uint8_t *const before = tx[s].attributes.next;
            if (!ftr_reader_next_attribute(sides->reader[s], &tx[s], &own))
                break;
            if (!ftr_digest_counts(&sides->rules, own.name) ||
                (own.type == FTR_TYPE_TIME && sides->rules.without_times))
                continue;
            const size_t number = number_of(sides->reader[s], tx[s], before, &own);
            const bool found = find(sides->reader[1 - s], tx[1 - s], &own, number, &other);
            /* Attributes that both transactions have are compared only in the first pass. */
            if (found && (s == 1 || ftr_is_same_value(&own, sides->factor[0], &other,
                                                      sides->factor[1], sides->tolerance)))
                continue;
            count++;
            if (differs != NULL)
                differs(user, s == 0 ? &own : NULL, s == 1 ? &own : found ? &other : NULL);
        }
        ftr_transaction_rewind(&tx[s]);
    }
    return count;
}
