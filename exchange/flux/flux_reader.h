/* Flux files into FTR files, versions 4 and 6. */
#ifndef FTR_FLUX_READER_H
#define FTR_FLUX_READER_H

#include "import_target.h"

/* Reads @p path, which is no pipe, twice, and makes @p output of it. The tick is the finest domain
 * base.
 * @return false after saying why nothing of it could be read, or the output not be written */
bool ftr_flux_read(const char *path, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result);

#endif
