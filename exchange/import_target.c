/* The recorder of an import, and the number of errors in the input. */
#include "import_target.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FINDINGS_REPORTED 10

/* Prints the messages of the recorder, except notes. Messages that the recorder reports while it
 * closes the file are held back, because they are not printed if rounded floats require a second
 * attempt. */
static void on_message(void *user, ftr_severity severity, const char *message)
{
    ftr_import_target *target = user;
    const size_t size = strlen(target->held);
    if (severity == FTR_SEVERITY_NOTE)
        return;
    target->failure_reported |= severity == FTR_SEVERITY_ERROR;
    if (!target->closing)
        ftr_exchange_print(target->report, "%s", message);
    else if (size + strlen(message) + 2 < sizeof target->held)
        (void)snprintf(target->held + size, sizeof target->held - size, "%s\n", message);
}

static void report_held(ftr_import_target *target)
{
    char *rest;
    for (char *line = strtok_r(target->held, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        ftr_exchange_print(target->report, "%s", line);
}

bool ftr_import_open(ftr_import_target *target, const char *input, const char *path,
                     const ftr_recorder_options *options, const ftr_exchange_report *report,
                     ftr_import_result *result)
{
    *target = (ftr_import_target){.input = input, .report = report, .result = result};
    *result = (ftr_import_result){.again = result->again, .tentative = result->tentative};
    ftr_recorder_options own = *options;
    own.size = sizeof own;
    own.threads = 1;
    /* no journal is needed: if the process is killed, the import can be repeated */
    own.journal_directory = "none";
    own.report = on_message;
    own.report_user = target;
    const ftr_status status = ftr_recorder_open(path, &own, &target->recorder);
    if (status == FTR_ERR_MEMORY)
        ftr_exchange_print(report, "%s: %s", path, ftr_status_text(status));
    return status == FTR_OK; /* the recorder has reported the reason */
}

bool ftr_import_close(ftr_import_target *target)
{
    ftr_statistics statistics = {0};
    ftr_failure failure;
    target->closing = true;
    const ftr_status status = ftr_recorder_close(target->recorder);
    (void)ftr_recorder_get_statistics(target->recorder, &statistics);
    target->result->unfinished = statistics.unfinished;
    target->result->rounded = statistics.rounded_floats > 0;
    if (!target->result->rounded || !target->result->tentative || status != FTR_OK)
        report_held(target);
    if (target->result->errors > FINDINGS_REPORTED && !target->result->again)
        ftr_exchange_print(target->report, "%s: %" PRIu64 " more findings", target->input,
                           target->result->errors - FINDINGS_REPORTED);
    if (status != FTR_OK && !target->failure_reported &&
        ftr_recorder_get_failure(target->recorder, &failure) == FTR_OK)
        ftr_exchange_print(target->report, "%s", failure.message);
    else if (status == FTR_OK && target->status != FTR_OK)
        ftr_exchange_print(target->report, "%s: %s", target->input,
                           ftr_status_text(target->status));
    return status == FTR_OK && target->status == FTR_OK;
}

void ftr_import_keep(ftr_import_target *target, ftr_status status)
{
    if (target->status == FTR_OK)
        target->status = status;
}

void ftr_import_relation(ftr_import_target *target, const char *name, ftr_tx from, ftr_tx to)
{
    ftr_relation relation;
    ftr_status status = ftr_relation_define(target->recorder, name, &relation);
    if (status == FTR_OK)
        status = ftr_relation_put(target->recorder, relation, from, to);
    ftr_import_keep(target, status);
}

void ftr_import_find(ftr_import_target *target, const char *unit, uint64_t number,
                     const char *format, ...)
{
    char message[512];
    va_list arguments;
    if (++target->result->errors > FINDINGS_REPORTED || target->result->again)
        return;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    ftr_exchange_print(target->report, "%s: %s %" PRIu64 ": %s", target->input, unit, number,
                       message);
}
