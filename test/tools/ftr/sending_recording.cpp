// Records into a callback that writes to descriptor 1: sending_recording TRANSACTIONS [HOLD]. If
// HOLD is `buffer`, a buffer is sent there instead, and the trace itself is discarded. The recorder
// flushes and waits for the end of stdin before it closes; with HOLD `kill` it is killed.
#include <ftr/buffer.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace
{

std::int64_t send(void *, const void *data, std::size_t size)
{
    const ssize_t sent = write(STDOUT_FILENO, data, size);
    return sent < 0 ? -errno : sent;
}

std::int64_t discard(void *, const void *, std::size_t size)
{
    return static_cast<std::int64_t>(size);
}

} // namespace

int main(int argc, char **argv)
{
    const char *hold = argc > 2 ? argv[2] : "";
    const bool in_buffer = std::strcmp(hold, "buffer") == 0;
    const ftr_sink to_stdout = {nullptr, send, nullptr};
    const ftr_sink to_nowhere = {nullptr, discard, nullptr};
    ftr_recorder_options options = {};
    options.threads = 1;
    options.sink = in_buffer ? &to_nowhere : &to_stdout;
    ftr_recorder *recorder = nullptr;
    if (argc < 2 || ftr_recorder_open(nullptr, &options, &recorder) != FTR_OK)
        return 1;
    if (in_buffer) {
        ftr_buffer_options apart = {};
        ftr_buffer buffer = 0;
        apart.name = "apart";
        apart.streams = "top.*";
        apart.sink = &to_stdout;
        if (ftr_buffer_define(recorder, &apart, &buffer) != FTR_OK)
            return 1;
    }
    ftr_stream stream = 0;
    ftr_generator generator = 0;
    if (ftr_stream_define(recorder, "top.bus", "kind", &stream) != FTR_OK ||
        ftr_generator_define(recorder, stream, "step", nullptr, 0, &generator) != FTR_OK)
        return 1;
    const long count = std::atol(argv[1]);
    for (long n = 1; n <= count; ++n) {
        const std::uint64_t time = static_cast<std::uint64_t>(n);
        if (ftr_tx_record(recorder, generator, time, time, nullptr, 0, nullptr) != FTR_OK)
            return 1;
    }
    if (ftr_recorder_flush(recorder) != FTR_OK)
        return 1;
    if (std::strcmp(hold, "kill") == 0)
        std::raise(SIGKILL);
    while (std::getchar() != EOF)
        continue;
    return ftr_recorder_close(recorder) == FTR_OK ? 0 : 1;
}
