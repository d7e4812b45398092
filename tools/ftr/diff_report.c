/* The text report of `ftr diff`, and parts that the JSON shares with it. */
#include "diff_report.h"

#include "growing_array.h"
#include "rows.h"
#include "text_view.h"
#include "transaction_text.h"

#include <stdlib.h>

/* Maximum number of differences that are listed for each kind: without --all, and with --all. */
#define LISTED 10
#define LISTED_ALL 500000

typedef struct kind_list {
    ftr_difference *kept; /* the earliest differences, up to the maximum */
    size_t count, capacity;
} kind_list;

struct ftr_diff_report {
    size_t listed_max;
    kind_list kinds[FTR_DIFF_KINDS];
    ftr_relation_difference *relations;
    size_t relation_count, relation_capacity;
};

static const char *const KIND_TITLES[FTR_DIFF_KINDS] = {
    [FTR_DIFF_DELETED] = "only in the first file",
    [FTR_DIFF_INSERTED] = "only in the second file",
    [FTR_DIFF_CHANGED] = "changed",
    [FTR_DIFF_DURATION] = "longer or shorter",
    [FTR_DIFF_MOVED] = "moved",
    [FTR_DIFF_SHIFTED] = "shifted",
};

/* Returns the word for a kind of difference in the lines of the report. */
static const char *word_of(unsigned kind)
{
    return kind == FTR_DIFF_DURATION ? KIND_TITLES[kind] : ftr_diff_kind_names[kind];
}

void ftr_diff_find(ftr_diff_view *view, const ftr_difference *difference, ftr_transaction tx[2],
                   bool found[2])
{
    const ftr_diff_generator *generator = &view->diff->generators[difference->generator];
    const ftr_diff_stream *stream = &view->diff->streams[generator->stream];
    for (unsigned s = 0; s < 2; s++) {
        const ftr_tx_location *location = &difference->tx[s];
        view->lookup[s].reader = view->input[s]->reader;
        found[s] =
            location->exists && ftr_tx_lookup_find(&view->lookup[s], stream->names[s],
                                                   location->begin, location->id, &tx[s]) == FTR_OK;
    }
}

uint64_t ftr_diff_total(const ftr_trace_diff *diff)
{
    uint64_t total = diff->relations_differing < UINT64_MAX ? diff->relations_differing : 0;
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        total += diff->counts[kind];
    return total;
}

/* ---- collection ------------------------------------------------------------------------------ */

ftr_diff_report *ftr_diff_report_create(const ftr_diff_view *view)
{
    ftr_diff_report *report = calloc(1, sizeof *report);
    if (report != NULL)
        report->listed_max = view->all ? LISTED_ALL : LISTED;
    return report;
}

void ftr_diff_report_destroy(ftr_diff_report *report)
{
    if (report == NULL)
        return;
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        free(report->kinds[kind].kept);
    for (size_t i = 0; i < report->relation_count; i++)
        free((void *)report->relations[i].name.data);
    free(report->relations);
    free(report);
}

/* Replaces the latest difference of a full list if @p difference is earlier. */
static void replace_latest(kind_list *list, const ftr_difference *difference)
{
    size_t latest = 0;
    for (size_t i = 1; i < list->count; i++)
        if (list->kept[i].time > list->kept[latest].time)
            latest = i;
    if (list->kept[latest].time > difference->time)
        list->kept[latest] = *difference;
}

void ftr_diff_report_add(ftr_diff_report *report, const ftr_difference *difference)
{
    kind_list *list = &report->kinds[difference->kind];
    if (list->count == report->listed_max) {
        if (list->count == LISTED)
            replace_latest(list, difference);
        return;
    }
    if (!ftr_array_grow(&list->kept, &list->capacity, list->count, sizeof *list->kept))
        return;
    list->kept[list->count++] = *difference;
}

void ftr_diff_report_add_relation(ftr_diff_report *report,
                                  const ftr_relation_difference *difference)
{
    if (report->relation_count == report->listed_max)
        return;
    if (!ftr_array_grow(&report->relations, &report->relation_capacity, report->relation_count,
                        sizeof *report->relations))
        return;
    char *name = ftr_text_duplicate(difference->name.data, difference->name.size);
    if (name == NULL)
        return;
    report->relations[report->relation_count] = *difference;
    report->relations[report->relation_count++].name.data = name;
}

