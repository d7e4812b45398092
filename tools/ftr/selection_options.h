/* The options that select transactions: --stream, --generator, --from, --to. */
#ifndef FTR_SELECTION_OPTIONS_H
#define FTR_SELECTION_OPTIONS_H

#include "input_file.h"
#include "name_warnings.h"
#include "time_text.h"

typedef struct ftr_choice {
    ftr_patterns streams, generators;
    bool has_from, has_to;
    ftr_time_value from, to;
} ftr_choice;

enum {
    FTR_OPTION_STREAM = FTR_OPTION_FIRST_FREE,
    FTR_OPTION_GENERATOR,
    FTR_OPTION_FROM,
    FTR_OPTION_TO,
    FTR_OPTION_OWN /* first value for a subcommand's own long options */
};
#define FTR_CHOICE_LONG_OPTIONS                                       \
    {"stream", required_argument, NULL, FTR_OPTION_STREAM},           \
        {"generator", required_argument, NULL, FTR_OPTION_GENERATOR}, \
        {"from", required_argument, NULL, FTR_OPTION_FROM},           \
    {                                                                 \
        "to", required_argument, NULL, FTR_OPTION_TO                  \
    }
#define FTR_CHOICE_OPTIONS_TEXT                                                              \
    "  --stream GLOBS          only streams with these names; repeatable, comma-separated\n" \
    "  --generator GLOBS       only generators with these names\n"                           \
    "  --from TIME --to TIME   only transactions that overlap this window, ends included: 10us\n"

/* Takes one of the options. @return false if @p argument is invalid */
bool ftr_choice_parse_option(ftr_choice *choice, int option, const char *argument);

/* Initialises the query for a file. @p choice must live as long as the query. The caller must set
 * the order of the query. Warns on stderr of names that match nothing in the file.
 * @return false after an error message if the window is empty */
bool ftr_choice_query(const ftr_choice *choice, ftr_input *input, ftr_query *query);

#endif
