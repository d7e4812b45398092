/* Reads the contents of a trace file that recovery needs. */
#ifndef FTR_TRACE_CONTENTS_H
#define FTR_TRACE_CONTENTS_H

#include "sought_records.h"

/* The values with which recovery continues a file. */
typedef struct ftr_trace_contents {
    uint64_t strings; /* number of dictionary entries, which is also the next string id */
    uint64_t latest;  /* tick: latest time in the file; 0: none */
    size_t size;      /* bytes, without the break at the end */
} ftr_trace_contents;

/* Reads a trace of @p size bytes at @p bytes, which may end after any chunk. Marks the records in
 * @p sought that are in the trace. If @p contents is not NULL, also fills it, and marks the
 * definitions that are in the trace as written. FTR_ERR_FORMAT: the bytes were not written by a
 * recorder. FTR_ERR_LIMIT: the reader needs more memory than allowed. FTR_ERR_MEMORY. */
FTR_MUST_USE ftr_status ftr_trace_contents_read(const uint8_t *bytes, size_t size,
                                                const ftr_definitions *definitions,
                                                ftr_sought_records *sought,
                                                ftr_trace_contents *contents);

#endif
