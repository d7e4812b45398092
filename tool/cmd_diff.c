/* ftr diff: whether two traces say the same, and where they part. Ids mean nothing here: the n-th
   transaction of a stream's generator is compared with the n-th of the same names, by begin. */
#include "command.h"
#include "input_file.h"
#include "name_pattern.h"
#include "time_text.h"
#include "transaction_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SIDES 2

typedef struct diff_options {
    ftr_input_options input;
    ftr_patterns ignored;
    ftr_patterns streams;
    ftr_time_value tolerance;
    bool quiet;
    bool json;
} diff_options;

enum { OPTION_TOLERANCE = FTR_OPTION_FIRST_FREE, OPTION_IGNORE, OPTION_STREAM, OPTION_JSON };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    {"time-tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"ignore", required_argument, NULL, OPTION_IGNORE},
    {"stream", required_argument, NULL, OPTION_STREAM},
    {"json", no_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* A generator of either file, by the names of both. */
typedef struct generator_pair {
    ftr_view stream, generator;
} generator_pair;

typedef struct diff {
    const diff_options *options;
    ftr_input side[SIDES];
    int time_scale[SIDES];
    uint64_t factor[SIDES]; /* ticks of the finer scale in one of the file's */
    uint64_t tolerance;
    uint64_t compared, different, missing[SIDES]; /* transactions */
    uint64_t streams_different;
    bool failed;
    ftr_printer out;
} diff;

/* Ticks of either file, times what makes them those of the finer scale. */
__extension__ typedef unsigned __int128 wide_time;

/* The first divergence of a stream. */
typedef struct divergence {
    bool found;
    wide_time time; /* ticks of the finer scale */
    char *text;
    size_t size;
} divergence;

static bool is_same_view(ftr_view a, ftr_view b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

/* ---- comparing ------------------------------------------------------------------------------- */

static bool is_same_time(const diff *d, uint64_t a, uint64_t b)
{
    const wide_time x = (wide_time)a * d->factor[0];
    const wide_time y = (wide_time)b * d->factor[1];
    return (x > y ? x - y : y - x) <= d->tolerance;
}

static bool is_same_value(const diff *d, const ftr_attribute_value *a, const ftr_attribute_value *b)
{
    if (a->type != b->type || a->class_ != b->class_ || a->form != b->form)
        return false;
    switch (a->form) {
    case FTR_FORM_BOOLEAN:
        return a->as.boolean == b->as.boolean;
    case FTR_FORM_INTEGER:
        return a->as.integer == b->as.integer;
    case FTR_FORM_NUMBER:
        return a->type == FTR_TYPE_TIME ? is_same_time(d, a->as.number, b->as.number)
                                        : a->as.number == b->as.number;
    case FTR_FORM_REAL:
        return a->as.real == b->as.real || (isnan(a->as.real) && isnan(b->as.real));
    case FTR_FORM_TEXT:
        return is_same_view(a->as.text, b->as.text);
    default:
        return true;
    }
}

/* The next attribute that is not ignored. */
static bool next_attribute(diff *d, unsigned side, ftr_transaction *tx,
                           ftr_attribute_value *attribute)
{
    while (ftr_reader_next_attribute(d->side[side].reader, tx, attribute))
        if (attribute->name.data == NULL ||
            !ftr_patterns_match(&d->options->ignored, attribute->name))
            return true;
    return false;
}

static bool is_same_transaction(diff *d, ftr_transaction *a, ftr_transaction *b)
{
    if (!is_same_time(d, a->begin, b->begin) || !is_same_time(d, a->end, b->end))
        return false;
    ftr_attribute_value x;
    ftr_attribute_value y;
    for (;;) {
        const bool has_a = next_attribute(d, 0, a, &x);
        const bool has_b = next_attribute(d, 1, b, &y);
        if (has_a != has_b)
            return false;
        if (!has_a)
            return true;
        if (!is_same_view(x.name, y.name) || !is_same_value(d, &x, &y))
            return false;
    }
}

/* ---- saying where ---------------------------------------------------------------------------- */

static void append_line(ftr_printer *text, const char *mark, diff *d, unsigned side,
                        ftr_transaction *tx)
{
    ftr_print_string(text, mark);
    ftr_transaction_rewind(tx);
    ftr_put_transaction_plain(text, d->side[side].reader, tx, d->time_scale[side]);
    ftr_print_char(text, '\n');
}

static bool choose_stream(void *user, const ftr_stream_info *stream)
{
    return is_same_view(((const generator_pair *)user)->stream, stream->name);
}

static bool choose_generator(void *user, const ftr_generator_info *generator)
{
    return is_same_view(((const generator_pair *)user)->generator, generator->name);
}

static ftr_query query_of(generator_pair *pair)
{
    return (ftr_query){.size = sizeof(ftr_query),
                       .order = FTR_ORDER_BEGIN,
                       .choose_stream = choose_stream,
                       .choose_generator = choose_generator,
                       .user = pair};
}

/* The transaction before the one that differs, for context. It is read again: to keep each one's
   text until the next is compared would cost more than all the comparing. */
static void append_before(ftr_printer *text, diff *d, generator_pair *pair, uint64_t number)
{
    const ftr_query query = query_of(pair);
    ftr_cursor *cursor;
    ftr_transaction tx;
    if (number == 1 || ftr_cursor_open(d->side[0].reader, &query, &cursor) != FTR_OK)
        return;
    ftr_status status = FTR_OK;
    for (uint64_t i = 1; i < number && status == FTR_OK; i++)
        status = ftr_cursor_next(cursor, &tx);
    if (status == FTR_OK)
        append_line(text, "  ", d, 0, &tx);
    ftr_cursor_close(cursor);
}

/* Keeps the divergence at @p a and @p b (NULL: the file has none) if it is the stream's first. */
static void note(diff *d, divergence *first, generator_pair *pair, uint64_t number,
                 ftr_transaction *a, ftr_transaction *b)
{
    const unsigned side = a != NULL ? 0 : 1;
    const wide_time time = (wide_time)(side == 0 ? a->begin : b->begin) * d->factor[side];
    if (first->found && first->time <= time)
        return;
    static ftr_printer text; /* lines longer than it are cut */
    ftr_printer_init(&text, -1);
    ftr_print_plain(&text, pair->stream.data, pair->stream.size);
    ftr_print_char(&text, ' ');
    ftr_print_plain(&text, pair->generator.data, pair->generator.size);
    ftr_print_string(&text, ": transaction ");
    ftr_print_uint(&text, number);
    ftr_print_string(&text, a == NULL || b == NULL ? " is in one file only\n" : " differs\n");
    append_before(&text, d, pair, number);
    if (a != NULL)
        append_line(&text, "- ", d, 0, a);
    if (b != NULL)
        append_line(&text, "+ ", d, 1, b);
    char *kept = malloc(text.filled);
    if (kept == NULL)
        return;
    memcpy(kept, text.bytes, text.filled);
    free(first->text);
    *first = (divergence){.found = true, .time = time, .text = kept, .size = text.filled};
}

/* ---- passes ---------------------------------------------------------------------------------- */

static void compare_generators(diff *d, generator_pair *pair, divergence *first)
{
    const ftr_query query = query_of(pair);
    ftr_cursor *cursor[SIDES] = {NULL, NULL};
    ftr_status status[SIDES] = {FTR_OK, FTR_OK};
    ftr_transaction tx[SIDES];
    for (unsigned s = 0; s < SIDES; s++)
        status[s] = ftr_cursor_open(d->side[s].reader, &query, &cursor[s]);
    bool parted = false;
    for (uint64_t number = 1;; number++) {
        for (unsigned s = 0; s < SIDES; s++)
            if (status[s] == FTR_OK)
                status[s] = ftr_cursor_next(cursor[s], &tx[s]);
        if (status[0] != FTR_OK && status[1] != FTR_OK)
            break;
        if (status[0] != FTR_OK || status[1] != FTR_OK) {
            const unsigned has = status[0] == FTR_OK ? 0 : 1;
            d->missing[1 - has]++;
            if (!parted)
                note(d, first, pair, number, has == 0 ? &tx[0] : NULL, has == 1 ? &tx[1] : NULL);
            parted = true;
            continue;
        }
        d->compared++;
        if (is_same_transaction(d, &tx[0], &tx[1]))
            continue;
        d->different++;
        if (!parted)
            note(d, first, pair, number, &tx[0], &tx[1]);
        parted = true;
    }
    for (unsigned s = 0; s < SIDES; s++) {
        d->failed |= !ftr_input_ended_well(&d->side[s], status[s]);
        ftr_cursor_close(cursor[s]);
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const generator_pair *x = a;
    const generator_pair *y = b;
    const ftr_view left[] = {x->stream, x->generator};
    const ftr_view right[] = {y->stream, y->generator};
    for (unsigned i = 0; i < 2; i++) {
        const size_t shorter = left[i].size < right[i].size ? left[i].size : right[i].size;
        const int order = shorter > 0 ? memcmp(left[i].data, right[i].data, shorter) : 0;
        if (order != 0)
            return order;
        if (left[i].size != right[i].size)
            return left[i].size < right[i].size ? -1 : 1;
    }
    return 0;
}

/* The generators of both files, each once, in order of name. */
static generator_pair *list_pairs(diff *d, size_t *count)
{
    size_t capacity = 1;
    for (unsigned s = 0; s < SIDES; s++)
        capacity += ftr_reader_generator_count(d->side[s].reader);
    generator_pair *pairs = calloc(capacity, sizeof *pairs);
    size_t listed = 0;
    for (unsigned s = 0; pairs != NULL && s < SIDES; s++)
        for (size_t i = 0; i < ftr_reader_generator_count(d->side[s].reader); i++) {
            const ftr_generator_info *generator = ftr_reader_get_generator(d->side[s].reader, i);
            if (d->options->streams.count > 0 &&
                !ftr_patterns_match(&d->options->streams, generator->stream->name))
                continue;
            pairs[listed++] = (generator_pair){generator->stream->name, generator->name};
        }
    if (listed > 0)
        qsort(pairs, listed, sizeof *pairs, compare_pairs);
    size_t kept = 0;
    for (size_t i = 0; i < listed; i++)
        if (kept == 0 || compare_pairs(&pairs[kept - 1], &pairs[i]) != 0)
            pairs[kept++] = pairs[i];
    *count = kept;
    return pairs;
}

static void end_stream(diff *d, divergence *first)
{
    if (first->found) {
        d->streams_different++;
        if (!d->options->quiet && !d->options->json)
            ftr_print(&d->out, first->text, first->size);
    }
    free(first->text);
    *first = (divergence){.found = false};
}

static void compare_all(diff *d)
{
    size_t count;
    generator_pair *pairs = list_pairs(d, &count);
    d->failed = pairs == NULL;
    divergence first = {.found = false};
    for (size_t i = 0; i < count && !d->failed; i++) {
        if (i > 0 && !is_same_view(pairs[i - 1].stream, pairs[i].stream))
            end_stream(d, &first);
        compare_generators(d, &pairs[i], &first);
    }
    end_stream(d, &first);
    free(pairs);
}

/* ---- relations: how many of each name -------------------------------------------------------- */

static uint64_t count_relations(diff *d, unsigned side, uint64_t *digest)
{
    ftr_relation_cursor *cursor;
    ftr_relation_info relation;
    uint64_t count = 0;
    ftr_status status = ftr_relation_cursor_open(d->side[side].reader, false, 0, &cursor);
    *digest = 0;
    while (status == FTR_OK && (status = ftr_relation_cursor_next(cursor, &relation)) == FTR_OK) {
        uint64_t hash = 0xcbf29ce484222325u;
        for (size_t i = 0; i < relation.name.size; i++)
            hash = (hash ^ (uint8_t)relation.name.data[i]) * 0x100000001b3u;
        *digest += hash; /* the same sum for the same names in any order */
        count++;
    }
    if (status == FTR_ERR_END)
        ftr_relation_cursor_close(cursor);
    d->failed |= !ftr_input_ended_well(&d->side[side], status);
    return count;
}

static bool compare_relations(diff *d, uint64_t *counts)
{
    uint64_t digest[SIDES];
    for (unsigned s = 0; s < SIDES; s++)
        counts[s] = count_relations(d, s, &digest[s]);
    return counts[0] == counts[1] && digest[0] == digest[1];
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool prepare_times(diff *d)
{
    ftr_summary summary;
    for (unsigned s = 0; s < SIDES; s++) {
        ftr_reader_get_summary(d->side[s].reader, &summary);
        d->time_scale[s] = summary.time_scale;
        d->factor[s] = 1;
    }
    const unsigned coarse = d->time_scale[0] > d->time_scale[1] ? 0 : 1;
    const int finer = d->time_scale[1 - coarse];
    for (int scale = d->time_scale[coarse]; scale > finer; scale--) {
        if (d->factor[coarse] > UINT64_MAX / 10)
            return false;
        d->factor[coarse] *= 10;
    }
    bool exact;
    return ftr_time_to_ticks(&d->options->tolerance, finer, &d->tolerance, &exact);
}

static void print_summary(diff *d, const uint64_t *relations, bool same_relations)
{
    ftr_printer *out = &d->out;
    char text[512];
    if (d->options->json) {
        (void)snprintf(
            text, sizeof text,
            "{\"compared\": %" PRIu64 ", \"different\": %" PRIu64 ", \"only_in_first\": %" PRIu64
            ", \"only_in_second\": %" PRIu64 ", \"streams_different\": %" PRIu64
            ", \"relations\": [%" PRIu64 ", %" PRIu64 "], \"same_relations\": %s}\n",
            d->compared, d->different, d->missing[1], d->missing[0], d->streams_different,
            relations[0], relations[1], same_relations ? "true" : "false");
        ftr_print_string(out, text);
        return;
    }
    (void)snprintf(text, sizeof text,
                   "%" PRIu64 " transactions compared: %" PRIu64 " differ, %" PRIu64
                   " only in the first file, %" PRIu64 " only in the second\n",
                   d->compared, d->different, d->missing[1], d->missing[0]);
    ftr_print_string(out, text);
    if (same_relations)
        return;
    (void)snprintf(text, sizeof text, "relations differ: %" PRIu64 " and %" PRIu64 "\n",
                   relations[0], relations[1]);
    ftr_print_string(out, text);
}

static int compare_files(const diff_options *options, char **paths)
{
    static diff d; /* with the buffer of its output */
    d.options = options;
    ftr_printer_init(&d.out, STDOUT_FILENO);
    if (!ftr_input_open(&d.side[0], paths[0], &options->input))
        return FTR_EXIT_TROUBLE;
    if (!ftr_input_open(&d.side[1], paths[1], &options->input)) {
        ftr_input_close(&d.side[0]);
        return FTR_EXIT_TROUBLE;
    }
    bool same = false;
    uint64_t relations[SIDES] = {0, 0};
    d.failed = !prepare_times(&d);
    if (d.failed) {
        ftr_complain("the time scales of %s and %s are too far apart", paths[0], paths[1]);
    } else {
        compare_all(&d);
        const bool same_relations = compare_relations(&d, relations);
        same = d.different == 0 && d.missing[0] == 0 && d.missing[1] == 0 && same_relations;
        if ((!same && !options->quiet) || options->json)
            print_summary(&d, relations, same_relations);
    }
    if (!ftr_printer_flush(&d.out)) {
        ftr_complain("stdout could not be written");
        d.failed = true;
    }
    for (unsigned s = 0; s < SIDES; s++)
        ftr_input_close(&d.side[s]);
    if (d.failed)
        return FTR_EXIT_TROUBLE;
    return same ? FTR_EXIT_OK : FTR_EXIT_FOUND;
}

static bool take_option(void *taken, int option, const char *argument)
{
    diff_options *options = taken;
    if (option == OPTION_TOLERANCE)
        return ftr_time_parse(argument, &options->tolerance, NULL);
    if (option == OPTION_IGNORE)
        return ftr_patterns_add(&options->ignored, argument);
    if (option == OPTION_STREAM)
        return ftr_patterns_add(&options->streams, argument);
    if (option == OPTION_JSON)
        options->json = true;
    else if (option == 'q')
        options->quiet = true;
    else
        return ftr_input_take_option(&options->input, option, argument);
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_diff, ":hq", LONG_OPTIONS, take_option};

static int run(int argc, char **argv)
{
    diff_options options = {.input = {.spool = true}, .tolerance = {.in_ticks = true}};
    int status;
    if (!ftr_take_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind != argc - 2)
        return ftr_misuse(&ftr_command_diff, "two files are expected");
    return compare_files(&options, argv + optind);
}

const ftr_command ftr_command_diff = {
    "diff",
    "compares two traces by meaning: where each stream parts first",
    run,
    "[OPTION]... FILE FILE",
    "  --time-tolerance TIME   times that are no further apart are the same\n"
    "  --ignore GLOBS          attributes not to compare; repeatable\n"
    "  --stream GLOBS          only streams whose names match\n"
    "  -q, --quiet             only the exit status\n"
    "  --json                  the summary, as a JSON object\n" FTR_INPUT_OPTIONS_TEXT
    "The n-th transaction of a generator is compared with the n-th of the same stream and name,\n"
    "by begin; ids are not compared. Relations are compared by how many there are of each name.\n"
    "Exit status: 0 the same, 1 different, 2 trouble.\n",
};
