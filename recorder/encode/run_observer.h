/* Adds recorded transactions to the summary of the run. */
#ifndef FTR_RUN_OBSERVER_H
#define FTR_RUN_OBSERVER_H

#include "definitions.h"
#include "record.h"
#include "run_collector.h"

/* The use of a value for the figures. */
typedef enum ftr_observed_use {
    FTR_USE_UNKNOWN, /* not looked up yet */
    FTR_USE_NONE,
    FTR_USE_BYTES, /* number of bytes */
    FTR_USE_TEXT,  /* can be a response */
    FTR_USE_OTHER
} ftr_observed_use;

/* A declared attribute. */
typedef struct ftr_observed_attribute {
    uint64_t head;   /* the first eight bytes of its usual items, see ftr_item_head() */
    uint8_t use;     /* use of its usual items, and of words */
    uint8_t meaning; /* ftr_figure_meaning */
} ftr_observed_attribute;

/* A stream or generator. */
typedef struct ftr_observed_entity {
    uint32_t number;       /* 1 + its number in the collector; 0: it is not in the collector yet */
    bool notes;            /* see ftr_run_collector_notes() */
    bool has_times;        /* see ftr_run_collector_has_times() */
    uint32_t first, count; /* its declared attributes */
    /* one bit for each of the first 64 declared attributes, the lowest one first: 1 if words of
     * this attribute have a use */
    uint64_t used_words;
} ftr_observed_entity;

typedef struct ftr_run_observer {
    const ftr_definitions *definitions;
    ftr_run_collector *collector;
    ftr_observed_entity *entities; /* index: handle of a stream or generator */
    size_t entity_count;
    ftr_observed_attribute *attributes; /* index: number of a declared attribute */
    size_t attribute_count;
    /* index: handle of a defined text; 0: unknown; 1: it is no response, or an OK; 2: other */
    uint8_t *texts;
    size_t text_count;
    uint64_t transactions; /* number of observed transactions */
    ftr_status status;     /* the first error; later transactions are not observed */
} ftr_run_observer;

/* @param definitions borrowed until ftr_run_observer_release() */
FTR_MUST_USE ftr_status ftr_run_observer_init(ftr_run_observer *observer,
                                              const ftr_definitions *definitions);

/* Adds the transaction @p tx with the items at @p items to the summary. @p is_unfinished: the
 * transaction was still open at the end of the run. */
void ftr_run_observer_add(ftr_run_observer *observer, const ftr_stored_tx *tx, const uint8_t *items,
                          bool is_unfinished);

/* Adds the streams without transactions to the summary, except filtered ones. */
FTR_MUST_USE ftr_status ftr_run_observer_add_streams(ftr_run_observer *observer);

/* Adds the records in [from, to) to the summary, and ignores relations. @return the latest end, in
 * ticks */
uint64_t ftr_run_observer_add_records(ftr_run_observer *observer, const uint8_t *from,
                                      const uint8_t *to);

void ftr_run_observer_release(ftr_run_observer *observer);

#endif
