/* The comparison of two traces: the options that define what differs, the differences, and the
 * functions that find them. docs/diff.md describes the command. */
#ifndef FTR_TRACE_DIFFERENCES_H
#define FTR_TRACE_DIFFERENCES_H

#include "latency_bins.h"
#include "tx_digest.h"

#include <ftr/reader.h>

typedef enum ftr_diff_times {
    FTR_DIFF_RELATIVE = 0, /* a displacement is reported once, at the transaction where it begins */
    FTR_DIFF_ABSOLUTE,     /* every displaced transaction is reported */
    FTR_DIFF_IGNORE_TIMES
} ftr_diff_times;

typedef enum ftr_difference_kind {
    FTR_DIFF_DELETED,  /* only the first trace has the transaction */
    FTR_DIFF_INSERTED, /* only the second trace has it */
    FTR_DIFF_CHANGED,  /* attributes differ */
    FTR_DIFF_DURATION, /* only the duration differs */
    FTR_DIFF_MOVED,    /* only this transaction begins later or earlier */
    FTR_DIFF_SHIFTED,  /* the stream is later or earlier from this transaction on */
    FTR_DIFF_KINDS
} ftr_difference_kind;

/* Names for output that programs read. Index of ftr_diff_kind_names: kind of difference; index of
 * ftr_diff_side_names: number of the trace, 0 or 1. */
extern const char *const ftr_diff_kind_names[FTR_DIFF_KINDS];
extern const char *const ftr_diff_side_names[2];

/* Location of a transaction, sufficient to find it again. */
typedef struct ftr_tx_location {
    bool exists;
    uint64_t begin; /* ticks of its file */
    uint64_t id;
} ftr_tx_location;

typedef struct ftr_difference {
    ftr_difference_kind kind;
    uint32_t generator; /* index in the diff */
    /* in common ticks: begin in the first trace, or in the second trace if only that one has the
     * transaction */
    uint64_t time;
    int64_t delta; /* DURATION, MOVED, SHIFTED: the change in common ticks */
    bool follows;  /* DURATION: caused by a transaction inside this one */
    ftr_tx_location tx[2];
} ftr_difference;

/* A relation that one trace has more often than the other. */
typedef struct ftr_relation_difference {
    ftr_view name; /* valid during the call */
    bool exists[2];
    /* ids in each trace. If the relation exists in both traces, it leads to different
     * transactions */
    uint64_t from[2], to[2];
} ftr_relation_difference;

/* A stream of one trace or of both. */
typedef struct ftr_diff_stream {
    char *name;        /* name in the second trace; for a stream of the first: after renaming */
    ftr_view names[2]; /* data NULL: the trace does not have the stream */
    uint64_t transactions[2];
    uint64_t counts[FTR_DIFF_KINDS];
    bool alignment_stopped;  /* aligned only up to aligned_until */
    uint64_t aligned_until;  /* common ticks */
    uint64_t not_aligned[2]; /* number of transactions after aligned_until */
} ftr_diff_stream;

typedef struct ftr_diff_generator {
    uint32_t stream; /* index in the diff */
    ftr_view name;
    uint64_t hash;
    ftr_latency_bins latency[2]; /* complete only after the diff */
    /* `durations`: number of pairs with different durations; `follows`: number of those pairs whose
     * difference follows from other pairs */
    uint64_t durations, follows;
    /* Latencies of pairs with equal durations. At the end, they are added to both elements of
     * `latency`. */
    ftr_latency_bins both;
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
    const ftr_stream_renaming *renamings; /* new names for streams of the first trace */
    size_t renaming_count;
    /* The transactions of each trace that are compared. The diff sets the order of these queries.
     * `threads`: the number of threads of the reader; 0: one. */
    ftr_query query[2];
    /* Returns true if a transaction is compared; NULL: all are. May read the transaction with @p
     * reader, and must then rewind it. Called by the reading threads. Calls with the same @p side
     * and @p thread do not overlap. @p thread is 0 or below `threads` of the query. */
    bool (*accepts)(void *user, unsigned side, unsigned thread, ftr_reader *reader,
                    ftr_transaction *tx);
    /* Called for each difference, and for each difference of relations; NULL: the differences are
     * only counted. */
    void (*differs)(void *user, const ftr_difference *difference);
    void (*relation_differs)(void *user, const ftr_relation_difference *difference);
    void *user;
} ftr_diff_options;

