/* Writes FTR files as SCV transaction text, in the form of the text back-end of Accellera's SCV. */
#ifndef FTR_SCV_TEXT_WRITER_H
#define FTR_SCV_TEXT_WRITER_H

#include "exchange_report.h"

#include <ftr/reader.h>

/* Writes to @p fd, which the caller must close. @p path is the name of the output, for messages.
 * @param threads number of threads of @p reader
 * @return false after an error message */
bool ftr_scv_write(ftr_reader *reader, unsigned threads, int fd, const char *path,
                   const ftr_exchange_report *report);

#endif
