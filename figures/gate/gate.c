/* Computes the verdicts. */
#include "gate.h"

#include "gate_open.h"
#include "gate_presence.h"
#include "gate_rows.h"
#include "night_cases.h"

#include "access_names.h"
#include "growing_array.h"
#include "name_glob.h"
#include "near_name.h"
#include "printer.h"
#include "stream_name_rules.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The matches of a rule in the runs judged so far. */
typedef struct rule_state {
    /* number of generators that the rule's pattern matches, or of runs if it is a rule about
     * runs */
    uint64_t matched;
    uint64_t measured; /* number of matches that have a value */
    /* for a rule about an attribute: the names of the attributes of type TIME that the first
     * matching generator has; NULL: no match yet */
    const char *times;
    ftr_near_name near;
    ftr_gate_rows rows; /* of the rule's query */
} rule_state;

struct ftr_gate {
    const ftr_gate_rules *rules;
    ftr_gate_baseline *baseline; /* NULL: no baseline */
    ftr_night_options options;
    ftr_night_verdicts verdicts; /* about the rules that refer to the baseline */
    ftr_gate_suite *suites;      /* first the suite of the runs, then one for each rule */
    rule_state *states;
    ftr_gate_runs runs;
    char **names; /* of absent runs and tests; the cases point to them */
    size_t name_count, name_capacity;
    ftr_gate_presence presence; /* if there is a baseline */
    uint64_t run_count;
    bool has_accesses; /* a run has a stream of TLM accesses */
};

/* ---- names ----------------------------------------------------------------------------------- */

/* Copies a name; the copy lives as long as the gate. @return NULL if out of memory */
static const char *keep_name(ftr_gate *gate, const char *name)
{
    if (!ftr_array_grow(&gate->names, &gate->name_capacity, gate->name_count, sizeof *gate->names))
        return NULL;
    char *copy = strdup(name);
    if (copy != NULL)
        gate->names[gate->name_count++] = copy;
    return copy;
}

/* ---- life ------------------------------------------------------------------------------------ */

ftr_status ftr_gate_create(const ftr_gate_rules *rules, ftr_gate_baseline *baseline,
                           const ftr_night_options *options, ftr_gate **gate)
{
    ftr_gate *created = calloc(1, sizeof *created);
    if (created == NULL)
        return FTR_ERR_MEMORY;
    *created = (ftr_gate){.rules = rules, .baseline = baseline, .options = *options};
    created->suites = calloc(rules->count + 1, sizeof *created->suites);
    created->states = calloc(rules->count + 1, sizeof *created->states);
    if (created->suites == NULL || created->states == NULL) {
        ftr_gate_destroy(created);
        return FTR_ERR_MEMORY;
    }
    created->suites[0].name = "runs";
    for (size_t i = 0; i < rules->count; i++) {
        created->suites[i + 1].name = rules->rules[i].text;
        created->suites[i + 1].line = rules->rules[i].line;
        ftr_near_name_init(&created->states[i].near, rules->rules[i].pattern,
                           strlen(rules->rules[i].pattern));
    }
    *gate = created;
    return FTR_OK;
}

void ftr_gate_destroy(ftr_gate *gate)
{
    if (gate == NULL)
        return;
    for (size_t i = 0; gate->suites != NULL && i <= gate->rules->count; i++) {
        for (size_t k = 0; k < gate->suites[i].count; k++)
            free(gate->suites[i].cases[k].message);
        free(gate->suites[i].cases);
    }
    for (size_t i = 0; gate->states != NULL && i < gate->rules->count; i++)
        ftr_gate_rows_release(&gate->states[i].rows);
    for (size_t i = 0; i < gate->name_count; i++)
        free(gate->names[i]);
    free(gate->names);
    ftr_gate_runs_release(&gate->runs);
    ftr_gate_presence_release(&gate->presence);
    ftr_night_verdicts_release(&gate->verdicts);
    free(gate->suites);
    free(gate->states);
    free(gate);
}

/* ---- one generator --------------------------------------------------------------------------- */

/* A generator of a run, judged by a rule. */
typedef struct judged {
    const ftr_gate *gate;
    size_t rule;
    ftr_total_row *row;
    int time_scale;
    ftr_gate_message *failures;
} judged;

