/* ftr stats: prints statistics of generators as text, CSV or JSON, and tests them against
 * limits. */
#include "command.h"
#include "fail_condition.h"
#include "generator_statistics.h"
#include "printer.h"
#include "selection_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CONDITIONS_MAX 64

typedef enum stats_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON } stats_format;

typedef struct stats_options {
    ftr_input_options input;
    ftr_choice choice;
    stats_format format;
    ftr_fail_condition conditions[CONDITIONS_MAX];
    size_t condition_count;
} stats_options;

enum { OPTION_CSV = FTR_OPTION_OWN, OPTION_JSON, OPTION_FAIL_IF };

static const struct option LONG_OPTIONS[] = {
    FTR_INPUT_LONG_OPTIONS,
    FTR_CHOICE_LONG_OPTIONS,
    {"csv", no_argument, NULL, OPTION_CSV},
    {"json", no_argument, NULL, OPTION_JSON},
    {"fail-if", required_argument, NULL, OPTION_FAIL_IF},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* ---- tables ---------------------------------------------------------------------------------- */

static void print_rate(ftr_printer *out, const ftr_generator_row *row, int time_scale)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.6Lg", ftr_row_throughput(row, time_scale));
    ftr_print_string(out, text);
}

static void print_text(ftr_printer *out, const char *title, ftr_statistics_table *table)
{
    ftr_print_plain(out, title, strlen(title));
    ftr_print_string(out, "\ncount\ttx/s\tmin\tmean\tp50\tp90\tp99\tmax\toutstanding\terrors\t"
                          "unfinished\tgenerator\n");
    for (size_t i = 0; i < table->row_count; i++) {
        ftr_generator_row *row = &table->rows[i];
        ftr_print_uint(out, row->latency.count);
        ftr_print_char(out, '\t');
        print_rate(out, row, table->time_scale);
        const uint64_t times[] = {row->latency.least,
                                  ftr_histogram_mean(&row->latency),
                                  ftr_histogram_percentile(&row->latency, 50),
                                  ftr_histogram_percentile(&row->latency, 90),
                                  ftr_histogram_percentile(&row->latency, 99),
                                  row->latency.greatest};
        for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
            ftr_print_char(out, '\t');
            ftr_print_time(out, times[k], table->time_scale);
        }
        const uint64_t counts[] = {row->outstanding, row->errors, row->unfinished};
        for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
            ftr_print_char(out, '\t');
            ftr_print_uint(out, counts[k]);
        }
        ftr_print_char(out, '\t');
        ftr_print_plain(out, row->name, row->name_size);
        ftr_print_char(out, '\n');
    }
    if (table->attribute_count > 0)
        ftr_print_string(out, "bytes\tcount\tattribute\n");
    for (size_t i = 0; i < table->attribute_count; i++) {
        ftr_print_uint(out, table->attributes[i].bytes);
        ftr_print_char(out, '\t');
        ftr_print_uint(out, table->attributes[i].count);
        ftr_print_char(out, '\t');
        ftr_print_plain(out, table->attributes[i].name, table->attributes[i].size);
        ftr_print_char(out, '\n');
    }
}

/* Prints a field as RFC 4180 requires. */
static void print_field(ftr_printer *out, const char *text, size_t size)
{
    ftr_print_char(out, '"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            ftr_print_char(out, '"');
        ftr_print_char(out, text[i]);
    }
    ftr_print_char(out, '"');
}

static void print_csv(ftr_printer *out, const char *file, ftr_statistics_table *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        ftr_generator_row *row = &table->rows[i];
        print_field(out, file, strlen(file));
        ftr_print_char(out, ',');
        print_field(out, row->name, row->stream_size);
        ftr_print_char(out, ',');
        print_field(out, row->name + row->stream_size + 1, row->name_size - row->stream_size - 1);
        ftr_print_char(out, ',');
        ftr_print_int(out, table->time_scale);
        ftr_print_char(out, ',');
        ftr_print_uint(out, row->latency.count);
        ftr_print_char(out, ',');
        print_rate(out, row, table->time_scale);
        const uint64_t values[] = {row->latency.least,
                                   ftr_histogram_mean(&row->latency),
                                   ftr_histogram_percentile(&row->latency, 50),
                                   ftr_histogram_percentile(&row->latency, 90),
                                   ftr_histogram_percentile(&row->latency, 99),
                                   row->latency.greatest,
                                   row->outstanding,
                                   row->errors,
                                   row->unfinished};
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            ftr_print_char(out, ',');
            ftr_print_uint(out, values[k]);
        }
        ftr_print_char(out, '\n');
    }
}