static int compare_times(const void *x, const void *y)
{
    const ftr_difference *a = x;
    const ftr_difference *b = y;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    if (a->generator != b->generator)
        return a->generator < b->generator ? -1 : 1;
    const unsigned side_a = a->tx[0].exists ? 0 : 1;
    const unsigned side_b = b->tx[0].exists ? 0 : 1;
    return (a->tx[side_a].id > b->tx[side_b].id) - (a->tx[side_a].id < b->tx[side_b].id);
}

/* ---- parts of lines -------------------------------------------------------------------------- */

static void print_text(ftr_printer *out, ftr_view text)
{
    if (text.data != NULL)
        ftr_print_plain(out, text.data, text.size);
    else
        ftr_print_char(out, '?');
}

ftr_view ftr_diff_stream_label(const ftr_diff_view *view, const ftr_diff_stream *stream)
{
    const ftr_view name = {stream->name, strlen(stream->name)};
    const unsigned side = ftr_link_has_label(&view->links[0], name) ? 0 : 1;
    return ftr_link_label(&view->links[side], name);
}

static void print_stream(const ftr_diff_view *view, const ftr_diff_stream *stream)
{
    print_text(view->out, ftr_diff_stream_label(view, stream));
}

static void print_delta(ftr_diff_view *view, int64_t delta, const char *more, const char *less)
{
    ftr_print_time(view->out, delta < 0 ? 0 - (uint64_t)delta : (uint64_t)delta,
                   view->diff->time_scale);
    ftr_print_char(view->out, ' ');
    ftr_print_string(view->out, delta < 0 ? less : more);
}

static ftr_value_style style_of(const ftr_diff_view *view, unsigned side)
{
    return (ftr_value_style){.time_scale = view->time_scale[side], .links = &view->links[side]};
}

static void print_tx(ftr_diff_view *view, unsigned side, ftr_transaction *tx, const char *mark)
{
    ftr_transaction copy = *tx;
    ftr_transaction_rewind(&copy);
    ftr_print_string(view->out, mark);
    ftr_put_transaction_plain(view->out, view->input[side]->reader, &copy, FTR_NO_PARENT,
                              style_of(view, side));
    ftr_print_char(view->out, '\n');
}

static void print_value(ftr_diff_view *view, unsigned side, const ftr_attribute_value *value)
{
    if (value != NULL)
        ftr_put_value_plain(view->out, value, style_of(view, side));
    else
        ftr_print_string(view->out, "(none)");
}

static void print_attribute(void *user, const ftr_attribute_value *first,
                            const ftr_attribute_value *second)
{
    ftr_diff_view *view = user;
    ftr_print_string(view->out, "      ");
    print_text(view->out, (first != NULL ? first : second)->name);
    ftr_print_string(view->out, ": ");
    print_value(view, 0, first);
    ftr_print_string(view->out, " -> ");
    print_value(view, 1, second);
    ftr_print_char(view->out, '\n');
}

static void print_duration(ftr_diff_view *view, ftr_transaction tx[2])
{
    uint64_t lasts[2];
    for (unsigned s = 0; s < 2; s++)
        lasts[s] = tx[s].end > tx[s].begin ? (tx[s].end - tx[s].begin) * view->sides.factor[s] : 0;
    if (lasts[0] == lasts[1])
        return;
    ftr_print_string(view->out, "      lasts ");
    ftr_print_time(view->out, lasts[0], view->diff->time_scale);
    ftr_print_string(view->out, " -> ");
    ftr_print_time(view->out, lasts[1], view->diff->time_scale);
    ftr_print_char(view->out, '\n');
}

/* ---- differences ----------------------------------------------------------------------------- */

