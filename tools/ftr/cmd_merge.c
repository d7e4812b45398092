/* ftr merge: merges several files into one. The transactions are copied in the order of their ends.
 */
#include "command.h"
#include "name_warnings.h"
#include "plain_message.h"
#include "time_text.h"
#include "trace_copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTINGS_MAX 256

/* FILE=VALUE, the argument of --offset and --prefix. FILE and VALUE can contain equals signs. */
typedef struct file_setting {
    const char *text;
    bool used;
} file_setting;

typedef struct file_settings {
    file_setting setting[SETTINGS_MAX];
    size_t count;
} file_settings;

typedef struct merge_options {
    ftr_input_options input;
    ftr_writing_options writing;
    file_settings offsets, prefixes;
    char **paths; /* paths of the inputs */
    size_t path_count;
} merge_options;

/* An input and its next transaction. */
typedef struct merge_source {
    ftr_input input;
    ftr_copy_source source;
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status;
    uint64_t end; /* end of `tx`, in ticks of the output */
} merge_source;

enum { OPTION_OFFSET = FTR_OPTION_FIRST_FREE, OPTION_PREFIX };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_TRACE_LONG_OPTIONS,
    {"offset", required_argument, NULL, OPTION_OFFSET},
    {"prefix", required_argument, NULL, OPTION_PREFIX},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_setting(file_settings *settings, const char *text)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || settings->count == SETTINGS_MAX)
        return false;
    settings->setting[settings->count++] = (file_setting){.text = text};
    return true;
}

static bool is_input(const merge_options *options, const char *name, size_t size)
{
    for (size_t i = 0; i < options->path_count; i++)
        if (strlen(options->paths[i]) == size && memcmp(options->paths[i], name, size) == 0)
            return true;
    return false;
}

/* Returns the first equals sign behind the name of an input; NULL if there is none. */
static const char *end_of_file_name(const merge_options *options, const char *text)
{
    const char *equals = strchr(text, '=');
    while (equals != NULL && !is_input(options, text, (size_t)(equals - text)))
        equals = strchr(equals + 1, '=');
    return equals;
}

/* Returns the value that the options set for the file @p path; NULL if there is none. */
static const char *setting_for(const merge_options *options, file_settings *settings,
                               const char *path)
{
    const size_t size = strlen(path);
    for (size_t i = 0; i < settings->count; i++) {
        file_setting *s = &settings->setting[i];
        const char *end = end_of_file_name(options, s->text);
        if (end != NULL && (size_t)(end - s->text) == size && memcmp(path, s->text, size) == 0) {
            s->used = true;
            return end + 1;
        }
    }
    return NULL;
}

static bool all_used(const file_settings *settings, const char *option)
{
    for (size_t i = 0; i < settings->count; i++)
        if (!settings->setting[i].used) {
            ftr_print_error("%s %s: no input has this name", option, settings->setting[i].text);
            return false;
        }
    return true;
}

/* ---- sources --------------------------------------------------------------------------------- */

static void advance(merge_source *s)
{
    s->status = ftr_cursor_next(s->cursor, &s->tx);
    if (s->status != FTR_OK)
        return;
    const uint64_t end = s->tx.end > s->tx.begin ? s->tx.end : s->tx.begin;
    /* Times out of range are rejected later, when the transaction is copied. Here they only need a
     * defined order. */
    if (!ftr_copy_time(&s->source, end, &s->end))
        s->end = UINT64_MAX;
}

/* Parses TIME or -TIME. @return false after an error message */
static bool parse_offset(merge_source *s, const char *offset, int time_scale)
{
    ftr_time_value time;
    bool exact = false;
    s->source.backwards = *offset == '-';
    if (!ftr_time_parse(offset + s->source.backwards, &time, NULL)) {
        ftr_print_error("--offset %s=%s: invalid time", s->input.path, offset);
        return false;
    }
    if (ftr_time_to_ticks(&time, time_scale, &s->source.offset, &exact) && exact) {
        if (time.in_ticks && time.mantissa > 0)
            ftr_warn_of_ticks(s->input.path, time_scale, "--offset", s->source.backwards,
                              time.mantissa);
        return true;
    }
    ftr_print_error("--offset %s=%s: not a whole number of ticks of 10^%d s", s->input.path, offset,
                    time_scale);
    return false;
}

static bool start_source(merge_options *options, merge_source *s, int time_scale)
{
    ftr_file_info info;
    ftr_reader_get_info(s->input.reader, &info);
    s->source = (ftr_copy_source){.input = &s->input, .factor = 1};
    for (int scale = info.time_scale; scale > time_scale; scale--) {
        if (s->source.factor > UINT64_MAX / 10) {
            ftr_print_error("%s: its time scale differs too much from the other files",
                            s->input.path);
            return false;
        }
        s->source.factor *= 10;
    }
    const char *offset = setting_for(options, &options->offsets, s->input.path);
    if (offset != NULL && !parse_offset(s, offset, time_scale))
        return false;
    s->source.prefix = setting_for(options, &options->prefixes, s->input.path);
    const ftr_query query = {.size = sizeof query, .order = FTR_ORDER_END};
    if (!ftr_copy_prepare(&s->source))
        return false;
    s->status = ftr_cursor_open(s->input.reader, &query, &s->cursor);
    if (s->status != FTR_OK)
        return ftr_input_check_end(&s->input, s->status);
    advance(s);
    return true;
}

static void stop_source(merge_source *s)
{
    ftr_cursor_close(s->cursor);
    s->cursor = NULL;
    ftr_copy_source_release(&s->source);
    s->source = (ftr_copy_source){0};
}

