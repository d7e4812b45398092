/* Decides by its last word whether a name is that of an address. Does not look at types of
 * attributes. */
#include "address_name.h"

#include <string.h>

static bool ends_with_word(const char *name, size_t size, const char *word)
{
    const size_t length = strlen(word);
    if (size < length)
        return false;
    for (size_t i = 0; i < length; i++)
        /* `| 0x20` ignores case: the words contain only small letters */
        if ((name[size - length + i] | 0x20) != word[i])
            return false;
    return size == length || name[size - length - 1] == '_' || name[size - length - 1] == '.';
}

bool ftr_is_address_name(const char *name, size_t size)
{
    return ends_with_word(name, size, "address") || ends_with_word(name, size, "addr") ||
           ends_with_word(name, size, "adr");
}
