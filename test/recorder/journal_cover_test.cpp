// A journal on a file system that becomes full: recording waits as long as a wait can help; data
// that does not fit into the journal is reported at once and counted by recovery.
#include "fault_injection.hpp"
#include "killed_process.hpp"
#include "recording.hpp"

#include <ftr/detail/word_calls.h>
#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace
{
constexpr std::size_t kibibyte = 1024;
const std::string message = "the journal cannot be extended: No space left on device";
const std::string not_recovered = FTR_NOT_RECOVERED;

// What a child has done, in shared memory.
struct progress {
    std::atomic<std::uint64_t> ended; // number of transactions for which the end call has returned
    std::atomic<std::uint64_t> reports;
    std::atomic<std::uint64_t> complete_reports; // that name the path, and what to do
};

// The number of transactions that are missing in a recovered file.
struct losses {
    std::uint64_t exact = 0;
    std::uint64_t at_most = 0;
    std::uint64_t other = 0;
};

losses losses_of(const decoded_file &file)
{
    losses found;
    for (const decoded_transaction &tx : file.transactions) {
        if (tx.stream != "ftr.losses")
            continue;
        const auto what = tx.value("what").get<std::string>();
        const auto count = tx.value("count").get<std::uint64_t>();
        if (what.find(not_recovered) == what.npos)
            found.other += count;
        else if (what.find(FTR_LOST_AT_MOST) != what.npos)
            found.at_most += count;
        else
            found.exact += count;
    }
    return found;
}

std::size_t recorded(const decoded_file &file)
{
    std::size_t count = 0;
    for (const decoded_transaction &tx : file.transactions)
        count += tx.stream != "ftr.losses";
    return count;
}

class JournalCover : public testing::Test
{
  protected:
    JournalCover()
        : trace(directory.path("run.ftr")), journals(full.path("")),
          told(static_cast<progress *>(mmap(nullptr, sizeof(progress), PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0)))
    {
        journals.pop_back();
        options.threads = 1;
        options.journal_directory = journals.c_str();
        options.report = report;
        options.report_user = this;
    }
    ~JournalCover() override
    {
        fault::limit_files_in("", 0);
        munmap(told, sizeof(progress));
    }

    static void report(void *user, ftr_severity severity, const char *text)
    {
        auto *test = static_cast<JournalCover *>(user);
        report_list::report(&test->reports, severity, text);
        const std::string told_text = text;
        if (told_text.find(message) == told_text.npos)
            return;
        ++test->told->reports;
        test->told->complete_reports += told_text.find(test->journals) == 0 &&
                                        told_text.find("FTR_JOURNAL_DIR") != told_text.npos &&
                                        severity == FTR_SEVERITY_WARNING;
    }

    ftr_recorder *open()
    {
        ftr_recorder *rec = nullptr;
        if (ftr_recorder_open(trace.c_str(), &options, &rec) != FTR_OK)
            _exit(3);
        return rec;
    }

    ftr_generator define(ftr_recorder *rec, const std::string &name)
    {
        ftr_stream stream = 0;
        ftr_generator generator = 0;
        const ftr_attribute attributes[] = {{"n", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                            {"text", FTR_TYPE_STRING, FTR_CLASS_END}};
        if (ftr_stream_define(rec, name.c_str(), "kind", &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", attributes, 2, &generator) != FTR_OK)
            _exit(4);
        return generator;
    }

    void record(ftr_recorder *rec, ftr_generator generator, std::uint64_t n)
    {
        const std::string text = "text " + std::to_string(n);
        const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, n),
                                    text_value(FTR_TYPE_STRING, text.c_str())};
        if (ftr_tx_record(rec, generator, n, n + 1, values, 2, nullptr) != FTR_OK)
            _exit(5);
        ++told->ended;
    }

    // Waits until the writer has reported that the journal cannot be extended.
    void await_report() const
    {
        alarm(100);
        while (told->reports == 0)
            std::this_thread::yield();
    }

    ftr_recovery recover()
    {
        char journal[4096];
        EXPECT_EQ(ftr_recovery_find(trace.c_str(), journals.c_str(), journal, sizeof journal),
                  FTR_OK);
        ftr_recovery found = {};
        sound = directory.path("sound.ftr");
        EXPECT_EQ(ftr_recovery_run(journal, trace.c_str(), sound.c_str(), &found), FTR_OK)
            << found.message;
        EXPECT_EQ(findings(sound, "--allow end-order"), std::vector<std::string>{});
        return found;
    }

    // Expects that each transaction is in the recovered file, or counted.
    void expect_no_silent_loss()
    {
        const ftr_recovery found = recover();
        const decoded_file file = decode(sound);
        const losses lost = losses_of(file);
        EXPECT_EQ(lost.exact, found.lost);
        EXPECT_EQ(lost.at_most, found.lost_at_most);
        EXPECT_EQ(lost.other, 0u);
        EXPECT_LE(told->ended, recorded(file) + lost.exact + lost.at_most);
        EXPECT_GE(told->ended, recorded(file) + lost.exact - found.unfinished);
        EXPECT_EQ(std::string(found.message).find("could not be extended") != std::string::npos,
                  found.lost + found.lost_at_most > 0)
            << found.message;
    }

    void expect_one_report() const
    {
        EXPECT_EQ(told->reports, 1u);
        EXPECT_EQ(told->complete_reports, 1u);
    }

    scratch_directory directory;
    scratch_directory full;
    std::string trace;
    std::string journals;
    std::string sound;
    report_list reports;
    ftr_recorder_options options = {};
    progress *told;
};

constexpr std::uint64_t many = 15000;

// Two threads record more than the journal can contain.
void record_with_two_threads(ftr_generator one, ftr_generator other,
                             const std::function<void(ftr_generator, std::uint64_t)> &record)
{
    std::thread second([&] {
        for (std::uint64_t n = 0; n < many; ++n)
            record(other, n);
    });
    for (std::uint64_t n = 0; n < many; ++n)
        record(one, n);
    second.join();
}

TEST_F(JournalCover, WithoutSpaceMakesThreadsWaitAndLosesNothing)
{
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        record_with_two_threads(define(rec, "one"), define(rec, "other"),
                                [&](ftr_generator g, std::uint64_t n) { record(rec, g, n); });
    });
    const ftr_recovery found = recover();
    EXPECT_EQ(recorded(decode(sound)), 2 * many);
    EXPECT_EQ(found.lost + found.lost_at_most, 0u);
    expect_one_report();
}

