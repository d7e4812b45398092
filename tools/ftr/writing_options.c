/* Options of subcommands that write. */
#include "writing_options.h"

#include "command.h"

#include <stdlib.h>
#include <string.h>

static bool parse_compression(const char *text, ftr_recorder_options *options)
{
    if (strcmp(text, "lz4") == 0) {
        options->compression = FTR_COMPRESSION_LZ4;
    } else if (strcmp(text, "none") == 0) {
        options->compression = FTR_COMPRESSION_NONE;
    } else if (strcmp(text, "meta") == 0) {
        options->compression = FTR_COMPRESSION_META;
    } else if (strncmp(text, "lz4hc", 5) == 0 && (text[5] == '\0' || text[5] == ':')) {
        options->compression = FTR_COMPRESSION_LZ4HC;
        if (text[5] == ':') {
            char *end;
            const long level = strtol(text + 6, &end, 10);
            if (end == text + 6 || *end != '\0' || level < 1 || level > 12)
                return false;
            options->compression_level = (int)level;
        }
    } else {
        return false;
    }
    return true;
}

static bool parse_numbering(const char *text, ftr_recorder_options *options)
{
    if (strcmp(text, "deployed") == 0)
        options->numbering = FTR_NUMBERING_DEPLOYED;
    else if (strcmp(text, "spec") == 0 || strcmp(text, "text") == 0) /* "text": in version 0.1 */
        options->numbering = FTR_NUMBERING_SPEC;
    else
        return false;
    return true;
}

static bool parse_floats(const char *text, ftr_recorder_options *options)
{
    if (strcmp(text, "single") == 0)
        options->floats = FTR_FLOATS_SINGLE;
    else if (strcmp(text, "double") == 0)
        options->floats = FTR_FLOATS_DOUBLE;
    else if (strcmp(text, "text") == 0)
        options->floats = FTR_FLOATS_TEXT;
    else
        return false;
    return true;
}

bool ftr_writing_parse_option(ftr_writing_options *options, int option, const char *argument)
{
    switch (option) {
    case 'o':
        options->output = argument;
        return true;
    case FTR_OPTION_FORCE:
        options->force = true;
        return true;
    case FTR_OPTION_QUIET:
        options->quiet = true;
        return true;
    case FTR_OPTION_FLOATS:
        options->floats_given = true;
        return parse_floats(argument, &options->recorder);
    case FTR_OPTION_COMPRESS:
        return parse_compression(argument, &options->recorder);
    case FTR_OPTION_NUMBERING:
        return parse_numbering(argument, &options->recorder);
    default:
        return false;
    }
}

bool ftr_writing_is_tentative(const ftr_writing_options *options)
{
    return !options->floats_given && options->recorder.floats == FTR_FLOATS_SINGLE;
}

bool ftr_writing_again(ftr_writing_options *options, ftr_output_file *output, bool rounded,
                       bool *ok)
{
    if (!*ok || !rounded || !ftr_writing_is_tentative(options))
        return false;
    ftr_print_error("%s: not all floats are exact in single precision: all are written as text; "
                    "--floats sets another form",
                    output->path);
    options->recorder.floats = FTR_FLOATS_TEXT;
    *ok = ftr_output_restart(output);
    return *ok;
}