static void print_difference(ftr_diff_view *view, const ftr_difference *difference)
{
    ftr_transaction tx[2];
    bool found[2];
    ftr_diff_find(view, difference, tx, found);
    if (difference->kind == FTR_DIFF_DELETED || difference->kind == FTR_DIFF_INSERTED) {
        const unsigned side = difference->kind == FTR_DIFF_DELETED ? 0 : 1;
        if (found[side])
            print_tx(view, side, &tx[side], side == 0 ? "  - " : "  + ");
        return;
    }
    if (!found[0] || !found[1])
        return;
    print_tx(view, 0, &tx[0], "  ");
    switch (difference->kind) {
    case FTR_DIFF_CHANGED:
        (void)ftr_attributes_compare(&view->sides, tx, print_attribute, view);
        print_duration(view, tx);
        break;
    case FTR_DIFF_DURATION:
        print_duration(view, tx);
        break;
    case FTR_DIFF_MOVED:
        ftr_print_string(view->out, "      begins ");
        print_delta(view, difference->delta, "later\n", "earlier\n");
        break;
    default:
        ftr_print_string(view->out, "      from here on ");
        print_delta(view, difference->delta, "later\n", "earlier\n");
        break;
    }
}

static void print_kind(const ftr_diff_report *report, ftr_diff_view *view, unsigned kind)
{
    const kind_list *list = &report->kinds[kind];
    ftr_printer *out = view->out;
    ftr_print_string(out, KIND_TITLES[kind]);
    ftr_print_string(out, ": ");
    ftr_print_uint(out, view->diff->counts[kind]);
    ftr_print_char(out, '\n');
    for (size_t i = 0; i < list->count; i++)
        print_difference(view, &list->kept[i]);
    if (view->diff->counts[kind] > list->count) {
        ftr_print_string(out, "  and ");
        ftr_print_uint(out, view->diff->counts[kind] - list->count);
        ftr_print_string(out,
                         view->all ? " more; --json lists them\n" : " more; --all lists them\n");
    }
}

static const ftr_difference *find_first(const ftr_diff_report *report)
{
    const ftr_difference *first = NULL;
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        if (report->kinds[kind].count > 0 &&
            (first == NULL || report->kinds[kind].kept[0].time < first->time))
            first = &report->kinds[kind].kept[0];
    return first;
}

/* Prints the first difference, and the transactions that are related to the transaction that
 * differs. */
static bool print_first(const ftr_diff_report *report, ftr_diff_view *view)
{
    const ftr_difference *first = find_first(report);
    if (first == NULL)
        return true;
    const ftr_diff_generator *generator = &view->diff->generators[first->generator];
    const unsigned side = first->tx[0].exists ? 0 : 1;
    ftr_relation_tree tree = {.input = view->input[side],
                              .out = view->out,
                              .time_scale = view->time_scale[side],
                              .links = &view->links[side],
                              .depth = 1};
    ftr_print_string(view->out, "first difference at ");
    ftr_print_time(view->out, first->time, view->diff->time_scale);
    ftr_print_string(view->out, " in ");
    print_stream(view, &view->diff->streams[generator->stream]);
    ftr_print_string(view->out, ": ");
    ftr_print_string(view->out, word_of(first->kind));
    ftr_print_char(view->out, '\n');
    print_difference(view, first);
    ftr_tree_print_relations(&tree, first->tx[side].id);
    return !tree.failed;
}

/* ---- relations, latencies, streams ----------------------------------------------------------- */

static void print_ends(ftr_printer *out, const ftr_relation_difference *relation, unsigned side)
{
    ftr_print_char(out, '#');
    ftr_print_uint(out, relation->from[side]);
    ftr_print_string(out, " -> #");
    ftr_print_uint(out, relation->to[side]);
}

