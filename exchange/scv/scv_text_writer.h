/* FTR files as SCV transaction text, as the text back-end of Accellera's SCV writes it. */
#ifndef FTR_SCV_TEXT_WRITER_H
#define FTR_SCV_TEXT_WRITER_H

#include "exchange_report.h"

#include <ftr/reader.h>

/* @return false after saying why it cannot be written */
bool ftr_scv_write(ftr_reader *reader, const char *path, const ftr_exchange_report *report);

#endif
