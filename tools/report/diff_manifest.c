/* Collects the differences of two traces, and writes their manifest. */
#include "diff_manifest.h"

#include "growing_array.h"
#include "run_manifest.h"

void ftr_difference_list_add(ftr_difference_list *list, const ftr_difference *difference)
{
    if (list->count == FTR_DIFF_LIST_MAX) {
        list->omitted++;
        return;
    }
    if (!ftr_array_grow(&list->of, &list->capacity, list->count, sizeof *list->of)) {
        list->failed = true;
        return;
    }
    const ftr_tx_location *tx = difference->tx;
    list->of[list->count++] = (ftr_listed_difference){
        .time = difference->time,
        .delta = (uint64_t)difference->delta,
        .id = {tx[0].exists ? tx[0].id : 0, tx[1].exists ? tx[1].id : 0},
        .begin = {tx[0].exists ? tx[0].begin : 0, tx[1].exists ? tx[1].begin : 0},
        .generator = difference->generator,
        .kind = (uint8_t)difference->kind,
        .follows = difference->follows,
        .exists = (uint8_t)(tx[0].exists + 2 * tx[1].exists),
    };
}

void ftr_difference_list_add_relation(ftr_difference_list *list,
                                      const ftr_relation_difference *difference)
{
    if (list->relation_count == FTR_DIFF_LIST_MAX) {
        list->relations_omitted++;
        return;
    }
    const ftr_view *name = &difference->name;
    const ftr_name *kept =
        ftr_names_intern(&list->names, name->data, name->data != NULL ? name->size : 0);
    if (kept == NULL || !ftr_array_grow(&list->relations, &list->relation_capacity,
                                        list->relation_count, sizeof *list->relations)) {
        list->failed = true;
        return;
    }
    ftr_listed_relation *to = &list->relations[list->relation_count++];
    *to = (ftr_listed_relation){.name = (uint32_t)kept->number,
                                .exists =
                                    (uint8_t)(difference->exists[0] + 2 * difference->exists[1])};
    for (unsigned s = 0; s < 2; s++)
        if (difference->exists[s]) {
            to->from[s] = difference->from[s];
            to->to[s] = difference->to[s];
        }
}

static void print_both(ftr_json *json, const char *name, const uint64_t *values)
{
    ftr_json_open(json, name, '[');
    ftr_json_count(json, NULL, values[0]);
    ftr_json_count(json, NULL, values[1]);
    ftr_json_close(json, ']');
}

static void print_counts(ftr_json *json, const uint64_t *counts)
{
    ftr_json_open(json, "counts", '{');
    for (unsigned kind = 0; kind < FTR_DIFF_KINDS; kind++)
        ftr_json_count(json, ftr_diff_kind_names[kind], counts[kind]);
    ftr_json_close(json, '}');
}

