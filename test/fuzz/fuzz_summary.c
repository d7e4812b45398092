/* libFuzzer target for summary files and their records: any bytes are rejected, or read into
 * figures that can be added, written and read again. Without libFuzzer (fuzz_main.c) it replays a
 * corpus. */
#include "run_encoding.h"
#include "run_packing.h"
#include "run_totals.h"
#include "summary_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PACKED_SIZE_MAX ((size_t)512)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void use_run(const ftr_run_record *run)
{
    ftr_run_totals totals = {.time_scale = run->time_scale};
    ftr_cbor_writer w;
    ftr_run_record again;
    const ftr_status status = ftr_run_totals_add(&totals, run, false);
    if (status != FTR_OK && status != FTR_ERR_LIMIT)
        abort();
    ftr_run_totals_settle(&totals);
    for (size_t i = 0; i < totals.row_count; i++)
        (void)ftr_latency_bins_percentile(&totals.rows[i].latency, 99 * FTR_PERCENT);
    ftr_run_totals_release(&totals);
    ftr_cbor_writer_init_growing(&w, 0);
    ftr_run_encode(run, &w);
    if (w.status != FTR_OK || ftr_run_decode(w.begin, ftr_cbor_writer_size(&w), &again) != FTR_OK)
        abort();
    ftr_run_record_release(&again);
    ftr_cbor_writer_reset(&w);
    ftr_run_pack(run, &w);
    if (w.status != FTR_OK || ftr_run_unpack(w.begin, ftr_cbor_writer_size(&w), &again) != FTR_OK)
        abort();
    ftr_run_record_release(&again);
    ftr_cbor_writer_free(&w);
}

typedef ftr_status decode_function(const uint8_t *bytes, size_t size, ftr_run_record *run);

static void read_record(decode_function *decode, const uint8_t *bytes, size_t size)
{
    ftr_run_record run;
    if (decode(bytes, size, &run) == FTR_OK)
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
    read_record(ftr_run_decode, bytes, size);
    /* Almost any bytes are a packed record, of a size that grows with the number of bytes. */
    read_record(ftr_run_unpack, bytes, size < PACKED_SIZE_MAX ? size : PACKED_SIZE_MAX);
    const int fd = memfd_create("fuzz_summary", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_file(path);
    (void)close(fd);
    return 0;
}
