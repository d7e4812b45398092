/* The changes of figures over the nights of a history: since which night, by how much, in which
 * tests, and whether the figure came back. */
#ifndef FTR_NIGHT_CHANGES_H
#define FTR_NIGHT_CHANGES_H

#include "change_points.h"
#include "history_night.h"

typedef struct ftr_night_change_options {
    ftr_change_options points;
    double effect;                  /* smallest change of times and rates, in percent */
    double count_effect;            /* smallest change of counts */
    const char *tests, *generators; /* patterns (name_glob.h); NULL: all */
    const ftr_figure_metric *metrics;
    size_t metric_count;
} ftr_night_change_options;

#define FTR_ALL_TESTS SIZE_MAX

/* The medians of a metric of a generator of a test in the nights. */
typedef struct ftr_night_medians {
    struct {
        size_t test;                 /* number of the name; FTR_ALL_TESTS: all tests together */
        size_t generator, attribute; /* numbers of the names; `attribute` plus 1; 0: latencies and
                                        counts */
        size_t metric;               /* index in the options */
    } key;
    /* index: number of the night, below `nights`; NAN: no value. Of all tests together: the mean
     * of the tests, each in proportion to its median of all nights */
    double *of;
    size_t nights;
    size_t tests; /* number of tests: 1, or that of all tests together */
} ftr_night_medians;

/* A change of a figure of one test. */
typedef struct ftr_night_change {
    const ftr_night_medians *of;
    size_t night;         /* the first night after the change */
    size_t back;          /* the first night in which the figure was as before; 0: it is not back */
    double before, after; /* medians of the nights before and after */
} ftr_night_change;

/* `{0}` has no night. */
typedef struct ftr_night_changes {
    const ftr_night_change_options *options;
    size_t nights, night_capacity;
    char (*names)[FTR_NIGHT_NAME_SIZE]; /* of the nights */
    ftr_names test_names, generator_names, attribute_names;
    ftr_night_medians **medians; /* of tests, then of all tests together */
    size_t count, capacity;
    ftr_name_table keys;
    /* in order of night, generator, attribute, metric, direction, then by descending size */
    ftr_night_change *changes;
    size_t change_count, change_capacity;
} ftr_night_changes;

/* Adds the medians of a night; nights are added in the order of their times.
 * @return false if memory is exhausted */
bool ftr_night_changes_add(ftr_night_changes *to, const ftr_history_night *night);

/* Finds the changes. @return FTR_OK; FTR_ERR_MEMORY */
FTR_MUST_USE ftr_status ftr_night_changes_find(ftr_night_changes *of);

/* Returns the number of changes from @p first on that have its night, generator, attribute, metric
 * and direction: they are of different tests. */
size_t ftr_night_changes_group(const ftr_night_changes *of, size_t first);

/* Returns the relative size of a change: 0.05 for 5 % more. */
double ftr_night_change_size(const ftr_night_change *change);

void ftr_night_changes_release(ftr_night_changes *of);

#endif
