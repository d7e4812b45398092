/* Names of generator tables: the table of the generator `read` of the stream `top.bus` is
 * top_bus_read. A number is appended to a name that is already in use or reserved. */
#include "table_names.h"

#include "growing_array.h"
#include "sql_value.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

char *ftr_sql_plain_name(const char *text)
{
    char *plain = malloc(strlen(text) + 3);
    if (plain == NULL)
        return NULL;
    size_t filled = 0;
    if (isdigit((unsigned char)*text) || *text == '\0')
        plain[filled++] = '_';
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        const bool is_plain = (byte < 0x80 && isalnum(byte)) || byte == '_';
        if (is_plain)
            plain[filled++] = (char)byte;
        else if (filled == 0 || plain[filled - 1] != '_')
            plain[filled++] = '_';
    }
    while (filled > 1 && plain[filled - 1] == '_')
        filled--; /* `data[0]` becomes data_0 */
    plain[filled] = '\0';
    if (sqlite3_keyword_check(plain, (int)filled) != 0) {
        plain[filled++] = '_';
        plain[filled] = '\0';
    }
    return plain;
}

static bool is_reserved(const char *table)
{
    static const char *const RESERVED[] = {"run",   "stream",   "generator", "tx",    "attribute",
                                           "event", "relation", "hop",       "error", "ftr"};
    for (size_t i = 0; i < sizeof RESERVED / sizeof RESERVED[0]; i++)
        if (strcasecmp(RESERVED[i], table) == 0)
            return true;
    return strncasecmp(table, "sqlite_", 7) == 0;
}

/* Converts to lower case as SQLite does. The caller must free() the copy. */
static char *folded(const char *name, size_t size)
{
    char *copy = malloc(size + 1);
    for (size_t i = 0; copy != NULL && i < size; i++)
        copy[i] = (char)tolower((unsigned char)name[i]);
    return copy;
}

static size_t number_of_table(const ftr_table_names *names, const char *name, size_t size)
{
    char *key = folded(name, size);
    const size_t number =
        key != NULL ? ftr_name_table_find(&names->by_table, key, size, 0) : FTR_NAME_UNKNOWN;
    free(key);
    return number;
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
        for (unsigned number = 2;
             is_reserved(name) || number_of_table(names, name, strlen(name)) != FTR_NAME_UNKNOWN;
             number++)
            sqlite3_snprintf(16, name + size, "_%u", number);
    }
    free(plain);
    return name;
}

/* The key consists of the generator's name and the address of the stream's name. The address is
 * sufficient, because interned names are equal if their addresses are equal. */
static size_t number_of_generator(const ftr_table_names *names, const ftr_name *stream,
                                  const ftr_name *generator)
{
    return ftr_name_table_find(&names->by_generator, generator->text, generator->size,
                               (size_t)stream);
}

bool ftr_table_names_add(ftr_table_names *names, const ftr_name *stream, const ftr_name *generator)
{
    if (number_of_generator(names, stream, generator) != FTR_NAME_UNKNOWN)
        return true;
    if (!ftr_array_grow(&names->entries, &names->capacity, names->count, sizeof *names->entries))
        return false;
    ftr_table_name entry = {.stream = stream, .generator = generator};
    entry.table = unused_name(names, stream, generator);
    const size_t size = entry.table != NULL ? strlen(entry.table) : 0;
    entry.key = entry.table != NULL ? folded(entry.table, size) : NULL;
    if (entry.key == NULL ||
        !ftr_name_table_add(&names->by_table, entry.key, size, 0, names->count)) {
        free(entry.table);
        free(entry.key);
        return false;
    }
    names->entries[names->count] = entry;
    return ftr_name_table_add(&names->by_generator, generator->text, generator->size,
                              (size_t)stream, names->count++);
}

const char *ftr_table_names_get(const ftr_table_names *names, const ftr_name *stream,
                                const ftr_name *generator)
{
    const size_t number = number_of_generator(names, stream, generator);
    return number != FTR_NAME_UNKNOWN ? names->entries[number].table : NULL;
}

const ftr_table_name *ftr_table_names_find(const ftr_table_names *names, const char *name,
                                           size_t size)
{
    const size_t number = number_of_table(names, name, size);
    return number != FTR_NAME_UNKNOWN ? &names->entries[number] : NULL;
}

void ftr_table_names_release(ftr_table_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->entries[i].table);
        free(names->entries[i].key);
    }
    free(names->entries);
    ftr_name_table_release(&names->by_generator);
    ftr_name_table_release(&names->by_table);
    *names = (ftr_table_names){0};
}
