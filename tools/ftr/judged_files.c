/* Reads the files that a gate needs. */
#include "run_inputs.h"

#include "command.h"
#include "whole_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define RULES_SIZE_MAX ((size_t)16 << 20)
/* The first bytes of summaries and traces; a text never contains them. */
static const unsigned char FILE_START[] = {0xd9, 0xd9, 0xf7};

static ftr_status add_to_baseline(void *user, const ftr_run_record *run, const char *name)
{
    return ftr_gate_baseline_add(user, run, name);
}

static ftr_status judge_run(void *user, const ftr_run_record *run, const char *name)
{
    return ftr_gate_judge(user, run, name);
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

/* ---- judging --------------------------------------------------------------------------------- */

static int judge(const ftr_gate_files *files, const ftr_gate_rules *rules,
                 ftr_gate_baseline *baseline, ftr_use_gate *use, void *user)
{
    ftr_run_set judged;
    ftr_gate *gate = NULL;
    bool ok = ftr_run_set_open(&judged, files->summary);
    ftr_status status = FTR_OK;
    if (ok) {
        status = ftr_gate_create(rules, baseline, &files->options, &gate);
        ok = status == FTR_OK && ftr_run_set_for_each(&judged, files->summary, judge_run, gate);
    }
    if (ok)
        status = ftr_gate_finish(gate);
    if (status != FTR_OK)
        ftr_print_error("%s", ftr_status_text(status));
    const int result = ok && status == FTR_OK ? use(user, gate) : FTR_EXIT_TROUBLE;
    ftr_gate_destroy(gate);
    ftr_run_set_close(&judged);
    return result;
}

/* Adds the runs of a summary to the baseline, as a further night. */
static bool add_night(ftr_gate_baseline *baseline, const char *path)
{
    ftr_run_set night;
    ftr_gate_baseline_begin_night(baseline);
    const bool ok = ftr_run_set_open(&night, path) &&
                    ftr_run_set_for_each(&night, path, add_to_baseline, baseline);
    ftr_run_set_close(&night);
    return ok;
}

int ftr_gate_judge_files(const ftr_gate_files *files, ftr_use_gate *use, void *user)
{
    ftr_gate_rules rules;
    if (!read_rules(files->rules, &rules))
        return FTR_EXIT_TROUBLE;
    ftr_gate_baseline baseline;
    ftr_gate_baseline_init(&baseline, &rules);
    bool ok = true;
    for (size_t i = 0; i < files->baseline_count && ok; i++)
        ok = add_night(&baseline, files->baselines[i]);
    const int result =
        ok ? judge(files, &rules, files->baseline_count > 0 ? &baseline : NULL, use, user)
           : FTR_EXIT_TROUBLE;
    ftr_gate_baseline_release(&baseline);
    ftr_gate_rules_release(&rules);
    return result;
}
