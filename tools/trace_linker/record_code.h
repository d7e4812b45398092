/** @file
 *  Maps the arguments and the result of a function to attributes: names, types, and the C code that
 *  puts the attributes. */
#ifndef FTR_RECORD_CODE_H
#define FTR_RECORD_CODE_H

#include "c_type.h"

#include <stdio.h>

/** The C code that records the calls of one function. */
typedef struct ftr_record_function {
    const char *entry;      /**< statements that begin the call and put its arguments */
    const char *exit;       /**< statements that put the result and end the call */
    const char *attributes; /**< initialisers of an array of ftr_attribute */
    unsigned attribute_count;
} ftr_record_function;

/** The enumerations in all signatures, each one once, because several functions may use the same
 * one. */
typedef struct ftr_record_tables {
    const ftr_c_type **enumerations;
    size_t count;
} ftr_record_tables;

/** Generates the code that records the calls of the function with the number @p index. Adds the
 * enumerations of the signature to @p tables.
 *  @param string_limit maximum number of bytes that are recorded of a text (char *); 0: its address
 *  is recorded */
void ftr_record_function_plan(ftr_link_arena *arena, const ftr_c_signature *signature, size_t index,
                              unsigned string_limit, ftr_record_tables *tables,
                              ftr_record_function *plan);

/** Writes the tables of enumerations. */
void ftr_record_tables_write(FILE *out, const ftr_record_tables *tables);

#endif
