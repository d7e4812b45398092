// Records a transaction on each of many streams: many_streams FILE COUNT NAME. With the NAME "many"
// every stream has its own name; any other NAME is the name of all streams.
#include <ftr/recorder.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    const unsigned long count = std::strtoul(argv[2], nullptr, 10);
    const bool many = std::strcmp(argv[3], "many") == 0;
    ftr_recorder *recorder;
    if (ftr_recorder_open(argv[1], nullptr, &recorder) != FTR_OK)
        return 1;
    for (unsigned long i = 0; i < count; i++) {
        char name[64];
        std::snprintf(name, sizeof name, "top.m%lu.port", i);
        ftr_stream stream;
        ftr_generator read;
        ftr_tx tx;
        if (ftr_stream_define(recorder, many ? name : argv[3], "tlm", &stream) != FTR_OK ||
            ftr_generator_define(recorder, stream, "read", nullptr, 0, &read) != FTR_OK ||
            ftr_tx_begin(recorder, read, i, &tx) != FTR_OK ||
            ftr_tx_end(recorder, tx, i + 5) != FTR_OK)
            return 1;
    }
    return ftr_recorder_close(recorder) == FTR_OK ? 0 : 1;
}
