/* The traces of buffers whose sink is a file or a callback: each is a recorder of its own, whose
 * handles have the numbers they have in the recorder it belongs to. Opens and ends them; what is
 * recorded into them is for the usual calls. */
#define _GNU_SOURCE
#include "buffer_traces.h"

#include <stdlib.h>
#include <string.h>

#include "lane.h"
#include "trace_path.h"

/* Of a trace that is a ring, for what was open when it was triggered. */
#define MEMORY_BESIDE_RING ((size_t)1 << 20)

ftr_recorder *ftr_buffers_next_trace(const ftr_recorder *rec, uint32_t *at)
{
    uint32_t count = atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
    while (++*at < count) {
        ftr_recorder *trace = rec->buffers.at[*at].trace;
        uint32_t first = 0;
        while (rec->buffers.at[first].trace != trace)
            ++first;
        if (first == *at)
            return trace;
    }
    return NULL;
}

ftr_recorder *ftr_buffers_trace_of(ftr_recorder *rec, ftr_tx tx)
{
    if (FTR_LIKELY((((uint32_t)tx.place ^ rec->open.slot_tag) & ~FTR_SLOT_PLACE) == 0))
        return rec;
    ftr_recorder *trace;
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;) {
        if ((((uint32_t)tx.place ^ trace->open.slot_tag) & ~FTR_SLOT_PLACE) == 0)
            return trace;
    }
    return rec;
}

uint32_t ftr_buffers_choose(const ftr_recorder *rec, const char *name)
{
    uint32_t count = atomic_load_explicit(&rec->buffers.count, memory_order_acquire);
    uint32_t chosen = 0;
    /* All are asked, so that each marks its patterns. */
    for (uint32_t number = count - 1; number > 0; --number) {
        if (ftr_name_filter_matches(&rec->buffers.at[number].streams, name))
            chosen = number;
    }
    return chosen;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Where the recorder's journal lies, as its options had it: NULL is beside the trace. malloc'ed. */
static char *journal_directory(const ftr_recorder *rec)
{
    if (!rec->journal.header)
        return strdup("none");
    char *beside = ftr_journal_path(rec->output.path, NULL);
    bool is_beside = beside && strcmp(beside, rec->journal.path) == 0;
    free(beside);
    if (is_beside)
        return NULL;
    char *directory = strdup(rec->journal.path);
    char *slash = directory ? strrchr(directory, '/') : NULL;
    if (slash)
        *slash = '\0';
    return directory;
}

/* It counts with this recorder, and looks at the same part of the simulation. */
static void follow(ftr_recorder *trace, ftr_recorder *rec, size_t blocks)
{
    pthread_mutex_lock(&trace->encoding);
    pthread_mutex_lock(&trace->lock);
    trace->next_id = rec->next_id;
    trace->buffers.is_buffer_trace = true;
    if (blocks)
        trace->buffers.at[0].blocks_max = blocks;
    if (ftr_recorder_gate(rec) & FTR_GATE_WINDOW) {
        trace->start_time = rec->start_time;
        trace->stop_time = rec->stop_time;
        trace->options.start = rec->options.start;
        trace->options.stop = rec->options.stop;
        atomic_store(&trace->start, atomic_load(&rec->start));
        atomic_store(&trace->stop, atomic_load(&rec->stop));
        trace->encoder.pending_relations.discarded_ids = &trace->discarded_ids;
    }
    ftr_recorder_set_gate(trace, ftr_recorder_gate(rec) & (FTR_GATE_WINDOW | FTR_GATE_OFF));
    pthread_mutex_unlock(&trace->lock);
    pthread_mutex_unlock(&trace->encoding);
}

ftr_status ftr_buffer_trace_open(ftr_recorder *rec, const ftr_buffer_options *options,
                                 size_t blocks, ftr_recorder **trace)
{
    const char *own = rec->output.path;
    bool is_ring = options->kind == FTR_BUFFER_RING;
    ftr_recorder_options with = rec->options;
    with.size = sizeof with;
    with.mode = FTR_MODE_FILE;
    with.block_memory = is_ring ? MEMORY_BESIDE_RING : blocks * FTR_BLOCK_SIZE;
    with.start = NULL;
    with.stop = NULL;
    with.sink = options->sink;
    if (options->sink)
        with.max_files = 0;
    /* With a sink it is the name of a trace that is nowhere, except in its journal. */
    char *path = options->path ? strdup(options->path)
                 : own         ? ftr_trace_path_add(own, "-%s", options->name)
                               : NULL;
    char *directory = journal_directory(rec);
    with.journal_directory = directory;
    ftr_status status = options->path && !path ? FTR_ERR_MEMORY : FTR_OK;
    if (status == FTR_OK)
        status = ftr_recorder_open_in_run(path, &with, &rec->run, trace);
    if (status == FTR_OK) {
        follow(*trace, rec, is_ring ? 0 : blocks);
        memcpy((*trace)->buffers.at[0].name, options->name, strlen(options->name) + 1);
    }
    free(directory);
    free(path);
    return status;
}

/* ---- ending -----------------------------------------------------------------------------------
 */

/* What a trace that failed lacks, and cannot say itself. */
static void take_failed(ftr_recorder *rec, uint32_t number, ftr_recorder *trace)
{
    for (uint32_t i = 0; i < FTR_BUFFERS_MAX; ++i) {
        ftr_loss lost = ftr_losses_total(&trace->losses, i, FTR_LOSS_FAILED);
        ftr_losses_add_recoverable(&rec->losses, number, FTR_LOSS_FAILED, &lost);
    }
}

ftr_status ftr_buffers_close(ftr_recorder *rec)
{
    ftr_status first = FTR_OK;
    ftr_recorder *trace;
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;) {
        if (rec->failure.status != FTR_OK)
            (void)ftr_recorder_mark_failed(trace);
        ftr_status status = ftr_recorder_close(trace);
        if (first == FTR_OK)
            first = status;
        take_failed(rec, at, trace);
    }
    return first;
}

static uint64_t *field(ftr_statistics *statistics, size_t index)
{
    return (uint64_t *)statistics + index;
}

_Static_assert(sizeof(ftr_statistics) % sizeof(uint64_t) == 0, "it is of such numbers alone");

void ftr_buffers_add_statistics(const ftr_recorder *rec, ftr_statistics *statistics)
{
    ftr_recorder *trace;
    for (uint32_t at = 0; (trace = ftr_buffers_next_trace(rec, &at)) != NULL;) {
        ftr_statistics more;
        if (ftr_recorder_get_statistics(trace, &more) != FTR_OK)
            continue;
        for (size_t i = 0; i < sizeof more / sizeof(uint64_t); ++i)
            *field(statistics, i) += *field(&more, i);
    }
}

void ftr_buffers_release(ftr_recorder *rec)
{
    for (uint32_t number = 0; number < FTR_BUFFERS_MAX; ++number) {
        ftr_name_filter_release(&rec->buffers.at[number].streams);
        ftr_id_set_release(&rec->buffers.at[number].evicted);
    }
}
