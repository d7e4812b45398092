/* Writes the report of the runs of a summary. */
#include "report_modes.h"

#include "campaign.h"
#include "command.h"
#include "run_inputs.h"

#include <ftr/version.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Maximum number of failed cases in the report. Passed cases are only counted. */
#define CASES_MAX 10000u

typedef struct campaign_report {
    const ftr_report_arguments *arguments;
    char *path; /* path of the summary */
    ftr_run_set runs;
    ftr_campaign campaign;
    ftr_text_buffer gate; /* JSON of the member `gate`; empty: no gate */
    ftr_printer *printer;
} campaign_report;

bool ftr_report_is_summary(const char *path)
{
    static const char END[] = ".fts";
    const size_t size = strlen(path);
    return size > sizeof END - 1 && strcmp(path + size - (sizeof END - 1), END) == 0;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Returns the relative path from the folder @p from to the file @p to. Both must be absolute and
 * without links.
 * @return a string that the caller must free(); NULL if out of memory */
static char *relative_path(const char *from, const char *to)
{
    size_t at = 0, same = 1, ups = 0;
    while (from[at] != '\0' && from[at] == to[at])
        if (from[at++] == '/')
            same = at;
    if (from[at] == '\0' && to[at] == '/')
        same = at + 1; /* the file is within the folder */
    else
        for (const char *rest = from + same; *rest != '\0'; rest++)
            ups += rest == from + same || *rest == '/';
    char *path = malloc(3 * ups + strlen(to + same) + 1);
    if (path == NULL)
        return NULL;
    for (size_t i = 0; i < ups; i++)
        memcpy(path + 3 * i, "../", 3);
    memcpy(path + 3 * ups, to + same, strlen(to + same) + 1);
    return path;
}

/* Gets the absolute path of the folder of a file. @return false if the folder does not exist */
static bool folder_of(const char *path, char folder[PATH_MAX])
{
    char copy[PATH_MAX];
    const char *slash = strrchr(path, '/');
    const size_t size = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    if (size >= sizeof copy)
        return false;
    memcpy(copy, path, size);
    copy[size] = '\0';
    return realpath(size > 0 ? copy : ".", folder) != NULL;
}

/* Finds the trace of a run. The path in the summary may be relative to the current folder or to the
 * folder of the summary. */
static bool find_trace(const campaign_report *report, const char *file, char found[PATH_MAX])
{
    char folder[PATH_MAX], beside[2 * PATH_MAX];
    if (realpath(file, found) != NULL)
        return true;
    if (file[0] == '/' || strlen(file) >= PATH_MAX || !folder_of(report->path, folder))
        return false;
    const size_t size = strlen(folder);
    memcpy(beside, folder, size);
    beside[size] = '/';
    memcpy(beside + size + 1, file, strlen(file) + 1);
    return realpath(beside, found) != NULL;
}

static char *link_to(void *user, const char *file)
{
    const campaign_report *report = user;
    const char *output = report->arguments->output;
    char trace[PATH_MAX], folder[PATH_MAX];
    if (strcmp(output, "-") == 0 || !find_trace(report, file, trace) || !folder_of(output, folder))
        return NULL;
    return relative_path(folder, trace);
}

/* ---- reports of runs ------------------------------------------------------------------------- */

/* Returns the name of the folder for the reports of runs: that of the report without its suffix.
 * The caller frees it; NULL: memory is exhausted. */
static char *reports_folder(const char *output)
{
    const char *slash = strrchr(output, '/');
    const char *dot = strrchr(output, '.');
    const bool has_suffix = dot != NULL && (slash == NULL || dot > slash + 1) && dot != output;
    char *folder = NULL;
    const int length = has_suffix ? asprintf(&folder, "%.*s", (int)(dot - output), output)
                                  : asprintf(&folder, "%s.runs", output);
    return length >= 0 ? folder : NULL;
}

/* Writes the report of a run. @return false after an error message */
static bool write_run_report(campaign_report *report, ftr_campaign_run *run, const char *folder,
                             size_t number)
{
    char trace[PATH_MAX], parent[PATH_MAX], path[PATH_MAX];
    if (!find_trace(report, run->file, trace))
        return true;
    const char *slash = strrchr(run->file, '/');
    const char *base = slash != NULL ? slash + 1 : run->file;
    const char *dot = strrchr(base, '.');
    const int size = dot != NULL ? (int)(dot - base) : (int)strlen(base);
    /* The number keeps runs of the same name in different folders apart. */
    if (snprintf(path, sizeof path, "%s/%.*s-%zu.html", folder, size, base, number) >= PATH_MAX) {
        ftr_print_error("%s: the name of its report is too long", run->file);
        return false;
    }
    ftr_report_arguments arguments = *report->arguments;
    arguments.output = path;
    arguments.force = true;
    if (ftr_report_run(&arguments, trace) == FTR_EXIT_TROUBLE)
        return false;
    if (folder_of(report->arguments->output, parent) && realpath(path, trace) != NULL)
        run->report = relative_path(parent, trace);
    return run->report != NULL;
}

static bool has_failed(const ftr_campaign_run *run)
{
    const char *status = ftr_run_attribute_value(&run->figures, "exit_status");
    return run->failed > 0 || !ftr_run_state_is_complete(run->figures.state) ||
           (status != NULL && strcmp(status, "0") != 0);
}

/* Writes the reports of failed runs, at most as many as asked for. A run whose report cannot be
 * written is told, and has no link. */
static bool write_run_reports(campaign_report *report)
{
    size_t left = report->arguments->reports;
    size_t omitted = 0;
    char *folder = left > 0 ? reports_folder(report->arguments->output) : NULL;
    if (left > 0 && folder == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return false;
    }
    for (size_t i = 0; i < report->campaign.run_count && folder != NULL; i++) {
        ftr_campaign_run *run = &report->campaign.runs[i];
        if (!has_failed(run))
            continue;
        if (left == 0) {
            omitted++;
        } else {
            (void)write_run_report(report, run, folder, i);
            left -= run->report != NULL;
        }
    }
    if (omitted > 0)
        ftr_print_error("%zu further failed runs have no report; --with-reports=NUMBER writes more",
                        omitted);
    free(folder);
    return true;
}

/* ---- the gate -------------------------------------------------------------------------------- */

static void print_case(campaign_report *report, const char *rule, const ftr_gate_case *of,
                       ftr_json *json)
{
    const size_t run = ftr_campaign_find_run(&report->campaign, of->run);
    if (run != SIZE_MAX && of->result == FTR_CASE_FAILED)
        report->campaign.runs[run].failed++;
    ftr_json_open(json, NULL, '{');
    ftr_json_string(json, "rule", rule);
    ftr_json_string(json, "name", of->run);
    if (run != SIZE_MAX)
        ftr_json_count(json, "run", run);
    else
        ftr_json_null(json, "run");
    ftr_json_bool(json, "passed", false);
    ftr_json_bool(json, "skipped", of->result == FTR_CASE_SKIPPED);
    ftr_json_string(json, "text", of->message != NULL ? of->message : "");
    ftr_json_close(json, '}');
}

static void print_suites(const ftr_gate_suite *suites, size_t count, ftr_json *json)
{
    size_t sums[3] = {0};
    ftr_json_open(json, "suites", '[');
    for (size_t i = 0; i < count; i++) {
        const size_t passed = suites[i].count - suites[i].failed - suites[i].skipped;
        ftr_json_open(json, NULL, '{');
        ftr_json_string(json, "rule", suites[i].name);
        ftr_json_count(json, "line", suites[i].line);
        ftr_json_count(json, "passed", passed);
        ftr_json_count(json, "failed", suites[i].failed);
        ftr_json_count(json, "skipped", suites[i].skipped);
        ftr_json_close(json, '}');
        sums[0] += passed;
        sums[1] += suites[i].failed;
        sums[2] += suites[i].skipped;
    }
    ftr_json_close(json, ']');
    ftr_json_count(json, "passed", sums[0]);
    ftr_json_count(json, "failed", sums[1]);
    ftr_json_count(json, "skipped", sums[2]);
}

static int print_gate(void *user, const ftr_gate *gate)
{
    campaign_report *report = user;
    size_t count, cases = 0, omitted = 0;
    const ftr_gate_suite *suites = ftr_gate_suites(gate, &count);
    ftr_text_buffer_connect(&report->gate, report->printer);
    ftr_json json = {.out = report->printer};
    ftr_json_open(&json, "gate", '{');
    ftr_json_string(&json, "rules", report->arguments->rules);
    ftr_json_open(&json, "baselines", '[');
    if (report->arguments->history != NULL)
        ftr_json_string(&json, NULL, report->arguments->history);
    for (size_t i = 0; i < report->arguments->baseline_count; i++)
        ftr_json_string(&json, NULL, report->arguments->baselines[i]);
    ftr_json_close(&json, ']');
    print_suites(suites, count, &json);
    ftr_json_open(&json, "checks", '[');
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < suites[i].count; k++) {
            if (suites[i].cases[k].result == FTR_CASE_PASSED)
                continue;
            if (cases++ < CASES_MAX)
                print_case(report, suites[i].name, &suites[i].cases[k], &json);
            else
                omitted++;
        }
    ftr_json_close(&json, ']');
    ftr_json_count(&json, "omitted", omitted);
    ftr_gate_put_triage(&json, gate);
    ftr_json_close(&json, '}');
    return ftr_printer_flush(report->printer) ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
}

