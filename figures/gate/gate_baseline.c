/* The baseline of a gate. */
#include "gate_baseline.h"

#include "growing_array.h"

#include <stdlib.h>
#include <string.h>

void ftr_gate_baseline_init(ftr_gate_baseline *baseline, const ftr_gate_rules *rules)
{
    *baseline = (ftr_gate_baseline){.values = {.rules = rules}};
}

static void release_runs(ftr_gate_baseline *baseline)
{
    for (size_t i = 0; i < baseline->run_count; i++) {
        free(baseline->runs[i].name);
        free(baseline->runs[i].busy);
    }
    baseline->run_count = 0;
    ftr_name_table_release(&baseline->run_names);
}

/* ---- streams and runs ------------------------------------------------------------------------ */

/* Returns the number of a stream; adds the stream if needed. @return FTR_NAME_UNKNOWN if memory is
 * exhausted */
static size_t stream_of(ftr_gate_baseline *baseline, const ftr_name *name)
{
    const size_t known = ftr_name_table_find(&baseline->stream_names, name->text, name->size, 0);
    if (known != FTR_NAME_UNKNOWN)
        return known;
    if (!ftr_array_grow(&baseline->streams, &baseline->stream_capacity, baseline->stream_count,
                        sizeof *baseline->streams))
        return FTR_NAME_UNKNOWN;
    ftr_gate_stream *stream = &baseline->streams[baseline->stream_count];
    *stream = (ftr_gate_stream){.name = strdup(name->text)};
    if (stream->name == NULL)
        return FTR_NAME_UNKNOWN;
    if (!ftr_name_table_add(&baseline->stream_names, stream->name, name->size, 0,
                            baseline->stream_count)) {
        free(stream->name);
        return FTR_NAME_UNKNOWN;
    }
    return baseline->stream_count++;
}

/* Adds the streams of a night. @param numbers room for a number of each stream */
static bool add_streams(ftr_gate_baseline *baseline, const ftr_history_night *night,
                        size_t *numbers)
{
    for (size_t i = 0; i < night->stream_names.count; i++) {
        numbers[i] = stream_of(baseline, night->stream_names.names[i]);
        if (numbers[i] == FTR_NAME_UNKNOWN)
            return false;
        baseline->streams[numbers[i]].has_calls |= night->streams[i].has_calls;
        baseline->streams[numbers[i]].runs += night->streams[i].runs;
    }
    return true;
}

static bool add_generators(ftr_gate_baseline *baseline, const ftr_history_night *night)
{
    for (size_t i = 0; i < night->generator_names.count && i < night->generator_capacity; i++) {
        const ftr_name *from = night->generator_names.names[i];
        const ftr_name *name = ftr_names_intern(&baseline->generator_names, from->text, from->size);
        if (name == NULL ||
            !ftr_array_reach(&baseline->generator_runs, &baseline->generator_capacity, name->number,
                             sizeof *baseline->generator_runs))
            return false;
        baseline->generator_runs[name->number] += night->generator_runs[i];
    }
    return true;
}

/* Adds a run of the last night. @param streams numbers of the night's streams in the baseline */
static bool add_run(ftr_gate_baseline *baseline, const ftr_night_run *run, const size_t *streams)
{
    if (!ftr_array_grow(&baseline->runs, &baseline->run_capacity, baseline->run_count,
                        sizeof *baseline->runs))
        return false;
    ftr_gate_baseline_run *added = &baseline->runs[baseline->run_count];
    *added = (ftr_gate_baseline_run){.name = strdup(run->name),
                                     .busy = malloc((run->busy_count + 1) * sizeof *added->busy)};
    baseline->run_count++;
    if (added->name == NULL || added->busy == NULL)
        return false;
    for (size_t i = 0; i < run->busy_count; i++)
        added->busy[added->busy_count++] = (uint32_t)streams[run->busy[i]];
    const size_t size = strlen(added->name);
    return ftr_name_table_find(&baseline->run_names, added->name, size, 0) != FTR_NAME_UNKNOWN ||
           ftr_name_table_add(&baseline->run_names, added->name, size, 0, baseline->run_count - 1);
}

ftr_gate_test *ftr_gate_baseline_test(ftr_gate_baseline *baseline, const ftr_figure_text *name)
{
    const ftr_name *found = ftr_names_intern(&baseline->test_names, name->bytes, name->size);
    if (found == NULL || !ftr_array_reach(&baseline->tests, &baseline->test_capacity, found->number,
                                          sizeof *baseline->tests))
        return NULL;
    return &baseline->tests[found->number];
}

/* Expects the runs and tests of a night instead of those of the night before. */
static bool expect_night(ftr_gate_baseline *baseline, const ftr_history_night *night,
                         const size_t *streams)
{
    release_runs(baseline);
    for (size_t i = 0; i < baseline->test_capacity; i++)
        baseline->tests[i].expected = 0;
    for (size_t i = 0; i < night->test_names.count; i++) {
        const ftr_name *name = night->test_names.names[i];
        ftr_gate_test *test =
            ftr_gate_baseline_test(baseline, &(ftr_figure_text){(char *)name->text, name->size});
        if (test == NULL)
            return false;
        test->expected = night->tests[i].runs;
    }
    for (size_t i = 0; i < night->run_count; i++)
        if (!add_run(baseline, &night->runs[i], streams))
            return false;
    return true;
}

bool ftr_gate_baseline_add(ftr_gate_baseline *baseline, const ftr_history_night *night)
{
    size_t *streams = malloc((night->stream_names.count + 1) * sizeof *streams);
    const bool ok = streams != NULL && add_streams(baseline, night, streams) &&
                    add_generators(baseline, night) && expect_night(baseline, night, streams) &&
                    ftr_night_values_add_night(&baseline->values, night);
    free(streams);
    baseline->sound_runs += night->complete;
    return ok;
}

ftr_gate_baseline_run *ftr_gate_baseline_find_run(ftr_gate_baseline *baseline, const char *name)
{
    const size_t known = ftr_name_table_find(&baseline->run_names, name, strlen(name), 0);
    return known != FTR_NAME_UNKNOWN ? &baseline->runs[known] : NULL;
}

void ftr_gate_baseline_release(ftr_gate_baseline *baseline)
{
    release_runs(baseline);
    for (size_t i = 0; i < baseline->stream_count; i++)
        free(baseline->streams[i].name);
    free(baseline->streams);
    free(baseline->runs);
    free(baseline->tests);
    free(baseline->generator_runs);
    ftr_name_table_release(&baseline->stream_names);
    ftr_names_release(&baseline->generator_names);
    ftr_names_release(&baseline->test_names);
    ftr_night_values_release(&baseline->values);
}
