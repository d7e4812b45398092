// The flight recorder: a trigger writes the newest part of the recording, without a gap.
#include "fork_at_rest.hpp"
#include "killed_process.hpp"
#include "recording.hpp"
#include "sanitizers.hpp"

#include <ftr/environment.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <thread>

namespace
{

class Flight : public testing::TestWithParam<int>
{
  protected:
    static constexpr std::uint64_t ring = 1 << 20;

    std::string path() const { return directory_.path("run.ftr"); }

    ftr_recorder_options options(std::uint64_t size = ring)
    {
        ftr_recorder_options options = {};
        options.threads = GetParam();
        options.mode = FTR_MODE_FLIGHT;
        options.flight_size = size;
        options.report = report_list::report;
        options.report_user = &reports_;
        return options;
    }

    void open(const ftr_recorder_options &options)
    {
        ASSERT_EQ(ftr_recorder_open(path().c_str(), &options, &recorder_), FTR_OK);
        define();
    }

    void define()
    {
        const ftr_attribute attributes[] = {{"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                            {"number", FTR_TYPE_UNSIGNED, FTR_CLASS_END}};
        ftr_stream stream;
        for (int i = 0; i < 2; ++i) {
            const std::string name = "top.s" + std::to_string(i);
            if (ftr_stream_define(recorder_, name.c_str(), "kind", &stream) != FTR_OK ||
                ftr_generator_define(recorder_, stream, "g", attributes, 2, &generators_[i]) !=
                    FTR_OK)
                FAIL() << "cannot define";
        }
        ASSERT_EQ(ftr_relation_define(recorder_, "after", &after_), FTR_OK);
    }

    static std::string text_of(std::uint64_t n)
    {
        return "a text of its own for " + std::to_string(n * 7919);
    }

    // Records transaction n, from tick 10 n to 10 n + 5, related to the previous one.
    void record(std::uint64_t n)
    {
        const std::string text = text_of(n);
        const ftr_value values[] = {text_value(FTR_TYPE_STRING, text.c_str()),
                                    number_value(FTR_TYPE_UNSIGNED, n)};
        ftr_tx tx{};
        ASSERT_EQ(ftr_tx_record(recorder_, generators_[n % 2], 10 * n, 10 * n + 5, values, 2, &tx),
                  FTR_OK);
        if (n % 4 == 3) {
            ASSERT_EQ(ftr_relation_put(recorder_, after_, last_, tx), FTR_OK);
        }
        last_ = tx;
    }

    // Checks that the file is valid and contains transactions up to number @p newest, without a
    // gap; returns the number of the oldest.
    std::uint64_t expect_newest(const std::string &file, std::uint64_t newest)
    {
        EXPECT_EQ(findings(file), std::vector<std::string>{});
        const decoded_file decoded = decode(file);
        std::set<std::uint64_t> numbers;
        std::uint64_t evicted = 0;
        for (const decoded_transaction &tx : decoded.transactions) {
            if (tx.stream == "ftr.losses") {
                EXPECT_EQ(tx.value("what"),
                          "transactions left the flight recorder before it was triggered");
                evicted = tx.value("count").get<std::uint64_t>();
                EXPECT_EQ(tx.begin, 0u);
                EXPECT_EQ(tx.end, 10 * (evicted - 1) + 5);
                continue;
            }
            const std::uint64_t n = tx.begin / 10;
            EXPECT_TRUE(numbers.insert(n).second) << n << " is there twice";
            EXPECT_EQ(tx.value("number"), n);
            EXPECT_EQ(tx.value("text"), text_of(n));
        }
        if (numbers.empty()) {
            ADD_FAILURE() << "nothing is there";
            return 0;
        }
        const std::uint64_t oldest = *numbers.begin();
        EXPECT_EQ(*numbers.rbegin(), newest);
        EXPECT_EQ(numbers.size(), newest + 1 - oldest);
        EXPECT_EQ(evicted, oldest);
        // Every fourth has a relation from the previous one, which must be in the file, too.
        std::size_t related = 0;
        for (std::uint64_t n = oldest + 1; n <= newest; ++n)
            related += n % 4 == 3;
        EXPECT_EQ(decoded.relations.size(), related);
        return oldest;
    }

    scratch_directory directory_;
    report_list reports_;
    ftr_recorder *recorder_ = nullptr;
    ftr_generator generators_[2] = {};
    ftr_relation after_ = 0;
    ftr_tx last_{};
};

// Long tests and tests of other threads run only with a writer thread; without it there is no
// difference.
class FlightWithAWriter : public Flight
{
};

TEST_P(Flight, WritesTheNewestTransactionsWithoutAGap)
{
    open(options());
    for (std::uint64_t n = 0; n < 50000; ++n)
        record(n);
    EXPECT_EQ(std::filesystem::file_size(path()), 0u);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    // The file is complete now.
    const std::uint64_t oldest = expect_newest(path(), 49999);
    EXPECT_GT(oldest, 30000u);
    EXPECT_LT(oldest, 45000u);
    const std::string then = contents_of(path());
    // Later transactions are not recorded, but this is not an error.
    ftr_tx tx;
    for (int i = 0; i < 100000; ++i) {
        ASSERT_EQ(ftr_tx_begin(recorder_, generators_[0], 10, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_end(recorder_, tx, 20), FTR_OK);
    }
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    EXPECT_EQ(contents_of(path()), then);
    EXPECT_FALSE(std::filesystem::exists(path() + ".journal"));
}

TEST_P(Flight, WritesAllTransactionsThatFit)
{
    open(options());
    for (std::uint64_t n = 0; n < 100; ++n)
        record(n);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    EXPECT_EQ(expect_newest(path(), 99), 0u);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
}

TEST_P(Flight, WritesNoFileWithoutATrigger)
{
    open(options());
    for (std::uint64_t n = 0; n < 30000; ++n)
        record(n);
    EXPECT_EQ(ftr_recorder_flush(recorder_), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    EXPECT_FALSE(std::filesystem::exists(path()));
    EXPECT_FALSE(std::filesystem::exists(path() + ".journal"));
    EXPECT_EQ(reports_.count("was not triggered"), 1u);
    EXPECT_EQ(reports_.all().size(), 1u);
}

TEST_P(Flight, IsWrittenAtTheEndOfAFailedRun)
{
    open(options());
    for (std::uint64_t n = 0; n < 30000; ++n)
        record(n);
    EXPECT_EQ(ftr_recorder_mark_failed(recorder_), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    expect_newest(path(), 29999);
}

TEST_P(Flight, ContainsOpenTransactions)
{
    open(options());
    const std::string large(100000, 'L');
    ftr_tx open_ones[3];
    for (std::uint64_t i = 0; i < 3; ++i)
        ASSERT_EQ(ftr_tx_begin(recorder_, generators_[0], i + 1, &open_ones[i]), FTR_OK);
    ASSERT_EQ(ftr_tx_put_text(recorder_, open_ones[1], 0, large.c_str(), large.size()), FTR_OK);
    ASSERT_EQ(ftr_relation_put(recorder_, after_, open_ones[0], open_ones[1]), FTR_OK);
    ASSERT_EQ(ftr_tx_end(recorder_, open_ones[2], 77), FTR_OK);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    EXPECT_EQ(findings(path(), "--allow end-order"), std::vector<std::string>{});
    const decoded_file file = decode(path());
    ASSERT_EQ(file.transactions.size(), 3u);
    EXPECT_EQ(file.relations.size(), 1u);
    EXPECT_EQ(file.transaction(open_ones[1].id).value("text"), large);
    EXPECT_EQ(file.transaction(open_ones[1].id).value("unfinished"), true);
    EXPECT_EQ(file.transaction(open_ones[1].id).end, 77u);
    EXPECT_EQ(file.transaction(open_ones[2].id).attributes.size(), 0u);
    // They can still be ended.
    EXPECT_EQ(ftr_tx_end(recorder_, open_ones[0], 100), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    EXPECT_EQ(decode(path()).transactions.size(), 3u);
}

TEST_P(Flight, RecordsForATimeAfterTheTrigger)
{
    ftr_recorder_options with = options();
    with.flight_after = "100 ns"; // 100000 ticks
    open(with);
    for (std::uint64_t n = 0; n < 40000; ++n)
        record(n);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    // The latest end was 399995, so begins up to 499995 are recorded.
    for (std::uint64_t n = 40000; n < 200000; ++n)
        record(n);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    expect_newest(path(), 49999);
}

TEST_P(Flight, BeginsWithTheRunInformation)
{
    open(options());
    ftr_stream stream;
    ftr_generator generator;
    ASSERT_EQ(ftr_stream_define(recorder_, "ftr.run", "run", &stream), FTR_OK);
    ASSERT_EQ(ftr_generator_define(recorder_, stream, "start", nullptr, 0, &generator), FTR_OK);
    ASSERT_EQ(ftr_tx_record(recorder_, generator, 0, 0, nullptr, 0, nullptr), FTR_OK);
    for (std::uint64_t n = 1; n < 50000; ++n)
        record(n);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    EXPECT_EQ(findings(path()), std::vector<std::string>{});
    const decoded_file file = decode(path());
    EXPECT_EQ(std::count_if(file.transactions.begin(), file.transactions.end(),
                            [](const auto &tx) { return tx.stream == "ftr.run"; }),
              1);
}

TEST_P(Flight, WaitsForTheTimeScale)
{
    ftr_recorder_options with = options();
    with.time_scale = FTR_TIME_SCALE_LATER;
    open(with);
    for (std::uint64_t n = 0; n < 50000; ++n)
        record(n);
    EXPECT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    EXPECT_EQ(std::filesystem::file_size(path()), 0u);
    EXPECT_EQ(ftr_recorder_set_time_scale(recorder_, -9), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    expect_newest(path(), 49999);
    EXPECT_EQ(decode(path()).time_scale, -9);
}

TEST_P(Flight, IsRecoveredFromTheJournalAfterAKill)
{
    killed_process([&] {
        open(options());
        for (std::uint64_t n = 0; n < 50000; ++n)
            record(n);
    });
    ftr_recovery found{};
    const std::string sound = directory_.path("sound.ftr");
    ASSERT_EQ(ftr_recovery_run((path() + ".journal").c_str(), nullptr, sound.c_str(), &found),
              FTR_OK)
        << found.message;
    EXPECT_EQ(findings(sound), std::vector<std::string>{});
    const decoded_file file = decode(sound);
    std::set<std::uint64_t> numbers;
    for (const decoded_transaction &tx : file.transactions) {
        if (tx.stream != "ftr.losses") {
            EXPECT_TRUE(numbers.insert(tx.begin / 10).second);
        }
    }
    EXPECT_EQ(*numbers.rbegin(), 49999u);
    EXPECT_EQ(numbers.size(), 50000 - *numbers.begin());
    EXPECT_GT(numbers.size(), 5000u);
}

// A long run: the trigger comes at any of its transactions. With sanitizers, fewer transactions
// cover the same paths.
constexpr std::uint64_t many = FTR_TEST_IS_SANITIZED ? 1000000 : 10000000;

TEST_P(FlightWithAWriter, KeepsTheNewestOfTenMillionTransactions)
{
    constexpr std::uint64_t memory = 4 << 20;
    std::mt19937_64 random(17);
    for (const bool is_unique : {false, true}) {
        ftr_recorder_options with = options(memory);
        const std::string file = directory_.path(is_unique ? "unique.ftr" : "same.ftr");
        ASSERT_EQ(ftr_recorder_open(file.c_str(), &with, &recorder_), FTR_OK);
        define();
        const std::uint64_t trigger = many / 2 + random() % (many / 2);
        char text[32] = "always the same";
        std::uint64_t newest = 0;
        for (std::uint64_t n = 0; n < many; ++n) {
            if (is_unique)
                std::snprintf(text, sizeof text, "%016llx",
                              static_cast<unsigned long long>(n * 0x9e3779b97f4a7c15u));
            ftr_tx tx;
            ASSERT_EQ(ftr_tx_begin(recorder_, generators_[n % 2], 10 * n, &tx), FTR_OK);
            ftr_tx_put_text(recorder_, tx, 0, text, FTR_NUL_TERMINATED);
            ftr_tx_put_number(recorder_, tx, 1, n);
            ASSERT_EQ(ftr_tx_end(recorder_, tx, 10 * n + 5), FTR_OK);
            if (n == trigger) {
                ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
                newest = n;
            }
        }
        EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
        EXPECT_EQ(findings(file), std::vector<std::string>{});
        const decoded_file decoded = decode(file);
        std::set<std::uint64_t> numbers;
        std::uint64_t evicted = 0;
        for (const decoded_transaction &tx : decoded.transactions) {
            if (tx.stream == "ftr.losses") {
                evicted = tx.value("count").get<std::uint64_t>();
                continue;
            }
            const std::uint64_t n = tx.begin / 10;
            numbers.insert(n);
            ASSERT_EQ(tx.value("number"), n);
            if (is_unique)
                std::snprintf(text, sizeof text, "%016llx",
                              static_cast<unsigned long long>(n * 0x9e3779b97f4a7c15u));
            ASSERT_EQ(tx.value("text"), text);
        }
        EXPECT_EQ(*numbers.rbegin(), newest);
        EXPECT_EQ(numbers.size(), newest + 1 - *numbers.begin());
        EXPECT_EQ(evicted, *numbers.begin());
        // Header, text and number of a transaction take 104 bytes.
        EXPECT_GT(numbers.size(), memory / 104 * 98 / 100);
    }
}

TEST_P(FlightWithAWriter, RecordsSeveralThreads)
{
    for (int round = 0; round < 3; ++round) {
        ftr_recorder_options with = options();
        const std::string file = directory_.path("threads" + std::to_string(round) + ".ftr");
        ASSERT_EQ(ftr_recorder_open(file.c_str(), &with, &recorder_), FTR_OK);
        define();
        std::atomic<bool> is_over{false};
        std::atomic<std::uint64_t> ended{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; ++i) {
            threads.emplace_back([&] {
                for (std::uint64_t n = 0; !is_over; ++n) {
                    ftr_tx tx;
                    if (ftr_tx_begin(recorder_, generators_[0], n, &tx) != FTR_OK)
                        continue;
                    ftr_tx_put_text(recorder_, tx, 0, "text", FTR_NUL_TERMINATED);
                    static_cast<void>(ftr_tx_end(recorder_, tx, n));
                    ++ended;
                }
            });
        }
        while (ended < 100000)
            std::this_thread::yield();
        ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
        is_over = true;
        for (std::thread &thread : threads)
            thread.join();
        EXPECT_EQ(ftr_recorder_close(recorder_), FTR_OK);
        EXPECT_EQ(findings(file, "--allow end-order"), std::vector<std::string>{});
        EXPECT_GT(decode(file).transactions.size(), 3000u);
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, Flight, testing::Values(0, 1));
INSTANTIATE_TEST_SUITE_P(Threads, FlightWithAWriter, testing::Values(1));

// The default recorder, triggered by signals and the exit status.
class DefaultFlight : public testing::Test
{
  protected:
    std::string path() const { return directory_.path("run.ftr"); }

    int in_child(const std::function<void(ftr_recorder *, ftr_generator)> &body) const
    {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0) {
            setenv("FTR_TRACE", path().c_str(), 1);
            setenv("FTR_MODE", "flight", 1);
            setenv("FTR_FLIGHT_SIZE", "1M", 1);
            ftr_recorder *recorder = ftr_default_recorder(0, nullptr, nullptr);
            ftr_stream stream;
            ftr_generator generator;
            if (!recorder || ftr_stream_define(recorder, "top", nullptr, &stream) != FTR_OK ||
                ftr_generator_define(recorder, stream, "g", nullptr, 0, &generator) != FTR_OK ||
                ftr_tx_record(recorder, generator, 1, 2, nullptr, 0, nullptr) != FTR_OK)
                _exit(99);
            body(recorder, generator);
            _exit(98);
        }
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        return status;
    }

    void expect_written() const
    {
        EXPECT_EQ(findings(path()), std::vector<std::string>{});
        EXPECT_EQ(decode(path()).transactions.size(), 1u);
        EXPECT_FALSE(std::filesystem::exists(path() + ".journal"));
    }

    scratch_directory directory_;
};

TEST_F(DefaultFlight, WritesNoFileIfTheRunSucceeds)
{
    EXPECT_EQ(in_child([](ftr_recorder *, ftr_generator) { std::exit(0); }), 0);
    EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
}

TEST_F(DefaultFlight, IsTriggeredByTheExitStatus)
{
    EXPECT_EQ(WEXITSTATUS(in_child([](ftr_recorder *, ftr_generator) { std::exit(4); })), 4);
    expect_written();
}

TEST_F(DefaultFlight, IsTriggeredBySigusr1WithoutEndingTheProgram)
{
    EXPECT_EQ(WEXITSTATUS(in_child([this](ftr_recorder *recorder, ftr_generator generator) {
                  raise(SIGUSR1);
                  for (int i = 0; i < 12000 && std::filesystem::file_size(path()) == 0; ++i)
                      usleep(10000);
                  ftr_statistics statistics; // waits until the file is complete
                  if (ftr_recorder_get_statistics(recorder, &statistics) != FTR_OK)
                      _exit(96);
                  // After the trigger, so not in the file.
                  if (ftr_tx_record(recorder, generator, 5, 6, nullptr, 0, nullptr) != FTR_OK)
                      _exit(97);
                  std::exit(0);
              })),
              0);
    expect_written();
}

TEST_F(DefaultFlight, IsTriggeredByASignalThatEndsTheProgram)
{
    const int status = in_child([](ftr_recorder *, ftr_generator) { raise(SIGTERM); });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGTERM);
    expect_written();
}

} // namespace
