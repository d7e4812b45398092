/* Processes the bytes of W2 like every recorder must, and does nothing else. */
#include "limits.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include <benchmark/benchmark.h>
#include <lz4.h>
#include <systemc>

#include "scratch.hpp"
#include "usage.hpp"
#include "workload.h"

namespace
{

constexpr std::uint64_t transactions = 1'000'000;
/* The recorder's default size of a chunk. */
constexpr std::size_t chunk_size = std::size_t{63} << 10;

using bytes = std::vector<char>;

/* Records a file of this many transactions. */
bytes recorded_file(ftr_compression compression)
{
    const scratch folder;
    const std::string path = folder.path("run.ftr");
    const workload &w2 = *workload_find(core_workloads, "W2");
    workload_data data = workload_start();
    void *const opened = w2.open(path.c_str(), compression);
    w2.recorded(opened, &data, transactions);
    w2.close(opened);
    std::ifstream file(path, std::ios::binary);
    return bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void for_each_chunk(const bytes &all, const std::function<void(const char *, std::size_t)> &use)
{
    for (std::size_t at = 0; at < all.size(); at += chunk_size)
        use(all.data() + at, std::min(chunk_size, all.size() - at));
}

void measure(benchmark::State &state, const std::function<void()> &work)
{
    while (state.KeepRunning()) {
        const double begin = thread_seconds();
        work();
        const double taken = thread_seconds() - begin;
        state.SetIterationTime(taken);
        state.counters["thread_ns"] = 1e9 * taken / static_cast<double>(transactions);
    }
}

void copy(benchmark::State &state)
{
    const bytes all = recorded_file(FTR_COMPRESSION_NONE);
    bytes block(12 << 20); // the recorder's default memory
    measure(state, [&] {
        std::size_t at = 0;
        for_each_chunk(all, [&](const char *chunk, std::size_t size) {
            at = at + size > block.size() ? 0 : at;
            std::memcpy(block.data() + at, chunk, size);
            benchmark::ClobberMemory();
            at += size;
        });
    });
}

void compress(benchmark::State &state)
{
    const bytes all = recorded_file(FTR_COMPRESSION_NONE);
    bytes room(static_cast<std::size_t>(LZ4_compressBound(chunk_size)));
    measure(state, [&] {
        for_each_chunk(all, [&](const char *chunk, std::size_t size) {
            benchmark::DoNotOptimize(LZ4_compress_default(
                chunk, room.data(), static_cast<int>(size), static_cast<int>(room.size())));
        });
    });
}

void write_out(benchmark::State &state)
{
    const bytes all = recorded_file(FTR_COMPRESSION_LZ4);
    const scratch folder;
    measure(state, [&] {
        const int file = open(folder.path("bytes").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        for_each_chunk(all, [&](const char *chunk, std::size_t size) {
            if (write(file, chunk, size) != static_cast<ssize_t>(size))
                workload_fail("cannot write");
        });
        close(file);
    });
}

void advance_time(benchmark::State &state)
{
    const sc_core::sc_time step(1, sc_core::SC_NS);
    measure(state, [&] {
        for (std::uint64_t i = 0; i < transactions; ++i)
            sc_core::wait(step);
    });
}

} // namespace

void register_limits()
{
    const struct {
        const char *name;
        void (*run)(benchmark::State &);
    } limits[] = {{"limit/memcpy", copy},
                  {"limit/LZ4", compress},
                  {"limit/write", write_out},
                  {"limit/wait(1 ns)", advance_time}};
    for (const auto &limit : limits)
        benchmark::RegisterBenchmark(limit.name, limit.run)->Iterations(1)->UseManualTime();
}
