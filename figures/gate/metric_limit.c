/* Owns the comparison of figures with limits. Does not know the origin of the limits. */
#include "metric_limit.h"

#include "printer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

long double ftr_seconds_to_ticks(long double seconds, int time_scale)
{
    return roundl(seconds * powl(10, -time_scale) * 1e6L) / 1e6L;
}

static void put_rate(char text[FTR_FIGURE_TEXT_SIZE], long double rate, const char *unit)
{
    static const char prefixes[] = " kMGTPE";
    size_t prefix = 0;
    for (; rate >= 999.9995L && prefix + 2 < sizeof prefixes; prefix++)
        rate /= 1000;
    if (prefix == 0)
        (void)snprintf(text, FTR_FIGURE_TEXT_SIZE, "%.6Lg %s", rate, unit);
    else
        (void)snprintf(text, FTR_FIGURE_TEXT_SIZE, "%.6Lg %c%s", rate, prefixes[prefix], unit);
}

const char *ftr_figure_value_text(ftr_figure_metric metric, long double value, int time_scale,
                                  char text[FTR_FIGURE_TEXT_SIZE])
{
    static ftr_printer out;
    if (!ftr_figure_metric_is_time(metric)) {
        if (metric.kind == FTR_METRIC_THROUGHPUT)
            put_rate(text, value, "tx/s");
        else if (metric.kind == FTR_METRIC_BANDWIDTH)
            put_rate(text, value, "B/s");
        else
            (void)snprintf(text, FTR_FIGURE_TEXT_SIZE,
                           metric.kind == FTR_METRIC_BUSY ? "%.4Lg %%" : "%.12Lg", value);
        return text;
    }
    ftr_printer_init(&out, -1);
    /* If the value is not a whole number of ticks, it is rounded to 1/1000 tick. */
    if (value == floorl(value))
        ftr_print_time(&out, (uint64_t)value, time_scale);
    else
        ftr_print_time(&out, (uint64_t)roundl(value * 1000), time_scale - 3);
    (void)snprintf(text, FTR_FIGURE_TEXT_SIZE, "%.*s", (int)out.filled, out.bytes);
    return text;
}
