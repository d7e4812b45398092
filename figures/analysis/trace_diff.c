/* Reads both traces alternately. Each transaction is digested, aligned with the other trace,
 * compared in time, and then reported. */

#include "alignment.h"
#include "trace_differences.h"
#include "growing_array.h"
#include "relation_diff.h"
#include "time_changes.h"

#include "name_table.h"
#include "text_view.h"

#include <stdlib.h>
#include <string.h>

const char *const ftr_diff_kind_names[FTR_DIFF_KINDS] = {
    [FTR_DIFF_DELETED] = "deleted", [FTR_DIFF_INSERTED] = "inserted",
    [FTR_DIFF_CHANGED] = "changed", [FTR_DIFF_DURATION] = "duration",
    [FTR_DIFF_MOVED] = "moved",     [FTR_DIFF_SHIFTED] = "shifted",
};
const char *const ftr_diff_side_names[] = {"first", "second"};

#define SIDES 2
/* Maximum number of transactions of each trace that wait to be aligned. */
#define HELD_MAX ((size_t)1 << 19)
/* Memory limit for the partners of the transactions of one trace, in bytes. */
#define PAIR_MAP_LIMIT ((size_t)40 << 20)

/* Maps indices of a reader to numbers of the diff. An element is the number + 1; 0: not looked up
 * yet. */
typedef struct index_map {
    uint32_t *numbers;
    size_t count;
} index_map;

typedef struct trace_side {
    const struct pass *pass;
    unsigned number;
    ftr_reader *reader;
    ftr_cursor *cursor;
    ftr_digester *digesters; /* one for each reading thread */
    unsigned thread_count;
    ftr_tx_lookup lookup;
    uint64_t factor;
    uint64_t begin; /* begin of the last transaction, common ticks */
    bool ended;
    index_map generators;
    index_map streams;
} trace_side;

typedef struct pass {
    ftr_trace_diff *diff;
    const ftr_diff_options *options;
    ftr_digest_rules rules;
    trace_side side[SIDES];
    /* key: name and stream; value: number of the generator in the diff */
    ftr_name_table generators;
    ftr_alignment alignment;
    ftr_time_changes times;
    ftr_pair_map partners, paired;
    bool with_relations;
    ftr_status status;
} pass;

/* ---- scales ---------------------------------------------------------------------------------- */

bool ftr_diff_set_scales(ftr_trace_diff *diff, int first, int second)
{
    const int scales[SIDES] = {first, second};
    diff->time_scale = first < second ? first : second;
    for (unsigned s = 0; s < SIDES; s++) {
        diff->factor[s] = 1;
        for (int scale = scales[s]; scale > diff->time_scale; scale--) {
            if (diff->factor[s] > UINT64_MAX / 10)
                return false;
            diff->factor[s] *= 10;
        }
    }
    return true;
}

/* ---- streams and generators ------------------------------------------------------------------ */

static bool set_number(index_map *map, uint32_t index, uint32_t number)
{
    if (!ftr_array_reach(&map->numbers, &map->count, index, sizeof *map->numbers))
        return false;
    map->numbers[index] = number + 1;
    return true;
}

static uint32_t number_of(const index_map *map, uint32_t index)
{
    return index < map->count ? map->numbers[index] - 1 : UINT32_MAX;
}

static bool begins_with(ftr_view name, const char *text, size_t size)
{
    return name.size >= size && memcmp(name.data, text, size) == 0;
}

/* Returns the name that a stream of the first trace has in the second trace. The caller must free
 * it. */
