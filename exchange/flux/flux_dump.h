/* The entries of a flux file as lines of text. */
#ifndef FTR_FLUX_DUMP_H
#define FTR_FLUX_DUMP_H

#include "exchange_report.h"
#include "printer.h"

/* Returns true if the first bytes of a file are those of flux. */
bool ftr_flux_is_flux(const unsigned char *bytes, size_t size);

/* Prints a flux file, one line for each entry. @param[out] errors number of errors that were
 * reported
 * @return false after an error message if nothing could be read */
bool ftr_flux_dump(const char *path, ftr_printer *out, const ftr_exchange_report *report,
                   uint64_t *errors);

#endif
