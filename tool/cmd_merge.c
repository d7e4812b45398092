/* ftr merge: several files into one, in order of end. */
#include "command.h"
#include "time_text.h"
#include "trace_copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SETTINGS_MAX 256

/* FILE=VALUE, as --offset and --prefix have it. */
typedef struct file_setting {
    const char *text;
    size_t file_size;
    bool used;
} file_setting;

typedef struct file_settings {
    file_setting setting[SETTINGS_MAX];
    size_t count;
} file_settings;

typedef struct merge_options {
    ftr_input_options input;
    const char *output;
    file_settings offsets, prefixes;
    ftr_recorder_options recorder;
    bool quiet;
} merge_options;

/* One input on its way. */
typedef struct merge_source {
    ftr_input input;
    ftr_copy_source source;
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status;
    uint64_t end; /* of tx, in ticks of the output */
} merge_source;

enum {
    OPTION_OFFSET = FTR_OPTION_FIRST_FREE,
    OPTION_PREFIX,
    OPTION_COMPRESS,
    OPTION_NUMBERING,
    OPTION_QUIET
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"offset", required_argument, NULL, OPTION_OFFSET},
    {"prefix", required_argument, NULL, OPTION_PREFIX},
    {"compress", required_argument, NULL, OPTION_COMPRESS},
    {"types", required_argument, NULL, OPTION_NUMBERING},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool take_setting(file_settings *settings, const char *text)
{
    const char *equals = strrchr(text, '=');
    if (equals == NULL || equals == text || settings->count == SETTINGS_MAX)
        return false;
    settings->setting[settings->count++] =
        (file_setting){.text = text, .file_size = (size_t)(equals - text)};
    return true;
}

/* What a setting says for @p path; NULL: nothing. */
static const char *setting_for(file_settings *settings, const char *path)
{
    for (size_t i = 0; i < settings->count; i++) {
        file_setting *s = &settings->setting[i];
        if (strlen(path) == s->file_size && memcmp(path, s->text, s->file_size) == 0) {
            s->used = true;
            return s->text + s->file_size + 1;
        }
    }
    return NULL;
}

