/* FTR files as SCV transaction text, as the text back-end of Accellera's SCV writes it. */
#ifndef FTR_SCV_TEXT_WRITER_H
#define FTR_SCV_TEXT_WRITER_H

#include "exchange_report.h"

#include <ftr/reader.h>

/* Writes to @p fd, which stays the caller's; @p path is its name. @return false after saying why it
 * cannot be written */
bool ftr_scv_write(ftr_reader *reader, int fd, const char *path, const ftr_exchange_report *report);

#endif