static void print_relations(const ftr_diff_report *report, ftr_diff_view *view)
{
    ftr_printer *out = view->out;
    const uint64_t count = view->diff->relations_differing;
    if (view->diff->relations_not_compared)
        ftr_print_string(out, "relations: not compared, the ids of their transactions are too far "
                              "apart to be kept\n");
    if (count == 0)
        return;
    if (count == UINT64_MAX) {
        ftr_print_string(out, "relations: too different to be listed: ");
        ftr_print_uint(out, view->diff->relations[0]);
        ftr_print_string(out, " and ");
        ftr_print_uint(out, view->diff->relations[1]);
        ftr_print_char(out, '\n');
        return;
    }
    ftr_print_string(out, "relations: ");
    ftr_print_uint(out, count);
    ftr_print_char(out, '\n');
    for (size_t i = 0; i < report->relation_count; i++) {
        const ftr_relation_difference *relation = &report->relations[i];
        const bool both = relation->exists[0] && relation->exists[1];
        ftr_print_string(out, both ? "  " : relation->exists[0] ? "  - " : "  + ");
        print_text(out, relation->name);
        ftr_print_char(out, ' ');
        print_ends(out, relation, relation->exists[0] ? 0 : 1);
        if (both) {
            ftr_print_string(out, " in the first file, ");
            print_ends(out, relation, 1);
            ftr_print_string(out, " in the second");
        }
        ftr_print_char(out, '\n');
    }
    if (count > report->relation_count) {
        ftr_print_string(out, "  and ");
        ftr_print_uint(out, count - report->relation_count);
        ftr_print_string(out, " more; --json lists them\n");
    }
}

static void print_generator(ftr_diff_view *view, const ftr_diff_generator *generator)
{
    print_stream(view, &view->diff->streams[generator->stream]);
    ftr_print_char(view->out, ' ');
    print_text(view->out, generator->name);
}

static void print_latency(ftr_diff_view *view, ftr_diff_generator *generator)
{
    ftr_printer *out = view->out;
    for (unsigned s = 0; s < 2; s++) {
        ftr_latency_bins *latency = &generator->latency[s];
        const uint64_t times[] = {
            ftr_latency_bins_mean(latency), ftr_latency_bins_percentile(latency, 50 * FTR_PERCENT),
            ftr_latency_bins_percentile(latency, 99 * FTR_PERCENT), latency->greatest};
        ftr_print_string(out, s == 0 ? "before\t" : "after\t");
        ftr_print_uint(out, latency->count);
        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
            ftr_print_char(out, '\t');
            ftr_print_time(out, times[i], view->diff->time_scale);
        }
        ftr_print_char(out, '\t');
        ftr_print_uint(out, generator->durations);
        ftr_print_char(out, '\t');
        print_generator(view, generator);
        ftr_print_char(out, '\n');
    }
}

/* Prints the generators with transactions that became longer or shorter. The generators that
 * changed only because nested transactions changed follow in one common line, unless all
 * differences are listed. */
static void print_latencies(ftr_diff_view *view)
{
    ftr_printer *out = view->out;
    bool titled = false;
    uint64_t following = 0;
    for (size_t i = 0; i < view->diff->generator_count; i++) {
        ftr_diff_generator *generator = &view->diff->generators[i];
        if (generator->durations == 0)
            continue;
        if (generator->follows == generator->durations && !view->all) {
            following++;
            continue;
        }
        if (!titled)
            ftr_print_string(out,
                             "latency\tcount\tmean\tp50\tp99\tmax\tchanged\tstream, generator\n");
        titled = true;
        print_latency(view, generator);
    }
    if (following == 0)
        return;
    ftr_print_string(out, "changed only because nested transactions changed:");
    const char *comma = " ";
    for (size_t i = 0; i < view->diff->generator_count; i++) {
        const ftr_diff_generator *generator = &view->diff->generators[i];
        if (generator->durations == 0 || generator->follows < generator->durations)
            continue;
        ftr_print_string(out, comma);
        print_generator(view, generator);
        comma = ", ";
    }
    ftr_print_char(out, '\n');
}

static void print_streams(ftr_diff_view *view)
{
    ftr_printer *out = view->out;
    for (size_t i = 0; i < view->diff->stream_count; i++) {
        const ftr_diff_stream *stream = &view->diff->streams[i];
        for (unsigned s = 0; s < 2; s++)
            if (stream->names[s].data == NULL && stream->transactions[1 - s] > 0) {
                ftr_print_string(out, "stream ");
                print_stream(view, stream);
                ftr_print_string(out, s == 1 ? " is only in the first file, with "
                                             : " is only in the second file, with ");
                ftr_print_uint(out, stream->transactions[1 - s]);
                ftr_print_string(out, " transactions\n");
            }
        if (stream->alignment_stopped) {
            ftr_print_string(out, "stream ");
            print_stream(view, stream);
            ftr_print_string(out, " was not compared from ");
            ftr_print_time(out, stream->aligned_until, view->diff->time_scale);
            ftr_print_string(out, " on, because the files are too different: ");
            ftr_print_uint(out, stream->not_aligned[0]);
            ftr_print_string(out, " transactions of the first file and ");
            ftr_print_uint(out, stream->not_aligned[1]);
            ftr_print_string(out, " of the second\n");
        }
    }
}

