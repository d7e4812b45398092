/* ftr check: checks files against the rules of the format and the limits of viewers; with
 * --protocol, checks the recorded TLM-2.0 accesses or calls instead. The rules for these are in
 * figures/analysis/protocol_trace.c. */
#include "command.h"
#include "input_file.h"
#include "json_writer.h"
#include "protocol_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct check_options {
    ftr_input_options input;
    unsigned concerns;
    bool json;
    bool strict;   /* warnings change the exit status, too */
    bool all;      /* prints all findings instead of the first ones of each rule */
    bool protocol; /* checks the recorded TLM-2.0 accesses instead of the file format */
    bool rules;    /* lists the rules and reads no file */
} check_options;

enum {
    OPTION_FOR = FTR_OPTION_FIRST_FREE,
    OPTION_JSON,
    OPTION_STRICT,
    OPTION_ALL,
    OPTION_RULES,
    OPTION_PROTOCOL
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    {"for", required_argument, NULL, OPTION_FOR},
    {"json", no_argument, NULL, OPTION_JSON},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"all", no_argument, NULL, OPTION_ALL},
    {"rules", no_argument, NULL, OPTION_RULES},
    {"protocol", no_argument, NULL, OPTION_PROTOCOL},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Maximum number of printed findings per rule: a small file may have millions. */
#define FINDINGS_PRINTED 100
#define RULES_MAX 128
#define CALL_RULES_MAX 64
/* Number of the only rule that concerns the name of a file. All other rules concern the content. */
#define FILE_NAME_RULE 45

/* ---- files ------------------------------------------------------------------------------------
 */

/* The state of the finding callback; there is only one, because files are checked one at a time. */
typedef struct checked {
    const check_options *options;
    const char *path;
    uint64_t found;  /* number of findings that change the exit status */
    uint64_t errors; /* number of findings of severity ERROR, including those that concern only
                        other viewers */
    uint64_t of_rule[RULES_MAX]; /* number of findings of each rule; index: number of the rule */
    ftr_printer out;
} checked;

static const char *severity_name(ftr_severity severity)
{
    static const char *const NAMES[] = {
        [FTR_SEVERITY_NOTE] = "note",
        [FTR_SEVERITY_WARNING] = "warning",
        [FTR_SEVERITY_ERROR] = "error",
        [FTR_SEVERITY_NOT_CHECKED] = "not-checked",
    };
    return NAMES[severity];
}

static void print_json(checked *c, const ftr_finding *finding)
{
    ftr_json json = {.out = &c->out};
    ftr_json_open(&json, NULL, '{');
    ftr_json_string(&json, "file", c->path);
    ftr_json_count(&json, "offset", finding->offset);
    if (finding->within > 0)
        ftr_json_count(&json, "within", finding->within - 1);
    ftr_json_count(&json, "number", finding->number);
    ftr_json_string(&json, "rule", finding->rule);
    ftr_json_string(&json, "severity", severity_name(finding->severity));
    ftr_json_string(&json, "message", finding->message);
    ftr_json_end_line(&json);
}

static void print_plain(checked *c, const ftr_finding *finding)
{
    ftr_printer *out = &c->out;
    ftr_print_plain(out, c->path, strlen(c->path));
    ftr_print_char(out, ':');
    ftr_print_uint(out, finding->offset);
    if (finding->within > 0) {
        ftr_print_char(out, '+');
        ftr_print_uint(out, finding->within - 1);
    }
    ftr_print_string(out, ": ");
    ftr_print_string(out, severity_name(finding->severity));
    ftr_print_string(out, ": ");
    ftr_print_plain(out, finding->message, strlen(finding->message));
    ftr_print_string(out, " [");
    ftr_print_uint(out, finding->number);
    ftr_print_char(out, ' ');
    ftr_print_string(out, finding->rule);
    ftr_print_string(out, "]\n");
}

