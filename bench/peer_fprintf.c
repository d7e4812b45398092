/* W2 recorded with the C library: one line of text for each transaction. */
#include <inttypes.h>
#include <stdio.h>

#include "payload_loop.h"
#include "workload.h"

static void *open_file(const char *path, ftr_compression compression)
{
    (void)compression;
    FILE *file = fopen(path, "we");
    if (!file)
        workload_fail("cannot write text");
    return file;
}

static void close_file(void *opened)
{
    if (fclose(opened) != 0)
        workload_fail("cannot write all of the text");
}

static inline void print(void *opened, const workload_tx *next, uint64_t begin)
{
    fprintf(opened, "%" PRIu64 " %" PRIu64 " %u %u %" PRIu64 " %" PRIu32 " %s\n", begin,
            begin + next->duration, next->stream, next->generator, next->address, next->length,
            next->response);
}

WORKLOAD_OF_PAYLOADS(fprintf_workload, "fprintf", open_file, print, close_file)