static void print_member(ftr_printer *out, const char *name, uint64_t value)
{
    ftr_print_string(out, ", \"");
    ftr_print_string(out, name);
    ftr_print_string(out, "\": ");
    ftr_print_uint(out, value);
}

static void print_json(ftr_printer *out, const char *file, ftr_statistics_table *table)
{
    ftr_print_string(out, "{\"file\": ");
    ftr_print_json(out, file, strlen(file));
    ftr_print_string(out, ", \"time_scale\": ");
    ftr_print_int(out, table->time_scale);
    ftr_print_string(out, ", \"generators\": [");
    for (size_t i = 0; i < table->row_count; i++) {
        ftr_generator_row *row = &table->rows[i];
        ftr_print_string(out, i > 0 ? ", {\"stream\": " : "{\"stream\": ");
        ftr_print_json(out, row->name, row->stream_size);
        ftr_print_string(out, ", \"generator\": ");
        ftr_print_json(out, row->name + row->stream_size + 1,
                       row->name_size - row->stream_size - 1);
        print_member(out, "count", row->latency.count);
        ftr_print_string(out, ", \"throughput\": ");
        print_rate(out, row, table->time_scale);
        print_member(out, "min", row->latency.least);
        print_member(out, "mean", ftr_histogram_mean(&row->latency));
        print_member(out, "p50", ftr_histogram_percentile(&row->latency, 50));
        print_member(out, "p90", ftr_histogram_percentile(&row->latency, 90));
        print_member(out, "p99", ftr_histogram_percentile(&row->latency, 99));
        print_member(out, "max", row->latency.greatest);
        print_member(out, "outstanding", row->outstanding);
        print_member(out, "errors", row->errors);
        print_member(out, "unfinished", row->unfinished);
        ftr_print_char(out, '}');
    }
    ftr_print_string(out, "], \"attributes\": [");
    for (size_t i = 0; i < table->attribute_count; i++) {
        ftr_print_string(out, i > 0 ? ", {\"name\": " : "{\"name\": ");
        ftr_print_json(out, table->attributes[i].name, table->attributes[i].size);
        print_member(out, "count", table->attributes[i].count);
        print_member(out, "bytes", table->attributes[i].bytes);
        ftr_print_char(out, '}');
    }
    ftr_print_string(out, "]}\n");
}

static void print_table(ftr_printer *out, stats_format format, const char *file,
                        ftr_statistics_table *table)
{
    if (format == FORMAT_CSV)
        print_csv(out, file, table);
    else if (format == FORMAT_JSON)
        print_json(out, file, table);
    else
        print_text(out, file, table);
}

/* ---- the pass -------------------------------------------------------------------------------- */

static bool collect(const stats_options *options, ftr_input *input, ftr_statistics_table *table,
                    ftr_query *query)
{
    ftr_summary summary;
    ftr_reader_get_summary(input->reader, &summary);
    uint64_t factor = 1;
    for (int scale = summary.time_scale; scale > table->time_scale; scale--) {
        if (factor > UINT64_MAX / 10) {
            ftr_complain("%s: its time scale differs too much from the other files", input->path);
            return false;
        }
        factor *= 10;
    }
    if (!ftr_choice_query(&options->choice, input, query))
        return false;
    const ftr_status status = ftr_statistics_collect(table, input->reader, query, factor);
    return ftr_input_ended_well(input, status);
}

