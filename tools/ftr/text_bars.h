/* Bars of block characters (U+2581 to U+258F) for terminals, without colour. */
#ifndef FTR_TEXT_BARS_H
#define FTR_TEXT_BARS_H

#include "latency_bins.h"
#include "printer.h"

#define FTR_BAR_BYTES 3u /* number of bytes of one block character */

/* Writes a bar of at most @p width characters to @p text, which must have room for width *
 * FTR_BAR_BYTES bytes. The bar for a value above 0 is never empty. @return number of bytes
 * written */
size_t ftr_bar_row(char *text, ftr_wide value, ftr_wide greatest, unsigned width);

/* Writes one character to @p text: a block with a height in proportion to @p value; a space for 0.
 * @return number of bytes written */
size_t ftr_bar_column(char *text, ftr_wide value, ftr_wide greatest);

/* Prints the histogram of latencies on a logarithmic axis, with at most 24 lines.
 * @return false if out of memory */
bool ftr_print_histogram(ftr_printer *out, ftr_latency_bins *latency, int time_scale,
                         const char *name);

#endif