static bool all_used(const file_settings *settings, const char *option)
{
    for (size_t i = 0; i < settings->count; i++)
        if (!settings->setting[i].used) {
            ftr_complain("%s %s: no input has this name", option, settings->setting[i].text);
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
    /* Out of range is for the copying to refuse; here it only has to come at some time. */
    s->end = end > (UINT64_MAX - s->source.offset) / s->source.factor
                 ? UINT64_MAX
                 : end * s->source.factor + s->source.offset;
}

static bool start_source(merge_options *options, merge_source *s, int time_scale)
{
    ftr_summary summary;
    ftr_reader_get_summary(s->input.reader, &summary);
    s->source = (ftr_copy_source){.input = &s->input, .factor = 1};
    for (int scale = summary.time_scale; scale > time_scale; scale--) {
        if (s->source.factor > UINT64_MAX / 10) {
            ftr_complain("%s: its time scale is too far from those of the others", s->input.path);
            return false;
        }
        s->source.factor *= 10;
    }
    const char *offset = setting_for(&options->offsets, s->input.path);
    if (offset != NULL) {
        ftr_time_value time;
        bool exact = false;
        if (!ftr_time_parse(offset, &time, NULL) ||
            !ftr_time_to_ticks(&time, time_scale, &s->source.offset, &exact) || !exact) {
            ftr_complain("--offset %s=%s: not a whole number of ticks of 10^%d s", s->input.path,
                         offset, time_scale);
            return false;
        }
    }
    s->source.prefix = setting_for(&options->prefixes, s->input.path);
    const ftr_query query = {.size = sizeof query, .order = FTR_ORDER_END};
    if (!ftr_copy_prepare(&s->source))
        return false;
    s->status = ftr_cursor_open(s->input.reader, &query, &s->cursor);
    if (s->status != FTR_OK)
        return ftr_input_ended_well(&s->input, s->status);
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
    bool well = true;
    for (size_t i = 0; i < count && well; i++)
        well = ftr_input_ended_well(&sources[i].input, sources[i].status) &&
               ftr_copy_put_relations(output, &sources[i].source);
    return well;
}

/* ---- the merge ------------------------------------------------------------------------------- */

static bool merge_once(merge_options *options, merge_source *sources, size_t count, int time_scale,
                       ftr_copy_output *output, bool *rounded)
{
    bool well = true;
    for (size_t i = 0; i < count && well; i++)
        well = start_source(options, &sources[i], time_scale);
    well = well && all_used(&options->offsets, "--offset") &&
           all_used(&options->prefixes, "--prefix") &&
           ftr_copy_open(output, options->output, &options->recorder);
    if (well) {
        well = copy_all(output, sources, count);
        well = ftr_copy_close(output, rounded) && well;
    }
    for (size_t i = 0; i < count; i++)
        stop_source(&sources[i]);
    return well;
}

static bool is_output(const char *input, const char *output)
{
    struct stat x;
    struct stat y;
    return stat(input, &x) == 0 && stat(output, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

static bool open_sources(merge_options *options, merge_source *sources, char **paths, size_t count,
                         int *time_scale)
{
    *time_scale = 127;
    for (size_t i = 0; i < count; i++) {
        ftr_summary summary;
        if (is_output(paths[i], options->output)) {
            ftr_complain("%s: input and output are the same file", paths[i]);
            return false;
        }
        if (!ftr_input_open(&sources[i].input, paths[i], &options->input))
            return false;
        ftr_reader_get_summary(sources[i].input.reader, &summary);
        if (summary.time_scale < *time_scale)
            *time_scale = summary.time_scale;
        if (i == 0 || summary.epoch_seconds < options->recorder.epoch_seconds)
            options->recorder.epoch_seconds = summary.epoch_seconds;
    }
    if (!ftr_copy_time_scale(*time_scale, &options->recorder.time_scale)) {
        ftr_complain("a time scale of %d cannot be written", *time_scale);
        return false;
    }
    return true;
}

static int merge_files(merge_options *options, char **paths, size_t count)
{
    merge_source *sources = calloc(count, sizeof *sources);
    if (sources == NULL)
        return FTR_EXIT_TROUBLE;
    ftr_copy_output output;
    int time_scale;
    bool rounded = false;
    bool well = open_sources(options, sources, paths, count, &time_scale) &&
                merge_once(options, sources, count, time_scale, &output, &rounded);
    if (well && rounded) {
        /* Single precision was tried first, for viewers take nothing else. */
        options->recorder.floats = FTR_FLOATS_DOUBLE;
        well = merge_once(options, sources, count, time_scale, &output, &rounded);
    }
    if (well && !options->quiet)
        (void)printf("%s: %" PRIu64 " transactions, %" PRIu64 " relations\n", options->output,
                     output.transactions, output.relations);
    bool errors = false;
    for (size_t i = 0; i < count; i++)
        if (sources[i].input.reader != NULL) {
            errors |= sources[i].input.errors > 0;
            ftr_input_close(&sources[i].input);
        }
    free(sources);
    if (!well)
        return FTR_EXIT_TROUBLE;
    return errors ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static bool take_option(void *taken, int option, const char *argument)
{
    merge_options *options = taken;
    if (option == 'o')
        options->output = argument;
    else if (option == OPTION_OFFSET)
        return take_setting(&options->offsets, argument);
    else if (option == OPTION_PREFIX)
        return take_setting(&options->prefixes, argument);
    else if (option == OPTION_COMPRESS)
        return ftr_compression_parse(argument, &options->recorder);
    else if (option == OPTION_NUMBERING)
        return ftr_numbering_parse(argument, &options->recorder);
    else if (option == OPTION_QUIET)
        options->quiet = true;
    else
        return ftr_input_take_option(&options->input, option, argument);
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_merge, ":ho:", LONG_OPTIONS, take_option};

static int run(int argc, char **argv)
{
    static merge_options options;
    options.input.spool = true;
    int status;
    if (!ftr_take_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind == argc)
        return ftr_misuse(&ftr_command_merge, "files are expected");
    if (options.output == NULL)
        return ftr_misuse(&ftr_command_merge, "-o says where the result goes");
    return merge_files(&options, argv + optind, (size_t)(argc - optind));
}

const ftr_command ftr_command_merge = {
    "merge",
    "puts several files into one",
    run,
    "-o OUTPUT [OPTION]... FILE...",
    "  -o, --output FILE       where the result goes\n"
    "  --offset FILE=TIME      add this to all times of FILE: run2.ftr=10ns; repeatable\n"
    "  --prefix FILE=TEXT      put this before the names of FILE's streams; repeatable\n"
    "  --compress HOW          lz4 (default), lz4hc[:LEVEL], none, or meta (all but transactions)\n"
    "  --types NUMBERING       deployed (default) or text\n"
    "  --quiet                 say nothing but errors\n" FTR_INPUT_OPTIONS_TEXT
    "Streams of one name become one. Times are counted in the finest tick of all inputs, exactly.\n"
    "Transactions get new ids.\n",
};
