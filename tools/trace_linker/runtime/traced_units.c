/* The list of the generated wrapper files in the program, and the switches of the functions in
 * these files. */
#define _GNU_SOURCE
#include "call_contexts.h"

#include "name_glob.h"

#include <string.h>

static ftr_traced_unit *first_unit;

void ftr_tracelink_register(ftr_traced_unit *unit)
{
    ftr_call_contexts_lock();
    unit->first = first_unit != NULL ? first_unit->first + first_unit->count : 0;
    unit->next = first_unit;
    first_unit = unit;
    ftr_call_contexts_unlock();
}

static void set_bit(uint32_t *bits, size_t index, bool on)
{
    uint32_t bit = (uint32_t)1 << (index % 32);
    if (on)
        __atomic_fetch_or(&bits[index / 32], bit, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(&bits[index / 32], ~bit, __ATOMIC_RELAXED);
}

static size_t set_matching(const char *functions, bool triggers, bool on)
{
    size_t matched = 0;
    ftr_call_contexts_lock();
    for (ftr_traced_unit *unit = first_unit; unit != NULL && functions != NULL; unit = unit->next)
        for (size_t i = 0; i < unit->count; i++)
            if (ftr_glob_list_matches(functions, unit->functions[i].name,
                                      strlen(unit->functions[i].name))) {
                set_bit(triggers ? unit->triggers : unit->enables, i, on);
                matched++;
            }
    ftr_call_contexts_unlock();
    return matched;
}

size_t ftr_tracelink_set_enabled(const char *functions, bool on)
{
    return set_matching(functions, false, on);
}

size_t ftr_tracelink_set_trigger(const char *functions, bool on)
{
    return set_matching(functions, true, on);
}
