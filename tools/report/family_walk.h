/* Follows families (parents with their children) through the transactions in order of begin, and
 * counts the time of parents that is spent in their children (docs/report-format.md, `flow`). Holds
 * only open transactions with children, and children that wait for their parents, so memory does
 * not grow with the length of the run. */
#ifndef FTR_FAMILY_WALK_H
#define FTR_FAMILY_WALK_H

#include "family_table.h"
#include "latency_bins.h"
#include "report_tx.h"

/* An open transaction with children. */
typedef struct ftr_open_parent {
    bool used;
    bool has_child;   /* a child was counted */
    bool is_followed; /* the children are relatives of the slow transaction `slow` */
    ftr_report_tx tx;
    uint64_t covered; /* the latest end of a counted child so far, in ticks */
    uint64_t root;    /* id of the oldest member of the family */
    uint64_t slow;    /* if is_followed: id of the slow transaction */
    ftr_tx_position position;
} ftr_open_parent;

/* The time that the transactions of one generator spend in children of another generator. */
typedef struct ftr_child_part {
    size_t generator;
    uint64_t children;
    ftr_wide ticks;
} ftr_child_part;

typedef struct ftr_child_time {
    uint64_t parents;
    ftr_child_part *parts;
    size_t part_count, part_capacity;
} ftr_child_time;

/* A child that was read before its parent. */
typedef struct ftr_waiting_child {
    uint64_t parent;
    ftr_report_tx tx;
    ftr_tx_position position;
} ftr_waiting_child;

typedef struct ftr_family_walk {
    ftr_open_parent *open; /* a hash table; key: id */
    size_t open_count, open_capacity;
    ftr_waiting_child *waiting; /* children that came before their parents, in order of begin */
    size_t waiting_count, waiting_capacity, waiting_limit;
    ftr_waiting_child *found; /* waiting children of the latest transaction */
    size_t found_count, found_capacity;
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
                         const ftr_family_entry *entry, const ftr_tx_position *position,
                         ftr_family_member *member);

/* Returns the time that the transactions of a generator spend in children, sorted by decreasing
 * part; NULL if they have no children. */
const ftr_child_time *ftr_family_walk_time(ftr_family_walk *walk, size_t generator);

void ftr_family_walk_release(ftr_family_walk *walk);

#endif
