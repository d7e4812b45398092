/* Converts SCV transaction text to FTR files. */
#ifndef FTR_SCV_TEXT_READER_H
#define FTR_SCV_TEXT_READER_H

#include "import_target.h"

/* Converts the file @p path, which must not be a pipe, to @p output. A tick is a picosecond, or
 * shorter if the finest time requires it. @p options are format options.
 * @return false after an error message if nothing could be read, or if writing failed */
bool ftr_scv_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result);

#endif
