/* ftr convert: other formats into FTR files. Owns the table of formats; each is a library of its
 * own. */
#include "command.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#ifdef FTR_HAS_TRACE_BUFFER
#include "trace_buffer.h"
#endif

typedef struct convert_options {
    const char *from;
    const char *output;
    const char *program;
    const char *input;
} convert_options;

typedef struct convert_format {
    const char *name;
    bool needs_program;
    int (*run)(const convert_options *options);
} convert_format;

enum { OPTION_FROM = 256, OPTION_PROGRAM };

static const struct option LONG_OPTIONS[] = {
    {"from", required_argument, NULL, OPTION_FROM},
    {"program", required_argument, NULL, OPTION_PROGRAM},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

#ifdef FTR_HAS_TRACE_BUFFER
static int convert_trace_buffer(const convert_options *options)
{
    struct report report = {.out = stderr};
    struct trace_buffer_counts counts;
    bool well =
        trace_buffer_convert(&report, options->program, options->input, options->output, &counts);
    if (counts.exits_without_entry > 0)
        ftr_complain("%s: %" PRIu64 " exits whose entry was overwritten are left out",
                     options->input, counts.exits_without_entry);
    return well ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
}
#endif

static const convert_format FORMATS[] = {
#ifdef FTR_HAS_TRACE_BUFFER
    {"trace-buffer", true, convert_trace_buffer},
#endif
    {NULL, false, NULL},
};

static const convert_format *find_format(const char *name)
{
    for (const convert_format *format = FORMATS; format->name != NULL; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

static int convert(const convert_options *options)
{
    const convert_format *format = find_format(options->from);
    if (format == NULL)
        return ftr_misuse(&ftr_command_convert, "there is no format '%s'", options->from);
    if (format->needs_program && options->program == NULL)
        return ftr_misuse(&ftr_command_convert, "--from %s needs --program", options->from);
    return format->run(options);
}

static int run(int argc, char **argv)
{
    convert_options options = {0};
    int option;
    while ((option = getopt_long(argc, argv, "o:h", LONG_OPTIONS, NULL)) != -1) {
        switch (option) {
        case OPTION_FROM:
            options.from = optarg;
            break;
        case OPTION_PROGRAM:
            options.program = optarg;
            break;
        case 'o':
            options.output = optarg;
            break;
        case 'h':
            ftr_print_usage(&ftr_command_convert);
            return FTR_EXIT_OK;
        default:
            return FTR_EXIT_TROUBLE;
        }
    }
    if (options.from == NULL)
        return ftr_misuse(&ftr_command_convert, "--from names the format");
    if (options.output == NULL)
        return ftr_misuse(&ftr_command_convert, "--output names the file to write");
    if (argc - optind != 1)
        return ftr_misuse(&ftr_command_convert, "one file to convert is needed");
    options.input = argv[optind];
    return convert(&options);
}

const ftr_command ftr_command_convert = {
    .name = "convert",
    .summary = "makes an FTR file of another format",
    .run = run,
    .usage = "--from FORMAT [--program ELF] -o OUTPUT FILE",
    .options = "  --from FORMAT    trace-buffer: a dump of the trace linker's buffer\n"
               "  --program ELF    trace-buffer: the program that filled it\n"
               "  -o, --output F   the FTR file to write\n",
};
