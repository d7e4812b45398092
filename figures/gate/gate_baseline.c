/* The figures of the baseline, and the test whether latencies are higher than those of the
 * baseline. */
#include "gate_baseline.h"

#include "growing_array.h"
#include "stream_name_rules.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Quartiles are computed from at least this number of runs. */
#define FENCE_RUNS_MIN 4u

void ftr_gate_baseline_init(ftr_gate_baseline *baseline, const ftr_gate_rules *rules,
                            int time_scale)
{
    *baseline = (ftr_gate_baseline){.rules = rules, .totals = {.time_scale = time_scale}};
}

/* ---- values of single runs ------------------------------------------------------------------- */

static bool reserve_values(ftr_gate_baseline *baseline)
{
    const size_t rows = baseline->totals.row_count;
    const size_t row_size = baseline->rules->count * sizeof *baseline->values;
    return rows == 0 || row_size == 0 ||
           ftr_array_reach(&baseline->values, &baseline->values_rows, rows - 1, row_size);
}

static size_t row_index(const ftr_gate_baseline *baseline, const ftr_total_row *row)
{
    return ftr_name_table_find(&baseline->totals.names, row->name, row->name_size,
                               row->stream_size);
}

static bool add_value(ftr_gate_baseline *baseline, size_t rule, ftr_total_row *row, int time_scale)
{
    const ftr_figure_metric metric = baseline->rules->rules[rule].metric;
    ftr_gate_values *values =
        &baseline->values[row_index(baseline, row) * baseline->rules->count + rule];
    if (!ftr_array_grow(&values->of, &values->capacity, values->count, sizeof *values->of))
        return false;
    long double value = ftr_figure_metric_value(metric, row, time_scale);
    if (ftr_figure_metric_is_time(metric))
        value *= powl(10, time_scale);
    values->of[values->count++] = value;
    values->is_sorted = false;
    return true;
}

