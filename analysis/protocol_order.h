/* The rules of the base protocol that need several recorded calls of one payload: the order of its
 * phases on a link, one request and one response at a time on a link, and attributes that do not
 * change from link to link. */
#ifndef FTR_PROTOCOL_ORDER_H
#define FTR_PROTOCOL_ORDER_H

#include <ftr/reader.h>

/* Attributes of a payload that must not change during a transaction, in the order of
 * ftr_protocol_call.attributes. */
enum {
    FTR_PROTOCOL_COMMAND,
    FTR_PROTOCOL_DATA_LENGTH,
    FTR_PROTOCOL_STREAMING_WIDTH,
    FTR_PROTOCOL_ENABLE_LENGTH,
    FTR_PROTOCOL_DATA, /* of a write */
    FTR_PROTOCOL_ATTRIBUTES
};

typedef enum ftr_protocol_phase {
    FTR_PHASE_NONE, /* none, or not of the base protocol */
    FTR_PHASE_BEGIN_REQ,
    FTR_PHASE_END_REQ,
    FTR_PHASE_BEGIN_RESP,
    FTR_PHASE_END_RESP,
    FTR_PHASE_COMPLETED /* TLM_COMPLETED */
} ftr_protocol_phase;

/* A recorded call of transport. */
typedef struct ftr_protocol_call {
    const ftr_transaction *tx;
    uint64_t identity;           /* of the payload; not 0 */
    bool is_blocking;            /* without phases */
    bool is_wrong;               /* its phase or its answer breaks a rule by itself */
    ftr_protocol_phase phase;    /* of the call */
    ftr_protocol_phase answer;   /* of the return */
    uint64_t delay, delay_after; /* in ticks */
    bool has[FTR_PROTOCOL_ATTRIBUTES];
    uint64_t attributes[FTR_PROTOCOL_ATTRIBUTES];
} ftr_protocol_call;

typedef struct ftr_protocol_order ftr_protocol_order;

/* @p rule: the number of a row of the rule table; @p tx: valid during the call; its attributes
 * cannot be read */
typedef void ftr_protocol_report(void *user, unsigned rule, uint64_t identity,
                                 const ftr_transaction *tx, const char *observation);

/* @return NULL without memory */
ftr_protocol_order *ftr_protocol_order_create(ftr_protocol_report *report, void *user);
void ftr_protocol_order_destroy(ftr_protocol_order *order);

/* Takes a call. Calls must come in the order of their begin. */
void ftr_protocol_order_add(ftr_protocol_order *order, const ftr_protocol_call *call);

/* Reports the violations of the last calls. */
void ftr_protocol_order_finish(ftr_protocol_order *order);

#endif
