/* Domains of a flux file that are no time: what their units are called. */
#ifndef FTR_FLUX_DOMAINS_H
#define FTR_FLUX_DOMAINS_H

#include "import_target.h"

/* "5 kHz": a tick is "kHz", and each position counts 5. @return the unit, within @p base */
const char *ftr_flux_unit_of(const char *base, uint64_t *factor);

/* Records that ticks of what is below @p item are @p unit, from @p tick on. The first call defines
 * *generator, which is 0 before. */
void ftr_flux_record_domain(ftr_import_target *target, ftr_generator *generator, const char *item,
                            const char *unit, uint64_t tick);

#endif
