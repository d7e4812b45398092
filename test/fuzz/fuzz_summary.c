/* libFuzzer target for summary files and their records: any bytes are rejected, or read into
 * figures that can be added, written and read again. Without libFuzzer (fuzz_main.c) it replays a
 * corpus. */
#include "run_encoding.h"
#include "run_totals.h"
#include "summary_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MEMORY_MAX ((uint64_t)64 << 20)
#define ALL_SECTIONS ((1u << FTR_SECTIONS) - 1)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void use_run(const ftr_run_record *run)
{
    ftr_run_totals totals = {.time_scale = run->time_scale};
    ftr_encoded_run encoded;
    ftr_run_record again;
    const ftr_status status = ftr_run_totals_add(&totals, run, false);
    if (status != FTR_OK && status != FTR_ERR_LIMIT)
        abort();
    ftr_run_totals_settle(&totals);
    for (size_t i = 0; i < totals.row_count; i++)
        (void)ftr_latency_bins_percentile(&totals.rows[i].latency, 99 * FTR_PERCENT);
    ftr_run_totals_release(&totals);
    if (ftr_run_encode(run, &encoded) != FTR_OK ||
        ftr_run_decode(encoded.bytes, encoded.size, encoded.sections, encoded.memory, &again) !=
            FTR_OK)
        abort();
    ftr_run_record_release(&again);
    ftr_encoded_run_release(&encoded);
}

static void read_record(const uint8_t *bytes, size_t size, unsigned sections)
{
    ftr_run_record run;
    if (ftr_run_decode(bytes, size, sections, MEMORY_MAX, &run) == FTR_OK)
        use_run(&run);
    ftr_run_record_release(&run);
}

static void read_file(const char *path)
{
    ftr_summary_index *index;
    ftr_summary_problem problem;
    if (ftr_summary_index_create(&index) != FTR_OK)
        return;
    if (ftr_summary_index_add_file(index, path, &problem) == FTR_OK) {
        const size_t count = ftr_summary_index_settle(index);
        for (size_t i = 0; i < count; i++) {
            ftr_run_record run;
            const char *from;
            uint64_t offset;
            if (ftr_summary_index_read(index, i, &run, &from, &offset) == FTR_OK) {
                use_run(&run);
                ftr_run_record_release(&run);
            }
        }
    }
    ftr_summary_index_destroy(index);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[40];
    read_record(bytes, size, ALL_SECTIONS);
    read_record(bytes, size, ALL_SECTIONS & ~(1u << FTR_SECTION_TIMES));
    const int fd = memfd_create("fuzz_summary", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_file(path);
    (void)close(fd);
    return 0;
}