static char *rename_stream(const ftr_diff_options *options, ftr_view name, uint64_t *renamed_by)
{
    for (size_t i = 0; i < options->renaming_count; i++) {
        const ftr_stream_renaming *renaming = &options->renamings[i];
        const char *star = memchr(renaming->from, '*', renaming->from_size);
        const char *to_star = strchr(renaming->to, '*');
        const size_t head = star != NULL ? (size_t)(star - renaming->from) : renaming->from_size;
        const size_t tail = star != NULL ? renaming->from_size - head - 1 : 0;
        if (!begins_with(name, renaming->from, head) || name.size < head + tail ||
            (star == NULL && name.size != head) ||
            (tail > 0 && memcmp(name.data + name.size - tail, star + 1, tail) != 0))
            continue;
        *renamed_by |= i < 64 ? UINT64_C(1) << i : 0;
        const size_t size = strlen(renaming->to);
        const size_t middle = to_star != NULL ? name.size - head - tail : 0;
        char *renamed = malloc(size + middle + 1);
        if (renamed == NULL)
            return NULL;
        const size_t before = to_star != NULL ? (size_t)(to_star - renaming->to) : size;
        memcpy(renamed, renaming->to, before);
        memcpy(renamed + before, name.data + head, middle);
        const char *rest = to_star != NULL ? to_star + 1 : "";
        memcpy(renamed + before + middle, rest, strlen(rest) + 1);
        return renamed;
    }
    return ftr_text_duplicate(name.data, name.size);
}

typedef struct listed_stream {
    char *name; /* name in the second trace */
    unsigned side;
    const ftr_stream_info *info;
} listed_stream;

static int compare_listed(const void *x, const void *y)
{
    const listed_stream *a = x;
    const listed_stream *b = y;
    const int order = strcmp(a->name, b->name);
    return order != 0 ? order : (a->side > b->side) - (a->side < b->side);
}

/* Collects the compared streams. @return false if out of memory */
static bool collect_streams(pass *p, listed_stream *listed, size_t *count)
{
    static const ftr_diff_options NO_RENAMINGS = {0};
    for (unsigned s = 0; s < SIDES; s++) {
        const ftr_query *query = &p->options->query[s];
        for (size_t i = 0; i < ftr_reader_stream_count(p->side[s].reader); i++) {
            const ftr_stream_info *info = ftr_reader_get_stream(p->side[s].reader, i);
            if (query->choose_stream != NULL && !query->choose_stream(query->user, info))
                continue;
            char *name =
                rename_stream(s == 0 ? p->options : &NO_RENAMINGS, info->name, &p->diff->renamed);
            if (name == NULL)
                return false;
            listed[(*count)++] = (listed_stream){name, s, info};
        }
    }
    return true;
}

/* Numbers the streams; streams with the same name get the same number. */
static bool number_streams(pass *p, listed_stream *listed, size_t count)
{
    ftr_trace_diff *diff = p->diff;
    const char *last = NULL;
    for (size_t i = 0; i < count; i++) {
        if (last == NULL || strcmp(last, listed[i].name) != 0) {
            last = diff->streams[diff->stream_count++].name = listed[i].name;
            listed[i].name = NULL;
        }
        const uint32_t at = (uint32_t)diff->stream_count - 1;
        diff->streams[at].names[listed[i].side] = listed[i].info->name;
        if (!set_number(&p->side[listed[i].side].streams, listed[i].info->index, at))
            return false;
    }
    return true;
}

static bool list_streams(pass *p)
{
    size_t most = 1;
    size_t count = 0;
    for (unsigned s = 0; s < SIDES; s++)
        most += ftr_reader_stream_count(p->side[s].reader);
    listed_stream *listed = calloc(most, sizeof *listed);
    p->diff->streams = calloc(most, sizeof *p->diff->streams);
    bool ok = listed != NULL && p->diff->streams != NULL && collect_streams(p, listed, &count);
    if (ok && count > 0)
        qsort(listed, count, sizeof *listed, compare_listed);
    ok = ok && number_streams(p, listed, count);
    for (size_t i = 0; listed != NULL && i < count; i++)
        free(listed[i].name);
    free(listed);
    return ok;
}

/* Returns the diff's number of a generator; adds the generator if it is new. UINT32_MAX: out of
 * memory. */
static uint32_t list_generator(pass *p, unsigned side, const ftr_generator_info *info)
{
    ftr_trace_diff *diff = p->diff;
    const uint32_t stream = number_of(&p->side[side].streams, info->stream->index);
    const ftr_view name = info->name.data != NULL ? info->name : (ftr_view){"", 0};
    const size_t found = ftr_name_table_find(&p->generators, name.data, name.size, stream);
    const uint32_t number = (uint32_t)(found != FTR_NAME_UNKNOWN ? found : diff->generator_count);
    if (number == diff->generator_count) {
        if (!ftr_array_grow(&diff->generators, &diff->generator_capacity, diff->generator_count,
                            sizeof *diff->generators))
            return UINT32_MAX;
        if (!ftr_name_table_add(&p->generators, name.data, name.size, stream, number))
            return UINT32_MAX;
        diff->generators[diff->generator_count++] = (ftr_diff_generator){
            .stream = stream, .name = name, .hash = ftr_hash_bytes(name.data, name.size)};
    }
    return set_number(&p->side[side].generators, info->index, number) ? number : UINT32_MAX;
}

