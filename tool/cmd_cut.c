/* ftr cut: a part of a file, or all of it in another form, as a sound file. */
#include "command.h"
#include "filter_expression.h"
#include "selection_options.h"
#include "trace_copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct cut_options {
    ftr_input_options input;
    ftr_choice choice;
    const char *output;
    const char *where;
    ftr_recorder_options recorder;
    bool quiet;
} cut_options;

enum { OPTION_COMPRESS = FTR_OPTION_OWN, OPTION_NUMBERING, OPTION_WHERE, OPTION_QUIET };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_CHOICE_LONG_OPTIONS,
    {"output", required_argument, NULL, 'o'},
    {"where", required_argument, NULL, OPTION_WHERE},
    {"compress", required_argument, NULL, OPTION_COMPRESS},
    {"types", required_argument, NULL, OPTION_NUMBERING},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool copy_all(ftr_copy_output *output, ftr_copy_source *source, const ftr_query *query,
                     const ftr_filter *filter)
{
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status = ftr_cursor_open(source->input->reader, query, &cursor);
    if (status != FTR_OK)
        return ftr_input_ended_well(source->input, status);
    bool well = true;
    while (well && (status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        if (filter == NULL || ftr_filter_accepts(filter, source->input->reader, &tx))
            well = ftr_copy_put(output, source, &tx);
    ftr_cursor_close(cursor);
    return well && ftr_input_ended_well(source->input, status);
}

/* @param[out] rounded the floats of the input do not fit how they were written */
static bool cut_once(cut_options *options, ftr_input *input, const ftr_filter *filter,
                     ftr_copy_output *output, bool *rounded)
{
    ftr_copy_source source = {.input = input, .factor = 1};
    ftr_query query;
    bool well = ftr_choice_query(&options->choice, input, &query) && ftr_copy_prepare(&source) &&
                ftr_copy_open(output, options->output, &options->recorder);
    if (well) {
        well = copy_all(output, &source, &query, filter) && ftr_copy_put_relations(output, &source);
        well = ftr_copy_close(output, rounded) && well;
    }
    ftr_copy_source_release(&source);
    return well;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x;
    struct stat y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool cut_opened(cut_options *options, ftr_input *input)
{
    ftr_summary summary;
    ftr_filter *filter = NULL;
    const char *message;
    size_t at;
    ftr_reader_get_summary(input->reader, &summary);
    options->recorder.epoch_seconds = summary.epoch_seconds;
    if (!ftr_copy_time_scale(summary.time_scale, &options->recorder.time_scale)) {
        ftr_complain("%s: a time scale of %d cannot be written", input->path, summary.time_scale);
        return false;
    }
    if (options->where != NULL &&
        !ftr_filter_create(options->where, summary.time_scale, &filter, &message, &at)) {
        ftr_complain("--where: %s, at '%s'", message, options->where + at);
        return false;
    }
    ftr_copy_output output;
    bool rounded = false;
    bool well = cut_once(options, input, filter, &output, &rounded);
    if (well && rounded) {
        /* Single precision was tried first, for viewers take nothing else. */
        options->recorder.floats = FTR_FLOATS_DOUBLE;
        well = cut_once(options, input, filter, &output, &rounded);
    }
    ftr_filter_destroy(filter);
    if (well && !options->quiet)
        (void)printf("%s: %" PRIu64 " transactions, %" PRIu64 " relations; %" PRIu64
                     " relations left out\n",
                     options->output, output.transactions, output.relations, output.left_out);
    if (well && output.without_value > 0)
        ftr_complain("%s: %" PRIu64 " attributes without a value left out", input->path,
                     output.without_value);
    return well;
}

static bool take_option(void *taken, int option, const char *argument)
{
    cut_options *options = taken;
    if (option == 'o')
        options->output = argument;
    else if (option == OPTION_WHERE)
        options->where = argument;
    else if (option == OPTION_COMPRESS)
        return ftr_compression_parse(argument, &options->recorder);
    else if (option == OPTION_NUMBERING)
        return ftr_numbering_parse(argument, &options->recorder);
    else if (option == OPTION_QUIET)
        options->quiet = true;
    else if (option == FTR_OPTION_MEMORY || option == FTR_OPTION_TYPES)
        return ftr_input_take_option(&options->input, option, argument);
    else
        return ftr_choice_take(&options->choice, option, argument);
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_cut, ":ho:", LONG_OPTIONS, take_option};

static int run(int argc, char **argv)
{
    cut_options options = {.input = {.spool = true}};
    int status;
    if (!ftr_take_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind != argc - 1)
        return ftr_misuse(&ftr_command_cut, "one file is expected");
    if (options.output == NULL)
        return ftr_misuse(&ftr_command_cut, "-o says where the part goes");
    ftr_input input;
    if (!ftr_input_open(&input, argv[optind], &options.input))
        return FTR_EXIT_TROUBLE;
    bool well = !is_same_file(argv[optind], options.output);
    if (!well)
        ftr_complain("%s: input and output are the same file", argv[optind]);
    well = well && cut_opened(&options, &input);
    const bool errors = input.errors > 0;
    ftr_input_close(&input);
    if (!well)
        return FTR_EXIT_TROUBLE;
    return errors ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

const ftr_command ftr_command_cut = {
    "cut",
    "writes a part of a file, or all of it in another form, as a sound file",
    run,
    "-o OUTPUT [OPTION]... FILE",
    "  -o, --output FILE       where the part goes\n" FTR_CHOICE_OPTIONS_TEXT
    "  --where CONDITION       only where it holds, as of ftr dump\n"
    "  --compress HOW          lz4 (default), lz4hc[:LEVEL], none, or meta (all but transactions)\n"
    "  --types NUMBERING       deployed (default) or text\n"
    "  --quiet                 say nothing but errors\n" FTR_INPUT_OPTIONS_TEXT
    "Transactions get new ids. A relation is kept where both its ends are.\n",
};
