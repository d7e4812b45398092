/* The content of the report of a run: figures, levels of detail, curves, address maps, the time of
 * children, whole transactions. The transactions are read once, and a second time only if the time
 * slots were planned wrongly. Memory is bounded. */
#ifndef FTR_RUN_REPORT_H
#define FTR_RUN_REPORT_H

#include "address_map.h"
#include "family_walk.h"
#include "generator_series.h"
#include "prepared_tx.h"
#include "run_record.h"
#include "run_relations.h"
#include "stream_activity.h"
#include "stream_bins.h"
#include "work_queue.h"

#define FTR_REPORT_MAPS_MAX 32u
/* Maximum number of transactions in a batch. */
#define FTR_REPORT_BATCH 512u

typedef struct ftr_report_options {
    size_t budget;          /* approximate size limit of the data in the page, in bytes */
    const char *file;       /* name of the trace in the report */
    const ftr_query *query; /* selects transactions; the order is ignored */
    unsigned threads;       /* maximum number of reading threads; 0: one */
    const char *journal;    /* journal of the run, if the run crashed; NULL: none */
} ftr_report_options;

typedef struct ftr_report_stream {
    ftr_view name;  /* data NULL: the stream has no transaction */
    uint64_t count; /* number of transactions without the attribute `unfinished` */
    ftr_stream_activity activity;
    ftr_stream_bins bins;
    size_t series_slot; /* latest time slot of the curves in which a transaction begins */
    size_t *generators; /* numbers of the generators */
    size_t generator_count, generator_capacity;
    size_t map;        /* index of the map of the latest address */
    bool has_accesses; /* its addresses are in maps */
} ftr_report_stream;

typedef struct ftr_report_generator {
    ftr_view name;
    size_t stream;               /* number of the stream */
    ftr_generator_series series; /* series.of NULL: the curves are omitted */
} ftr_report_generator;

typedef struct ftr_report_map {
    size_t stream;
    const ftr_name *name;
    ftr_address_map map;
} ftr_report_map;

/* A transaction with its addresses, for the worker. */
typedef struct ftr_report_item {
    ftr_report_tx tx;
    uint32_t stream;        /* number in the report */
    uint32_t address_count; /* the addresses follow those of the item before in the batch */
} ftr_report_item;

/* Number of batches: one is filled, and the worker has at most the others. */
#define FTR_REPORT_BATCHES 24u

/* Transactions for the worker, which adds them to bins, curves and maps in this order. */
typedef struct ftr_report_batch {
    size_t count, address_count;
    ftr_report_item items[FTR_REPORT_BATCH];
    ftr_report_address addresses[FTR_REPORT_BATCH * 2];
} ftr_report_batch;

/* Streams and generators have the numbers of the run collector. */
typedef struct ftr_run_report {
    ftr_reader *reader; /* borrowed; `options`, too */
    const ftr_report_options *options;
    ftr_run_record run;
    ftr_link_names links; /* labels of the streams of the run */
    ftr_time_slots bin_slots, series_slots, map_slots;
    size_t bins_max, series_max; /* limits: streams with bins, generators with curves */
    ftr_report_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_report_generator *generators;
    size_t generator_count, generator_capacity;
    /* 1 + number of the stream of each generator; 0: unknown. This is a separate array, not a
     * member of `generators`, because the calling thread reads it for each transaction, and the
     * worker changes `generators`. */
    uint32_t *stream_of;
    size_t stream_of_count;
    ftr_open_count *open_counts; /* index: number of the generator */
    size_t open_count_capacity;
    ftr_report_map *maps;
    size_t map_count, maps_omitted;
    ftr_tx_preparation preparation;
    ftr_run_collector *collector; /* only while transactions are read */
    ftr_work_queue *worker;    /* uses the collector, streams, generators and maps while it works */
    ftr_report_batch *batches; /* an array of FTR_REPORT_BATCHES */
    unsigned filling;          /* index of the batch to which items are added */
    bool worker_failed;        /* out of memory */
    ftr_run_relations relations;
    ftr_family_walk walk;
    ftr_kept_transactions kept;
} ftr_run_report;

/* Reads the trace. The caller sets the state of the run.
 * @param[out] report owned by the caller until ftr_run_report_release(), in any case
 * @return FTR_OK; FTR_ERR_MEMORY; or the error at which reading ended: the report then contains all
 * transactions before the error */
FTR_MUST_USE ftr_status ftr_run_report_make(ftr_run_report *report, ftr_reader *reader,
                                            const ftr_report_options *options);

/* Returns the number of transactions that passed an error of a child on to their own initiator. */
uint64_t ftr_run_report_passed_on(ftr_run_report *report);

void ftr_run_report_release(ftr_run_report *report);

#endif
