/* Domains of a flux file other than time: the names of their units. */
#ifndef FTR_FLUX_DOMAINS_H
#define FTR_FLUX_DOMAINS_H

#include "import_target.h"

/* Splits "5 kHz": a tick is one "kHz", and each position counts 5. @return the unit, within @p
 * base */
const char *ftr_flux_unit_of(const char *base, uint64_t *factor);

/* Records that the ticks of items below @p item are @p unit, from @p tick on. *generator must be 0
 * for the first call, which defines it. */
void ftr_flux_record_domain(ftr_import_target *target, ftr_generator *generator, const char *item,
                            const char *unit, uint64_t tick);

#endif
