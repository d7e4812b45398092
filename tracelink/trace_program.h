/** @file
 *  What a traced program says about its trace: the names and signatures its wrappers carry. */
#ifndef TRACELINK_TRACE_PROGRAM_H
#define TRACELINK_TRACE_PROGRAM_H

#include "c_type.h"
#include "report.h"

/** One value of a function, as it lies in a record. */
struct traced_value {
    const char *name;
    const char *type_text;
    const struct c_type *type; /**< NULL: debug information has none of this size */
    uint32_t size;             /**< bytes; 0: void */
};

struct program_function {
    const char *name;
    struct traced_value result;
    struct traced_value *arguments;
    size_t count;
};

struct trace_program {
    struct program_function *functions; /**< by the index of its records */
    size_t count;
    bool big_endian;
    bool has_mode;
    uint32_t mode;
};

/** Reads the ELF program at @p path. @return false when it has no trace; the report was told */
bool trace_program_read(struct arena *arena, struct report *report, const char *path,
                        struct trace_program *program);

#endif
