// Records with a summary until the process is killed:
//
//     record_until_killed FILE SUMMARY REPORTED STEP THREADS COUNT
//
// FILE is the trace, or the same as SUMMARY: then there is no trace. At the system call STEP that
// changes a file (0: none), the process kills itself; if STEP is "wait", it waits for a signal
// before it closes the recorder. Each thread records COUNT transactions of the generator `g`, with
// latencies that no other transaction has, and some of `o` that stay open for a while. For each
// thread, the file REPORTED contains the number of returned calls that end transactions: two
// numbers of 64 bits in native byte order, for the generators `g` and `o`.
#include "system_steps.hpp"

#include <ftr/recorder.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace
{

struct reported {
    std::atomic<std::uint64_t> recorded, ended;
};

ftr_recorder *recorder;
ftr_generator generators[2];

void must(ftr_status status)
{
    if (status != FTR_OK)
        _exit(2);
}

reported *map_reported(const char *path, std::size_t threads)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
    const std::size_t size = threads * sizeof(reported);
    if (fd < 0 || ftruncate(fd, static_cast<off_t>(size)) != 0)
        _exit(2);
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        _exit(2);
    return static_cast<reported *>(memory);
}

void define()
{
    const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
    ftr_stream stream;
    must(ftr_stream_define(recorder, "top", "s", &stream));
    must(ftr_generator_define(recorder, stream, "g", &text, 1, &generators[0]));
    must(ftr_generator_define(recorder, stream, "o", nullptr, 0, &generators[1]));
}

void record(reported &reported, std::uint64_t thread, std::uint64_t threads, std::uint64_t count)
{
    const std::string characters(400, 'x');
    ftr_value text{};
    text.type = FTR_TYPE_STRING;
    text.as.text = characters.data();
    text.text_length = characters.size();
    ftr_tx open{};
    for (std::uint64_t n = 0; n < count; n++) {
        if (n % 100 == 0) {
            if (n > 0) {
                must(ftr_tx_end(recorder, open, 10 * n));
                ++reported.ended;
            }
            must(ftr_tx_begin(recorder, generators[1], 10 * n, &open));
        }
        must(ftr_tx_record(recorder, generators[0], 10 * n, 10 * n + n * threads + thread, &text, 1,
                           nullptr));
        ++reported.recorded;
        if (n % 500 == 499 && thread == 0)
            must(ftr_recorder_flush(recorder));
    }
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 7)
        return 2;
    const std::size_t step = std::strtoul(argv[4], nullptr, 10);
    const std::size_t threads = std::strtoul(argv[5], nullptr, 10);
    const std::uint64_t count = std::strtoull(argv[6], nullptr, 10);
    reported *const all_reported = map_reported(argv[3], threads);
    const ftr_sink no_trace = {nullptr, nullptr, nullptr};
    ftr_recorder_options options{};
    options.summary = argv[2];
    options.block_memory = std::size_t{1} << 20;
    if (std::strcmp(argv[1], argv[2]) == 0)
        options.sink = &no_trace;
    if (step > 0)
        options.clock = [](void *) { return std::uint64_t{1}; };
    else
        options.threads = 1;
    must(ftr_recorder_open(argv[1], &options, &recorder));
    raise_at_step(step, SIGKILL);
    define();
    std::vector<std::thread> all;
    for (std::size_t i = 1; i < threads; i++)
        all.emplace_back([=] { record(all_reported[i], i, threads, count); });
    record(all_reported[0], 0, threads, count);
    for (std::thread &thread : all)
        thread.join();
    if (std::strcmp(argv[4], "wait") == 0)
        pause();
    must(ftr_recorder_close(recorder));
    return 0;
}
