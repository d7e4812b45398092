/** @file
 *  The trace in a program: names and signatures from its wrappers. */
#ifndef FTR_TRACE_PROGRAM_H
#define FTR_TRACE_PROGRAM_H

#include "c_type.h"
#include "report.h"

/** One value of a function, in the form of a record. */
typedef struct ftr_traced_value {
    const char *name;
    const char *type_text;
    const ftr_c_type *type; /**< NULL: debug information has no type of this size */
    uint32_t size;          /**< in bytes; 0: void */
} ftr_traced_value;

typedef struct ftr_program_function {
    const char *name;
    ftr_traced_value result;
    ftr_traced_value *arguments;
    size_t count;
} ftr_program_function;

typedef struct ftr_trace_program {
    ftr_program_function *functions; /**< indexed by the function number in records */
    size_t count;
    bool big_endian;
    bool has_mode;
    uint32_t mode;
} ftr_trace_program;

/** Reads the ELF program at @p path. @return false after an error message if it has no trace */
bool ftr_trace_program_read(ftr_link_arena *arena, ftr_link_report *report, const char *path,
                            ftr_trace_program *program);

#endif
