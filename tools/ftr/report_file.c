/* Writes the report of a run, and the file of every report. */
#include "report_modes.h"

#include "command.h"
#include "run_part.h"
#include "run_record.h"
#include "trace_measure.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static bool write_bytes(void *user, const char *bytes, size_t size)
{
    ftr_output_file *output = user;
    while (size > 0) {
        const int64_t written = ftr_atomic_file_write(&output->file, bytes, size);
        if (written < 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

bool ftr_report_write(const ftr_report_arguments *arguments, const ftr_input_paths *inputs,
                      const ftr_text_buffer *manifest, const ftr_packed_block *blocks,
                      size_t block_count)
{
    ftr_output_file output;
    if (!ftr_output_create(&output, arguments->output, arguments->force, false, inputs))
        return false;
    const bool ok = ftr_html_page_write(manifest, blocks, block_count, write_bytes, &output);
    if (!ok)
        ftr_print_error("%s: %s", output.path,
                        output.file.system_error != 0 ? strerror(output.file.system_error)
                                                      : ftr_status_text(FTR_ERR_MEMORY));
    return ftr_output_finish(&output, ok);
}

/* ---- a run ----------------------------------------------------------------------------------- */

static bool write_run(const ftr_report_arguments *arguments, char *path, const ftr_run_part *part)
{
    const ftr_input_paths inputs = {&path, 1, NULL};
    const ftr_packed_block blocks[] = {part->overview, part->transactions};
    ftr_text_buffer manifest = {0};
    const bool made = ftr_run_part_manifest(part, NULL, &manifest);
    if (!made)
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    const bool ok = made && ftr_report_write(arguments, &inputs, &manifest, blocks, 2);
    ftr_text_buffer_release(&manifest);
    return ok;
}

static void warn_of_size(const ftr_report_arguments *arguments, const ftr_run_part *part)
{
    const size_t size = ftr_embedded_page_size + ftr_run_part_size(part);
    if (size > arguments->budget)
        ftr_print_error(
            "%s: the report takes %zu bytes, more than --budget: its figures alone need "
            "them",
            arguments->output, size);
}

static int report_run(const ftr_report_arguments *arguments, char *path, ftr_input *input,
                      const ftr_query *query)
{
    static const ftr_part_names names = {"overview", "transactions"};
    const size_t page = ftr_embedded_page_size;
    const size_t budget = arguments->budget > page ? arguments->budget - page : 0;
    char journal[4096];
    const bool crashed = ftr_input_find_crash(path, journal, sizeof journal);
    const ftr_report_options options = {budget, path, query, input->threads,
                                        crashed ? journal : NULL};
    ftr_run_report report;
    ftr_run_part part = {0};
    ftr_status status = ftr_run_report_make(&report, input->reader, &options);
    const bool ok = ftr_input_check_end(input, status);
    bool written = false;
    if (status != FTR_ERR_MEMORY) {
        ftr_run_record_judge_file(&report.run, ftr_trace_state(input->reader, input->errors));
        if (!ok)
            ftr_run_record_judge_file(&report.run, FTR_RUN_TORN);
        status = ftr_run_part_make(&part, &report, &names, budget);
        written = ftr_input_check_end(input, status) && write_run(arguments, path, &part);
        if (written)
            warn_of_size(arguments, &part);
    }
    ftr_run_part_release(&part);
    ftr_run_report_release(&report);
    if (!ok || !written)
        return FTR_EXIT_TROUBLE;
    return input->errors > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}

int ftr_report_run(const ftr_report_arguments *arguments, char *path)
{
    const ftr_input_paths inputs = {&path, 1, NULL};
    ftr_input input;
    ftr_query query;
    if (!ftr_output_is_allowed(arguments->output, arguments->force, &inputs) ||
        !ftr_input_open(&input, path, &arguments->input))
        return FTR_EXIT_TROUBLE;
    const int status = ftr_choice_query(&arguments->choice, &input, &query)
                           ? report_run(arguments, path, &input, &query)
                           : FTR_EXIT_TROUBLE;
    ftr_input_close(&input);
    return status;
}
