/* The parts of a run collector, for the files that implement it. */
#ifndef FTR_COLLECTOR_PARTS_H
#define FTR_COLLECTOR_PARTS_H

#include "activity.h"
#include "late_activity.h"
#include "run_record.h"
#include "small_latencies.h"
#include "tx_figures.h"

#include "name_table.h"

typedef enum ftr_stream_role { ROLE_MODEL, ROLE_RUN, ROLE_LOSSES, ROLE_OWN } ftr_stream_role;

/* The order of the transactions decides which of the two members is used; the other one stays
 * empty. */
typedef struct ftr_collected_activity {
    ftr_activity early;
    ftr_late_activity late;
} ftr_collected_activity;

typedef struct ftr_collected_stream {
    ftr_stream_figures figures;
    ftr_collected_activity activity;
    ftr_stream_role role;
    bool measured; /* its figures go into the record: see ftr_run_collector_measure() */
} ftr_collected_stream;

typedef struct ftr_collected_generator {
    ftr_generator_figures figures;
    ftr_collected_activity activity;
    /* latencies that are not in `figures`; used only if the collector is reduced */
    ftr_small_latencies small;
    size_t stream;
    char *key; /* stream, a dot, generator */
    ftr_response_rule responses;
    ftr_times_rule times;
    bool has_events; /* its transactions are events: points in other transactions of the stream */
} ftr_collected_generator;

struct ftr_run_collector {
    unsigned order;  /* ftr_collect_order */
    bool is_reduced; /* without series, slowest transactions and identity */
    bool lacks_streams;
    bool holds;           /* transactions are held until ftr_run_collector_let_go() */
    bool leaves_activity; /* the caller computes the activity */
    ftr_collected_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_collected_generator *generators;
    size_t generator_count, generator_capacity;
    ftr_name_table stream_names, generator_names;
    ftr_run_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    uint64_t losses;
    unsigned small_count; /* number of generators with small latencies */
};

/* Adds an attribute of the run. Becomes the owner of its texts on success. @return false if out of
 * memory */
bool ftr_run_collector_add_attribute(struct ftr_run_collector *collector,
                                     const ftr_run_attribute *attribute);

#endif
