/* Owns the names of generators' tables: `top.bus` and `read` become top_bus_read. */
#include "table_names.h"

#include "plain_name.h"
#include "sqlite_api.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t hash_text(const char *text, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned)tolower((unsigned char)text[i])) * UINT64_C(0x100000001b3);
    return (size_t)(hash ^ hash >> 29);
}

/* Interned names are equal if their addresses are. */
static size_t hash_pair(const ftr_name *stream, const ftr_name *generator)
{
    const uint64_t mixed =
        (uint64_t)(uintptr_t)stream * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)(uintptr_t)generator;
    return (size_t)((mixed * UINT64_C(0x9e3779b97f4a7c15)) >> 20);
}

static uint32_t *generator_slot(const ftr_table_names *names, const ftr_name *stream,
                                const ftr_name *generator)
{
    size_t slot = hash_pair(stream, generator) & (names->slots - 1);
    for (;; slot = (slot + 1) & (names->slots - 1)) {
        const uint32_t number = names->by_generator[slot];
        if (number == 0 || (names->entries[number - 1].stream == stream &&
                            names->entries[number - 1].generator == generator))
            return &names->by_generator[slot];
    }
}

static uint32_t *table_slot(const ftr_table_names *names, const char *table, size_t size)
{
    size_t slot = hash_text(table, size) & (names->slots - 1);
    for (;; slot = (slot + 1) & (names->slots - 1)) {
        const uint32_t number = names->by_table[slot];
        if (number == 0 || (strlen(names->entries[number - 1].table) == size &&
                            strncasecmp(names->entries[number - 1].table, table, size) == 0))
            return &names->by_table[slot];
    }
}

static bool reserve(ftr_table_names *names)
{
    if (names->count == names->capacity) {
        const size_t capacity = names->capacity > 0 ? names->capacity * 2 : 32;
        ftr_table_name *grown = realloc(names->entries, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        names->entries = grown;
        names->capacity = capacity;
    }
    if ((names->count + 1) * 2 <= names->slots)
        return true;
    const size_t slots = names->slots > 0 ? names->slots * 2 : 128;
    uint32_t *by_generator = calloc(slots, sizeof *by_generator);
    uint32_t *by_table = calloc(slots, sizeof *by_table);
    if (by_generator == NULL || by_table == NULL) {
        free(by_generator);
        free(by_table);
        return false;
    }
    free(names->by_generator);
    free(names->by_table);
    names->by_generator = by_generator;
    names->by_table = by_table;
    names->slots = slots;
    for (size_t i = 0; i < names->count; i++) {
        const ftr_table_name *entry = &names->entries[i];
        *generator_slot(names, entry->stream, entry->generator) = (uint32_t)i + 1;
        *table_slot(names, entry->table, strlen(entry->table)) = (uint32_t)i + 1;
    }
    return true;
}

static bool is_reserved(const char *table)
{
    static const char *const RESERVED[] = {"run",       "stream",   "generator", "tx",
                                           "attribute", "relation", "ftr"};
    for (size_t i = 0; i < sizeof RESERVED / sizeof RESERVED[0]; i++)
        if (strcasecmp(RESERVED[i], table) == 0)
            return true;
    return strncasecmp(table, "sqlite_", 7) == 0;
}

/* Returns an unused table name, which the caller must free(); NULL if out of memory. */
static char *unused_name(const ftr_table_names *names, const ftr_name *stream,
                         const ftr_name *generator)
{
    char *both = malloc(stream->size + generator->size + 2);
    if (both == NULL)
        return NULL;
    memcpy(both, stream->text, stream->size);
    both[stream->size] = '_';
    memcpy(both + stream->size + 1, generator->text, generator->size + 1);
    char *plain = ftr_sql_plain_name(both);
    free(both);
    if (plain == NULL)
        return NULL;
    const size_t size = strlen(plain);
    char *name = malloc(size + 16);
    if (name != NULL) {
        memcpy(name, plain, size + 1);
        for (unsigned number = 2; is_reserved(name) || *table_slot(names, name, strlen(name)) != 0;
             number++)
            sqlite3_snprintf(16, name + size, "_%u", number);
    }
    free(plain);
    return name;
}

bool ftr_table_names_add(ftr_table_names *names, const ftr_name *stream, const ftr_name *generator)
{
    if (!reserve(names))
        return false;
    uint32_t *slot = generator_slot(names, stream, generator);
    if (*slot != 0)
        return true;
    char *table = unused_name(names, stream, generator);
    if (table == NULL)
        return false;
    uint32_t *place = table_slot(names, table, strlen(table));
    names->entries[names->count] = (ftr_table_name){stream, generator, table};
    *slot = *place = (uint32_t)++names->count;
    return true;
}

const char *ftr_table_names_get(const ftr_table_names *names, const ftr_name *stream,
                                const ftr_name *generator)
{
    const uint32_t number = names->slots > 0 ? *generator_slot(names, stream, generator) : 0;
    return number > 0 ? names->entries[number - 1].table : NULL;
}

const ftr_table_name *ftr_table_names_find(const ftr_table_names *names, const char *name,
                                           size_t size)
{
    const uint32_t number = names->slots > 0 ? *table_slot(names, name, size) : 0;
    return number > 0 ? &names->entries[number - 1] : NULL;
}

void ftr_table_names_release(ftr_table_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->entries[i].table);
    free(names->entries);
    free(names->by_generator);
    free(names->by_table);
    *names = (ftr_table_names){0};
}
