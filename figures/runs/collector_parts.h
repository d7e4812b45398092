/* The parts of a run collector, for the files that implement it. */
#ifndef FTR_COLLECTOR_PARTS_H
#define FTR_COLLECTOR_PARTS_H

#include "activity.h"
#include "end_order.h"
#include "late_activity.h"
#include "run_record.h"
#include "small_latencies.h"
#include "tx_figures.h"

typedef enum ftr_stream_role { ROLE_MODEL, ROLE_RUN, ROLE_LOSSES, ROLE_OWN } ftr_stream_role;

/* The order of the transactions decides which of the two members is used. */
typedef union ftr_collected_activity {
    ftr_activity early;     /* FTR_COLLECT_BY_BEGIN */
    ftr_late_activity late; /* FTR_COLLECT_AS_RECORDED */
} ftr_collected_activity;

typedef struct ftr_collected_stream {
    ftr_stream_figures figures;
    ftr_collected_activity activity;
    /* FTR_COLLECT_AS_RECORDED: transactions that are not yet counted in the activities of the
     * stream and of its generators */
    ftr_end_order waiting;
    ftr_stream_role role;
    bool measured; /* its figures go into the record: see ftr_run_collector_measure() */
} ftr_collected_stream;

typedef struct ftr_collected_generator {
    ftr_generator_figures figures;
    ftr_collected_activity activity;
    /* latencies that are not in `figures`; used only if the collector is reduced */
    ftr_small_latencies small;
    size_t stream;
    ftr_response_rule responses;
    ftr_times_rule times;
    bool has_events; /* its transactions are events: points in other transactions of the stream */
} ftr_collected_generator;

/* A place in a table of names: see collected_names.h. */
typedef struct ftr_collected_name {
    uint32_t hash;
    uint32_t number; /* 1 + number of the stream or generator; 0: free */
} ftr_collected_name;

/* `{0}` is empty. */
typedef struct ftr_collected_names {
    ftr_collected_name *names;
    size_t count, capacity;
} ftr_collected_names;

/* The slots of all series: see collected_series.h. */
typedef struct ftr_collected_slots {
    unsigned shift; /* a slot has 2^shift ticks */
    uint64_t cells; /* of all series */
    bool are_used;
    uint64_t first, last; /* the first and the last tick with a slot; valid if `are_used` */
} ftr_collected_slots;

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
    ftr_collected_names stream_names, generator_names;
    ftr_run_attribute *attributes;
    size_t attribute_count, attribute_capacity;
    uint64_t losses;
    unsigned small_count; /* number of generators with small latencies */
    ftr_collected_slots slots;
    /* the series of streams and generators that were moved out with ftr_run_collector_take() */
    ftr_time_series *taken_streams, *taken_generators;
    size_t taken_stream_count, taken_stream_capacity;
    size_t taken_generator_count, taken_generator_capacity;
    uint64_t taken_transactions;
    /* asks whether the collector may have this memory; NULL: it may */
    bool (*has_room)(void *user, size_t memory);
    void *room_user;
    size_t until_check; /* number of calls until the memory is checked */
    size_t waiting;     /* number of waiting transactions of all streams */
    /* number of transactions that are counted before the memory of the activities is checked */
    size_t unchecked;
};

/* Adds an attribute of the run. Becomes the owner of its texts on success. @return false if out of
 * memory */
bool ftr_run_collector_add_attribute(struct ftr_run_collector *collector,
                                     const ftr_run_attribute *attribute);

/* Removes all streams and generators, and frees their figures. */
void ftr_run_collector_clear(struct ftr_run_collector *collector);

/* Frees the memory of an activity, but keeps its figures. */
void ftr_collected_activity_release(const struct ftr_run_collector *collector,
                                    ftr_collected_activity *activity);

#endif
