/* The buffers of a recorder: which lanes share a budget of blocks, and what becomes of full ones.
 * Number 0 is the recorder's own. One whose sink is a file or a callback lies in a recorder of its
 * own, the trace, under a number of that one. */
#ifndef FTR_BUFFERS_H
#define FTR_BUFFERS_H

#include <stdatomic.h>
#include <stdbool.h>

#include <ftr/buffer.h>

#include "id_set.h"
#include "losses.h"
#include "name_filter.h"

#define FTR_BUFFER_NAME_MAX 32

/* The number of an entity's buffer lies above its kind, so that the inline calls, which know only
 * usual generators, leave those of other buffers to transaction.c. */
#define FTR_ENTITY_BUFFER_SHIFT 16
#define FTR_ENTITY_KIND_MASK 0xffu

/* A slot's flags of a transaction in a buffer other than 0; above them, how often the buffer had
 * been triggered when it began. */
#define FTR_SLOT_BUFFERED 4
#define FTR_SLOT_TRIGGERS_SHIFT 16

typedef struct ftr_lane ftr_lane;
typedef struct ftr_block ftr_block;

typedef struct ftr_buffer_entry {
    char name[FTR_BUFFER_NAME_MAX + 1];
    ftr_recorder *trace; /* where it lies; not this recorder: the rest but `streams` is unused */
    uint32_t number;     /* there */
    ftr_name_filter streams; /* that are given to it */
    bool is_ring;
    uint32_t into;             /* what it gives up goes to this buffer; 0: to the file */
    _Atomic uint32_t triggers; /* how often its content was asked for */
    _Atomic bool is_triggered; /* its content is */
    ftr_lane *carrier;         /* filled by who holds `encoding`, with what others give */
    size_t retained;           /* blocks, as ftr_recorder.retained */
    /* Under `lock`. */
    bool is_written;      /* its content goes to its sink right now: nothing is evicted */
    ftr_id_set evicted;   /* transactions: nothing need be kept for their sake */
    size_t blocks_in_use; /* full and not yet released */
    size_t blocks_max;
} ftr_buffer_entry;

typedef struct ftr_buffers {
    ftr_buffer_entry at[FTR_BUFFERS_MAX];
    _Atomic uint32_t count;
    bool is_buffer_trace; /* the recorder is the trace of another's buffer */
    bool leaves_no_file;  /* unless something was written: all it has is a ring */
    bool was_triggered;
} ftr_buffers;

static inline uint32_t ftr_buffer_of_kind(uint32_t kind)
{
    return kind >> FTR_ENTITY_BUFFER_SHIFT;
}

/* ---- full blocks; the caller holds `lock` ------------------------------------------------------
 */

/* Whether the oldest blocks of the buffer make room for new ones. */
bool ftr_buffer_turns(const ftr_recorder *rec, uint32_t number);

/* Makes room for one more block of a buffer that turns. */
void ftr_buffer_evict(ftr_recorder *rec, uint32_t number);

/* The buffer that a block, which is somebody's, belongs to. */
ftr_buffer_entry *ftr_buffer_of_lane(ftr_recorder *rec, const ftr_lane *lane);

/* ---- draining; the caller holds `encoding` -----------------------------------------------------
 */

/* Moves what goes from buffer to buffer. @p all: also what is not full. */
void ftr_buffers_hand_on(ftr_recorder *rec, bool all);

/* Opens the rings whose content the file shall have. False: there is none. */
bool ftr_buffers_start_writing(ftr_recorder *rec);

/* They turn again, without what the drain has read. */
void ftr_buffers_stop_writing(ftr_recorder *rec);

/* Whether the drain reads the lane. */
bool ftr_buffers_lets_read(const ftr_recorder *rec, const ftr_lane *lane);

/* Whether some buffer holds back threads, or soon will. The caller holds `lock`, too. */
bool ftr_buffers_are_short(const ftr_recorder *rec);

/* The buffer that holds an end of the relation back, so that it must wait there; 0: none. */
uint32_t ftr_buffers_holder(const ftr_recorder *rec, const void *relation);

/* Gives a record to a buffer. */
void ftr_buffers_give(ftr_recorder *rec, uint32_t number, const void *record);

/* Has all rings written by the next drain. Any thread; safe in a signal handler. */
void ftr_buffers_trigger_all(ftr_recorder *rec);

/* What is in the rings when the recorder ends, and what is open there, is lost. */
void ftr_buffers_count_rest(ftr_recorder *rec);

/* Whether a transaction that is open at the end was promised to the file, or would be lost with its
 * ring. */
bool ftr_buffers_keep_open(const ftr_recorder *rec, const ftr_slot *slot);

/* ---- traces ---------------------------------------------------------------------------------
 */

/* Sets up number 0, with a budget of @p blocks. */
void ftr_buffers_init(ftr_recorder *rec, size_t blocks);
void ftr_buffers_release(ftr_recorder *rec);

/* The buffer that takes a stream of that name; 0: none. */
uint32_t ftr_buffers_choose(const ftr_recorder *rec, const char *name);

/* The recorder that a handle is of: @p rec itself, or the trace of one of its buffers. */
ftr_recorder *ftr_buffers_trace_of(ftr_recorder *rec, ftr_tx tx);

/* The next trace of @p rec, each once. @p at is 0 for the first; NULL: there is no further one.
 */
ftr_recorder *ftr_buffers_next_trace(const ftr_recorder *rec, uint32_t *at);

/* Closes the traces, and counts what they could not write as losses of this recorder. Returns
 * the first failure. */
ftr_status ftr_buffers_close(ftr_recorder *rec);

void ftr_buffers_add_statistics(const ftr_recorder *rec, ftr_statistics *statistics);

#endif
