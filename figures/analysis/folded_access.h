/* One access, made from the transactions of a recording of calls. It equals the transaction of a
 * recording of accesses (docs/attach.md). */
#ifndef FTR_FOLDED_ACCESS_H
#define FTR_FOLDED_ACCESS_H

#include "call_record.h"

#include <ftr/recorder.h>

/* The stream of a transaction: N, N.dmi, N.debug or N.phases, where N is the name of the link. */
typedef enum ftr_access_place {
    FTR_PLACE_LINK,
    FTR_PLACE_DMI,
    FTR_PLACE_DEBUG,
    FTR_PLACE_PHASES,
    FTR_ACCESS_PLACES
} ftr_access_place;

typedef enum ftr_phase_code {
    FTR_CODE_OTHER, /* an ignorable phase, or no phase */
    FTR_CODE_BEGIN_REQ,
    FTR_CODE_END_REQ,
    FTR_CODE_BEGIN_RESP,
    FTR_CODE_END_RESP,
    FTR_CODES
} ftr_phase_code;

/* Names of the phases; index: ftr_phase_code. */
extern const char *const ftr_phase_names[FTR_CODES];

/* Returns the code of a phase of the base protocol; FTR_CODE_OTHER for other phases. */
ftr_phase_code ftr_phase_code_of(const char *name);

/* Times are in ticks. */
typedef struct ftr_access {
    ftr_access_place place;
    uint32_t link;       /* number of the link, from 0 */
    ftr_view link_name;  /* valid until the reader is closed */
    ftr_view generator;  /* valid until the callback returns, as `request` and `response` */
    uint64_t begin, end; /* end >= begin */
    const ftr_call *request;
    const ftr_call *response; /* the transaction with the attributes of the response; NULL: none */
    uint64_t delay;           /* the delay that was passed with the call */
    bool has_request_time, has_response_time;
    uint64_t request_time, response_time;
    bool is_unfinished;
    /* the last phase of an unfinished non-blocking access; otherwise FTR_CODE_OTHER */
    ftr_phase_code phase;
    uint64_t lowered_by; /* by how much `end` was raised to `begin`; 0: not raised */
} ftr_access;

/* Receives an attribute. @return false to stop */
typedef bool ftr_put_attribute(void *user, const ftr_attribute_value *attribute);

/* Calls @p put with each attribute of an access, in the order of docs/attach.md.
 * @param payload maximum number of bytes of data that the recorder stored (FTR_PAYLOAD)
 * @return false if @p put returned false */
bool ftr_access_each_attribute(const ftr_access *access, uint64_t payload, ftr_put_attribute *put,
                               void *user);

#endif