typedef struct stream_row {
    const ftr_diff_view *view;
    const ftr_diff_stream *stream;
} stream_row;

static void describe_stream(ftr_rows *rows, const void *row)
{
    const stream_row *of = row;
    const ftr_diff_stream *stream = of->stream;
    const ftr_view label = ftr_diff_stream_label(of->view, stream);
    for (unsigned s = 0; s < 2; s++)
        ftr_row_count(rows, FTR_IN_TEXT, ftr_diff_side_names[s], stream->transactions[s]);
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        ftr_row_count(rows, FTR_IN_TEXT, ftr_diff_kind_names[kind], stream->counts[kind]);
    ftr_row_name(rows, "stream", label.data, label.size, FTR_NAME_WIDTH);
}

static void print_summary(ftr_diff_view *view)
{
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TABS, view->out);
    ftr_rows_put_titles(&rows, describe_stream,
                        &(stream_row){view, &(ftr_diff_stream){.name = ""}});
    for (size_t i = 0; i < view->diff->stream_count; i++)
        ftr_rows_put(&rows, describe_stream, &(stream_row){view, &view->diff->streams[i]});
}

/* ---- public functions ------------------------------------------------------------------------ */

void ftr_diff_print_counts(ftr_printer *out, const ftr_trace_diff *diff)
{
    const uint64_t total = ftr_diff_total(diff);
    if (ftr_diff_is_equal(diff)) {
        ftr_print_string(out, "equal");
        return;
    }
    ftr_print_uint(out, total);
    ftr_print_string(out, total == 1 ? " difference" : " differences");
    const char *comma = ": ";
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++) {
        if (diff->counts[kind] == 0)
            continue;
        ftr_print_string(out, comma);
        ftr_print_uint(out, diff->counts[kind]);
        ftr_print_char(out, ' ');
        ftr_print_string(out, word_of(kind));
        comma = ", ";
    }
    if (diff->relations_differing == UINT64_MAX) {
        ftr_print_string(out, "; many relations");
    } else if (diff->relations_differing > 0) {
        ftr_print_string(out, comma);
        ftr_print_uint(out, diff->relations_differing);
        ftr_print_string(out, diff->relations_differing == 1 ? " relation" : " relations");
    }
    if (diff->relations_not_compared)
        ftr_print_string(out, "; relations not compared");
    if (diff->not_aligned[0] + diff->not_aligned[1] > 0) {
        ftr_print_string(out, "; too different to compare: ");
        ftr_print_uint(out, diff->not_aligned[0]);
        ftr_print_string(out, " and ");
        ftr_print_uint(out, diff->not_aligned[1]);
    }
}

bool ftr_diff_report_print(ftr_diff_report *report, ftr_diff_view *view)
{
    bool ok = true;
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        if (report->kinds[kind].count > 1)
            qsort(report->kinds[kind].kept, report->kinds[kind].count, sizeof(ftr_difference),
                  compare_times);
    if (!view->summary && !ftr_diff_is_equal(view->diff)) {
        ok = print_first(report, view);
        for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
            if (view->diff->counts[kind] > 0 && (kind != FTR_DIFF_DURATION || view->all))
                print_kind(report, view, kind);
        print_relations(report, view);
        print_latencies(view);
        print_streams(view);
    }
    if (view->summary)
        print_summary(view);
    if (view->summary || !ftr_diff_is_equal(view->diff)) {
        ftr_print_uint(view->out, view->diff->transactions[0]);
        ftr_print_string(view->out, " and ");
        ftr_print_uint(view->out, view->diff->transactions[1]);
        ftr_print_string(view->out, " transactions: ");
        ftr_diff_print_counts(view->out, view->diff);
        ftr_print_char(view->out, '\n');
    }
    return ok;
}
