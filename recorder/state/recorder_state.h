/* The state of a recorder. The comments state which lock protects each part. Only the files that
 * own a part access it (test/house/owners.py). */
#ifndef FTR_RECORDER_STATE_H
#define FTR_RECORDER_STATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ftr/recorder.h>

#include "arena.h"
#include "buffer_state.h"
#include "definitions.h"
#include "discarded_ids.h"
#include "encoder_state.h"
#include "flight_state.h"
#include "held_messages.h"
#include "losses.h"
#include "misuse_kinds.h"
#include "open_transactions.h"
#include "output.h"
#include "preamble.h"
#include "recorder_lock.h"
#include "run_claim.h"
#include "segment_state.h"
#include "time_text.h"

/* A block that the drain has read to its end, and that is kept until all its records are in the
 * file. */
typedef struct ftr_retained_block {
    uint32_t block;
    uint32_t buffer;
    uint64_t ticket;
} ftr_retained_block;

/* Retained blocks in the order in which they were read; under `encoding`. */
typedef struct ftr_retained_blocks {
    ftr_retained_block *at;
    size_t count;
    size_t capacity;
} ftr_retained_blocks;

/* The lanes of a recorder; under `lock`. */
typedef struct ftr_lanes {
    ftr_lane *_Atomic first; /* the list only grows, at its head */
    uint32_t count;
    uint64_t next_sequence; /* sequence number of the next block */
    unsigned waiting;       /* recording threads that wait for `space`: a buffer is full */
    unsigned pausing;       /* recording threads that wait until the drain has caught up */
    unsigned needing;       /* recording threads that wait for a ready block */
    unsigned needing_slots; /* recording threads that wait for the memory of slots */
    bool provider_is_late;  /* a thread has waited for a ready block or for slots in vain */
    bool allocates_slots;   /* a thread allocates the memory of slots */
    uint64_t waits;         /* how often a recording thread has waited */
} ftr_lanes;

typedef enum ftr_writer_stage {
    FTR_WRITER_ABSENT,    /* there is no writer thread: the recording threads drain */
    FTR_WRITER_SCHEDULED, /* the thread will be started when there are enough records for it */
    FTR_WRITER_RUNS
} ftr_writer_stage;

/* The writer thread; under `lock`. */
typedef struct ftr_writer {
    pthread_t thread;
    _Atomic ftr_writer_stage stage;
    uint64_t scheduled_at; /* time at which the thread was scheduled, in ns */
    bool has_begun;        /* the thread has got a processor */
    bool must_stop;
    bool must_leave; /* another thread does the rest: the thread must end and access nothing */
    bool has_ended;  /* the thread has ended the file */
    bool has_closed; /* the thread has called `close` */
    /* the function that closes the trace, called by this thread; set together with `must_stop`;
     * NULL: the thread only ends the file */
    void (*close)(struct ftr_recorder *rec);
    ftr_held_messages messages; /* messages during `close`; not under `lock` */
    uint64_t drains_wanted;     /* number of complete drains that were requested */
    uint64_t drains_done;       /* number of complete drains that have ended */
    /* without a writer thread: time at which ftr_writer_drain_if_old() last drained, in ns; under
     * `encoding` */
    uint64_t last_look;
} ftr_writer;

/* The interval of simulated time that is recorded, as the options state it. When the time scale is
 * known, front.window contains the same interval in ticks. */
typedef struct ftr_window {
    _Atomic bool scale_known;
    ftr_time_value start_time;
    ftr_time_value stop_time;
} ftr_window;

/* The end of the process or of the recording. */
typedef struct ftr_ending {
    _Atomic bool run_has_failed;
    _Atomic bool is_awaited_by_signal; /* a signal waits until the file is ended */
    _Atomic bool is_for_signal;
    /* a copy of failure.status, for calls that find a valve closed */
    _Atomic int dead_status;
    _Atomic int signal; /* number of the signal that ends the program, or 0 */
    /* generator in `ftr.run` for the end of the run; 0: the start was not recorded */
    _Atomic uint32_t run_generator;
    _Atomic bool run_end_is_recorded;
    ftr_failure failure;     /* under `lock` */
    ftr_statistics at_close; /* set when the recorder is closed */
} ftr_ending;

/* Counters that any thread may increase. */
typedef struct ftr_counts {
    _Atomic uint64_t filtered; /* without the transactions that are counted in front.window */
    _Atomic uint64_t
        discards_allowed; /* sum of all values that window.discards_left started from */
    _Atomic uint64_t dropped;
    _Atomic uint64_t refused; /* transactions that would have begun after a failure */
    /* in ticks: earliest begin of refused transactions, with all bits inverted */
    _Atomic uint64_t refused_begin;
    _Atomic uint64_t refused_end; /* in ticks: latest end of refused transactions */
    _Atomic uint64_t relations_discarded;
} ftr_counts;

