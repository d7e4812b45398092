/* The table of formats: their names and their functions. The code of each format is a library, and
 * some of these libraries are optional. */
#include "convert_format.h"

#include "command.h"
#include "formats.h"
#include "name_warnings.h"
#include "time_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool ftr_convert_create_output(const ftr_convert_options *options, bool binary,
                               ftr_output_file *file)
{
    const ftr_input_paths inputs = {options->inputs, options->input_count, options->program};
    return ftr_output_create(file, options->writing.output, options->writing.force, binary,
                             &inputs);
}

static void print_message(void *user, const char *message)
{
    (void)user;
    ftr_print_error("%s", message);
}

static const ftr_exchange_report REPORT = {print_message, NULL};

/* ---- shared by the formats ------------------------------------------------------------------- */

/* Opens the inputs of a conversion from FTR. @return NULL after an error message */
static ftr_input *open_inputs(const ftr_convert_options *options)
{
    ftr_input *inputs = calloc(options->input_count, sizeof *inputs);
    ftr_input_options reading = options->input;
    reading.spool = true;
    for (size_t i = 0; inputs != NULL && i < options->input_count; i++)
        if (!ftr_input_open(&inputs[i], options->inputs[i], &reading)) {
            while (i > 0)
                ftr_input_close(&inputs[--i]);
            free(inputs);
            return NULL;
        }
    return inputs;
}

static int close_inputs(const ftr_convert_options *options, ftr_input *inputs, bool ok)
{
    bool errors = false;
    for (size_t i = 0; i < options->input_count; i++) {
        errors |= inputs[i].errors > 0;
        ftr_input_close(&inputs[i]);
    }
    free(inputs);
    return !ok ? FTR_EXIT_TROUBLE : errors ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

/* Opens the inputs, and names each by its path. @param[out] inputs to be closed with close_inputs()
 * @return malloc'ed; NULL after an error message */
static ftr_named_reader *open_named(const ftr_convert_options *options, ftr_input **inputs)
{
    *inputs = open_inputs(options);
    ftr_named_reader *named = *inputs != NULL ? calloc(options->input_count, sizeof *named) : NULL;
    if (*inputs != NULL && named == NULL) {
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
        (void)close_inputs(options, *inputs, false);
    }
    for (size_t i = 0; named != NULL && i < options->input_count; i++)
        named[i] =
            (ftr_named_reader){options->inputs[i], (*inputs)[i].reader, (*inputs)[i].threads};
    return named;
}

typedef bool import_function(const char *path, const char *output,
                             const ftr_recorder_options *options, const ftr_exchange_report *report,
                             ftr_import_result *result);

/* Converts the input with @p import. The epoch of the output is the modification time of the input.
 * There is no better source. If the epoch were the current time, two conversions of the same input
 * would differ. */
static int import_with(ftr_convert_options *options, import_function *import)
{
    ftr_recorder_options *recorder = &options->writing.recorder;
    ftr_import_result result = {.tentative = ftr_writing_is_tentative(&options->writing)};
    ftr_output_file file;
    struct stat status;
    const char *input = options->inputs[0];
    if (!ftr_convert_create_output(options, true, &file))
        return FTR_EXIT_TROUBLE;
    const bool known =
        strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &status) == 0 : stat(input, &status) == 0;
    if (recorder->epoch_seconds == 0 && known)
        recorder->epoch_seconds = status.st_mtime;
    recorder->sink = &file.sink;
    bool ok = import(input, file.path, recorder, &REPORT, &result);
    if (ftr_writing_again(&options->writing, &file, result.rounded, &ok)) {
        result.again = true;
        result.tentative = false;
        ok = import(input, file.path, recorder, &REPORT, &result);
    }
    ok = ftr_output_finish(&file, ok);
    return !ok ? FTR_EXIT_TROUBLE : result.errors > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

/* ---- SCV text -------------------------------------------------------------------------------- */

static int to_scv(ftr_convert_options *options)
{
    ftr_input *inputs = open_inputs(options);
    if (inputs == NULL)
        return FTR_EXIT_TROUBLE;
    ftr_output_file file;
    bool ok = ftr_convert_create_output(options, false, &file);
    if (ok) {
        ok = ftr_scv_write(inputs[0].reader, inputs[0].threads, file.file.fd, file.path, &REPORT);
        ok = ftr_output_finish(&file, ok);
    }
    return close_inputs(options, inputs, ok);
}

static int from_scv(ftr_convert_options *options)
{
    return import_with(options, ftr_scv_read);
}

/* ---- flux ------------------------------------------------------------------------------------ */

/* Returns the name of a trace: the name of its file, without directory and suffix. */
static char *trace_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash != NULL ? slash + 1 : path;
    const char *suffix = strstr(base, ".ftr");
    return strndup(base, suffix != NULL && suffix > base ? (size_t)(suffix - base) : strlen(base));
}

static int to_flux(ftr_convert_options *options)
{
    ftr_input *inputs;
    ftr_named_reader *named = open_named(options, &inputs);
    ftr_output_file file;
    size_t names = 0;
    if (named == NULL)
        return FTR_EXIT_TROUBLE;
    const bool created = ftr_convert_create_output(options, true, &file);
    bool ok = created;
    while (ok && names < options->input_count) {
        named[names].name = trace_name(options->inputs[names]);
        ok = named[names++].name != NULL;
    }
    ok = ok && ftr_flux_write(named, names, file.file.fd, file.path, options->packed, &REPORT);
    if (created)
        ok = ftr_output_finish(&file, ok);
    while (names > 0)
        free((char *)named[--names].name);
    free(named);
    return close_inputs(options, inputs, ok);
}

static int from_flux(ftr_convert_options *options)
{
    return import_with(options, ftr_flux_read);
}

