/* Converts QNX kernel event logs to FTR files. */
#ifndef FTR_KEV_READER_H
#define FTR_KEV_READER_H

#include "import_target.h"
#include "printer.h"

/* Converts the log @p path to the FTR file @p output. @return false after an error message if
 * nothing could be read, or if writing failed */
bool ftr_kev_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result);

/* Prints the keys of the head of a log, then one line per event.
 * @param format the format of the beginning of a line (kev_format.h)
 * @param[out] errors number of errors that were reported
 * @return false after an error message if nothing could be read */
bool ftr_kev_dump(const char *path, const char *format, ftr_printer *out,
                  const ftr_exchange_report *report, uint64_t *errors);

#endif
