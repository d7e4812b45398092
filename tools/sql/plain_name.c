/* Owns the conversion of names to names that need no quotes in SQL. */
#include "plain_name.h"

#include "sqlite_api.h"

#include <ctype.h>
#include <stdbool.h>
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