static int measure(const stats_options *options, char **files, size_t count)
{
    static ftr_printer out;
    ftr_printer_init(&out, STDOUT_FILENO);
    int worst = FTR_EXIT_OK;
    unsigned failed = 0;
    ftr_statistics_table together = {.time_scale = 127};
    ftr_input *inputs = calloc(count, sizeof *inputs);
    if (inputs == NULL)
        return FTR_EXIT_TROUBLE;
    /* All files are opened first, because the finest of their time scales is used for all. */
    for (size_t i = 0; i < count; i++) {
        ftr_summary summary;
        if (!ftr_input_open(&inputs[i], files[i], &options->input)) {
            worst = FTR_EXIT_TROUBLE;
            continue;
        }
        ftr_reader_get_summary(inputs[i].reader, &summary);
        if (summary.time_scale < together.time_scale)
            together.time_scale = summary.time_scale;
    }
    for (size_t k = 0; k < options->condition_count; k++)
        ftr_fail_condition_warn(&options->conditions[k], together.time_scale);
    if (options->format == FORMAT_CSV)
        ftr_print_string(&out, "file,stream,generator,time_scale,count,throughput,min,mean,p50,"
                               "p90,p99,max,outstanding,errors,unfinished\n");
    for (size_t i = 0; i < count; i++) {
        if (inputs[i].reader == NULL)
            continue;
        ftr_statistics_table table = {.time_scale = together.time_scale};
        ftr_query query;
        if (!collect(options, &inputs[i], &table, &query) ||
            (count > 1 && !ftr_statistics_merge(&together, &table))) {
            worst = FTR_EXIT_TROUBLE;
        } else {
            print_table(&out, options->format, files[i], &table);
            for (size_t k = 0; k < options->condition_count; k++)
                failed += ftr_fail_condition_judge(&options->conditions[k], files[i],
                                                   inputs[i].reader, &query, &table);
        }
        if (inputs[i].errors > 0 && worst == FTR_EXIT_OK)
            worst = FTR_EXIT_FOUND;
        ftr_statistics_release(&table);
        ftr_input_close(&inputs[i]);
    }
    if (count > 1)
        print_table(&out, options->format, "together", &together);
    ftr_statistics_release(&together);
    free(inputs);
    if (!ftr_printer_flush(&out)) {
        ftr_complain("stdout could not be written");
        return FTR_EXIT_TROUBLE;
    }
    return failed > 0 && worst == FTR_EXIT_OK ? FTR_EXIT_FOUND : worst;
}

static bool take_option(void *taken, int option, const char *argument)
{
    stats_options *options = taken;
    switch (option) {
    case FTR_OPTION_MEMORY:
    case FTR_OPTION_TYPES:
        return ftr_input_take_option(&options->input, option, argument);
    case OPTION_CSV:
        options->format = FORMAT_CSV;
        return true;
    case OPTION_JSON:
        options->format = FORMAT_JSON;
        return true;
    case OPTION_FAIL_IF:
        return options->condition_count < CONDITIONS_MAX &&
               ftr_fail_condition_parse(argument, &options->conditions[options->condition_count++]);
    default:
        return ftr_choice_take(&options->choice, option, argument);
    }
}

static const ftr_option_set OPTIONS = {&ftr_command_stats, ":h", LONG_OPTIONS, take_option};

static int run(int argc, char **argv)
{
    static stats_options options;
    options.input.spool = true;
    int status;
    if (!ftr_take_options(&OPTIONS, argc, argv, &options, &status))
        return status;
    if (optind == argc)
        return ftr_misuse(&ftr_command_stats, "a file is expected");
    return measure(&options, argv + optind, (size_t)(argc - optind));
}

const ftr_command ftr_command_stats = {
    "stats",
    "measures latency, throughput and more for each generator",
    run,
    "[OPTION]... FILE...",
    "  --csv                   comma-separated, times in ticks of 10^time_scale seconds\n"
    "  --json                  print one JSON object per file, times in ticks\n"
    "  --fail-if CONDITION     exit with status 1 if the condition is true:\n"
    "                          'top.cpu.*: p99 > 200ns'; a pattern for stream.generator, and one "
    "of\n"
    "                          count min mean p50 p90 p99 max outstanding errors unfinished\n"
    "                          throughput; repeatable.\n"
    "                          A file without a transaction to measure also "
    "fails\n" FTR_CHOICE_OPTIONS_TEXT FTR_INPUT_OPTIONS_TEXT
    "Percentiles are exact up to 65536 different latencies of a generator, else within 0.1 %.\n",
};
