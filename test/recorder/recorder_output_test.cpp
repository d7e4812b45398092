// Outputs that cannot be written, or only for some time: one clear message, close returns the first
// error, the program continues, and everything written before can be read.
#include "recording.hpp"

#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <functional>
#include <thread>

namespace
{
class RecorderOutput : public testing::TestWithParam<int>
{
  protected:
    std::string path(const char *name = "run.ftr") const { return directory_.path(name); }

    ftr_recorder_options options()
    {
        ftr_recorder_options options = {};
        options.threads = GetParam();
        options.chunk_size = 20000;
        options.compression = FTR_COMPRESSION_NONE;
        options.report = report_list::report;
        options.report_user = &reports_;
        return options;
    }

    // Expects that opening fails, with one message: the path and the cause.
    void expect_refused(const std::string &name, const char *cause)
    {
        const ftr_recorder_options with = options();
        ftr_recorder *recorder = nullptr;
        EXPECT_EQ(ftr_recorder_open(name.c_str(), &with, &recorder), FTR_ERR_IO);
        EXPECT_EQ(recorder, nullptr);
        ASSERT_EQ(reports_.all().size(), 1u);
        EXPECT_EQ(reports_.all()[0].severity, FTR_SEVERITY_ERROR);
        EXPECT_EQ(reports_.all()[0].message, name + ": cannot be opened for recording: " + cause);
        EXPECT_FALSE(std::filesystem::exists(name + ".journal"));
    }

    // Records until the recorder fails, or @p most transactions. Returns the number of successful
    // ones.
    static std::uint64_t record(ftr_recorder *recorder, std::uint64_t most)
    {
        ftr_stream stream = 0;
        ftr_generator generator = 0;
        ftr_attribute attribute = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
        if (ftr_stream_define(recorder, "top", nullptr, &stream) != FTR_OK ||
            ftr_generator_define(recorder, stream, "g", &attribute, 1, &generator) != FTR_OK)
            return 0;
        for (std::uint64_t i = 0; i < most; ++i) {
            const std::string text = "a text for transaction " + std::to_string(i);
            const ftr_value value = text_value(FTR_TYPE_STRING, text.c_str());
            if (ftr_tx_record(recorder, generator, i, i, &value, 1, nullptr) != FTR_OK)
                return i;
            if (i % 1000 == 999 && ftr_recorder_flush(recorder) != FTR_OK)
                return i;
        }
        return most;
    }

    // Expects that a recorder with a full file fails once, with @p error, and reports position and
    // cause.
    void expect_failure(const std::string &name, int error, const char *cause)
    {
        const ftr_recorder_options with = options();
        ftr_recorder *recorder = nullptr;
        ASSERT_EQ(ftr_recorder_open(name.c_str(), &with, &recorder), FTR_OK);
        recorded_ = record(recorder, 200000);
        EXPECT_LT(recorded_, 200000u);
        EXPECT_EQ(ftr_recorder_flush(recorder), FTR_ERR_IO);
        EXPECT_EQ(ftr_recorder_close(recorder), FTR_ERR_IO);
        ftr_failure failure = {};
        EXPECT_EQ(ftr_recorder_get_failure(recorder, &failure), FTR_OK);
        EXPECT_EQ(failure.status, FTR_ERR_IO);
        EXPECT_EQ(failure.system_error, error);
        const std::string message =
            name + ": cannot be written at byte " + std::to_string(failure.offset) + ": " + cause;
        EXPECT_EQ(failure.message, message);
        std::size_t told = 0;
        std::size_t told_of_journal = 0;
        for (const reported &one : reports_.all()) {
            told += one.severity == FTR_SEVERITY_ERROR;
            const bool is_of_journal = one.message.rfind("no journal at ", 0) == 0;
            told_of_journal += is_of_journal;
            const bool is_of_loss =
                one.message.find(" transactions are not in the file because") != std::string::npos;
            EXPECT_TRUE(one.severity != FTR_SEVERITY_WARNING || is_of_journal || is_of_loss)
                << one.message;
        }
        EXPECT_EQ(told, 1u);
        EXPECT_EQ(told_of_journal, journal_is_missed_ ? 1u : 0u);
        EXPECT_EQ(reports_.count(message), 1u);
        offset_ = failure.offset;
    }

