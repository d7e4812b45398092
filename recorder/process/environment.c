/* Reads the FTR_ variables into options, and reports errors in their values. The recorder
 * implements the options. */
#define _GNU_SOURCE
#include <ftr/detail/size_text.h>
#include <ftr/environment.h>

#include <ftr/buffer.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "near_name.h"
#include "path_pattern.h"
#include "time_text.h"

#define PREFIX "FTR_"
#define PREFIX_SIZE (sizeof PREFIX - 1)

#define FTR_PATH_SIZE sizeof(((ftr_environment *)NULL)->path)

/* FTR_SUMMARY with its placeholders replaced; ftr_recorder_options.summary points to this text. */
static char summary_path[FTR_PATH_SIZE];

typedef struct variable_reader {
    ftr_environment *environment;
    void (*report)(void *user, ftr_severity severity, const char *message);
    void *report_user;
    ftr_status status;
} variable_reader;

/* Returns NULL if the variable is unset or empty. */
static const char *value_of(const char *variable)
{
    const char *value = secure_getenv(variable);
    return value != NULL && *value ? value : NULL;
}

static void refuse_because(variable_reader *reader, const char *variable, const char *value,
                           const char *why)
{
    reader->status = FTR_ERR_ARGUMENT;
    if (reader->report == NULL)
        return;
    char message[1024];
    snprintf(message, sizeof message, "%s=%.200s is invalid: %.600s", variable, value, why);
    reader->report(reader->report_user, FTR_SEVERITY_ERROR, message);
}

static void refuse(variable_reader *reader, const char *variable, const char *value,
                   const char *expected)
{
    char why[620];
    snprintf(why, sizeof why, "expected %.600s", expected);
    refuse_because(reader, variable, value, why);
}

/* Returns the index of the variable's value in @p words; 0 if the variable is unset or empty, or if
 * its value is not in @p words, which is reported. */
static int choose(variable_reader *reader, const char *variable, const char *const *words,
                  const char *expected)
{
    const char *value = value_of(variable);
    if (value == NULL)
        return 0;
    for (int i = 0; words[i] != NULL; i++) {
        if (strcmp(words[i], value) == 0)
            return i;
    }
    refuse(reader, variable, value, expected);
    return 0;
}

static bool read_flag(variable_reader *reader, const char *variable, bool unset)
{
    static const char *const words[] = {"", "0", "1", NULL};
    int word = choose(reader, variable, words, "0 or 1");
    return word ? word == 2 : unset;
}

/* Reads FTR_RUN_INFO: "0", "1" or "no-arguments". */
static void read_run_info(variable_reader *reader)
{
    static const char *const words[] = {"", "0", "1", "no-arguments", NULL};
    const int word = choose(reader, "FTR_RUN_INFO", words, "0, 1 or no-arguments");
    reader->environment->run_info = word != 1;
    reader->environment->run_arguments = word != 1 && word != 3;
}

/* Returns whether @p name, of @p size characters, is a variable of ftr. If it is not, offers all
 * known variables to @p near, which finds the most similar one. */
static bool is_variable(const char *name, size_t size, ftr_near_name *near)
{
    static const char *const known[] = {
        "FTR_ATTACH_PLUGIN", "FTR_BUFFERS",    "FTR_COMPRESS",     "FTR_DEBUG_TRANSPORT",
        "FTR_DMI",           "FTR_EXCLUDE",    "FTR_FLIGHT_AFTER", "FTR_FLIGHT_SIZE",
        "FTR_FLOAT",         "FTR_INCLUDE",    "FTR_INDEX",        "FTR_JOURNAL_DIR",
        "FTR_KEEP",          "FTR_MAX_FILES",  "FTR_MAX_SIZE",     "FTR_MIN_FREE",
        "FTR_MODE",          "FTR_PAYLOAD",    "FTR_PROTOCOL",     "FTR_RUN",
        "FTR_RUN_INFO",      "FTR_START",      "FTR_STOP",         "FTR_STRICT",
        "FTR_SUMMARY",       "FTR_TAGS",       "FTR_TRACE",        "FTR_TYPES",
        "FTR_VERBOSE",       "FTR_ATTACH_MARK"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == size && strncmp(known[i], name, size) == 0)
            return true;
        /* The prefix, which is the same in all names, is not compared. */
        ftr_near_name_offer(near, known[i] + PREFIX_SIZE, strlen(known[i]) - PREFIX_SIZE);
    }
    return false;
}

