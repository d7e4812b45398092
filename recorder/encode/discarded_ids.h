/* The ids of transactions that began but are not in the file. Before the time window, every
 * transaction is discarded, so only the others are stored: a watermark separates the ids below it,
 * which are discarded unless they were kept, from the ids above it, which are kept unless they were
 * discarded.
 *
 * Both kinds of exceptions are stored as intervals. If there are too many intervals, the lowest ids
 * become discarded: relations to these ids are then discarded and counted, too. */
#ifndef FTR_DISCARDED_IDS_H
#define FTR_DISCARDED_IDS_H

#include <pthread.h>

#include "id_set.h"

typedef struct ftr_discarded_ids {
    pthread_mutex_t lock;
    uint64_t watermark;   /* read by any thread, without the lock */
    ftr_id_set kept;      /* ids below the watermark */
    ftr_id_set discarded; /* ids not below the watermark */
} ftr_discarded_ids;

/* @p watermark: 0, or UINT64_MAX if transactions are discarded until the window begins */
void ftr_discarded_ids_init(ftr_discarded_ids *discarded, uint64_t watermark);
void ftr_discarded_ids_release(ftr_discarded_ids *discarded);

/* Sets the watermark, which was UINT64_MAX. No transaction with the id @p watermark or a higher one
 * has ended yet. */
void ftr_discarded_ids_set_watermark(ftr_discarded_ids *discarded, uint64_t watermark);

static inline uint64_t ftr_discarded_ids_watermark(const ftr_discarded_ids *discarded)
{
    return __atomic_load_n(&discarded->watermark, __ATOMIC_RELAXED);
}

/* Returns whether a transaction with this id is discarded unless ftr_discarded_ids_keep() is called
 * for it. */
static inline bool ftr_discarded_ids_expect(const ftr_discarded_ids *discarded, uint64_t id)
{
    return id < ftr_discarded_ids_watermark(discarded);
}

/* Called for a transaction that is discarded. May be called on any thread. */
void ftr_discarded_ids_add(ftr_discarded_ids *discarded, uint64_t id);

/* Called for a transaction that is recorded, before its slot is freed. May be called on any
 * thread. */
void ftr_discarded_ids_keep(ftr_discarded_ids *discarded, uint64_t id);

bool ftr_discarded_ids_contains(ftr_discarded_ids *discarded, uint64_t id);

#endif
