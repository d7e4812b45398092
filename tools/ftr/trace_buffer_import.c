/* Converts a dump of the trace linker's buffer, in a program of its own. */
#include "convert_format.h"

#include "command.h"
#include "trace_buffer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* If the dumped buffer is damaged, the part before the damage is converted. If this part is empty,
 * no output is left. @return false if nothing was converted, after an error message */
static bool convert_buffer(ftr_convert_options *options, ftr_link_report *report,
                           const ftr_trace_buffer_dump *dump, ftr_output_file *file,
                           ftr_trace_buffer_counts *counts)
{
    ftr_recorder_options *recorder = &options->writing.recorder;
    recorder->sink = &file->sink;
    bool ok =
        ftr_trace_buffer_convert(report, options->program, dump, file->path, recorder, counts);
    bool written = counts->written;
    if (ftr_writing_again(&options->writing, file, counts->rounded, &written)) {
        *report = (ftr_link_report){.out = report->out, .program = report->program};
        ok = ftr_trace_buffer_convert(report, options->program, dump, file->path, recorder, counts);
        written = counts->written;
    }
    return ftr_output_finish(file, written && (ok || counts->records > 0));
}

int ftr_trace_buffer_import(ftr_convert_options *options)
{
    ftr_link_report report = {.out = stderr, .program = "ftr"};
    ftr_trace_buffer_dump dump;
    ftr_trace_buffer_counts counts;
    ftr_output_file file;
    if (!ftr_trace_buffer_read(&report, options->inputs[0], &dump))
        return FTR_EXIT_TROUBLE;
    const bool created = ftr_convert_create_output(options, true, &file);
    const bool ok = created && convert_buffer(options, &report, &dump, &file, &counts);
    if (created && counts.exits_without_entry > 0)
        ftr_print_error("%s: %" PRIu64 " exits skipped, their entries were overwritten",
                        options->inputs[0], counts.exits_without_entry);
    free(dump.bytes);
    return !ok ? FTR_EXIT_TROUBLE : report.errors > 0 ? FTR_EXIT_FOUND : FTR_EXIT_OK;
}
