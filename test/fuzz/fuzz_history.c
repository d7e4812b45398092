/* libFuzzer target for history files and the contents of nights: any bytes are rejected, or read
 * into figures that can be searched for changes, written and read again. Without libFuzzer
 * (fuzz_main.c) it replays a corpus. */
#include "history_file.h"
#include "night_changes.h"

#include "cbor_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Greatest number of values that are used, so that an input takes little time. */
#define VALUES_MAX 100000u

static size_t values_of(const ftr_history_night *night)
{
    size_t count = 0;
    for (size_t i = 0; i < night->series_count; i++)
        count += night->series[i]->runs;
    return count;
}

static void search(const ftr_history_night *night)
{
    static const ftr_figure_metric METRICS[] = {{.kind = FTR_METRIC_COUNT},
                                                {.kind = FTR_METRIC_MEAN}};
    static const ftr_night_change_options OPTIONS = {
        .points = {.least = 2, .level = 0.5, .permutations = 3},
        .metrics = METRICS,
        .metric_count = 2};
    ftr_night_changes changes = {.options = &OPTIONS};
    for (int i = 0; i < 4; i++)
        if (!ftr_night_changes_add(&changes, night))
            abort();
    if (ftr_night_changes_find(&changes) != FTR_OK)
        abort();
    ftr_night_changes_release(&changes);
}

static void use_night(ftr_history_night *night)
{
    ftr_cbor_writer w;
    ftr_history_night again;
    if (values_of(night) > VALUES_MAX)
        return;
    search(night);
    ftr_cbor_writer_init_growing(&w, 0);
    ftr_history_encode(night, &w);
    if (w.status != FTR_OK ||
        ftr_history_decode(w.begin, ftr_cbor_writer_size(&w), &again) != FTR_OK ||
        again.series_count != night->series_count || again.run_count != night->run_count)
        abort();
    ftr_history_night_release(&again);
    ftr_cbor_writer_free(&w);
}

static void read_file(const char *path)
{
    ftr_history history;
    ftr_summary_problem problem;
    const ftr_status status = ftr_history_open(&history, path, &problem);
    for (size_t i = 0; status == FTR_OK && i < history.count; i++) {
        ftr_history_night night;
        if (ftr_history_read(&history, i, &night, &problem) == FTR_OK)
            use_night(&night);
        ftr_history_night_release(&night);
    }
    ftr_history_close(&history);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[40];
    ftr_history_night night;
    if (ftr_history_decode(bytes, size, &night) == FTR_OK)
        use_night(&night);
    ftr_history_night_release(&night);
    const int fd = memfd_create("fuzz_history", MFD_CLOEXEC);
    if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    read_file(path);
    (void)close(fd);
    return 0;
}
