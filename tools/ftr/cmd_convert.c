/* ftr convert: converts other formats to FTR files, and FTR files to other formats. */
#include "command.h"
#include "convert_format.h"
#include "time_text.h"

#include <string.h>

enum {
    OPTION_INPUT_FORMAT = FTR_OPTION_FIRST_FREE,
    OPTION_OUTPUT_FORMAT,
    OPTION_PROGRAM,
    OPTION_FROM,
    OPTION_TO,
    OPTION_OFFSET,
    OPTION_PACK
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    {"input-format", required_argument, NULL, OPTION_INPUT_FORMAT},
    {"output-format", required_argument, NULL, OPTION_OUTPUT_FORMAT},
    {"program", required_argument, NULL, OPTION_PROGRAM},
    {"from", required_argument, NULL, OPTION_FROM},
    {"to", required_argument, NULL, OPTION_TO},
    {"begin", required_argument, NULL, OPTION_FROM}, /* name of --from in version 0.1 */
    {"end", required_argument, NULL, OPTION_TO},     /* name of --to in version 0.1 */
    {"pack", required_argument, NULL, OPTION_PACK},
    {"offset", required_argument, NULL, OPTION_OFFSET},
    FTR_OUTPUT_LONG_OPTIONS,
    FTR_FLOATS_LONG_OPTION,
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool parse_offset(ftr_convert_options *options, const char *setting)
{
    const char *equals = strrchr(setting, '=');
    if (equals == NULL || equals == setting || options->offset_count == FTR_CONVERT_OFFSETS_MAX)
        return false;
    options->offsets[options->offset_count++] = setting;
    return true;
}

/* Parses the argument of --from or --to: the start or end of a time window. In version 0.1, the
 * arguments of these options were formats. The name of a format is still accepted, and a note is
 * printed. */
static bool parse_time_or_format(bool is_end, const char *argument, const char **time,
                                 const char **format)
{
    ftr_time_value ignored;
    if (ftr_time_parse(argument, &ignored, NULL)) {
        *time = argument;
        return true;
    }
    if (ftr_convert_find(argument, is_end) == NULL && ftr_convert_missing(argument) == NULL)
        return false;
    ftr_print_error("note: the format is now named by %s; --%s is the %s of a time window",
                    is_end ? "--output-format" : "--input-format", is_end ? "to" : "from",
                    is_end ? "end" : "start");
    *format = argument;
    return true;
}

static bool parse_option(void *taken, int option, const char *argument)
{
    ftr_convert_options *options = taken;
    switch (option) {
    case OPTION_INPUT_FORMAT:
        options->input_format = argument;
        return true;
    case OPTION_OUTPUT_FORMAT:
        options->output_format = argument;
        return true;
    case OPTION_FROM:
        return parse_time_or_format(false, argument, &options->from, &options->input_format);
    case OPTION_TO:
        return parse_time_or_format(true, argument, &options->to, &options->output_format);
    case OPTION_PROGRAM:
        options->program = argument;
        return true;
    case OPTION_PACK:
        options->packed = true;
        return strcmp(argument, "lz4") == 0;
    case OPTION_OFFSET:
        return parse_offset(options, argument);
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
    case 'j':
        return ftr_input_parse_option(&options->input, option, argument);
    default:
        return ftr_writing_parse_option(&options->writing, option, argument);
    }
}

static int convert(ftr_convert_options *options)
{
    const char *name =
        options->output_format != NULL ? options->output_format : options->input_format;
    const ftr_convert_format *format = ftr_convert_find(name, options->output_format != NULL);
    const char *missing = ftr_convert_missing(name);
    if (format == NULL && missing != NULL)
        return ftr_misuse(&ftr_command_convert,
                          "this ftr was built without %s, which is needed for '%s'", missing, name);
    if (format == NULL) {
        char names[128];
        const bool writes = options->output_format != NULL;
        ftr_convert_list(writes, names, sizeof names);
        return ftr_misuse(&ftr_command_convert,
                          "unknown format '%s' to convert %s; the formats of --%s are %s", name,
                          writes ? "to" : "from", writes ? "output-format" : "input-format", names);
    }
    if (format->needs_program && options->program == NULL)
        return ftr_misuse(&ftr_command_convert, "--input-format %s needs --program", name);
    if (options->input_count > 1 && !format->many)
        return ftr_misuse(&ftr_command_convert, "one input file is expected");
    if (format->directory && strcmp(options->writing.output, "-") == 0)
        return ftr_misuse(&ftr_command_convert,
                          "%s is written as a directory, so its output cannot be stdout", name);
    const ftr_input_paths inputs = {options->inputs, options->input_count, options->program};
    if (!format->directory && strcmp(options->writing.output, "-") != 0 &&
        !ftr_output_is_allowed(options->writing.output, options->writing.force, &inputs))
        return FTR_EXIT_TROUBLE;
    if (options->output_format != NULL && options->writing.floats_given)
        return ftr_misuse(&ftr_command_convert, "--floats is only valid with --input-format");
    if ((options->from != NULL || options->to != NULL) && !format->windowed)
        return ftr_misuse(&ftr_command_convert,
                          "--from and --to are only valid with --output-format ctf");
    if (format->directory)
        (void)ftr_output_restrict_permissions(&inputs);
    return format->run(options);
}

static const ftr_option_set OPTIONS = {&ftr_command_convert, ":o:hj:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    static ftr_convert_options options;
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if ((options.input_format == NULL) == (options.output_format == NULL))
        return ftr_misuse(&ftr_command_convert,
                          "the format is missing: name it with --input-format or --output-format");
    if (options.writing.output == NULL)
        return ftr_misuse(&ftr_command_convert, "the output file is missing: name it with -o");
    options.inputs = argv + optind;
    options.input_count = (size_t)(argc - optind);
    if (options.input_count == 0)
        return ftr_misuse(&ftr_command_convert, "an input file is expected");
    return convert(&options);
}

const ftr_command ftr_command_convert = {
    .name = "convert",
    .summary = "converts an FTR file to another format, or another format to FTR",
    .run = run,
    .usage =
        "--output-format FORMAT -o OUTPUT [OPTION]... FILE... | --input-format FORMAT -o OUTPUT "
        "[OPTION]... FILE",
    .options = "  --output-format FORMAT\n"
               "                   ctf: Common Trace Format, a directory; flux;\n"
               "                   scv: SCV transaction text;\n"
               "                   perfetto: trace-event JSON for ui.perfetto.dev\n"
               "  --input-format FORMAT\n"
               "                   flux; kev: a QNX kernel event log; scv;\n"
               "                   trace-buffer: a dump of the trace linker's buffer\n"
               "  -o, --output F   the file to write; - is stdout (not for ctf)\n"
               "  --force          replace F even if it is an FTR trace or an input; a directory\n"
               "                   is never replaced\n"
               "  --floats FORM    with --input-format: single, double (exact, but SCViewer and "
               "Surfer do\n"
               "                   not load streams that contain a double) or text; default:\n"
               "                   single if it keeps all values exactly, else text\n"
               "  --from TIME, --to TIME  ctf: only transactions that overlap this interval: 10us\n"
               "  --offset FILE=TIME  ctf: add TIME to the clock of FILE; repeatable\n"
               "  --pack lz4       to flux: write compressed blocks\n"
               "  --program ELF    trace-buffer: the program that filled the buffer\n" //
    FTR_INPUT_OPTIONS_TEXT FTR_THREADS_OPTION_TEXT,
};