static ftr_status add_values(ftr_gate_baseline *baseline, const ftr_run_record *run)
{
    ftr_run_totals single = {.time_scale = run->time_scale};
    ftr_status status = ftr_run_totals_add(&single, run, false);
    for (size_t i = 0; i < single.row_count && status == FTR_OK; i++)
        for (size_t k = 0; k < baseline->rules->count && status == FTR_OK; k++)
            if (baseline->rules->rules[k].is_relative && single.rows[i].latency.count > 0 &&
                ftr_figure_metric_is_known(baseline->rules->rules[k].metric, &single.rows[i]) &&
                !add_value(baseline, k, &single.rows[i], run->time_scale))
                status = FTR_ERR_MEMORY;
    ftr_run_totals_release(&single);
    return status;
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

ftr_status ftr_gate_baseline_add(ftr_gate_baseline *baseline, const ftr_run_record *run,
                                 const char *name)
{
    if (!ftr_array_grow(&baseline->runs, &baseline->run_capacity, baseline->run_count,
                        sizeof *baseline->runs))
        return FTR_ERR_MEMORY;
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
    const ftr_status status = ftr_run_totals_add(&baseline->totals, run, false);
    if (status != FTR_OK)
        return status;
    if (!reserve_values(baseline) || !add_streams(baseline, added, run))
        return FTR_ERR_MEMORY;
    return add_values(baseline, run);
}

ftr_gate_baseline_run *ftr_gate_baseline_find_run(ftr_gate_baseline *baseline, const char *name)
{
    const size_t known = ftr_name_table_find(&baseline->run_names, name, strlen(name), 0);
    return known != FTR_NAME_UNKNOWN ? &baseline->runs[known] : NULL;
}

/* ---- references ------------------------------------------------------------------------------ */

static int compare_values(const void *a, const void *b)
{
    const long double x = *(const long double *)a;
    const long double y = *(const long double *)b;
    return (x > y) - (x < y);
}

/* Returns the quantile @p part (0 to 1) of sorted values, interpolated between the two nearest
 * values. */
static long double quantile(const ftr_gate_values *values, long double part)
{
    const long double at = part * (long double)(values->count - 1);
    const size_t below = (size_t)at;
    const size_t above = below + 1 < values->count ? below + 1 : below;
    return values->of[below] + (at - (long double)below) * (values->of[above] - values->of[below]);
}

bool ftr_gate_baseline_refer(ftr_gate_baseline *baseline, size_t rule, const ftr_total_row *row,
                             ftr_gate_reference *reference)
{
    const size_t index = row_index(baseline, row);
    const ftr_figure_metric metric = baseline->rules->rules[rule].metric;
    if (index == FTR_NAME_UNKNOWN)
        return false;
    ftr_total_row *all = &baseline->totals.rows[index];
    ftr_gate_values *values = &baseline->values[index * baseline->rules->count + rule];
    if (all->latency.count == 0 || values->count == 0)
        return false;
    if (!values->is_sorted)
        qsort(values->of, values->count, sizeof *values->of, compare_values);
    values->is_sorted = true;
    *reference = (ftr_gate_reference){.latency = ftr_total_row_bins(all, metric.attribute),
                                      .value = quantile(values, 0.5L)};
    if (ftr_figure_metric_is_time(metric))
        reference->value = ftr_figure_metric_value(metric, all, baseline->totals.time_scale) *
                           powl(10, baseline->totals.time_scale);
    reference->has_fences = values->count >= FENCE_RUNS_MIN;
    if (reference->has_fences) {
        const long double first = quantile(values, 0.25L);
        const long double third = quantile(values, 0.75L);
        reference->low = first - 3 * (third - first);
        reference->high = third + 3 * (third - first);
    }
    return true;
}

void ftr_gate_baseline_release(ftr_gate_baseline *baseline)
{
    for (size_t i = 0; i < baseline->values_rows * baseline->rules->count; i++)
        free(baseline->values[i].of);
    for (size_t i = 0; i < baseline->stream_count; i++)
        free(baseline->streams[i].name);
    for (size_t i = 0; i < baseline->run_count; i++) {
        free(baseline->runs[i].name);
        free(baseline->runs[i].busy);
    }
    free(baseline->values);
    free(baseline->streams);
    free(baseline->runs);
    ftr_name_table_release(&baseline->stream_names);
    ftr_name_table_release(&baseline->run_names);
    ftr_run_totals_release(&baseline->totals);
}

/* ---- the rank sum test ----------------------------------------------------------------------- */

/* Visits the values of two distributions in ascending order; values below the floor count as equal
 * to the floor. */
typedef struct walk {
    const ftr_latency_bins *of[2];
    size_t at[2];
    uint64_t floor;
} walk;

static uint64_t value_at(const walk *w, int which)
{
    const uint64_t value = w->of[which]->bins[w->at[which]].value;
    return value > w->floor ? value : w->floor;
}

/* Counts the next value in both distributions. @return false at the end */
static bool next(walk *w, long double counts[2])
{
    const bool left[2] = {w->at[0] < w->of[0]->used, w->at[1] < w->of[1]->used};
    if (!left[0] && !left[1])
        return false;
    uint64_t value;
    if (left[0] && left[1])
        value = value_at(w, 0) < value_at(w, 1) ? value_at(w, 0) : value_at(w, 1);
    else
        value = value_at(w, left[0] ? 0 : 1);
    for (int i = 0; i < 2; i++) {
        counts[i] = 0;
        while (w->at[i] < w->of[i]->used && value_at(w, i) == value)
            counts[i] += (long double)w->of[i]->bins[w->at[i]++].count;
    }
    return true;
}

double ftr_rank_sum_test(ftr_latency_bins *tested, ftr_latency_bins *reference, uint64_t floor)
{
    const long double n = (long double)tested->count;
    const long double m = (long double)reference->count;
    const long double all = n + m;
    if (tested->count == 0 || reference->count == 0 || all < 2)
        return 1;
    ftr_latency_bins_sort(tested);
    ftr_latency_bins_sort(reference);
    walk w = {{tested, reference}, {0, 0}, floor};
    long double counts[2], below = 0, ranks = 0, ties = 0;
    while (next(&w, counts)) {
        const long double tied = counts[0] + counts[1];
        ranks += counts[0] * (below + (tied + 1) / 2);
        ties += tied * tied * tied - tied;
        below += tied;
    }
    const long double variance = n * m / 12 * ((all + 1) - ties / (all * (all - 1)));
    if (variance <= 0)
        return 1;
    const long double excess = ranks - n * (all + 1) / 2 - 0.5L;
    return (double)(erfcl(excess / sqrtl(2 * variance)) / 2);
}