/* ---- latencies ------------------------------------------------------------------------------- */

/* Consecutive latencies are often equal, so they are added to the histogram as one entry with a
 * count. */
static bool flush_latencies(ftr_diff_generator *row)
{
    const uint64_t count = row->recent_count;
    row->recent_count = 0;
    return count == 0 || ftr_latency_bins_add(&row->both, row->recent, count);
}

static void add_common_latency(pass *p, ftr_diff_generator *row, uint64_t latency)
{
    if (row->recent_count > 0 && row->recent != latency && !flush_latencies(row))
        p->status = FTR_ERR_MEMORY;
    row->recent = latency;
    row->recent_count++;
}

static void add_latency(pass *p, unsigned side, const ftr_aligned_tx *tx)
{
    if (!ftr_latency_bins_add(&p->diff->generators[tx->generator].latency[side],
                              tx->end - tx->begin, 1))
        p->status = FTR_ERR_MEMORY;
}

static bool complete_latencies(ftr_trace_diff *diff)
{
    for (size_t i = 0; i < diff->generator_count; i++) {
        ftr_diff_generator *row = &diff->generators[i];
        if (!flush_latencies(row) || !ftr_latency_bins_merge(&row->latency[0], &row->both, 1) ||
            !ftr_latency_bins_merge(&row->latency[1], &row->both, 1))
            return false;
        ftr_latency_bins_release(&row->both);
    }
    return true;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report(pass *p, const ftr_difference *difference)
{
    ftr_trace_diff *diff = p->diff;
    diff->counts[difference->kind]++;
    diff->streams[diff->generators[difference->generator].stream].counts[difference->kind]++;
    if (p->options->differs != NULL)
        p->options->differs(p->options->user, difference);
}

static ftr_tx_location place_of(const pass *p, unsigned side, uint64_t begin, uint64_t id)
{
    return (ftr_tx_location){true, begin / p->side[side].factor, id};
}

static void report_alone(void *user, unsigned side, const ftr_aligned_tx *tx)
{
    pass *p = user;
    ftr_difference difference = {.kind = side == 0 ? FTR_DIFF_DELETED : FTR_DIFF_INSERTED,
                                 .generator = tx->generator,
                                 .time = tx->begin};
    difference.tx[side] = place_of(p, side, tx->begin, tx->id);
    add_latency(p, side, tx);
    report(p, &difference);
}

static void report_time_change(void *user, ftr_time_change change, const ftr_timed_pair *pair,
                               int64_t delta, bool follows)
{
    static const ftr_difference_kind KINDS[] = {
        [FTR_TIME_SHIFTED] = FTR_DIFF_SHIFTED,
        [FTR_TIME_MOVED] = FTR_DIFF_MOVED,
        [FTR_TIME_DURATION] = FTR_DIFF_DURATION,
    };
    pass *p = user;
    ftr_difference difference = {.kind = KINDS[change],
                                 .generator = pair->generator,
                                 .time = pair->begin[0],
                                 .delta = delta,
                                 .follows = follows};
    for (unsigned s = 0; s < SIDES; s++)
        difference.tx[s] = place_of(p, s, pair->begin[s], pair->id[s]);
    if (change == FTR_TIME_DURATION) {
        p->diff->generators[pair->generator].durations++;
        p->diff->generators[pair->generator].follows += follows;
    }
    report(p, &difference);
}

/* Returns true if two transactions with different digests are equal apart from times within the
 * tolerance. */
static bool is_within_tolerance(pass *p, const ftr_aligned_tx *const both[SIDES])
{
    ftr_transaction tx[SIDES];
    const ftr_attribute_sides sides = {.reader = {p->side[0].reader, p->side[1].reader},
                                       .factor = {p->side[0].factor, p->side[1].factor},
                                       .rules = p->rules,
                                       .tolerance = p->options->tolerance};
    const ftr_diff_stream *stream = &p->diff->streams[both[0]->stream];
    for (unsigned s = 0; s < SIDES; s++)
        if (ftr_tx_lookup_find(&p->side[s].lookup, stream->names[s],
                               both[s]->begin / p->side[s].factor, both[s]->id, &tx[s]) != FTR_OK)
            return false;
    return ftr_attributes_compare(&sides, tx, NULL, NULL) == 0;
}

static void add_pair(void *user, const ftr_aligned_tx *a, const ftr_aligned_tx *b)
{
    pass *p = user;
    const ftr_aligned_tx *const both[SIDES] = {a, b};
    bool changed = a->identity != b->identity || a->content != b->content;
    p->diff->pairs++;
    if (a->end - a->begin == b->end - b->begin) {
        add_common_latency(p, &p->diff->generators[a->generator], a->end - a->begin);
    } else {
        add_latency(p, 0, a);
        add_latency(p, 1, b);
    }
    if (p->with_relations && !(ftr_pair_map_put(&p->partners, a->id, b->id) &&
                               ftr_pair_map_put(&p->paired, b->id, b->id)))
        p->diff->relations_not_compared = true;
    if (changed && p->options->tolerance > 0 && a->identity == b->identity)
        changed = !is_within_tolerance(p, both);
    if (changed) {
        ftr_difference difference = {
            .kind = FTR_DIFF_CHANGED, .generator = a->generator, .time = a->begin};
        for (unsigned s = 0; s < SIDES; s++)
            difference.tx[s] = place_of(p, s, both[s]->begin, both[s]->id);
        report(p, &difference);
    }
    if (p->options->times == FTR_DIFF_IGNORE_TIMES)
        return;
    const ftr_timed_pair pair = {.begin = {a->begin, b->begin},
                                 .end = {a->end, b->end},
                                 .id = {a->id, b->id},
                                 .stream = a->stream,
                                 .generator = a->generator};
    if (ftr_time_changes_put(&p->times, &pair, changed) && changed)
        p->diff->generators[a->generator].durations++;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The bytes that a reading thread prepares for a transaction. */
typedef struct prepared_tx {
    uint64_t id, begin, end;
    ftr_tx_digest digest; /* without the name of the generator */
    uint32_t generator;   /* index */
    bool is_compared;
} prepared_tx;

static bool is_compared(const trace_side *s, unsigned thread, ftr_reader *reader,
                        ftr_transaction *tx)
{
    const ftr_diff_options *options = s->pass->options;
    /* A chunk of a compared stream may also contain transactions of streams that are not compared.
     */
    return number_of(&s->streams, tx->stream->index) != UINT32_MAX &&
           (options->accepts == NULL ||
            options->accepts(options->user, s->number, thread, reader, tx));
}

static bool prepare_tx(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                       ftr_prepared *prepared)
{
    const trace_side *s = user;
    ftr_digester *digester = &s->digesters[thread];
    prepared_tx found = {.id = tx->id,
                         .begin = tx->begin,
                         .end = tx->end,
                         .generator = tx->generator->index,
                         .is_compared = is_compared(s, thread, reader, tx)};
    if (found.is_compared) {
        digester->reader = reader;
        found.digest = ftr_digest_tx(digester, tx, 0);
        if (tx->end < tx->begin) /* no duration: the end is compared like an attribute */
            found.digest.content += ftr_hash_bytes((const char *)&tx->end, sizeof tx->end);
    }
    prepared_tx *to = ftr_prepared_append(prepared, sizeof *to);
    if (to != NULL) /* otherwise the cursor reports the lack of memory */
        *to = found;
    return true;
}

static ftr_status put(pass *p, unsigned side, const prepared_tx *tx)
{
    trace_side *s = &p->side[side];
    const uint64_t end = tx->end > tx->begin ? tx->end : tx->begin;
    if (end > INT64_MAX / s->factor)
        return FTR_ERR_LIMIT;
    s->begin = tx->begin * s->factor;
    if (!tx->is_compared)
        return FTR_OK;
    uint32_t generator = number_of(&s->generators, tx->generator);
    if (generator == UINT32_MAX)
        generator = list_generator(p, side, ftr_reader_get_generator(s->reader, tx->generator));
    if (generator == UINT32_MAX)
        return FTR_ERR_MEMORY;
    const ftr_diff_generator *row = &p->diff->generators[generator];
    const ftr_aligned_tx aligned = {.identity = row->hash + tx->digest.identity,
                                    .content = tx->digest.content,
                                    .begin = s->begin,
                                    .end = end * s->factor,
                                    .id = tx->id,
                                    .stream = row->stream,
                                    .generator = generator};
    p->diff->transactions[side]++;
    p->diff->streams[row->stream].transactions[side]++;
    return ftr_alignment_put(&p->alignment, side, &aligned);
}

static ftr_status read_both(pass *p)
{
    const void *tx;
    size_t size;
    while (!p->side[0].ended || !p->side[1].ended) {
        const uint64_t begins[SIDES] = {p->side[0].begin, p->side[1].begin};
        unsigned side = p->side[0].ended ? 1 : 0;
        if (!p->side[0].ended && !p->side[1].ended)
            side = ftr_alignment_wants(&p->alignment, begins);
        ftr_status status = ftr_cursor_next_prepared(p->side[side].cursor, &tx, &size);
        if (status == FTR_OK) {
            status = put(p, side, tx);
            if (status == FTR_OK)
                status = p->status;
        } else {
            p->side[side].ended = true;
            if (status != FTR_ERR_END)
                p->diff->status[side] = status;
            status = FTR_OK;
        }
        if (status != FTR_OK)
            return status;
    }
    return ftr_alignment_finish(&p->alignment);
}

/* ---- public functions ------------------------------------------------------------------------ */

ftr_digest_rules ftr_diff_rules(const ftr_diff_options *options)
{
    ftr_digest_rules rules = options->rules;
    rules.without_times = options->times == FTR_DIFF_IGNORE_TIMES;
    rules.inexact_times = options->tolerance > 0;
    return rules;
}

static void set_rules(pass *p)
{
    const ftr_diff_options *options = p->options;
    p->rules = ftr_diff_rules(options);
    p->alignment.rules =
        (ftr_alignment_rules){.ignore_times = options->times == FTR_DIFF_IGNORE_TIMES,
                              .fixed_base = options->times == FTR_DIFF_ABSOLUTE,
                              .tolerance = options->tolerance};
    p->alignment.paired = add_pair;
    p->alignment.alone = report_alone;
    p->alignment.user = p;
    p->times.tolerance = options->tolerance;
    p->times.fixed_base = options->times == FTR_DIFF_ABSOLUTE;
    p->times.report = report_time_change;
    p->times.user = p;
    p->partners.budget.limit = p->paired.budget.limit = PAIR_MAP_LIMIT;
}

static ftr_status open_side(pass *p, unsigned side, ftr_reader *reader)
{
    trace_side *s = &p->side[side];
    ftr_query query = p->options->query[side];
    ftr_file_info info;
    query.size = sizeof query;
    query.order = FTR_ORDER_BEGIN;
    query.threads = query.threads > 0 ? query.threads : 1;
    query.prepare = prepare_tx;
    query.prepare_user = s;
    s->digesters = calloc(query.threads, sizeof *s->digesters);
    if (s->digesters == NULL)
        return FTR_ERR_MEMORY;
    for (; s->thread_count < query.threads; s->thread_count++) {
        s->digesters[s->thread_count].rules = &p->rules;
        s->digesters[s->thread_count].factor = s->factor;
    }
    s->pass = p;
    s->number = side;
    ftr_reader_get_info(reader, &info);
    p->with_relations |= info.chunks[FTR_CHUNK_RELATIONS] > 0;
    s->lookup.reader = reader;
    p->diff->status[side] = ftr_cursor_open(reader, &query, &s->cursor);
    return p->diff->status[side];
}

/* Marks streams that only one trace has: their transactions do not wait for partners. */
static void mark_one_sided(pass *p)
{
    for (size_t i = 0; i < p->diff->stream_count; i++)
        p->alignment.streams[i].one_sided =
            p->diff->streams[i].names[0].data == NULL || p->diff->streams[i].names[1].data == NULL;
}

static ftr_status begin(pass *p, ftr_reader *const readers[2])
{
    set_rules(p);
    for (unsigned s = 0; s < SIDES; s++) {
        p->side[s].reader = readers[s];
        p->side[s].factor = p->diff->factor[s];
    }
    if (!list_streams(p) || !ftr_time_changes_init(&p->times, p->diff->stream_count))
        return FTR_ERR_MEMORY;
    ftr_status status = ftr_alignment_init(&p->alignment, p->diff->stream_count, HELD_MAX);
    if (status == FTR_OK)
        mark_one_sided(p);
    for (unsigned s = 0; s < SIDES && status == FTR_OK; s++)
        status = open_side(p, s, readers[s]);
    return status;
}

static void note_what_was_not_aligned(pass *p)
{
    for (size_t i = 0; i < p->diff->stream_count; i++) {
        const ftr_aligned_stream *from = &p->alignment.streams[i];
        ftr_diff_stream *to = &p->diff->streams[i];
        to->alignment_stopped = from->alignment_stopped;
        to->aligned_until = from->aligned_until;
        for (unsigned s = 0; s < SIDES; s++) {
            to->not_aligned[s] = from->not_aligned[s];
            p->diff->not_aligned[s] += from->not_aligned[s];
        }
    }
}

static void end(pass *p)
{
    for (unsigned s = 0; s < SIDES; s++) {
        trace_side *side = &p->side[s];
        ftr_cursor_close(side->cursor);
        for (unsigned i = 0; i < side->thread_count; i++) {
            const ftr_digest_matches *matches = &side->digesters[i].matches;
            p->diff->matches.ignored |= matches->ignored;
            p->diff->matches.only |= matches->only;
            p->diff->matches.key |= matches->key;
        }
        ftr_tx_lookup_release(&side->lookup);
        free(side->digesters);
        free(side->generators.numbers);
        free(side->streams.numbers);
    }
    ftr_name_table_release(&p->generators);
    ftr_alignment_release(&p->alignment);
    ftr_time_changes_release(&p->times);
    ftr_pair_map_release(&p->partners);
    ftr_pair_map_release(&p->paired);
    free(p);
}

ftr_status ftr_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                        ftr_reader *const readers[2])
{
    pass *p = calloc(1, sizeof *p);
    if (p == NULL)
        return FTR_ERR_MEMORY;
    p->diff = diff;
    p->options = options;
    ftr_status status = begin(p, readers);
    if (status == FTR_OK)
        status = read_both(p);
    if (status == FTR_OK) {
        ftr_time_changes_finish(&p->times);
        note_what_was_not_aligned(p);
        if (!complete_latencies(diff))
            status = FTR_ERR_MEMORY;
    }
    for (unsigned s = 0; s < SIDES && status == FTR_OK; s++)
        status = diff->status[s];
    if (status == FTR_OK && p->with_relations && !diff->relations_not_compared)
        status = ftr_relation_diff_run(diff, options, readers, &p->partners, &p->paired);
    end(p);
    return status;
}

bool ftr_diff_is_equal(const ftr_trace_diff *diff)
{
    uint64_t differences = diff->relations_differing;
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        differences |= diff->counts[kind];
    for (unsigned s = 0; s < SIDES; s++)
        differences |= diff->not_aligned[s];
    for (size_t i = 0; i < diff->stream_count; i++)
        differences |= diff->streams[i].alignment_stopped;
    return differences == 0 && !diff->relations_not_compared;
}

void ftr_diff_release(ftr_trace_diff *diff)
{
    for (size_t i = 0; i < diff->stream_count; i++)
        free(diff->streams[i].name);
    for (size_t i = 0; i < diff->generator_count; i++) {
        ftr_latency_bins_release(&diff->generators[i].both);
        for (unsigned s = 0; s < SIDES; s++)
            ftr_latency_bins_release(&diff->generators[i].latency[s]);
    }
    free(diff->streams);
    free(diff->generators);
    diff->streams = NULL;
    diff->generators = NULL;
}
