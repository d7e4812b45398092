// A child process that is forked while another thread records. Locks held by threads of the parent
// at the fork must not affect the child.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>

TEST(RecorderFork, DuringRecordingLeavesNoLockHeld)
{
    const ftr_sink nowhere = {
        nullptr, [](void *, const void *, std::size_t size) { return std::int64_t(size); },
        nullptr};
    ftr_recorder_options options = {};
    options.threads = 1;
    options.block_memory = 1;
    options.sink = &nowhere;
    recording rec(options);
    const ftr_generator generator = rec.generator(rec.stream("top"), "g");
    std::atomic<bool> stop{false};
    std::uint64_t recorded = 0;
    std::thread other([&] {
        for (; !stop; ++recorded) {
            EXPECT_EQ(ftr_tx_record(rec, generator, recorded, recorded, nullptr, 0, nullptr),
                      FTR_OK);
        }
    });
    for (int i = 0; i < 100; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(120);
            ftr_failure failure;
            ftr_tx tx;
            const bool good = ftr_recorder_get_failure(rec, &failure) == FTR_OK &&
                              ftr_tx_begin(rec, generator, 1, &tx) == FTR_ERR_FORKED &&
                              ftr_recorder_flush(rec) == FTR_ERR_FORKED &&
                              ftr_recorder_close(rec) == FTR_ERR_FORKED;
            _exit(good ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
        ASSERT_EQ(WEXITSTATUS(status), 0);
    }
    stop = true;
    other.join();
    EXPECT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(rec.statistics().transactions, recorded);
}