static const char *time_text(uint64_t ticks, int scale, char text[FTR_FIGURE_TEXT_SIZE])
{
    return ftr_figure_value_text((ftr_figure_metric){.kind = FTR_METRIC_MAX}, (long double)ticks,
                                 scale, text);
}

static void say_failure(const judged *j, long double measured, long double limit)
{
    const ftr_gate_rule *rule = &j->gate->rules->rules[j->rule];
    char value[FTR_FIGURE_TEXT_SIZE], bound[FTR_FIGURE_TEXT_SIZE], name[FTR_METRIC_NAME_SIZE];
    char began[FTR_FIGURE_TEXT_SIZE], took[FTR_FIGURE_TEXT_SIZE];
    char slowest[3 * FTR_FIGURE_TEXT_SIZE] = "";
    if (j->row->slow_count > 0 && rule->attribute == NULL) {
        const ftr_slow_tx *tx = &j->row->slowest[0].tx;
        (void)snprintf(slowest, sizeof slowest, "; slowest transaction: #%llu at %s, %s",
                       (unsigned long long)tx->id, time_text(tx->begin, j->time_scale, began),
                       time_text(tx->latency, j->time_scale, took));
    }
    ftr_gate_say(j->failures, "%s: %s is %s, limit %s %s%s", j->row->name,
                 ftr_figure_metric_name(rule->metric, name),
                 ftr_figure_value_text(rule->metric, measured, j->time_scale, value),
                 ftr_comparison_text(rule->comparison),
                 ftr_figure_value_text(rule->metric, limit > 0 ? limit : 0, j->time_scale, bound),
                 slowest);
}

/* Judges a generator by a rule with an absolute limit. Values of a rule that refers to the baseline
 * are judged when all runs are known (judge_night()).
 * @return false if the generator has no value for the rule's metric */
static bool judge_generator(const judged *j)
{
    const ftr_gate_rule *rule = &j->gate->rules->rules[j->rule];
    if (!ftr_figure_metric_is_known(rule->metric, j->row))
        return false;
    const long double measured = ftr_figure_metric_value(rule->metric, j->row, j->time_scale);
    const long double limit = ftr_figure_metric_is_time(rule->metric)
                                  ? ftr_seconds_to_ticks(rule->value, j->time_scale)
                                  : rule->value;
    if (!rule->is_relative && !ftr_compare(measured, rule->comparison, limit))
        say_failure(j, measured, limit);
    return true;
}

/* ---- one run by one rule --------------------------------------------------------------------- */

static bool matches(const ftr_gate_rule *rule, const char *name, size_t size)
{
    return ftr_glob_list_matches(rule->pattern, name, size);
}

/* Judges the losses or the exit status of a run. */
static void judge_run_itself(const ftr_gate_rule *rule, rule_state *state,
                             const ftr_run_record *run, ftr_gate_message *failures)
{
    const char *name = rule->subject == FTR_GATE_LOSSES ? "losses" : "exit_status";
    long double value = (long double)run->losses;
    ftr_near_name_offer(&state->near, run->file.bytes, run->file.size);
    if (!matches(rule, run->file.bytes, run->file.size))
        return;
    state->matched++;
    if (rule->subject == FTR_GATE_EXIT_STATUS) {
        const char *text = ftr_run_attribute_value(run, name);
        if (text == NULL)
            return;
        value = strtold(text, NULL);
    }
    state->measured++;
    if (!ftr_compare(value, rule->comparison, rule->value))
        ftr_gate_say(failures, "%s is %.12Lg, limit %s %.12Lg", name, value,
                     ftr_comparison_text(rule->comparison), rule->value);
}

/* Stores the names of the attributes for the message of a rule that has no value.
 * @return false if out of memory */
static bool keep_times(ftr_gate *gate, rule_state *state, const ftr_total_row *row)
{
    char names[FTR_TIME_NAMES_SIZE];
    if (state->times == NULL)
        state->times = keep_name(gate, ftr_time_names_text(row, names));
    return state->times != NULL;
}

