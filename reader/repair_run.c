/* The messages of a repair: reports the first messages about each subject, and the number of the
 * others. */
#include "repair_run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* Maximum number of messages about one subject. */
#define MESSAGES_MAX 10

void ftr_repair_message(ftr_repair_run *run, ftr_repair_subject subject, const char *format, ...)
{
    char message[400];
    if (run->on_message == NULL ||
        (run->messages[subject]++ >= MESSAGES_MAX && subject != FTR_REPAIR_FILE))
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    run->on_message(run->user, message);
}

bool ftr_repair_has_dropped(const ftr_repair *report)
{
    return report->chunks_salvaged + report->chunks_dropped + report->bytes_dropped +
               report->transactions_dropped + report->attributes_dropped +
               report->relations_dropped + report->definitions_lost + report->texts_lost +
               report->times_changed >
           0;
}

void ftr_repair_report_suppressed(ftr_repair_run *run)
{
    static const char *const SUBJECTS[FTR_REPAIR_SUBJECTS] = {
        [FTR_REPAIR_BYTES] = "damaged places without a complete entry",
        [FTR_REPAIR_CHUNK] = "damaged chunks salvaged",
        [FTR_REPAIR_TEXT] = "texts that were used before they were defined, or lost",
        [FTR_REPAIR_DEFINITION] = "lost definitions",
        [FTR_REPAIR_TRANSACTION] = "transactions dropped",
        [FTR_REPAIR_TIMES] = "transactions that ended before they began",
        [FTR_REPAIR_RELATION] = "relations dropped",
    };
    for (unsigned subject = FTR_REPAIR_BYTES; subject < FTR_REPAIR_SUBJECTS; subject++)
        if (run->messages[subject] > MESSAGES_MAX)
            ftr_repair_message(run, FTR_REPAIR_FILE, "%" PRIu64 " more %s",
                               run->messages[subject] - MESSAGES_MAX, SUBJECTS[subject]);
}
