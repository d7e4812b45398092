/* Measures a trace with any number of streams in limited memory. Usually all streams are measured
 * in one pass. If their figures exceed the limit, the pass is repeated with half of the streams.
 * The groups are in order of name, as in the record of a run. */
#include "trace_measure.h"

#include "text_view.h"

#include <stdlib.h>
#include <string.h>

/* Memory is requested from the reader in steps of this size. */
#define ROOM_STEP ((size_t)1 << 20)

/* ---- memory ---------------------------------------------------------------------------------- */

typedef struct room {
    ftr_reader *reader;
    const ftr_part_taker *taker;
    size_t reserved;
} room;

static bool has_room(void *user, size_t memory)
{
    room *of = user;
    const size_t needed = memory + of->taker->memory(of->taker->user);
    const size_t wanted = (needed / ROOM_STEP + 1) * ROOM_STEP;
    if (wanted > of->reserved) {
        if (!ftr_reader_reserve(of->reader, wanted - of->reserved))
            return false;
    } else {
        ftr_reader_give_back(of->reader, of->reserved - wanted);
    }
    of->reserved = wanted;
    return true;
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The streams in order of name, and the group of them that is measured. */
typedef struct grouping {
    const ftr_stream_info **streams;
    size_t count;
    size_t first, end; /* the group */
    bool *chosen;      /* index: index of a stream in the trace */
} grouping;

static int compare_streams(const void *a, const void *b)
{
    const ftr_view x = (*(const ftr_stream_info *const *)a)->name;
    const ftr_view y = (*(const ftr_stream_info *const *)b)->name;
    const size_t size = x.size < y.size ? x.size : y.size;
    const int order = size > 0 ? memcmp(x.data, y.data, size) : 0;
    return order != 0 ? order : (x.size > y.size) - (x.size < y.size);
}

static bool list_streams(grouping *of, ftr_reader *reader)
{
    *of = (grouping){.count = ftr_reader_stream_count(reader)};
    of->streams = calloc(of->count + 1, sizeof(const ftr_stream_info *));
    of->chosen = calloc(of->count + 1, sizeof *of->chosen);
    if (of->streams == NULL || of->chosen == NULL)
        return false;
    for (size_t i = 0; i < of->count; i++)
        of->streams[i] = ftr_reader_get_stream(reader, i);
    if (of->count > 0)
        qsort(of->streams, of->count, sizeof(const ftr_stream_info *), compare_streams);
    return true;
}

static void set_chosen(const grouping *of, bool chosen)
{
    for (size_t i = of->first; i < of->end; i++)
        of->chosen[of->streams[i]->index] = chosen;
}

/* Chooses about @p size streams from the first one of the group on. Streams with the same name stay
 * together, because they have the same figures. */
static void choose(grouping *of, size_t size)
{
    of->end = of->count - of->first > size ? of->first + size : of->count;
    while (of->end < of->count &&
           ftr_view_equals(of->streams[of->end]->name, of->streams[of->end - 1]->name))
        of->end++;
    set_chosen(of, true);
}

/* Measures the streams of the group. */
static ftr_status measure_group(ftr_reader *reader, const ftr_trace_measure *measure,
                                ftr_run_collector *collector, const grouping *group)
{
    ftr_attribute_sizes sizes = {.row_count = 0};
    ftr_trace_measure of_group = *measure;
    of_group.streams = group->chosen;
    of_group.attribute_sizes = measure->attribute_sizes != NULL ? &sizes : NULL;
    ftr_status status = ftr_trace_collect_streams(reader, &of_group, collector);
    if (status != FTR_ERR_LIMIT && measure->attribute_sizes != NULL &&
        !ftr_attribute_sizes_merge(measure->attribute_sizes, &sizes) && status == FTR_OK)
        status = FTR_ERR_MEMORY;
    ftr_attribute_sizes_release(&sizes);
    return status;
}

static ftr_status measure_groups(ftr_reader *reader, const ftr_trace_measure *measure,
                                 ftr_run_collector *collector, const ftr_part_taker *taker,
                                 grouping *group)
{
    size_t size = group->count;
    while (group->first < group->count) {
        ftr_run_record part;
        choose(group, size);
        ftr_status status = measure_group(reader, measure, collector, group);
        set_chosen(group, false);
        if (status == FTR_ERR_LIMIT && size > 1) {
            ftr_run_collector_drop(collector);
            size = (size + 1) / 2;
            continue;
        }
        /* After an error, the transactions before it are measured. */
        ftr_status taken = ftr_run_collector_take(collector, &part);
        if (taken == FTR_OK)
            taken = taker->take(taker->user, &part);
        status = status == FTR_OK ? taken : status;
        if (status != FTR_OK)
            return status;
        group->first = group->end;
    }
    return FTR_OK;
}

ftr_status ftr_trace_collect_parts(ftr_reader *reader, const ftr_trace_measure *measure,
                                   ftr_run_collector *collector, const ftr_part_taker *taker)
{
    room used = {.reader = reader, .taker = taker};
    grouping group;
    ftr_status status = ftr_trace_collect_run(reader, measure, collector);
    if (status != FTR_OK)
        return status;
    ftr_run_collector_limit(collector, has_room, &used);
    status = list_streams(&group, reader)
                 ? measure_groups(reader, measure, collector, taker, &group)
                 : FTR_ERR_MEMORY;
    ftr_run_collector_limit(collector, NULL, NULL);
    ftr_reader_give_back(reader, used.reserved);
    free(group.streams);
    free(group.chosen);
    return status;
}
