// Processes that are killed in the first milliseconds of a recording. The writer thread may not
// have written the start of the file yet: recovery then creates it.
#include "killed_process.hpp"
#include "killed_run.hpp"
#include "recording.hpp"
#include "system_steps.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <random>
#include <set>

namespace
{
constexpr int scale = -9;
constexpr int before_scale = 10;

// Records @p count transactions, and sets the time scale after the first ten. Stores in @p told
// each transaction whose call has returned, and in `is_ready` whether the time scale is set.
void record(const std::string &path, told &told, int threads, std::uint64_t count,
            std::chrono::microseconds pause = {})
{
    ftr_recorder_options options{};
    options.threads = threads;
    options.time_scale = FTR_TIME_SCALE_LATER;
    ftr_recorder *rec = nullptr;
    ftr_stream stream;
    ftr_generator generator;
    const ftr_attribute attribute = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
    if (ftr_recorder_open(path.c_str(), &options, &rec) != FTR_OK ||
        ftr_stream_define(rec, "top.stream", "kind", &stream) != FTR_OK ||
        ftr_generator_define(rec, stream, "g", &attribute, 1, &generator) != FTR_OK)
        _exit(2);
    for (std::uint64_t n = 0; n < count; ++n) {
        if (n == before_scale) {
            if (ftr_recorder_set_time_scale(rec, scale) != FTR_OK)
                _exit(3);
            told.is_ready.store(true, std::memory_order_release);
        }
        const std::string text = "text " + std::to_string(n);
        const ftr_value value = text_value(FTR_TYPE_STRING, text.c_str());
        ftr_tx tx;
        if (ftr_tx_record(rec, generator, n, n + 5, &value, 1, &tx) != FTR_OK)
            _exit(4);
        told.transactions[n].id = tx.id;
        told.ended.store(n + 1, std::memory_order_release);
        if (pause.count() > 0)
            std::this_thread::sleep_for(pause);
    }
}

// A copy of the progress that a run stored before it was killed.
struct known {
    std::vector<std::uint64_t> ids;
    bool is_scaled;

    explicit known(const told &told) : is_scaled(told.is_ready)
    {
        const std::uint64_t ended = told.ended;
        for (std::uint64_t n = 0; n < ended; ++n)
            ids.push_back(told.transactions[n].id);
    }
};

// Checks that the recovered file contains every transaction whose call had returned, and the time
// scale.
void expect_everything(const known &known, const decoded_file &file)
{
    std::set<std::uint64_t> ids;
    for (const decoded_transaction &tx : file.transactions) {
        EXPECT_TRUE(ids.insert(tx.id).second) << tx.id << " is there twice";
        EXPECT_EQ(tx.end, tx.begin + 5);
        EXPECT_EQ(tx.value("text"), "text " + std::to_string(tx.begin));
    }
    for (std::uint64_t id : known.ids)
        ASSERT_EQ(ids.count(id), 1u) << id << " had ended and is missing";
    EXPECT_LE(file.transactions.size(), known.ids.size() + 1);
    if (known.is_scaled) {
        EXPECT_EQ(file.time_scale, scale);
    }
}

class KilledEarly : public testing::TestWithParam<int>
{
  protected:
    void expect_recovered()
    {
        recover(trace_, trace_ + ".sound");
        expect_everything(known(*told_), decode(trace_ + ".sound"));
    }

    // Kills a run of @p count transactions some time after its start, or after its first
    // transaction, and recovers its trace if it had recorded any.
    void run_and_kill(std::chrono::microseconds after, bool after_the_first,
                      std::uint64_t count = 1000, std::chrono::microseconds rest = {})
    {
        told_->is_ready = false;
        told_->ended = 0;
        const std::string trace = directory_.path("run" + std::to_string(runs_.size()) + ".ftr");
        const pid_t pid = in_child([&] {
            record(trace, *told_, GetParam(), count, rest);
            pause();
        });
        while (after_the_first && told_->ended == 0 && waitpid(pid, nullptr, WNOHANG) == 0)
            std::this_thread::yield();
        std::this_thread::sleep_for(after);
        kill(pid, SIGKILL);
        EXPECT_TRUE(WIFSIGNALED(wait_for(pid)));
        if (told_->ended > 0) {
            files_.push_back(trace + ".sound");
            recover(trace, files_.back());
            runs_.emplace(files_.back(), *told_);
        }
        std::filesystem::remove(trace + ".journal");
        std::filesystem::remove(trace);
    }

