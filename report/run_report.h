/* The content of the report of a run: figures, levels of detail, curves, address maps, the time of
 * children, whole transactions. The report is computed in one pass over the transactions, with
 * bounded memory. */
#ifndef FTR_RUN_REPORT_H
#define FTR_RUN_REPORT_H

#include "address_map.h"
#include "batch_worker.h"
#include "family_walk.h"
#include "generator_series.h"
#include "kept_transactions.h"
#include "run_record.h"
#include "stream_bins.h"

#define FTR_REPORT_MAPS_MAX 32u
/* Attributes with addresses that one transaction can have. */
#define FTR_REPORT_ADDRESSES_MAX 8u
#define FTR_REPORT_NAMES 1024u
/* Transactions in a batch. */
#define FTR_REPORT_BATCH 1024u

typedef struct ftr_report_options {
    size_t budget;          /* bytes of the page that the data may take, about */
    const char *file;       /* the name of the trace in the report */
    const ftr_query *query; /* which transactions; its order does not matter */
} ftr_report_options;

typedef struct ftr_report_stream {
    ftr_view name; /* data NULL: it has no transaction */
    ftr_stream_bins bins;
} ftr_report_stream;

typedef struct ftr_report_generator {
    ftr_view name;
    size_t stream;               /* its number */
    ftr_generator_series series; /* series.of NULL: its curves are omitted */
} ftr_report_generator;

typedef struct ftr_report_map {
    size_t stream;
    const ftr_name *name;
    ftr_address_map map;
} ftr_report_map;

/* The name of an attribute by its id. */
typedef struct ftr_report_name {
    bool known, is_address;
    uint64_t id;
    const ftr_name *name;
} ftr_report_name;

/* An address of the present transaction. */
typedef struct ftr_report_address {
    const ftr_name *name;
    uint64_t value;
} ftr_report_address;

/* A transaction with its addresses, for the worker. */
typedef struct ftr_report_item {
    ftr_report_tx tx;
    size_t stream;
    size_t address_end; /* its addresses end here in the batch */
} ftr_report_item;

/* Transactions that the worker adds to bins, curves and maps, in their order. */
typedef struct ftr_report_batch {
    size_t count, address_count;
    ftr_report_item items[FTR_REPORT_BATCH];
    ftr_report_address addresses[FTR_REPORT_BATCH * 2];
} ftr_report_batch;

/* Streams and generators have the numbers of the run collector. */
typedef struct ftr_run_report {
    ftr_reader *reader; /* borrowed, as the options */
    const ftr_report_options *options;
    ftr_run_record run;
    ftr_time_slots bin_slots, series_slots, map_slots;
    size_t bins_max, series_max; /* streams with bins, generators with curves */
    ftr_report_stream *streams;
    size_t stream_count, stream_capacity;
    ftr_report_generator *generators;
    size_t generator_count, generator_capacity;
    ftr_report_map *maps;
    size_t map_count, maps_omitted;
    ftr_names names; /* of attributes */
    ftr_report_name known[FTR_REPORT_NAMES];
    ftr_report_address addresses[FTR_REPORT_ADDRESSES_MAX]; /* of the transaction that is read */
    size_t address_count;
    ftr_batch_worker worker;   /* uses streams, generators and maps while it works */
    ftr_report_batch *batches; /* two */
    unsigned filling;          /* of the two */
    bool worker_failed;        /* out of memory */
    ftr_family_table families;
    ftr_family_walk walk;
    ftr_kept_transactions kept;
} ftr_run_report;

/* Reads the trace. The state of the run is left to the caller.
 * @param[out] report owned by the caller until ftr_run_report_release(), in any case
 * @return FTR_OK; FTR_ERR_MEMORY; or the error at which reading ended: the report then contains all
 * transactions before the error */
FTR_MUST_USE ftr_status ftr_run_report_make(ftr_run_report *report, ftr_reader *reader,
                                            const ftr_report_options *options);

void ftr_run_report_release(ftr_run_report *report);

#endif
