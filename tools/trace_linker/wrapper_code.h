/** @file
 *  The generated C code of a trace: the wrappers, made from the templates of the generator, and
 *  tables with names of functions. */
#ifndef FTR_WRAPPER_CODE_H
#define FTR_WRAPPER_CODE_H

#include "trace_config.h"
#include "wrap_plan.h"

#include <stdio.h>

/** Writes a function for each signature in the configuration. The debug information of the compiled
 * functions then contains the types. */
void ftr_wrapper_code_probe(ftr_link_arena *arena, FILE *out, const ftr_trace_config *config,
                            const ftr_wrap_plan *plan);

/** Writes the wrappers. @return false after an error message about an unknown macro */
bool ftr_wrapper_code_write(ftr_link_arena *arena, ftr_link_report *report, FILE *out,
                            const ftr_trace_config *config, const ftr_wrap_plan *plan);

#endif