static bool judge(campaign_report *report)
{
    const ftr_report_arguments *arguments = report->arguments;
    const ftr_gate_files files = {.rules = arguments->rules,
                                  .summary = report->path,
                                  .baselines = arguments->baselines,
                                  .baseline_count = arguments->baseline_count,
                                  .history = arguments->history,
                                  .last = arguments->last,
                                  .options = FTR_NIGHT_OPTIONS_DEFAULT};
    return arguments->rules == NULL ||
           ftr_gate_judge_files(&files, print_gate, report) == FTR_EXIT_OK;
}

/* ---- the campaign ---------------------------------------------------------------------------- */

/* Finds the finest time scale of the runs that have figures. */
static bool find_scale(campaign_report *report, int *scale)
{
    *scale = FTR_COARSEST_SCALE;
    for (size_t i = 0; i < report->runs.count; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(report->runs.index, i, &run))
            return false;
        if (run.stream_count > 0 && run.time_scale < *scale)
            *scale = run.time_scale;
        ftr_run_record_release(&run);
    }
    *scale = *scale == FTR_COARSEST_SCALE ? 0 : *scale;
    return true;
}

static bool add_runs(campaign_report *report)
{
    int scale;
    if (!find_scale(report, &scale))
        return false;
    ftr_campaign_init(&report->campaign, scale);
    for (size_t i = 0; i < report->runs.count; i++) {
        ftr_run_record run;
        if (!ftr_summary_read_run(report->runs.index, i, &run))
            return false;
        const ftr_status status = ftr_campaign_add(&report->campaign, &run);
        if (status != FTR_OK)
            ftr_print_error("%s: run %zu: %s", report->path, i, ftr_status_text(status));
        ftr_run_record_release(&run);
        if (status != FTR_OK)
            return false;
    }
    return true;
}

