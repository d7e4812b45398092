/* Checks the TLM-2.0 calls and accesses in a trace against those rules of the base protocol
 * (docs/protocol.md) that can be checked in a trace. These rules concern attributes, phases and
 * answers, effective times, DMI and debug transport. For payloads with an identity, they also
 * concern the order of calls. Rules about the memory of the model cannot be checked, nor rules
 * about single calls if the trace has accesses instead. */
#ifndef FTR_PROTOCOL_TRACE_H
#define FTR_PROTOCOL_TRACE_H

#include <ftr/reader.h>

#include "protocol_order.h"

typedef struct ftr_protocol_finding {
    const char *rule;          /* name of the rule */
    const char *clause;        /* clause of IEEE 1666-2011 */
    ftr_severity severity;     /* an error, or a warning */
    const char *observation;   /* the violation, as a phrase */
    const ftr_transaction *tx; /* valid during the call of `found` */
} ftr_protocol_finding;

typedef struct ftr_protocol_counts {
    uint64_t calls;
    uint64_t accesses; /* number of accesses, DMI requests and debug accesses */
    /* Number of accesses that were certainly made in phases. Others may have been, if they
     * completed early. */
    uint64_t accesses_in_phases;
    /* The trace contains the phases of all accesses in phases as events, so request-exclusion and
     * response-exclusion were checked. */
    bool has_all_events;
    bool was_checked; /* the rules were also checked when the prototype ran */
    /* The violations in stream ftr.protocol, which were recorded when the prototype ran. */
    uint64_t recorded_errors;
    uint64_t recorded_warnings;
    ftr_protocol_unchecked unchecked;
    /* Number of calls with an identity whose order was not checked, because the trace cannot be
     * sorted. */
    uint64_t unsorted;
    /* Number of accesses whose payload was not compared, because the trace cannot be sorted. */
    uint64_t unsorted_accesses;
} ftr_protocol_counts;

/* Reads all calls and accesses of the base protocol.
 * @param memory limit in bytes for the table of the events of accesses
 * @param found called for each violation. A payload with an identity is reported once for each
 *              rule, on the link where the violation is found first.
 * @param[out] counts also set after an error, for the transactions that were read
 * @return FTR_OK, or the error of the cursor */
FTR_MUST_USE ftr_status ftr_protocol_trace_check(ftr_reader *reader, size_t memory,
                                                 void (*found)(void *user,
                                                               const ftr_protocol_finding *finding),
                                                 void *user, ftr_protocol_counts *counts);

#endif
