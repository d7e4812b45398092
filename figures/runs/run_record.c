/* The order of slow transactions, the names of states, sums over a run, and its memory. */
#include "run_record.h"

#include "growing_array.h"
#include "stream_name_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int ftr_slow_tx_compare(const ftr_slow_tx *a, const ftr_slow_tx *b)
{
    if (a->latency != b->latency)
        return a->latency > b->latency ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

bool ftr_slowest_add(ftr_slowest *slowest, const ftr_slow_tx *tx)
{
    if (slowest->count == FTR_SLOWEST_MAX) {
        if (ftr_slow_tx_compare(tx, &slowest->of[FTR_SLOWEST_MAX - 1]) >= 0)
            return true;
        slowest->count--;
    } else if (slowest->count == slowest->capacity) {
        size_t capacity = slowest->capacity;
        if (!ftr_array_grow_small(&slowest->of, &capacity, slowest->count, sizeof *slowest->of))
            return false;
        slowest->capacity = (uint32_t)capacity;
    }
    uint32_t at = slowest->count++;
    for (; at > 0 && ftr_slow_tx_compare(tx, &slowest->of[at - 1]) < 0; at--)
        slowest->of[at] = slowest->of[at - 1];
    slowest->of[at] = *tx;
    return true;
}

const char *ftr_run_state_name(ftr_run_state state)
{
    static const char *const names[FTR_RUN_STATES] = {"sound", "not told",   "killed", "unfinished",
                                                      "torn",  "unreadable", "absent"};
    return state < FTR_RUN_STATES ? names[state] : "unknown";
}

const char *ftr_run_state_text(const ftr_run_record *run, char text[FTR_RUN_STATE_TEXT_SIZE])
{
    const char *name = run->signal > 0 ? sigabbrev_np((int)run->signal) : NULL;
    if (run->state == FTR_RUN_KILLED && name != NULL)
        (void)snprintf(text, FTR_RUN_STATE_TEXT_SIZE, "killed by signal %u (SIG%s)", run->signal,
                       name);
    else if (run->state == FTR_RUN_KILLED)
        (void)snprintf(text, FTR_RUN_STATE_TEXT_SIZE, "killed by signal %u", run->signal);
    else
        (void)snprintf(text, FTR_RUN_STATE_TEXT_SIZE, "%s", ftr_run_state_name(run->state));
    return text;
}

ftr_run_figures ftr_run_figures_of(const ftr_run_record *run)
{
    ftr_run_figures figures = {0};
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_generator_figures *generator = &run->streams[i].generators[k];
            figures.errors += generator->errors;
            figures.unfinished += generator->unfinished;
            figures.bytes += generator->bytes;
            if (generator->latency.greatest > figures.longest)
                figures.longest = generator->latency.greatest;
            if (generator->last > figures.last)
                figures.last = generator->last;
        }
    return figures;
}

bool ftr_run_has_accesses(const ftr_run_record *run)
{
    for (size_t i = 0; i < run->stream_count; i++)
        if (ftr_text_is(run->streams[i].kind.bytes, run->streams[i].kind.size, FTR_ACCESS_KIND))
            return true;
    return false;
}

const char *ftr_run_attribute_value(const ftr_run_record *run, const char *name)
{
    for (size_t i = 0; i < run->attribute_count; i++)
        if (strcmp(run->attributes[i].name.bytes, name) == 0)
            return run->attributes[i].value.bytes;
    return NULL;
}

bool ftr_run_record_links(const ftr_run_record *run, ftr_link_names *names)
{
    bool ok = true;
    for (size_t i = 0; ok && i < run->attribute_count; i++) {
        const ftr_run_attribute *of = &run->attributes[i];
        ok = ftr_link_names_add(names, (ftr_view){of->name.bytes, of->name.size},
                                (ftr_view){of->value.bytes, of->value.size});
    }
    return ok && ftr_link_names_settle(names);
}

bool ftr_run_record_append(ftr_run_record *run, ftr_run_record *part)
{
    size_t capacity = run->stream_count;
    if (part->stream_count == 0)
        return true;
    if (!ftr_array_resize(&run->streams, &capacity, run->stream_count + part->stream_count,
                          sizeof *run->streams))
        return false;
    memcpy(run->streams + run->stream_count, part->streams,
           part->stream_count * sizeof *part->streams);
    run->stream_count += part->stream_count;
    run->transactions += part->transactions;
    part->stream_count = 0;
    return true;
}

/* The memory that an allocation takes in addition to its size, approximately. */
#define ALLOCATION 16u

size_t ftr_generator_figures_memory(const ftr_generator_figures *generator)
{
    size_t memory = generator->name.size + 1 + ALLOCATION;
    memory += generator->latency.capacity * sizeof *generator->latency.bins + ALLOCATION;
    memory += generator->slowest.capacity * sizeof *generator->slowest.of + ALLOCATION;
    memory += (size_t)generator->series.capacity * generator->series.columns *
                  sizeof *generator->series.cells +
              ALLOCATION;
    for (unsigned i = 0; i < generator->time_count; i++)
        memory += sizeof *generator->times + generator->times[i].name.size + ALLOCATION +
                  generator->times[i].bins.capacity * sizeof *generator->latency.bins;
    return memory;
}

size_t ftr_stream_figures_memory(const ftr_stream_figures *stream)
{
    return stream->name.size + stream->kind.size +
           stream->series.capacity * sizeof *stream->series.cells + (size_t)4 * ALLOCATION;
}

size_t ftr_run_record_memory(const ftr_run_record *run)
{
    size_t memory = run->stream_count * sizeof *run->streams;
    for (size_t i = 0; i < run->stream_count; i++) {
        const ftr_stream_figures *stream = &run->streams[i];
        memory += ftr_stream_figures_memory(stream) +
                  stream->generator_count * sizeof *stream->generators;
        for (size_t k = 0; k < stream->generator_count; k++)
            memory += ftr_generator_figures_memory(&stream->generators[k]);
    }
    return memory;
}

void ftr_generator_figures_release(ftr_generator_figures *generator)
{
    free(generator->name.bytes);
    ftr_latency_bins_release(&generator->latency);
    ftr_time_series_release(&generator->series);
    ftr_named_times_release(generator->times, generator->time_count);
    free(generator->slowest.of);
    *generator = (ftr_generator_figures){0};
}

static void release_stream(ftr_stream_figures *stream)
{
    for (size_t i = 0; i < stream->generator_count; i++)
        ftr_generator_figures_release(&stream->generators[i]);
    free(stream->generators);
    free(stream->name.bytes);
    free(stream->kind.bytes);
    ftr_time_series_release(&stream->series);
}

void ftr_run_record_release(ftr_run_record *run)
{
    for (size_t i = 0; i < run->stream_count; i++)
        release_stream(&run->streams[i]);
    for (size_t i = 0; i < run->attribute_count; i++) {
        free(run->attributes[i].name.bytes);
        free(run->attributes[i].value.bytes);
    }
    free(run->streams);
    free(run->attributes);
    free(run->file.bytes);
    free(run->problem.bytes);
    free(run->test.bytes);
    free(run->places.journal.bytes);
    free(run->places.trace.bytes);
    free(run->places.summary.bytes);
    *run = (ftr_run_record){0};
}
