/* ftr info: describes one file on one screen, or several files with one line for each file. */
#include "command.h"
#include "growing_array.h"
#include "input_file.h"
#include "rows.h"
#include "run_links.h"
#include "run_summary.h"
#include "tallies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct info_options {
    ftr_input_options input;
    bool counts;
    bool json;
} info_options;

enum { OPTION_COUNTS = FTR_OPTION_FIRST_FREE, OPTION_JSON };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    {"counts", no_argument, NULL, OPTION_COUNTS},
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* The number of transactions of a file and of each of its generators. */
typedef struct transaction_counts {
    bool known;
    uint64_t transactions;
    uint64_t *of_generator; /* index: number of the generator; NULL: only the total is known */
    size_t generators;
} transaction_counts;

/* A linked list of generators for each stream, in order. Index of `first`: number of the stream;
 * index of `next`: number of a generator. The values are the number of a generator + 1; 0 ends the
 * list. */
typedef struct stream_generators {
    size_t *first, *next;
} stream_generators;

typedef struct info {
    const info_options *options;
    ftr_input input;
    ftr_file_info info;
    transaction_counts counted;
    ftr_run_summary run;
    stream_generators of_stream;
    ftr_link_names links;
    ftr_printer out;
} info;

/* ---- counts ---------------------------------------------------------------------------------- */

/* Adds a transaction to the count of its generator. Runs on any reading thread; the calling thread
 * receives the counts of many transactions together. */
static bool prepare_generator(void *user, unsigned thread, ftr_reader *reader, ftr_transaction *tx,
                              ftr_prepared *prepared)
{
    ftr_tallies *of_threads = user;
    (void)reader;
    (void)prepared;
    ftr_tallies_add(&of_threads[thread], tx->generator->index, 0);
    return false;
}

static void conclude_generators(void *user, unsigned thread, ftr_prepared *prepared)
{
    ftr_tallies *of_threads = user;
    ftr_tallies_append(&of_threads[thread], prepared);
}

/* @return false if out of memory */
static bool add_counts(transaction_counts *counts, const ftr_tally *added, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!ftr_array_reach(&counts->of_generator, &counts->generators, added[i].number,
                             sizeof *counts->of_generator))
            return false;
        counts->of_generator[added[i].number] += added[i].count;
        counts->transactions += added[i].count;
    }
    return true;
}

static ftr_status count_transactions(info *file, ftr_tallies *of_threads)
{
    const ftr_query query = {.size = sizeof query,
                             .prepare = prepare_generator,
                             .conclude = conclude_generators,
                             .prepare_user = of_threads};
    ftr_cursor *cursor;
    const void *bytes;
    size_t size;
    ftr_status status = ftr_cursor_open(file->input.reader, &query, &cursor);
    if (status != FTR_OK)
        return status;
    while ((status = ftr_cursor_next_prepared(cursor, &bytes, &size)) == FTR_OK) {
        if (!add_counts(&file->counted, bytes, size / sizeof(ftr_tally))) {
            status = FTR_ERR_MEMORY;
            break;
        }
    }
    ftr_cursor_close(cursor);
    file->counted.known = true;
    return status;
}

static bool count_all(info *file)
{
    const unsigned threads = file->input.threads > 0 ? file->input.threads : 1;
    ftr_tallies *of_threads = calloc(threads, sizeof *of_threads);
    const ftr_status status =
        of_threads != NULL ? count_transactions(file, of_threads) : FTR_ERR_MEMORY;
    for (unsigned i = 0; of_threads != NULL && i < threads; i++)
        ftr_tallies_release(&of_threads[i]);
    free(of_threads);
    return ftr_input_check_end(&file->input, status);
}

/* Gets the number of transactions of an attached run from its stream ftr.run, which is small and
 * therefore fast to read. */
