/* Owns the growth of tables. Does not know their elements. */
#include "indexed_table.h"

#include <stdlib.h>
#include <string.h>

void *ftr_table_reach(void *table, size_t *count, size_t index, size_t element_size)
{
    if (index < *count)
        return table;
    const size_t wanted = index * 2 + 16;
    char *grown = realloc(table, wanted * element_size);
    if (grown == NULL)
        return NULL;
    memset(grown + *count * element_size, 0, (wanted - *count) * element_size);
    *count = wanted;
    return grown;
}
