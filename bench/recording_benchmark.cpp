/* Measures every way of recording with Google Benchmark, in a process of a simulation:
 *
 *     recording_benchmark [--benchmark_OPTION...] [TRANSACTIONS]
 *
 * Counters of each repetition: per transaction `thread_ns` and `process_ns`, the processor time
 * minus that of the same loop without its recording lines, and `bytes`; in addition `peak_mib`.
 * TRANSACTIONS is the maximum of the benchmarks transactions/N. FTR_BENCH_LTTNG is the path of the
 * LTTng-UST recorder's library, set if the session daemon runs. */
#include <cstdint>
#include <cstdlib>
#include <string>

#include <dlfcn.h>
#include <malloc.h>

#include <benchmark/benchmark.h>
#include <systemc>

#include "limits.hpp"
#include "scratch.hpp"
#include "simulation.hpp"
#include "usage.hpp"
#include "workload.h"

namespace
{

constexpr std::uint64_t transactions = 1'000'000;
/* Number of transactions recorded before the measurement, so that the recorder has used its memory
 * once. */
constexpr std::uint64_t warm_up = transactions / 4;

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

/* Measures from the first to the last byte of a file with this many transactions. */
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
    /* The peak of one benchmark must not include memory freed by threads of another: only the
     * memory of the first arena can be returned completely. */
    mallopt(M_ARENA_MAX, 1);
    benchmark::Initialize(&argc, argv);
    return simulate([&] { return run(argc, argv); });
}
