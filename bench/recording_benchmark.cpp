/* Measures every way of recording with Google Benchmark, in a process of a simulation:
 *
 *     recording_benchmark [--benchmark_OPTION...] [TRANSACTIONS]
 *
 * Each repetition has these counters per transaction: `thread_ns` and `process_ns` are the
 * processor time, minus the time of the same loop without its recording lines; `bytes` is the size.
 * It also has the counter `peak_mib`, the peak memory. TRANSACTIONS is the maximum N of the
 * benchmarks transactions/N. If LTTng's session daemon runs, FTR_BENCH_LTTNG is the path of the
 * library of the LTTng-UST recorder. */
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <benchmark/benchmark.h>
#include <lz4.h>
#include <systemc>

#include "scratch.hpp"
#include "workload.h"

namespace
{

constexpr std::uint64_t transactions = 1'000'000;
/* Number of transactions recorded before the measurement, so that the recorder has used its memory
 * once. */
constexpr std::uint64_t warm_up = transactions / 4;

/* ---- time and memory, from clocks and Linux -------------------------------------------------- */

double seconds_of(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/* Returns the processor time of the calling thread. */
double thread_seconds()
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/* Returns the processor time of all threads of the process. */
double process_seconds()
{
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* Returns the elapsed time since an arbitrary moment. */
double wall_seconds()
{
    return seconds_of(CLOCK_MONOTONIC);
}

void forget_peak_memory()
{
    malloc_trim(0); /* memory that earlier measurements have freed must not count */
    std::ofstream("/proc/self/clear_refs") << "5\n";
}

/* Returns the maximum memory use since forget_peak_memory(), in MiB. */
double peak_memory()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        double kilobytes = 0;
        if (word == "VmHWM:" && status >> kilobytes)
            return kilobytes / 1024;
    }
    workload_fail("/proc/self/status does not tell the peak of memory");
}

/* ---- ways of recording ----------------------------------------------------------------------- */

double thread_seconds_of(workload_loop *loop, void *opened, workload_data *data,
                         std::uint64_t count)
{
    const double begin = thread_seconds();
    loop(opened, data, count);
    return thread_seconds() - begin;
}

void measure(benchmark::State &state, const workload &way)
{
    while (state.KeepRunning()) {
        const scratch folder;
        workload_data data = workload_start();
        const double plain = thread_seconds_of(way.plain, nullptr, &data, transactions);
        data = workload_start();

        forget_peak_memory();
        const double begin = process_seconds();
        void *const opened = way.open(folder.path("run.ftr").c_str(), FTR_COMPRESSION_LZ4);
        way.recorded(opened, &data, warm_up);
        const double thread = thread_seconds_of(way.recorded, opened, &data, transactions);
        way.close(opened);
        const double process = process_seconds() - begin;

        const auto all = static_cast<double>(warm_up + transactions);
        const double each = 1e9 / static_cast<double>(transactions);
        state.SetIterationTime(thread);
        state.counters["thread_ns"] = each * (thread - plain);
        state.counters["process_ns"] = 1e9 * process / all - each * plain;
        state.counters["bytes"] = static_cast<double>(folder.size()) / all;
        state.counters["peak_mib"] = peak_memory();
    }
}

/* Measures the time from opening to closing a file with this number of transactions. */
void measure_whole(benchmark::State &state)
{
    const auto count = static_cast<std::uint64_t>(state.range(0));
    const workload &w2 = *workload_find(core_workloads, "W2");
    while (state.KeepRunning()) {
        const scratch folder;
        workload_data data = workload_start();
        const double begin = wall_seconds();
        const double thread = thread_seconds();
        const double process = process_seconds();
        void *const opened = w2.open(folder.path("run.ftr").c_str(), FTR_COMPRESSION_LZ4);
        w2.recorded(opened, &data, count);
        w2.close(opened);
        state.SetIterationTime(wall_seconds() - begin);
        state.counters["wall_s"] = wall_seconds() - begin;
        state.counters["thread_s"] = thread_seconds() - thread;
        state.counters["process_s"] = process_seconds() - process;
    }
}

/* ---- limits: work on the bytes of W2 that no recorder can avoid ------------------------------ */

/* The recorder's default size of a chunk. */
constexpr std::size_t chunk_size = std::size_t{63} << 10;

using bytes = std::vector<char>;

/* Records a file of W2, and returns its bytes. */
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

void measure_work(benchmark::State &state, const std::function<void()> &work)
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
    measure_work(state, [&] {
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
    measure_work(state, [&] {
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
    measure_work(state, [&] {
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
    measure_work(state, [&] {
        for (std::uint64_t i = 0; i < transactions; ++i)
            sc_core::wait(step);
    });
}

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

/* ---- all benchmarks -------------------------------------------------------------------------- */

void register_way(const std::string &group, const workload &way)
{
    benchmark::RegisterBenchmark((group + "/" + way.name).c_str(), measure, way)
        ->Iterations(1)
        ->UseManualTime();
}

void register_list(const std::string &group, const workload *list)
{
    for (; list->name; ++list)
        register_way(group, *list);
}

void register_lttng()
{
    const char *path = std::getenv("FTR_BENCH_LTTNG");
    if (!path)
        return;
    void *const library = dlopen(path, RTLD_NOW);
    const void *const way = library ? dlsym(library, "lttng_workload") : nullptr;
    if (!way)
        workload_fail(dlerror());
    register_way("peer", *static_cast<const workload *>(way));
}

int run(int argc, char **argv)
{
    const std::int64_t upper = argc > 1 ? std::atoll(argv[1]) : 10'000'000;
    register_list("core", core_workloads);
    register_list("adapter", adapter_workloads);
    register_limits();
    register_way("peer", fprintf_workload);
    register_way("peer", libcbor_workload);
    register_way("peer", vcd_workload);
    register_lttng();
    register_list("attributes", attribute_workloads);
    for (std::int64_t count = 10'000; count <= upper; count *= 10) {
        auto *whole = benchmark::RegisterBenchmark("transactions", measure_whole);
        whole->Arg(count)->Iterations(1)->UseManualTime();
        if (count >= 10'000'000)
            whole->Repetitions(3);
    }
    return benchmark::RunSpecifiedBenchmarks() > 0 ? 0 : 1;
}

} // namespace

int sc_main(int argc, char **argv)
{
    /* The peak memory of one benchmark must not include memory that threads of another benchmark
     * have freed. Only the memory of the first arena can be returned completely, so there is only
     * one arena. */
    mallopt(M_ARENA_MAX, 1);
    benchmark::Initialize(&argc, argv);
    return simulate([&] { return run(argc, argv); });
}