TEST_F(JournalCover, WithoutSpaceAndWriterThreadLosesNothing)
{
    options.threads = 0;
    fault::limit_files_in(journals, 640 * kibibyte); // the smallest journal
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        for (std::uint64_t n = 0; n < many; ++n)
            record(rec, generator, n);
    });
    const ftr_recovery found = recover();
    EXPECT_EQ(recorded(decode(sound)), many);
    EXPECT_EQ(found.lost + found.lost_at_most, 0u);
    expect_one_report();
}

// The same on a real file system in memory.
TEST_F(JournalCover, OnASmallTmpfsLosesNothing)
{
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", journals.c_str(), "tmpfs", 0, "size=1m") != 0)
        GTEST_SKIP() << "no right to mount a file system";
    killed_process([this] {
        ftr_recorder *rec = open();
        record_with_two_threads(define(rec, "one"), define(rec, "other"),
                                [&](ftr_generator g, std::uint64_t n) { record(rec, g, n); });
    });
    const ftr_recovery found = recover();
    EXPECT_EQ(recorded(decode(sound)), 2 * many);
    EXPECT_EQ(found.lost + found.lost_at_most, 0u);
    expect_one_report();
    umount(journals.c_str());
}

// A run that keeps only a summary: the space for its state is missing, too.
TEST_F(JournalCover, WithoutSpaceForTheSummaryKeepsTheNumberOfTransactions)
{
    const ftr_sink nowhere = {
        nullptr,
        [](void *, const void *, std::size_t size) { return static_cast<std::int64_t>(size); },
        nullptr};
    const std::string summary = directory.path("run.fts");
    options.sink = &nowhere;
    options.summary = summary.c_str();
    for (const bool flushed : {true, false}) {
        SCOPED_TRACE(flushed);
        told->ended = 0;
        fault::limit_files_in(journals, 640 * kibibyte);
        const pid_t child = killed_process([&] {
            ftr_recorder *rec = open();
            record_with_two_threads(define(rec, "one"), define(rec, "other"),
                                    [&](ftr_generator g, std::uint64_t n) { record(rec, g, n); });
            if (flushed && ftr_recorder_flush(rec) != FTR_OK)
                _exit(6);
        });
        fault::limit_files_in("", 0);
        char journal[4096];
        ASSERT_EQ(ftr_recovery_find(trace.c_str(), journals.c_str(), journal, sizeof journal),
                  FTR_OK);
        ftr_recovery found = {};
        const std::string out = directory.path("sound.fts");
        ASSERT_EQ(ftr_recovery_summarize(journal, out.c_str(), &found), FTR_OK) << found.message;
        EXPECT_EQ(found.pid, static_cast<std::uint32_t>(child));
        EXPECT_GT(found.lost, many);
        EXPECT_GE(found.transactions + found.lost + found.lost_at_most, told->ended);
        if (flushed) {
            EXPECT_EQ(found.transactions + found.lost, 2 * many);
            EXPECT_EQ(found.lost_at_most, 0u);
        }
        EXPECT_NE(std::string(found.message).find("could not be saved"), std::string::npos);
        std::filesystem::remove(journal);
        std::filesystem::remove(summary);
    }
}

