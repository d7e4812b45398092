/* The public calls about buffers: which there are, and their triggers. Knows what a buffer may be;
 * what lies in it is for buffers.c. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "buffer_traces.h"
#include "drain.h"
#include "guarded_call.h"
#include "struct_size.h"

#define LEAST_MEMORY ((uint64_t)128 << 10)
#define MOST_MEMORY ((uint64_t)2 << 30)
#define DEFAULT_MEMORY ((uint64_t)4 << 20)

static ftr_status refuse(ftr_recorder *rec, const char *name, const char *what)
{
    ftr_recorder_report(rec, FTR_SEVERITY_ERROR, "buffer %.100s: %s", name, what);
    return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
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
    for (uint32_t i = 1; i < atomic_load(&rec->buffers.count); ++i) {
        if (strcmp(rec->buffers.at[i].name, name) == 0)
            return true;
    }
    return false;
}

static ftr_status check(ftr_recorder *rec, const ftr_buffer_options *options)
{
    if (!options->name)
        return refuse(rec, "(none)", "it has no name");
    if (!is_name(options->name))
        return refuse(rec, options->name,
                      "its name is not a letter, followed by letters, digits, - and _, of 32 in "
                      "all");
    if (is_taken(rec, options->name))
        return refuse(rec, options->name, "there is one of that name already");
    if ((unsigned)options->kind > FTR_BUFFER_RING)
        return refuse(rec, options->name, "there is no such kind of buffer");
    if (options->memory && (options->memory < LEAST_MEMORY || options->memory > MOST_MEMORY))
        return refuse(rec, options->name, "its memory is not 128 KiB to 2 GiB");
    if ((options->path != NULL) + (options->sink != NULL) + (options->into != 0) > 1)
        return refuse(rec, options->name, "it has more than one sink");
    if (options->sink && !options->sink->write)
        return refuse(rec, options->name, "the sink has no write function");
    return FTR_OK;
}

/* Nothing is defined: numbers are the same in all traces of the recorder from here on. */
static bool is_untouched(const ftr_recorder *rec)
{
    const ftr_definitions *definitions = &rec->definitions;
    return atomic_load(&definitions->entity_count) == 1 &&
           atomic_load(&definitions->relation_count) == 2 &&
           atomic_load(&definitions->text_count) == 1;
}

/* Whether a relation's ends are in the file is known only when it is asked for what holds them. */
static void follow_relations(ftr_recorder *rec)
{
    rec->encoder.pending_relations.in_file = &rec->segments.in_file;
    if (!rec->journal.header)
        return;
    rec->journal.header->may_discard = 1;
    rec->journal.header->may_repeat = 1;
}

/* One more buffer of @p rec. It lies in it, unless @p entry has a trace already. */
static ftr_status add(ftr_recorder *rec, ftr_buffer_entry entry, const ftr_buffer_options *options,
                      uint32_t *number)
{
    ftr_buffers *buffers = &rec->buffers;
    pthread_mutex_lock(&rec->encoding);
    pthread_mutex_lock(&rec->lock);
    uint32_t count = atomic_load(&buffers->count);
    ftr_status status = count < FTR_BUFFERS_MAX ? FTR_OK : FTR_ERR_LIMIT;
    if (status == FTR_OK)
        status = ftr_name_filter_init(&entry.streams, options->streams);
    if (status == FTR_OK) {
        ftr_buffer_entry *added = &buffers->at[count];
        *added = entry;
        if (entry.trace == rec)
            added->number = count;
        memcpy(added->name, options->name, strlen(options->name) + 1);
        ftr_losses_add_buffer(&rec->losses, added->name);
        if (rec->output.reserve)
            rec->output.reserve += FTR_LOSSES_ROOM_OF_BUFFER;
        if (entry.trace == rec)
            ftr_arena_grow(&rec->arena, entry.blocks_max);
        if (entry.trace == rec && (entry.is_ring || entry.into))
            follow_relations(rec);
        atomic_store_explicit(&buffers->count, count + 1, memory_order_release);
        *number = count;
    }
    pthread_mutex_unlock(&rec->lock);
    pthread_mutex_unlock(&rec->encoding);
    return status;
}

/* A buffer that lies in @p trace, and goes into buffer @p into there. */
static ftr_status add_within(ftr_recorder *trace, uint32_t into, const ftr_buffer_options *options,
                             size_t blocks, uint32_t *number)
{
    ftr_buffer_options within = *options;
    within.streams = NULL;
    return add(trace,
               (ftr_buffer_entry){.trace = trace,
                                  .is_ring = options->kind == FTR_BUFFER_RING,
                                  .into = into,
                                  .blocks_max = blocks,
                                  .evicted = {.excess = FTR_ID_SET_FORGETS}},
               &within, number);
}

