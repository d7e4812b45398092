/* QNX kernel event logs into FTR files. */
#ifndef FTR_KEV_READER_H
#define FTR_KEV_READER_H

#include "import_target.h"
#include "printer.h"

/* @return false after saying why nothing of it could be read, or the output not be written */
bool ftr_kev_read(const char *path, const char *output, const ftr_recorder_options *options,
                  const ftr_exchange_report *report, ftr_import_result *result);

/* A line an event, behind the keys of the head. @param[out] errors what was told to be wrong
 * @return false after saying why nothing could be read */
bool ftr_kev_dump(const char *path, ftr_printer *out, const ftr_exchange_report *report,
                  uint64_t *errors);

#endif
