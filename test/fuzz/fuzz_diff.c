/* libFuzzer target for the comparison of traces: any bytes are compared with themselves, which must
 * be equal, and with a copy in which some bytes differ. Without libFuzzer (fuzz_main.c) it replays
 * a corpus. */
#include "trace_differences.h"

#include <stdlib.h>
#include <string.h>

#define MEMORY ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void differs(void *user, const ftr_difference *difference)
{
    *(uint64_t *)user += difference->time;
}

static void relation_differs(void *user, const ftr_relation_difference *difference)
{
    *(uint64_t *)user += difference->from[0] + difference->to[1];
}

/* @return true if two readings are equal, or could not be compared */
static bool compare(const uint8_t *first, const uint8_t *second, size_t size, ftr_diff_times times,
                    uint64_t tolerance)
{
    const ftr_reader_options reading = {.size = sizeof reading, .memory = MEMORY};
    ftr_reader *readers[2] = {NULL, NULL};
    uint64_t sum = 0;
    const ftr_diff_options options = {.times = times,
                                      .tolerance = tolerance,
                                      .differs = differs,
                                      .relation_differs = relation_differs,
                                      .user = &sum};
    ftr_trace_diff diff = {0};
    ftr_file_info info[2];
    bool equal = true;
    if (ftr_reader_open_memory(first, size, &reading, &readers[0]) == FTR_OK &&
        ftr_reader_open_memory(second, size, &reading, &readers[1]) == FTR_OK) {
        for (unsigned s = 0; s < 2; s++)
            ftr_reader_get_info(readers[s], &info[s]);
        if (ftr_diff_set_scales(&diff, info[0].time_scale, info[1].time_scale) &&
            ftr_diff_run(&diff, &options, readers) == FTR_OK)
            equal = ftr_diff_is_equal(&diff);
    }
    ftr_diff_release(&diff);
    ftr_reader_close(readers[0]);
    ftr_reader_close(readers[1]);
    return equal;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    if (!compare(bytes, bytes, size, FTR_DIFF_RELATIVE, 0))
        abort();
    uint8_t *changed = malloc(size);
    if (changed == NULL)
        return 0;
    for (unsigned round = 0; round < 6; round++) {
        memcpy(changed, bytes, size);
        uint64_t place = size * 31 + bytes[size / 2] + round * UINT64_C(0x9e3779b97f4a7c15);
        for (unsigned i = 0; i <= round; i++) {
            place = place * UINT64_C(6364136223846793005) + 1442695040888963407u;
            changed[(place >> 33) % size] ^= (uint8_t)(1u << (place >> 61));
        }
        (void)compare(bytes, changed, size, (ftr_diff_times)(round % 3), round > 2 ? 5 : 0);
    }
    free(changed);
    return 0;
}
