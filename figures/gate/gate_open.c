/* Derives what was open at the end of a run. */
#include "gate_open.h"

#include "gate_rules.h"

#include <stdlib.h>

typedef struct open_generator {
    const ftr_stream_figures *stream;
    const ftr_generator_figures *of;
    uint64_t since; /* the transactions that are open began at this tick or later */
    /* The pause before `since` is in a time slot that may also have busy ticks before the pause.
     * `since` can then be up to a time slot too early, but not too late. */
    bool is_rough;
    /* Transactions overlap, so `since` says little. But no transaction that began at `stopped` or
     * later has ended; before it, some did. */
    bool overlaps;
    uint64_t stopped;
} open_generator;

/* Returns the busy ticks that a time slot has if there is no pause in it before @p end. */
static uint64_t full_ticks(uint64_t begin, uint64_t length, uint64_t first, uint64_t end)
{
    const uint64_t from = first > begin ? first : begin;
    const uint64_t to = end - begin < length ? end : begin + length;
    return to > from ? to - from : 0;
}

/* Finds the tick from which a generator has been busy without a pause until @p end. */
static void find_since(open_generator *open, unsigned shift, uint64_t end)
{
    const ftr_time_series *series = &open->of->series;
    const uint64_t length = UINT64_C(1) << shift;
    open->since = end;
    for (unsigned i = series->count; i-- > 0;) {
        const uint64_t *slot = ftr_series_cells(series, i);
        const uint64_t busy = slot[FTR_SERIES_BUSY];
        const uint64_t begin = (series->first + i) << shift;
        const uint64_t full = full_ticks(begin, length, open->of->first, end);
        if (begin >= end)
            continue;
        if (busy < full) { /* the pause is in this time slot */
            open->since -= busy < open->since ? busy : open->since;
            open->is_rough = slot[FTR_SERIES_TRANSACTIONS] > 0 ||
                             (i > 0 && ftr_series_cells(series, i - 1)[FTR_SERIES_BUSY] > 0);
            return;
        }
        open->since = begin > open->of->first ? begin : open->of->first;
    }
}

/* Finds the end of the last time slot in which a transaction began that has ended. */
static void find_stop(open_generator *open, unsigned shift, uint64_t end)
{
    const ftr_time_series *series = &open->of->series;
    for (unsigned i = series->count; i-- > 0;) {
        if (ftr_series_cells(series, i)[FTR_SERIES_TRANSACTIONS] == 0)
            continue;
        const uint64_t begin = (series->first + i) << shift;
        const uint64_t length = UINT64_C(1) << shift;
        open->overlaps = open->since < begin;
        open->stopped = end - begin < length ? end : begin + length;
        return;
    }
}

static uint64_t stop_of(const open_generator *open)
{
    return open->overlaps ? open->stopped : open->since;
}

static int compare_open(const void *a, const void *b)
{
    const uint64_t x = stop_of(a);
    const uint64_t y = stop_of(b);
    return (x > y) - (x < y);
}

static const char *time_text(uint64_t ticks, int scale, char text[FTR_FIGURE_TEXT_SIZE])
{
    return ftr_figure_value_text((ftr_figure_metric){.kind = FTR_METRIC_MAX}, (long double)ticks,
                                 scale, text);
}

static void say(const ftr_run_record *run, const open_generator *open, uint64_t end,
                ftr_gate_message *message)
{
    char stop[FTR_FIGURE_TEXT_SIZE];
    char before[FTR_FIGURE_TEXT_SIZE];
    ftr_gate_say(message, "open at the end: %s.%s, %llu transaction%s%s%s%s (%s before the end)",
                 open->stream->name.bytes, open->of->name.bytes,
                 (unsigned long long)open->of->unfinished, open->of->unfinished == 1 ? "" : "s",
                 open->overlaps   ? "; none that began after "
                 : open->is_rough ? " since about "
                                  : " since ",
                 time_text(stop_of(open), run->time_scale, stop),
                 open->overlaps ? " has ended" : "",
                 time_text(end - stop_of(open), run->time_scale, before));
}

void ftr_gate_say_open(const ftr_run_record *run, ftr_gate_message *message)
{
    const uint64_t end = ftr_run_figures_of(run).last;
    open_generator *open = NULL;
    size_t most = 0;
    size_t count = 0;
    for (size_t i = 0; i < run->stream_count; i++)
        most += run->streams[i].generator_count;
    open = calloc(most + 1, sizeof *open);
    message->failed |= open == NULL;
    for (size_t i = 0; open != NULL && i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_generator_figures *of = &run->streams[i].generators[k];
            if (of->unfinished == 0 || of->last != end)
                continue; /* its transactions were cut before the end, or have ended */
            open[count] = (open_generator){.stream = &run->streams[i], .of = of};
            find_since(&open[count], run->slot_shift, end);
            find_stop(&open[count++], run->slot_shift, end);
        }
    if (count > 1)
        qsort(open, count, sizeof *open, compare_open);
    for (size_t i = 0; i < count; i++)
        say(run, &open[i], end, message);
    free(open);
}
