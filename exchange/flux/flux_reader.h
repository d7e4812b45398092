/* Converts flux files of versions 4 and 6 to FTR files. */
#ifndef FTR_FLUX_READER_H
#define FTR_FLUX_READER_H

#include "import_target.h"

/* Converts the file @p path to @p output. The input is read twice, so it must not be a pipe. The
 * finest domain base of the input becomes the tick of the output.
 * @return false after an error message if nothing could be read, or if writing failed */
bool ftr_flux_read(const char *path, const char *output, const ftr_recorder_options *options,
                   const ftr_exchange_report *report, ftr_import_result *result);

#endif
