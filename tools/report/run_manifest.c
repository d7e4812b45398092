/* Writes the manifest of a run. */
#include "run_manifest.h"

#include "event_names.h"
#include "run_totals.h"
#include "stream_name_rules.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

#define HISTOGRAM_BITS 4
/* Maximum number of buckets if values of 64 bits are rounded to their four leading bits. */
#define BUCKETS_MAX 1024u
/* If there are more than GENERATORS_MANY generators, only SLOWEST_OF_MANY of the slowest
 * transactions of each are listed. */
#define GENERATORS_MANY 512u
#define SLOWEST_OF_MANY 4u

/* ---- the order of the manifest --------------------------------------------------------------- */

static int compare_names(ftr_view a, const ftr_figure_text *b)
{
    const size_t size = a.size < b->size ? a.size : b->size;
    const int order = size > 0 ? memcmp(a.data, b->bytes, size) : 0;
    return order != 0 ? order : (a.size > b->size) - (a.size < b->size);
}

_Static_assert(offsetof(ftr_stream_figures, name) == 0 &&
                   offsetof(ftr_generator_figures, name) == 0,
               "find_name() expects the name at the beginning of an item");

/* Returns the index of the first of @p count items, in order of name, that is not before @p name.
 * Each item has @p size bytes and begins with its name. */
static uint32_t find_name(ftr_view name, const void *items, size_t count, size_t size)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_names(name, (const void *)((const char *)items + middle * size)) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static uint32_t find_stream(const ftr_run_record *run, ftr_view name)
{
    return find_name(name, run->streams, run->stream_count, sizeof *run->streams);
}

static uint32_t find_generator(const ftr_stream_figures *stream, ftr_view name)
{
    return find_name(name, stream->generators, stream->generator_count, sizeof *stream->generators);
}

uint32_t ftr_manifest_find_stream(const ftr_run_record *run, ftr_view name)
{
    const uint32_t found = find_stream(run, name);
    return found < run->stream_count && compare_names(name, &run->streams[found].name) == 0
               ? found
               : UINT32_MAX;
}

uint32_t ftr_manifest_find_generator(const ftr_run_record *run, ftr_view stream, ftr_view name)
{
    const uint32_t at = ftr_manifest_find_stream(run, stream);
    uint32_t before = 0;
    if (at == UINT32_MAX)
        return UINT32_MAX;
    for (uint32_t i = 0; i < at; i++)
        before += (uint32_t)run->streams[i].generator_count;
    const uint32_t found = find_generator(&run->streams[at], name);
    return found < run->streams[at].generator_count &&
                   compare_names(name, &run->streams[at].generators[found].name) == 0
               ? before + found
               : UINT32_MAX;
}

/* Returns for each stream the number of generators in all streams before it; index: stream in the
 * manifest. */
static uint32_t *count_generators(const ftr_run_record *run)
{
    uint32_t *before = calloc(run->stream_count + 1, sizeof *before);
    for (size_t i = 0; before != NULL && i < run->stream_count; i++)
        before[i + 1] = before[i] + (uint32_t)run->streams[i].generator_count;
    return before;
}

bool ftr_manifest_numbers_init(ftr_manifest_numbers *numbers, const ftr_run_report *report)
{
    const ftr_run_record *run = &report->run;
    uint32_t *before = count_generators(run);
    numbers->streams = calloc(report->stream_count + 1, sizeof *numbers->streams);
    numbers->generators = calloc(report->generator_count + 1, sizeof *numbers->generators);
    const bool ok = before != NULL && numbers->streams != NULL && numbers->generators != NULL;
    for (size_t i = 0; ok && i < report->stream_count; i++)
        if (report->streams[i].name.data != NULL)
            numbers->streams[i] = find_stream(run, report->streams[i].name);
    for (size_t i = 0; ok && i < report->generator_count; i++) {
        const ftr_report_generator *generator = &report->generators[i];
        if (report->streams[generator->stream].name.data == NULL)
            continue;
        const uint32_t stream = numbers->streams[generator->stream];
        numbers->generators[i] =
            before[stream] + find_generator(&run->streams[stream], generator->name);
    }
    free(before);
    if (!ok)
        ftr_manifest_numbers_release(numbers);
    return ok;
}

