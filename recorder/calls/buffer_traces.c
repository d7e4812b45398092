/* Opens the traces of buffers with a separate file or a callback. */
#define _GNU_SOURCE
#include "buffer_traces.h"

#include <stdlib.h>
#include <string.h>

#include "buffers.h"
#include "trace.h"
#include "trace_path.h"

/* Bytes of the main buffer of a ring's trace: for transactions that were open when the ring was
 * triggered. */
#define MEMORY_BESIDE_RING ((size_t)1 << 20)

/* Returns the directory of the recorder's journal, in the form of the option: NULL means beside the
 * trace. malloc'ed. */
static char *journal_directory(const ftr_recorder *rec)
{
    if (rec->journal.header == NULL)
        return strdup("none");
    char *beside = ftr_journal_path(rec->output.path, NULL);
    bool is_beside = beside != NULL && strcmp(beside, rec->journal.path) == 0;
    free(beside);
    if (is_beside)
        return NULL;
    char *directory = strdup(rec->journal.path);
    char *slash = directory != NULL ? strrchr(directory, '/') : NULL;
    if (slash != NULL)
        *slash = '\0';
    return directory;
}

/* Makes the trace take its ids from the recorder, and record the same interval of simulated
 * time. */
static void follow(ftr_recorder *trace, ftr_recorder *rec)
{
    ftr_encoding_take(&trace->locks);
    trace->next_id = rec->next_id;
    if (ftr_recorder_gate(rec) & FTR_GATE_WINDOW) {
        trace->window.start_time = rec->window.start_time;
        trace->window.stop_time = rec->window.stop_time;
        trace->options.start = rec->options.start;
        trace->options.stop = rec->options.stop;
        atomic_store(&trace->window.start, atomic_load(&rec->window.start));
        atomic_store(&trace->window.stop, atomic_load(&rec->window.stop));
        trace->encoder.pending_relations.discarded_ids = &trace->discarded_ids;
    }
    ftr_recorder_change_gate(trace, UINT32_MAX,
                             ftr_recorder_gate(rec) & (FTR_GATE_WINDOW | FTR_GATE_OFF));
    ftr_encoding_release(&trace->locks);
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
    if (options->sink != NULL)
        with.max_files = 0;
    /* With a callback, only the journal is created for this path. */
    char *path = options->path != NULL ? strdup(options->path)
                 : own != NULL         ? ftr_trace_path_add(own, "-%s", options->name)
                                       : NULL;
    char *directory = journal_directory(rec);
    with.journal_directory = directory;
    ftr_status status = options->path != NULL && path == NULL ? FTR_ERR_MEMORY : FTR_OK;
    if (status == FTR_OK)
        status = ftr_trace_create(path, &with, &rec->run, trace);
    if (status == FTR_OK) {
        follow(*trace, rec);
        ftr_buffers_set_main(*trace, options->name, is_ring ? 0 : blocks);
    }
    free(directory);
    free(path);
    return status;
}