/* ---- QNX logs -------------------------------------------------------------------------------- */

static int from_kev(ftr_convert_options *options)
{
    return import_with(options, ftr_kev_read);
}

/* ---- trace events ---------------------------------------------------------------------------- */

static int to_trace_event(ftr_convert_options *options)
{
    ftr_input *inputs;
    ftr_named_reader *named = open_named(options, &inputs);
    ftr_output_file file;
    if (named == NULL)
        return FTR_EXIT_TROUBLE;
    bool ok = ftr_convert_create_output(options, false, &file);
    if (ok) {
        ok = ftr_trace_event_write(named, options->input_count, file.file.fd, file.path, &REPORT);
        ok = ftr_output_finish(&file, ok);
    }
    free(named);
    return close_inputs(options, inputs, ok);
}

/* ---- CTF ------------------------------------------------------------------------------------- */

/* Parses FILE=TIME or FILE=-TIME. @return false after an error message */
static bool parse_offset(const char *setting, const char *path, ftr_ctf_input *input, bool *used)
{
    const char *equals = strrchr(setting, '=');
    const size_t size = (size_t)(equals - setting);
    if (strlen(path) != size || memcmp(path, setting, size) != 0)
        return true;
    const bool negative = equals[1] == '-';
    ftr_time_value time;
    uint64_t ns;
    bool exact;
    if (!ftr_time_parse(equals + 1 + negative, &time, NULL) || time.in_ticks ||
        !ftr_time_to_ticks(&time, -9, &ns, &exact) || !exact || ns > INT64_MAX) {
        ftr_print_error("--offset %s: not a time in whole nanoseconds", setting);
        return false;
    }
    input->offset_ns = negative ? -(int64_t)ns : (int64_t)ns;
    *used = true;
    return true;
}

static bool parse_offsets(const ftr_convert_options *options, ftr_ctf_input *inputs)
{
    for (size_t i = 0; i < options->offset_count; i++) {
        bool used = false;
        for (size_t k = 0; k < options->input_count; k++)
            if (!parse_offset(options->offsets[i], inputs[k].path, &inputs[k], &used))
                return false;
        if (!used) {
            ftr_print_error("--offset %s: no input has this name", options->offsets[i]);
            return false;
        }
    }
    return true;
}

/* Warns, for each input, of a --from or --to without a unit. */
static void warn_of_bare(const ftr_convert_options *options, const ftr_input *inputs,
                         const char *option, const char *setting)
{
    ftr_time_value time;
    if (setting == NULL || !ftr_time_parse(setting, &time, NULL) || !time.in_ticks ||
        time.mantissa == 0)
        return;
    for (size_t i = 0; i < options->input_count; i++) {
        ftr_file_info info;
        ftr_reader_get_info(inputs[i].reader, &info);
        ftr_warn_of_ticks(inputs[i].path, info.time_scale, option, false, time.mantissa);
    }
}

static int to_ctf(ftr_convert_options *options)
{
    const ftr_ctf_options ctf = {.begin = options->from, .end = options->to};
    const size_t count = options->input_count;
    ftr_input *inputs = open_inputs(options);
    if (inputs == NULL)
        return FTR_EXIT_TROUBLE;
    warn_of_bare(options, inputs, "--from", options->from);
    warn_of_bare(options, inputs, "--to", options->to);
    ftr_ctf_input *named = calloc(count, sizeof *named);
    bool ok = named != NULL;
    for (size_t i = 0; i < count && ok; i++) {
        const char *path = options->inputs[i];
        named[i] = (ftr_ctf_input){.path = path,
                                   .name = trace_name(path),
                                   .reader = inputs[i].reader,
                                   .threads = inputs[i].threads};
        ok = named[i].name != NULL;
    }
    ok = ok && parse_offsets(options, named) &&
         ftr_ctf_write(named, count, options->writing.output, &ctf, &REPORT);
    for (size_t i = 0; i < count && named != NULL; i++)
        free((char *)named[i].name);
    free(named);
    return close_inputs(options, inputs, ok);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const ftr_convert_format FORMATS[] = {
    {.name = "flux", .writes = true, .many = true, .run = to_flux},
    {.name = "flux", .run = from_flux},
    {.name = "kev", .run = from_kev},
    {.name = "scv", .writes = true, .run = to_scv},
    {.name = "scv", .run = from_scv},
    {.name = "perfetto", .writes = true, .many = true, .run = to_trace_event},
    {.name = "ctf",
     .writes = true,
     .many = true,
     .directory = true,
     .windowed = true,
     .run = to_ctf},
#ifdef FTR_HAS_TRACE_BUFFER
    {.name = "trace-buffer", .needs_program = true, .run = ftr_trace_buffer_import},
#endif
    {.name = NULL},
};

const ftr_convert_format *ftr_convert_find(const char *name, bool writes)
{
    for (const ftr_convert_format *format = FORMATS; format->name != NULL; format++)
        if (strcmp(format->name, name) == 0 && format->writes == writes)
            return format;
    return NULL;
}

void ftr_convert_list(bool writes, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (const ftr_convert_format *format = FORMATS; format->name != NULL; format++) {
        if (format->writes != writes || used >= size)
            continue;
        const int written =
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", format->name);
        used += written > 0 ? (size_t)written : 0;
    }
}

const char *ftr_convert_missing(const char *name)
{
    static const char *const OPTIONAL[][2] = {
        {"trace-buffer", "elfutils"},
    };
    for (size_t i = 0; i < sizeof OPTIONAL / sizeof OPTIONAL[0]; i++)
        if (strcmp(OPTIONAL[i][0], name) == 0 && ftr_convert_find(name, true) == NULL &&
            ftr_convert_find(name, false) == NULL)
            return OPTIONAL[i][1];
    return NULL;
}
