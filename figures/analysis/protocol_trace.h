/* Checks the TLM-2.0 calls in a trace against those rules of the base protocol (docs/protocol.md)
 * that can be checked in a trace: attributes, phases and answers, effective times, DMI and debug
 * transport; for payloads with an identity, also the order of their calls. Rules about the memory
 * of the model cannot be checked. */
#ifndef FTR_PROTOCOL_TRACE_H
#define FTR_PROTOCOL_TRACE_H

#include <ftr/reader.h>

#include "protocol_order.h"

typedef struct ftr_protocol_finding {
    const char *rule;          /* name of the rule */
    const char *clause;        /* of IEEE 1666-2011 */
    ftr_severity severity;     /* an error, or a warning */
    const char *observation;   /* the violation, as a phrase */
    const ftr_transaction *tx; /* valid for the call */
} ftr_protocol_finding;

typedef struct ftr_protocol_counts {
    uint64_t calls;
    /* The violations in stream ftr.protocol, which were recorded when the prototype ran. */
    uint64_t recorded_errors;
    uint64_t recorded_warnings;
    ftr_protocol_unchecked unchecked;
    /* Calls with an identity, without a check of their order, in a trace that cannot be sorted. */
    uint64_t unsorted;
} ftr_protocol_counts;

/* Reads all calls of the base protocol.
 * @param found called for each violation. A payload with an identity (trans.id) is reported once
 *              for each rule, on the link where the violation is found first.
 * @param[out] counts the counts of the transactions that were read
 * @return FTR_OK, or the error of the cursor */
FTR_MUST_USE ftr_status ftr_protocol_trace_check(ftr_reader *reader,
                                                 void (*found)(void *user,
                                                               const ftr_protocol_finding *finding),
                                                 void *user, ftr_protocol_counts *counts);

#endif
