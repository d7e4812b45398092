/* What the transactions of each generator measure, over one file or several. Rows are in order of
 * name. */
#ifndef FTR_GENERATOR_STATISTICS_H
#define FTR_GENERATOR_STATISTICS_H

#include "histogram.h"
#include "name_table.h"

#include <ftr/reader.h>

/* One generator of one stream. Times are ticks of the table's scale. */
typedef struct ftr_generator_row {
    char *name;         /* stream, a dot, generator */
    size_t stream_size; /* of the stream's part */
    size_t name_size;
    ftr_histogram latency;
    uint64_t first, last; /* begin of the first, end of the last transaction */
    uint64_t outstanding; /* at most, at one time */
    uint64_t errors, unfinished;
    uint64_t *ends; /* of those that are outstanding now: a heap, the least first */
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
    ftr_name_table row_names, attribute_names; /* the numbers of rows and attributes by name */
} ftr_statistics_table;

/* Adds the transactions of @p query, whose order it sets. @p factor: ticks of the table in one of
 * the file. @return FTR_OK, or what ended the pass */
ftr_status ftr_statistics_collect(ftr_statistics_table *table, ftr_reader *reader, ftr_query *query,
                                  uint64_t factor);

/* Adds the rows of another table of the same scale, by name. @return false without memory */
bool ftr_statistics_merge(ftr_statistics_table *to, const ftr_statistics_table *from);

void ftr_statistics_release(ftr_statistics_table *table);

#endif
