/* Finds names that are new or absent. */
#include "gate_presence.h"

#include "growing_array.h"
#include "near_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A generator that all earlier runs have and no run of the judged night has fails if the
 * probability is lower that chance alone separates the runs in this way. */
#define CHANCE_MAX 1e-4
/* Maximum number of pairs of absent and unknown names that are compared for a near name. */
#define NEAR_PAIRS_MAX 100000u

/* ---- the judged night ------------------------------------------------------------------------ */

bool ftr_gate_presence_match(ftr_gate_presence *presence, ftr_gate_baseline *baseline,
                             const ftr_run_record *run, const char *name,
                             const ftr_gate_baseline_run **same)
{
    ftr_gate_baseline_run *found = ftr_gate_baseline_find_run(baseline, name);
    ftr_gate_test *test = ftr_gate_baseline_test(baseline, &run->test);
    if (test == NULL)
        return false;
    test->found++;
    *same = found;
    if (found == NULL)
        return ftr_names_intern(&presence->unknown_runs, name, strlen(name)) != NULL;
    presence->matched_runs += !found->is_matched;
    found->is_matched = true;
    return true;
}

static bool see(ftr_seen_names *seen, const char *text, size_t size)
{
    const ftr_name *name = ftr_names_intern(&seen->names, text, size);
    if (name == NULL ||
        !ftr_array_reach(&seen->runs, &seen->capacity, name->number, sizeof *seen->runs))
        return false;
    seen->runs[name->number]++;
    return true;
}

bool ftr_gate_presence_add(ftr_gate_presence *presence, const ftr_run_totals *totals)
{
    const ftr_total_row *before = NULL; /* the last row with transactions */
    presence->complete++;
    for (size_t i = 0; i < totals->row_count; i++) {
        const ftr_total_row *row = &totals->rows[i];
        if (!ftr_total_row_has_transactions(row))
            continue;
        const bool is_same_stream = before != NULL && before->stream_size == row->stream_size &&
                                    memcmp(before->name, row->name, row->stream_size) == 0;
        if (!see(&presence->generators, row->name, row->name_size) ||
            (!is_same_stream && !see(&presence->streams, row->name, row->stream_size)))
            return false;
        before = row;
    }
    return true;
}

static uint64_t runs_here(const ftr_seen_names *seen, const char *text, size_t size)
{
    const size_t number = ftr_name_table_find(&seen->names.table, text, size, 0);
    return number != FTR_NAME_UNKNOWN && number < seen->capacity ? seen->runs[number] : 0;
}

void ftr_gate_presence_release(ftr_gate_presence *presence)
{
    ftr_names_release(&presence->streams.names);
    ftr_names_release(&presence->generators.names);
    ftr_names_release(&presence->unknown_runs);
    free(presence->streams.runs);
    free(presence->generators.runs);
}

/* ---- streams --------------------------------------------------------------------------------- */

static uint64_t earlier_stream_runs(const ftr_gate_baseline *baseline, const char *text,
                                    size_t size)
{
    const size_t number = ftr_name_table_find(&baseline->stream_names, text, size, 0);
    return number != FTR_NAME_UNKNOWN ? baseline->streams[number].runs : 0;
}

/* Adds a case for a message of several lines. @return false if memory is exhausted */
static bool add_case(ftr_gate_suite *suite, const char *name, ftr_gate_result result,
                     ftr_gate_message *message)
{
    if (message->failed) {
        free(message->text);
        return false;
    }
    return message->text == NULL || ftr_gate_add_case(suite, name, result, message->text);
}

static bool name_new_streams(const ftr_gate_presence *presence, const ftr_gate_baseline *baseline,
                             ftr_gate_suite *suite)
{
    ftr_gate_message message = {0};
    for (size_t i = 0; i < presence->streams.names.count; i++) {
        const ftr_name *name = presence->streams.names.names[i];
        if (earlier_stream_runs(baseline, name->text, name->size) == 0)
            ftr_gate_say(&message, "%s: in %llu of %llu runs, in no run of the baseline",
                         name->text, (unsigned long long)presence->streams.runs[i],
                         (unsigned long long)presence->complete);
    }
    return add_case(suite, "(new streams)", FTR_CASE_PASSED, &message);
}

/* Names the streams that only some runs of the baseline have. The case of each run names those that
 * all of them have. */