    // Expects that the file contains a valid beginning of the recording.
    void expect_readable(const std::string &name, const char *allowed = "end")
    {
        EXPECT_EQ(findings(name, std::string("--allow ") + allowed), std::vector<std::string>{});
        const decoded_file file = decode(name);
        std::size_t recorded = file.transactions.size();
        if (recorded > 0 && file.transactions.back().stream == "ftr.losses")
            --recorded;
        EXPECT_GT(recorded, 0u);
        for (std::size_t i = 0; i < recorded; ++i) {
            ASSERT_EQ(file.transactions[i].begin, i);
            ASSERT_EQ(file.transactions[i].value("text"),
                      "a text for transaction " + std::to_string(i));
        }
    }

    // Runs @p body in a process of its own, so that it may change its rights and limits. It skips
    // the test by returning a reason.
    void in_child(const std::function<std::string()> &body)
    {
        std::fflush(nullptr);
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            const std::string skipped = body();
            if (write(ends[1], skipped.data(), skipped.size()) < 0)
                _exit(2);
            std::fflush(nullptr);
            _exit(HasFailure() ? 1 : 0);
        }
        close(ends[1]);
        char reason[256] = {};
        const ssize_t size = read(ends[0], reason, sizeof reason - 1);
        close(ends[0]);
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
        EXPECT_EQ(WEXITSTATUS(status), 0);
        if (size > 0)
            GTEST_SKIP() << reason;
    }

    scratch_directory directory_;
    report_list reports_;
    bool journal_is_missed_ = false;
    std::uint64_t recorded_ = 0;
    std::uint64_t offset_ = 0;
};

TEST_P(RecorderOutput, InAMissingDirectoryIsRefused)
{
    expect_refused(path("none/run.ftr"), "No such file or directory");
}

// Nothing else fails there: the data goes to the callback, so the missing journal is reported.
TEST_P(RecorderOutput, ToACallbackReportsThatTheJournalCannotBeCreated)
{
    const ftr_sink sink = {
        nullptr,
        [](void *, const void *, std::size_t size) { return static_cast<std::int64_t>(size); },
        nullptr};
    ftr_recorder_options with = options();
    with.sink = &sink;
    ftr_recorder *recorder = nullptr;
    ASSERT_EQ(ftr_recorder_open(path("none/run.ftr").c_str(), &with, &recorder), FTR_OK);
    EXPECT_EQ(record(recorder, 10), 10u);
    EXPECT_EQ(ftr_recorder_close(recorder), FTR_OK);
    EXPECT_EQ(reports_.count("no journal at " + path("none/run.ftr.journal") +
                             ": No such file or directory"),
              1u);
    EXPECT_EQ(reports_.all().size(), 1u);
}

TEST_P(RecorderOutput, AtADirectoryIsRefused)
{
    expect_refused(path(""), "Is a directory");
}

TEST_P(RecorderOutput, BelowAFileIsRefused)
{
    write_contents(path("file"), "x");
    expect_refused(path("file/run.ftr"), "Not a directory");
}

TEST_P(RecorderOutput, WithAnEmptyNameIsRefused)
{
    expect_refused("", "No such file or directory");
}

TEST_P(RecorderOutput, InAReadOnlyDirectoryIsRefused)
{
    in_child([this]() -> std::string {
        chmod(path("").c_str(), 0555);
        if (geteuid() == 0 && setuid(65534) != 0)
            return "root may write everywhere, and this one cannot be anybody else";
        expect_refused(path(), "Permission denied");
        return "";
    });
    chmod(path("").c_str(), 0755);
}

TEST_P(RecorderOutput, ToAFullDeviceFailsOnce)
{
    expect_failure("/dev/full", ENOSPC, "No space left on device");
    EXPECT_EQ(offset_, 0u);
}