// Before the time scale is known, nothing can be written, so a wait would not help.
TEST_F(JournalCover, OfBlocksThatCannotBeWrittenIsCounted)
{
    options.time_scale = FTR_TIME_SCALE_LATER;
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        for (std::uint64_t n = 0; n < many; ++n)
            record(rec, generator, n);
        await_report();
    });
    expect_one_report();
    const ftr_recovery found = recover();
    EXPECT_GT(found.lost, many / 4);
    // Only the content of the last block is not counted exactly.
    EXPECT_LT(found.lost_at_most, 1700u);
    expect_no_silent_loss();
    ftr_recorder *next = open();
    EXPECT_EQ(ftr_recorder_close(next), FTR_OK);
    EXPECT_EQ(reports.count(not_recovered), 1u);
}

// The same for the summary of the run, which has its losses.
TEST_F(JournalCover, OfBlocksIsCountedInTheSummary)
{
    const std::string summary = full.path("run.fts");
    options.summary = summary.c_str();
    options.time_scale = FTR_TIME_SCALE_LATER;
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        for (std::uint64_t n = 0; n < many; ++n)
            record(rec, generator, n);
    });
    char journal[4096];
    ASSERT_EQ(ftr_recovery_find(trace.c_str(), journals.c_str(), journal, sizeof journal), FTR_OK);
    ftr_recovery found = {};
    ASSERT_EQ(ftr_recovery_summarize(journal, directory.path("sound.fts").c_str(), &found), FTR_OK)
        << found.message;
    EXPECT_GT(found.lost, many / 4);
    EXPECT_LE(found.transactions + found.lost, many);
    EXPECT_GE(found.transactions + found.lost + found.lost_at_most, many);
}

TEST_F(JournalCover, OfAFlightRecorderIsCounted)
{
    options.mode = FTR_MODE_FLIGHT;
    options.flight_size = 2 * kibibyte * kibibyte;
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        for (std::uint64_t n = 0; n < many; ++n)
            record(rec, generator, n);
        await_report();
    });
    EXPECT_GT(recover().lost, 0u);
    expect_no_silent_loss();
    expect_one_report();
}