static void judge_generators(ftr_gate *gate, size_t number, ftr_run_totals *totals,
                             ftr_gate_message *failures)
{
    const ftr_gate_rule *rule = &gate->rules->rules[number];
    rule_state *state = &gate->states[number];
    for (size_t i = 0; i < totals->row_count; i++) {
        ftr_total_row *row = &totals->rows[i];
        const judged j = {gate, number, row, totals->time_scale, failures};
        if (state->matched == 0)
            ftr_near_name_offer(&state->near, row->name, row->name_size);
        if (!matches(rule, row->name, row->name_size))
            continue;
        state->matched++;
        state->measured += judge_generator(&j);
        failures->failed |= rule->attribute != NULL && !keep_times(gate, state, row);
    }
}

static bool judge_by_rule(ftr_gate *gate, size_t number, const ftr_run_record *run,
                          ftr_run_totals *totals, const ftr_gate_run *of)
{
    const ftr_gate_rule *rule = &gate->rules->rules[number];
    rule_state *state = &gate->states[number];
    ftr_gate_suite *suite = &gate->suites[number + 1];
    ftr_gate_message failures = {0};
    const uint64_t matched = state->matched;
    const uint64_t measured = state->measured;
    if (rule->subject == FTR_GATE_GENERATORS)
        judge_generators(gate, number, totals, &failures);
    else
        judge_run_itself(rule, state, run, &failures);
    if (rule->in_every_run && state->measured == measured)
        ftr_gate_say(&failures, "%s '%s'",
                     state->matched == matched ? "the run has no match for"
                                               : "the run has no value for",
                     rule->pattern);
    if (failures.failed) {
        free(failures.text);
        return false;
    }
    if (failures.text != NULL)
        return ftr_gate_add_run_case(suite, of, FTR_CASE_FAILED, failures.text);
    if (rule->is_relative || state->measured == measured)
        return true;
    return ftr_gate_add_run_case(suite, of, FTR_CASE_PASSED, NULL);
}

/* ---- one run --------------------------------------------------------------------------------- */

static int compare_names(const void *key, const void *stream)
{
    return strcmp(key, ((const ftr_stream_figures *)stream)->name.bytes);
}

static bool has_transactions(const ftr_run_record *run, const char *stream)
{
    const ftr_stream_figures *found =
        run->stream_count > 0
            ? bsearch(stream, run->streams, run->stream_count, sizeof *run->streams, compare_names)
            : NULL;
    for (size_t i = 0; found != NULL && i < found->generator_count; i++)
        if (ftr_generator_has_transactions(&found->generators[i]))
            return true;
    return false;
}

/* Reports each expected stream in which the run has no transaction. A stream is expected if every
 * complete run of the baseline has a transaction in it. It is also expected if the baseline run of
 * the same name, @p same, has at least FTR_NIGHT_STREAM_COUNT transactions in it. @p same is NULL
 * if there is no baseline run of this name. */
static void judge_streams(const ftr_gate *gate, const ftr_run_record *run,
                          const ftr_gate_baseline_run *same, ftr_gate_message *failures)
{
    const ftr_gate_baseline *baseline = gate->baseline;
    for (size_t i = 0; i < baseline->stream_count; i++) {
        const ftr_gate_stream *stream = &baseline->streams[i];
        bool expected = stream->runs == baseline->sound_runs;
        for (size_t k = 0; same != NULL && k < same->busy_count && !expected; k++)
            expected = same->busy[k] == i;
        if (!expected || has_transactions(run, stream->name))
            continue;
        char name[FTR_ACCESS_NAME_SIZE];
        const bool is_renamed = stream->has_calls && ftr_run_has_accesses(run) &&
                                ftr_access_pattern(stream->name, false, name, sizeof name);
        ftr_gate_say(
            failures,
            "stream %s has no transaction; %llu of %llu runs of the baseline have some%s%s%s",
            stream->name, (unsigned long long)stream->runs,
            (unsigned long long)baseline->sound_runs,
            is_renamed ? ". The run has accesses instead of calls: its stream is " : "",
            is_renamed ? name : "", is_renamed ? "; make a new baseline" : "");
    }
}

