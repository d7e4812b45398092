/** @file
 *  The trace in a program: names and signatures of the wrapped functions. */
#ifndef FTR_TRACE_PROGRAM_H
#define FTR_TRACE_PROGRAM_H

#include "c_type.h"
#include "report.h"

/** An argument or the result of a function, as records contain it. */
typedef struct ftr_traced_value {
    const char *name;
    const char *type_text;  /**< the type as text, from the table of signatures */
    const ftr_c_type *type; /**< NULL: debug information has no type, or one of another size */
    uint32_t size;          /**< size in bytes; 0: void */
} ftr_traced_value;

typedef struct ftr_program_function {
    const char *name;
    ftr_traced_value result;
    ftr_traced_value *arguments;
    size_t count;
} ftr_program_function;

typedef struct ftr_trace_program {
    ftr_program_function *functions; /**< index: number of the function in records */
    size_t count;
    bool big_endian;
    bool has_mode; /**< the program contains a trace buffer, and `mode` is set */
    uint32_t mode; /**< options of the trace buffer (__rtld_tbg_mode) */
} ftr_trace_program;

/** Reads the ELF program at @p path. @return false after an error message, for example if it
 * contains no trace */
bool ftr_trace_program_read(ftr_link_arena *arena, ftr_link_report *report, const char *path,
                            ftr_trace_program *program);

#endif
