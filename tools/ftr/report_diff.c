/* Writes the report of two traces and their differences. */
#include "report_modes.h"

#include "command.h"
#include "diff_manifest.h"
#include "diff_report.h"
#include "run_manifest.h"
#include "run_part.h"
#include "run_record.h"
#include "trace_measure.h"

#include <ftr/version.h>

#include <string.h>

#define SIDES 2

typedef struct diff_report {
    const ftr_report_arguments *arguments;
    ftr_input input[SIDES];
    ftr_query query[SIDES];
    ftr_run_record run[SIDES];
    ftr_run_part part[SIDES];
    ftr_trace_diff diff;
    ftr_difference_list list;
    ftr_packed_block differences;
    ftr_status compared; /* result of the comparison */
} diff_report;

static const ftr_part_names PART_NAMES[SIDES] = {{"overview-1", "transactions-1"},
                                                 {"overview-2", "transactions-2"}};

/* Makes the report of one trace. */
static bool make_part(diff_report *report, unsigned side)
{
    ftr_input *input = &report->input[side];
    const size_t page = ftr_embedded_page_size;
    const size_t left = report->arguments->budget > page ? report->arguments->budget - page : 0;
    char journal[4096];
    const bool crashed = ftr_input_find_crash(input->path, journal, sizeof journal);
    const ftr_report_options options = {left / SIDES, input->path, &report->query[side],
                                        input->threads, crashed ? journal : NULL};
    ftr_run_report run;
    ftr_status status = ftr_run_report_make(&run, input->reader, &options);
    bool ok = ftr_input_check_end(input, status);
    if (ok) {
        ftr_run_record_judge_file(&run.run, ftr_trace_state(input->reader, input->errors));
        status = ftr_run_part_make(&report->part[side], &run, &PART_NAMES[side], options.budget);
        ok = ftr_input_check_end(input, status);
    }
    report->run[side] = run.run;
    run.run = (ftr_run_record){0};
    ftr_run_report_release(&run);
    return ok;
}

/* ---- comparison ------------------------------------------------------------------------------ */

static void add_difference(void *user, const ftr_difference *difference)
{
    ftr_difference_list_add(user, difference);
}

static void add_relation(void *user, const ftr_relation_difference *difference)
{
    ftr_difference_list_add_relation(user, difference);
}

static bool compare(diff_report *report)
{
    ftr_diff_options options = {.query = {report->query[0], report->query[1]},
                                .differs = add_difference,
                                .relation_differs = add_relation,
                                .user = &report->list};
    ftr_reader *const readers[SIDES] = {report->input[0].reader, report->input[1].reader};
    if (!ftr_compared_inputs_prepare(report->input, &report->arguments->tolerance, &report->diff,
                                     &options))
        return false;
    report->compared = ftr_diff_run(&report->diff, &options, readers);
    return report->compared == FTR_OK;
}

/* ---- the manifest ---------------------------------------------------------------------------- */

static uint32_t index_of(void *user, unsigned side, ftr_view stream)
{
    return ftr_manifest_find_stream(&((diff_report *)user)->run[side], stream);
}

static void print_side(const diff_report *report, unsigned side, ftr_json *json)
{
    ftr_json_open(json, side == 0 ? "first" : "second", '{');
    ftr_print(json->out, report->part[side].members.bytes, report->part[side].members.size);
    ftr_json_close(json, '}');
}

static bool print_manifest(diff_report *report, ftr_printer *printer, ftr_text_buffer *manifest)
{
    ftr_data_block block = {.name = "diff"};
    ftr_text_buffer_connect(manifest, printer);
    ftr_json json = {.out = printer};
    ftr_json_open(&json, NULL, '{');
    ftr_json_count(&json, "format", 1);
    ftr_json_string(&json, "kind", "diff");
    ftr_json_string(&json, "made_by", "ftr " FTR_VERSION_TEXT);
    ftr_json_int(&json, "time_scale", report->diff.time_scale);
    ftr_json_open(&json, "factor", '[');
    for (unsigned s = 0; s < SIDES; s++)
        ftr_json_wide(&json, NULL, report->diff.factor[s]);
    ftr_json_close(&json, ']');
    for (unsigned s = 0; s < SIDES; s++)
        print_side(report, s, &json);
    const bool ok = ftr_diff_manifest_print(&report->diff, ftr_diff_is_equal(&report->diff),
                                            &report->list, index_of, report, &block, &json) &&
                    ftr_data_block_pack(&block, 1, &report->differences);
    ftr_json_close(&json, '}');
    ftr_data_block_release(&block);
    return ftr_printer_flush(printer) && ok;
}

static bool write_diff(diff_report *report)
{
    char *paths[] = {(char *)report->input[0].path, (char *)report->input[1].path};
    const ftr_input_paths inputs = {paths, SIDES, NULL};
    ftr_text_buffer manifest = {0};
    ftr_printer *printer = malloc(sizeof *printer);
    const bool made = printer != NULL && print_manifest(report, printer, &manifest);
    if (!made)
        ftr_print_error("%s", ftr_status_text(FTR_ERR_MEMORY));
    const ftr_packed_block blocks[] = {report->part[0].overview, report->part[0].transactions,
                                       report->part[1].overview, report->part[1].transactions,
                                       report->differences};
    const bool ok = made && ftr_report_write(report->arguments, &inputs, &manifest, blocks,
                                             sizeof blocks / sizeof blocks[0]);
    free(printer);
    ftr_text_buffer_release(&manifest);
    return ok;
}

/* ---- two files ------------------------------------------------------------------------------- */

static int report_open(diff_report *report)
{
    for (unsigned s = 0; s < SIDES; s++)
        if (!ftr_choice_query(&report->arguments->choice, &report->input[s], &report->query[s]) ||
            !make_part(report, s))
            return FTR_EXIT_TROUBLE;
    const bool written = compare(report) && write_diff(report);
    if (!ftr_compared_inputs_check_end(report->input, &report->diff, report->compared) || !written)
        return FTR_EXIT_TROUBLE;
    return ftr_diff_is_equal(&report->diff) ? FTR_EXIT_OK : FTR_EXIT_FOUND;
}

int ftr_report_diff(const ftr_report_arguments *arguments, char *const paths[2])
{
    static diff_report report;
    const ftr_input_paths inputs = {paths, SIDES, NULL};
    int status = FTR_EXIT_TROUBLE;
    report.arguments = arguments;
    if (!ftr_output_is_allowed(arguments->output, arguments->force, &inputs) ||
        !ftr_input_open(&report.input[0], paths[0], &arguments->input))
        return status;
    if (ftr_input_open(&report.input[1], paths[1], &arguments->input)) {
        status = report_open(&report);
        for (unsigned s = 0; s < SIDES; s++) {
            ftr_run_part_release(&report.part[s]);
            ftr_run_record_release(&report.run[s]);
        }
        ftr_diff_release(&report.diff);
        ftr_difference_list_release(&report.list);
        ftr_packed_block_release(&report.differences);
        ftr_input_close(&report.input[1]);
    }
    ftr_input_close(&report.input[0]);
    return status;
}
