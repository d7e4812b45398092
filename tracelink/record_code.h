/** @file
 *  How the arguments and the result of a function become attributes: which, of what type, and the C
 *  that puts them. */
#ifndef FTR_RECORD_CODE_H
#define FTR_RECORD_CODE_H

#include "c_type.h"

#include <stdio.h>

/** What records the calls of one function, as C. */
typedef struct ftr_record_function {
    const char *entry;      /**< begins the call and puts its arguments */
    const char *exit;       /**< puts the result and ends the call */
    const char *attributes; /**< initialisers of ftr_attribute */
    unsigned attribute_count;
} ftr_record_function;

/** Enumerations that several functions may share. */
typedef struct ftr_record_tables {
    const ftr_c_type **enumerations;
    size_t count;
} ftr_record_tables;

/** @param string_limit bytes of a char * shown; 0: its address */
void ftr_record_function_plan(ftr_link_arena *arena, const ftr_c_signature *signature, size_t index,
                              unsigned string_limit, ftr_record_tables *tables,
                              ftr_record_function *plan);

/** Writes the enumerations' tables. */
void ftr_record_tables_write(FILE *out, const ftr_record_tables *tables);

#endif
