/* Reads the nights with which a gate compares: from summaries, and from a history. */
#include "earlier_nights.h"

#include "command.h"
#include "name_glob.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *ftr_run_with_key(const ftr_run_record *run, const char *key, ftr_run_record *keyed)
{
    char *values = key != NULL ? ftr_run_tag_values(run, key) : NULL;
    *keyed = *run;
    if (values != NULL)
        keyed->test = (ftr_figure_text){values, strlen(values)};
    return values;
}

/* ---- summaries ------------------------------------------------------------------------------- */

/* The receiver of runs. */
typedef struct run_taker {
    ftr_history_night *night;
    const ftr_gate_rules *rules; /* choose the generators; NULL: all are wanted */
} run_taker;

/* Returns whether a rule that refers to the baseline matches a generator. */
static bool is_compared(void *user, const char *name, size_t size)
{
    const ftr_gate_rules *rules = ((const run_taker *)user)->rules;
    for (size_t i = 0; i < rules->count; i++)
        if (rules->rules[i].is_relative &&
            ftr_glob_list_matches(rules->rules[i].pattern, name, size))
            return true;
    return false;
}

static ftr_status take_run(void *user, const ftr_run_record *run, const char *name)
{
    run_taker *taker = user;
    ftr_run_record keyed;
    char *const values = ftr_run_with_key(run, taker->night->key, &keyed);
    const ftr_status status = ftr_history_night_add(
        taker->night, &keyed, name, taker->rules != NULL ? is_compared : NULL, taker);
    free(values);
    return status;
}

bool ftr_night_read_summary(ftr_history_night *night, const char *path, const char *key,
                            const ftr_gate_rules *rules)
{
    ftr_run_set runs;
    run_taker taker = {night, rules};
    night->key = key != NULL ? strdup(key) : NULL;
    bool ok = key == NULL || night->key != NULL;
    if (!ok)
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    ok = ftr_run_set_open(&runs, path) && ok && ftr_run_set_for_each(&runs, path, take_run, &taker);
    ftr_run_set_close(&runs);
    ftr_history_night_finish(night);
    return ok;
}

/* Chooses what a baseline needs of a night: the metrics of the rules. @return false after an error
 * message */
static bool measure_by_rules(ftr_history_night *night, const ftr_gate_rules *rules)
{
    for (size_t i = 0; i < rules->count; i++)
        if (rules->rules[i].is_relative &&
            !ftr_history_night_measure(night, rules->rules[i].metric)) {
            ftr_print_error("the rules refer to the baseline by more than %u metrics",
                            FTR_NIGHT_METRICS_MAX);
            return false;
        }
    return true;
}

static bool add_night(ftr_gate_baseline *baseline, const char *path, const ftr_history_night *night)
{
    const bool ok = ftr_gate_baseline_add(baseline, night);
    if (!ok)
        ftr_print_error("%s: %s", path, ftr_status_text(FTR_ERR_MEMORY));
    return ok;
}

/* Adds the runs of a summary to the baseline, as a further night. */
static bool add_summary(ftr_gate_baseline *baseline, const char *path, const char *key)
{
    const ftr_gate_rules *rules = baseline->values.rules;
    ftr_history_night night;
    ftr_history_night_init(&night);
    const bool ok = measure_by_rules(&night, rules) &&
                    ftr_night_read_summary(&night, path, key, rules) &&
                    add_night(baseline, path, &night);
    ftr_history_night_release(&night);
    return ok;
}

/* ---- histories ------------------------------------------------------------------------------- */

bool ftr_history_is_read(ftr_status status, const char *path, const ftr_summary_problem *problem)
{
    if (status == FTR_ERR_FORMAT)
        ftr_print_error("%s: byte %" PRIu64 ": %s", path, problem->offset, problem->message);
    else if (status != FTR_OK)
        ftr_print_error("%s: %s", path,
                        status == FTR_ERR_IO ? strerror(errno) : ftr_status_text(status));
    return status == FTR_OK;
}

