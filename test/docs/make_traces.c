/* Traces for the examples of the pages: a processor and a DMA engine, 3 ms. In traces named
 * tonight* or slower* the DMA engine is slower. Traces named platform* have TLM accesses: the DMA
 * engine reaches a memory and a UART over a bus. */
#include <ftr/recorder.h>

#include <stdbool.h>
#include <string.h>

enum { COUNT = 2000, PERIOD = 1500 /* in ns */ };

static int record(const char *path)
{
    const uint64_t taken = strstr(path, "tonight") || strstr(path, "slower") ? 15 : 14;
    static const ftr_attribute declared[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN}};
    const ftr_recorder_options options = {.size = sizeof options, .time_scale = -9};
    ftr_recorder *rec = NULL;
    ftr_stream cpu;
    ftr_stream dma;
    ftr_generator read;
    ftr_generator write;
    if (ftr_recorder_open(path, &options, &rec) != FTR_OK ||
        ftr_stream_define(rec, "top.cpu", "TLM", &cpu) != FTR_OK ||
        ftr_stream_define(rec, "top.dma", "TLM", &dma) != FTR_OK ||
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

static const ftr_attribute of_access[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                          {"length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                          {"response", FTR_TYPE_STRING, FTR_CLASS_END},
                                          {"request_time", FTR_TYPE_TIME, FTR_CLASS_END},
                                          {"response_time", FTR_TYPE_TIME, FTR_CLASS_END}};

static ftr_value number(ftr_type type, uint64_t value)
{
    const ftr_value made = {.type = type, .as.number = value};
    return made;
}

static ftr_value text(const char *bytes)
{
    const ftr_value made = {
        .type = FTR_TYPE_STRING, .text_length = FTR_NUL_TERMINATED, .as.text = bytes};
    return made;
}

static ftr_tx record_hop(ftr_recorder *rec, ftr_generator link, uint64_t i, uint64_t begin,
                         uint64_t end)
{
    const bool to_uart = i % 10 == 0;
    const ftr_value values[] = {number(FTR_TYPE_UNSIGNED, to_uart ? 0x8000 : 64 * i),
                                number(FTR_TYPE_UNSIGNED, to_uart ? 4 : 64),
                                text(to_uart && i % 20 == 0 ? "ADDRESS_ERROR" : "OK"),
                                number(FTR_TYPE_TIME, i % 50 == 0 ? 30 : 4),
                                number(FTR_TYPE_TIME, 2)};
    ftr_tx tx = {0};
    ftr_tx_record(rec, link, begin, end, values, 5, &tx);
    return tx;
}

static int record_accesses(const char *path)
{
    static const char *const links[] = {"dma.s", "bus.out[0]", "bus.out[1]"};
    static const char *const ends[][2] = {
        {"initiator.dma.s", "dma"}, {"target.bus.out[0]", "memory"}, {"target.bus.out[1]", "uart"}};
    const ftr_recorder_options options = {.size = sizeof options, .time_scale = -9};
    ftr_recorder *rec = NULL;
    ftr_stream stream;
    ftr_generator run;
    ftr_generator to[3];
    ftr_relation relation;
    ftr_tx tx;
    if (ftr_recorder_open(path, &options, &rec) != FTR_OK ||
        ftr_relation_define(rec, "PARENT_CHILD", &relation) != FTR_OK ||
        ftr_stream_define(rec, "ftr.run", "run", &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "start", NULL, 0, &run) != FTR_OK ||
        ftr_tx_begin(rec, run, 0, &tx) != FTR_OK)
        return 1;
    for (unsigned i = 0; i < 3; i++) {
        const ftr_value end = text(ends[i][1]);
        if (ftr_tx_put_named(rec, tx, FTR_CLASS_BEGIN, ends[i][0], &end) != FTR_OK ||
            ftr_stream_define(rec, links[i], "TLM", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "read", of_access, 5, &to[i]) != FTR_OK)
            return 1;
    }
    ftr_tx_end(rec, tx, 0);
    for (uint64_t i = 0; i < COUNT; i++) {
        const uint64_t end = PERIOD * i + (i % 50 ? 40 : 66);
        const ftr_tx child = record_hop(rec, to[i % 10 == 0 ? 2 : 1], i, PERIOD * i + 10, end - 5);
        const ftr_tx parent = record_hop(rec, to[0], i, PERIOD * i, end);
        ftr_relation_put(rec, relation, parent, child);
    }
    return ftr_recorder_close(rec) != FTR_OK;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        if ((strstr(argv[i], "platform") ? record_accesses(argv[i]) : record(argv[i])) != 0)
            return 1;
    return 0;
}