void ftr_manifest_numbers_release(ftr_manifest_numbers *numbers)
{
    free(numbers->streams);
    free(numbers->generators);
    *numbers = (ftr_manifest_numbers){0};
}

/* ---- latencies ------------------------------------------------------------------------------- */

/* Returns the size of the bucket that contains a value. */
static uint64_t bucket_size(uint64_t value)
{
    const int bits = value > 0 ? 64 - __builtin_clzll(value) : 0;
    return bits > HISTOGRAM_BITS ? (uint64_t)1 << (bits - HISTOGRAM_BITS) : 1;
}

static size_t make_buckets(ftr_latency_bins *latency, uint64_t *from, uint64_t *to,
                           uint64_t *counts)
{
    size_t count = 0;
    ftr_latency_bins_sort(latency);
    for (size_t i = 0; latency->count > 0 && i < latency->used; i++) {
        const ftr_latency_bin *bin = &latency->bins[i];
        const uint64_t size = bucket_size(bin->value);
        const uint64_t begin = bin->value & ~(size - 1);
        if (count == 0 || from[count - 1] != begin) {
            from[count] = begin;
            to[count] = begin > UINT64_MAX - size ? UINT64_MAX : begin + size;
            counts[count++] = 0;
        }
        counts[count - 1] += bin->count;
    }
    return count;
}

bool ftr_histogram_print(ftr_latency_bins *latency, ftr_data_block *block, ftr_json *json)
{
    uint64_t *buckets = malloc((size_t)3 * BUCKETS_MAX * sizeof *buckets);
    if (buckets == NULL)
        return false;
    uint64_t *const from = buckets;
    uint64_t *const to = buckets + BUCKETS_MAX;
    uint64_t *const counts = to + BUCKETS_MAX;
    const size_t count = make_buckets(latency, from, to, counts);
    ftr_json_open(json, "histogram", '{');
    ftr_json_values(json, "from", block, FTR_DATA_ARRAY(from, count), true);
    ftr_json_values(json, "to", block, FTR_DATA_ARRAY(to, count), true);
    ftr_json_values(json, "count", block, FTR_DATA_ARRAY(counts, count), false);
    ftr_json_close(json, '}');
    free(buckets);
    return true;
}

void ftr_latency_print(ftr_latency_bins *latency, ftr_json *json)
{
    ftr_json_wide(json, "min", latency->least);
    ftr_json_wide(json, "mean", ftr_latency_bins_mean(latency));
    ftr_json_wide(json, "p50", ftr_latency_bins_percentile(latency, 50 * FTR_PERCENT));
    ftr_json_wide(json, "p90", ftr_latency_bins_percentile(latency, 90 * FTR_PERCENT));
    ftr_json_wide(json, "p99", ftr_latency_bins_percentile(latency, 99 * FTR_PERCENT));
    ftr_json_wide(json, "max", latency->greatest);
    ftr_json_bool(json, "exact", !latency->rounded);
}

/* ---- the run --------------------------------------------------------------------------------- */

void ftr_run_attributes_print(const ftr_run_record *run, ftr_json *json)
{
    static const char OF_STREAM[] = "transactions.";
    ftr_json_open(json, "attributes", '[');
    for (size_t i = 0; i < run->attribute_count; i++) {
        const ftr_run_attribute *attribute = &run->attributes[i];
        if (strncmp(attribute->name.bytes, OF_STREAM, sizeof OF_STREAM - 1) == 0)
            continue;
        ftr_json_open(json, NULL, '[');
        ftr_json_text(json, NULL, attribute->name.bytes, attribute->name.size);
        ftr_json_text(json, NULL, attribute->value.bytes, attribute->value.size);
        ftr_json_close(json, ']');
    }
    ftr_json_close(json, ']');
}

