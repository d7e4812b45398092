/** @file
 *  The C a trace generates: wrappers after the templates of its generator, and the tables that name
 *  them. */
#ifndef FTR_WRAPPER_CODE_H
#define FTR_WRAPPER_CODE_H

#include "trace_config.h"
#include "wrap_plan.h"

#include <stdio.h>

/** Writes definitions with the written signatures, so that a compiler tells what their types are.
 */
void ftr_wrapper_code_probe(ftr_link_arena *arena, FILE *out, const ftr_trace_config *config,
                            const ftr_wrap_plan *plan);

/** Writes the wrappers. @return false for a macro that is none; the report was told */
bool ftr_wrapper_code_write(ftr_link_arena *arena, ftr_link_report *report, FILE *out,
                            const ftr_trace_config *config, const ftr_wrap_plan *plan);

#endif