    // Expects that at least half of @p count runs had recorded, and that nothing is lost.
    void expect_all_recovered(std::size_t count)
    {
        EXPECT_GE(runs_.size(), count / 2);
        for (const auto &[path, file] : decode_all(files_))
            expect_everything(runs_.at(path), file);
        std::printf("%zu of %zu runs had recorded transactions\n", runs_.size(), count);
    }

    std::mt19937_64 random_{20240229};
    shared_told told_;
    scratch_directory directory_;
    std::string trace_ = directory_.path("run.ftr");
    std::map<std::string, known> runs_;
    std::vector<std::string> files_;
};

TEST_P(KilledEarly, BeforeTheTimeScaleIsKnown)
{
    killed_process([&] { record(trace_, *told_, GetParam(), before_scale); });
    EXPECT_EQ(told_->ended, std::uint64_t{before_scale});
    expect_recovered();
}

TEST_P(KilledEarly, AfterTheFirstTransactions)
{
    killed_process([&] { record(trace_, *told_, GetParam(), 100); });
    EXPECT_EQ(told_->ended, 100u);
    expect_recovered();
}

// At 25 instants of 5 ms each: from before the journal exists on, and from the first transaction
// on.
TEST_P(KilledEarly, AtAnyInstant)
{
    for (int i = 0; i < 25; ++i) {
        run_and_kill(std::chrono::microseconds(200 * i), false);
        run_and_kill(std::chrono::microseconds(200 * i), true);
    }
    expect_all_recovered(50);
}

// A run that records slowly: the writer thread starts 50 ms after the recorder was opened.
TEST_P(KilledEarly, InTheFirst60Milliseconds)
{
    const auto rest = std::chrono::microseconds(200);
    for (int i = 0; i < 30; ++i)
        run_and_kill(std::chrono::microseconds(random_() % 60000), true, 1000, rest);
    expect_all_recovered(30);
}

// A run that records as fast as it can: the writer thread starts, the first block becomes full, the
// 16 blocks that the journal has from its start become full, and the journal is extended.
TEST_P(KilledEarly, WhileTheJournalGrows)
{
    for (int i = 0; i < 8; ++i)
        run_and_kill(std::chrono::microseconds(random_() % 4000), true, 60000);
    expect_all_recovered(8);
}

// The same before each system call that changes a file.
TEST_P(KilledEarly, BeforeEachSystemCall)
{
    bool is_killed = true;
    std::size_t recovered = 0;
    for (std::size_t step = 1; is_killed; ++step) {
        told_->is_ready = false;
        told_->ended = 0;
        const std::string trace = directory_.path("step" + std::to_string(step) + ".ftr");
        const int status = wait_for(in_child([&] {
            raise_at_step(step, SIGKILL);
            record(trace, *told_, GetParam(), 15000);
        }));
        is_killed = WIFSIGNALED(status);
        if (told_->ended > 0 && is_killed) {
            files_.push_back(trace + ".sound");
            recover(trace, files_.back());
            runs_.emplace(files_.back(), *told_);
            recovered++;
        }
        std::filesystem::remove(trace + ".journal");
        std::filesystem::remove(trace);
    }
    EXPECT_GT(recovered, 8u);
    expect_all_recovered(recovered);
}

INSTANTIATE_TEST_SUITE_P(Threads, KilledEarly, testing::Values(0, 1));

} // namespace