static void print_run(ftr_run_report *report, ftr_json *json)
{
    const ftr_run_record *run = &report->run;
    const char *journal = report->options->journal;
    const uint64_t passed_on = ftr_run_report_passed_on(report);
    const ftr_run_figures figures = ftr_run_figures_of(run);
    uint64_t first = run->transactions + figures.unfinished > 0 ? UINT64_MAX : 0;
    for (size_t i = 0; i < run->stream_count; i++)
        for (size_t k = 0; k < run->streams[i].generator_count; k++) {
            const ftr_generator_figures *generator = &run->streams[i].generators[k];
            if (ftr_generator_has_transactions(generator) && generator->first < first)
                first = generator->first;
        }
    ftr_json_open(json, "run", '{');
    ftr_json_text(json, "file", run->file.bytes, run->file.size);
    char state[FTR_RUN_STATE_TEXT_SIZE];
    ftr_json_string(json, "state", ftr_run_state_text(run, state));
    ftr_json_text(json, "problem", run->problem.bytes, run->problem.size);
    if (journal != NULL)
        ftr_json_string(json, "journal", journal);
    ftr_run_attributes_print(run, json);
    ftr_json_count(json, "transactions", run->transactions);
    ftr_json_count(json, "errors", figures.errors - passed_on);
    ftr_json_count(json, "errors_passed_on", passed_on);
    ftr_json_count(json, "unfinished", figures.unfinished);
    ftr_json_count(json, "losses", run->losses);
    ftr_json_wide(json, "bytes", figures.bytes);
    ftr_json_wide(json, "first", first);
    ftr_json_wide(json, "last", figures.last);
    ftr_json_close(json, '}');
}

/* Returns the report's stream for an index in the manifest; NULL if the stream has no transaction.
 */
static const ftr_report_stream *stream_at(const ftr_run_report *report,
                                          const ftr_manifest_numbers *numbers, size_t index)
{
    for (size_t i = 0; i < report->stream_count; i++)
        if (report->streams[i].name.data != NULL && numbers->streams[i] == index)
            return &report->streams[i];
    return NULL;
}

/* Writes the label of a link, and the modules at its ends, if they are known. */
static void print_link(const ftr_link_names *links, ftr_view stream, ftr_json *json)
{
    const ftr_view initiator = ftr_link_initiator(links, stream);
    const ftr_view target = ftr_link_target(links, stream);
    if (ftr_link_has_label(links, stream))
        ftr_json_view(json, "link", ftr_link_label(links, stream));
    if (initiator.size > 0)
        ftr_json_view(json, "initiator", initiator);
    if (target.size > 0)
        ftr_json_view(json, "target", target);
}

