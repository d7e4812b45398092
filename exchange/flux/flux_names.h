/* Names of flux in FTR, and its units of time. */
#ifndef FTR_FLUX_NAMES_H
#define FTR_FLUX_NAMES_H

#include "flux_items.h"

/* Of the stream that a scope becomes; with @p many traces, behind the name of its own. The caller's
 * to free; NULL without memory. */
char *ftr_flux_stream_name(const ftr_flux_items *items, const ftr_flux_legend_item *scope,
                           bool many);
/* Of the generator that a signal becomes. Of several signals with one name, each is told by its
 * number or its bits, which the entry that defines them says. */
char *ftr_flux_generator_name(const ftr_flux_legend_item *item, const ftr_flux_entry *entry);

/* "ns", "100 ps": a mantissa and an exponent of ten of a second. @return false for other domains */
bool ftr_flux_base_of(const char *text, uint64_t *mantissa, int *exponent);

#endif
