/* Tables indexed by the reader's numbers from 0 (streams, generators). They grow on access. */
#ifndef FTR_INDEXED_TABLE_H
#define FTR_INDEXED_TABLE_H

#include <stddef.h>

/* Returns the table with room for element @p index; it may have moved; new elements are zero. NULL:
 * out of memory, the table is unchanged. */
void *ftr_table_reach(void *table, size_t *count, size_t index, size_t element_size);

#endif