static bool read_run_count(info *file)
{
    const ftr_status status = ftr_run_summarize(file->input.reader, &file->run);
    if (file->run.counted && !file->counted.known) {
        file->counted.known = true;
        file->counted.transactions = file->run.transactions;
    }
    return ftr_input_check_end(&file->input, status);
}

/* @return false if out of memory */
static bool group_generators(info *file)
{
    const ftr_reader *reader = file->input.reader;
    stream_generators *groups = &file->of_stream;
    const size_t count = ftr_reader_generator_count(reader);
    groups->first = calloc(ftr_reader_stream_count(reader) + 1, sizeof *groups->first);
    groups->next = calloc(count + 1, sizeof *groups->next);
    if (groups->first == NULL || groups->next == NULL)
        return false;
    for (size_t k = count; k > 0; k--) {
        const uint32_t stream = ftr_reader_get_generator(reader, k - 1)->stream->index;
        groups->next[k - 1] = groups->first[stream];
        groups->first[stream] = k;
    }
    return true;
}

/* ---- text output ----------------------------------------------------------------------------- */

static void print_size(ftr_printer *out, uint64_t bytes)
{
    static const char *const UNITS[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    unsigned unit = 0;
    double value = (double)bytes;
    while (value >= 1024 && unit < 4) {
        value /= 1024;
        unit++;
    }
    char text[32];
    (void)snprintf(text, sizeof text, unit > 0 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    ftr_print_string(out, text);
}

static const char *numbering_name(info *file, bool *known)
{
    return ftr_reader_get_numbering(file->input.reader, known) == FTR_NUMBERING_SPEC ? "spec"
                                                                                     : "deployed";
}

static void print_epoch(ftr_printer *out, int64_t seconds)
{
    char text[64] = "out of range";
    const time_t time = (time_t)seconds;
    struct tm utc;
    if (gmtime_r(&time, &utc) != NULL)
        (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &utc);
    ftr_print_string(out, text);
}

static const char *const KIND_NAMES[FTR_CHUNK_KINDS] = {"info",         "dictionary", "directory",
                                                        "transactions", "relations",  "unknown"};

static void print_streams(info *file)
{
    ftr_printer *out = &file->out;
    ftr_reader *reader = file->input.reader;
    for (size_t i = 0; i < ftr_reader_stream_count(reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(reader, i);
        ftr_print_string(out, "  ");
        ftr_print_plain(out, stream->name.data, stream->name.size);
        if (ftr_link_has_label(&file->links, stream->name)) {
            const ftr_view label = ftr_link_label(&file->links, stream->name);
            ftr_print_string(out, " (");
            ftr_print_plain(out, label.data, label.size);
            ftr_print_char(out, ')');
        }
        ftr_print_string(out, "  ");
        if (stream->kind.data != NULL)
            ftr_print_plain(out, stream->kind.data, stream->kind.size);
        ftr_print_string(out, "  ");
        ftr_print_uint(out, stream->chunks);
        ftr_print_string(out, stream->chunks == 1 ? " chunk, " : " chunks, ");
        print_size(out, stream->bytes);
        ftr_print_string(out, " (");
        print_size(out, stream->bytes_expanded);
        ftr_print_string(out, ")\n");
        for (size_t k = file->of_stream.first[i]; k-- > 0; k = file->of_stream.next[k]) {
            const ftr_generator_info *generator = ftr_reader_get_generator(reader, k);
            ftr_print_string(out, "    ");
            ftr_print_plain(out, generator->name.data, generator->name.size);
            if (k < file->counted.generators) {
                ftr_print_string(out, "  ");
                ftr_print_uint(out, file->counted.of_generator[k]);
            }
            ftr_print_char(out, '\n');
        }
    }
}

/* Prints the ends of each link. The name of the link begins with that of its initiator socket,
 * unless the link was not recorded by `ftr attach`. */
static void print_links(info *file)
{
    ftr_printer *out = &file->out;
    if (file->links.count > 0)
        ftr_print_string(out, "links\n");
    for (size_t i = 0; i < file->links.count; i++) {
        const ftr_link *link = &file->links.links[i];
        ftr_print_string(out, "  ");
        ftr_print_plain(out, link->name, strlen(link->name));
        if (link->initiator != NULL &&
            !ftr_text_begins(link->name, strlen(link->name), link->initiator)) {
            ftr_print_string(out, " (");
            ftr_print_plain(out, link->initiator, strlen(link->initiator));
            ftr_print_char(out, ')');
        }
        if (link->target != NULL) {
            ftr_print_string(out, " -> ");
            ftr_print_plain(out, link->target, strlen(link->target));
        }
        ftr_print_char(out, '\n');
    }
}

static void print_field(ftr_printer *out, const char *name)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%-14s", name);
    ftr_print_string(out, text);
}

static void print_screen(info *file)
{
    ftr_printer *out = &file->out;
    const ftr_file_info *s = &file->info;
    print_field(out, "file");
    ftr_print_plain(out, file->input.path, strlen(file->input.path));
    ftr_print_string(out, ", ");
    print_size(out, s->size);
    ftr_print_string(out, s->ended ? ", closed\n" : ", not closed\n");
    print_field(out, "time scale");
    ftr_print_string(out, "a tick is ");
    ftr_print_time(out, 1, s->time_scale);
    ftr_print_string(out, ", 0 is ");
    print_epoch(out, s->epoch_seconds);
    ftr_print_char(out, '\n');
    print_field(out, "times");
    if (s->has_times) {
        ftr_print_time(out, s->first_time, s->time_scale);
        ftr_print_string(out, " .. ");
        ftr_print_time(out, s->last_time, s->time_scale);
        ftr_print_string(out, ", duration ");
        ftr_print_time(out, s->last_time - s->first_time, s->time_scale);
    } else {
        ftr_print_string(out, "none");
    }
    ftr_print_char(out, '\n');
    print_field(out, "transactions");
    if (file->counted.known)
        ftr_print_uint(out, file->counted.transactions);
    else
        ftr_print_string(out, "not counted (--counts)");
    ftr_print_char(out, '\n');
    print_field(out, "attributes");
    bool known;
    const char *numbering = numbering_name(file, &known);
    ftr_print_string(out, numbering);
    ftr_print_string(out, known ? " numbering of types\n" : " numbering of types (assumed)\n");
    print_field(out, "strings");
    ftr_print_uint(out, s->strings);
    ftr_print_char(out, '\n');
    print_field(out, "findings");
    ftr_print_uint(out, s->findings);
    ftr_print_char(out, '\n');
    for (unsigned kind = 0; kind < FTR_CHUNK_KINDS; kind++) {
        if (s->chunks[kind] == 0)
            continue;
        print_field(out, KIND_NAMES[kind]);
        ftr_print_uint(out, s->chunks[kind]);
        ftr_print_string(out, s->chunks[kind] == 1 ? " chunk, " : " chunks, ");
        print_size(out, s->bytes[kind]);
        ftr_print_string(out, " (");
        print_size(out, s->bytes_expanded[kind]);
        ftr_print_string(out, " expanded)\n");
    }
    if (file->run.present) {
        ftr_print_string(out, "run\n");
        (void)ftr_run_print_plain(out, file->input.reader, s->time_scale);
        print_links(file);
    }
    print_field(out, "streams");
    ftr_print_uint(out, ftr_reader_stream_count(file->input.reader));
    ftr_print_string(out, ", generators ");
    ftr_print_uint(out, ftr_reader_generator_count(file->input.reader));
    ftr_print_char(out, '\n');
    print_streams(file);
}

/* ---- JSON output ----------------------------------------------------------------------------- */

static void put_text(ftr_json *json, const char *name, ftr_view text)
{
    ftr_json_text(json, name, text.data != NULL ? text.data : "", text.size);
}

static void put_json_generators(ftr_json *json, const info *file, size_t stream)
{
    ftr_json_open(json, "generators", '[');
    for (size_t k = file->of_stream.first[stream]; k-- > 0; k = file->of_stream.next[k]) {
        const ftr_generator_info *generator = ftr_reader_get_generator(file->input.reader, k);
        if (!generator->defined)
            continue;
        ftr_json_open(json, NULL, '{');
        ftr_json_count(json, "id", generator->id);
        put_text(json, "name", generator->name);
        if (k < file->counted.generators)
            ftr_json_count(json, "transactions", file->counted.of_generator[k]);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void put_json_streams(ftr_json *json, const info *file)
{
    ftr_json_open(json, "streams", '[');
    for (size_t i = 0; i < ftr_reader_stream_count(file->input.reader); i++) {
        const ftr_stream_info *stream = ftr_reader_get_stream(file->input.reader, i);
        ftr_json_open(json, NULL, '{');
        ftr_json_count(json, "id", stream->id);
        put_text(json, "name", stream->name);
        if (ftr_link_has_label(&file->links, stream->name))
            put_text(json, "link", ftr_link_label(&file->links, stream->name));
        put_text(json, "kind", stream->kind);
        ftr_json_count(json, "chunks", stream->chunks);
        ftr_json_count(json, "bytes", stream->bytes);
        ftr_json_count(json, "bytes_expanded", stream->bytes_expanded);
        put_json_generators(json, file, i);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, ']');
}

static void put_json_chunks(ftr_json *json, const ftr_file_info *s)
{
    ftr_json_open(json, "chunks", '{');
    for (unsigned kind = 0; kind < FTR_CHUNK_KINDS; kind++) {
        ftr_json_open(json, KIND_NAMES[kind], '{');
        ftr_json_count(json, "count", s->chunks[kind]);
        ftr_json_count(json, "bytes", s->bytes[kind]);
        ftr_json_count(json, "bytes_expanded", s->bytes_expanded[kind]);
        ftr_json_close(json, '}');
    }
    ftr_json_close(json, '}');
}

static void print_object(info *file)
{
    const ftr_file_info *s = &file->info;
    ftr_json json = {.out = &file->out};
    bool known;
    const char *numbering = numbering_name(file, &known);
    ftr_json_open(&json, NULL, '{');
    ftr_json_string(&json, "file", file->input.path);
    ftr_json_count(&json, "size", s->size);
    ftr_json_count(&json, "sound_size", s->sound_size);
    ftr_json_bool(&json, "closed", s->ended);
    ftr_json_int(&json, "time_scale", s->time_scale);
    ftr_json_int(&json, "epoch", s->epoch_seconds);
    if (s->has_times) {
        ftr_json_count(&json, "first_time", s->first_time);
        ftr_json_count(&json, "last_time", s->last_time);
    }
    if (file->counted.known)
        ftr_json_count(&json, "transactions", file->counted.transactions);
    ftr_json_string(&json, "numbering", numbering);
    ftr_json_bool(&json, "numbering_known", known);
    ftr_json_count(&json, "strings", s->strings);
    ftr_json_count(&json, "findings", s->findings);
    put_json_chunks(&json, s);
    if (file->run.present)
        (void)ftr_run_put_json(&json, "run", file->input.reader);
    put_json_streams(&json, file);
    ftr_json_end_line(&json);
}

/* Describes the row of a file in the table of several files. */
static void describe_file(ftr_rows *rows, const void *row)
{
    const info *of = row;
    const ftr_file_info *s = &of->info;
    ftr_row_count(rows, FTR_IN_TEXT, "bytes", s->size);
    ftr_row_count(rows, FTR_IN_TEXT, "streams",
                  rows->in_titles ? 0 : ftr_reader_stream_count(of->input.reader));
    if (of->counted.known)
        ftr_row_count(rows, FTR_IN_TEXT, "transactions", of->counted.transactions);
    else
        ftr_row_missing(rows, FTR_IN_TEXT, "transactions");
    ftr_row_time(rows, FTR_IN_TEXT, "duration", s->has_times ? s->last_time - s->first_time : 0,
                 s->time_scale);
    ftr_row_count(rows, FTR_IN_TEXT, "findings", s->findings);
    ftr_row_string(rows, FTR_IN_TEXT, "closed", s->ended ? "yes" : "no");
    ftr_row_string(rows, FTR_IN_TEXT, "file", of->input.path);
}

/* @param rows NULL: prints one screen or one object */
static int inform(info *file, const char *path, ftr_rows *rows)
{
    file->counted = (transaction_counts){0};
    file->of_stream = (stream_generators){0};
    if (!ftr_input_open(&file->input, path, &file->options->input))
        return FTR_EXIT_TROUBLE;
    bool ok = !file->options->counts || count_all(file);
    ok = ok && read_run_count(file);
    bool is_incomplete = false;
    ok = ok && ftr_input_check_end(
                   &file->input, ftr_unrecovered_report(file->input.reader, path, &is_incomplete));
    /* The result is not used: the numbering is determined here because this search may find
     * damage. */
    (void)ftr_reader_get_numbering(file->input.reader, NULL);
    ftr_reader_get_info(file->input.reader, &file->info);
    if (!group_generators(file) || ftr_run_links_read(file->input.reader, &file->links) != FTR_OK) {
        ftr_print_error("%s: %s", path, ftr_status_text(FTR_ERR_MEMORY));
        ok = false;
    }
    if (ok && file->options->json)
        print_object(file);
    else if (ok && rows != NULL)
        ftr_rows_put(rows, describe_file, file);
    else if (ok)
        print_screen(file);
    ok &= ftr_stdout_finish(&file->out);
    const bool errors = file->input.errors > 0 || is_incomplete;
    ftr_link_names_release(&file->links);
    ftr_input_close(&file->input);
    free(file->counted.of_generator);
    free(file->of_stream.first);
    free(file->of_stream.next);
    if (!ok)
        return FTR_EXIT_TROUBLE;
    return errors ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    info_options *options = taken;
    if (option == OPTION_COUNTS)
        options->counts = true;
    else if (option == OPTION_JSON)
        options->json = true;
    else
        return ftr_input_parse_option(&options->input, option, argument);
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_info, ":hj:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    static info file; /* static because its output buffer is large */
    info_options options = {.input = {.spool = true}};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind == argc)
        return ftr_misuse(&ftr_command_info, "a file is expected");
    file.options = &options;
    ftr_printer_init(&file.out, STDOUT_FILENO);
    const bool as_rows = argc - optind > 1 && !options.json;
    ftr_rows rows;
    ftr_rows_begin(&rows, FTR_ROWS_TABS, &file.out);
    if (as_rows) {
        file.input.path = "";
        ftr_rows_put_titles(&rows, describe_file, &file);
        (void)ftr_printer_flush(&file.out);
    }
    int worst = FTR_EXIT_OK;
    for (int i = optind; i < argc; i++) {
        status = inform(&file, argv[i], as_rows ? &rows : NULL);
        worst = status > worst ? status : worst;
    }
    return worst;
}

const ftr_command ftr_command_info = {
    "info",
    "summarises files: one screen for one file, a table for several",
    run,
    "[OPTION]... FILE...",
    "  --counts                count the transactions, also of each generator (reads everything;\n"
    "                          without it the count is the one that the recorder wrote at its "
    "end)\n"
    "  --json                  print one JSON object per file\n" FTR_INPUT_OPTIONS_TEXT
        FTR_THREADS_OPTION_TEXT "Exit status: 0 sound, 1 the file has errors or lacks data that "
    "could not be recovered after a\n"
    "crash, 2 a file could not be read.\n",
};
