/* The JSON of `ftr diff`. */
#include "diff_report.h"

#include "transaction_text.h"

static void begin_record(ftr_json *json, const char *name)
{
    ftr_json_open(json, NULL, '{');
    ftr_json_string(json, "record", name);
}

static void put_kinds(ftr_json *json, const uint64_t *counts)
{
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        ftr_json_count(json, ftr_diff_kind_names[kind], counts[kind]);
}

static void put_value_or_null(ftr_json *json, const char *name, const ftr_attribute_value *value)
{
    if (value != NULL)
        ftr_json_value(json, name, value);
    else
        ftr_json_null(json, name);
}

static void put_attribute(void *user, const ftr_attribute_value *first,
                          const ftr_attribute_value *second)
{
    ftr_json *json = user;
    const ftr_attribute_value *either = first != NULL ? first : second;
    ftr_json_open(json, NULL, '{');
    ftr_json_view(json, "name", either->name);
    ftr_json_string(json, "class", ftr_class_name(either->class_));
    put_value_or_null(json, "first", first);
    put_value_or_null(json, "second", second);
    ftr_json_close(json, '}');
}

void ftr_diff_json_difference(ftr_diff_view *view, const ftr_difference *difference)
{
    ftr_transaction tx[2];
    bool found[2];
    if (view->summary)
        return;
    const ftr_diff_generator *generator = &view->diff->generators[difference->generator];
    const unsigned kind = difference->kind;
    ftr_json json = {.out = view->out};
    begin_record(&json, ftr_diff_kind_names[kind]);
    ftr_json_count(&json, "time", difference->time);
    ftr_json_string(&json, "stream", view->diff->streams[generator->stream].name);
    ftr_json_view(&json, "generator", generator->name);
    if (kind == FTR_DIFF_DURATION || kind == FTR_DIFF_MOVED || kind == FTR_DIFF_SHIFTED)
        ftr_json_int(&json, "delta", difference->delta);
    if (kind == FTR_DIFF_DURATION)
        ftr_json_bool(&json, "follows", difference->follows);
    ftr_diff_find(view, difference, tx, found);
    if (kind == FTR_DIFF_CHANGED && found[0] && found[1]) {
        ftr_json_open(&json, "attributes", '[');
        (void)ftr_attributes_compare(&view->sides, tx, put_attribute, &json);
        ftr_json_close(&json, ']');
    }
    for (unsigned s = 0; s < 2; s++)
        if (found[s]) {
            ftr_json_name(&json, ftr_diff_side_names[s], strlen(ftr_diff_side_names[s]));
            ftr_put_transaction_json(view->out, view->input[s]->reader, &tx[s], FTR_NO_PARENT,
                                     &view->links[s]);
        }
    ftr_json_end_line(&json);
}

void ftr_diff_json_relation(ftr_diff_view *view, const ftr_relation_difference *difference)
{
    ftr_json json = {.out = view->out};
    if (view->summary)
        return;
    begin_record(&json, "relation");
    ftr_json_view(&json, "name", difference->name);
    for (unsigned s = 0; s < 2; s++)
        if (difference->exists[s]) {
            const uint64_t ends[] = {difference->from[s], difference->to[s]};
            ftr_json_counts(&json, ftr_diff_side_names[s], ends, 2);
        }
    ftr_json_end_line(&json);
}

static void put_streams(ftr_diff_view *view)
{
    ftr_json json = {.out = view->out};
    for (uint32_t i = 0; i < view->diff->stream_count; i++) {
        const ftr_diff_stream *stream = &view->diff->streams[i];
        uint64_t differences = stream->not_aligned[0] + stream->not_aligned[1];
        for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
            differences += stream->counts[kind];
        if (differences == 0 && !view->summary)
            continue;
        begin_record(&json, "stream");
        ftr_json_string(&json, "stream", stream->name);
        for (unsigned s = 0; s < 2; s++)
            if (stream->names[s].data == NULL)
                ftr_json_string(&json, "only_in", ftr_diff_side_names[1 - s]);
        ftr_json_counts(&json, "transactions", stream->transactions, 2);
        put_kinds(&json, stream->counts);
        if (stream->alignment_stopped) {
            ftr_json_count(&json, "too_different_from", stream->aligned_until);
            ftr_json_counts(&json, "not_compared", stream->not_aligned, 2);
        }
        ftr_json_end_line(&json);
    }
}

static void put_latencies(ftr_diff_view *view)
{
    ftr_json json = {.out = view->out};
    for (size_t i = 0; i < view->diff->generator_count; i++) {
        ftr_diff_generator *generator = &view->diff->generators[i];
        if (generator->durations == 0)
            continue;
        begin_record(&json, "latency");
        ftr_json_string(&json, "stream", view->diff->streams[generator->stream].name);
        ftr_json_view(&json, "generator", generator->name);
        ftr_json_count(&json, "changed", generator->durations);
        ftr_json_count(&json, "follows", generator->follows);
        for (unsigned s = 0; s < 2; s++) {
            ftr_latency_bins *latency = &generator->latency[s];
            ftr_json_open(&json, ftr_diff_side_names[s], '{');
            ftr_json_count(&json, "count", latency->count);
            ftr_json_count(&json, "mean", ftr_latency_bins_mean(latency));
            ftr_json_count(&json, "p50", ftr_latency_bins_percentile(latency, 50 * FTR_PERCENT));
            ftr_json_count(&json, "p99", ftr_latency_bins_percentile(latency, 99 * FTR_PERCENT));
            ftr_json_count(&json, "max", latency->greatest);
            ftr_json_close(&json, '}');
        }
        ftr_json_end_line(&json);
    }
}

void ftr_diff_json_end(ftr_diff_view *view)
{
    const ftr_trace_diff *diff = view->diff;
    ftr_json json = {.out = view->out};
    put_streams(view);
    put_latencies(view);
    begin_record(&json, "summary");
    ftr_json_bool(&json, "equal", ftr_diff_is_equal(diff));
    ftr_json_int(&json, "time_scale", diff->time_scale);
    ftr_json_counts(&json, "transactions", diff->transactions, 2);
    ftr_json_count(&json, "pairs", diff->pairs);
    ftr_json_count(&json, "differences", ftr_diff_total(diff));
    put_kinds(&json, diff->counts);
    ftr_json_counts(&json, "not_compared", diff->not_aligned, 2);
    ftr_json_counts(&json, "relations", diff->relations, 2);
    if (diff->relations_differing == UINT64_MAX || diff->relations_not_compared)
        ftr_json_null(&json, "relations_differing");
    else
        ftr_json_count(&json, "relations_differing", diff->relations_differing);
    ftr_json_end_line(&json);
}
