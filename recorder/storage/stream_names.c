/* Chooses stream names that viewers can show. */
#include "stream_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream_name_rules.h"
#include "utf8.h"

/* Bytes for "#", a number and a NUL after a name. */
#define SUFFIX_SIZE 22

static bool contains(const ftr_names *names, const char *name, size_t length)
{
    return ftr_name_table_find(&names->table, name, length, 0) != FTR_NAME_UNKNOWN;
}

/* Replaces each dot that SCViewer cannot load by a slash. SCViewer cannot load dots beside an empty
 * part, and dots after a prefix that is itself a stream name, because a stream cannot have
 * children. Works from left to right, because each replaced dot changes all longer prefixes. */
static void hide_dots(const ftr_names *names, char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '.' &&
            (ftr_stream_name_is_bare_dot(name, length, i) || contains(names, name, i)))
            name[i] = '/';
    }
}

/* Appends "#" and an unused number to a name that is in use. Thousands of streams may request the
 * same name, so the number is doubled until it is unused. A binary search then finds the first
 * unused number. */
static void number_name(const ftr_names *names, char *name, size_t length)
{
    unsigned long long taken = 1;
    unsigned long long number = 2;
    for (;; number *= 2) {
        snprintf(name + length, SUFFIX_SIZE, "#%llu", number);
        if (!contains(names, name, strlen(name)))
            break;
        taken = number;
    }
    unsigned long long free_number = number;
    while (free_number - taken > 1) {
        number = taken + (free_number - taken) / 2;
        snprintf(name + length, SUFFIX_SIZE, "#%llu", number);
        if (contains(names, name, strlen(name)))
            taken = number;
        else
            free_number = number;
    }
    snprintf(name + length, SUFFIX_SIZE, "#%llu", free_number);
}

ftr_status ftr_stream_names_choose(ftr_names *names, const char *wanted, const char **chosen,
                                   bool *renamed)
{
    size_t length = strlen(wanted);
    char *name = malloc(length * 3 + SUFFIX_SIZE);
    if (name == NULL)
        return FTR_ERR_MEMORY;
    /* Invalid UTF-8 must be repaired before names are compared: names that differ only in invalid
     * bytes would otherwise be equal in the file. */
    length = ftr_utf8_repair((const uint8_t *)wanted, length, (uint8_t *)name);
    name[length] = '\0';
    hide_dots(names, name, length);
    if (contains(names, name, length))
        number_name(names, name, length);
    const ftr_name *interned = ftr_names_intern(names, name, strlen(name));
    free(name);
    if (interned == NULL)
        return FTR_ERR_MEMORY;
    *chosen = interned->text;
    *renamed = strcmp(*chosen, wanted) != 0;
    return FTR_OK;
}
