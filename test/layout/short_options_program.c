/* short_options_program.c FILE: records with an options struct at the end of mapped memory.
 * Compiled with headers that lack the latest options, and with the size of their struct in `size`.
 */
#define _DEFAULT_SOURCE
#include <ftr/recorder.h>

#include <sys/mman.h>
#include <unistd.h>

#include <stdio.h>

static void report(void *user, ftr_severity severity, const char *message)
{
    (void)user;
    fprintf(stderr, "%d: %s\n", (int)severity, message);
}

int main(int argc, char **argv)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (argc != 2 || memory == MAP_FAILED || mprotect(memory + page, page, PROT_NONE) != 0)
        return 2;
    ftr_recorder_options *options = (void *)(memory + page - sizeof *options);
    options->size = sizeof *options;
    options->report = report;
    ftr_recorder *rec;
    const ftr_status status = ftr_recorder_open(argv[1], options, &rec);
    if (status != FTR_OK) {
        fprintf(stderr, "%s\n", ftr_status_name(status));
        return 1;
    }
    ftr_stream stream;
    ftr_generator generator;
    ftr_tx tx;
    return ftr_stream_define(rec, "bus", NULL, &stream) == FTR_OK &&
                   ftr_generator_define(rec, stream, "read", NULL, 0, &generator) == FTR_OK &&
                   ftr_tx_begin(rec, generator, 1, &tx) == FTR_OK &&
                   ftr_tx_end(rec, tx, 2) == FTR_OK && ftr_recorder_close(rec) == FTR_OK
               ? 0
               : 1;
}