TEST_F(JournalCover, OfLargeTransactionsIsCounted)
{
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        const std::string large(4 * kibibyte * kibibyte, 'x');
        const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, 1),
                                    text_value(FTR_TYPE_STRING, large.c_str())};
        record(rec, generator, 1);
        if (ftr_tx_record(rec, generator, 2, 3, values, 2, nullptr) != FTR_OK)
            _exit(6);
        ++told->ended;
    });
    EXPECT_GT(recover().lost_at_most, 0u);
    expect_no_silent_loss();
}

// Slots replace blocks of the journal, as long as blocks are free.
TEST_F(JournalCover, OfOpenTransactionsIsCounted)
{
    constexpr std::uint64_t open_count = 5000;
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        for (std::uint64_t n = 0; n < open_count; ++n) {
            ftr_tx tx;
            if (ftr_tx_begin(rec, generator, n, &tx) != FTR_OK)
                _exit(6);
        }
        await_report();
    });
    expect_one_report();
    const ftr_recovery found = recover();
    EXPECT_GE(found.unfinished, 1024u);
    EXPECT_LT(found.unfinished, open_count);
    EXPECT_GE(found.unfinished + found.lost_at_most, open_count);
    EXPECT_LE(found.unfinished + found.lost_at_most, open_count + 256);
}

TEST_F(JournalCover, OfItemsOfAnOpenTransactionIsCounted)
{
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        const std::string large(2 * kibibyte * kibibyte, 'x');
        ftr_tx small;
        ftr_tx tx;
        if (ftr_tx_begin(rec, generator, 1, &small) != FTR_OK ||
            ftr_tx_begin(rec, generator, 2, &tx) != FTR_OK ||
            ftr_tx_put_text(rec, tx, 1, large.c_str(), FTR_NUL_TERMINATED) != FTR_OK)
            _exit(6);
        await_report();
    });
    const ftr_recovery found = recover();
    EXPECT_EQ(found.unfinished, 1u);
    EXPECT_EQ(found.lost, 1u);
    EXPECT_EQ(losses_of(decode(sound)).exact, 1u);
    expect_one_report();
}

TEST_F(JournalCover, OfDefinitionsIsCounted)
{
    options.clock = [](void *) -> std::uint64_t { return 0; }; // all data stays in the journal
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator covered = define(rec, "covered");
        for (std::uint64_t n = 0; n < 10; ++n)
            record(rec, covered, n);
        const ftr_generator uncovered = define(rec, std::string(2 * kibibyte * kibibyte, 'x'));
        for (std::uint64_t n = 0; n < 7; ++n)
            record(rec, uncovered, n);
        await_report();
    });
    const ftr_recovery found = recover();
    EXPECT_EQ(found.transactions, 10u);
    EXPECT_EQ(found.lost, 7u);
    expect_no_silent_loss();
    expect_one_report();
}

// A word is the handle of a text. Recovery must not replace a text that it lacks by an empty one.
TEST_F(JournalCover, OfTextsIsCounted)
{
    options.clock = [](void *) -> std::uint64_t { return 0; };
    fault::limit_files_in(journals, kibibyte * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        const std::string large(2 * kibibyte * kibibyte, 'x');
        ftr_text small = 0;
        ftr_text uncovered = 0;
        if (ftr_text_define(rec, "small", FTR_NUL_TERMINATED, &small) != FTR_OK ||
            ftr_text_define(rec, large.c_str(), FTR_NUL_TERMINATED, &uncovered) != FTR_OK)
            _exit(6);
        for (const ftr_text text : {small, uncovered, small}) {
            const std::uint64_t words[] = {1, text};
            const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, 1),
                                        defined_value(FTR_TYPE_STRING, text)};
            if (ftr_tx_record_words(rec, generator, 1, 2, words, 2, nullptr) != FTR_OK ||
                ftr_tx_record(rec, generator, 1, 2, values, 2, nullptr) != FTR_OK)
                _exit(7);
            told->ended += 2;
        }
        await_report();
    });
    const ftr_recovery found = recover();
    EXPECT_EQ(found.transactions, 4u);
    EXPECT_EQ(found.lost, 2u);
    expect_no_silent_loss();
    for (const decoded_transaction &tx : decode(sound).transactions) {
        if (tx.stream != "ftr.losses") {
            EXPECT_EQ(tx.value("text"), "small");
        }
    }
}