/* Warns of variables whose names are similar to a variable of ftr. With @p only_starting, warns
 * only of names similar to a variable that starts a recording, because nothing is recorded and
 * other variables may belong to other programs. */
static void warn_of_misspelt(const variable_reader *reader, bool only_starting)
{
    for (char **entry = environ; reader->report != NULL && entry != NULL && *entry != NULL;
         entry++) {
        const size_t size = strcspn(*entry, "=");
        ftr_near_name near;
        if (strncmp(*entry, PREFIX, PREFIX_SIZE) != 0 || size == PREFIX_SIZE)
            continue;
        ftr_near_name_init(&near, *entry + PREFIX_SIZE, size - PREFIX_SIZE);
        const char *nearest = is_variable(*entry, size, &near) ? NULL : ftr_near_name_get(&near);
        if (nearest == NULL ||
            (only_starting && strcmp(nearest, "TRACE") != 0 && strcmp(nearest, "SUMMARY") != 0))
            continue;
        char message[400];
        snprintf(message, sizeof message,
                 "%.*s is not a variable of ftr and has no effect; " PREFIX "%s is one",
                 size < 100 ? (int)size : 100, *entry, nearest);
        reader->report(reader->report_user, FTR_SEVERITY_WARNING, message);
    }
}

static void read_compression(variable_reader *reader)
{
    static const char *const words[] = {"lz4", "lz4hc", "none", "meta", NULL};
    static const char expected[] = "lz4, lz4hc, lz4hc:LEVEL (1 to 12), none or meta";
    ftr_recorder_options *options = &reader->environment->options;
    const char *value = value_of("FTR_COMPRESS");
    if (value != NULL && strncmp(value, "lz4hc:", 6) == 0) {
        char *end;
        unsigned long level = strtoul(value + 6, &end, 10);
        bool is_number = value[6] >= '0' && value[6] <= '9' && !*end;
        if (!is_number || level < 1 || level > 12) {
            refuse(reader, "FTR_COMPRESS", value, expected);
            return;
        }
        options->compression = FTR_COMPRESSION_LZ4HC;
        options->compression_level = (int)level;
        return;
    }
    options->compression = (ftr_compression)choose(reader, "FTR_COMPRESS", words, expected);
}

/* Returns the value of a variable with a time; NULL if it is unset or invalid. A time without a
 * unit is in ticks of the trace, as in the options of `ftr`. */
static const char *read_time(variable_reader *reader, const char *variable)
{
    const char *value = value_of(variable);
    ftr_time_value ignored;
    if (value != NULL && !ftr_time_parse(value, &ignored, NULL)) {
        refuse(reader, variable, value, "a simulated time such as \"10 us\"");
        return NULL;
    }
    if (value != NULL && ftr_time_lacks_unit(value) && reader->report != NULL) {
        char message[200];
        snprintf(message, sizeof message,
                 "%s=%.60s has no unit: taken as ticks of the time scale; with a unit: \"10 us\"",
                 variable, value);
        reader->report(reader->report_user, FTR_SEVERITY_WARNING, message);
    }
    return value;
}

/* Returns the value of a variable with a number of bytes; 0 if it is unset or invalid. */
static uint64_t read_size(variable_reader *reader, const char *variable, uint64_t least,
                          uint64_t most, const char *expected)
{
    const char *value = value_of(variable);
    uint64_t size;
    if (value == NULL)
        return 0;
    if (ftr_size_parse(value, &size) && size >= least && size <= most)
        return size;
    refuse(reader, variable, value, expected);
    return 0;
}

static void read_limits(variable_reader *reader)
{
    ftr_recorder_options *options = &reader->environment->options;
    options->max_size = read_size(reader, "FTR_MAX_SIZE", UINT64_C(64) << 10, UINT64_MAX,
                                  "bytes, at least 64K; K, M, G and T may follow");
    options->min_free = read_size(reader, "FTR_MIN_FREE", 1, UINT64_MAX,
                                  "bytes, at least 1; K, M, G and T may follow");
    const char *value = value_of("FTR_MAX_FILES");
    char *end = NULL;
    unsigned long files = value != NULL ? strtoul(value, &end, 10) : 0;
    if (value != NULL && (*end || value[0] < '0' || value[0] > '9' || files < 2 || files > 10000))
        refuse(reader, "FTR_MAX_FILES", value, "a number of files, 2 to 10000");
    else if (value != NULL && !options->max_size)
        refuse(reader, "FTR_MAX_FILES", value, "FTR_MAX_SIZE, the maximum size of each file");
    else
        options->max_files = (uint32_t)files;
}

