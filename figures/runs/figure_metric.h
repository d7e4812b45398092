/* Finds the figures of a generator by name: `p99`, `errors`, `throughput`. */
#ifndef FTR_FIGURE_METRIC_H
#define FTR_FIGURE_METRIC_H

#include "run_totals.h"

#define FTR_METRIC_NAME_SIZE 80u

typedef enum ftr_metric_kind {
    FTR_METRIC_COUNT,       /* transactions */
    FTR_METRIC_ERRORS,      /* transactions with a response that is not OK */
    FTR_METRIC_UNFINISHED,  /* transactions with the attribute `unfinished` */
    FTR_METRIC_BYTES,       /* bytes moved */
    FTR_METRIC_OUTSTANDING, /* maximum number of transactions open at one time */
    FTR_METRIC_THROUGHPUT,  /* transactions per second of simulated time */
    FTR_METRIC_BANDWIDTH,   /* bytes per second of simulated time */
    FTR_METRIC_BUSY,        /* percent of the time from the first begin to the last end */
    FTR_METRIC_MIN,         /* this and the following metrics are times */
    FTR_METRIC_MEAN,
    FTR_METRIC_MAX,
    FTR_METRIC_PERCENTILE
} ftr_metric_kind;

typedef struct ftr_figure_metric {
    ftr_metric_kind kind;
    uint32_t percent; /* FTR_METRIC_PERCENTILE: the percentage, in 1/FTR_PERCENT % */
    /* for a time: name of the attribute of type TIME, 0-terminated, borrowed; NULL: the latency */
    const char *attribute;
} ftr_figure_metric;

/* Reads the name of a metric: `count`, `p50`, `p99.9`. @return false if there is no metric of this
 * name */
bool ftr_figure_metric_parse(const char *name, size_t size, ftr_figure_metric *metric);

/* Reads a percentage from 0 to 100 with at most four decimals. @return false for any other text */
bool ftr_percent_parse(const char *text, size_t size, uint32_t *percent);

/* Writes the name of a metric: "p99", "request_time p99". A long name of an attribute is cut.
 * @return @p name */
const char *ftr_figure_metric_name(ftr_figure_metric metric, char name[FTR_METRIC_NAME_SIZE]);

/* Returns true if the metric is a time: values are in ticks, and a generator without transactions,
 * or without the attribute, has no value. */
bool ftr_figure_metric_is_time(ftr_figure_metric metric);

/* Returns true if the metric counts transactions: count, errors, unfinished, outstanding. */
bool ftr_figure_metric_is_count(ftr_figure_metric metric);

/* Returns true if the row has a value for the metric. Only times can be missing. */
bool ftr_figure_metric_is_known(ftr_figure_metric metric, ftr_total_row *row);

/* Returns the value of a metric that is known. Units: ticks for a time; transactions or bytes per
 * second; percent for `busy`. */
long double ftr_figure_metric_value(ftr_figure_metric metric, ftr_total_row *row, int time_scale);

#endif
