/* A table for people to read: each column is as wide as its widest cell, and numbers are
 * right-aligned. */
#ifndef FTR_ALIGNED_TABLE_H
#define FTR_ALIGNED_TABLE_H

#include "printer.h"

#define FTR_TABLE_COLUMNS_MAX 32u

typedef struct ftr_aligned_table {
    unsigned columns;
    bool is_text[FTR_TABLE_COLUMNS_MAX]; /* index: column; true: left-aligned */
    struct ftr_aligned_cell *cells;      /* row by row */
    size_t count, capacity;
    ftr_text_buffer text; /* texts of all cells, concatenated */
    size_t begun;         /* where the text of the last cell begins */
    ftr_printer *printer; /* of the last cell */
    bool failed;          /* out of memory */
} ftr_aligned_table;

/* @param columns number of columns; the first row that is put contains their titles */
void ftr_aligned_table_init(ftr_aligned_table *table, unsigned columns);

/* Returns a printer for the text of the next cell. The cell ends with ftr_aligned_table_end(). */
ftr_printer *ftr_aligned_table_begin(ftr_aligned_table *table);
void ftr_aligned_table_end(ftr_aligned_table *table);

/* Adds the next cell. @p text is copied; control characters are replaced by \xNN. */
void ftr_aligned_table_put(ftr_aligned_table *table, const char *text, size_t size);
void ftr_aligned_table_put_uint(ftr_aligned_table *table, uint64_t value);
void ftr_aligned_table_put_time(ftr_aligned_table *table, uint64_t ticks, int time_scale);

/* Prints all rows and releases the table. @return false if out of memory; then nothing is printed
 */
bool ftr_aligned_table_print(ftr_aligned_table *table, ftr_printer *out);

#endif
