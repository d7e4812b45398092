/* The rules of the base protocol that need several recorded calls or accesses of one payload: the
 * order of its phases on a link, one request and one response at a time on a link, and attributes
 * that do not change from link to link. */
#ifndef FTR_PROTOCOL_ORDER_H
#define FTR_PROTOCOL_ORDER_H

#include <ftr/reader.h>

/* Attributes of a payload that must not change during a transaction, in the order of
 * ftr_protocol_call.attributes. */
enum {
    FTR_PROTOCOL_COMMAND,
    FTR_PROTOCOL_DATA_LENGTH,
    FTR_PROTOCOL_STREAMING_WIDTH,
    FTR_PROTOCOL_ENABLES, /* byte enables; for calls, only the length of their array */
    FTR_PROTOCOL_DATA,    /* for write commands only */
    FTR_PROTOCOL_ATTRIBUTES
};

typedef enum ftr_protocol_phase {
    FTR_PHASE_NONE, /* no phase, or a phase that is not in the base protocol */
    FTR_PHASE_BEGIN_REQ,
    FTR_PHASE_END_REQ,
    FTR_PHASE_BEGIN_RESP,
    FTR_PHASE_END_RESP,
    FTR_PHASE_COMPLETED /* TLM_COMPLETED */
} ftr_protocol_phase;

/* A recorded call of b_transport or nb_transport, or a recorded access. */
typedef struct ftr_protocol_call {
    const ftr_transaction *tx;
    uint64_t identity; /* number of the payload; not 0 */
    bool is_blocking;  /* b_transport: no phases */
    /* an access: it has no phases, and a streaming width only if this is less than the length */
    bool is_access;
    bool is_wrong;               /* the phase or the answer of this call alone breaks a rule */
    ftr_protocol_phase phase;    /* phase when the function was entered */
    ftr_protocol_phase answer;   /* phase when the function returned */
    uint64_t delay, delay_after; /* in ticks */
    bool has[FTR_PROTOCOL_ATTRIBUTES];
    uint64_t attributes[FTR_PROTOCOL_ATTRIBUTES];
} ftr_protocol_call;

typedef struct ftr_protocol_order ftr_protocol_order;

/* Numbers of calls whose order was not checked. */
typedef struct ftr_protocol_unchecked {
    uint64_t payloads; /* calls of payloads that later payloads have replaced */
    uint64_t links;    /* calls with phases on links beyond the first FTR_PROTOCOL_LINKS */
    /* calls on links beyond the first FTR_PROTOCOL_HOPS links of their payload */
    uint64_t hops;
    uint64_t accesses; /* accesses of payloads that later payloads have replaced */
} ftr_protocol_unchecked;

enum {
    /* maximum number of stored payloads; later payloads replace earlier ones */
    FTR_PROTOCOL_PAYLOADS = 1 << 16,
    FTR_PROTOCOL_LINKS = 4096, /* maximum number of links with calls with phases */
    FTR_PROTOCOL_HOPS = 8      /* maximum number of links of one payload */
};

/* Receives a violation. @p rule: row number in the rule table; @p identity: number of the payload,
 * or 0; @p tx: valid during the call, without readable attributes */
typedef void ftr_protocol_order_report(void *user, unsigned rule, uint64_t identity,
                                       const ftr_transaction *tx, const char *observation);

/* @return NULL if out of memory */
ftr_protocol_order *ftr_protocol_order_create(ftr_protocol_order_report *report, void *user);
void ftr_protocol_order_destroy(ftr_protocol_order *order);

/* Checks a call. Calls must be added in the order of their begins. */
void ftr_protocol_order_add(ftr_protocol_order *order, const ftr_protocol_call *call);

/* Checks the latest calls of all payloads. To be used after the last ftr_protocol_order_add(). */
void ftr_protocol_order_finish(ftr_protocol_order *order);

ftr_protocol_unchecked ftr_protocol_order_unchecked(const ftr_protocol_order *order);

#endif
