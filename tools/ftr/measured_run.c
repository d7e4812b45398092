/* Measures traces. A trace that cannot be measured becomes a record that says why. */
#include "run_inputs.h"

#include "command.h"
#include "name_glob.h"
#include "stream_name_rules.h"
#include "trace_measure.h"

#include <errno.h>
#include <malloc.h>
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

/* ---- files that cannot be read --------------------------------------------------------------- */

static int record_missing(const char *path, ftr_run_state state, const char *problem,
                          const ftr_measuring *measuring, ftr_run_record *run, bool *made)
{
    ftr_run_record missing;
    ftr_status status = ftr_run_record_of_missing(path, state, problem, &missing);
    if (status == FTR_OK && run == NULL) {
        status = ftr_summary_index_add_run(measuring->index, &missing);
        ftr_run_record_release(&missing);
    } else if (status == FTR_OK) {
        *run = missing;
    }
    *made = status == FTR_OK;
    if (!*made)
        ftr_print_error("%s: %s", path, ftr_status_text(status));
    return FTR_EXIT_TROUBLE;
}

/* Makes the record of a file that could not be opened. The error was already printed. */
static int record_unopened(const char *path, const ftr_measuring *measuring, ftr_run_record *run,
                           bool *made)
{
    struct stat about = {0};
    const bool is_file = strcmp(path, "-") != 0;
    if (is_file && stat(path, &about) != 0)
        return record_missing(path, errno == ENOENT ? FTR_RUN_ABSENT : FTR_RUN_UNREADABLE,
                              strerror(errno), measuring, run, made);
    return record_missing(path, FTR_RUN_UNREADABLE,
                          is_file && ftr_input_is_empty(path) ? "the file is empty"
                                                              : "it cannot be read as an FTR file",
                          measuring, run, made);
}

/* ---- the figures of a trace ------------------------------------------------------------------ */

/* The place to which the figures are moved: a record, or the bytes of a record. */
typedef struct kept_figures {
    const ftr_measuring *measuring;
    ftr_run_record *run;
    ftr_run_writer *writer; /* NULL: the streams are moved to `run` */
    size_t memory;          /* of the streams in `run` */
} kept_figures;

static ftr_status take_part(void *user, ftr_run_record *part)
{
    kept_figures *kept = user;
    ftr_status status = FTR_OK;
    if (kept->writer != NULL) {
        ftr_run_writer_add(kept->writer, part);
    } else {
        kept->memory += ftr_run_record_memory(part);
        status = ftr_run_record_append(kept->run, part) ? FTR_OK : FTR_ERR_MEMORY;
    }
    ftr_run_record_release(part);
    return status;
}

static size_t kept_memory(void *user)
{
    const kept_figures *kept = user;
    return kept->measuring->held + kept->memory +
           (kept->writer != NULL ? ftr_run_writer_memory(kept->writer) : 0);
}

static bool check_end(const ftr_input *input, ftr_status status)
{
    if (status != FTR_ERR_LIMIT)
        return ftr_input_check_end(input, status);
    ftr_print_error("%s: its figures exceed the memory limit; raise --memory", input->path);
    return false;
}

/* Collects the figures of the trace, and of its parts if the generators are divided. */
static ftr_status collect(ftr_input *input, const ftr_query *query, ftr_run_collector *collector,
                          ftr_parts_pass *pass, kept_figures *kept)
{
    const ftr_measuring *measuring = kept->measuring;
    const ftr_part_taker taker = {take_part, kept_memory, kept};
    const bool is_divided = measuring->parts != NULL && measuring->parts->attribute != NULL;
    ftr_trace_measure measure = {
        .query = query,
        .choose_own = choose_own,
        .choose_user = (void *)measuring->choice,
        .threads = input->threads,
        .attribute_sizes = measuring->attribute_sizes,
    };
    if (measuring->is_reduced)
        ftr_run_collector_reduce(collector, measuring->lacks_streams);
    if (!is_divided)
        return ftr_trace_collect_parts(input->reader, &measure, collector, &taker);
    ftr_run_record all;
    ftr_status status = ftr_parts_pass_begin(pass, measuring->parts, input->reader, &measure);
    if (status == FTR_OK)
        status = ftr_trace_collect(input->reader, &measure, collector);
    ftr_status taken = ftr_run_collector_take(collector, &all);
    if (taken == FTR_OK)
        taken = take_part(kept, &all);
    return status == FTR_OK ? taken : status;
}

