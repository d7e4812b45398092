/* Owns the text form of kernel events. */
#include "exchange_file.h"
#include "kev_log.h"
#include "kev_names.h"
#include "kev_reader.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct dump {
    const char *path;
    const ftr_exchange_report *report;
    ftr_byte_input *input;
    uint64_t errors;
} dump;

static int64_t read_input(void *user, void *bytes, size_t size)
{
    const dump *d = user;
    return ftr_byte_input_read(d->input, bytes, size);
}

static void find(void *user, uint64_t offset, const char *message)
{
    dump *d = user;
    d->errors++;
    ftr_exchange_print(d->report, "%s: byte %" PRIu64 ": %s", d->path, offset, message);
}

/* Returns the suffix for the name of an event: empty, or for calls: exit, interruption, or unknown
 * (" ?"). */
static const char *mark_of(const ftr_kev_event *event)
{
    static const char *const MARKS[] = {"", " exit", " interrupted", " ?"};
    return event->class_ == FTR_KEV_CALL
               ? MARKS[(event->number & ~FTR_KEV_64) / FTR_KEV_CALL_NUMBERS]
               : "";
}

static void put_event(ftr_printer *out, const ftr_kev_event *event, unsigned release)
{
    char text[96];
    const char *class_ = ftr_kev_class_name(event);
    const char *name = ftr_kev_name_of(event, release);
    (void)snprintf(text, sizeof text, "t:0x%016" PRIx64 " CPU:%02u ", event->time, event->cpu);
    ftr_print_string(out, text);
    if (class_ != NULL)
        (void)snprintf(text, sizeof text, "%-8s ", class_);
    else
        (void)snprintf(text, sizeof text, "class:%u ", event->class_);
    ftr_print_string(out, text);
    if (name != NULL)
        (void)snprintf(text, sizeof text, ":%s%s", name, mark_of(event));
    else
        (void)snprintf(text, sizeof text, ":%u", event->number);
    ftr_print_string(out, text);
    for (size_t i = 0; i < event->word_count; i++) {
        (void)snprintf(text, sizeof text, " 0x%08" PRIx32, event->words[i]);
        ftr_print_string(out, text);
    }
    ftr_print_char(out, '\n');
}

bool ftr_kev_dump(const char *path, ftr_printer *out, const ftr_exchange_report *report,
                  uint64_t *errors)
{
    dump d = {.path = path, .report = report};
    ftr_byte_input input;
    ftr_kev_log log;
    ftr_kev_event event;
    if (!ftr_byte_input_open(&input, path, report))
        return false;
    d.input = &input;
    const char *why = NULL;
    bool ok = ftr_kev_log_open(&log, read_input, find, &d, &why) == FTR_OK;
    if (why != NULL)
        ftr_exchange_print(report, "%s: %s", path, why);
    for (size_t i = 0; ok && i < log.key_count; i++) {
        ftr_print_string(out, log.keys[i].key);
        ftr_print_string(out, ":: ");
        ftr_print_plain(out, log.keys[i].value, strlen(log.keys[i].value));
        ftr_print_char(out, '\n');
    }
    ftr_status status = FTR_ERR_END;
    while (ok && !out->failed && (status = ftr_kev_log_next(&log, &event)) == FTR_OK)
        put_event(out, &event, log.release);
    ok = ok && (status == FTR_ERR_END || status == FTR_OK);
    ftr_kev_log_close(&log);
    ftr_byte_input_close(&input);
    *errors = d.errors;
    return ok;
}
