// Records a trace with many streams:
//
//     make_streams FILE STREAMS GENERATORS ROUNDS
//
// Each stream has GENERATORS generators. In each round, each generator records one transaction. The
// transactions of a generator have 64 different latencies.
#include <ftr/recorder.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace
{

void must(ftr_status status)
{
    if (status != FTR_OK) {
        std::fprintf(stderr, "make_streams: %s\n", ftr_status_text(status));
        std::exit(1);
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    const unsigned long streams = std::strtoul(argv[2], nullptr, 10);
    const unsigned long generators = std::strtoul(argv[3], nullptr, 10);
    const unsigned long rounds = std::strtoul(argv[4], nullptr, 10);
    const ftr_attribute size = {"data_length", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN};
    std::vector<ftr_generator> all;
    ftr_recorder *recorder;
    must(ftr_recorder_open(argv[1], nullptr, &recorder));
    for (unsigned long i = 0; i < streams; ++i) {
        const std::string name = "top.cluster.socket" + std::to_string(i);
        ftr_stream stream;
        must(ftr_stream_define(recorder, name.c_str(), "TLM", &stream));
        for (unsigned long k = 0; k < generators; ++k) {
            all.emplace_back();
            must(ftr_generator_define(recorder, stream, ("g" + std::to_string(k)).c_str(), &size, 1,
                                      &all.back()));
        }
    }
    std::uint64_t now = 0;
    for (unsigned long round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < all.size(); ++i, now += 10) {
            ftr_value bytes{};
            bytes.type = FTR_TYPE_UNSIGNED;
            bytes.as.number = i;
            must(
                ftr_tx_record(recorder, all[i], now, now + 5 + round % 64 * 7, &bytes, 1, nullptr));
        }
    must(ftr_recorder_close(recorder));
    return 0;
}
