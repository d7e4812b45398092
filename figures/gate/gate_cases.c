/* Adds cases and lines of messages. */
#include "gate_cases.h"

#include "growing_array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Maximum number of generators or streams named in the message of a case. */
#define NAMED_MAX 10u

bool ftr_gate_add_case(ftr_gate_suite *suite, const char *name, ftr_gate_result result,
                       char *message)
{
    if (!ftr_array_grow(&suite->cases, &suite->capacity, suite->count, sizeof *suite->cases)) {
        free(message);
        return false;
    }
    suite->cases[suite->count++] = (ftr_gate_case){name, NULL, result, message};
    suite->failed += result == FTR_CASE_FAILED;
    suite->skipped += result == FTR_CASE_SKIPPED;
    return true;
}

bool ftr_gate_add_run_case(ftr_gate_suite *suite, const ftr_gate_run *run, ftr_gate_result result,
                           char *message)
{
    if (!ftr_gate_add_case(suite, run->file, result, message))
        return false;
    suite->cases[suite->count - 1].of = run;
    return true;
}

void ftr_gate_say(ftr_gate_message *to, const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    to->lines++;
    if (to->lines > NAMED_MAX + 1)
        return;
    va_start(arguments, format);
    const int size = vasprintf(&line, format, arguments);
    va_end(arguments);
    char *joined = NULL;
    const char *more = to->lines > NAMED_MAX ? "..." : line;
    if (size < 0 || asprintf(&joined, "%s%s%s", to->text != NULL ? to->text : "",
                             to->text != NULL ? "\n" : "", more) < 0)
        to->failed = true;
    else {
        free(to->text);
        to->text = joined;
    }
    if (size >= 0)
        free(line);
}