bool ftr_history_input_open(ftr_history *history, const char *path)
{
    ftr_summary_problem problem;
    const ftr_status status = ftr_history_open(history, path, &problem);
    if (status == FTR_OK && history->is_cut)
        ftr_print_error("%s: byte %" PRIu64 ": warning: the night that begins here is incomplete, "
                        "because its writer was killed or still writes; the %zu nights before it "
                        "are read, and the next 'ftr history add' removes it",
                        path, history->end, history->count);
    return ftr_history_is_read(status, path, &problem);
}

/* Checks that a night of a history can be compared. @return false after an error message */
static bool is_comparable(const ftr_history_night *night, const ftr_gate_files *files,
                          const ftr_gate_rules *rules, const char *key)
{
    const ftr_gate_rule *rule = ftr_night_lacking(rules, night);
    const char *const wanted = files->key != NULL ? files->key : key;
    char name[FTR_METRIC_NAME_SIZE];
    if (rule != NULL) {
        ftr_figure_metric metric = rule->metric;
        metric.attribute = NULL;
        ftr_print_error("%s:%u: the night '%s' of %s has no %s; 'ftr history add --percentiles' "
                        "adds nights with further percentiles",
                        files->rules, rule->line, night->name, files->history,
                        ftr_figure_metric_name(metric, name));
        return false;
    }
    if ((wanted == NULL) != (night->key == NULL) ||
        (wanted != NULL && strcmp(wanted, night->key) != 0)) {
        ftr_print_error("%s: the tests of the night '%s' have %s%s; those of %s have %s%s; add the "
                        "nights again with the same --key",
                        files->history, night->name, night->key != NULL ? "--key " : "no --key",
                        night->key != NULL ? night->key : "",
                        files->key != NULL ? "the gate" : "a later night",
                        wanted != NULL ? "--key " : "no --key", wanted != NULL ? wanted : "");
        return false;
    }
    return true;
}

/* Adds the nights from @p first to @p end of a history. @param[in,out] key the tags that name the
 * tests of the nights, owned by the caller */
static bool add_nights(ftr_gate_baseline *baseline, const ftr_gate_files *files,
                       const ftr_history *history, size_t first, size_t end, char **key)
{
    bool ok = true;
    for (size_t i = first; i < end && ok; i++) {
        ftr_history_night night;
        ftr_summary_problem problem;
        ok = ftr_history_is_read(ftr_history_read(history, i, &night, &problem), files->history,
                                 &problem);
        if (ok && i == first && night.key != NULL) {
            *key = strdup(night.key);
            ok = *key != NULL;
        }
        ok = ok && is_comparable(&night, files, baseline->values.rules, *key) &&
             add_night(baseline, files->history, &night);
        ftr_history_night_release(&night);
    }
    return ok;
}

static bool add_history(ftr_gate_baseline *baseline, const ftr_gate_files *files,
                        const uint8_t *identity, char **key)
{
    ftr_history history;
    bool ok = ftr_history_input_open(&history, files->history);
    if (ok) {
        const ftr_history_entry *judged = ftr_history_find(&history, identity);
        const size_t end = judged != NULL ? (size_t)(judged - history.nights) : history.count;
        const size_t first = end > files->last ? end - files->last : 0;
        if (end == 0) {
            ftr_print_error("%s: the history has no %snight", files->history,
                            judged != NULL ? "earlier " : "");
            ok = false;
        }
        ok = ok && add_nights(baseline, files, &history, first, end, key);
    }
    ftr_history_close(&history);
    return ok;
}

bool ftr_earlier_nights_add(ftr_gate_baseline *baseline, const ftr_gate_files *files,
                            const uint8_t *identity, char **key)
{
    bool ok = files->history == NULL || add_history(baseline, files, identity, key);
    for (size_t i = 0; i < files->baseline_count && ok; i++)
        ok = add_summary(baseline, files->baselines[i], *key != NULL ? *key : files->key);
    return ok;
}
