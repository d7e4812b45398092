/** @file
 *  The macros in the templates of a generator. */
#ifndef FTR_TEMPLATE_TEXT_H
#define FTR_TEMPLATE_TEXT_H

#include "command_arena.h"
#include "report.h"

/** An argument or the return value. */
typedef struct ftr_template_value {
    const char *type;  /**< the type as the source of the program writes it, as text; NULL: void */
    const char *size;  /**< the size of the value, as a C expression */
    const char *label; /**< the name of the value in the wrapper: "a1", "a2", ..., or "ret" */
} ftr_template_value;

typedef struct ftr_template_macros {
    const char *function;
    size_t index;
    /** statements that record the begin of the call; NULL: not generated */
    const char *record_entry;
    const char *record_exit;
    /** the current argument; NULL outside of the template arg-trace */
    const ftr_template_value *argument;
    size_t argument_number;
    /** the return value; NULL outside of the template ret-trace */
    const ftr_template_value *returned;
    /** position of the generator in the configuration, for messages */
    const char *where;
} ftr_template_macros;

/** Replaces every @MACRO@ in @p text.
 *  @return the new text; NULL after an error message about a macro that is unknown or not valid in
 *  this template */
const char *ftr_template_expand(ftr_link_arena *arena, ftr_link_report *report, const char *text,
                                const ftr_template_macros *macros);

#endif
