/* Units of positions in a flux file that are not units of time. */
#ifndef FTR_FLUX_DOMAINS_H
#define FTR_FLUX_DOMAINS_H

#include "import_target.h"

/* Splits for example "5 kHz": returns "kHz", a pointer into @p base, and sets @p factor to 5. A
 * tick is then one kHz, and a position is a multiple of 5 ticks. */
const char *ftr_flux_unit_of(const char *base, uint64_t *factor);

/* Records that from @p tick on, a tick of @p item and of all items below it means one @p unit.
 * *generator must be 0 at the first call, which defines the generator. */
void ftr_flux_record_domain(ftr_import_target *target, ftr_generator *generator, const char *item,
                            const char *unit, uint64_t tick);

#endif
