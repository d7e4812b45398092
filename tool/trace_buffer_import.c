/* Owns the output of a converted trace buffer. Does not know the format of the buffer. */
#include "trace_buffer_import.h"

#include "command.h"
#include "trace_buffer.h"

#include <inttypes.h>
#include <stdio.h>

/* If the dumped buffer is damaged, the part before the damage is converted. */
static bool convert_buffer(ftr_convert_options *options, ftr_output_file *file,
                           ftr_trace_buffer_counts *counts)
{
    ftr_link_report report = {.out = stderr};
    ftr_recorder_options *recorder = &options->writing.recorder;
    const char *input = options->inputs[0];
    recorder->sink = &file->sink;
    bool ok =
        ftr_trace_buffer_convert(&report, options->program, input, file->path, recorder, counts);
    bool written = counts->written;
    if (ftr_writing_again(&options->writing, file, counts->rounded, &written)) {
        ok = ftr_trace_buffer_convert(&report, options->program, input, file->path, recorder,
                                      counts);
        written = counts->written;
    }
    return ftr_output_finish(file, written) && ok;
}

int ftr_trace_buffer_import(ftr_convert_options *options)
{
    ftr_trace_buffer_counts counts;
    ftr_output_file file;
    if (!ftr_convert_create_output(options, true, &file))
        return FTR_EXIT_TROUBLE;
    const bool ok = convert_buffer(options, &file, &counts);
    if (counts.exits_without_entry > 0)
        ftr_print_error("%s: %" PRIu64 " exits skipped, their entries were overwritten",
                        options->inputs[0], counts.exits_without_entry);
    return ok ? FTR_EXIT_OK : FTR_EXIT_TROUBLE;
}
