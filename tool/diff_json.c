/* Owns the JSON of `ftr diff`. Does not know how differences are found. */
#include "diff_json.h"

#include "transaction_text.h"

static const char *const KIND_NAMES[FTR_DIFF_KINDS] = {
    [FTR_DIFF_DELETED] = "deleted", [FTR_DIFF_INSERTED] = "inserted",
    [FTR_DIFF_CHANGED] = "changed", [FTR_DIFF_DURATION] = "duration",
    [FTR_DIFF_MOVED] = "moved",     [FTR_DIFF_SHIFTED] = "shifted",
};
static const char *const SIDE_NAMES[] = {"first", "second"};

static void put_name(ftr_printer *out, const char *name)
{
    ftr_print_string(out, ", \"");
    ftr_print_string(out, name);
    ftr_print_string(out, "\": ");
}

static void put_number(ftr_printer *out, const char *name, uint64_t value)
{
    put_name(out, name);
    ftr_print_uint(out, value);
}

static void put_both(ftr_printer *out, const char *name, const uint64_t *values)
{
    put_name(out, name);
    ftr_print_char(out, '[');
    ftr_print_uint(out, values[0]);
    ftr_print_string(out, ", ");
    ftr_print_uint(out, values[1]);
    ftr_print_char(out, ']');
}

static void begin_record(ftr_printer *out, const char *name)
{
    ftr_print_string(out, "{\"record\": \"");
    ftr_print_string(out, name);
    ftr_print_char(out, '"');
}

static void put_stream(ftr_diff_view *view, uint32_t stream)
{
    put_name(view->out, "stream");
    const char *name = view->diff->streams[stream].name;
    ftr_print_json(view->out, name, strlen(name));
}

static void put_value_or_null(ftr_printer *out, const char *name, const ftr_attribute_value *value)
{
    put_name(out, name);
    if (value != NULL)
        ftr_put_value_json(out, value);
    else
        ftr_print_string(out, "null");
}

typedef struct attribute_list {
    ftr_printer *out;
    const char *comma;
} attribute_list;

static void put_attribute(void *user, const ftr_attribute_value *first,
                          const ftr_attribute_value *second)
{
    attribute_list *list = user;
    const ftr_attribute_value *either = first != NULL ? first : second;
    ftr_print_string(list->out, list->comma);
    ftr_print_string(list->out, "{\"name\": ");
    ftr_put_view_json(list->out, either->name);
    put_name(list->out, "class");
    ftr_print_char(list->out, '"');
    ftr_print_string(list->out, ftr_class_name(either->class_));
    ftr_print_char(list->out, '"');
    put_value_or_null(list->out, "first", first);
    put_value_or_null(list->out, "second", second);
    ftr_print_char(list->out, '}');
    list->comma = ", ";
}

void ftr_diff_json_difference(ftr_diff_view *view, const ftr_difference *difference)
{
    ftr_printer *out = view->out;
    ftr_transaction tx[2];
    bool found[2];
    if (view->summary)
        return;
    const ftr_diff_generator *generator = &view->diff->generators[difference->generator];
    begin_record(out, KIND_NAMES[difference->kind]);
    put_number(out, "time", difference->time);
    put_stream(view, generator->stream);
    put_name(out, "generator");
    ftr_put_view_json(out, generator->name);
    if (difference->kind == FTR_DIFF_DURATION || difference->kind == FTR_DIFF_MOVED ||
        difference->kind == FTR_DIFF_SHIFTED) {
        put_name(out, "delta");
        ftr_print_int(out, difference->delta);
    }
    if (difference->kind == FTR_DIFF_DURATION) {
        put_name(out, "follows");
        ftr_print_string(out, difference->follows ? "true" : "false");
    }
    ftr_diff_find(view, difference, tx, found);
    if (difference->kind == FTR_DIFF_CHANGED && found[0] && found[1]) {
        attribute_list list = {out, ""};
        put_name(out, "attributes");
        ftr_print_char(out, '[');
        (void)ftr_attributes_compare(&view->sides, tx, put_attribute, &list);
        ftr_print_char(out, ']');
    }
    for (unsigned s = 0; s < 2; s++)
        if (found[s]) {
            put_name(out, SIDE_NAMES[s]);
            ftr_put_transaction_json(out, view->input[s]->reader, &tx[s]);
        }
    ftr_print_string(out, "}\n");
}