static bool copy_all(ftr_copy_output *output, merge_source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!ftr_copy_define_all(output, &sources[i].source))
            return false;
    for (;;) {
        merge_source *first = NULL;
        for (size_t i = 0; i < count; i++)
            if (sources[i].status == FTR_OK && (first == NULL || sources[i].end < first->end))
                first = &sources[i];
        if (first == NULL)
            break;
        if (!ftr_copy_put(output, &first->source, &first->tx))
            return false;
        advance(first);
    }
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = ftr_input_check_end(&sources[i].input, sources[i].status) &&
             ftr_copy_put_relations(output, &sources[i].source);
    return ok;
}

/* ---- the merge ------------------------------------------------------------------------------- */

static bool merge_once(merge_options *options, merge_source *sources, size_t count, int time_scale,
                       ftr_output_file *file, ftr_copy_output *output, bool *rounded)
{
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = start_source(options, &sources[i], time_scale);
    ok = ok && all_used(&options->offsets, "--offset") &&
         all_used(&options->prefixes, "--prefix") &&
         ftr_copy_open(output, file, &options->writing, true);
    if (ok) {
        ok = copy_all(output, sources, count);
        ok = ftr_copy_close(output, rounded) && ok;
    }
    for (size_t i = 0; i < count; i++)
        stop_source(&sources[i]);
    return ok;
}

static bool open_sources(merge_options *options, merge_source *sources, char **paths, size_t count,
                         int *time_scale)
{
    ftr_recorder_options *recorder = &options->writing.recorder;
    *time_scale = 127;
    for (size_t i = 0; i < count; i++) {
        ftr_file_info info;
        if (!ftr_input_open(&sources[i].input, paths[i], &options->input))
            return false;
        ftr_reader_get_info(sources[i].input.reader, &info);
        if (info.time_scale < *time_scale)
            *time_scale = info.time_scale;
        if (i == 0 || info.epoch_seconds < recorder->epoch_seconds)
            recorder->epoch_seconds = info.epoch_seconds;
    }
    if (!ftr_copy_time_scale(*time_scale, &recorder->time_scale)) {
        ftr_print_error("a time scale of %d cannot be written", *time_scale);
        return false;
    }
    return true;
}

/* @param[out] lost whether something could not be copied completely */
static bool merge_opened(merge_options *options, merge_source *sources, size_t count,
                         int time_scale, ftr_output_file *file, bool *lost)
{
    ftr_copy_output output = {0};
    bool rounded = false;
    bool ok = merge_once(options, sources, count, time_scale, file, &output, &rounded);
    if (ftr_writing_again(&options->writing, file, rounded, &ok))
        ok = merge_once(options, sources, count, time_scale, file, &output, &rounded);
    ok = ftr_output_finish(file, ok);
    if (ok && !options->writing.quiet)
        ftr_print_message(ftr_output_messages(options->writing.output), "",
                          "%s: %" PRIu64 " transactions, %" PRIu64 " relations", file->path,
                          output.transactions, output.relations);
    *lost = ok && ftr_copy_warn(&output);
    return ok;
}

static int merge_files(merge_options *options)
{
    char **paths = options->paths;
    const size_t count = options->path_count;
    const ftr_writing_options *writing = &options->writing;
    const ftr_input_paths inputs = {.paths = paths, .count = count};
    merge_source *sources = calloc(count, sizeof *sources);
    if (sources == NULL)
        return FTR_EXIT_TROUBLE;
    ftr_output_file file;
    int time_scale;
    bool lost = false;
    const bool ok = open_sources(options, sources, paths, count, &time_scale) &&
                    ftr_output_create(&file, writing->output, writing->force, true, &inputs) &&
                    merge_opened(options, sources, count, time_scale, &file, &lost);
    bool errors = false;
    for (size_t i = 0; i < count; i++)
        if (sources[i].input.reader != NULL) {
            errors |= sources[i].input.errors > 0;
            ftr_input_close(&sources[i].input);
        }
    free(sources);
    if (!ok)
        return FTR_EXIT_TROUBLE;
    return errors || lost ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    merge_options *options = taken;
    if (option == OPTION_OFFSET)
        return parse_setting(&options->offsets, argument);
    if (option == OPTION_PREFIX)
        return parse_setting(&options->prefixes, argument);
    if (option == FTR_OPTION_MEMORY || option == FTR_OPTION_TYPES)
        return ftr_input_parse_option(&options->input, option, argument);
    return ftr_writing_parse_option(&options->writing, option, argument);
}

static const ftr_option_set OPTIONS = {&ftr_command_merge, ":ho:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    static merge_options options;
    options.input.spool = true;
    options.input.threads = 1; /* for each file: all files are read at the same time */
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind == argc)
        return ftr_misuse(&ftr_command_merge, "files are expected");
    if (options.writing.output == NULL)
        return ftr_misuse(&ftr_command_merge, "the output file is missing: name it with -o");
    options.paths = argv + optind;
    options.path_count = (size_t)(argc - optind);
    return merge_files(&options);
}

const ftr_command ftr_command_merge = {
    "merge",
    "merges several files into one",
    run,
    "-o OUTPUT [OPTION]... FILE...",
    FTR_OUTPUT_OPTIONS_TEXT
    "  --offset FILE=TIME      add TIME to all times of FILE: run2.ftr=10ns; TIME may be\n"
    "                          negative: run2.ftr=-10ns; repeatable\n"
    "  --prefix FILE=TEXT      put TEXT before the names of FILE's streams; "
    "repeatable\n" FTR_TRACE_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT
    "FILE in FILE=TIME and FILE=TEXT is the name of an input; it ends at the first = that follows\n"
    "such a name, so the names and TEXT may contain =.\n"
    "Streams with the same name become one stream. Times are converted exactly, to the finest "
    "tick\n"
    "of all inputs. Transactions get new ids.\n",
};