/* Returns whether a run has no transaction at all. */
static bool is_empty(const ftr_run_record *run)
{
    for (size_t i = 0; i < run->stream_count; i++)
        if (has_transactions(run, run->streams[i].name.bytes))
            return false;
    return true;
}

/* Least number of earlier runs of a test that show how long its runs are. */
#define LENGTHS_MIN 3u
/* A run is too short or too long if its simulated time is outside of the range of the earlier runs
 * by more than the size of this range and this part of the shortest or longest time. */
#define LENGTH_MARGIN 0.2

static const char *seconds_text(long double seconds, char text[FTR_FIGURE_TEXT_SIZE])
{
    const ftr_figure_metric time = {.kind = FTR_METRIC_MAX};
    return ftr_figure_value_text(time, roundl(seconds * 1e15L), -15, text);
}

/* Reports a run that simulated much less or much more time than all earlier runs of its test. */
static void judge_length(const ftr_gate *gate, const ftr_run_record *run,
                         ftr_gate_message *failures)
{
    const ftr_compared_test *test = ftr_night_values_test(&gate->baseline->values, &run->test);
    if (test == NULL || test->runs[FTR_NIGHT_EARLIER] < LENGTHS_MIN)
        return;
    const double simulated = ftr_simulated_time(run);
    const double range = test->longest - test->shortest;
    if (simulated >= test->shortest * (1 - LENGTH_MARGIN) - range &&
        simulated <= test->longest * (1 + LENGTH_MARGIN) + range)
        return;
    char here[FTR_FIGURE_TEXT_SIZE], least[FTR_FIGURE_TEXT_SIZE], most[FTR_FIGURE_TEXT_SIZE];
    ftr_gate_say(failures,
                 "the run simulated %s; the %zu earlier runs of its test simulated %s to %s",
                 seconds_text(simulated, here), test->runs[FTR_NIGHT_EARLIER],
                 seconds_text(test->shortest, least), seconds_text(test->longest, most));
}

/* Compares a complete run with the baseline. A run without a transaction has one message instead of
 * one for each stream. */
static void compare_run(const ftr_gate *gate, const ftr_run_record *run,
                        const ftr_gate_baseline_run *same, ftr_gate_message *failures)
{
    const ftr_gate_baseline *baseline = gate->baseline;
    size_t usual = 0; /* streams in which every run has a transaction */
    for (size_t i = 0; i < baseline->stream_count; i++)
        usual += baseline->streams[i].runs == baseline->sound_runs;
    if (usual > 1 && is_empty(run)) {
        ftr_gate_say(
            failures,
            "the run has no transaction; each run of the baseline has some, in %zu streams", usual);
        return;
    }
    judge_streams(gate, run, same, failures);
    judge_length(gate, run, failures);
}

/* Adds the case of the run to the first suite: the run fails if it is not complete
 * (ftr_run_state_is_complete()), if an expected stream has no transaction, or if it is too short or
 * too long. */
static bool judge_state(ftr_gate *gate, const ftr_run_record *run, const char *name,
                        const ftr_gate_run *of)
{
    static const char *const texts[FTR_RUN_STATES] = {
        [FTR_RUN_NOT_TOLD] = "the file does not tell how the run ended",
        [FTR_RUN_KILLED] = "the run was ended from outside, for example by a watchdog",
        [FTR_RUN_UNFINISHED] = "the run has no end: the program was killed, or still runs",
        [FTR_RUN_TORN] = "a part of the file cannot be read",
        [FTR_RUN_UNREADABLE] = "the file cannot be read",
        [FTR_RUN_ABSENT] = "the file does not exist"};
    ftr_gate_message failures = {0};
    const ftr_gate_baseline_run *same = NULL;
    if (gate->baseline != NULL &&
        !ftr_gate_presence_match(&gate->presence, gate->baseline, run, name, &same))
        return false;
    char state[FTR_RUN_STATE_TEXT_SIZE];
    ftr_gate_message told = {0};
    if (run->state != FTR_RUN_SOUND)
        ftr_gate_say(ftr_run_state_is_complete(run->state) ? &told : &failures, "%s: %s%s%s",
                     ftr_run_state_text(run, state), texts[run->state],
                     run->problem.size > 0 ? ": " : "", run->problem.bytes);
    if (run->state == FTR_RUN_KILLED || run->state == FTR_RUN_UNFINISHED)
        ftr_gate_say_open(run, &failures);
    if (ftr_run_state_is_complete(run->state) && gate->baseline != NULL &&
        gate->baseline->sound_runs > 0)
        compare_run(gate, run, same, &failures);
    if (failures.failed || told.failed) {
        free(failures.text);
        free(told.text);
        return false;
    }
    if (failures.text == NULL)
        return ftr_gate_add_run_case(&gate->suites[0], of, FTR_CASE_PASSED, told.text);
    free(told.text);
    return ftr_gate_add_run_case(&gate->suites[0], of, FTR_CASE_FAILED, failures.text);
}

