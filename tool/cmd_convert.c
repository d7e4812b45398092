/* ftr convert: other formats into FTR files, and FTR files into other formats. */
#include "command.h"
#include "convert_format.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPTION_FROM = FTR_OPTION_FIRST_FREE,
    OPTION_TO,
    OPTION_PROGRAM,
    OPTION_BEGIN,
    OPTION_END,
    OPTION_OFFSET,
    OPTION_PACK
};

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    {"from", required_argument, NULL, OPTION_FROM},
    {"to", required_argument, NULL, OPTION_TO},
    {"program", required_argument, NULL, OPTION_PROGRAM},
    {"begin", required_argument, NULL, OPTION_BEGIN},
    {"end", required_argument, NULL, OPTION_END},
    {"pack", required_argument, NULL, OPTION_PACK},
    {"offset", required_argument, NULL, OPTION_OFFSET},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool take_offset(ftr_convert_options *options, const char *setting)
{
    const char *equals = strrchr(setting, '=');
    if (equals == NULL || equals == setting || options->offset_count == FTR_CONVERT_OFFSETS_MAX)
        return false;
    options->offsets[options->offset_count++] = setting;
    return true;
}

static bool take_option(void *taken, int option, const char *argument)
{
    ftr_convert_options *options = taken;
    switch (option) {
    case OPTION_FROM:
        options->from = argument;
        return true;
    case OPTION_TO:
        options->to = argument;
        return true;
    case OPTION_PROGRAM:
        options->program = argument;
        return true;
    case OPTION_BEGIN:
        options->begin = argument;
        return true;
    case OPTION_END:
        options->end = argument;
        return true;
    case OPTION_PACK:
        options->packed = true;
        return strcmp(argument, "lz4") == 0;
    case OPTION_OFFSET:
        return take_offset(options, argument);
    case 'o':
        options->output = argument;
        return true;
    default:
        return ftr_input_take_option(&options->input, option, argument);
    }
}

/* Opening the output would empty the input. */
static bool is_output(const ftr_convert_options *options, const char *input)
{
    struct stat in;
    struct stat out;
    const bool found =
        strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &in) == 0 : stat(input, &in) == 0;
    return found && stat(options->output, &out) == 0 && S_ISREG(out.st_mode) &&
           in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

static int convert(const ftr_convert_options *options)
{
    const char *name = options->to != NULL ? options->to : options->from;
    const ftr_convert_format *format = ftr_convert_find(name, options->to != NULL);
    const char *missing = ftr_convert_missing(name);
    if (format == NULL && missing != NULL)
        return ftr_misuse(&ftr_command_convert, "this ftr was built without %s, which '%s' needs",
                          missing, name);
    if (format == NULL)
        return ftr_misuse(&ftr_command_convert, "there is no format '%s' to convert %s", name,
                          options->to != NULL ? "to" : "from");
    if (format->needs_program && options->program == NULL)
        return ftr_misuse(&ftr_command_convert, "--from %s needs --program", name);
    if (options->input_count > 1 && !format->many)
        return ftr_misuse(&ftr_command_convert, "one file to convert is needed");
    for (size_t i = 0; i < options->input_count; i++)
        if (is_output(options, options->inputs[i])) {
            ftr_complain("%s: input and output are the same file", options->inputs[i]);
            return FTR_EXIT_TROUBLE;
        }
    return format->run(options);
}

static const ftr_option_set OPTIONS = {&ftr_command_convert, ":o:h", LONG_OPTIONS, take_option};

static int run(int argc, char **argv)
{
    static ftr_convert_options options;
    int status;
    if (!ftr_take_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if ((options.from == NULL) == (options.to == NULL))
        return ftr_misuse(&ftr_command_convert, "--from or --to names the format");
    /* What is written comes first when it is another format, as a compiler's caller would have it.
     */
    if (options.to != NULL && options.output == NULL && optind < argc)
        options.output = argv[optind++];
    if (options.output == NULL)
        return ftr_misuse(&ftr_command_convert, "--output names the file to write");
    options.inputs = argv + optind;
    options.input_count = (size_t)(argc - optind);
    if (options.input_count == 0)
        return ftr_misuse(&ftr_command_convert, "a file to convert is needed");
    return convert(&options);
}

const ftr_command ftr_command_convert = {
    .name = "convert",
    .summary = "makes an FTR file of another format, or the other way round",
    .run = run,
    .usage = "--to FORMAT [OPTION]... OUTPUT FILE... | --from FORMAT [OPTION]... -o OUTPUT FILE",
    .options = "  --to FORMAT      ctf: Common Trace Format, a directory; flux;\n"
               "                   scv: SCV transaction text;\n"
               "                   perfetto: trace-event JSON for ui.perfetto.dev\n"
               "  --from FORMAT    flux; kev: a QNX kernel event log; scv;\n"
               "                   trace-buffer: a dump of the trace linker's buffer\n"
               "  -o, --output F   what to write\n"
               "  --begin TIME, --end TIME  ctf: only transactions that overlap this, as '10us'\n"
               "  --offset FILE=TIME  ctf: added to the clock of this file; several times\n"
               "  --pack lz4       to flux: in compressed blocks\n"
               "  --program ELF    trace-buffer: the program that filled it\n" //
    FTR_INPUT_OPTIONS_TEXT,
};
