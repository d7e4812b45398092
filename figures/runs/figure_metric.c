/* Names figures and computes their values. */
#include "figure_metric.h"

#include <stdio.h>
#include <string.h>

static const char *const names[FTR_METRIC_PERCENTILE] = {
    [FTR_METRIC_COUNT] = "count",
    [FTR_METRIC_ERRORS] = "errors",
    [FTR_METRIC_UNFINISHED] = "unfinished",
    [FTR_METRIC_BYTES] = "bytes",
    [FTR_METRIC_OUTSTANDING] = "outstanding",
    [FTR_METRIC_THROUGHPUT] = "throughput",
    [FTR_METRIC_BANDWIDTH] = "bandwidth",
    [FTR_METRIC_BUSY] = "busy",
    [FTR_METRIC_MIN] = "min",
    [FTR_METRIC_MEAN] = "mean",
    [FTR_METRIC_MAX] = "max",
};

bool ftr_percent_parse(const char *text, size_t size, uint32_t *percent)
{
    uint32_t value = 0;
    uint32_t unit = FTR_PERCENT;
    size_t at = 0;
    for (; at < size && text[at] >= '0' && text[at] <= '9'; at++) {
        value = value * 10 + (uint32_t)(text[at] - '0');
        if (value > 100)
            return false;
    }
    if (at == 0)
        return false;
    value *= FTR_PERCENT;
    if (at < size && text[at] == '.')
        for (at++; at < size && text[at] >= '0' && text[at] <= '9' && unit > 1; at++) {
            unit /= 10;
            value += (uint32_t)(text[at] - '0') * unit;
        }
    if (at != size || value > 100 * FTR_PERCENT)
        return false;
    *percent = value;
    return true;
}

bool ftr_figure_metric_parse(const char *name, size_t size, ftr_figure_metric *metric)
{
    for (unsigned i = 0; i < FTR_METRIC_PERCENTILE; i++)
        if (strlen(names[i]) == size && memcmp(names[i], name, size) == 0) {
            *metric = (ftr_figure_metric){.kind = (ftr_metric_kind)i};
            return true;
        }
    metric->kind = FTR_METRIC_PERCENTILE;
    return size > 1 && name[0] == 'p' && ftr_percent_parse(name + 1, size - 1, &metric->percent);
}

const char *ftr_figure_metric_name(ftr_figure_metric metric, char name[FTR_METRIC_NAME_SIZE])
{
    const char *attribute = metric.attribute != NULL ? metric.attribute : "";
    const char *blank = metric.attribute != NULL ? " " : "";
    if (metric.kind == FTR_METRIC_PERCENTILE)
        (void)snprintf(name, FTR_METRIC_NAME_SIZE, "%.60s%sp%g", attribute, blank,
                       (double)metric.percent / (double)FTR_PERCENT);
    else
        (void)snprintf(name, FTR_METRIC_NAME_SIZE, "%.60s%s%s", attribute, blank,
                       names[metric.kind]);
    return name;
}

bool ftr_figure_metric_is_time(ftr_figure_metric metric)
{
    return metric.kind >= FTR_METRIC_MIN;
}

bool ftr_figure_metric_is_count(ftr_figure_metric metric)
{
    return metric.kind == FTR_METRIC_COUNT || metric.kind == FTR_METRIC_ERRORS ||
           metric.kind == FTR_METRIC_UNFINISHED || metric.kind == FTR_METRIC_OUTSTANDING;
}

bool ftr_figure_metric_is_known(ftr_figure_metric metric, ftr_total_row *row)
{
    if (!ftr_figure_metric_is_time(metric))
        return true;
    const ftr_latency_bins *bins = ftr_total_row_bins(row, metric.attribute);
    return bins != NULL && bins->count > 0;
}

static long double time_value(ftr_figure_metric metric, ftr_latency_bins *bins)
{
    switch (metric.kind) {
    case FTR_METRIC_MIN:
        return (long double)bins->least;
    case FTR_METRIC_MEAN:
        return (long double)bins->sum / (long double)bins->count;
    case FTR_METRIC_MAX:
        return (long double)bins->greatest;
    default:
        return (long double)ftr_latency_bins_percentile(bins, metric.percent);
    }
}

long double ftr_figure_metric_value(ftr_figure_metric metric, ftr_total_row *row, int time_scale)
{
    const long double count = (long double)row->latency.count;
    switch (metric.kind) {
    case FTR_METRIC_COUNT:
        return count;
    case FTR_METRIC_ERRORS:
        return (long double)row->errors;
    case FTR_METRIC_UNFINISHED:
        return (long double)row->unfinished;
    case FTR_METRIC_BYTES:
        return (long double)row->bytes;
    case FTR_METRIC_OUTSTANDING:
        return (long double)row->outstanding;
    case FTR_METRIC_THROUGHPUT:
        return ftr_rate(count, row->span, time_scale);
    case FTR_METRIC_BANDWIDTH:
        return ftr_rate((long double)row->bytes, row->span, time_scale);
    case FTR_METRIC_BUSY:
        return row->span > 0 ? 100 * (long double)row->busy / (long double)row->span : 0;
    default:
        return ftr_figure_metric_is_known(metric, row)
                   ? time_value(metric, ftr_total_row_bins(row, metric.attribute))
                   : 0;
    }
}