static void report_finding(void *user, const ftr_finding *reported)
{
    checked *c = user;
    ftr_finding finding = *reported;
    /* If the user asks for Surfer, findings that concern only the browser build of Surfer are
     * printed as remarks. */
    c->errors += finding.severity == FTR_SEVERITY_ERROR;
    const bool is_remark =
        finding.concerns == FTR_FOR_SURFER_WEB && c->options->concerns == FTR_FOR_SURFER;
    if (is_remark)
        finding.severity = FTR_SEVERITY_WARNING;
    else if ((finding.concerns & c->options->concerns) == 0)
        return;
    c->found += !is_remark && (finding.severity != FTR_SEVERITY_WARNING || c->options->strict);
    const unsigned rule = finding.number < RULES_MAX ? finding.number : 0;
    if (c->of_rule[rule]++ >= FINDINGS_PRINTED && !c->options->all)
        return;
    if (c->options->json)
        print_json(c, &finding);
    else
        print_plain(c, &finding);
}

static void print_more(checked *c, unsigned number, const char *name, uint64_t more)
{
    ftr_printer *out = &c->out;
    if (c->options->json) {
        ftr_json json = {.out = out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "file", c->path);
        ftr_json_count(&json, "number", number);
        ftr_json_string(&json, "rule", name);
        ftr_json_count(&json, "more", more);
        ftr_json_end_line(&json);
        return;
    }
    ftr_print_plain(out, c->path, strlen(c->path));
    ftr_print_string(out, ": ");
    ftr_print_uint(out, more);
    ftr_print_string(out, " more findings of this rule; --all prints them [");
    ftr_print_uint(out, number);
    ftr_print_char(out, ' ');
    ftr_print_string(out, name);
    ftr_print_string(out, "]\n");
}

/* Prints the number of findings that were counted but not printed. */
static void print_suppressed(checked *c)
{
    const char *name;
    for (unsigned number = 1; number <= ftr_finding_rules() && number < RULES_MAX; number++)
        if (c->of_rule[number] > FINDINGS_PRINTED && !c->options->all &&
            ftr_finding_rule(number, &name, NULL, NULL))
            print_more(c, number, name, c->of_rule[number] - FINDINGS_PRINTED);
}

static void check_name(checked *c)
{
    const char *slash = strrchr(c->path, '/');
    const char *name = slash != NULL ? slash + 1 : c->path;
    const char *dot = strchr(name, '.');
    if (strcmp(name, "-") == 0 || (dot != NULL && dot > name && strcmp(dot, ".ftr") == 0))
        return;
    ftr_finding finding = {
        .number = FILE_NAME_RULE,
        .severity = FTR_SEVERITY_WARNING,
        .message = "Surfer only opens files with a name that ends with .ftr and has no other dot"};
    const char *demand;
    if (ftr_finding_rule(finding.number, &finding.rule, &demand, &finding.concerns))
        report_finding(c, &finding);
}

