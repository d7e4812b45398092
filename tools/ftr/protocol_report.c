/* The output of `ftr check --protocol`. The rules are in figures/analysis/protocol_trace.c. */
#include "protocol_report.h"

#include "command.h"
#include "json_writer.h"
#include "protocol_trace.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Maximum number of printed violations per rule. */
#define PRINTED 100
#define RULES_MAX 64

typedef struct report {
    const ftr_protocol_report_options *options;
    const char *path;
    int time_scale;
    uint64_t found;
    struct {
        const char *name;
        uint64_t count;
    } rules[RULES_MAX];
    ftr_printer out;
} report;

static uint64_t count_of_rule(report *r, const char *rule)
{
    unsigned i = 0;
    while (i < RULES_MAX - 1 && r->rules[i].name != NULL && strcmp(r->rules[i].name, rule) != 0)
        i++;
    r->rules[i].name = rule;
    return ++r->rules[i].count;
}

static const char *severity_name(const ftr_protocol_finding *finding)
{
    return finding->severity == FTR_SEVERITY_ERROR ? "error" : "warning";
}

static void print_json(report *r, const ftr_protocol_finding *finding)
{
    const ftr_transaction *tx = finding->tx;
    ftr_json json = {.out = &r->out};
    ftr_json_open(&json, NULL, '{');
    ftr_json_string(&json, "file", r->path);
    ftr_json_string(&json, "rule", finding->rule);
    ftr_json_string(&json, "clause", finding->clause);
    ftr_json_string(&json, "severity", severity_name(finding));
    ftr_json_text(&json, "stream", tx->stream->name.data, tx->stream->name.size);
    ftr_json_count(&json, "transaction", tx->id);
    ftr_json_count(&json, "begin", tx->begin);
    ftr_json_string(&json, "message", finding->observation);
    ftr_json_end_line(&json);
}

static void print_plain(report *r, const ftr_protocol_finding *finding)
{
    ftr_printer *out = &r->out;
    const ftr_transaction *tx = finding->tx;
    ftr_print_plain(out, r->path, strlen(r->path));
    ftr_print_string(out, ": ");
    ftr_print_string(out, severity_name(finding));
    ftr_print_string(out, ": ");
    ftr_print_plain(out, tx->stream->name.data, tx->stream->name.size);
    ftr_print_char(out, ' ');
    ftr_print_plain(out, tx->generator->name.data, tx->generator->name.size);
    ftr_print_string(out, " #");
    ftr_print_uint(out, tx->id);
    ftr_print_string(out, " at ");
    ftr_print_time(out, tx->begin, r->time_scale);
    ftr_print_string(out, ": ");
    ftr_print_string(out, finding->observation);
    ftr_print_string(out, " [");
    ftr_print_string(out, finding->rule);
    ftr_print_string(out, ", IEEE 1666-2011 ");
    ftr_print_string(out, finding->clause);
    ftr_print_string(out, "]\n");
}

static void add_finding(void *user, const ftr_protocol_finding *finding)
{
    report *r = user;
    r->found += finding->severity == FTR_SEVERITY_ERROR || r->options->strict;
    if (count_of_rule(r, finding->rule) > PRINTED && !r->options->all)
        return;
    if (r->options->json)
        print_json(r, finding);
    else
        print_plain(r, finding);
}

static void print_suppressed(report *r)
{
    for (unsigned i = 0; i < RULES_MAX && r->rules[i].name != NULL; i++)
        if (r->rules[i].count > PRINTED && !r->options->all)
            ftr_print_error("%s: %llu more violations of the rule %s; --all prints them", r->path,
                            (unsigned long long)(r->rules[i].count - PRINTED), r->rules[i].name);
}

/* Prints the number of violations that the checker recorded while the prototype ran: it may have
 * found some that the recorded calls do not show. Returns whether they change the exit status. */
static bool print_recorded(const report *r, const ftr_protocol_counts *counts)
{
    const uint64_t errors = counts->recorded_errors;
    const uint64_t warnings = counts->recorded_warnings;
    const unsigned long long all = errors + warnings;
    if (all == 0)
        return false;
    ftr_print_error("%s: the stream ftr.protocol has %llu violation%s found while the prototype "
                    "ran; ftr dump --stream ftr.protocol prints %s",
                    r->path, all, all == 1 ? "" : "s", all == 1 ? "it" : "them");
    return errors > 0 || r->options->strict;
}

/* Prints that rules on the sequence of calls were not checked for @p calls. Returns whether there
 * are such calls. */
static bool print_unchecked(report *r, uint64_t calls, const char *cause)
{
    ftr_printer *out = &r->out;
    char message[160];
    if (calls == 0)
        return false;
    (void)snprintf(message, sizeof message,
                   "the sequence of calls is not checked for %llu call%s %s",
                   (unsigned long long)calls, calls == 1 ? "" : "s", cause);
    if (r->options->json) {
        ftr_json json = {.out = out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "file", r->path);
        ftr_json_string(&json, "rule", "not-checked");
        ftr_json_string(&json, "severity", "not-checked");
        ftr_json_string(&json, "message", message);
        ftr_json_end_line(&json);
        return true;
    }
    ftr_print_plain(out, r->path, strlen(r->path));
    ftr_print_string(out, ": not-checked: ");
    ftr_print_string(out, message);
    ftr_print_string(out, " [not-checked]\n");
    return true;
}

/* Prints which calls were not checked. Returns whether there are any. */
static bool print_all_unchecked(report *r, const ftr_protocol_counts *counts)
{
    bool is_any = print_unchecked(r, counts->unchecked.payloads,
                                  "of payloads that began before the latest 65536");
    is_any |= print_unchecked(r, counts->unchecked.links, "on links beyond the first 4096");
    is_any |= print_unchecked(r, counts->unchecked.hops,
                              "of payloads on links beyond the first 8 of each payload");
    is_any |= print_unchecked(r, counts->unsorted, "because a pipe cannot be sorted; name a file");
    return is_any;
}

int ftr_protocol_report(const ftr_protocol_report_options *options, const char *path)
{
    static report r; /* static because its output buffer is large */
    ftr_input input;
    ftr_summary summary;
    ftr_protocol_counts counts;
    r.options = options;
    r.path = path;
    r.found = 0;
    memset(r.rules, 0, sizeof r.rules);
    if (!ftr_input_open(&input, path, options->input))
        return FTR_EXIT_TROUBLE;
    ftr_reader_get_summary(input.reader, &summary);
    r.time_scale = summary.time_scale;
    ftr_printer_init(&r.out, STDOUT_FILENO);
    const ftr_status status = ftr_protocol_trace_check(input.reader, add_finding, &r, &counts);
    const bool ok = ftr_input_check_end(&input, status);
    const bool damaged = input.errors > 0;
    print_suppressed(&r);
    const bool is_unchecked = print_all_unchecked(&r, &counts);
    ftr_input_close(&input);
    if (!ftr_printer_flush(&r.out)) {
        ftr_print_error("stdout could not be written");
        return FTR_EXIT_TROUBLE;
    }
    if (!ok)
        return FTR_EXIT_TROUBLE;
    /* A check must not pass because nothing was recorded. */
    if (counts.calls == 0)
        ftr_print_error("%s: no call of the TLM-2.0 base protocol is recorded", path);
    return print_recorded(&r, &counts) || r.found > 0 || counts.calls == 0 || damaged ||
                   is_unchecked
               ? FTR_EXIT_FOUND
               : FTR_EXIT_OK;
}