static bool skip_rules(ftr_gate *gate, const ftr_run_record *run, const ftr_gate_run *of)
{
    for (size_t i = 0; i < gate->rules->count; i++) {
        char *text = NULL;
        if (gate->rules->rules[i].is_relative || gate->rules->rules[i].subject == FTR_GATE_ROWS)
            continue; /* its cases are tests, or rows of a query */
        if (asprintf(&text, "the run is %s", ftr_run_state_name(run->state)) < 0 ||
            !ftr_gate_add_run_case(&gate->suites[i + 1], of, FTR_CASE_SKIPPED, text))
            return false;
    }
    return true;
}

ftr_status ftr_gate_judge(ftr_gate *gate, const ftr_run_record *run, const char *name)
{
    const ftr_gate_run *of = ftr_gate_runs_add(&gate->runs, run);
    gate->run_count++;
    gate->has_accesses |= ftr_run_has_accesses(run);
    if (of == NULL || !judge_state(gate, run, name, of))
        return FTR_ERR_MEMORY;
    if (!ftr_run_state_is_complete(run->state))
        return skip_rules(gate, run, of) ? FTR_OK : FTR_ERR_MEMORY;
    ftr_run_totals totals = {.time_scale = run->time_scale};
    ftr_status status = ftr_run_totals_add(&totals, run, false);
    if (status == FTR_OK)
        ftr_run_totals_settle(&totals);
    for (size_t i = 0; i < gate->rules->count && status == FTR_OK; i++)
        if (gate->rules->rules[i].subject != FTR_GATE_ROWS &&
            !judge_by_rule(gate, i, run, &totals, of))
            status = FTR_ERR_MEMORY;
    if (status == FTR_OK && gate->baseline != NULL &&
        (!ftr_gate_presence_add(&gate->presence, &totals) ||
         !ftr_night_values_add(&gate->baseline->values, run, &totals, of->file)))
        status = FTR_ERR_MEMORY;
    ftr_run_totals_release(&totals);
    return status;
}

/* ---- the night as a whole -------------------------------------------------------------------- */

/* Returns a stream of calls in the baseline if the runs have accesses; NULL otherwise. */
static const ftr_gate_stream *call_stream(const ftr_gate *gate)
{
    for (size_t i = 0; gate->has_accesses && i < gate->baseline->stream_count; i++)
        if (gate->baseline->streams[i].has_calls)
            return &gate->baseline->streams[i];
    return NULL;
}

/* Judges the rules that refer to the baseline. @return false if memory is exhausted */
static bool judge_night(ftr_gate *gate)
{
    const ftr_night_values *values = &gate->baseline->values;
    bool ok = ftr_night_judge(&gate->baseline->values, &gate->options, &gate->verdicts) == FTR_OK;
    for (size_t i = 0; i < gate->rules->count && ok; i++)
        ok = !gate->rules->rules[i].is_relative ||
             ftr_gate_add_night_cases(&gate->suites[i + 1], i, values, &gate->verdicts,
                                      &gate->states[i].measured);
    return ok;
}

/* Returns a verdict about one test that was not made although both nights have values; NULL if
 * there is none. */
static const ftr_night_verdict *find_gap(const ftr_gate *gate, size_t rule)
{
    for (size_t i = 0; i < gate->verdicts.count; i++) {
        const ftr_night_verdict *verdict = &gate->verdicts.of[i];
        if (verdict->rule == rule && verdict->of != NULL &&
            (verdict->outcome == FTR_NIGHT_TOO_FEW_RUNS ||
             verdict->outcome == FTR_NIGHT_TOO_SHORT_RUNS))
            return verdict;
    }
    return NULL;
}