static int check_file(const check_options *options, const char *path)
{
    static checked c; /* static because its output buffer is large */
    c.options = options;
    c.path = path;
    c.found = c.errors = 0;
    memset(c.of_rule, 0, sizeof c.of_rule);
    ftr_printer_init(&c.out, STDOUT_FILENO);
    ftr_input_report_crash(path);
    const ftr_reader_options reading = {
        .size = sizeof reading,
        .memory = options->input.memory,
        .numbering = options->input.numbering,
        .threads = ftr_input_threads(&options->input),
        .spool = true,
        .finding = report_finding,
        .finding_user = &c,
        .surfer_web = (options->concerns & FTR_FOR_SURFER) != 0 && options->concerns != FTR_FOR_ALL,
    };
    ftr_reader *reader = NULL;
    errno = 0;
    ftr_status status = ftr_reader_open(path, &reading, &reader);
    if (status == FTR_OK) {
        check_name(&c);
        status = ftr_reader_check(reader);
    }
    bool is_incomplete = false;
    /* The status is not used: the check has already reported defects and a lack of memory as
     * findings. */
    if (status == FTR_OK)
        (void)ftr_unrecovered_report(reader, path, &is_incomplete);
    const int cause = errno;
    ftr_reader_close(reader);
    /* If the reader rejects the file without a finding (too short, or not an FTR file), a finding
     * is reported here. */
    if (status == FTR_ERR_FORMAT && c.errors == 0)
        report_finding(&c, &(ftr_finding){.number = 1,
                                          .rule = "magic",
                                          .severity = FTR_SEVERITY_ERROR,
                                          .concerns = FTR_FOR_ALL,
                                          .message = "the file is too short to be an FTR file"});
    print_suppressed(&c);
    if (!ftr_stdout_finish(&c.out))
        return FTR_EXIT_TROUBLE;
    if (status != FTR_OK && status != FTR_ERR_FORMAT) {
        ftr_print_error("%s: %s", path,
                        status == FTR_ERR_IO ? strerror(cause) : ftr_status_text(status));
        return FTR_EXIT_TROUBLE;
    }
    return c.found > 0 || is_incomplete ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

/* ---- recorded calls ---------------------------------------------------------------------------
 */

typedef struct checked_calls {
    const check_options *options;
    const char *path;
    int time_scale;
    uint64_t found;
    struct {
        const char *name;
        uint64_t count;
    } rules[CALL_RULES_MAX];
    ftr_printer out;
} checked_calls;

static uint64_t count_of_rule(checked_calls *r, const char *rule)
{
    unsigned i = 0;
    while (i < CALL_RULES_MAX - 1 && r->rules[i].name != NULL &&
           strcmp(r->rules[i].name, rule) != 0)
        i++;
    r->rules[i].name = rule;
    return ++r->rules[i].count;
}

static void print_call_json(checked_calls *r, const ftr_protocol_finding *finding)
{
    const ftr_transaction *tx = finding->tx;
    ftr_json json = {.out = &r->out};
    ftr_json_open(&json, NULL, '{');
    ftr_json_string(&json, "file", r->path);
    ftr_json_string(&json, "rule", finding->rule);
    ftr_json_string(&json, "clause", finding->clause);
    ftr_json_string(&json, "severity", severity_name(finding->severity));
    ftr_json_text(&json, "stream", tx->stream->name.data, tx->stream->name.size);
    ftr_json_count(&json, "transaction", tx->id);
    ftr_json_count(&json, "begin", tx->begin);
    ftr_json_string(&json, "message", finding->observation);
    ftr_json_end_line(&json);
}

static void print_call_plain(checked_calls *r, const ftr_protocol_finding *finding)
{
    ftr_printer *out = &r->out;
    const ftr_transaction *tx = finding->tx;
    ftr_print_plain(out, r->path, strlen(r->path));
    ftr_print_string(out, ": ");
    ftr_print_string(out, severity_name(finding->severity));
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
    checked_calls *r = user;
    r->found += finding->severity == FTR_SEVERITY_ERROR || r->options->strict;
    if (count_of_rule(r, finding->rule) > FINDINGS_PRINTED && !r->options->all)
        return;
    if (r->options->json)
        print_call_json(r, finding);
    else
        print_call_plain(r, finding);
}

static void print_suppressed_calls(checked_calls *r)
{
    for (unsigned i = 0; i < CALL_RULES_MAX && r->rules[i].name != NULL; i++)
        if (r->rules[i].count > FINDINGS_PRINTED && !r->options->all)
            ftr_print_error("%s: %llu more violations of the rule %s; --all prints them", r->path,
                            (unsigned long long)(r->rules[i].count - FINDINGS_PRINTED),
                            r->rules[i].name);
}

/* Prints the number of violations that the checker in the prototype recorded during the run. It may
 * have found violations that the recorded calls do not show. Returns whether these violations
 * change the exit status. */
static bool print_recorded(const checked_calls *r, const ftr_protocol_counts *counts)
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

static void print_not_checked(checked_calls *r, const char *message)
{
    ftr_printer *out = &r->out;
    if (r->options->json) {
        ftr_json json = {.out = out};
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "file", r->path);
        ftr_json_string(&json, "rule", "not-checked");
        ftr_json_string(&json, "severity", "not-checked");
        ftr_json_string(&json, "message", message);
        ftr_json_end_line(&json);
        return;
    }
    ftr_print_plain(out, r->path, strlen(r->path));
    ftr_print_string(out, ": not-checked: ");
    ftr_print_string(out, message);
    ftr_print_string(out, " [not-checked]\n");
}

