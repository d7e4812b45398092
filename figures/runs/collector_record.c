/* Makes the record of a run from the figures of a collector. The figures are moved, not copied,
 * because with thousands of generators they take much memory. */
#include "run_collector.h"

#include "collector_parts.h"

#include "growing_array.h"

#include <stdlib.h>

static int compare_streams(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_stream_figures *)a)->name,
                                   &((const ftr_stream_figures *)b)->name);
}

static int compare_generators(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_generator_figures *)a)->name,
                                   &((const ftr_generator_figures *)b)->name);
}

static int compare_attributes(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_run_attribute *)a)->name,
                                   &((const ftr_run_attribute *)b)->name);
}

static uint64_t busy_of(const ftr_run_collector *collector, const ftr_collected_activity *activity)
{
    return collector->order == FTR_COLLECT_AS_RECORDED ? activity->late.busy : activity->early.busy;
}

static uint64_t outstanding_of(const ftr_run_collector *collector,
                               const ftr_collected_activity *activity)
{
    return collector->order == FTR_COLLECT_AS_RECORDED ? activity->late.outstanding
                                                       : activity->early.outstanding;
}

static bool move_generator(const ftr_run_collector *collector, ftr_stream_figures *stream,
                           ftr_collected_generator *generator)
{
    ftr_generator_figures *figures = &generator->figures;
    figures->busy = busy_of(collector, &generator->activity);
    figures->outstanding = outstanding_of(collector, &generator->activity);
    ftr_collected_activity_release(collector, &generator->activity);
    const bool ok = ftr_small_latencies_put(&generator->small, &figures->latency);
    free(generator->small.counts);
    generator->small.counts = NULL;
    if (!ok)
        return false;
    if (!ftr_generator_has_transactions(figures))
        figures->first = 0;
    ftr_latency_bins_sort(&figures->latency);
    ftr_named_times_sort(figures->times, figures->time_count);
    stream->generators[stream->generator_count++] = *figures;
    *figures = (ftr_generator_figures){0};
    return true;
}

static bool move_stream(const ftr_run_collector *collector, ftr_run_record *run,
                        ftr_collected_stream *stream, size_t generators)
{
    ftr_stream_figures *to = &run->streams[run->stream_count++];
    stream->figures.busy = busy_of(collector, &stream->activity);
    stream->figures.outstanding = outstanding_of(collector, &stream->activity);
    ftr_collected_activity_release(collector, &stream->activity);
    *to = stream->figures;
    stream->figures = (ftr_stream_figures){0};
    to->generators = calloc(generators + 1, sizeof *to->generators);
    return to->generators != NULL;
}

/* Moves the streams that belong in the record, with their generators: the streams of the model, and
 * the streams that were chosen with ftr_run_collector_measure(). */
static bool move_streams(ftr_run_collector *collector, ftr_run_record *run)
{
    run->streams = calloc(collector->stream_count + 1, sizeof *run->streams);
    size_t *place = calloc(collector->stream_count + 1, sizeof *place);
    size_t *sizes = calloc(collector->stream_count + 1, sizeof *sizes);
    bool ok = run->streams != NULL && place != NULL && sizes != NULL;
    for (size_t i = 0; ok && i < collector->generator_count; i++)
        sizes[collector->generators[i].stream]++;
    for (size_t i = 0; ok && i < collector->stream_count; i++)
        if (collector->streams[i].measured) {
            place[i] = run->stream_count;
            ok = move_stream(collector, run, &collector->streams[i], sizes[i]);
        }
    for (size_t i = 0; ok && i < collector->generator_count; i++) {
        const size_t stream = collector->generators[i].stream;
        if (collector->streams[stream].measured)
            ok = move_generator(collector, &run->streams[place[stream]], &collector->generators[i]);
    }
    free(place);
    free(sizes);
    return ok;
}