static void read_buffers(variable_reader *reader)
{
    char why[600];
    const char *value = value_of("FTR_BUFFERS");
    if (value != NULL && ftr_buffers_check(value, why, sizeof why) != FTR_OK)
        refuse_because(reader, "FTR_BUFFERS", value, why);
    else
        reader->environment->buffers = value;
}

/* Reads a path and replaces its placeholders. @p path is empty if the variable is unset or
 * invalid. */
static void read_path(variable_reader *reader, const char *variable, char path[FTR_PATH_SIZE])
{
    const char *pattern = value_of(variable);
    path[0] = '\0';
    if (pattern == NULL)
        return;
    if (strcmp(pattern, "-") == 0) {
        refuse(reader, variable, pattern,
               "a path: stdout is the program's, and ./- is a file with this name");
        return;
    }
    if (ftr_path_pattern_expand(pattern, path, FTR_PATH_SIZE) != FTR_OK) {
        char why[128];
        snprintf(why, sizeof why, "a path: %.100s", path);
        path[0] = '\0';
        refuse(reader, variable, pattern, why);
    }
}

void ftr_environment_warn_of_misspelt_trace(void (*report)(void *user, ftr_severity severity,
                                                           const char *message),
                                            void *report_user)
{
    const variable_reader reader = {.report = report, .report_user = report_user};
    if (getauxval(AT_SECURE) == 0)
        warn_of_misspelt(&reader, true);
}

ftr_status ftr_environment_read(ftr_environment *environment,
                                void (*report)(void *user, ftr_severity severity,
                                               const char *message),
                                void *report_user)
{
    if (environment == NULL)
        return FTR_ERR_ARGUMENT;
    static const char *const modes[] = {"file", "flight", NULL};
    static const char *const keeps[] = {"always", "on-error", NULL};
    static const char *const indexes[] = {"auto", "always", "never", NULL};
    static const char *const floats[] = {"single", "double", "text", NULL};
    /* "text" is the name of "spec" in 0.1. */
    static const char *const numberings[] = {"deployed", "spec", "text", NULL};
    *environment = (ftr_environment){.options = {.threads = 1}};
    _Static_assert(sizeof environment->options <= sizeof environment->reserved, "room for options");
    variable_reader reader = {environment, report, report_user, FTR_OK};
    ftr_recorder_options *options = &environment->options;
    options->report = report;
    options->report_user = report_user;
    read_path(&reader, "FTR_TRACE", environment->path);
    read_path(&reader, "FTR_SUMMARY", summary_path);
    options->summary = summary_path[0] ? summary_path : NULL;
    read_compression(&reader);
    options->floats = (ftr_floats)choose(&reader, "FTR_FLOAT", floats, "single, double or text");
    options->numbering = choose(&reader, "FTR_TYPES", numberings, "deployed or spec") > 0
                             ? FTR_NUMBERING_SPEC
                             : FTR_NUMBERING_DEPLOYED;
    options->keep = (ftr_keep)choose(&reader, "FTR_KEEP", keeps, "always or on-error");
    options->index =
        (ftr_write_index)choose(&reader, "FTR_INDEX", indexes, "auto, always or never");
    options->mode = (ftr_mode)choose(&reader, "FTR_MODE", modes, "file or flight");
    options->flight_size =
        read_size(&reader, "FTR_FLIGHT_SIZE", UINT64_C(1) << 20, UINT64_C(2) << 30,
                  "bytes, 1M to 2G; K, M, G and T may follow");
    options->flight_after = read_time(&reader, "FTR_FLIGHT_AFTER");
    options->include = value_of("FTR_INCLUDE");
    options->exclude = value_of("FTR_EXCLUDE");
    options->journal_directory = value_of("FTR_JOURNAL_DIR");
    options->start = read_time(&reader, "FTR_START");
    options->stop = read_time(&reader, "FTR_STOP");
    read_limits(&reader);
    read_buffers(&reader);
    environment->strict = read_flag(&reader, "FTR_STRICT", false);
    environment->verbose = read_flag(&reader, "FTR_VERBOSE", false);
    read_run_info(&reader);
    warn_of_misspelt(&reader, false);
    return reader.status;
}
