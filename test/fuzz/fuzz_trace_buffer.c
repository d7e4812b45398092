/* libFuzzer target for the dumps of a trace buffer: any bytes are a dump of a program that is built
 * for it. The program itself is not varied, because its owner built it and trusts it. Without
 * libFuzzer (fuzz_main.c) it replays a corpus. */
#include "trace_buffer.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static char output_folder[] = "/tmp/fuzz_trace_buffer.XXXXXX";
static char output[sizeof output_folder + sizeof "/out.ftr"];
static FILE *messages;

static void remove_output(void)
{
    (void)unlink(output);
    (void)rmdir(output_folder);
}

static void set_up(void)
{
    messages = fopen("/dev/null", "w");
    if (messages == NULL || mkdtemp(output_folder) == NULL)
        abort();
    (void)snprintf(output, sizeof output, "%s/out.ftr", output_folder);
    (void)atexit(remove_output);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64];
    const int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    if (messages == NULL)
        set_up();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ftr_link_report report = {.out = messages};
    ftr_trace_buffer_counts counts;
    ftr_trace_buffer_dump dump;
    if (!ftr_trace_buffer_read(&report, path, &dump))
        abort();
    if (!ftr_trace_buffer_convert(&report, FTR_FUZZ_PROGRAM, &dump, output, NULL, &counts) &&
        report.errors == 0)
        abort(); /* failures must be reported */
    free(dump.bytes);
    (void)close(fd);
    return 0;
}
