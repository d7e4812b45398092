/** @file
 *  The macros of a generator's templates. */
#ifndef FTR_TEMPLATE_TEXT_H
#define FTR_TEMPLATE_TEXT_H

#include "command_arena.h"
#include "report.h"

/** An argument or the return value. */
typedef struct ftr_template_value {
    const char *type;  /**< as written in the source, for messages; NULL: void */
    const char *size;  /**< a C expression */
    const char *label; /**< "a1", "ret" */
} ftr_template_value;

typedef struct ftr_template_macros {
    const char *function;
    size_t index;
    const char *record_entry; /**< statements that record the call; NULL: not generated */
    const char *record_exit;
    const ftr_template_value *argument; /**< NULL outside of arg-trace */
    size_t argument_number;
    const ftr_template_value *returned; /**< NULL outside of ret-trace */
    const char *where;                  /**< position of the generator */
} ftr_template_macros;

/** Replaces every @MACRO@ of @p text.
 *  @return NULL after an error message about an unknown macro, or one that is not valid there */
const char *ftr_template_expand(ftr_link_arena *arena, ftr_link_report *report, const char *text,
                                const ftr_template_macros *macros);

#endif
