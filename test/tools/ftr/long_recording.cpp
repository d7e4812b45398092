// Records two streams of transactions with two attributes each: long_recording FILE TRANSACTIONS
// [CHANGED [EVERY]]. Transaction number CHANGED, and each EVERY-th one after it, has a different
// status; between two of these, transactions are alternately dropped and added.
#include <ftr/recorder.h>

#include <cstdint>
#include <cstdlib>

int main(int argc, char **argv)
{
    ftr_recorder *recorder = nullptr;
    ftr_stream streams[2] = {};
    ftr_generator generators[2] = {};
    const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                        {"status", FTR_TYPE_STRING, FTR_CLASS_END}};
    if (argc < 3 || ftr_recorder_open(argv[1], nullptr, &recorder) != FTR_OK)
        return 1;
    for (int i = 0; i < 2; ++i) {
        if (ftr_stream_define(recorder, i == 0 ? "top.a" : "top.b", "kind", &streams[i]) !=
                FTR_OK ||
            ftr_generator_define(recorder, streams[i], "read", attributes, 2, &generators[i]) !=
                FTR_OK)
            return 1;
    }
    const std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
    const std::uint64_t changed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : count;
    const std::uint64_t every = argc > 4 ? std::strtoull(argv[4], nullptr, 10) : 0;
    for (std::uint64_t n = 0; n < count; ++n) {
        const std::uint64_t behind = n >= changed && every > 0 ? (n - changed) % (3 * every) : 1;
        if (behind == every && every > 0)
            continue;
        ftr_value values[2] = {};
        values[0].type = FTR_TYPE_UNSIGNED;
        values[0].as.number = 0x80000000 + n * 64;
        values[1].type = FTR_TYPE_STRING;
        values[1].text_length = FTR_NUL_TERMINATED;
        values[1].as.text = n == changed || behind == 0 ? "ERROR" : "OK";
        const bool twice = behind == 2 * every && every > 0;
        for (std::uint64_t i = 0; i < (twice ? 2 : 1); ++i) {
            if (ftr_tx_record(recorder, generators[n % 2], n * 10 + i, n * 10 + i + 7, values, 2,
                              nullptr) != FTR_OK)
                return 1;
            values[0].as.number = n;
        }
    }
    return ftr_recorder_close(recorder) == FTR_OK ? 0 : 1;
}