void ftr_diff_json_relation(ftr_diff_view *view, const ftr_relation_difference *difference)
{
    ftr_printer *out = view->out;
    if (view->summary)
        return;
    begin_record(out, "relation");
    put_name(out, "name");
    ftr_put_view_json(out, difference->name);
    for (unsigned s = 0; s < 2; s++)
        if (difference->exists[s]) {
            const uint64_t ends[] = {difference->from[s], difference->to[s]};
            put_both(out, SIDE_NAMES[s], ends);
        }
    ftr_print_string(out, "}\n");
}

static void put_streams(ftr_diff_view *view)
{
    ftr_printer *out = view->out;
    for (uint32_t i = 0; i < view->diff->stream_count; i++) {
        const ftr_diff_stream *stream = &view->diff->streams[i];
        uint64_t differences = stream->not_aligned[0] + stream->not_aligned[1];
        for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
            differences += stream->counts[kind];
        if (differences == 0 && !view->summary)
            continue;
        begin_record(out, "stream");
        put_stream(view, i);
        for (unsigned s = 0; s < 2; s++)
            if (stream->names[s].data == NULL) {
                put_name(out, "only_in");
                ftr_print_string(out, s == 1 ? "\"first\"" : "\"second\"");
            }
        put_both(out, "transactions", stream->transactions);
        for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
            put_number(out, KIND_NAMES[kind], stream->counts[kind]);
        if (stream->alignment_stopped) {
            put_number(out, "too_different_from", stream->aligned_until);
            put_both(out, "not_compared", stream->not_aligned);
        }
        ftr_print_string(out, "}\n");
    }
}

static void put_latencies(ftr_diff_view *view)
{
    ftr_printer *out = view->out;
    for (size_t i = 0; i < view->diff->generator_count; i++) {
        ftr_diff_generator *generator = &view->diff->generators[i];
        if (generator->durations == 0)
            continue;
        begin_record(out, "latency");
        put_stream(view, generator->stream);
        put_name(out, "generator");
        ftr_put_view_json(out, generator->name);
        put_number(out, "changed", generator->durations);
        put_number(out, "follows", generator->follows);
        for (unsigned s = 0; s < 2; s++) {
            ftr_latency_bins *latency = &generator->latency[s];
            put_name(out, SIDE_NAMES[s]);
            ftr_print_string(out, "{\"count\": ");
            ftr_print_uint(out, latency->count);
            put_number(out, "mean", ftr_latency_bins_mean(latency));
            put_number(out, "p50", ftr_latency_bins_percentile(latency, 50 * FTR_PERCENT));
            put_number(out, "p99", ftr_latency_bins_percentile(latency, 99 * FTR_PERCENT));
            put_number(out, "max", latency->greatest);
            ftr_print_char(out, '}');
        }
        ftr_print_string(out, "}\n");
    }
}

void ftr_diff_json_end(ftr_diff_view *view)
{
    const ftr_trace_diff *diff = view->diff;
    ftr_printer *out = view->out;
    put_streams(view);
    put_latencies(view);
    begin_record(out, "summary");
    put_name(out, "equal");
    ftr_print_string(out, ftr_diff_is_equal(diff) ? "true" : "false");
    put_name(out, "time_scale");
    ftr_print_int(out, diff->time_scale);
    put_both(out, "transactions", diff->transactions);
    put_number(out, "pairs", diff->pairs);
    put_number(out, "differences", ftr_diff_total(diff));
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        put_number(out, KIND_NAMES[kind], diff->counts[kind]);
    put_both(out, "not_compared", diff->not_aligned);
    put_both(out, "relations", diff->relations);
    put_name(out, "relations_differing");
    if (diff->relations_differing == UINT64_MAX || diff->relations_not_compared)
        ftr_print_string(out, "null");
    else
        ftr_print_uint(out, diff->relations_differing);
    ftr_print_string(out, "}\n");
}
