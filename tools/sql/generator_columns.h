/* The attributes of one generator as columns of a table. */
#ifndef FTR_GENERATOR_COLUMNS_H
#define FTR_GENERATOR_COLUMNS_H

#include "column_role.h"
#include "trace_set.h"

typedef struct ftr_generator_column {
    char *name; /* name of the attribute: the recorded bytes */
    size_t size;
    ftr_attribute_class class_;
    char *column; /* name of the column in SQL */
} ftr_generator_column;

typedef struct ftr_generator_columns {
    ftr_generator_column *columns;
    size_t count, capacity;
} ftr_generator_columns;

/* Finds the attributes of @p generator of @p stream in a sample. The sample of each trace consists
 * of the first 1000 transactions of the generator, and at most 1000 transactions that overlap the
 * last time of the stream. The sample has at most 256 traces. An attribute
 * that is not in the sample has no column.
 * @param taken the other columns of the table; attributes must not use their names
 * @return SQLITE_OK; SQLITE_ERROR with a message in @p error if no trace has the generator; another
 * error */
int ftr_generator_columns_find(ftr_generator_columns *columns, ftr_sql_set *set, const char *stream,
                               const char *generator, const ftr_sql_column *taken, int taken_count,
                               char **error);

/* Returns the number of the column for @p attribute; columns->count if the attribute has no
 * column. */
size_t ftr_generator_columns_index(const ftr_generator_columns *columns,
                                   const ftr_attribute_value *attribute);

void ftr_generator_columns_release(ftr_generator_columns *columns);

#endif
