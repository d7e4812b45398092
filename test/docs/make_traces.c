/* Traces for the examples of the pages: a processor and a DMA engine, 3 ms. In traces named
 * tonight* or slower* the DMA engine is slower. */
#include <ftr/recorder.h>

#include <string.h>

enum { COUNT = 2000, PERIOD = 1500 /* in ns */ };

static int record(const char *path)
{
    const uint64_t taken = strstr(path, "tonight") || strstr(path, "slower") ? 15 : 14;
    static const ftr_attribute declared[] = {{"trans.address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};
    const ftr_recorder_options options = {.size = sizeof options, .time_scale = -9};
    ftr_recorder *rec = NULL;
    ftr_stream cpu;
    ftr_stream dma;
    ftr_generator read;
    ftr_generator write;
    if (ftr_recorder_open(path, &options, &rec) != FTR_OK ||
        ftr_stream_define(rec, "top.cpu", "[TLM][base-protocol][b]", &cpu) != FTR_OK ||
        ftr_stream_define(rec, "top.dma", "[TLM][base-protocol][b]", &dma) != FTR_OK ||
        ftr_generator_define(rec, cpu, "read", declared, 1, &read) != FTR_OK ||
        ftr_generator_define(rec, dma, "write", declared, 1, &write) != FTR_OK)
        return 1;
    for (uint64_t i = 0; i < COUNT; ++i) {
        const ftr_value address = {.type = FTR_TYPE_UNSIGNED, .as.number = 4 * i};
        const uint64_t begin = 100 + i * PERIOD;
        /* One of 500 transactions of the processor is slow. */
        ftr_tx_record(rec, read, begin, begin + (i % 500 ? 20 : 12000), &address, 1, NULL);
        ftr_tx_record(rec, write, begin + 100, begin + 100 + taken, &address, 1, NULL);
    }
    return ftr_recorder_close(rec) != FTR_OK;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        if (record(argv[i]) != 0)
            return 1;
    return 0;
}
