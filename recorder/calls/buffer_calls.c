/* The calls that define and trigger buffers, and the checks of their options. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "buffers.h"
#include "flight.h"
#include "misuse.h"
#include "struct_size.h"
#include "trace.h"
#include "trace_ends.h"
#include "trace_path.h"
#include "writer.h"

#define LEAST_MEMORY ((uint64_t)128 << 10)
#define MOST_MEMORY ((uint64_t)2 << 30)
#define DEFAULT_MEMORY ((uint64_t)4 << 20)

static ftr_status refuse(ftr_recorder *rec, const char *name, const char *what)
{
    ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "buffer %.100s: %s", name, what);
    return FTR_ERR_ARGUMENT;
}

static ftr_status count_misuse(ftr_recorder *rec, ftr_status status, unsigned set)
{
    return ftr_recorder_misuse(rec, status, &(ftr_misuse){.call = "ftr_buffer_define", .set = set});
}

static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char others[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return strlen(name) <= FTR_BUFFER_NAME_MAX && strspn(name, letters) > 0 &&
           !name[strspn(name, others)];
}

static bool is_taken(const ftr_recorder *rec, const char *name)
{
    for (uint32_t i = 1; i < atomic_load(&rec->buffers.count); i++) {
        if (strcmp(rec->buffers.at[i].name, name) == 0)
            return true;
    }
    return false;
}

static ftr_status check(ftr_recorder *rec, const ftr_buffer_options *options)
{
    if (options->name == NULL)
        return refuse(rec, "(none)", "it has no name");
    if (!is_name(options->name))
        return refuse(rec, options->name,
                      "its name is not a letter, followed by letters, digits, - and _, of 32 in "
                      "all");
    if (is_taken(rec, options->name))
        return refuse(rec, options->name, "a buffer with this name exists");
    if ((unsigned)options->kind > FTR_BUFFER_RING)
        return refuse(rec, options->name, "unknown kind of buffer");
    if (options->memory && (options->memory < LEAST_MEMORY || options->memory > MOST_MEMORY))
        return refuse(rec, options->name, "its memory is not 128 KiB to 2 GiB");
    if (options->into)
        return refuse(rec, options->name,
                      "its sink is another buffer; expected a file, a callback, or none for the "
                      "trace of the recorder");
    if (options->path != NULL && options->sink != NULL)
        return refuse(rec, options->name, "it has more than one sink");
    if (options->sink != NULL && options->sink->write == NULL)
        return refuse(rec, options->name, "the sink has no write function");
    return FTR_OK;
}

/* Returns whether nothing is defined yet. Otherwise, a new trace could not give all definitions the
 * same numbers as the recorder. */
static bool is_untouched(const ftr_recorder *rec)
{
    const ftr_definitions *definitions = &rec->definitions;
    return atomic_load(&definitions->entity_count) == 1 &&
           atomic_load(&definitions->relation_count) == 2 &&
           atomic_load(&definitions->text_count) == 1;
}

/* Adds a buffer to @p rec. The blocks of the buffer belong to @p trace, in which the buffer has the
 * number @p number_there. */
static ftr_status add(ftr_recorder *rec, ftr_recorder *trace, uint32_t number_there,
                      const ftr_buffer_options *options, size_t blocks, uint32_t *number)
{
    bool is_ring = trace == rec && options->kind == FTR_BUFFER_RING;
    ftr_buffer_entry entry = {.trace = trace,
                              .number = number_there,
                              .policy = is_ring ? &ftr_ring_blocks : &ftr_linear_blocks,
                              .is_ring = is_ring,
                              .evicted = {.excess = FTR_ID_SET_FORGETS}};
    ftr_buffer_set_budget(&entry, blocks);
    memcpy(entry.name, options->name, strlen(options->name) + 1);
    ftr_status status = ftr_name_filter_init(&entry.streams, options->streams);
    if (status != FTR_OK)
        return status;
    ftr_encoding_take(&rec->locks);
    const bool is_added = ftr_buffers_add(rec, &entry, number);
    ftr_encoding_release(&rec->locks);
    if (is_added)
        return FTR_OK;
    ftr_name_filter_release(&entry.streams);
    return FTR_ERR_LIMIT;
}

/* Budget, in bytes, of the main buffer of a trace that contains a ring. The main buffer gets the
 * transactions that were open when the ring was triggered. */
#define MEMORY_BESIDE_RING ((size_t)1 << 20)

/* Returns the directory of the recorder's journal, with the same meaning as the option: NULL means
 * beside the trace, "none" means no journal. malloc'ed; without memory, also NULL. */
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
    if (ftr_recorder_valve(rec) & FTR_VALVE_WINDOW) {
        trace->window.start_time = rec->window.start_time;
        trace->window.stop_time = rec->window.stop_time;
        trace->options.start = rec->options.start;
        trace->options.stop = rec->options.stop;
        if (rec->options.start != NULL)
            ftr_discarded_ids_set_watermark(&trace->discarded_ids, UINT64_MAX);
        ftr_recorder_set_window(trace, ftr_recorder_start(rec), ftr_recorder_stop(rec));
        trace->encoder.pending_relations.discarded_ids = &trace->discarded_ids;
    }
    ftr_recorder_change_valve(trace, UINT32_MAX,
                              ftr_recorder_valve(rec) & (FTR_VALVE_WINDOW | FTR_VALVE_OFF));
    ftr_encoding_release(&trace->locks);
}

