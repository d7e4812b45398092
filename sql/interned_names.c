/* Owns the set of interned names. */
#include "interned_names.h"

#include "sql_value.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static ftr_name **slot_of(const ftr_names *names, const char *text, size_t size)
{
    size_t slot = (size_t)hash_of(text, size) & (names->capacity - 1);
    while (names->slots[slot] != NULL &&
           (names->slots[slot]->size != size || memcmp(names->slots[slot]->text, text, size) != 0))
        slot = (slot + 1) & (names->capacity - 1);
    return &names->slots[slot];
}

static bool grow(ftr_names *names)
{
    const ftr_names old = *names;
    names->capacity = old.capacity > 0 ? old.capacity * 2 : 64;
    names->slots = calloc(names->capacity, sizeof(ftr_name *));
    if (names->slots == NULL) {
        *names = old;
        return false;
    }
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slots[i] != NULL)
            *slot_of(names, old.slots[i]->text, old.slots[i]->size) = old.slots[i];
    free(old.slots);
    return true;
}

const ftr_name *ftr_names_intern(ftr_names *names, ftr_view view)
{
    char *repaired = NULL;
    if (view.data == NULL)
        view = (ftr_view){"", 0};
    if (!ftr_sql_is_utf8(view)) {
        repaired = ftr_sql_repair_utf8(view, &view.size);
        if (repaired == NULL)
            return NULL;
        view.data = repaired;
    }
    ftr_name *name = NULL;
    if (names->count * 2 < names->capacity || grow(names)) {
        ftr_name **slot = slot_of(names, view.data, view.size);
        name = *slot;
        if (name == NULL) {
            name = malloc(sizeof *name + view.size + 1);
            if (name != NULL) {
                name->size = view.size;
                memcpy(name->text, view.data, view.size);
                name->text[view.size] = '\0';
                *slot = name;
                names->count++;
            }
        }
    }
    free(repaired);
    return name;
}

void ftr_names_release(ftr_names *names)
{
    for (size_t i = 0; i < names->capacity; i++)
        free(names->slots[i]);
    free(names->slots);
    *names = (ftr_names){0};
}
