/* FTR names for flux items, and units of time. */
#ifndef FTR_FLUX_NAMES_H
#define FTR_FLUX_NAMES_H

#include "flux_items.h"

/* Returns the name of the stream made from a scope; if @p many traces, preceded by the trace's
 * name. The caller must free it; NULL if out of memory. */
char *ftr_flux_stream_name(const ftr_flux_items *items, const ftr_flux_legend_item *scope,
                           bool many);
/* Returns the name of the generator made from a signal. The name includes the number or bit range
 * from the entry that defines the signal, because several signals may have the same name. */
char *ftr_flux_generator_name(const ftr_flux_legend_item *item, const ftr_flux_entry *entry);

/* Parses "ns", "100 ps": a mantissa and an exponent of ten of a second. @return false for other
 * domains */
bool ftr_flux_base_of(const char *text, uint64_t *mantissa, int *exponent);

#endif