/* A buffer with a trace of its own. */
static ftr_status add_trace(ftr_recorder *rec, const ftr_buffer_options *options, size_t blocks,
                            ftr_buffer_entry *entry)
{
    bool is_ring = options->kind == FTR_BUFFER_RING;
    ftr_status status = ftr_buffer_trace_open(rec, options, blocks, &entry->trace);
    if (status != FTR_OK || !is_ring)
        return status;
    entry->trace->buffers.leaves_no_file = true;
    return add_within(entry->trace, 0, options, blocks, &entry->number);
}

ftr_status ftr_buffer_define_sized(ftr_recorder *rec, const ftr_buffer_options *options,
                                   size_t size, ftr_buffer *buffer)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (ftr_recorder_gate(rec) & FTR_GATE_DEAD)
        return ftr_recorder_dead_status(rec, ftr_recorder_gate(rec));
    if (!options || !buffer)
        return ftr_recorder_misuse(rec, FTR_ERR_ARGUMENT);
    ftr_buffer_options with;
    ftr_struct_take(&with, sizeof with, options, size);
    ftr_status status = check(rec, &with);
    if (status != FTR_OK)
        return status;
    uint32_t count = atomic_load(&rec->buffers.count);
    if (!is_untouched(rec) || with.into >= count || count == FTR_BUFFERS_MAX)
        return ftr_recorder_misuse(rec, !is_untouched(rec)   ? FTR_ERR_STATE
                                        : with.into >= count ? FTR_ERR_UNDEFINED
                                                             : FTR_ERR_LIMIT);
    size_t blocks = (size_t)(with.memory ? with.memory : DEFAULT_MEMORY) / FTR_BLOCK_SIZE;
    ftr_buffer_entry target = {.trace = rec};
    if (with.into) {
        target = (ftr_buffer_entry){.trace = rec->buffers.at[with.into].trace,
                                    .number = rec->buffers.at[with.into].number};
    }
    ftr_buffer_entry entry = {.trace = target.trace};
    if (with.path || with.sink)
        status = add_trace(rec, &with, blocks, &entry);
    else if (target.trace != rec)
        status = add_within(target.trace, target.number, &with, blocks, &entry.number);
    else
        entry = (ftr_buffer_entry){.trace = rec,
                                   .is_ring = with.kind == FTR_BUFFER_RING,
                                   .into = target.number,
                                   .blocks_max = blocks,
                                   .evicted = {.excess = FTR_ID_SET_FORGETS}};
    if (status == FTR_OK)
        status = add(rec, entry, &with, buffer);
    if (status != FTR_OK && entry.trace != target.trace)
        (void)ftr_recorder_close(entry.trace);
    return status;
}

ftr_status ftr_buffer_define(ftr_recorder *rec, const ftr_buffer_options *options,
                             ftr_buffer *buffer)
{
    return ftr_buffer_define_sized(rec, options, sizeof *options, buffer);
}

ftr_status ftr_buffer_trigger(ftr_recorder *rec, ftr_buffer buffer)
{
    if (!rec)
        return FTR_ERR_ARGUMENT;
    if (buffer >= atomic_load(&rec->buffers.count))
        return ftr_recorder_misuse(rec, FTR_ERR_UNDEFINED);
    ftr_recorder *trace = rec->buffers.at[buffer].trace;
    uint32_t number = rec->buffers.at[buffer].number;
    uint32_t gate = ftr_recorder_gate(rec) & FTR_GATE_DEAD;
    if (gate)
        return ftr_recorder_dead_status(rec, gate);
    if (ftr_flight_is_holding(&trace->flight))
        return ftr_recorder_trigger(trace);
    ftr_guarded_call call;
    if (!ftr_call_enter(&call, trace, FTR_CALL_LOCKS))
        return ftr_recorder_misuse(rec, FTR_ERR_STATE);
    if (trace->buffers.at[number].is_ring)
        atomic_store(&trace->buffers.at[number].is_triggered, true);
    if (!(ftr_recorder_gate(trace) & FTR_GATE_DEAD))
        ftr_drain_everything(trace);
    ftr_call_leave(&call);
    gate = ftr_recorder_gate(trace) & FTR_GATE_DEAD;
    return gate ? ftr_recorder_dead_status(trace, gate) : FTR_OK;
}
