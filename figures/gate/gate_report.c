/* Prints the verdicts as text, JSON and JUnit XML. */
#include "gate.h"

#include "utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const results[] = {"passed", "failed", "skipped"};

typedef struct counts {
    size_t cases, failed, skipped;
} counts;

static counts count_all(const ftr_gate *gate)
{
    size_t count;
    const ftr_gate_suite *suites = ftr_gate_suites(gate, &count);
    counts sum = {0};
    for (size_t i = 0; i < count; i++) {
        sum.cases += suites[i].count;
        sum.failed += suites[i].failed;
        sum.skipped += suites[i].skipped;
    }
    return sum;
}

size_t ftr_gate_failed(const ftr_gate *gate)
{
    return count_all(gate).failed;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Prints a message; indents every line except the first. */
static void print_message(ftr_printer *out, const char *text)
{
    for (;;) {
        const size_t size = strcspn(text, "\n");
        ftr_print_plain(out, text, size);
        if (text[size] == '\0')
            return;
        ftr_print_string(out, "\n    ");
        text += size + 1;
    }
}

/* Prints the number of runs whose end is not known. Such runs pass. */
static void print_not_told(ftr_printer *out, const ftr_gate_suite *runs)
{
    uint64_t count = 0;
    for (size_t i = 0; i < runs->count; i++)
        count += runs->cases[i].result == FTR_CASE_PASSED && runs->cases[i].message != NULL &&
                 runs->cases[i].of != NULL;
    if (count == 0)
        return;
    ftr_print_uint(out, count);
    ftr_print_string(out, count == 1 ? " run is not told to have ended: its trace has"
                                     : " runs are not told to have ended: their traces have");
    ftr_print_string(out, " no stream ftr.run\n");
}

/* Returns whether a passed case says something about the whole night, for example new streams. */
static bool is_note(const ftr_gate_case *of)
{
    return of->result == FTR_CASE_PASSED && of->message != NULL && of->of == NULL;
}

static void print_notes(ftr_printer *out, const ftr_gate_suite *runs)
{
    for (size_t i = 0; i < runs->count; i++) {
        if (!is_note(&runs->cases[i]))
            continue;
        ftr_print_string(out, runs->cases[i].run);
        ftr_print_string(out, "\n    ");
        print_message(out, runs->cases[i].message);
        ftr_print_char(out, '\n');
    }
}

/* Prints a change: "+12.5 %". */
static void print_change(ftr_printer *out, double change)
{
    char text[32];
    (void)snprintf(text, sizeof text, "%+.3g %%", 100 * change);
    ftr_print_string(out, text);
}

static void print_group(ftr_printer *out, const ftr_triage_group *group)
{
    char metric[FTR_METRIC_NAME_SIZE];
    ftr_print_string(out, "  ");
    ftr_print_plain(out, group->generator, strlen(group->generator));
    ftr_print_char(out, ' ');
    ftr_print_string(out, ftr_figure_metric_name(group->metric, metric));
    ftr_print_string(out, ": ");
    print_change(out, group->change);
    ftr_print_string(out, " in ");
    ftr_print_plain(out, group->test, strlen(group->test));
    if (group->tests > 1) {
        ftr_print_string(out, ", changed in ");
        ftr_print_uint(out, group->tests);
        ftr_print_string(out, " tests");
    }
    ftr_print_char(out, '\n');
}

static void print_run(ftr_printer *out, const ftr_triage_run *of)
{
    ftr_print_string(out, "  ");
    ftr_print_plain(out, of->run->file, strlen(of->run->file));
    if (of->run->tags != NULL) {
        ftr_print_string(out, " (");
        ftr_print_plain(out, of->run->tags, strlen(of->run->tags));
        ftr_print_char(out, ')');
    }
    ftr_print_string(out, ": ");
    ftr_print_plain(out, of->reason, strcspn(of->reason, "\n"));
    ftr_print_char(out, '\n');
    if (of->run->command != NULL) {
        ftr_print_string(out, "    run again: ");
        ftr_print_plain(out, of->run->command, strlen(of->run->command));
        ftr_print_char(out, '\n');
    }
}

/* Prints which changes have the same cause, and which runs to look at. */
static void print_triage(ftr_printer *out, const ftr_gate *gate)
{
    ftr_triage triage;
    if (ftr_gate_triage(gate, &triage)) {
        if (triage.group_count > 0)
            ftr_print_string(out, "greatest changes:\n");
        for (size_t i = 0; i < triage.group_count && i < FTR_TRIAGE_MAX; i++)
            print_group(out, &triage.groups[i]);
        if (triage.run_count > 0)
            ftr_print_string(out, "runs worth a look:\n");
        for (size_t i = 0; i < triage.run_count; i++)
            print_run(out, &triage.runs[i]);
    }
    ftr_triage_release(&triage);
}

void ftr_gate_print_text(ftr_printer *out, const ftr_gate *gate)
{
    size_t count;
    const ftr_gate_suite *suites = ftr_gate_suites(gate, &count);
    const counts sum = count_all(gate);
    for (size_t i = 0; i < count; i++) {
        if (suites[i].failed == 0)
            continue;
        ftr_print_plain(out, suites[i].name, strlen(suites[i].name));
        ftr_print_string(out, ": ");
        ftr_print_uint(out, suites[i].failed);
        ftr_print_string(out, " of ");
        ftr_print_uint(out, suites[i].count);
        ftr_print_string(out, " failed\n");
        for (size_t k = 0; k < suites[i].count; k++) {
            const ftr_gate_case *of = &suites[i].cases[k];
            if (of->result != FTR_CASE_FAILED)
                continue;
            ftr_print_string(out, "  ");
            ftr_print_plain(out, of->run, strlen(of->run));
            ftr_print_string(out, "\n    ");
            print_message(out, of->message);
            ftr_print_char(out, '\n');
        }
    }
    print_triage(out, gate);
    print_notes(out, &suites[0]);
    print_not_told(out, &suites[0]);
    ftr_print_uint(out, sum.cases);
    ftr_print_string(out, " cases, ");
    ftr_print_uint(out, sum.failed);
    ftr_print_string(out, " failed, ");
    ftr_print_uint(out, sum.skipped);
    ftr_print_string(out, " skipped\n");
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void print_json_case(ftr_json *json, const ftr_gate_case *of)
{
    ftr_json_open(json, NULL, '{');
    ftr_json_string(json, "run", of->run);
    ftr_json_string(json, "result", results[of->result]);
    if (of->message != NULL)
        ftr_json_string(json, "message", of->message);
    ftr_json_close(json, '}');
}

void ftr_gate_put_triage(ftr_json *json, const ftr_gate *gate)
{
    char metric[FTR_METRIC_NAME_SIZE];
    ftr_triage triage;
    const bool ok = ftr_gate_triage(gate, &triage);
    ftr_json_open(json, "changes", '[');
    for (size_t i = 0; ok && i < triage.group_count; i++) {
        const ftr_triage_group *group = &triage.groups[i];
        ftr_json_open(json, NULL, '{');
        ftr_json_string(json, "generator", group->generator);
        ftr_json_string(json, "metric", ftr_figure_metric_name(group->metric, metric));
        if (isfinite(group->change))
            ftr_json_real(json, "change", group->change);
        else
            ftr_json_null(json, "change");
        ftr_json_string(json, "test", group->test);
        ftr_json_count(json, "tests", group->tests);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
    ftr_json_open(json, "look", '[');
    for (size_t i = 0; ok && i < triage.run_count; i++) {
        const ftr_gate_run *run = triage.runs[i].run;
        ftr_json_open(json, NULL, '{');
        ftr_json_string(json, "run", run->file);
        ftr_json_string(json, "test", run->test);
        ftr_json_string(json, "tags", run->tags != NULL ? run->tags : "");
        ftr_json_string(json, "command", run->command != NULL ? run->command : "");
        ftr_json_string(json, "reason", triage.runs[i].reason);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
    ftr_triage_release(&triage);
}

void ftr_gate_print_json(ftr_printer *out, const ftr_gate *gate)
{
    size_t count;
    const ftr_gate_suite *suites = ftr_gate_suites(gate, &count);
    const counts sum = count_all(gate);
    ftr_json json = {.out = out};
    ftr_json_open(&json, NULL, '{');
    ftr_json_bool(&json, "passed", sum.failed == 0);
    ftr_json_count(&json, "cases", sum.cases);
    ftr_json_count(&json, "failed", sum.failed);
    ftr_json_count(&json, "skipped", sum.skipped);
    ftr_json_open(&json, "suites", '[');
    for (size_t i = 0; i < count; i++) {
        ftr_json_open(&json, NULL, '{');
        ftr_json_string(&json, "name", suites[i].name);
        if (suites[i].line > 0)
            ftr_json_count(&json, "line", suites[i].line);
        ftr_json_count(&json, "failed", suites[i].failed);
        ftr_json_count(&json, "skipped", suites[i].skipped);
        ftr_json_open(&json, "cases", '[');
        for (size_t k = 0; k < suites[i].count; k++)
            print_json_case(&json, &suites[i].cases[k]);
        ftr_json_close(&json, ']');
        ftr_json_close(&json, '}');
    }
    ftr_json_close(&json, ']');
    ftr_gate_put_triage(&json, gate);
    ftr_json_end_line(&json);
}

/* ---- JUnit ----------------------------------------------------------------------------------- */

/* Prints text for the content of XML 1.0 elements or for attribute values. ASCII control characters
 * other than newlines, U+FFFE, U+FFFF and invalid UTF-8 are replaced by question marks. */
static void print_xml(ftr_printer *out, const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t left = strlen(text);
    while (left > 0) {
        size_t invalid;
        const size_t size = ftr_utf8_length(at, left, &invalid);
        if (*at == '&')
            ftr_print_string(out, "&amp;");
        else if (*at == '<')
            ftr_print_string(out, "&lt;");
        else if (*at == '>')
            ftr_print_string(out, "&gt;");
        else if (*at == '"')
            ftr_print_string(out, "&quot;");
        else if (*at == '\n')
            ftr_print_string(out, "&#10;");
        else if (size == 0 || *at < 0x20 || *at == 0x7f ||
                 (size == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe))
            ftr_print_char(out, '?');
        else
            ftr_print(out, (const char *)at, size);
        at += size > 0 ? size : invalid;
        left -= size > 0 ? size : invalid;
    }
}

static void print_xml_attribute(ftr_printer *out, const char *name, const char *value)
{
    ftr_print_char(out, ' ');
    ftr_print_string(out, name);
    ftr_print_string(out, "=\"");
    print_xml(out, value);
    ftr_print_char(out, '"');
}

static void print_xml_counts(ftr_printer *out, const counts *sum, bool is_suite)
{
    const struct {
        const char *name;
        size_t value;
    } all[] = {{"tests", sum->cases}, {"failures", sum->failed}, {"skipped", sum->skipped}};
    /* Schemas have the number of skipped cases only for a suite. */
    for (size_t i = 0; i < (is_suite ? 3 : 2); i++) {
        ftr_print_char(out, ' ');
        ftr_print_string(out, all[i].name);
        ftr_print_string(out, "=\"");
        ftr_print_uint(out, all[i].value);
        ftr_print_char(out, '"');
    }
    ftr_print_string(out, " errors=\"0\" time=\"0\">\n");
}

/* Prints the file, the tags and the command of a run. Schemas have no properties of cases. */
static void print_xml_run(ftr_printer *out, const ftr_gate_run *run)
{
    const char *const texts[][2] = {
        {"file", run->file}, {"tags", run->tags}, {"run again", run->command}};
    ftr_print_string(out, "      <system-out>");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i][1] == NULL)
            continue;
        ftr_print_string(out, texts[i][0]);
        ftr_print_string(out, ": ");
        print_xml(out, texts[i][1]);
        ftr_print_string(out, "&#10;");
    }
    ftr_print_string(out, "</system-out>\n");
}

static void print_xml_case(ftr_printer *out, const ftr_gate_suite *suite, const ftr_gate_case *of)
{
    ftr_print_string(out, "    <testcase");
    print_xml_attribute(out, "name", of->of != NULL ? of->of->name : of->run);
    print_xml_attribute(out, "classname", suite->name);
    if (is_note(of)) {
        ftr_print_string(out, " time=\"0\">\n      <system-out>");
        print_xml(out, of->message);
        ftr_print_string(out, "</system-out>\n    </testcase>\n");
        return;
    }
    if (of->result == FTR_CASE_PASSED) {
        ftr_print_string(out, " time=\"0\"/>\n");
        return;
    }
    ftr_print_string(out, " time=\"0\">\n");
    ftr_print_string(out, of->result == FTR_CASE_FAILED ? "      <failure" : "      <skipped");
    print_xml_attribute(out, "message", of->message);
    if (of->result == FTR_CASE_FAILED) {
        ftr_print_char(out, '>');
        print_xml(out, of->run);
        ftr_print_string(out, "&#10;");
        print_xml(out, of->message);
        ftr_print_string(out, "</failure>\n");
    } else {
        ftr_print_string(out, "/>\n");
    }
    if (of->of != NULL)
        print_xml_run(out, of->of);
    ftr_print_string(out, "    </testcase>\n");
}

void ftr_gate_print_junit(ftr_printer *out, const ftr_gate *gate)
{
    size_t count;
    const ftr_gate_suite *suites = ftr_gate_suites(gate, &count);
    const counts sum = count_all(gate);
    ftr_print_string(out,
                     "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ftr gate\"");
    print_xml_counts(out, &sum, false);
    for (size_t i = 0; i < count; i++) {
        const counts own = {suites[i].count, suites[i].failed, suites[i].skipped};
        ftr_print_string(out, "  <testsuite");
        print_xml_attribute(out, "name", suites[i].name);
        print_xml_counts(out, &own, true);
        for (size_t k = 0; k < suites[i].count; k++)
            print_xml_case(out, &suites[i], &suites[i].cases[k]);
        ftr_print_string(out, "  </testsuite>\n");
    }
    ftr_print_string(out, "</testsuites>\n");
}
