// Records slowly, like a simulation: live_recording FILE TRANSACTIONS. A line on stdout reports
// that the file has content; the recorder closes when stdin ends.
#include <ftr/recorder.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <unistd.h>

int main(int argc, char **argv)
{
    ftr_recorder *recorder = nullptr;
    ftr_stream stream = 0;
    ftr_generator generator = 0;
    if (argc != 3 || ftr_recorder_open(argv[1], nullptr, &recorder) != FTR_OK ||
        ftr_stream_define(recorder, "top.bus", "kind", &stream) != FTR_OK ||
        ftr_generator_define(recorder, stream, "step", nullptr, 0, &generator) != FTR_OK)
        return 1;
    const long count = std::atol(argv[2]);
    for (long n = 1; n <= count; ++n) {
        const std::uint64_t time = static_cast<std::uint64_t>(n);
        if (ftr_tx_record(recorder, generator, time, time, nullptr, 0, nullptr) != FTR_OK)
            return 1;
        if (n % 100 == 0 && ftr_recorder_flush(recorder) != FTR_OK)
            return 1;
        if (n == count / 2) {
            std::puts("ready");
            std::fflush(stdout);
        }
        usleep(n % 100 == 0 ? 1000 : 0);
    }
    while (std::getchar() != EOF)
        continue;
    return ftr_recorder_close(recorder) == FTR_OK ? 0 : 1;
}