typedef struct ftr_trace_diff {
    int time_scale;     /* time scale of common ticks */
    uint64_t factor[2]; /* common ticks per tick of each trace */
    ftr_diff_stream *streams;
    size_t stream_count;
    ftr_diff_generator *generators;
    size_t generator_count, generator_capacity;
    uint64_t transactions[2], pairs;
    uint64_t counts[FTR_DIFF_KINDS];
    uint64_t not_aligned[2];
    /* relations between paired transactions */
    uint64_t relations[2];
    /* relations with a transaction that the other trace does not have */
    uint64_t relations_alone[2];
    uint64_t relations_differing; /* number of differences; UINT64_MAX: too many to report */
    bool relations_not_compared;  /* not enough memory to compare relations */
    ftr_digest_matches matches;   /* patterns of the options that matched, in either trace */
    /* renamings that applied to a stream: one bit for each of the first 64 renamings */
    uint64_t renamed;
    ftr_status status[2]; /* result of reading each trace: FTR_OK or an error */
} ftr_trace_diff;

/* ---- single transactions, found again by stream, begin and id (tx_lookup.c) ------------------ */

typedef struct ftr_tx_lookup {
    ftr_reader *reader;
    ftr_cursor *cursor;
    ftr_view stream;
    uint64_t begin; /* begin of the last transaction found, in ticks of the file */
} ftr_tx_lookup;

/* Finds the transaction @p id that begins at @p begin, in the streams with the name @p stream. Fast
 * if successive searches are in order of begin. @param[out] tx valid until the next call
 * @return FTR_OK; FTR_ERR_END if the transaction does not exist; or the error of the search */
FTR_MUST_USE ftr_status ftr_tx_lookup_find(ftr_tx_lookup *lookup, ftr_view stream, uint64_t begin,
                                           uint64_t id, ftr_transaction *tx);
void ftr_tx_lookup_release(ftr_tx_lookup *lookup);

/* ---- attributes in which two transactions differ (attribute_diff.c) -------------------------- */

typedef struct ftr_attribute_sides {
    ftr_reader *reader[2];
    uint64_t factor[2]; /* common ticks per tick of each file */
    ftr_digest_rules rules;
    uint64_t tolerance; /* for times, in common ticks */
} ftr_attribute_sides;

/* Compares two transactions. Attributes with the same name and class are paired in their order
 * within each transaction.
 * @param differs called for each difference; an attribute that a transaction does not have is NULL.
 * May be NULL.
 * @return number of differences */
size_t ftr_attributes_compare(const ftr_attribute_sides *sides, ftr_transaction tx[2],
                              void (*differs)(void *user, const ftr_attribute_value *first,
                                              const ftr_attribute_value *second),
                              void *user);

/* ---- the comparison, transaction by transaction (trace_diff.c) ------------------------------- */

/* Sets the common time scale and the factors for the time scales @p first and @p second. @return
 * false if the two time scales are too far apart */
bool ftr_diff_set_scales(ftr_trace_diff *diff, int first, int second);

/* Returns the rules for attributes that result from the options, including the rules for times. */
ftr_digest_rules ftr_diff_rules(const ftr_diff_options *options);

/* Compares all transactions and relations of the readers. Call ftr_diff_set_scales() first.
 * @return FTR_OK; FTR_ERR_LIMIT if a time exceeds 64 bits of common ticks; FTR_ERR_MEMORY; or the
 *         first error of diff->status */
FTR_MUST_USE ftr_status ftr_diff_run(ftr_trace_diff *diff, const ftr_diff_options *options,
                                     ftr_reader *const readers[2]);

/* Returns true if everything was compared and no difference was found. */
bool ftr_diff_is_equal(const ftr_trace_diff *diff);

void ftr_diff_release(ftr_trace_diff *diff);

#endif
