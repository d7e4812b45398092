/* A recorder as its parts see it: who may touch what, and under which lock.
 *
 * Locks, outermost first: `encoding` (one thread encodes and writes), `lock` (blocks, slots, lanes,
 * definitions), the locks of single parts. */
#ifndef FTR_RECORDER_STATE_H
#define FTR_RECORDER_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <ftr/recorder.h>

#include "arena.h"
#include "buffers.h"
#include "definitions.h"
#include "encoder.h"
#include "flight.h"
#include "discarded_ids.h"
#include "losses.h"
#include "open_transactions.h"
#include "run_claim.h"
#include "segments.h"
#include "simulated_time.h"

/* A block that was read to its end and waits until the file has all of it. */
typedef struct ftr_retained_block {
    uint32_t block;
    uint32_t buffer;
    uint64_t ticket;
} ftr_retained_block;

struct ftr_recorder {
    ftr_recorder_front front; /* what the inline calls see; stays the first member */
    uint64_t serial;          /* never the same twice in a process */
    uintptr_t owner;          /* the thread that has the front's lane; under `lock` */
    ftr_open_transactions open;
    ftr_definitions definitions;

    pthread_mutex_t lock;
    pthread_cond_t work;  /* for the writer thread: blocks wait, or it must stop */
    pthread_cond_t space; /* for recording threads: blocks were released */
    ftr_journal journal;  /* of the arena; without a header: there is none */
    ftr_arena arena;
    ftr_lane *_Atomic lanes; /* only ever grows at its head */
    uint32_t lane_count;
    ftr_buffers buffers;
    uint64_t next_sequence;
    unsigned waiting; /* recording threads that wait for space */
    bool writer_sleeps;
    uint64_t drains_wanted; /* complete drains asked of the writer thread, and done by it */
    uint64_t drains_done;
    bool writer_must_stop;
    _Atomic bool has_writer;
    pthread_t writer;

    pthread_mutex_t encoding;
    ftr_encoder encoder;
    ftr_output output;
    ftr_retained_block *retained;
    size_t retained_count;
    size_t retained_capacity;
    ftr_flight flight;
    ftr_segments segments;
    ftr_losses losses;
    const char *losses_stream; /* its name, once it has one; under `lock` */
    uint64_t last_look; /* ns: without a writer thread, when data that waits was looked for */

    ftr_recorder_options options; /* its pointers are not the user's */
    ftr_run run;                  /* processes whose files it does not replace */
    _Atomic bool scale_known;
    ftr_simulated_time start_time;
    ftr_simulated_time stop_time;
    _Atomic uint64_t start; /* ticks */
    _Atomic uint64_t stop;
    ftr_discarded_ids discarded_ids;
    _Atomic uint64_t own_next_id;
    _Atomic uint64_t *next_id; /* shared by a recorder and the traces of its buffers */
    ftr_relation parent_of;

    _Atomic uint64_t filtered;
    _Atomic uint64_t dropped;
    _Atomic uint64_t refused; /* transactions that would have begun after a failure */
    _Atomic uint64_t relations_discarded;
    _Atomic uint64_t misuses;
    _Atomic bool run_has_failed;
    _Atomic bool signal_waits; /* for the file to be ended */
    _Atomic bool ends_for_signal;
    _Atomic int dead_status; /* that of `failure`, for calls that find the gate closed */
    uint64_t unfinished;
    uint64_t waits;
    ftr_failure failure;         /* under `lock` */
    ftr_statistics at_close;     /* once closed */
    ftr_recorder *next_recorder; /* all recorders of the process; never removed */
};

/* The recorders of this process, for what happens to threads and processes. */
void ftr_registry_lock(void);
void ftr_registry_unlock(void);
ftr_recorder *ftr_registry_first(void);
/* Gives a recorder its serial and tag. */
FTR_MUST_USE ftr_status ftr_registry_number(ftr_recorder *rec);
/* The slots of recorders that have ended: no transaction is in them. */
ftr_slot *ftr_registry_no_slots(void);
/* Lists a recorder for good. */
void ftr_registry_enter(ftr_recorder *rec);

/* Latches the first failure, tells the user and wakes who waits. @p failure may lack everything but
 * a status. */
void ftr_recorder_fail(ftr_recorder *rec, ftr_status status, const ftr_failure *failure);

/* Ends what is open and the file. Nobody records any more. */
void ftr_recorder_write_end(ftr_recorder *rec);

/* Ends the file because the program is about to be ended by a signal, in whatever state its threads
 * are. Called by the writer thread, which does nothing more after it. */
void ftr_recorder_end_for_signal(ftr_recorder *rec);

/* Tells the user something. */
void ftr_recorder_report(const ftr_recorder *rec, ftr_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Changes the gate, and with it what the inline calls may do. The caller holds `lock`, or is the
 * only thread. */
void ftr_recorder_set_gate(ftr_recorder *rec, uint32_t gate);

/* Lets the inline calls see what is defined. */
static inline void ftr_recorder_show_definitions(ftr_recorder *rec)
{
    const ftr_definitions *definitions = &rec->definitions;
    __atomic_store_n(&rec->front.entity_count,
                     atomic_load_explicit(&definitions->entity_count, memory_order_relaxed),
                     __ATOMIC_RELEASE);
    __atomic_store_n(&rec->front.relation_count,
                     atomic_load_explicit(&definitions->relation_count, memory_order_relaxed),
                     __ATOMIC_RELEASE);
}

static inline uint32_t ftr_recorder_gate(const ftr_recorder *rec)
{
    return __atomic_load_n(&rec->front.gate, __ATOMIC_RELAXED);
}

/* Counts a call that was wrong, and is its answer. */
static inline ftr_status ftr_recorder_misuse(ftr_recorder *rec, ftr_status status)
{
    if (rec)
        atomic_fetch_add_explicit(&rec->misuses, 1, memory_order_relaxed);
    return status;
}

static inline bool ftr_tx_is_not_recorded(ftr_tx tx)
{
    return tx.id == FTR_TX_NOT_RECORDED;
}

/* The status of a recorder that records no more. */
ftr_status ftr_recorder_dead_status(ftr_recorder *rec, uint32_t gate);

uint64_t ftr_recorder_now(const ftr_recorder *rec);

#endif
