// A signal that ends the program at the moment at which a thread closes the recorder: one of the
// two ends the files, not both.
#include "fork_at_rest.hpp"
#include "recording.hpp"
#include "wrapped_calls.hpp"

#include <ftr/environment.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>

namespace
{
thread_local bool is_closing; // this thread closes the recorder
std::atomic<bool> may_close;
std::atomic<bool> has_closed_valve;

void wait_for(const std::atomic<bool> &flag)
{
    while (!flag)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}
} // namespace

// See the options of the linker in recorder_tests.cmake.
FTR_WRAPPED(std::uint32_t, ftr_trace_close_valve, ftr_recorder *rec, bool is_for_signal);

// The writer thread is about to end the files for the signal. Before that, the other thread closes
// the valve.
std::uint32_t __wrap_ftr_trace_close_valve(ftr_recorder *rec, bool is_for_signal)
{
    if (!is_closing) {
        may_close = true;
        wait_for(has_closed_valve);
    }
    const std::uint32_t valve = __real_ftr_trace_close_valve(rec, is_for_signal);
    if (is_closing)
        has_closed_valve = true;
    return valve;
}

namespace
{
void record_to(ftr_recorder *rec, const char *stream_name)
{
    ftr_stream stream;
    ftr_generator generator;
    if (ftr_stream_define(rec, stream_name, nullptr, &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "g", nullptr, 0, &generator) != FTR_OK ||
        ftr_tx_record(rec, generator, 1, 2, nullptr, 0, nullptr) != FTR_OK)
        _exit(1);
}

[[noreturn]] void signal_while_a_thread_closes()
{
    ftr_recorder *const rec = ftr_default_recorder(-9, nullptr, nullptr);
    if (!rec)
        _exit(2);
    record_to(rec, "main");
    record_to(rec, "bus");
    std::thread([rec] {
        wait_for(may_close);
        is_closing = true;
        static_cast<void>(ftr_recorder_close(rec));
        pause();
    }).detach();
    raise(SIGTERM);
    _exit(3);
}

// The file is complete if the writer had enough time; otherwise the journal has the rest.
void expect_one_transaction(std::string path)
{
    const std::string journal = path + ".journal";
    if (std::filesystem::exists(journal)) {
        ftr_recovery recovery = {};
        path += ".recovered.ftr";
        ASSERT_EQ(ftr_recovery_run(journal.c_str(), nullptr, path.c_str(), &recovery), FTR_OK)
            << recovery.message;
    }
    EXPECT_EQ(findings(path), std::vector<std::string>{});
    EXPECT_EQ(decode(path).transactions.size(), 1u);
}

TEST(SignalAtClose, EndsEachFileOnce)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    std::fflush(nullptr);
    const pid_t child = fork_at_rest();
    if (child == 0) {
        setenv("FTR_TRACE", path.c_str(), 1);
        setenv("FTR_BUFFERS", "bus=linear,1M,>file,bus", 1);
        signal_while_a_thread_closes();
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << status;
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    expect_one_transaction(path);
    expect_one_transaction(directory.path("run-bus.ftr"));
}
} // namespace
