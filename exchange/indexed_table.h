/* Tables of what the reader counts from 0: streams, generators. They grow when an index asks. */
#ifndef FTR_INDEXED_TABLE_H
#define FTR_INDEXED_TABLE_H

#include <stddef.h>

/* The table with room for element @p index, moved perhaps; what is new is zero. NULL: no memory,
 * and the table is as it was. */
void *ftr_table_reach(void *table, size_t *count, size_t index, size_t element_size);

#endif
