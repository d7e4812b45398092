/* Names in FTR for items of flux, and units of time. */
#ifndef FTR_FLUX_NAMES_H
#define FTR_FLUX_NAMES_H

#include "flux_items.h"

/* Returns the name of the stream for a scope. If @p many (the file has several traces), the name of
 * the trace comes first. The caller must free the name; NULL if out of memory. */
char *ftr_flux_stream_name(const ftr_flux_items *items, const ftr_flux_legend_item *scope,
                           bool many);
/* Returns the name of the generator for a signal. Several signals may have the same name, so the
 * name includes the number or bit range from @p entry, which defines the signal. The caller must
 * free the name; NULL if out of memory. */
char *ftr_flux_generator_name(const ftr_flux_legend_item *item, const ftr_flux_entry *entry);

/* Parses a domain base that is a time: mantissa, and exponent of ten in seconds. For "20 ps" they
 * are 2 and -11, because the mantissa has no trailing zeros. @return false for other domain
 * bases */
bool ftr_flux_base_of(const char *text, uint64_t *mantissa, int *exponent);

#endif