static bool print_manifest(campaign_report *report, ftr_data_block *block,
                           ftr_text_buffer *manifest)
{
    ftr_text_buffer_connect(manifest, report->printer);
    ftr_json json = {.out = report->printer};
    ftr_json_open(&json, NULL, '{');
    ftr_json_count(&json, "format", 1);
    ftr_json_string(&json, "kind", "campaign");
    ftr_json_string(&json, "made_by", "ftr " FTR_VERSION_TEXT);
    ftr_json_open(&json, "summaries", '[');
    ftr_json_string(&json, NULL, report->path);
    ftr_json_close(&json, ']');
    bool ok = ftr_campaign_print(&report->campaign, link_to, report, block, &json);
    if (report->gate.size > 0) {
        ftr_print_string(report->printer, ", ");
        ftr_print(report->printer, report->gate.bytes, report->gate.size);
    }
    if (!ok)
        ftr_print_error("%s: %s", report->path, ftr_status_text(FTR_ERR_MEMORY));
    ok = ok && (report->arguments->history == NULL ||
                ftr_report_put_history(&json, report->arguments, report->path));
    ftr_json_close(&json, '}');
    return ftr_printer_flush(report->printer) && ok;
}

/* Returns the paths of all inputs, which the report must not replace; NULL if memory is
 * exhausted. */
static char **list_inputs(const campaign_report *report, size_t *count)
{
    const ftr_report_arguments *arguments = report->arguments;
    char **paths = malloc((arguments->baseline_count + 3) * sizeof *paths);
    *count = 0;
    if (paths == NULL)
        return NULL;
    paths[(*count)++] = report->path;
    if (arguments->rules != NULL)
        paths[(*count)++] = (char *)arguments->rules;
    if (arguments->history != NULL)
        paths[(*count)++] = (char *)arguments->history;
    for (size_t i = 0; i < arguments->baseline_count; i++)
        paths[(*count)++] = (char *)arguments->baselines[i];
    return paths;
}

static bool write_campaign(campaign_report *report)
{
    const ftr_report_arguments *arguments = report->arguments;
    size_t count;
    char **paths = list_inputs(report, &count);
    if (paths == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return false;
    }
    const ftr_input_paths inputs = {paths, count, NULL};
    ftr_data_block block = {.name = "overview"};
    ftr_packed_block packed = {0};
    ftr_text_buffer manifest = {0};
    bool made = print_manifest(report, &block, &manifest);
    if (made && !ftr_data_block_pack(&block, 1, &packed)) {
        ftr_print_error("%s: %s", report->path, ftr_status_text(FTR_ERR_MEMORY));
        made = false;
    }
    const bool ok = made && ftr_report_write(arguments, &inputs, &manifest, &packed, 1);
    free(paths);
    ftr_text_buffer_release(&manifest);
    ftr_packed_block_release(&packed);
    ftr_data_block_release(&block);
    return ok;
}

int ftr_report_campaign(const ftr_report_arguments *arguments, char *path)
{
    campaign_report report = {.arguments = arguments, .path = path};
    report.printer = malloc(sizeof *report.printer);
    if (report.printer == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        return FTR_EXIT_TROUBLE;
    }
    const bool ok = ftr_run_set_open(&report.runs, path) && add_runs(&report) && judge(&report) &&
                    write_run_reports(&report) && write_campaign(&report);
    ftr_campaign_release(&report.campaign);
    ftr_run_set_close(&report.runs);
    ftr_text_buffer_release(&report.gate);
    free(report.printer);
    return ok ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
}