/* Prints that the rules on the sequence of calls were not checked for a number of calls (@p calls),
 * and the cause. If the number is 0, prints nothing and returns false. */
static bool print_unchecked(checked_calls *r, uint64_t calls, const char *cause)
{
    char message[160];
    if (calls == 0)
        return false;
    (void)snprintf(message, sizeof message,
                   "the sequence of calls is not checked for %llu call%s %s",
                   (unsigned long long)calls, calls == 1 ? "" : "s", cause);
    print_not_checked(r, message);
    return true;
}

/* Prints the number of accesses that were not compared with the other accesses of their payloads,
 * and the cause. @return false if @p accesses is 0: nothing is printed */
static bool print_uncompared(checked_calls *r, uint64_t accesses, const char *cause)
{
    char message[160];
    if (accesses == 0)
        return false;
    (void)snprintf(message, sizeof message,
                   "the links of a payload are not compared for %llu access%s %s",
                   (unsigned long long)accesses, accesses == 1 ? "" : "es", cause);
    print_not_checked(r, message);
    return true;
}

/* Prints the rules that need single calls, if the trace has accesses in phases instead, and these
 * rules were not checked when the prototype ran. Returns whether there are such rules. */
static bool print_unchecked_rules(checked_calls *r, const ftr_protocol_counts *counts)
{
    char message[400];
    if (counts->accesses_in_phases == 0 || counts->was_checked)
        return false;
    (void)snprintf(message, sizeof message,
                   "the rules phase-path, status-phase, end-status, after-completion%s "
                   "nonblocking-waits%s are not checked for %llu non-blocking access%s: they need "
                   "single calls (record with FTR_PROTOCOL=check or FTR_TLM=calls)",
                   counts->has_all_events ? " and" : ",",
                   counts->has_all_events ? "" : ", request-exclusion and response-exclusion",
                   (unsigned long long)counts->accesses_in_phases,
                   counts->accesses_in_phases == 1 ? "" : "es");
    print_not_checked(r, message);
    return true;
}

/* Prints which calls, accesses and rules were not checked. Returns whether there are any. */
static bool print_all_unchecked(checked_calls *r, const ftr_protocol_counts *counts)
{
    static const char TOO_MANY[] = "of payloads that began before the latest 65536";
    static const char PIPE[] = "because a pipe cannot be sorted; name a file";
    bool is_any = print_unchecked(r, counts->unchecked.payloads, TOO_MANY);
    is_any |= print_unchecked(r, counts->unchecked.links, "on links beyond the first 4096");
    is_any |= print_unchecked(r, counts->unchecked.hops,
                              "of payloads on links beyond the first 8 of each payload");
    is_any |= print_unchecked(r, counts->unsorted, PIPE);
    is_any |= print_uncompared(r, counts->unchecked.accesses, TOO_MANY);
    is_any |= print_uncompared(r, counts->unsorted_accesses, PIPE);
    is_any |= print_unchecked_rules(r, counts);
    return is_any;
}

static int check_calls(checked_calls *r, const check_options *options, const char *path)
{
    ftr_input input;
    ftr_file_info info;
    ftr_protocol_counts counts;
    r->options = options;
    r->path = path;
    if (!ftr_input_open(&input, path, &options->input))
        return FTR_EXIT_TROUBLE;
    ftr_reader_get_info(input.reader, &info);
    r->time_scale = info.time_scale;
    ftr_printer_init(&r->out, STDOUT_FILENO);
    const ftr_status status =
        ftr_protocol_trace_check(input.reader, input.memory, add_finding, r, &counts);
    const bool ok = ftr_input_check_end(&input, status);
    const bool damaged = input.errors > 0;
    print_suppressed_calls(r);
    const bool is_unchecked = print_all_unchecked(r, &counts);
    ftr_input_close(&input);
    if (!ftr_stdout_finish(&r->out) || !ok)
        return FTR_EXIT_TROUBLE;
    /* A check must not pass because nothing was recorded. */
    const bool is_empty = counts.calls == 0 && counts.accesses == 0;
    if (is_empty)
        ftr_print_error("%s: no access of the TLM-2.0 base protocol is recorded", path);
    return print_recorded(r, &counts) || r->found > 0 || is_empty || damaged || is_unchecked
               ? FTR_EXIT_FOUND
               : FTR_EXIT_OK;
}