TEST_P(RecorderOutput, PastTheSizeLimitFailsOnceAndIsReadable)
{
    in_child([this]() -> std::string {
        journal_is_missed_ = true;
        const rlimit limit = {300000, 300000};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            return "the size of files cannot be limited";
        // With its default action, SIGXFSZ would end the program.
        expect_failure(path(), EFBIG, "File too large");
        return "";
    });
    EXPECT_GT(std::filesystem::file_size(path()), 100000u);
    EXPECT_LE(std::filesystem::file_size(path()), 300000u);
    expect_readable(path());
}

TEST_P(RecorderOutput, ToAFullDiskFailsOnceAndIsReadable)
{
    const std::string copy = path("copy.ftr");
    in_child([&]() -> std::string {
        const std::string disk = path("disk");
        mkdir(disk.c_str(), 0755);
        if (unshare(CLONE_NEWNS) != 0 ||
            mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            mount("none", disk.c_str(), "tmpfs", 0, "size=400k") != 0)
            return "only root can mount a small disk";
        const std::string file = disk + "/run.ftr";
        setenv("TMPDIR", path("").c_str(), 1);
        expect_failure(file, ENOSPC, "No space left on device");
        // There is no room for a journal, which is therefore elsewhere. It contains the other data.
        EXPECT_EQ(reports_.count("the file system cannot allocate space for " + file + ".journal"),
                  1u);
        std::filesystem::copy_file(file, copy);
        char journal[4096];
        ftr_recovery found = {};
        EXPECT_EQ(ftr_recovery_find(file.c_str(), nullptr, journal, sizeof journal), FTR_OK);
        EXPECT_EQ(ftr_recovery_run(journal, file.c_str(), path("sound.ftr").c_str(), &found),
                  FTR_OK)
            << found.message;
        EXPECT_EQ(found.lost + found.lost_at_most, 0u);
        EXPECT_GE(found.transactions, 1u);
        return "";
    });
    if (IsSkipped())
        return;
    EXPECT_GT(std::filesystem::file_size(copy), 100000u);
    expect_readable(copy);
}

TEST_P(RecorderOutput, ToAPipeWithoutReaderFailsOnce)
{
    const std::string fifo = path("fifo");
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    std::string read_so_far;
    std::thread reader([&] {
        const int fd = open(fifo.c_str(), O_RDONLY);
        char buffer[4096];
        while (read_so_far.size() < 100000) {
            const ssize_t size = read(fd, buffer, sizeof buffer);
            if (size <= 0)
                break;
            read_so_far.append(buffer, std::size_t(size));
        }
        close(fd);
    });
    // With its default action, SIGPIPE would end the program.
    expect_failure(fifo, EPIPE, "Broken pipe");
    reader.join();
    write_contents(path("read.ftr"), read_so_far);
    expect_readable(path("read.ftr"), "end,well-formed");
}

TEST_P(RecorderOutput, DoesNotChangeSignalsOfTheProgram)
{
    static std::atomic<int> pipes{0};
    pipes = 0;
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = [](int) { ++pipes; };
    ASSERT_EQ(sigaction(SIGPIPE, &action, &before), 0);
    const std::string fifo = path("fifo");
    ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
    std::thread reader([&] { close(open(fifo.c_str(), O_RDONLY)); });
    expect_failure(fifo, EPIPE, "Broken pipe");
    reader.join();
    EXPECT_EQ(pipes, 0) << "the recorder's signal reached the program";
    raise(SIGPIPE);
    EXPECT_EQ(pipes, 1) << "the program's signal did not reach it";
    sigaction(SIGPIPE, &before, nullptr);
}

TEST_P(RecorderOutput, FailureDoesNotAffectOtherRecorders)
{
    recording other;
    const ftr_generator generator = other.generator(other.stream("top"), "g");
    expect_failure("/dev/full", ENOSPC, "No space left on device");
    ASSERT_EQ(ftr_tx_record(other, generator, 1, 2, nullptr, 0, nullptr), FTR_OK);
    EXPECT_EQ(other.decoded().transactions.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderOutput, testing::Values(0, 1));
} // namespace
