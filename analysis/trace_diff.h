/* What is different between two traces, transaction by transaction. docs/diff.md is the guide. */
#ifndef FTR_TRACE_DIFF_H
#define FTR_TRACE_DIFF_H

#include "histogram.h"
#include "tx_digest.h"
#include "tx_lookup.h"

#include <ftr/reader.h>

typedef enum ftr_diff_times {
    FTR_DIFF_RELATIVE = 0, /* a displacement is told once, where it begins */
    FTR_DIFF_ABSOLUTE,     /* every displaced transaction is told */
    FTR_DIFF_IGNORE_TIMES
} ftr_diff_times;

typedef enum ftr_difference_kind {
    FTR_DIFF_DELETED,  /* only the first trace has the transaction */
    FTR_DIFF_INSERTED, /* only the second has it */
    FTR_DIFF_CHANGED,  /* attributes differ */
    FTR_DIFF_DURATION, /* it lasts longer or shorter, and is the same else */
    FTR_DIFF_MOVED,    /* it alone begins later or earlier, and is the same else */
    FTR_DIFF_SHIFTED,  /* the stream is later or earlier from here on */
    FTR_DIFF_KINDS
} ftr_difference_kind;

/* Finds a transaction again. */
typedef struct ftr_tx_place {
    bool exists;
    uint64_t begin; /* ticks of its file */
    uint64_t id;
} ftr_tx_place;

typedef struct ftr_difference {
    ftr_difference_kind kind;
    uint32_t generator; /* index in the diff */
    uint64_t time;      /* begin, in the first trace if it has the transaction; common ticks */
    int64_t delta;      /* DURATION, MOVED, SHIFTED: common ticks */
    bool follows;       /* DURATION: as another transaction inside of it does */
    ftr_tx_place tx[2];
} ftr_difference;

/* A relation between transactions of both traces that one trace has more often than the other. */
typedef struct ftr_relation_difference {
    ftr_view name;
    bool exists[2];
    uint64_t from[2], to[2]; /* ids in each trace; both exist: it leads to another transaction */
} ftr_relation_difference;

/* A stream of either trace, or of both. */
typedef struct ftr_diff_stream {
    char *name;        /* in the second trace, if the first has another for it */
    ftr_view names[2]; /* data NULL: the trace does not have it */
    uint64_t transactions[2];
    uint64_t counts[FTR_DIFF_KINDS];
    bool too_different;      /* from then on nothing is compared: */
    uint64_t different_from; /* common ticks */
    uint64_t not_aligned[2]; /* transactions */
} ftr_diff_stream;

typedef struct ftr_diff_generator {
    uint32_t stream; /* index in the diff */
    ftr_view name;
    uint64_t hash;
    ftr_histogram latency[2];    /* complete once the diff is */
    uint64_t durations, follows; /* pairs of different duration; of these, that follow others */
    /* Latencies that both traces have are collected once: */
    ftr_histogram both;
    uint64_t recent, recent_count;
} ftr_diff_generator;

typedef struct ftr_stream_renaming {
    const char *from, *to; /* `*` in both stands for the same text */
    size_t from_size;
} ftr_stream_renaming;

typedef struct ftr_diff_options {
    ftr_diff_times times;
    uint64_t tolerance; /* common ticks */
    ftr_digest_rules rules;
    const ftr_stream_renaming *renamings; /* of the first trace's streams */
    size_t renaming_count;
    ftr_query query[2]; /* their order is set by the diff */
    /* Whether a transaction takes part; NULL: all do. It may read and must rewind it. */
    bool (*accepts)(void *user, unsigned side, ftr_transaction *tx);
    void (*differs)(void *user, const ftr_difference *difference);
    void (*relation_differs)(void *user, const ftr_relation_difference *difference);
    void *user;
} ftr_diff_options;

typedef struct ftr_trace_diff {
    int time_scale;     /* of common ticks */
    uint64_t factor[2]; /* common ticks in a tick of each trace */
    ftr_diff_stream *streams;
    size_t stream_count;
    ftr_diff_generator *generators;
    size_t generator_count, generator_capacity;
    uint64_t transactions[2], pairs;
    uint64_t counts[FTR_DIFF_KINDS];
    uint64_t not_aligned[2];
    uint64_t relations[2];        /* between transactions of pairs */
    uint64_t relations_alone[2];  /* with a transaction that the other trace does not have */
    uint64_t relations_differing; /* differences, UINT64_MAX: some, too many to tell */
    bool relations_not_compared;  /* there is not the memory for it */
    ftr_digest_matches matches;   /* of the options, in either trace */
    uint64_t renamed;             /* which renamings a stream had: a bit each, of the first 64 */
    ftr_status status[2];         /* what ended the reading of each trace: FTR_OK or an error */
} ftr_trace_diff;

/* The scale and factors for two time scales. @return false when they are too far apart */
bool ftr_diff_set_scales(ftr_trace_diff *diff, int first, int second);

/* The rules by which attributes count: those of the options, and what the times ask for. */
ftr_digest_rules ftr_diff_rules(const ftr_diff_options *options);

/* Compares all that the readers have. The scales are set already.
 * @return FTR_OK; FTR_ERR_LIMIT when a time exceeds 64 bits of common ticks; FTR_ERR_MEMORY; or
 *         the first of diff->status */
FTR_MUST_USE ftr_status ftr_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                                     ftr_reader *const readers[2]);

/* Whether no difference was found, and all was compared. */
bool ftr_diff_is_equal(const ftr_trace_diff *diff);

void ftr_diff_release(ftr_trace_diff *diff);

#endif
