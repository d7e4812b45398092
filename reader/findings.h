/* Counts the findings of a file and reports them to the caller's callback. */
#ifndef FTR_FINDINGS_H
#define FTR_FINDINGS_H

#include "finding_rules.h"

#include "cbor_reader.h"

#include <ftr/reader.h>

typedef struct ftr_findings {
    void (*callback)(void *user, const ftr_finding *finding);
    void *user;
    uint64_t count;
    /* nonzero: findings are not counted or reported, because the same bytes were reported before */
    unsigned muted;
} ftr_findings;

/* Counts a finding and reports it. @p within is 0, or 1 + the offset in the expanded content. */
__attribute__((format(printf, 5, 6))) void ftr_findings_add(ftr_findings *findings, ftr_rule rule,
                                                            uint64_t offset, uint64_t within,
                                                            const char *format, ...);

/* Reports bytes of a chunk's content that follow the end of its array or map. Each function that
 * reads a content to its end calls this function. Otherwise, a damaged byte that ends an array too
 * early would not be noticed. */
void ftr_findings_add_trailing(ftr_findings *findings, uint64_t offset, const ftr_cbor_reader *r);

#endif