/* Sorts the streams, and adds up their transactions. */
static void sort_streams(ftr_run_record *run)
{
    if (run->stream_count > 0)
        qsort(run->streams, run->stream_count, sizeof *run->streams, compare_streams);
    for (size_t i = 0; i < run->stream_count; i++) {
        const ftr_stream_figures *stream = &run->streams[i];
        if (stream->generator_count > 1)
            qsort(stream->generators, stream->generator_count, sizeof *stream->generators,
                  compare_generators);
        for (size_t k = 0; k < stream->generator_count; k++)
            run->transactions += stream->generators[k].latency.count;
    }
}

/* Makes the members of a record except its streams. */
static bool make_head(ftr_run_collector *collector, const ftr_run_source *source,
                      ftr_run_record *run)
{
    *run = (ftr_run_record){.state = source->state,
                            .time_scale = source->time_scale,
                            .losses = collector->losses,
                            .slot_shift = collector->slots.shift,
                            .attributes = collector->attributes,
                            .attribute_count = collector->attribute_count};
    collector->attributes = NULL;
    collector->attribute_count = 0;
    if (run->attribute_count > 0)
        qsort(run->attributes, run->attribute_count, sizeof *run->attributes, compare_attributes);
    const bool ok = ftr_run_record_set_names(run, source->file, "");
    if (ok)
        ftr_run_record_judge_end(run, source->is_continued);
    return ok;
}

ftr_status ftr_run_collector_record(ftr_run_collector *collector, const ftr_run_source *source,
                                    ftr_run_record *run)
{
    ftr_run_record record;
    bool ok = make_head(collector, source, &record);
    ok = ok && move_streams(collector, &record);
    if (ok)
        sort_streams(&record);
    if (ok && !collector->is_reduced)
        ok = ftr_run_record_identify(&record, source->part);
    if (ok)
        *run = record;
    else
        ftr_run_record_release(&record);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Moves a series out of a part. @return false if out of memory */
static bool move_series(ftr_time_series **to, size_t *count, size_t *capacity,
                        ftr_time_series *series)
{
    if (!ftr_array_grow(to, capacity, *count, sizeof **to))
        return false;
    (*to)[(*count)++] = *series;
    *series = (ftr_time_series){.columns = series->columns};
    return true;
}

static bool take_series(ftr_run_collector *collector, const ftr_run_record *part)
{
    bool ok = true;
    for (size_t i = 0; ok && i < part->stream_count; i++) {
        ftr_stream_figures *stream = &part->streams[i];
        ok = move_series(&collector->taken_streams, &collector->taken_stream_count,
                         &collector->taken_stream_capacity, &stream->series);
        for (size_t k = 0; ok && k < stream->generator_count; k++)
            ok = move_series(&collector->taken_generators, &collector->taken_generator_count,
                             &collector->taken_generator_capacity, &stream->generators[k].series);
    }
    return ok;
}

ftr_status ftr_run_collector_take(ftr_run_collector *collector, ftr_run_record *part)
{
    *part = (ftr_run_record){0};
    bool ok = move_streams(collector, part);
    if (ok)
        sort_streams(part);
    ok = ok && (collector->is_reduced || take_series(collector, part));
    ftr_run_collector_clear(collector);
    collector->taken_transactions += part->transactions;
    if (!ok)
        ftr_run_record_release(part);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}

void ftr_run_collector_drop(ftr_run_collector *collector)
{
    ftr_run_collector_clear(collector);
}

ftr_series_list ftr_run_collector_series(const ftr_run_collector *collector)
{
    return (ftr_series_list){collector->taken_streams, collector->taken_stream_count,
                             collector->taken_generators, collector->taken_generator_count};
}

ftr_status ftr_run_collector_head(ftr_run_collector *collector, const ftr_run_source *source,
                                  ftr_run_record *run)
{
    ftr_run_record head;
    const bool ok = make_head(collector, source, &head);
    head.transactions = collector->taken_transactions;
    if (ok)
        *run = head;
    else
        ftr_run_record_release(&head);
    return ok ? FTR_OK : FTR_ERR_MEMORY;
}