static void print_streams(const ftr_trace_diff *diff,
                          uint32_t (*index_of)(void *user, unsigned side, ftr_view stream),
                          void *user, ftr_json *json)
{
    ftr_json_open(json, "streams", '[');
    for (size_t i = 0; i < diff->stream_count; i++) {
        const ftr_diff_stream *stream = &diff->streams[i];
        ftr_json_open(json, NULL, '{');
        ftr_json_string(json, "name", stream->name);
        for (unsigned s = 0; s < 2; s++) {
            const uint32_t index =
                stream->names[s].data != NULL ? index_of(user, s, stream->names[s]) : UINT32_MAX;
            if (index != UINT32_MAX)
                ftr_json_count(json, ftr_diff_side_names[s], index);
            else
                ftr_json_null(json, ftr_diff_side_names[s]);
        }
        print_both(json, "transactions", stream->transactions);
        print_counts(json, stream->counts);
        print_both(json, "not_compared", stream->not_aligned);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void print_latencies(ftr_trace_diff *diff, ftr_json *json)
{
    ftr_json_open(json, "latency", '[');
    for (size_t i = 0; i < diff->generator_count; i++) {
        ftr_diff_generator *generator = &diff->generators[i];
        if (generator->durations == 0)
            continue;
        ftr_json_open(json, NULL, '{');
        ftr_json_string(json, "stream", diff->streams[generator->stream].name);
        ftr_json_text(json, "generator", generator->name.data, generator->name.size);
        ftr_json_count(json, "changed", generator->durations);
        ftr_json_count(json, "follows", generator->follows);
        for (unsigned s = 0; s < 2; s++) {
            ftr_json_open(json, ftr_diff_side_names[s], '{');
            ftr_json_count(json, "count", generator->latency[s].count);
            ftr_latency_print(&generator->latency[s], json);
            ftr_json_close(json, '}');
        }
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void print_list(const ftr_trace_diff *diff, const ftr_difference_list *list,
                       ftr_data_block *block, ftr_json *json)
{
    const ftr_listed_difference *of = list->of;
    ftr_json_open(json, "list", '{');
#define PUT(name, member) \
    ftr_json_values(json, name, block, FTR_DATA_MEMBER(of, member, list->count), false)
    PUT("kind", kind);
    PUT("stream", stream);
    PUT("generator", generator);
    PUT("time", time);
    PUT("delta", delta);
    PUT("follows", follows);
    PUT("exists", exists);
    PUT("first_id", id[0]);
    PUT("first_begin", begin[0]);
    PUT("second_id", id[1]);
    PUT("second_begin", begin[1]);
#undef PUT
    ftr_json_open(json, "names", '[');
    for (size_t i = 0; i < diff->generator_count; i++)
        ftr_json_text(json, NULL, diff->generators[i].name.data, diff->generators[i].name.size);
    ftr_json_close(json, ']');
    ftr_json_close(json, '}');
}

static void print_relations(const ftr_difference_list *list, ftr_data_block *block, ftr_json *json)
{
    const ftr_listed_relation *of = list->relations;
    ftr_json_open(json, "relations", '{');
#define PUT(name, member) \
    ftr_json_values(json, name, block, FTR_DATA_MEMBER(of, member, list->relation_count), false)
    PUT("name", name);
    PUT("exists", exists);
    PUT("first_from", from[0]);
    PUT("first_to", to[0]);
    PUT("second_from", from[1]);
    PUT("second_to", to[1]);
#undef PUT
    ftr_json_open(json, "names", '[');
    for (size_t i = 0; i < list->names.count; i++)
        ftr_json_text(json, NULL, list->names.names[i]->text, list->names.names[i]->size);
    ftr_json_close(json, ']');
    ftr_json_close(json, '}');
}

bool ftr_diff_manifest_print(ftr_trace_diff *diff, bool is_equal, ftr_difference_list *list,
                             uint32_t (*index_of)(void *user, unsigned side, ftr_view stream),
                             void *user, ftr_data_block *block, ftr_json *json)
{
    for (size_t i = 0; i < list->count; i++)
        list->of[i].stream = diff->generators[list->of[i].generator].stream;
    ftr_json_open(json, "diff", '{');
    ftr_json_bool(json, "equal", is_equal);
    print_both(json, "transactions", diff->transactions);
    ftr_json_count(json, "pairs", diff->pairs);
    if (diff->relations_differing == UINT64_MAX || diff->relations_not_compared)
        ftr_json_null(json, "relations_differing");
    else
        ftr_json_count(json, "relations_differing", diff->relations_differing);
    print_counts(json, diff->counts);
    print_both(json, "not_compared", diff->not_aligned);
    print_streams(diff, index_of, user, json);
    print_latencies(diff, json);
    ftr_json_count(json, "omitted", list->omitted);
    print_list(diff, list, block, json);
    ftr_json_count(json, "relations_omitted", list->relations_omitted);
    print_relations(list, block, json);
    ftr_json_close(json, '}');
    return !list->failed && !block->failed;
}

void ftr_difference_list_release(ftr_difference_list *list)
{
    free(list->of);
    free(list->relations);
    ftr_names_release(&list->names);
    *list = (ftr_difference_list){0};
}
