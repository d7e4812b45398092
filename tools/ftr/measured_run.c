/* Measures traces. A trace that cannot be measured becomes a record that says why. */
#include "run_inputs.h"

#include "command.h"
#include "name_glob.h"
#include "stream_name_rules.h"
#include "trace_measure.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool choose_own(void *user, const ftr_stream_info *stream)
{
    const ftr_choice *choice = user;
    for (size_t i = 0; i < choice->streams.count; i++) {
        const char *rest = choice->streams.pattern[i];
        const char *glob;
        size_t size;
        while (ftr_glob_list_next(&rest, &glob, &size))
            if (ftr_text_begins(glob, size, FTR_OWN_STREAM_PREFIX) &&
                ftr_glob_matches(glob, size, stream->name.data, stream->name.size))
                return true;
    }
    return false;
}

static int record_missing(const char *path, ftr_run_state state, const char *problem,
                          ftr_run_record *run, bool *made)
{
    const ftr_status status = ftr_run_record_of_missing(path, state, problem, run);
    *made = status == FTR_OK;
    if (!*made)
        ftr_print_error("%s: %s", path, ftr_status_text(status));
    return FTR_EXIT_TROUBLE;
}

/* Makes the record of a file that could not be opened. The error was already printed. */
static int record_unopened(const char *path, ftr_run_record *run, bool *made)
{
    struct stat about = {0};
    const bool is_file = strcmp(path, "-") != 0;
    if (is_file && stat(path, &about) != 0)
        return record_missing(path, errno == ENOENT ? FTR_RUN_ABSENT : FTR_RUN_UNREADABLE,
                              strerror(errno), run, made);
    return record_missing(path, FTR_RUN_UNREADABLE,
                          is_file && ftr_input_is_empty(path) ? "the file is empty"
                                                              : "it cannot be read as an FTR file",
                          run, made);
}

/* Collects the trace, and its parts if the generators are divided. @return false after an error */
static bool collect_parts(ftr_input *input, const ftr_measuring *measuring,
                          ftr_trace_measure *measure, ftr_run_collector *collector,
                          ftr_parts_pass *pass)
{
    ftr_status status = FTR_OK;
    const bool is_divided = measuring->parts != NULL && measuring->parts->attribute != NULL;
    if (is_divided)
        status = ftr_parts_pass_begin(pass, measuring->parts, input->reader, measure);
    if (status == FTR_OK)
        status = ftr_trace_collect(input->reader, measure, collector);
    return ftr_input_check_end(input, status);
}

static int collect(ftr_input *input, const ftr_measuring *measuring, const ftr_query *query,
                   ftr_run_record *run, bool *made)
{
    ftr_run_collector *collector;
    ftr_file_info info;
    ftr_parts_pass pass = {0};
    ftr_trace_measure measure = {
        .query = query,
        .choose_own = choose_own,
        .choose_user = (void *)measuring->choice,
        .threads = input->threads,
        .attribute_sizes = measuring->attribute_sizes,
    };
    ftr_status status = ftr_run_collector_create(FTR_COLLECT_BY_BEGIN, &collector);
    if (status != FTR_OK) {
        (void)ftr_input_check_end(input, status);
        return FTR_EXIT_TROUBLE;
    }
    if (measuring->is_reduced)
        ftr_run_collector_reduce(collector, measuring->lacks_streams);
    const bool ok = collect_parts(input, measuring, &measure, collector, &pass);
    ftr_run_state state = ftr_trace_state(input->reader, input->errors);
    if (!ok && state < FTR_RUN_TORN)
        state = FTR_RUN_TORN;
    ftr_reader_get_info(input->reader, &info);
    const ftr_run_source source = {.file = input->path,
                                   .part = ftr_trace_part(input->path),
                                   .state = state,
                                   .is_continued = ftr_trace_is_continued(input->path),
                                   .time_scale = info.time_scale};
    status = ftr_run_collector_record(collector, &source, run);
    ftr_run_collector_destroy(collector);
    *made = status == FTR_OK;
    if (pass.collector != NULL) {
        if (ok && !pass.is_found)
            ftr_warn_of_attribute(input, query, "--by",
                                  (ftr_view){pass.parts->attribute, strlen(pass.parts->attribute)});
        status = ftr_parts_pass_end(&pass, &source, measuring->parts_run);
        if (status != FTR_OK && *made)
            ftr_run_record_release(run);
        *made &= status == FTR_OK;
    }
    if (!*made)
        (void)ftr_input_check_end(input, status);
    if (!ok || !*made)
        return FTR_EXIT_TROUBLE;
    return input->errors > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

int ftr_measure_run(const char *path, const ftr_measuring *measuring, ftr_run_record *run,
                    bool *made)
{
    ftr_input input;
    ftr_query query;
    *made = false;
    if (!ftr_input_open(&input, path, measuring->input))
        return record_unopened(path, run, made);
    const int status = ftr_choice_query(measuring->choice, &input, &query)
                           ? collect(&input, measuring, &query, run, made)
                           : FTR_EXIT_TROUBLE;
    ftr_input_close(&input);
    return status;
}