struct ftr_recorder {
    ftr_recorder_front front;    /* for the inline calls; must stay the first member */
    uint64_t serial;             /* unique in a process */
    uintptr_t owner;             /* the thread that has the front lane; under `lock` */
    ftr_recorder *next_recorder; /* the next recorder in the list of all recorders; never removed */
    /* The recorder itself, then the traces of the buffers with a separate file or a callback. All
     * traces have the same definitions, with the same handles. */
    ftr_recorder *traces[FTR_BUFFERS_MAX];
    _Atomic uint32_t trace_count;

    ftr_recorder_options options; /* pointers refer to copies, not to the user's data */
    bool has_recovered_run;       /* opening has recovered a killed run with the same journal */
    /* the recorder does not replace files that processes of this run have written */
    ftr_run run;
    ftr_window window;
    ftr_counts counts;
    ftr_misuses misuses;
    ftr_ending ending;
    _Atomic uint64_t own_next_id;
    _Atomic uint64_t *next_id; /* shared by all traces of a recorder */
    ftr_discarded_ids discarded_ids;

    ftr_locks locks;

    ftr_range memory; /* the mapping with the journal's header, slots, blocks and tables */

    /* Under `lock`: */
    ftr_definitions definitions;
    ftr_open_transactions open;
    /* the journal that contains the arena; if `header` is NULL, there is no journal */
    ftr_journal journal;
    ftr_arena arena;
    ftr_lanes lanes;
    ftr_buffers buffers;
    ftr_writer writer;
    ftr_flight flight;

    /* Under `encoding`: */
    ftr_encoder encoder;
    ftr_output output;
    ftr_retained_blocks retained;
    ftr_segments segments;
    ftr_preamble preamble; /* copies of records that identify the run, for the start of each file */
    uint64_t unfinished;
    ftr_losses losses;
    struct ftr_kept_summary *summary; /* NULL: the run has no summary */
    const char *losses_stream; /* name of the stream for losses; NULL: no name yet; under `lock` */
    bool has_reported_cover;   /* the user knows that the journal cannot be extended */
};

/* Latches the first failure, reports it to the user and wakes the waiting threads. @p failure may
 * be zero-initialised: the message is then made from @p status. */
void ftr_recorder_fail(ftr_recorder *rec, ftr_status status, const ftr_failure *failure);

/* Sends a message to the user's report callback. If another thread waits for this writer thread,
 * the message is sent when the wait has ended. */
