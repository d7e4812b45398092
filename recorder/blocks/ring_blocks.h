/* Rings: buffers that evict their oldest blocks to make room for new ones. */
#ifndef FTR_RING_BLOCKS_H
#define FTR_RING_BLOCKS_H

#include "lane.h"

/* Returns the ring that contains a transaction of the relation; the relation must wait in this
 * ring. NULL: none. The caller holds `encoding`. */
ftr_buffer_entry *ftr_ring_of_relation(ftr_recorder *rec, const ftr_stored_relation *relation);

/* Stores the relation in the ring that contains its transaction. The caller holds `encoding`. */
void ftr_ring_keep_relation(ftr_recorder *rec, ftr_buffer_entry *ring,
                            const ftr_stored_relation *relation);

/* Called when the recorder ends: counts the content of its rings as evicted. */
void ftr_rings_count_rest(ftr_recorder *rec);

/* Returns whether a transaction that is still open when the recorder ends is written to the file. A
 * transaction of a ring is written if the ring was triggered since the transaction began; other
 * transactions are always written. */
bool ftr_ring_keeps_open(const ftr_recorder *rec, const ftr_slot *slot);

/* Makes the next drain write all rings of @p rec. Any thread; async-signal-safe. */
void ftr_rings_trigger(ftr_recorder *rec);

#endif