static void print_streams(const ftr_run_report *report, const ftr_manifest_numbers *numbers,
                          ftr_json *json)
{
    static const ftr_report_stream none;
    size_t generator = 0;
    ftr_json_open(json, "streams", '[');
    for (size_t i = 0; i < report->run.stream_count; i++) {
        const ftr_stream_figures *figures = &report->run.streams[i];
        const ftr_report_stream *found = stream_at(report, numbers, i);
        const ftr_report_stream *stream = found != NULL ? found : &none;
        ftr_json_open(json, NULL, '{');
        ftr_json_text(json, "name", figures->name.bytes, figures->name.size);
        ftr_json_text(json, "kind", figures->kind.bytes, figures->kind.size);
        print_link(&report->links, (ftr_view){figures->name.bytes, figures->name.size}, json);
        ftr_json_open(json, "generators", '[');
        for (size_t k = 0; k < figures->generator_count; k++)
            ftr_json_count(json, NULL, generator++);
        ftr_json_close(json, ']');
        ftr_json_count(json, "count", stream->count);
        ftr_json_wide(json, "busy", stream->activity.count.busy);
        ftr_json_count(json, "outstanding", stream->activity.count.outstanding);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

/* ---- generators ------------------------------------------------------------------------------ */

static void print_slowest(const ftr_slowest *slowest, unsigned most, ftr_json *json)
{
    ftr_json_open(json, "slowest", '[');
    for (unsigned i = 0; i < slowest->count && i < most; i++) {
        ftr_json_open(json, NULL, '{');
        ftr_json_wide(json, "id", slowest->of[i].id);
        ftr_json_wide(json, "begin", slowest->of[i].begin);
        ftr_json_wide(json, "latency", slowest->of[i].latency);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void print_rates(const ftr_generator_figures *generator, int time_scale, ftr_json *json)
{
    const ftr_wide span = generator->last - generator->first;
    ftr_json_real(json, "throughput",
                  ftr_rate((long double)generator->latency.count, span, time_scale));
    ftr_json_real(json, "bandwidth", ftr_rate((long double)generator->bytes, span, time_scale));
}

static bool print_generator(const ftr_run_report *report, ftr_generator_figures *generator,
                            uint64_t passed_on, const ftr_slowest *slowest, unsigned most,
                            ftr_data_block *block, ftr_json *json)
{
    ftr_json_text(json, "name", generator->name.bytes, generator->name.size);
    ftr_json_count(json, "count", generator->latency.count);
    ftr_json_count(json, "errors", generator->errors);
    ftr_json_count(json, "errors_passed_on", passed_on);
    ftr_json_count(json, "unfinished", generator->unfinished);
    ftr_json_wide(json, "bytes", generator->bytes);
    ftr_latency_print(&generator->latency, json);
    ftr_json_wide(json, "sum", generator->latency.sum);
    ftr_json_wide(json, "first", generator->first);
    ftr_json_wide(json, "last", generator->last);
    ftr_json_wide(json, "busy", generator->busy);
    ftr_json_count(json, "outstanding", generator->outstanding);
    print_rates(generator, report->run.time_scale, json);
    print_slowest(slowest, most, json);
    return ftr_histogram_print(&generator->latency, block, json);
}

/* Returns the numbers of the generators in the report; index: index in the manifest. */
static size_t *invert(const ftr_run_report *report, const ftr_manifest_numbers *numbers,
                      size_t count)
{
    size_t *inverse = malloc((count + 1) * sizeof *inverse);
    if (inverse == NULL)
        return NULL;
    memset(inverse, 0xff, (count + 1) * sizeof *inverse);
    for (size_t i = 0; i < report->generator_count; i++)
        if (report->streams[report->generators[i].stream].name.data != NULL &&
            numbers->generators[i] < count)
            inverse[numbers->generators[i]] = i;
    return inverse;
}

static bool print_generators(ftr_run_report *report, const ftr_manifest_numbers *numbers,
                             ftr_data_block *block, ftr_json *json)
{
    size_t count = 0, index = 0;
    bool ok = true;
    for (size_t i = 0; i < report->run.stream_count; i++)
        count += report->run.streams[i].generator_count;
    size_t *inverse = invert(report, numbers, count);
    if (inverse == NULL)
        return false;
    ftr_json_open(json, "generators", '[');
    for (size_t i = 0; i < report->run.stream_count; i++)
        for (size_t k = 0; k < report->run.streams[i].generator_count; k++, index++) {
            ftr_json_open(json, NULL, '{');
            ftr_json_count(json, "stream", i);
            const ftr_child_time *time = ftr_family_walk_time(&report->walk, inverse[index]);
            ok = ok && print_generator(report, &report->run.streams[i].generators[k],
                                       time != NULL ? time->passed_on : 0,
                                       ftr_kept_slowest(&report->kept, inverse[index]),
                                       count > GENERATORS_MANY ? SLOWEST_OF_MANY : FTR_SLOWEST_MAX,
                                       block, json);
            ftr_json_close(json, '}');
        }
    ftr_json_close(json, ']');
    free(inverse);
    return ok;
}

/* ---- over time ------------------------------------------------------------------------------- */

static void print_slots(const ftr_time_slots *slots, size_t omitted, ftr_json *json)
{
    ftr_json_count(json, "shift", slots->shift);
    ftr_json_wide(json, "first", slots->first);
    ftr_json_count(json, "count", slots->count);
    ftr_json_count(json, "omitted", omitted);
}

static void print_bins(const ftr_run_report *report, const ftr_manifest_numbers *numbers,
                       ftr_data_block *block, ftr_json *json)
{
    size_t omitted = 0;
    for (size_t i = 0; i < report->stream_count; i++)
        omitted += report->streams[i].name.data != NULL && report->streams[i].bins.bins == NULL;
    ftr_json_open(json, "bins", '{');
    print_slots(&report->bin_slots, omitted, json);
    ftr_json_open(json, "streams", '[');
    for (size_t i = 0; i < report->stream_count; i++) {
        const ftr_report_stream *stream = &report->streams[i];
        if (stream->name.data == NULL || stream->bins.bins == NULL)
            continue;
        ftr_json_open(json, NULL, '{');
        ftr_json_count(json, "stream", numbers->streams[i]);
        ftr_stream_bins_print(&stream->bins, block, json);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
    ftr_json_close(json, '}');
}

static void print_series(const ftr_run_report *report, const ftr_manifest_numbers *numbers,
                         ftr_data_block *block, ftr_json *json)
{
    size_t omitted = 0;
    for (size_t i = 0; i < report->generator_count; i++)
        omitted += report->generators[i].series.of == NULL;
    ftr_json_open(json, "series", '{');
    print_slots(&report->series_slots, omitted, json);
    ftr_json_open(json, "generators", '[');
    for (size_t i = 0; i < report->generator_count; i++) {
        const ftr_report_generator *generator = &report->generators[i];
        if (generator->series.of == NULL || generator->name.data == NULL)
            continue;
        ftr_json_open(json, NULL, '{');
        ftr_json_count(json, "generator", numbers->generators[i]);
        ftr_generator_series_print(&generator->series, block, json);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
    ftr_json_close(json, '}');
}

/* Sorts the maps by stream, then by attribute. */
static void sort_maps(ftr_run_report *report, const ftr_manifest_numbers *numbers,
                      ftr_report_map **sorted)
{
    for (size_t i = 0; i < report->map_count; i++) {
        ftr_report_map *map = &report->maps[i];
        const uint32_t stream = numbers->streams[map->stream];
        size_t at = i;
        for (; at > 0; at--) {
            const uint32_t before = numbers->streams[sorted[at - 1]->stream];
            if (before < stream ||
                (before == stream && strcmp(sorted[at - 1]->name->text, map->name->text) < 0))
                break;
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = map;
    }
}

static bool print_addresses(ftr_run_report *report, const ftr_manifest_numbers *numbers,
                            ftr_data_block *block, ftr_json *json)
{
    ftr_report_map *sorted[FTR_REPORT_MAPS_MAX];
    bool ok = true;
    sort_maps(report, numbers, sorted);
    ftr_json_open(json, "addresses", '[');
    for (size_t i = 0; ok && i < report->map_count; i++) {
        ftr_report_map *map = sorted[i];
        ok = ftr_address_map_sort(&map->map);
        ftr_json_open(json, NULL, '{');
        ftr_json_count(json, "stream", numbers->streams[map->stream]);
        ftr_json_text(json, "attribute", map->name->text, map->name->size);
        ftr_address_map_print(&map->map, block, json);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
    ftr_json_count(json, "addresses_omitted", report->maps_omitted);
    return ok;
}

/* ---- where the time goes --------------------------------------------------------------------- */

static const ftr_generator_figures *
figures_of(const ftr_run_report *report, const ftr_manifest_numbers *numbers, size_t generator)
{
    const ftr_report_generator *of = &report->generators[generator];
    const ftr_stream_figures *stream = &report->run.streams[numbers->streams[of->stream]];
    return &stream->generators[find_generator(stream, of->name)];
}

/* Returns true if a generator has accesses of a TLM link. */
static bool is_access(const ftr_run_report *report, const ftr_manifest_numbers *numbers,
                      size_t generator)
{
    const ftr_report_generator *of = &report->generators[generator];
    if (report->streams[of->stream].name.data == NULL || of->name.data == NULL)
        return false;
    const ftr_figure_text *kind = &report->run.streams[numbers->streams[of->stream]].kind;
    return ftr_text_is(kind->bytes, kind->size, FTR_ACCESS_KIND) &&
           !ftr_is_events_name(of->name.data, of->name.size);
}

static void print_flow(ftr_run_report *report, const ftr_manifest_numbers *numbers, ftr_json *json)
{
    ftr_json_open(json, "flow", '[');
    for (size_t i = 0; i < report->generator_count; i++) {
        static const ftr_child_time none;
        const ftr_child_time *found = ftr_family_walk_time(&report->walk, i);
        const ftr_child_time *time = found != NULL ? found : &none;
        if (found == NULL && !is_access(report, numbers, i))
            continue;
        /* The parts include the children of unfinished transactions. Therefore the total includes
         * `cut`, the time of unfinished transactions. */
        const ftr_generator_figures *figures = figures_of(report, numbers, i);
        const ftr_wide total = figures->latency.sum + figures->cut;
        ftr_wide own = total;
        for (size_t k = 0; k < time->part_count; k++)
            own -= time->parts[k].ticks;
        ftr_json_open(json, NULL, '{');
        ftr_json_count(json, "generator", numbers->generators[i]);
        ftr_json_count(json, "parents", time->parents);
        ftr_json_wide(json, "total", total);
        ftr_json_wide(json, "own", own);
        ftr_json_wide(json, "own_request", time->own_request);
        ftr_json_wide(json, "own_response", time->own_response);
        ftr_json_open(json, "parts", '[');
        for (size_t k = 0; k < time->part_count; k++) {
            if (time->parts[k].ticks == 0 && time->parts[k].children == 0)
                continue; /* all ticks were passed on to descendants */
            ftr_json_open(json, NULL, '{');
            ftr_json_count(json, "generator", numbers->generators[time->parts[k].generator]);
            ftr_json_count(json, "children", time->parts[k].children);
            ftr_json_count(json, "clipped", time->parts[k].clipped);
            ftr_json_wide(json, "ticks", time->parts[k].ticks);
            ftr_json_wide(json, "request", time->parts[k].request);
            ftr_json_wide(json, "response", time->parts[k].response);
            ftr_json_close(json, '}');
        }
        ftr_json_close(json, ']');
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
    ftr_json_open(json, "flow_relations", '{');
    ftr_json_count(json, "read", report->relations.families.relations);
    ftr_json_count(json, "omitted", report->relations.families.omitted);
    ftr_json_close(json, '}');
}

bool ftr_run_manifest_print(ftr_run_report *report, const ftr_manifest_numbers *numbers,
                            ftr_data_block *block, ftr_json *json)
{
    ftr_json_int(json, "time_scale", report->run.time_scale);
    print_run(report, json);
    print_streams(report, numbers, json);
    bool ok = print_generators(report, numbers, block, json);
    print_bins(report, numbers, block, json);
    print_series(report, numbers, block, json);
    ok = ok && print_addresses(report, numbers, block, json);
    print_flow(report, numbers, json);
    return ok && !block->failed;
}
