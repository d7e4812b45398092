/* Reads the files that a gate needs. */
#include "earlier_nights.h"

#include "command.h"
#include "query_rows.h"
#include "whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RULES_SIZE_MAX ((size_t)16 << 20)
/* The first bytes of summaries and traces; a text never contains them. */
static const unsigned char FILE_START[] = {0xd9, 0xd9, 0xf7};

/* The receiver of runs. */
typedef struct run_taker {
    const char *key; /* tags; NULL: runs keep their test */
    ftr_gate *gate;
} run_taker;

static ftr_status take_run(void *user, const ftr_run_record *run, const char *name)
{
    const run_taker *taker = user;
    ftr_run_record keyed;
    char *const values = ftr_run_with_key(run, taker->key, &keyed);
    const ftr_status status = ftr_gate_judge(taker->gate, &keyed, name);
    free(values);
    return status;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static bool read_rules(const char *path, ftr_gate_rules *rules)
{
    size_t size;
    ftr_condition_error error;
    unsigned line;
    char *text = ftr_read_whole_file(path, RULES_SIZE_MAX, &size);
    if (text == NULL) {
        ftr_print_error("%s: %s", path, errno == EFBIG ? "larger than 16 MiB" : strerror(errno));
        return false;
    }
    if (size >= sizeof FILE_START && memcmp(text, FILE_START, sizeof FILE_START) == 0) {
        ftr_print_error(
            "%s: it is a %s, not a file of rules; the arguments seem to be swapped: ftr "
            "gate RULES SUMMARY",
            path, ftr_is_summary(path) ? "summary" : "trace");
        free(text);
        return false;
    }
    const ftr_status status = ftr_gate_rules_parse(text, size, rules, &line, &error);
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s:%u:%u: %s", path, line, error.column, error.message);
    else if (status != FTR_OK)
        ftr_print_error("%s: %s", path, ftr_status_text(status));
    free(text);
    if (status != FTR_OK)
        ftr_gate_rules_release(rules);
    return status == FTR_OK;
}

/* ---- expected runs --------------------------------------------------------------------------- */

#define EXPECTED_SIZE_MAX ((size_t)256 << 20)

static ftr_status expect_lines(char *text, ftr_gate *gate)
{
    ftr_status status = FTR_OK;
    char *rest = NULL;
    for (char *line = strtok_r(text, "\r\n", &rest); line != NULL && status == FTR_OK;
         line = strtok_r(NULL, "\r\n", &rest))
        if (line[0] != '#')
            status = ftr_gate_expect(gate, line);
    return status;
}

/* Compares the runs with a number, or with the lines of a file. @return false after an error
 * message */
static bool expect_runs(const char *expected, ftr_gate *gate)
{
    char *end;
    size_t size;
    errno = 0;
    const unsigned long long count = strtoull(expected, &end, 10);
    ftr_status status;
    if (*end == '\0' && end != expected && errno == 0) {
        status = ftr_gate_expect_number(gate, count);
    } else {
        char *text = ftr_read_whole_file(expected, EXPECTED_SIZE_MAX, &size);
        if (text == NULL) {
            ftr_print_error("%s: %s", expected,
                            errno == EFBIG ? "larger than 256 MiB" : strerror(errno));
            return false;
        }
        status = expect_lines(text, gate);
        free(text);
    }
    if (status != FTR_OK)
        ftr_print_error("%s", ftr_status_text(status));
    return status == FTR_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

typedef struct row_taker {
    ftr_gate *gate;
    size_t rule;
} row_taker;

static bool take_row(void *user, size_t run, const char *text)
{
    const row_taker *taker = user;
    const ftr_status status = ftr_gate_add_row(taker->gate, taker->rule, run, text);
    if (status != FTR_OK)
        ftr_print_error("%s", ftr_status_text(status));
    return status == FTR_OK;
}

/* Executes the queries of the rules over the summary. The number of a run in the table `run` is its
 * number in the order in which the gate judges the runs: both read them in order of identity.
 * @return false after an error message */
static bool execute_queries(const ftr_gate_files *files, const ftr_gate_rules *rules,
                            ftr_gate *gate)
{
    bool ok = true;
    for (size_t i = 0; i < rules->count && ok; i++) {
        const ftr_gate_rule *rule = &rules->rules[i];
        row_taker taker = {gate, i};
        char *place = NULL;
        if (rule->query == NULL)
            continue;
        if (asprintf(&place, "%s:%u", files->rules, rule->line) < 0) {
            ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
            return false;
        }
        ok = ftr_query_rows(files->summary, rule->query, place, take_row, &taker);
        free(place);
    }
    return ok;
}

/* ---- judging --------------------------------------------------------------------------------- */

static int judge(const ftr_gate_files *files, ftr_run_set *judged, const char *key,
                 const ftr_gate_rules *rules, ftr_gate_baseline *baseline, ftr_use_gate *use,
                 void *user)
{
    ftr_gate *gate = NULL;
    ftr_status status = ftr_gate_create(rules, baseline, &files->options, &gate);
    run_taker taker = {key, gate};
    const bool ok = status == FTR_OK &&
                    ftr_run_set_for_each(judged, files->summary, take_run, &taker) &&
                    (files->expected == NULL || expect_runs(files->expected, gate)) &&
                    execute_queries(files, rules, gate);
    if (ok)
        status = ftr_gate_finish(gate);
    if (status != FTR_OK)
        ftr_print_error("%s", ftr_status_text(status));
    const int result = ok && status == FTR_OK ? use(user, gate) : FTR_EXIT_TROUBLE;
    ftr_gate_destroy(gate);
    return result;
}

int ftr_gate_judge_files(const ftr_gate_files *files, ftr_use_gate *use, void *user)
{
    ftr_gate_rules rules;
    ftr_gate_baseline baseline;
    ftr_run_set judged;
    char *key = NULL;
    if (!read_rules(files->rules, &rules))
        return FTR_EXIT_TROUBLE;
    ftr_gate_baseline_init(&baseline, &rules);
    const bool has_baseline = files->baseline_count > 0 || files->history != NULL;
    const bool ok = ftr_run_set_open(&judged, files->summary) &&
                    ftr_earlier_nights_add(&baseline, files, judged.identity, &key);
    const int result = ok ? judge(files, &judged, key != NULL ? key : files->key, &rules,
                                  has_baseline ? &baseline : NULL, use, user)
                          : FTR_EXIT_TROUBLE;
    free(key);
    ftr_run_set_close(&judged);
    ftr_gate_baseline_release(&baseline);
    ftr_gate_rules_release(&rules);
    return result;
}
