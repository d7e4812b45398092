/** @file
 *  How the arguments and the result of a function become attributes: which, of what type, and the C
 *  that puts them. */
#ifndef TRACELINK_RECORD_CODE_H
#define TRACELINK_RECORD_CODE_H

#include "c_type.h"

#include <stdio.h>

/** What records the calls of one function, as C. */
struct record_function {
    const char *entry;      /**< begins the call and puts its arguments */
    const char *exit;       /**< puts the result and ends the call */
    const char *attributes; /**< initialisers of ftr_attribute */
    unsigned attribute_count;
};

/** Enumerations that several functions may share. */
struct record_tables {
    const struct c_type **enumerations;
    size_t count;
};

/** @param string_limit bytes of a char * shown; 0: its address */
void record_function_plan(struct arena *arena, const struct c_signature *signature, size_t index,
                          unsigned string_limit, struct record_tables *tables,
                          struct record_function *plan);

/** Writes the enumerations' tables. */
void record_tables_write(FILE *out, const struct record_tables *tables);

#endif
