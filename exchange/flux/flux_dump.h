/* The entries of a flux file as lines of text. */
#ifndef FTR_FLUX_DUMP_H
#define FTR_FLUX_DUMP_H

#include "exchange_report.h"
#include "printer.h"

/* Whether the bytes at the beginning of a file are those of flux. */
bool ftr_flux_is_flux(const unsigned char *bytes, size_t size);

/* @param[out] errors what was told to be wrong
 * @return false after saying why nothing could be read */
bool ftr_flux_dump(const char *path, ftr_printer *out, const ftr_exchange_report *report,
                   uint64_t *errors);

#endif
