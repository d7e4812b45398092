/* ftr index: writes the indexes beside traces, tells whether they are up to date, or removes them.
 */
#include "command.h"
#include "index_place.h"
#include "input_file.h"
#include "plain_message.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum index_task { TASK_WRITE, TASK_CHECK, TASK_REMOVE } index_task;

typedef struct index_options {
    ftr_input_options input;
    index_task task;
    bool force;
    bool quiet;
} index_options;

enum { OPTION_CHECK = FTR_OPTION_FIRST_FREE, OPTION_REMOVE, OPTION_FORCE, OPTION_QUIET };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_THREADS_LONG_OPTION,
    {"check", no_argument, NULL, OPTION_CHECK},
    {"force", no_argument, NULL, OPTION_FORCE},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"remove", no_argument, NULL, OPTION_REMOVE},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

__attribute__((format(printf, 3, 4))) static void say(const index_options *options,
                                                      const char *path, const char *format, ...)
{
    char text[200];
    if (options->quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ftr_print_message(stdout, "", "%s: %s", path, text);
}

static bool is_regular(const char *path)
{
    struct stat about;
    if (strcmp(path, "-") != 0 && stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        ftr_print_error("%s: not a regular file", path);
    else if (strcmp(path, "-") == 0)
        ftr_print_error("-: an index is beside a file; name the file");
    else
        return true;
    return false;
}

/* ---- the tasks; each returns an exit status -------------------------------------------------- */

static int write_index(const index_options *options, ftr_input *input)
{
    ftr_status status = ftr_reader_collect_ids(input->reader);
    if (status == FTR_OK) {
        errno = 0;
        status = ftr_reader_write_index(input->reader, input->path);
    }
    if (status == FTR_OK) {
        say(options, input->path, "index written to %s" FTR_INDEX_SUFFIX, input->path);
        return input->errors > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
    }
    if (status == FTR_ERR_IO && errno == EEXIST)
        ftr_print_error("%s" FTR_INDEX_SUFFIX ": is not an index and is not replaced", input->path);
    else if (status == FTR_ERR_IO)
        ftr_print_error("%s" FTR_INDEX_SUFFIX ": cannot be written: %s", input->path,
                        strerror(errno));
    else if (status == FTR_ERR_STATE)
        ftr_print_error("%s: has changed meanwhile: an index is of use only for a complete file",
                        input->path);
    else
        ftr_print_error("%s: %s", input->path, ftr_status_text(status));
    return FTR_EXIT_TROUBLE;
}

/* Opens the trace and finds out whether its index is up to date. @return false after an error
 * message */
static bool open_trace(const index_options *options, const char *path, bool without_index,
                       ftr_input *input, ftr_index_state *state)
{
    ftr_input_options reading = options->input;
    reading.without_index = without_index;
    if (!ftr_input_open(input, path, &reading))
        return false;
    *state = ftr_reader_get_index_state(input->reader);
    return true;
}

static int check_index(const index_options *options, const char *path)
{
    static const char *const TEXTS[] = {
        "has no index", "the index is damaged or stale: it is not used", "the index is up to date"};
    ftr_input input;
    ftr_index_state state;
    if (!open_trace(options, path, false, &input, &state))
        return FTR_EXIT_TROUBLE;
    say(options, path, "%s", TEXTS[state]);
    ftr_input_close(&input);
    return state == FTR_INDEX_USED ? FTR_EXIT_OK : FTR_EXIT_FOUND;
}

static int make_index(const index_options *options, const char *path)
{
    ftr_input input;
    ftr_index_state state;
    if (!open_trace(options, path, options->force, &input, &state))
        return FTR_EXIT_TROUBLE;
    int status = FTR_EXIT_OK;
    if (state == FTR_INDEX_USED)
        say(options, path, "the index is up to date");
    else
        status = write_index(options, &input);
    ftr_input_close(&input);
    return status;
}

static int remove_index(const index_options *options, const char *path)
{
    char *index = ftr_index_path(path);
    struct stat about;
    int status = FTR_EXIT_OK;
    if (index == NULL || lstat(index, &about) != 0) {
        say(options, path, "has no index");
    } else {
        ftr_index_remove(path);
        if (lstat(index, &about) == 0) {
            ftr_print_error("%s: cannot be removed, or is not an index", index);
            status = FTR_EXIT_TROUBLE;
        } else {
            say(options, path, "index removed");
        }
    }
    free(index);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool parse_option(void *taken, int option, const char *argument)
{
    index_options *options = taken;
    if (option == OPTION_CHECK)
        options->task = TASK_CHECK;
    else if (option == OPTION_REMOVE)
        options->task = TASK_REMOVE;
    else if (option == OPTION_FORCE)
        options->force = true;
    else if (option == OPTION_QUIET)
        options->quiet = true;
    else
        return ftr_input_parse_option(&options->input, option, argument);
    return true;
}

static const ftr_option_set OPTIONS = {&ftr_command_index, ":hj:", LONG_OPTIONS, parse_option};

static int run(int argc, char **argv)
{
    static int (*const TASKS[])(const index_options *, const char *) = {make_index, check_index,
                                                                        remove_index};
    index_options options = {0};
    int status;
    if (!ftr_parse_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind == argc)
        return ftr_misuse(&ftr_command_index, "a file is expected");
    int worst = FTR_EXIT_OK;
    for (int i = optind; i < argc; i++) {
        status = is_regular(argv[i]) ? TASKS[options.task](&options, argv[i]) : FTR_EXIT_TROUBLE;
        worst = status > worst ? status : worst;
    }
    return worst;
}

const ftr_command ftr_command_index = {
    "index",
    "writes the index beside a trace, to find a transaction by its id",
    run,
    "[OPTION]... FILE...",
    "  --check                 print whether the index is up to date; write nothing\n"
    "  --remove                remove the index\n"
    "  --force                 write the index again even if it is up to date\n"
    "  --quiet                 print only errors\n" FTR_THREADS_OPTION_TEXT FTR_INPUT_OPTIONS_TEXT
    "The index of FILE is FILE" FTR_INDEX_SUFFIX ". The recorder writes the index of a large trace "
    "itself (FTR_INDEX).\n"
    "Exit status: 0 success, 1 the index is missing or stale (--check) or FILE is damaged, 2 "
    "error.\n",
};