// The trace cannot be written, and counts what is missing. Recovery keeps the counts that are still
// true, and counts what it does not find.
TEST_F(JournalCover, IsCountedAfterAFailure)
{
    options.time_scale = FTR_TIME_SCALE_LATER;
    fault::limit_files_in(journals, kibibyte * kibibyte);
    ftr_recorder *rec = open();
    const ftr_generator generator = define(rec, "one");
    for (std::uint64_t n = 0; n < many; ++n)
        record(rec, generator, n);
    ftr_tx still_open;
    ASSERT_EQ(ftr_tx_begin(rec, generator, many, &still_open), FTR_OK);
    fault::fail_write(3, fault::write_fault::error, ENOSPC, true);
    ASSERT_EQ(ftr_recorder_set_time_scale(rec, -12), FTR_OK);
    std::uint64_t refused = 0;
    EXPECT_EQ(ftr_recorder_flush(rec), FTR_ERR_IO);
    for (; refused < 5; ++refused) {
        ftr_tx tx;
        EXPECT_EQ(ftr_tx_begin(rec, generator, many, &tx), FTR_ERR_IO);
    }
    EXPECT_EQ(ftr_recorder_close(rec), FTR_ERR_IO);
    fault::fail_write(0, fault::write_fault::none);
    const ftr_recovery found = recover();
    const decoded_file file = decode(sound);
    const losses lost = losses_of(file);
    EXPECT_EQ(lost.other, refused);
    EXPECT_GT(lost.exact, many / 4);
    EXPECT_EQ(lost.exact + recorded(file), many + 1);
    EXPECT_EQ(lost.at_most, 0u);
    EXPECT_EQ(found.unfinished, 1u);
    expect_one_report();
    EXPECT_EQ(reports.count("counts the data that did not fit into the journal"), 1u);
}

// The program has closed the journal, and a cleaner of temporary files has removed it.
TEST_F(JournalCover, EndsWhenTheFileIsGone)
{
    options.time_scale = FTR_TIME_SCALE_LATER;
    options.block_memory = kibibyte * kibibyte;
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        for (int fd = 3; fd < 64; ++fd)
            close(fd);
        for (const auto &entry : std::filesystem::directory_iterator(journals))
            std::filesystem::remove(entry.path());
        for (std::uint64_t n = 0; n < 2 * many; ++n)
            record(rec, generator, n);
        alarm(100);
        while (reports.count("the journal cannot be extended: Stale file handle") == 0)
            std::this_thread::yield();
    });
}

// No part of the journal fits: another directory is used, as if the file system had no allocation.
TEST_F(JournalCover, IsInAnotherDirectoryIfNoneFits)
{
    scratch_directory other;
    std::string name = other.path("");
    name.pop_back();
    setenv("TMPDIR", name.c_str(), 1);
    fault::limit_files_in(journals, 64 * kibibyte);
    killed_process([this] {
        ftr_recorder *rec = open();
        const ftr_generator generator = define(rec, "one");
        for (std::uint64_t n = 0; n < 1000; ++n)
            record(rec, generator, n);
        if (reports.count("the journal is ") != 1)
            _exit(6);
    });
    EXPECT_EQ(recover().lost_at_most, 0u);
    unsetenv("TMPDIR");
    EXPECT_EQ(recorded(decode(sound)), 1000u);
}

} // namespace
