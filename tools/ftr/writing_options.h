/* The options of subcommands that write: --output, --force, --floats, --compress, --types,
 * --quiet. */
#ifndef FTR_WRITING_OPTIONS_H
#define FTR_WRITING_OPTIONS_H

#include "output_file.h"

typedef struct ftr_writing_options {
    const char *output; /* NULL: not given */
    bool force;
    bool quiet;
    bool floats_given;
    ftr_recorder_options recorder;
} ftr_writing_options;

/* Values for getopt_long(), distinct from those of input_file.h and of the subcommands. */
enum {
    FTR_OPTION_FORCE = 0x200,
    FTR_OPTION_FLOATS,
    FTR_OPTION_COMPRESS,
    FTR_OPTION_NUMBERING,
    FTR_OPTION_QUIET
};
#define FTR_OUTPUT_LONG_OPTIONS                      \
    {"output", required_argument, NULL, 'o'},        \
    {                                                \
        "force", no_argument, NULL, FTR_OPTION_FORCE \
    }
#define FTR_FLOATS_LONG_OPTION                               \
    {                                                        \
        "floats", required_argument, NULL, FTR_OPTION_FLOATS \
    }
#define FTR_TRACE_LONG_OPTIONS                                      \
    FTR_OUTPUT_LONG_OPTIONS, FTR_FLOATS_LONG_OPTION,                \
        {"compress", required_argument, NULL, FTR_OPTION_COMPRESS}, \
        {"types", required_argument, NULL, FTR_OPTION_NUMBERING},   \
    {                                                               \
        "quiet", no_argument, NULL, FTR_OPTION_QUIET                \
    }
#define FTR_OUTPUT_OPTIONS_TEXT                                  \
    "  -o, --output FILE       the file to write; - is stdout\n" \
    "  --force                 replace FILE even if it is an FTR trace or an input\n"
#define FTR_FLOATS_OPTION_TEXT                                                                \
    "  --floats FORM           single, double (exact, but SCViewer and Surfer do not load\n"  \
    "                          streams with a double) or text; default: single if it keeps\n" \
    "                          all values exactly, else text\n"
#define FTR_TRACE_OPTIONS_TEXT                                                         \
    FTR_FLOATS_OPTION_TEXT                                                             \
    "  --compress MODE         lz4 (default), lz4hc[:LEVEL], none, or meta (not the\n" \
    "                          transactions)\n"                                        \
    "  --types NUMBERING       deployed (default) or spec\n"                           \
    "  --quiet                 print only warnings and errors\n"

/* Takes one of the options. @return false if @p argument is invalid */
bool ftr_writing_parse_option(ftr_writing_options *options, int option, const char *argument);

/* To be called after a first attempt to write the output, with single-precision floats. If a float
 * was rounded in this attempt, and the user did not choose a precision, truncates the output and
 * sets options->recorder to write floats as text.
 * @param[in,out] ok false after a failure
 * @return true if the output must be written again */
bool ftr_writing_again(ftr_writing_options *options, ftr_output_file *output, bool rounded,
                       bool *ok);

/* Returns true if ftr_writing_again() may require a second attempt. Messages of the recorder about
 * the first attempt must then be stored until the attempt is known to be the final one. */
bool ftr_writing_is_tentative(const ftr_writing_options *options);

#endif
