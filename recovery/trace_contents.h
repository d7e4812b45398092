/* The contents of a file of the trace, as far as recovery needs them. */
#ifndef FTR_TRACE_CONTENTS_H
#define FTR_TRACE_CONTENTS_H

#include "sought_records.h"

/* The counts at which recovery continues the file. */
typedef struct ftr_trace_contents {
    uint64_t strings; /* number of dictionary entries */
    uint64_t latest;  /* tick */
    size_t size;      /* number of bytes before the break, if there is one */
} ftr_trace_contents;

/* Reads the @p size bytes of a trace at @p bytes, which may end after any chunk. Marks the sought
 * records that are in it and, if @p contents is not NULL, the definitions. FTR_ERR_FORMAT: a
 * recorder did not write these bytes. FTR_ERR_LIMIT: the reader needs more memory than allowed.
 * FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_trace_contents_read(const uint8_t *bytes, size_t size,
                                                const ftr_definitions *definitions,
                                                ftr_sought_records *sought,
                                                ftr_trace_contents *contents);

#endif
