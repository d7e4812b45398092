/* Adds up the figures of runs. */
#include "run_totals.h"

#include "growing_array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ftr_total_row *add_row(ftr_run_totals *totals, char *name, size_t size, size_t stream_size)
{
    if (!ftr_array_grow(&totals->rows, &totals->row_capacity, totals->row_count,
                        sizeof *totals->rows) ||
        !ftr_name_table_add(&totals->names, name, size, stream_size, totals->row_count))
        return NULL;
    ftr_total_row *row = &totals->rows[totals->row_count++];
    *row = (ftr_total_row){
        .name = name, .name_size = size, .stream_size = stream_size, .first = UINT64_MAX};
    return row;
}

/* @param generator NULL: the row of the whole stream */
static ftr_total_row *row_of(ftr_run_totals *totals, const ftr_figure_text *stream,
                             const ftr_figure_text *generator)
{
    const size_t size = stream->size + (generator != NULL ? 1 + generator->size : 0);
    char *name = malloc(size + 1);
    if (name == NULL)
        return NULL;
    memcpy(name, stream->bytes, stream->size);
    if (generator != NULL) {
        name[stream->size] = '.';
        memcpy(name + stream->size + 1, generator->bytes, generator->size);
    }
    name[size] = '\0';
    const size_t known = ftr_name_table_find(&totals->names, name, size, stream->size);
    if (known != FTR_NAME_UNKNOWN) {
        free(name);
        return &totals->rows[known];
    }
    ftr_total_row *row = add_row(totals, name, size, stream->size);
    if (row == NULL)
        free(name);
    return row;
}

/* Compares by latency, then by the name of the file, then by begin and id. */
static int compare_slow(const ftr_slow_run_tx *a, const ftr_slow_run_tx *b)
{
    if (a->tx.latency != b->tx.latency)
        return a->tx.latency > b->tx.latency ? -1 : 1;
    const int order = strcmp(a->file, b->file);
    return order != 0 ? order : ftr_slow_tx_compare(&a->tx, &b->tx);
}

static bool add_slow(ftr_total_row *row, const ftr_slow_tx *tx, const char *file)
{
    ftr_slow_run_tx added = {*tx, (char *)file};
    const bool full = row->slow_count == FTR_SLOWEST_MAX;
    if (full && compare_slow(&added, &row->slowest[FTR_SLOWEST_MAX - 1]) >= 0)
        return true;
    if (!full && !ftr_array_grow_small(&row->slowest, &row->slow_capacity, row->slow_count,
                                       sizeof *row->slowest))
        return false;
    added.file = strdup(file);
    if (added.file == NULL)
        return false;
    if (full)
        free(row->slowest[--row->slow_count].file);
    size_t at = row->slow_count++;
    for (; at > 0 && compare_slow(&added, &row->slowest[at - 1]) < 0; at--)
        row->slowest[at] = row->slowest[at - 1];
    row->slowest[at] = added;
    return true;
}

/* @return NULL if out of memory */
static ftr_named_times *times_of(ftr_total_row *row, const ftr_figure_text *name)
{
    ftr_figure_text copy = {0};
    for (size_t i = 0; i < row->time_count; i++)
        if (ftr_figure_text_compare(&row->times[i].name, name) == 0)
            return &row->times[i];
    if (!ftr_array_grow(&row->times, &row->time_capacity, row->time_count, sizeof *row->times) ||
        !ftr_figure_text_set(&copy, name->bytes, name->size))
        return NULL;
    row->times[row->time_count] = (ftr_named_times){.name = copy};
    return &row->times[row->time_count++];
}

static ftr_status add_times(ftr_total_row *row, const ftr_generator_figures *generator,
                            uint64_t factor)
{
    for (unsigned i = 0; i < generator->time_count; i++) {
        const ftr_named_times *from = &generator->times[i];
        if (from->bins.greatest > UINT64_MAX / factor)
            return FTR_ERR_LIMIT;
        ftr_named_times *to = times_of(row, &from->name);
        if (to == NULL || !ftr_latency_bins_merge(&to->bins, &from->bins, factor))
            return FTR_ERR_MEMORY;
    }
    return FTR_OK;
}

ftr_latency_bins *ftr_total_row_bins(ftr_total_row *row, const char *name)
{
    if (name == NULL)
        return &row->latency;
    for (size_t i = 0; i < row->time_count; i++)
        if (ftr_text_is(row->times[i].name.bytes, row->times[i].name.size, name))
            return &row->times[i].bins;
    return NULL;
}

/* @param moves the row is new, and the latencies may be moved into it */
static ftr_status add_generator(ftr_total_row *row, const ftr_run_record *run,
                                ftr_generator_figures *generator, uint64_t factor, bool moves)
{
    row->errors += generator->errors;
    row->unfinished += generator->unfinished;
    row->bytes += generator->bytes;
    if (!ftr_generator_has_transactions(generator))
        return FTR_OK;
    if (generator->last > UINT64_MAX / factor || generator->latency.greatest > UINT64_MAX / factor)
        return FTR_ERR_LIMIT;
    row->first = generator->first * factor < row->first ? generator->first * factor : row->first;
    row->last = generator->last * factor > row->last ? generator->last * factor : row->last;
    if (moves && factor == 1) {
        row->latency = generator->latency;
        generator->latency = (ftr_latency_bins){0};
    } else if (!ftr_latency_bins_merge(&row->latency, &generator->latency, factor)) {
        return FTR_ERR_MEMORY;
    }
    for (unsigned i = 0; i < generator->slowest.count; i++) {
        ftr_slow_tx tx = generator->slowest.of[i];
        tx.latency *= factor;
        tx.begin *= factor;
        if (!add_slow(row, &tx, run->file.bytes))
            return FTR_ERR_MEMORY;
    }
    return add_times(row, generator, factor);
}