/* Opens the trace of a buffer. The trace records the same interval of simulated time as @p rec. @p
 * blocks is the budget of the main buffer of the trace. If the buffer is a ring, @p blocks is
 * ignored: the caller then adds the ring to the trace. */
static ftr_status open_trace(ftr_recorder *rec, const ftr_buffer_options *options, size_t blocks,
                             ftr_recorder **trace)
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

/* Adds a buffer with a separate trace. A linear buffer is the main buffer of this trace; a ring is
 * a further buffer of this trace. */
static ftr_status add_with_trace(ftr_recorder *rec, const ftr_buffer_options *options,
                                 size_t blocks, uint32_t *number)
{
    ftr_recorder *trace = NULL;
    uint32_t number_there = 0;
    ftr_status status = open_trace(rec, options, blocks, &trace);
    if (status != FTR_OK)
        return status;
    if (options->kind == FTR_BUFFER_RING) {
        ftr_buffer_options ring = *options;
        ring.streams = NULL;
        trace->buffers.leaves_no_file = true;
        status = add(trace, trace, 0, &ring, blocks, &number_there);
    }
    if (status == FTR_OK)
        status = add(rec, trace, number_there, options, blocks, number);
    if (status == FTR_OK)
        ftr_writer_start(trace);
    if (status == FTR_OK && rec->summary != NULL)
        ftr_recorder_report(
            rec, FTR_SEVERITY_WARNING,
            "buffer %.100s: its streams are not in the summary, because it does not "
            "write to the trace of the recorder; 'ftr summary' reads a file of it",
            options->name);
    if (status != FTR_OK) {
        (void)ftr_trace_close_valve(trace, false);
        (void)ftr_trace_close(trace);
    }
    return status;
}

ftr_status ftr_buffer_define(ftr_recorder *rec, const ftr_buffer_options *options,
                             ftr_buffer *buffer)
{
    ftr_status status = ftr_recorder_check(rec);
    if (status != FTR_OK)
        return status;
    if (options == NULL || buffer == NULL)
        return count_misuse(rec, FTR_ERR_ARGUMENT, 0);
    ftr_buffer_options with;
    ftr_struct_take(&with, sizeof with, options);
    status = check(rec, &with);
    if (status != FTR_OK)
        return count_misuse(rec, status, FTR_MISUSE_REPORTED);
    if (!is_untouched(rec))
        return count_misuse(rec, FTR_ERR_STATE, 0);
    if (atomic_load(&rec->buffers.count) == FTR_BUFFERS_MAX)
        return count_misuse(rec, FTR_ERR_LIMIT, 0);
    size_t blocks = (size_t)(with.memory ? with.memory : DEFAULT_MEMORY) / FTR_BLOCK_SIZE;
    ftr_writer_start(rec); /* a trigger needs the thread */
    return with.path != NULL || with.sink != NULL ? add_with_trace(rec, &with, blocks, buffer)
                                                  : add(rec, rec, 0, &with, blocks, buffer);
}

ftr_status ftr_buffer_trigger(ftr_recorder *rec, ftr_buffer buffer)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    if (buffer >= atomic_load(&rec->buffers.count))
        return ftr_recorder_misuse(rec, FTR_ERR_UNDEFINED,
                                   &(ftr_misuse){.call = "ftr_buffer_trigger",
                                                 .set = FTR_MISUSE_HANDLE,
                                                 .handle = buffer});
    ftr_recorder *trace = rec->buffers.at[buffer].trace;
    ftr_buffer_entry *entry = &trace->buffers.at[rec->buffers.at[buffer].number];
    if (ftr_recorder_dead_valve(rec))
        return ftr_recorder_dead_status(rec, ftr_recorder_dead_valve(rec));
    if (ftr_flight_is_holding(&trace->flight))
        return ftr_recorder_trigger(trace);
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, rec, FTR_CALL_LOCKS))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE,
                                   &(ftr_misuse){.call = "ftr_buffer_trigger",
                                                 .set = FTR_MISUSE_HANDLE,
                                                 .handle = buffer});
    if (entry->is_ring)
        atomic_store(&entry->is_triggered, true);
    if (!ftr_recorder_dead_valve(trace))
        ftr_writer_drain_everything(trace);
    ftr_call_leave(&call);
    uint32_t valve = ftr_recorder_dead_valve(trace);
    return valve ? ftr_recorder_dead_status(trace, valve) : FTR_OK;
}
