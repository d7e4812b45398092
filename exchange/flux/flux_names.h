/* Names in FTR for items of flux, and units of positions. */
#ifndef FTR_FLUX_NAMES_H
#define FTR_FLUX_NAMES_H

#include "flux_items.h"
#include "import_target.h"

/* Returns the name of the stream for a scope. If @p many is true (the file has several traces), the
 * name begins with the name of the trace. The caller must free the name; NULL if out of memory. */
char *ftr_flux_stream_name(const ftr_flux_items *items, const ftr_flux_legend_item *scope,
                           bool many);
/* Returns the name of the generator for a signal. Several signals may have the same name, so the
 * name includes the number or bit range from @p entry, which defines the signal. The caller must
 * free the name; NULL if out of memory. */
char *ftr_flux_generator_name(const ftr_flux_legend_item *item, const ftr_flux_entry *entry);

/* Parses a domain base that is a time. The results are the mantissa and the exponent of ten, in
 * seconds. For "20 ps", they are 2 and -11, because the mantissa has no trailing zeros. @return
 * false for other domain bases, and for times that are not whole femtoseconds */
bool ftr_flux_base_of(const char *text, uint64_t *mantissa, int *exponent);

/* ---- units that are not units of time -------------------------------------------------------- */

/* Splits a domain base that is not a time. For example, for "5 kHz" returns "kHz", a pointer into
 * @p base, and sets @p factor to 5. A tick is then one kHz, and each unit of a position is 5
 * ticks. */
const char *ftr_flux_unit_of(const char *base, uint64_t *factor);

/* Records that from @p tick on, one tick means one @p unit for @p item and all items below it.
 * *generator must be 0 at the first call, which defines the generator. */
void ftr_flux_record_domain(ftr_import_target *target, ftr_generator *generator, const char *item,
                            const char *unit, uint64_t tick);

#endif