static void add_activity(ftr_total_row *row, uint64_t first, uint64_t last, uint64_t busy,
                         uint64_t outstanding, uint64_t factor)
{
    row->runs++;
    row->span += (ftr_wide)(last - first) * factor;
    row->busy += (ftr_wide)busy * factor;
    if (outstanding > row->outstanding)
        row->outstanding = outstanding;
}

static ftr_status add_stream(ftr_run_totals *totals, const ftr_run_record *run,
                             const ftr_stream_figures *stream, bool by_stream, uint64_t factor,
                             bool moves)
{
    uint64_t first = UINT64_MAX, last = 0;
    ftr_status status = FTR_OK;
    for (size_t i = 0; i < stream->generator_count && status == FTR_OK; i++) {
        ftr_generator_figures *generator = &stream->generators[i];
        ftr_total_row *row = row_of(totals, &stream->name, by_stream ? NULL : &generator->name);
        if (row == NULL)
            return FTR_ERR_MEMORY;
        const bool has_transactions = ftr_generator_has_transactions(generator);
        status = add_generator(row, run, generator, factor, moves);
        if (!by_stream)
            add_activity(row, generator->first, generator->last, generator->busy,
                         generator->outstanding, factor);
        if (has_transactions) {
            first = generator->first < first ? generator->first : first;
            last = generator->last > last ? generator->last : last;
        }
    }
    if (by_stream && stream->generator_count > 0)
        add_activity(row_of(totals, &stream->name, NULL), first < last ? first : 0,
                     first < last ? last : 0, stream->busy, stream->outstanding, factor);
    return status;
}

static ftr_status add_run(ftr_run_totals *totals, const ftr_run_record *run, bool by_stream,
                          bool moves)
{
    uint64_t factor = 1;
    for (int scale = run->time_scale; scale > totals->time_scale; scale--) {
        if (factor > UINT64_MAX / 10)
            return FTR_ERR_LIMIT;
        factor *= 10;
    }
    ftr_status status = ftr_run_record_links(run, &totals->links) ? FTR_OK : FTR_ERR_MEMORY;
    for (size_t i = 0; i < run->stream_count && status == FTR_OK; i++)
        status = add_stream(totals, run, &run->streams[i], by_stream, factor, moves);
    return status;
}

ftr_status ftr_run_totals_add(ftr_run_totals *totals, const ftr_run_record *run, bool by_stream)
{
    return add_run(totals, run, by_stream, false);
}

ftr_status ftr_run_totals_take(ftr_run_totals *totals, ftr_run_record *run)
{
    return add_run(totals, run, false, true);
}

static int compare_rows(const void *a, const void *b)
{
    const ftr_total_row *x = a;
    const ftr_total_row *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order
                      : (x->stream_size > y->stream_size) - (x->stream_size < y->stream_size);
}

static int compare_times(const void *a, const void *b)
{
    return ftr_figure_text_compare(&((const ftr_named_times *)a)->name,
                                   &((const ftr_named_times *)b)->name);
}

static void settle_row(ftr_total_row *row)
{
    ftr_latency_bins_sort(&row->latency);
    for (size_t i = 0; i < row->time_count; i++)
        ftr_latency_bins_sort(&row->times[i].bins);
    if (row->time_count > 1)
        qsort(row->times, row->time_count, sizeof *row->times, compare_times);
}

void ftr_run_totals_settle(ftr_run_totals *totals)
{
    if (totals->row_count > 0)
        qsort(totals->rows, totals->row_count, sizeof *totals->rows, compare_rows);
    ftr_name_table_release(&totals->names);
    for (size_t i = 0; i < totals->row_count; i++)
        settle_row(&totals->rows[i]);
}

void ftr_run_totals_release(ftr_run_totals *totals)
{
    for (size_t i = 0; i < totals->row_count; i++) {
        free(totals->rows[i].name);
        ftr_latency_bins_release(&totals->rows[i].latency);
        for (size_t k = 0; k < totals->rows[i].time_count; k++) {
            free(totals->rows[i].times[k].name.bytes);
            ftr_latency_bins_release(&totals->rows[i].times[k].bins);
        }
        free(totals->rows[i].times);
        for (size_t k = 0; k < totals->rows[i].slow_count; k++)
            free(totals->rows[i].slowest[k].file);
        free(totals->rows[i].slowest);
    }
    free(totals->rows);
    ftr_name_table_release(&totals->names);
    ftr_link_names_release(&totals->links);
    *totals = (ftr_run_totals){0};
}

long double ftr_rate(long double amount, ftr_wide span, int time_scale)
{
    return span > 0 ? amount / ((long double)span * powl(10, time_scale)) : 0;
}
