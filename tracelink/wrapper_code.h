/** @file
 *  The C a trace generates: wrappers after the templates of its generator, and the tables that name
 *  them. */
#ifndef TRACELINK_WRAPPER_CODE_H
#define TRACELINK_WRAPPER_CODE_H

#include "trace_config.h"
#include "wrap_plan.h"

#include <stdio.h>

/** Writes definitions with the written signatures, so that a compiler tells what their types are.
 */
void wrapper_code_probe(struct arena *arena, FILE *out, const struct trace_config *config,
                        const struct wrap_plan *plan);

/** Writes the wrappers. @return false for a macro that is none; the report was told */
bool wrapper_code_write(struct arena *arena, struct report *report, FILE *out,
                        const struct trace_config *config, const struct wrap_plan *plan);

#endif