/* Returns the reason why no test was compared although both nights have values, malloc'ed. */
static char *explain_gap(const ftr_gate *gate, const ftr_night_verdict *gap)
{
    const ftr_night_values *values = &gate->baseline->values;
    char *why = ftr_gate_explain_verdict(values, gap);
    char *text = NULL;
    const int length =
        why != NULL ? asprintf(&text,
                               "no test could be compared; test %s: %s; more earlier nights help "
                               "(--baseline of each)",
                               values->test_names.names[gap->of->key.test]->text, why)
                    : -1;
    free(why);
    return length >= 0 ? text : NULL;
}

/* Returns the reason why a rule about the baseline has no value, malloc'ed. */
static char *explain_no_reference(const ftr_gate *gate, const ftr_gate_rule *rule)
{
    char name[FTR_ACCESS_NAME_SIZE];
    char *text = NULL;
    const ftr_gate_stream *calls = gate->baseline != NULL ? call_stream(gate) : NULL;
    const bool is_renamed =
        calls != NULL && ftr_access_pattern(calls->name, false, name, sizeof name);
    const int length = asprintf(
        &text, "nothing that '%s' matches has a value%s%s%s%s%s%s", rule->pattern,
        gate->baseline == NULL ? ": there is no baseline (--baseline)" : " in the baseline",
        is_renamed ? ", which has calls instead of accesses: its stream " : "",
        is_renamed ? calls->name : "", is_renamed ? " is " : "", is_renamed ? name : "",
        is_renamed ? " here; make a new baseline" : "");
    return length >= 0 ? text : NULL;
}

/* Returns the reason why generators that match have no value, malloc'ed. */
static char *explain_no_value(const ftr_gate *gate, size_t number)
{
    const ftr_gate_rule *rule = &gate->rules->rules[number];
    const char *times = gate->states[number].times;
    char *text = NULL;
    int length;
    if (rule->attribute == NULL) {
        const ftr_night_verdict *gap = find_gap(gate, number);
        if (gap != NULL && gate->baseline != NULL)
            return explain_gap(gate, gap);
        if (rule->is_relative)
            return explain_no_reference(gate, rule);
        length = asprintf(&text, "nothing that '%s' matches has a value", rule->pattern);
    } else {
        const char *renamed = gate->has_accesses
                                  ? ftr_access_attribute(rule->attribute, strlen(rule->attribute))
                                  : NULL;
        const bool has_times = times != NULL && times[0] != '\0';
        length = asprintf(
            &text, "nothing that '%s' matches has a value of the attribute '%s'%s; %s%s",
            rule->pattern, rule->attribute, rule->is_relative ? " here and in the baseline" : "",
            renamed != NULL ? "an access has the attribute "
            : has_times     ? "there are distributions of "
                            : "there is no distribution of an attribute",
            renamed != NULL ? renamed
            : has_times     ? times
                            : "");
    }
    return length >= 0 ? text : NULL;
}

/* Returns the reason why nothing matches a rule, malloc'ed. */
static char *explain_no_match(const ftr_gate *gate, size_t number)
{
    const ftr_gate_rule *rule = &gate->rules->rules[number];
    const bool runs = rule->subject != FTR_GATE_GENERATORS;
    char name[FTR_ACCESS_NAME_SIZE];
    char *text = NULL;
    const bool is_renamed =
        !runs && gate->has_accesses &&
        ftr_access_pattern(rule->pattern, ftr_gate_rule_is_latency(rule), name, sizeof name);
    const char *nearest = is_renamed ? name : ftr_near_name_get(&gate->states[number].near);
    const int length =
        asprintf(&text, "no %s matches '%s'%s%s%s", runs ? "run" : "generator", rule->pattern,
                 is_renamed        ? "; the runs have accesses instead of calls, write '"
                 : nearest != NULL ? "; did you mean '"
                                   : "",
                 nearest != NULL ? nearest : "",
                 is_renamed        ? "'"
                 : nearest != NULL ? "'?"
                                   : "");
    return length >= 0 ? text : NULL;
}

