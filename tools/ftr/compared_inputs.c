/* The rules that `ftr diff` and `ftr report --diff` share: which streams are compared, on which
 * time scale, and which errors of reading make the result incomplete. */
#include "diff_report.h"

#include "call_roles.h"
#include "command.h"
#include "name_warnings.h"
#include "stream_name_rules.h"
#include "text_view.h"

#define SIDES 2

/* Returns false for the stream ftr.run of attached runs, because this stream contains the time,
 * host and user of a run, which differ between any two runs. */
static bool is_of_the_model(void *user, const ftr_stream_info *stream)
{
    (void)user;
    return !ftr_view_is(stream->name, FTR_RUN_STREAM);
}

/* Prints an error if one input is a recording of accesses and the other one of calls: all
 * transactions would differ. */
static bool have_one_form(const ftr_input *inputs)
{
    for (unsigned s = 0; s < SIDES; s++) {
        const ftr_reader *calls = inputs[s].reader;
        const ftr_reader *accesses = inputs[1 - s].reader;
        if (!ftr_trace_has_calls(calls) || ftr_trace_has_accesses(calls) ||
            !ftr_trace_has_accesses(accesses) || ftr_trace_has_calls(accesses))
            continue;
        ftr_print_error(
            "%s: records TLM calls, but %s records accesses; 'ftr accesses %s -o OUTPUT' "
            "makes a trace that can be compared",
            inputs[s].path, inputs[1 - s].path, inputs[s].path);
        return false;
    }
    return true;
}

bool ftr_compared_inputs_prepare(const ftr_input *inputs, const ftr_time_value *tolerance,
                                 ftr_trace_diff *diff, ftr_diff_options *options)
{
    ftr_file_info info[SIDES];
    bool exact;
    if (!have_one_form(inputs))
        return false;
    for (unsigned s = 0; s < SIDES; s++) {
        ftr_reader_get_info(inputs[s].reader, &info[s]);
        options->query[s].threads = inputs[s].threads;
        if (options->query[s].choose_stream == NULL)
            options->query[s].choose_stream = is_of_the_model;
    }
    if (!ftr_diff_set_scales(diff, info[0].time_scale, info[1].time_scale)) {
        ftr_print_error("the time scales of %s and %s are too far apart", inputs[0].path,
                        inputs[1].path);
        return false;
    }
    if (!ftr_time_to_ticks(tolerance, diff->time_scale, &options->tolerance, &exact)) {
        ftr_print_error("the tolerance exceeds 64 bits of ticks");
        return false;
    }
    if (tolerance->in_ticks && tolerance->mantissa > 0)
        ftr_warn_of_ticks(inputs[0].path, diff->time_scale, "--tolerance", false,
                          tolerance->mantissa);
    return true;
}

bool ftr_compared_inputs_check_end(const ftr_input *inputs, const ftr_trace_diff *diff,
                                   ftr_status status)
{
    bool ok = true;
    bool reported = false;
    for (unsigned s = 0; s < SIDES; s++) {
        reported |= !ftr_input_check_end(&inputs[s], diff->status[s]);
        if (inputs[s].errors > 0)
            ftr_print_error("%s: damaged: its unreadable part was not compared", inputs[s].path);
        ok &= inputs[s].errors == 0;
    }
    if (status == FTR_ERR_LIMIT && !reported)
        ftr_print_error("%s, %s: times exceed 63 bits of the finer time scale", inputs[0].path,
                        inputs[1].path);
    else if (status != FTR_OK && !reported)
        ftr_print_error("%s, %s: %s", inputs[0].path, inputs[1].path, ftr_status_text(status));
    return ok && status == FTR_OK;
}