static bool name_absent_streams(const ftr_gate_presence *presence,
                                const ftr_gate_baseline *baseline, ftr_gate_suite *suite)
{
    ftr_gate_message message = {0};
    for (size_t i = 0; i < baseline->stream_count; i++) {
        const ftr_gate_stream *stream = &baseline->streams[i];
        if (stream->runs > 0 && stream->runs < baseline->sound_runs &&
            runs_here(&presence->streams, stream->name, strlen(stream->name)) == 0)
            ftr_gate_say(&message, "%s: in no run, in %llu of %llu runs of the baseline",
                         stream->name, (unsigned long long)stream->runs,
                         (unsigned long long)baseline->sound_runs);
    }
    return add_case(suite, "(absent streams)", FTR_CASE_PASSED, &message);
}

/* ---- generators ------------------------------------------------------------------------------ */

/* Returns whether the stream of a generator is in both: only then, the generator is named. */
static bool has_stream(const ftr_gate_presence *presence, const ftr_gate_baseline *baseline,
                       const ftr_name *generator)
{
    for (size_t size = generator->size; size-- > 0;)
        if (generator->text[size] == '.' &&
            runs_here(&presence->streams, generator->text, size) > 0 &&
            earlier_stream_runs(baseline, generator->text, size) > 0)
            return true;
    return false;
}

static bool name_new_generators(const ftr_gate_presence *presence,
                                const ftr_gate_baseline *baseline, ftr_gate_suite *suite)
{
    ftr_gate_message message = {0};
    for (size_t i = 0; i < presence->generators.names.count; i++) {
        const ftr_name *name = presence->generators.names.names[i];
        const size_t earlier =
            ftr_name_table_find(&baseline->generator_names.table, name->text, name->size, 0);
        if ((earlier == FTR_NAME_UNKNOWN || earlier >= baseline->generator_capacity ||
             baseline->generator_runs[earlier] == 0) &&
            has_stream(presence, baseline, name))
            ftr_gate_say(&message, "%s: in %llu of %llu runs, in no run of the baseline",
                         name->text, (unsigned long long)presence->generators.runs[i],
                         (unsigned long long)presence->complete);
    }
    return add_case(suite, "(new generators)", FTR_CASE_PASSED, &message);
}

/* Returns the probability that, of @p all runs of which @p some have a generator, exactly the
 * earlier ones have it if the nights do not differ: 1 of all ways to choose. */
static double chance_of(uint64_t some, uint64_t all)
{
    return exp(lgamma((double)some + 1) + lgamma((double)(all - some) + 1) -
               lgamma((double)all + 1));
}

/* Names the generators that no run has. They fail if all runs of the baseline have them, and the
 * nights have enough runs. */
