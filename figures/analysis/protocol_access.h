/* The rules of the base protocol that can be checked in recorded accesses (docs/attach.md). An
 * access has effective times only: when it begins and ends, and how long its request and its
 * response take. Rules about single calls, their return values and the order of calls cannot be
 * checked. */
#ifndef FTR_PROTOCOL_ACCESS_H
#define FTR_PROTOCOL_ACCESS_H

#include "protocol_order.h"
#include "protocol_values.h"

/* Checks accesses, DMI requests and debug accesses, one after the other. */
typedef struct ftr_protocol_access_checker {
    ftr_reader *reader;
    ftr_protocol_order_report *report;
    void *user;
    /* NULL: the accesses of a payload are not compared, because they are not read in the order of
     * their begins */
    ftr_protocol_order *order;
    uint64_t unsorted;   /* number of accesses that would be passed to `order` if it existed */
    uint64_t with_phase; /* number of accesses with times of phases, or with a phase */
    ftr_protocol_values values;
} ftr_protocol_access_checker;

typedef enum ftr_protocol_access_kind {
    FTR_PROTOCOL_NO_ACCESS,
    FTR_PROTOCOL_ACCESS,
    FTR_PROTOCOL_DMI,
    FTR_PROTOCOL_DEBUG
} ftr_protocol_access_kind;

/* Returns the kind of the transactions in a stream. */
ftr_protocol_access_kind ftr_protocol_access_kind_of(const ftr_stream_info *stream);

/* Returns the name of the link to which a stream of accesses belongs. */
ftr_view ftr_protocol_access_link(const ftr_stream_info *stream);

/* Checks one transaction of a stream of the kind @p kind. Returns false if it is not an access: an
 * event, for example. */
bool ftr_protocol_access_check(ftr_protocol_access_checker *checker, ftr_protocol_access_kind kind,
                               ftr_transaction *tx);

#endif