/* Makes the record of the run, and adds it to the index of the measuring, if there is one.
 * @param[out] made whether the record was made */
static ftr_status conclude(ftr_run_collector *collector, const ftr_run_source *source,
                           kept_figures *kept, bool *made)
{
    const ftr_series_list series = ftr_run_collector_series(collector);
    ftr_run_record head;
    ftr_encoded_run encoded;
    ftr_status status = ftr_run_collector_head(collector, source, &head);
    if (status != FTR_OK)
        return status;
    if (kept->writer == NULL) {
        head.streams = kept->run->streams;
        head.stream_count = kept->run->stream_count;
        *kept->run = head;
        *made = true;
        return FTR_OK;
    }
    status = ftr_run_writer_end(kept->writer, &head, &series, &encoded);
    if (status == FTR_OK) {
        ftr_run_writer_destroy(kept->writer);
        kept->writer = NULL;
        ftr_run_record_identify_encoded(&head, source->part, encoded.bytes, encoded.size);
        status = ftr_summary_index_add_encoded(kept->measuring->index, &head, &encoded);
        ftr_encoded_run_release(&encoded);
    }
    ftr_run_record_release(&head);
    *made = status == FTR_OK;
    return status;
}

/* Measures an open trace, and closes it. */
static int measure_input(ftr_input *input, const ftr_measuring *measuring, const ftr_query *query,
                         ftr_run_record *run, bool *made)
{
    ftr_run_collector *collector = NULL;
    ftr_file_info info;
    ftr_parts_pass pass = {0};
    ftr_run_record measured = {0};
    kept_figures kept = {.measuring = measuring, .run = &measured};
    ftr_status status = ftr_run_collector_create(FTR_COLLECT_BY_BEGIN, &collector);
    if (status == FTR_OK && measuring->index != NULL)
        status = ftr_run_writer_create(&kept.writer);
    if (status == FTR_OK)
        status = collect(input, query, collector, &pass, &kept);
    const bool ok = check_end(input, status);
    ftr_run_state state = ftr_trace_state(input->reader, input->errors);
    if (!ok && state < FTR_RUN_TORN)
        state = FTR_RUN_TORN;
    ftr_reader_get_info(input->reader, &info);
    if (ok && pass.collector != NULL && !pass.is_found)
        ftr_warn_of_attribute(input, query, "--by",
                              (ftr_view){pass.parts->attribute, strlen(pass.parts->attribute)});
    const bool has_errors = input->errors > 0;
    ftr_input_close(input); /* to free its memory */
    (void)malloc_trim(0);
    const ftr_run_source source = {.file = input->path,
                                   .part = ftr_trace_part(input->path),
                                   .state = state,
                                   .is_continued = ftr_trace_is_continued(input->path),
                                   .time_scale = info.time_scale};
    status = collector != NULL ? conclude(collector, &source, &kept, made) : FTR_ERR_MEMORY;
    if (pass.collector != NULL) {
        const ftr_status ended = ftr_parts_pass_end(&pass, &source, measuring->parts_run);
        status = status == FTR_OK ? ended : status;
        *made &= status == FTR_OK;
    }
    ftr_run_writer_destroy(kept.writer);
    ftr_run_collector_destroy(collector);
    if (*made && run != NULL)
        *run = measured;
    else
        ftr_run_record_release(&measured);
    if (!*made)
        (void)ftr_input_check_end(input, status);
    if (!ok || !*made)
        return FTR_EXIT_TROUBLE;
    return has_errors ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

static int measure_file(const char *path, const ftr_measuring *measuring, ftr_run_record *run,
                        bool *made)
{
    ftr_input input;
    ftr_query query;
    if (!ftr_input_open(&input, path, measuring->input))
        return record_unopened(path, measuring, run, made);
    if (ftr_choice_query(measuring->choice, &input, &query))
        return measure_input(&input, measuring, &query, run, made);
    ftr_input_close(&input);
    return FTR_EXIT_TROUBLE;
}

int ftr_measure_run(const char *path, const ftr_measuring *measuring, ftr_run_record *run,
                    bool *made)
{
    *made = false;
    return measure_file(path, measuring, run, made);
}

int ftr_measure_into(const char *path, const ftr_measuring *measuring)
{
    bool made = false;
    const int status = measure_file(path, measuring, NULL, &made);
    return !made ? FTR_EXIT_TROUBLE : status == FTR_EXIT_OK ? FTR_EXIT_OK : FTR_EXIT_FOUND;
}