static bool name_absent_generators(const ftr_gate_presence *presence,
                                   const ftr_gate_baseline *baseline, ftr_gate_suite *suite)
{
    ftr_gate_message named = {0};
    ftr_gate_message failed = {0};
    const bool is_sure =
        chance_of(baseline->sound_runs, baseline->sound_runs + presence->complete) < CHANCE_MAX;
    for (size_t i = 0; i < baseline->generator_names.count && i < baseline->generator_capacity;
         i++) {
        const ftr_name *name = baseline->generator_names.names[i];
        const uint64_t runs = baseline->generator_runs[i];
        if (runs == 0 || runs_here(&presence->generators, name->text, name->size) > 0 ||
            !has_stream(presence, baseline, name))
            continue;
        ftr_gate_say(is_sure && runs == baseline->sound_runs ? &failed : &named,
                     "%s: in no run, in %llu of %llu runs of the baseline", name->text,
                     (unsigned long long)runs, (unsigned long long)baseline->sound_runs);
    }
    const bool ok = add_case(suite, "(absent generators)", FTR_CASE_FAILED, &failed);
    if (ok)
        return add_case(suite, "(absent generators, may be chance)", FTR_CASE_PASSED, &named);
    free(named.text);
    return false;
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Returns the name of a new test that is near the name of an absent one; NULL if there is none. */
static const char *near_test(const ftr_gate_baseline *baseline, const ftr_name *absent,
                             ftr_near_name *near)
{
    ftr_near_name_init(near, absent->text, absent->size);
    for (size_t i = 0; i < baseline->test_names.count; i++) {
        const ftr_gate_test *test = &baseline->tests[i];
        if (test->found > 0 && test->expected == 0)
            ftr_near_name_offer(near, baseline->test_names.names[i]->text,
                                baseline->test_names.names[i]->size);
    }
    return ftr_near_name_get(near);
}

/* Returns the message about a test with fewer runs, malloc'ed. */
static char *explain_test(const ftr_gate_baseline *baseline, size_t number)
{
    const ftr_gate_test *test = &baseline->tests[number];
    ftr_near_name near;
    char *text = NULL;
    if (test->found > 0)
        return asprintf(&text, "the test has %zu %s; the baseline has %zu", test->found,
                        test->found == 1 ? "run" : "runs", test->expected) < 0
                   ? NULL
                   : text;
    const char *name = near_test(baseline, baseline->test_names.names[number], &near);
    return asprintf(&text, "absent: the baseline has %zu %s of this test%s%s%s", test->expected,
                    test->expected == 1 ? "run" : "runs",
                    name != NULL ? "; was it renamed to '" : "", name != NULL ? name : "",
                    name != NULL ? "', which is new?" : "") < 0
               ? NULL
               : text;
}

/* Adds a failed case for each test that has fewer runs than in the last earlier night, and names
 * the tests that this night does not have. */
static bool judge_tests(const ftr_gate_baseline *baseline, ftr_gate_suite *suite)
{
    ftr_gate_message added = {0};
    bool ok = true;
    for (size_t i = 0; i < baseline->test_names.count && ok; i++) {
        const ftr_gate_test *test = &baseline->tests[i];
        const char *name = baseline->test_names.names[i]->text;
        if (test->found > 0 && test->expected == 0)
            ftr_gate_say(&added, "%s: %zu %s", name, test->found,
                         test->found == 1 ? "run" : "runs");
        if (test->found >= test->expected)
            continue;
        char *text = explain_test(baseline, i);
        ok = text != NULL && ftr_gate_add_case(suite, name, FTR_CASE_FAILED, text);
    }
    if (ok)
        return add_case(suite, "(new tests)", FTR_CASE_PASSED, &added);
    free(added.text);
    return false;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Returns the message about an absent run, malloc'ed. */
static char *explain_run(const ftr_gate_presence *presence, const char *absent, bool is_searched)
{
    const ftr_names *unknown = &presence->unknown_runs;
    ftr_near_name near;
    char *text = NULL;
    ftr_near_name_init(&near, absent, strlen(absent));
    for (size_t i = 0; i < unknown->count && is_searched; i++)
        ftr_near_name_offer(&near, unknown->names[i]->text, unknown->names[i]->size);
    const char *name = ftr_near_name_get(&near);
    return asprintf(&text, "absent: the baseline has the run%s%s%s",
                    name != NULL ? "; was it renamed to '" : "", name != NULL ? name : "",
                    name != NULL ? "', which is new?" : "") < 0
               ? NULL
               : text;
}

/* Adds a failed case for each run of the last earlier night that is absent, and names the runs that
 * this night does not have. */
static bool judge_runs(const ftr_gate_presence *presence, ftr_gate_baseline *baseline,
                       ftr_gate_suite *suite)
{
    const size_t pairs =
        (baseline->run_count - presence->matched_runs) * presence->unknown_runs.count;
    ftr_gate_message added = {0};
    bool ok = true;
    for (size_t i = 0; i < baseline->run_count && ok; i++) {
        const char *name = baseline->runs[i].name;
        /* If several baseline runs have the same name, is_matched is set only in the first one. */
        if (ftr_gate_baseline_find_run(baseline, name)->is_matched)
            continue;
        char *text = explain_run(presence, name, pairs <= NEAR_PAIRS_MAX);
        ok = text != NULL && ftr_gate_add_case(suite, name, FTR_CASE_FAILED, text);
    }
    for (size_t i = 0; i < presence->unknown_runs.count && ok; i++)
        ftr_gate_say(&added, "%s", presence->unknown_runs.names[i]->text);
    if (ok)
        return add_case(suite, "(new runs)", FTR_CASE_PASSED, &added);
    free(added.text);
    return false;
}

bool ftr_gate_presence_judge(const ftr_gate_presence *presence, ftr_gate_baseline *baseline,
                             ftr_gate_suite *suite)
{
    /* If less than half of the names of the last night occur again, the names change. */
    if (2 * presence->matched_runs < baseline->run_count ? !judge_tests(baseline, suite)
                                                         : !judge_runs(presence, baseline, suite))
        return false;
    return baseline->sound_runs == 0 || presence->complete == 0 ||
           (name_new_streams(presence, baseline, suite) &&
            name_absent_streams(presence, baseline, suite) &&
            name_new_generators(presence, baseline, suite) &&
            name_absent_generators(presence, baseline, suite));
}
