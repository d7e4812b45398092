/* ftr cut: writes a part of a file, or the whole file in another form, to a new file. */
#include "command.h"
#include "filter_expression.h"
#include "name_warnings.h"
#include "plain_message.h"
#include "selection_options.h"
#include "trace_copy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct cut_options {
    ftr_input_options input;
    ftr_choice choice;
    ftr_writing_options writing;
    const char *where;
} cut_options;

enum { OPTION_WHERE = FTR_OPTION_OWN };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    FTR_CHOICE_LONG_OPTIONS,
    FTR_TRACE_LONG_OPTIONS,
    {"where", required_argument, NULL, OPTION_WHERE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool copy_all(ftr_copy_output *output, ftr_copy_source *source, const ftr_query *query,
                     ftr_filter *filter)
{
    ftr_cursor *cursor;
    ftr_transaction tx;
    ftr_status status = ftr_cursor_open(source->input->reader, query, &cursor);
    if (status != FTR_OK)
        return ftr_input_check_end(source->input, status);
    bool ok = true;
    while (ok && (status = ftr_cursor_next(cursor, &tx)) == FTR_OK)
        if (filter == NULL || ftr_filter_accepts(filter, source->input->reader, &tx))
            ok = ftr_copy_put(output, source, &tx);
    ftr_cursor_close(cursor);
    return ok && ftr_input_check_end(source->input, status);
}

/* Returns true if an option selects transactions. Without such an option, everything is copied,
 * including streams without transactions. */
static bool has_selection(const cut_options *options)
{
    const ftr_choice *choice = &options->choice;
    return choice->streams.count > 0 || choice->generators.count > 0 || choice->has_from ||
           choice->has_to || options->where != NULL;
}

/* @param[out] rounded whether floats lost digits in the chosen form */
static bool cut_once(cut_options *options, ftr_input *input, ftr_filter *filter,
                     ftr_output_file *file, ftr_copy_output *output, bool *rounded)
{
    ftr_copy_source source = {.input = input, .factor = 1};
    ftr_query query;
    bool ok = ftr_choice_query(&options->choice, input, &query) && ftr_copy_prepare(&source) &&
              ftr_copy_open(output, file, &options->writing, false);
    if (ok) {
        ok = (has_selection(options) || ftr_copy_define_all(output, &source)) &&
             copy_all(output, &source, &query, filter) && ftr_copy_put_relations(output, &source);
        ok = ftr_copy_close(output, rounded) && ok;
    }
    ftr_copy_source_release(&source);
    return ok;
}

/* @param[out] lost whether something could not be copied completely */
static bool cut_opened(cut_options *options, ftr_input *input, ftr_output_file *file, bool *lost)
{
    ftr_recorder_options *recorder = &options->writing.recorder;
    ftr_file_info info;
    ftr_filter *filter = NULL;
    ftr_reader_get_info(input->reader, &info);
    recorder->epoch_seconds = info.epoch_seconds;
    if (!ftr_copy_time_scale(info.time_scale, &recorder->time_scale)) {
        ftr_print_error("%s: a time scale of %d cannot be written", input->path, info.time_scale);
        return ftr_output_finish(file, false);
    }
    if (options->where != NULL) {
        filter = ftr_filter_create(options->where, info.time_scale);
        if (filter == NULL)
            return ftr_output_finish(file, false);
    }
    ftr_copy_output output = {0};
    bool rounded = false;
    ftr_warn_of_bare_time(input, filter);
    bool ok = cut_once(options, input, filter, file, &output, &rounded);
    if (ftr_writing_again(&options->writing, file, rounded, &ok))
        ok = cut_once(options, input, filter, file, &output, &rounded);
    ftr_query query;
    if (ok && filter != NULL && ftr_choice_query(&options->choice, input, &query))
        ftr_warn_of_filter(input, &query, filter);
    ftr_filter_destroy(filter);
    ok = ftr_output_finish(file, ok);
    if (ok && !options->writing.quiet)
        ftr_print_message(
            ftr_output_messages(options->writing.output), "",
            "%s: %" PRIu64 " transactions, %" PRIu64 " relations; %" PRIu64 " relations discarded",
            file->path, output.transactions, output.relations, output.relations_dropped);
    *lost = ok && ftr_copy_warn(&output);
    return ok;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    cut_options *options = taken;
    if (option == OPTION_WHERE) {
        options->where = argument;
        return true;
    }
    if (option == FTR_OPTION_MEMORY || option == FTR_OPTION_TYPES || option == 'j')
        return ftr_input_parse_option(&options->input, option, argument);
    if (option < OPTION_WHERE && option >= FTR_OPTION_FIRST_FREE)
        return ftr_choice_parse_option(&options->choice, option, argument);
    return ftr_writing_parse_option(&options->writing, option, argument);
}

static const ftr_option_set OPTIONS = {&ftr_command_cut, ":ho:j:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    cut_options options = {.input = {.spool = true}};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind != argc - 1)
        return ftr_misuse(&ftr_command_cut, "one file is expected");
    const ftr_writing_options *writing = &options.writing;
    const ftr_input_paths inputs = {.paths = argv + optind, .count = 1};
    if (writing->output == NULL)
        return ftr_misuse(&ftr_command_cut, "the output file is missing: name it with -o");
    ftr_input input;
    ftr_output_file file;
    if (!ftr_input_open(&input, argv[optind], &options.input))
        return FTR_EXIT_TROUBLE;
    bool lost = false;
    const bool ok = ftr_output_create(&file, writing->output, writing->force, true, &inputs) &&
                    cut_opened(&options, &input, &file, &lost);
    const bool errors = input.errors > 0;
    ftr_input_close(&input);
    if (!ok)
        return FTR_EXIT_TROUBLE;
    return errors || lost ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

const ftr_command ftr_command_cut = {
    "cut",
    "writes a part of a file, or the whole file with other options, as a sound file",
    run,
    "-o OUTPUT [OPTION]... FILE",
    FTR_OUTPUT_OPTIONS_TEXT FTR_CHOICE_OPTIONS_TEXT
    "  --where CONDITION       only transactions that fulfil the condition; see ftr dump\n" //
    FTR_TRACE_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT
    "Transactions get new ids. A relation is kept if both its transactions are kept. Without a\n"
    "selection, all streams are kept in their order, including streams without transactions.\n"
    "Empty names become \"unnamed\".\n",
};