static int check_protocol(const check_options *options, const char *path)
{
    checked_calls *r = calloc(1, sizeof *r); /* its output buffer is too large for a stack */
    if (r == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return FTR_EXIT_TROUBLE;
    }
    const int status = check_calls(r, options, path);
    free(r);
    return status;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static bool parse_audience(const char *whom, unsigned *concerns)
{
    if (strcmp(whom, "scviewer") == 0)
        *concerns = FTR_FOR_SCVIEWER;
    else if (strcmp(whom, "surfer") == 0)
        *concerns = FTR_FOR_SURFER;
    else if (strcmp(whom, "surfer-web") == 0)
        *concerns = FTR_FOR_SURFER | FTR_FOR_SURFER_WEB;
    else if (strcmp(whom, "spec") == 0)
        *concerns = FTR_FOR_SPEC;
    else if (strcmp(whom, "all") == 0)
        *concerns = FTR_FOR_ALL;
    else
        return false;
    return true;
}

static void print_rules(void)
{
    for (unsigned number = 1; number <= ftr_finding_rules(); number++) {
        const char *name;
        const char *demand;
        unsigned concerns;
        if (!ftr_finding_rule(number, &name, &demand, &concerns))
            continue;
        (void)printf("%2u %-20s %c%c%c%c  %s\n", number, name,
                     (concerns & FTR_FOR_SPEC) != 0 ? 's' : '-',
                     (concerns & FTR_FOR_SCVIEWER) != 0 ? 'v' : '-',
                     (concerns & FTR_FOR_SURFER) != 0 ? 'r' : '-',
                     (concerns & (FTR_FOR_SURFER | FTR_FOR_SURFER_WEB)) != 0 ? 'w' : '-', demand);
    }
}

static bool parse_option(void *taken, int option, const char *argument)
{
    check_options *options = taken;
    if (option == OPTION_FOR)
        return parse_audience(argument, &options->concerns);
    if (option == OPTION_JSON)
        options->json = true;
    else if (option == OPTION_STRICT)
        options->strict = true;
    else if (option == OPTION_ALL)
        options->all = true;
    else if (option == OPTION_RULES)
        options->rules = true;
    else if (option == OPTION_PROTOCOL)
        options->protocol = true;
    else
        return ftr_input_parse_option(&options->input, option, argument);
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_check, ":hj:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    check_options options = {.input = {.without_index = true}, .concerns = FTR_FOR_ALL};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (options.rules) {
        print_rules();
        return FTR_EXIT_OK;
    }
    if (optind == argc)
        return ftr_misuse(&ftr_command_check, "a file is expected");
    int worst = FTR_EXIT_OK;
    for (int i = optind; i < argc; i++) {
        status =
            options.protocol ? check_protocol(&options, argv[i]) : check_file(&options, argv[i]);
        worst = status > worst ? status : worst;
    }
    return worst;
}

const ftr_command ftr_command_check = {
    "check",
    "reports defects of files; prints nothing for sound files",
    run,
    "[OPTION]... FILE...",
    "  --for VIEWER            scviewer, surfer, surfer-web (also its build for browsers), spec\n"
    "                          (the published specification) or all (default: all but surfer-web)\n"
    "  --strict                warnings change the exit status, too; they are defects that a\n"
    "                          viewer shows incorrectly. They are always printed\n"
    "  --json                  print one JSON object per line\n"
    "  --all                   print every finding; default: the first 100 of each rule, and "
    "counts\n"
    "  --protocol              check the recorded accesses against the rules of the TLM-2.0 base\n"
    "                          protocol, instead of the file; a file without accesses fails\n"
    "  --rules                 list the rules: number, name, concerned readers (s specification,\n"
    "                          v SCViewer, r Surfer, w Surfer in a browser), and "
    "requirement\n" FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT
    "Exit status: 0 sound, 1 errors (with --strict also warnings), data that could not be "
    "recovered\n"
    "after a crash, or a part of the file was not checked for lack of memory (--memory), 2 a file\n"
    "could not be read.\n",
};