void ftr_recorder_report(const ftr_recorder *rec, ftr_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void ftr_recorder_init_locks(ftr_recorder *rec);

/* Changes the valve, and with it front.owner, front.slots, and the inline calls of the window. The
 * caller holds `lock`, or is the only thread. */
void ftr_recorder_set_valve(ftr_recorder *rec, uint32_t valve);

/* Removes bits from the valve and adds others, for a caller without `lock`. */
void ftr_recorder_change_valve(ftr_recorder *rec, uint32_t removed, uint32_t added);

/* Lets inline calls discard FTR_DISCARDS_AT_ONCE transactions. Called by the thread of the front
 * lane, which has enough ids for them. */
void ftr_recorder_allow_discards(ftr_recorder *rec);

/* Returns the number of filtered transactions. */
uint64_t ftr_recorder_filtered(const ftr_recorder *rec);

/* Sets the interval of simulated time that is recorded, in ticks. */
void ftr_recorder_set_window(ftr_recorder *rec, uint64_t start, uint64_t stop);

/* Closes the valve, so that new calls record nothing. Returns the previous value of the valve: if
 * it was closed before, another thread ends the file. @p is_for_signal: a signal will end the
 * program, and the calls of other threads wait for this end. */
uint32_t ftr_trace_close_valve(ftr_recorder *rec, bool is_for_signal);

/* Closes the valve for a signal that ends the program, if the writer thread is scheduled. Called in
 * a signal handler. Returns false if the recorder has ended, its writer thread was started, or a
 * thread holds `lock` for more than 0.1 s. */
FTR_MUST_USE bool ftr_trace_close_in_handler(ftr_recorder *rec);

/* Takes `encoding` and `lock` in a signal handler. Returns false if a thread holds one of them for
 * more than 0.1 s. */
FTR_MUST_USE bool ftr_locks_take_in_handler(ftr_recorder *rec);

/* Changes the phase of a flight recorder, and adds bits to the valve. */
void ftr_recorder_set_phase(ftr_recorder *rec, ftr_flight_phase phase, uint32_t added);

/* Copies the latched failure. May be called in a report callback, and in a signal handler that has
 * interrupted a guarded call: the function then waits at most 0.1 s for `lock`. Returns false, and
 * copies nothing, if the thread did not get the lock in this time. */
FTR_MUST_USE bool ftr_recorder_copy_failure(ftr_recorder *rec, ftr_failure *failure);

/* Makes room for the next state of the summary in the journal, as ftr_journal_state_make_room(). */
FTR_MUST_USE ftr_status ftr_recorder_make_state_room(ftr_recorder *rec, size_t size);

/* Returns the name of the stream for losses. Sets @p count to the number of definitions: the file
 * that is ending does not contain definitions that are added later. */
const char *ftr_recorder_name_losses(ftr_recorder *rec, uint32_t *count);

/* Returns the status for calls of a recorder that has ended recording. If a signal is about to end
 * the program, the function delays its return: see ftr_call_await_signal(). */
ftr_status ftr_recorder_dead_status(ftr_recorder *rec, uint32_t valve);

/* Returns the time of the clock in the options, in ns. */
uint64_t ftr_recorder_now(const ftr_recorder *rec);

/* Returns the trace of the recorder to which the handle belongs; @p rec itself if the handle
 * belongs to no trace. */
ftr_recorder *ftr_recorder_trace_of(ftr_recorder *rec, ftr_tx tx);

/* Returns whether the handle can belong to an open or ended transaction of this recorder or of one
 * of its other traces. Returns false if no call has ever returned a handle with this id, stream or
 * tag. */
static inline bool ftr_recorder_began(ftr_recorder *rec, ftr_tx tx)
{
    rec = ftr_recorder_trace_of(rec, tx);
    return tx.id - 1 < atomic_load_explicit(rec->next_id, memory_order_relaxed) - 1 &&
           ftr_tx_stream(tx) - 1 <
               __atomic_load_n(&rec->front.entity_count, __ATOMIC_RELAXED) - 1 &&
           (((uint32_t)tx.place ^ rec->open.slot_tag) & ~FTR_SLOT_PLACE) == 0;
}

/* Enters a guarded call and takes `lock`. @return as for ftr_call_enter() */
FTR_MUST_USE static inline bool ftr_recorder_lock(ftr_recorder *rec, ftr_guarded_call *call)
{
    if (!ftr_call_enter(call, rec, FTR_CALL_LOCKS))
        return false;
    ftr_lock_take(&rec->locks);
    return true;
}

static inline void ftr_recorder_unlock(ftr_recorder *rec, const ftr_guarded_call *call)
{
    ftr_lock_release(&rec->locks);
    ftr_call_leave(call);
}

/* Makes the number of definitions visible to the inline calls. */
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

/* Returns whether a writer thread drains; otherwise the recording threads do. */
static inline bool ftr_writer_is_running(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->writer.stage, memory_order_relaxed) == FTR_WRITER_RUNS;
}

/* Returns whether the writer thread is not started yet. Until then, nothing is drained. */
static inline bool ftr_writer_is_scheduled(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->writer.stage, memory_order_relaxed) == FTR_WRITER_SCHEDULED;
}

/* Returns whether the writer thread has got a processor. A new thread may wait for one, so
 * recording threads do not wait for its blocks. The caller holds `lock`. */
static inline bool ftr_writer_has_begun(const ftr_recorder *rec)
{
    return rec->writer.has_begun;
}

static inline uint32_t ftr_recorder_valve(const ftr_recorder *rec)
{
    return __atomic_load_n(&rec->front.valve, __ATOMIC_RELAXED);
}

static inline uint64_t ftr_recorder_start(const ftr_recorder *rec)
{
    return __atomic_load_n(&rec->front.window.start, __ATOMIC_RELAXED);
}

static inline uint64_t ftr_recorder_stop(const ftr_recorder *rec)
{
    return __atomic_load_n(&rec->front.window.stop, __ATOMIC_RELAXED);
}

static inline uint32_t ftr_recorder_dead_valve(const ftr_recorder *rec)
{
    return ftr_recorder_valve(rec) & FTR_VALVE_DEAD;
}

/* Returns FTR_OK if the recorder can record, otherwise the status that the call must return. */
FTR_MUST_USE static inline ftr_status ftr_recorder_check(ftr_recorder *rec)
{
    if (rec == NULL)
        return FTR_ERR_ARGUMENT;
    uint32_t valve = ftr_recorder_dead_valve(rec);
    return valve ? ftr_recorder_dead_status(rec, valve) : FTR_OK;
}

static inline uint32_t ftr_recorder_trace_count(const ftr_recorder *rec)
{
    return atomic_load_explicit(&rec->trace_count, memory_order_acquire);
}

static inline bool ftr_tx_is_not_recorded(ftr_tx tx)
{
    return tx.id == FTR_TX_NOT_RECORDED;
}

/* Returns the number of the buffer that contains the transactions of @p generator. */
static inline uint32_t ftr_buffer_of_generator(const ftr_recorder *rec, ftr_generator generator)
{
    return ftr_buffer_of_kind(rec->front.entities[generator].kind);
}

#endif
