/* Writes FTR files as trace-event JSON, for ui.perfetto.dev and chrome://tracing. */
#ifndef FTR_TRACE_EVENT_WRITER_H
#define FTR_TRACE_EVENT_WRITER_H

#include "exchange_report.h"

#include <ftr/reader.h>

typedef struct ftr_trace_event_input {
    const char *name; /* shown by viewers as the name of a process */
    ftr_reader *reader;
    unsigned threads; /* number of threads of the reader */
} ftr_trace_event_input;

/* Writes to @p fd, which the caller must close. @p path is the name of the output, for messages.
 * @return false after an error message */
bool ftr_trace_event_write(const ftr_trace_event_input *inputs, size_t count, int fd,
                           const char *path, const ftr_exchange_report *report);

#endif
