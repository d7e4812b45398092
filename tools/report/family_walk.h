/* Follows families (parents with their children) through the transactions in order of begin, and
 * divides the time of each parent among its descendants (docs/report-format.md, `flow`): each tick
 * belongs to the innermost transaction that is open. Holds only open transactions with children,
 * and children that wait for their parents, so memory does not grow with the length of the run. */
#ifndef FTR_FAMILY_WALK_H
#define FTR_FAMILY_WALK_H

#include "family_table.h"
#include "latency_bins.h"
#include "report_tx.h"

/* The phases of a transaction. Its request ends at `request_end`, its response begins at
 * `response_begin`; without phases, these are its begin and its end. */
typedef struct ftr_tx_phases {
    uint64_t request_end, response_begin;
} ftr_tx_phases;

/* Returns the phases of an access. Durations that exceed the access are clipped. */
static inline ftr_tx_phases ftr_tx_phases_of(const ftr_report_tx *tx, uint64_t request_time,
                                             uint64_t response_time)
{
    const uint64_t latency = tx->end - tx->begin;
    const uint64_t request = request_time < latency ? request_time : latency;
    const uint64_t left = latency - request;
    return (ftr_tx_phases){tx->begin + request,
                           tx->end - (response_time < left ? response_time : left)};
}

/* An open transaction with children. */
typedef struct ftr_open_parent {
    bool used;
    bool has_child;   /* a child was counted */
    bool is_followed; /* the children are relatives of the slow transaction `slow` */
    bool is_passed;   /* it has an error that a child had, too */
    bool waits;       /* its own parent was not read yet */
    ftr_report_tx tx;
    ftr_tx_phases phases;
    uint64_t covered; /* the latest end of a counted child so far, in ticks */
    /* `parent`: id of its own parent. The ticks [from, to) of this parent belong to it and to its
     * descendants; both 0: no ticks. */
    uint64_t parent, from, to;
    uint64_t root; /* id of the oldest member of the family */
    uint64_t slow; /* if is_followed: id of the slow transaction */
    ftr_tx_position position;
} ftr_open_parent;

/* The time that the transactions of one generator spend in descendants of another generator. */
typedef struct ftr_child_part {
    size_t generator;
    uint64_t children; /* number of direct children */
    uint64_t clipped;  /* number of those that begin before their parent or end after it */
    ftr_wide ticks;
    ftr_wide request, response; /* the parts of `ticks` in requests and responses of descendants */
} ftr_child_part;

typedef struct ftr_child_time {
    uint64_t parents;
    uint64_t passed_on; /* number of transactions with an error that a child had, too */
    /* ticks of the phases of the transactions themselves, outside of their children */
    ftr_wide own_request, own_response;
    ftr_child_part *parts;
    size_t part_count, part_capacity;
} ftr_child_time;

/* A transaction to which ticks belong. */
typedef struct ftr_flow_end {
    size_t generator;
    ftr_tx_phases phases;
} ftr_flow_end;

/* The ticks [from, to) of transaction `owner` belong to `taker` instead of `giver`. The parent of
 * the owner was not read yet. */
typedef struct ftr_held_move {
    uint64_t owner, from, to;
    ftr_flow_end giver, taker;
} ftr_held_move;

/* A child that was read before its parent. */
typedef struct ftr_waiting_child {
    uint64_t parent;
    ftr_report_tx tx;
    ftr_tx_phases phases;
    ftr_tx_position position;
} ftr_waiting_child;

typedef struct ftr_family_walk {
    ftr_open_parent *open; /* a hash table; key: id */
    size_t open_count, open_capacity;
    ftr_waiting_child *waiting; /* children that came before their parents, in order of begin */
    size_t waiting_count, waiting_capacity, waiting_limit;
    ftr_waiting_child *found; /* waiting children of the latest transaction */
    size_t found_count, found_capacity;
    ftr_held_move *held;
    size_t held_count, held_capacity, held_limit;
    ftr_child_time *times; /* index: number of the parent's generator */
    size_t time_count;
} ftr_family_walk;

/* The family of a transaction. */
typedef struct ftr_family_member {
    uint64_t root; /* id of the oldest known member, which may be the transaction itself */
    const ftr_open_parent *parent; /* NULL: none; valid until the next call */
    ftr_open_parent copy;  /* `parent` points to this copy if the transaction has children itself */
    ftr_open_parent *self; /* NULL if the transaction has no children; valid until the next call */
    /* children that came before the transaction; valid until the next call */
    const ftr_waiting_child *earlier;
    size_t earlier_count;
} ftr_family_member;

/* Adds the next transaction. @param entry the relations of @p tx in the table of families
 * @return false if out of memory */
bool ftr_family_walk_add(ftr_family_walk *walk, const ftr_report_tx *tx,
                         const ftr_tx_phases *phases, const ftr_family_entry *entry,
                         const ftr_tx_position *position, ftr_family_member *member);

/* Returns the time that the transactions of a generator spend in descendants and in phases, sorted
 * by decreasing part; NULL if none of them has children or phases. */
const ftr_child_time *ftr_family_walk_time(ftr_family_walk *walk, size_t generator);

void ftr_family_walk_release(ftr_family_walk *walk);

#endif
