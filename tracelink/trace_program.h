/** @file
 *  What a traced program says about its trace: the names and signatures its wrappers carry. */
#ifndef FTR_TRACE_PROGRAM_H
#define FTR_TRACE_PROGRAM_H

#include "c_type.h"
#include "report.h"

/** One value of a function, as it lies in a record. */
typedef struct ftr_traced_value {
    const char *name;
    const char *type_text;
    const ftr_c_type *type; /**< NULL: debug information has none of this size */
    uint32_t size;          /**< bytes; 0: void */
} ftr_traced_value;

typedef struct ftr_program_function {
    const char *name;
    ftr_traced_value result;
    ftr_traced_value *arguments;
    size_t count;
} ftr_program_function;

typedef struct ftr_trace_program {
    ftr_program_function *functions; /**< by the index of its records */
    size_t count;
    bool big_endian;
    bool has_mode;
    uint32_t mode;
} ftr_trace_program;

/** Reads the ELF program at @p path. @return false when it has no trace; the report was told */
bool ftr_trace_program_read(ftr_link_arena *arena, ftr_link_report *report, const char *path,
                            ftr_trace_program *program);

#endif