ftr_status ftr_gate_add_row(ftr_gate *gate, size_t rule, size_t run, const char *text)
{
    return ftr_gate_rows_add(&gate->states[rule].rows, run, text) ? FTR_OK : FTR_ERR_MEMORY;
}

static bool judge_unmatched(ftr_gate *gate, size_t number)
{
    rule_state *state = &gate->states[number];
    if (gate->rules->rules[number].subject == FTR_GATE_ROWS)
        return ftr_gate_rows_judge(&state->rows, &gate->runs, &gate->suites[number + 1]);
    if (state->measured > 0)
        return true;
    char *text =
        state->matched > 0 ? explain_no_value(gate, number) : explain_no_match(gate, number);
    return text != NULL &&
           ftr_gate_add_case(&gate->suites[number + 1], "(all runs)", FTR_CASE_FAILED, text);
}

static int compare_cases(const void *a, const void *b)
{
    return strcmp(((const ftr_gate_case *)a)->run, ((const ftr_gate_case *)b)->run);
}

ftr_status ftr_gate_expect(ftr_gate *gate, const char *name)
{
    if (ftr_gate_runs_have(&gate->runs, name))
        return FTR_OK;
    const char *kept = keep_name(gate, name);
    char *text = kept != NULL ? strdup("absent: the run is expected") : NULL;
    return text != NULL && ftr_gate_add_case(&gate->suites[0], kept, FTR_CASE_FAILED, text)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

ftr_status ftr_gate_expect_number(ftr_gate *gate, uint64_t count)
{
    char *text = NULL;
    if (gate->run_count >= count)
        return FTR_OK;
    const int length = asprintf(&text, "there are %llu runs; %llu are expected",
                                (unsigned long long)gate->run_count, (unsigned long long)count);
    return length >= 0 &&
                   ftr_gate_add_case(&gate->suites[0], "(number of runs)", FTR_CASE_FAILED, text)
               ? FTR_OK
               : FTR_ERR_MEMORY;
}

/* Adds a failed case if there is no run: a night without runs must not pass. */
static bool judge_number(ftr_gate *gate)
{
    char *text = gate->run_count == 0 ? strdup("the summary contains no run") : NULL;
    return gate->run_count > 0 ||
           (text != NULL &&
            ftr_gate_add_case(&gate->suites[0], "(number of runs)", FTR_CASE_FAILED, text));
}

ftr_status ftr_gate_finish(ftr_gate *gate)
{
    if (!judge_number(gate))
        return FTR_ERR_MEMORY;
    for (size_t i = 0; i < gate->rules->count && gate->baseline == NULL; i++)
        if (gate->rules->rules[i].is_relative)
            gate->states[i].measured = 0;
    if (gate->baseline != NULL && !judge_night(gate))
        return FTR_ERR_MEMORY;
    for (size_t i = 0; i < gate->rules->count; i++)
        if (!judge_unmatched(gate, i))
            return FTR_ERR_MEMORY;
    /* Names sort the runs: the numbers in rows of queries are no longer valid. */
    if ((gate->baseline != NULL &&
         !ftr_gate_presence_judge(&gate->presence, gate->baseline, &gate->suites[0])) ||
        !ftr_gate_runs_name(&gate->runs))
        return FTR_ERR_MEMORY;
    for (size_t i = 0; i <= gate->rules->count; i++)
        if (gate->suites[i].count > 0)
            qsort(gate->suites[i].cases, gate->suites[i].count, sizeof *gate->suites[i].cases,
                  compare_cases);
    return FTR_OK;
}

const ftr_gate_suite *ftr_gate_suites(const ftr_gate *gate, size_t *count)
{
    *count = gate->rules->count + 1;
    return gate->suites;
}

bool ftr_gate_triage(const ftr_gate *gate, ftr_triage *triage)
{
    return ftr_triage_collect(triage, gate->suites, gate->rules->count + 1, &gate->runs,
                              gate->baseline != NULL ? &gate->baseline->values : NULL,
                              gate->baseline != NULL ? &gate->verdicts : NULL);
}
