/* Numbers what a file has wrong and tells who listens. */
#ifndef FTR_FINDINGS_H
#define FTR_FINDINGS_H

#include "finding_rules.h"

#include "cbor_reader.h"

#include <ftr/reader.h>

typedef struct ftr_findings {
    void (*told)(void *user, const ftr_finding *finding);
    void *user;
    uint64_t count;
    unsigned muted; /* while not 0, nothing is counted or told: the bytes were reported before */
} ftr_findings;

/* Counts a finding and tells it. @p within is 0, or 1 + the place in the expanded content. */
__attribute__((format(printf, 5, 6))) void ftr_findings_add(ftr_findings *findings, ftr_rule rule,
                                                            uint64_t offset, uint64_t within,
                                                            const char *format, ...);

/* Reports bytes of a chunk's content that @p r left behind the end of its array or map. Every pass
   over a content calls it: an array that was ended by a damaged byte is otherwise no error. */
void ftr_findings_add_rest(ftr_findings *findings, uint64_t offset, const ftr_cbor_reader *r);

#endif
