/* SCV transaction text into FTR files. */
#ifndef FTR_SCV_TEXT_READER_H
#define FTR_SCV_TEXT_READER_H

#include "import_target.h"

/* Reads @p path, which is no pipe, and makes @p output of it. The tick is a picosecond, or what the
 * finest time in it needs; @p options say how to write.
 * @return false after saying why nothing of it could be read, or the output not be written */
bool ftr_scv_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result);

#endif
