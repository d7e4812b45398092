/* The baseline of a gate. */
#include "gate_baseline.h"

#include "growing_array.h"
#include "stream_name_rules.h"

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

void ftr_gate_baseline_begin_night(ftr_gate_baseline *baseline)
{
    release_runs(baseline);
    baseline->run_names = (ftr_name_table){0};
    for (size_t i = 0; i < baseline->test_capacity; i++)
        baseline->tests[i].expected = 0;
}

/* ---- streams and runs ------------------------------------------------------------------------ */

static ftr_gate_stream *stream_of(ftr_gate_baseline *baseline, const ftr_stream_figures *of)
{
    const ftr_figure_text *name = &of->name;
    const size_t known = ftr_name_table_find(&baseline->stream_names, name->bytes, name->size, 0);
    if (known != FTR_NAME_UNKNOWN)
        return &baseline->streams[known];
    if (!ftr_array_grow(&baseline->streams, &baseline->stream_capacity, baseline->stream_count,
                        sizeof *baseline->streams))
        return NULL;
    ftr_gate_stream *stream = &baseline->streams[baseline->stream_count];
    *stream = (ftr_gate_stream){
        .name = strdup(name->bytes),
        .has_calls = ftr_text_begins(of->kind.bytes, of->kind.size, FTR_CALL_KIND_PREFIX)};
    if (stream->name == NULL)
        return NULL;
    if (!ftr_name_table_add(&baseline->stream_names, stream->name, name->size, 0,
                            baseline->stream_count)) {
        free(stream->name);
        return NULL;
    }
    baseline->stream_count++;
    return stream;
}

static uint64_t transactions_of(const ftr_stream_figures *stream)
{
    uint64_t count = 0;
    for (size_t i = 0; i < stream->generator_count; i++)
        count += stream->generators[i].latency.count + stream->generators[i].unfinished;
    return count;
}

static bool add_streams(ftr_gate_baseline *baseline, ftr_gate_baseline_run *to,
                        const ftr_run_record *run)
{
    to->busy = malloc((run->stream_count + 1) * sizeof *to->busy);
    if (to->busy == NULL)
        return false;
    for (size_t i = 0; i < run->stream_count; i++) {
        const uint64_t count = transactions_of(&run->streams[i]);
        ftr_gate_stream *stream = stream_of(baseline, &run->streams[i]);
        if (stream == NULL)
            return false;
        stream->runs += count > 0;
        if (count >= FTR_GATE_STREAM_COUNT)
            to->busy[to->busy_count++] = (uint32_t)(stream - baseline->streams);
    }
    return true;
}

ftr_gate_test *ftr_gate_baseline_test(ftr_gate_baseline *baseline, const ftr_figure_text *name)
{
    const ftr_name *found = ftr_names_intern(&baseline->test_names, name->bytes, name->size);
    if (found == NULL || !ftr_array_reach(&baseline->tests, &baseline->test_capacity, found->number,
                                          sizeof *baseline->tests))
        return NULL;
    return &baseline->tests[found->number];
}

static ftr_status add_values(ftr_gate_baseline *baseline, const ftr_run_record *run)
{
    ftr_run_totals alone = {.time_scale = run->time_scale};
    ftr_status status = ftr_run_totals_add(&alone, run, false);
    ftr_run_totals_settle(&alone);
    if (status == FTR_OK &&
        !ftr_night_values_add(&baseline->values, FTR_NIGHT_EARLIER, run, &alone, NULL))
        status = FTR_ERR_MEMORY;
    ftr_run_totals_release(&alone);
    return status;
}

ftr_status ftr_gate_baseline_add(ftr_gate_baseline *baseline, const ftr_run_record *run,
                                 const char *name)
{
    ftr_gate_test *test = ftr_gate_baseline_test(baseline, &run->test);
    if (test == NULL || !ftr_array_grow(&baseline->runs, &baseline->run_capacity,
                                        baseline->run_count, sizeof *baseline->runs))
        return FTR_ERR_MEMORY;
    test->expected++;
    ftr_gate_baseline_run *added = &baseline->runs[baseline->run_count];
    *added = (ftr_gate_baseline_run){.name = strdup(name)};
    if (added->name == NULL)
        return FTR_ERR_MEMORY;
    baseline->run_count++;
    if (ftr_name_table_find(&baseline->run_names, name, strlen(name), 0) == FTR_NAME_UNKNOWN &&
        !ftr_name_table_add(&baseline->run_names, added->name, strlen(name), 0,
                            baseline->run_count - 1))
        return FTR_ERR_MEMORY;
    if (!ftr_run_state_is_complete(run->state))
        return FTR_OK;
    baseline->sound_runs++;
    return add_streams(baseline, added, run) ? add_values(baseline, run) : FTR_ERR_MEMORY;
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
    ftr_name_table_release(&baseline->stream_names);
    ftr_names_release(&baseline->test_names);
    ftr_night_values_release(&baseline->values);
}
