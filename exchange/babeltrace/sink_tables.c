/* The tables of a sink: streams, generators and open transactions. */
#include "sink_file.h"

#include "sink_fields.h"

#include "growing_array.h"
#include "hash.h"

#include <stdlib.h>
#include <string.h>

static void keep(ftr_sink_file *sink, ftr_status status)
{
    if (status != FTR_OK)
        ftr_import_keep(&sink->target, status);
}

static bool environment_is(const bt_trace *trace, const char *name, const char *text)
{
    const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);
    return value != NULL && bt_value_is_string(value) &&
           strcmp(bt_value_string_get(value), text) == 0;
}

static bool is_from_ftr(const bt_stream *stream)
{
    const bt_trace *trace = bt_stream_borrow_trace_const(stream);
    return environment_is(trace, "tracer_name", "ftr") &&
           environment_is(trace, "domain", "transactions");
}

ftr_sink_stream *ftr_sink_stream_of(ftr_sink_file *sink, const bt_stream *stream)
{
    const uint64_t key = ftr_hash_mix(1, (uintptr_t)stream);
    const ftr_tx_entry *known = ftr_tx_table_find(&sink->index, key);
    if (known != NULL)
        return &sink->streams[known->owner];
    ftr_tx_entry *entry = ftr_array_grow(&sink->streams, &sink->stream_capacity, sink->stream_count,
                                         sizeof *sink->streams)
                              ? ftr_tx_table_add(&sink->index, key)
                              : NULL;
    if (entry == NULL) {
        keep(sink, FTR_ERR_MEMORY);
        return NULL;
    }
    entry->owner = (uint32_t)sink->stream_count;
    bt_stream_get_ref(stream);
    sink->streams[sink->stream_count] =
        (ftr_sink_stream){.stream = stream, .from_ftr = is_from_ftr(stream)};
    return &sink->streams[sink->stream_count++];
}

ftr_generator ftr_sink_generator(ftr_sink_file *sink, ftr_stream stream, const char *name)
{
    const uint64_t key = ftr_hash_mix(ftr_hash_mix(3, stream), ftr_sink_hash_text(0, name));
    ftr_tx_entry *entry = stream != 0 ? ftr_tx_table_add(&sink->index, key) : NULL;
    if (entry == NULL) {
        keep(sink, stream != 0 ? FTR_ERR_MEMORY : FTR_OK);
        return 0;
    }
    if (entry->owner == 0)
        keep(sink,
             ftr_generator_define(sink->target.recorder, stream, name, NULL, 0, &entry->owner));
    return entry->owner;
}

bool ftr_sink_push(ftr_sink_file *sink, uint64_t key, ftr_tx tx, uint64_t begin)
{
    ftr_tx_entry *entry = ftr_tx_table_add(&sink->pending, key);
    size_t at = sink->free_open;
    if (entry != NULL && at == 0) {
        if (ftr_array_grow(&sink->opens, &sink->open_capacity, sink->open_count,
                           sizeof *sink->opens))
            at = ++sink->open_count;
    } else if (entry != NULL) {
        sink->free_open = sink->opens[at - 1].next;
    }
    if (entry == NULL || at == 0) {
        keep(sink, FTR_ERR_MEMORY);
        return false;
    }
    sink->opens[at - 1] = (ftr_sink_open){.tx = tx, .begin = begin, .next = entry->time};
    entry->time = at;
    sink->pending_count++;
    return true;
}

bool ftr_sink_pop(ftr_sink_file *sink, uint64_t key, ftr_sink_open *open)
{
    ftr_tx_entry *entry = ftr_tx_table_find(&sink->pending, key);
    if (entry == NULL)
        return false;
    const size_t at = (size_t)entry->time;
    *open = sink->opens[at - 1];
    entry->time = open->next;
    if (entry->time == 0)
        ftr_tx_table_remove(&sink->pending, entry);
    sink->opens[at - 1].next = sink->free_open;
    sink->free_open = at;
    sink->pending_count--;
    return true;
}

void ftr_sink_release_tables(ftr_sink_file *sink)
{
    for (size_t i = 0; i < sink->stream_count; i++)
        bt_stream_put_ref(sink->streams[i].stream);
    for (size_t i = 0; i < sink->event_count; i++)
        free(sink->events[i].name);
    free(sink->streams);
    free(sink->events);
    free(sink->opens);
    free(sink->key_fields);
    ftr_tx_table_release(&sink->index);
    ftr_tx_table_release(&sink->pending);
}
