/* Measurements of the transactions of each generator, over one or several files. Rows are sorted by
 * name. */
#ifndef FTR_GENERATOR_STATISTICS_H
#define FTR_GENERATOR_STATISTICS_H

#include "histogram.h"
#include "name_table.h"

#include <ftr/reader.h>

/* One generator of one stream. Times are ticks of the table's scale. */
typedef struct ftr_generator_row {
    char *name;         /* stream, a dot, generator */
    size_t stream_size; /* length of the stream's name */
    size_t name_size;
    ftr_histogram latency;
    uint64_t first, last; /* begin of the first, end of the last transaction */
    uint64_t outstanding; /* maximum at one time */
    uint64_t errors, unfinished;
    uint64_t *ends; /* ends of the currently outstanding transactions: a min-heap */
    size_t end_count, end_capacity;
} ftr_generator_row;

typedef struct ftr_attribute_row {
    char *name;
    size_t size;
    uint64_t count, bytes;
} ftr_attribute_row;

typedef struct ftr_statistics_table {
    int time_scale;
    ftr_generator_row *rows;
    size_t row_count, row_capacity;
    ftr_attribute_row *attributes;
    size_t attribute_count, attribute_capacity;
    ftr_name_table row_names, attribute_names; /* from names to numbers of rows and attributes */
} ftr_statistics_table;

/* Adds the transactions of @p query, and sets the query's order. @p factor: ticks of the table per
 * tick of the file. @return FTR_OK, or the error that ended the pass */
ftr_status ftr_statistics_collect(ftr_statistics_table *table, ftr_reader *reader, ftr_query *query,
                                  uint64_t factor);

/* Adds the rows of another table with the same scale, by name. @return false if out of memory */
bool ftr_statistics_merge(ftr_statistics_table *to, const ftr_statistics_table *from);

void ftr_statistics_release(ftr_statistics_table *table);

#endif
