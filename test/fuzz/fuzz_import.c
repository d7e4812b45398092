/* libFuzzer target for an importer of exchange/, selected at compile time: any bytes are imported
 * as a file; the recording is discarded. Without libFuzzer (fuzz_main.c) it replays a corpus. */
#include "formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int64_t take(void *user, const void *data, size_t size)
{
    (void)user;
    (void)data;
    return (int64_t)size;
}

/* Reads every message, so that an invalid one is detected. */
static void tell(void *user, const char *message)
{
    size_t *sum = user;
    *sum += strlen(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64];
    size_t told = 0;
    const int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const ftr_sink sink = {.write = take};
    const ftr_recorder_options options = {.sink = &sink, .epoch_seconds = 1};
    const ftr_exchange_report report = {tell, &told};
    ftr_import_result result = {0};
    if (!FTR_FUZZ_IMPORT(path, "unused", &options, &report, &result) && told == 0)
        abort(); /* failures must be reported */
    (void)close(fd);
    return 0;
}
