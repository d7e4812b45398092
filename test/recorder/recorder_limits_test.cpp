// Limits of files: transactions recorded up to the limit, the files that contain them, and reports
// of all losses.
#include "fork_at_rest.hpp"
#include "recording.hpp"
#include "rotated_files.hpp"

#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <set>

namespace
{

const std::string losses = "ftr.losses";

// Number of losses in a file with a reason that contains @p text.
struct lost {
    std::uint64_t count = 0;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};

lost lost_by(const decoded_file &file, const std::string &text)
{
    lost found;
    for (const decoded_transaction &tx : file.transactions) {
        if (tx.stream != losses || tx.value("what").get<std::string>().find(text) == text.npos)
            continue;
        EXPECT_EQ(found.count, 0u) << text << " is told twice";
        found = {tx.value("count").get<std::uint64_t>(), tx.begin, tx.end};
    }
    return found;
}

std::vector<decoded_transaction> recorded(const decoded_file &file)
{
    std::vector<decoded_transaction> found;
    for (const decoded_transaction &tx : file.transactions) {
        if (tx.stream != losses)
            found.push_back(tx);
    }
    return found;
}

const std::string too_large = "has reached its maximum size";

class Limits : public testing::TestWithParam<ftr_compression>
{
  protected:
    ftr_recorder_options options()
    {
        ftr_recorder_options options = {};
        options.threads = 1;
        options.compression = GetParam();
        options.report = report_list::report;
        options.report_user = &reports_;
        return options;
    }

    std::string path(unsigned file = 1) const { return file_of(directory_.path("run"), file); }

    void open(const ftr_recorder_options &options)
    {
        ASSERT_EQ(ftr_recorder_open(path().c_str(), &options, &recorder_), FTR_OK);
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
        ftr_stream stream;
        for (int i = 0; i < 3; ++i) {
            const std::string name = "top.s" + std::to_string(i);
            ASSERT_EQ(ftr_stream_define(recorder_, name.c_str(), "kind", &stream), FTR_OK);
            ASSERT_EQ(ftr_generator_define(recorder_, stream, "g", &text, 1, &generators_[i]),
                      FTR_OK);
        }
        ASSERT_EQ(ftr_relation_define(recorder_, "after", &after_), FTR_OK);
    }

    // Records transaction n, from tick 10 n to 10 n + 5.
    ftr_tx record(std::uint64_t n)
    {
        const std::string text = "a text of its own for " + std::to_string(n * 7919);
        const ftr_value value = text_value(FTR_TYPE_STRING, text.c_str());
        ftr_tx tx{};
        EXPECT_EQ(ftr_tx_record(recorder_, generators_[n % 3], 10 * n, 10 * n + 5, &value, 1, &tx),
                  FTR_OK);
        return tx;
    }

    // Returns all files, in order; each is checked.
    std::vector<decoded_file> files(unsigned first, unsigned last)
    {
        std::vector<std::string> paths;
        for (unsigned i = first; i <= last; ++i)
            paths.push_back(path(i));
        EXPECT_EQ(findings(paths, "--allow end-order"), std::vector<std::string>{});
        std::vector<decoded_file> decoded;
        for (auto &one : paths)
            decoded.push_back(decode(one));
        return decoded;
    }

    unsigned count_files() const
    {
        unsigned count = 1;
        while (std::filesystem::exists(path(count + 1)))
            ++count;
        return count;
    }

    ftr_statistics close(ftr_status expected = FTR_OK)
    {
        EXPECT_EQ(ftr_recorder_close(recorder_), expected);
        ftr_statistics statistics{};
        EXPECT_EQ(ftr_recorder_get_statistics(recorder_, &statistics), FTR_OK);
        return statistics;
    }

    scratch_directory directory_;
    report_list reports_;
    ftr_recorder *recorder_ = nullptr;
    ftr_generator generators_[3] = {};
    ftr_relation after_ = 0;
};

TEST_P(Limits, SizeLimitStopsRecordingAndCountsLosses)
{
    constexpr std::uint64_t count = 40000;
    ftr_recorder_options with = options();
    with.max_size = 200000;
    open(with);
    ftr_tx last{};
    for (std::uint64_t n = 0; n < count; ++n) {
        const ftr_tx tx = record(n);
        if (n % 10 == 9) {
            EXPECT_EQ(ftr_relation_put(recorder_, after_, last, tx), FTR_OK);
        }
        last = tx;
    }
    const ftr_statistics statistics = close();
    EXPECT_LE(std::filesystem::file_size(path()), with.max_size);
    EXPECT_GE(std::filesystem::file_size(path()), with.max_size * 9 / 10);
    const decoded_file file = files(1, 1)[0];
    const auto kept = recorded(file);
    for (std::uint64_t n = 0; n < kept.size(); ++n)
        ASSERT_TRUE(file.has_transaction(n + 1));
    const lost lost = lost_by(file, too_large);
    EXPECT_EQ(lost.count, count - kept.size());
    EXPECT_EQ(lost.from, 10 * kept.size());
    EXPECT_EQ(lost.to, 10 * (count - 1) + 5);
    EXPECT_EQ(statistics.transactions, kept.size());
    EXPECT_EQ(statistics.relations + statistics.relations_discarded, count / 10);
    EXPECT_EQ(statistics.relations, file.relations.size());
    EXPECT_EQ(reports_.count(std::to_string(lost.count) + " transactions"), 1u);
    EXPECT_EQ(reports_.count(too_large), 1u);
}

TEST_P(Limits, SizeLimitWithFurtherFilesLosesNothing)
{
    constexpr std::uint64_t count = 12000;
    constexpr std::uint64_t open_at_once = 50;
    ftr_recorder_options with = options();
    with.max_size = 80000;
    with.max_files = 1000;
    open(with);
    ftr_stream run;
    ftr_generator start;
    ASSERT_EQ(ftr_stream_define(recorder_, "ftr.run", "run", &run), FTR_OK);
    const ftr_attribute attribute = {"program", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
    ASSERT_EQ(ftr_generator_define(recorder_, run, "start", &attribute, 1, &start), FTR_OK);
    const ftr_value program = text_value(FTR_TYPE_STRING, "the program");
    ASSERT_EQ(ftr_tx_record(recorder_, start, 0, 0, &program, 1, nullptr), FTR_OK);
    // Some are open all the time, and delay the end of files.
    std::vector<ftr_tx> spanning(open_at_once);
    std::set<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < open_at_once; ++i) {
        ASSERT_EQ(ftr_tx_begin(recorder_, generators_[0], i, &spanning[i]), FTR_OK);
        expected.insert(spanning[i].id);
    }
    ftr_tx last{};
    std::uint64_t related = 0;
    for (std::uint64_t n = 0; n < count; ++n) {
        const ftr_tx tx = record(n);
        expected.insert(tx.id);
        if (n % 5 == 4) {
            EXPECT_EQ(ftr_relation_put(recorder_, after_, last, tx), FTR_OK);
            EXPECT_EQ(ftr_relation_put(recorder_, after_, spanning[n % open_at_once], tx), FTR_OK);
            related += 2;
        }
        if (n % 240 == 239) {
            EXPECT_EQ(ftr_tx_end(recorder_, spanning[n / 240], 10 * n), FTR_OK);
        }
        last = tx;
    }
    const ftr_statistics statistics = close();
    const unsigned last_file = count_files();
    EXPECT_GE(last_file, 4u);
    std::uint64_t relations = 0;
    std::uint64_t separated = 0;
    std::uint64_t bytes = 0;
    std::set<std::uint64_t> found;
    for (const decoded_file &file : files(1, last_file)) {
        EXPECT_EQ(file.stream_names().size(), 4u + (lost_by(file, "").count > 0));
        std::uint64_t starts = 0;
        for (const decoded_transaction &tx : recorded(file)) {
            if (tx.stream == "ftr.run") {
                ++starts;
                EXPECT_EQ(tx.value("program"), "the program");
                continue;
            }
            EXPECT_TRUE(found.insert(tx.id).second) << tx.id << " is in two files";
        }
        EXPECT_EQ(starts, 1u);
        relations += file.relations.size();
        separated += lost_by(file, "no file contains both").count;
    }
    EXPECT_EQ(found, expected);
    EXPECT_EQ(relations + separated, related);
    EXPECT_EQ(statistics.relations_discarded, separated);
    EXPECT_GT(relations, related / 3);
    for (unsigned i = 1; i <= last_file; ++i) {
        EXPECT_LE(std::filesystem::file_size(path(i)), with.max_size);
        // Waiting relations have room of their own.
        if (i < last_file) {
            EXPECT_GE(std::filesystem::file_size(path(i)), with.max_size * 2 / 3);
        }
        bytes += std::filesystem::file_size(path(i));
    }
    EXPECT_EQ(statistics.bytes, bytes);
    EXPECT_EQ(decode(path(1)).transactions.size() > 0, true);
    EXPECT_EQ(reports_.count(too_large), 0u);
}

TEST_P(Limits, KeepTheNewestFiles)
{
    constexpr std::uint64_t count = 12000;
    ftr_recorder_options with = options();
    with.max_size = 80000;
    with.max_files = 2;
    open(with);
    for (std::uint64_t n = 0; n < count; ++n)
        record(n);
    const ftr_statistics statistics = close();
    EXPECT_EQ(statistics.transactions, count);
    unsigned last = 2;
    while (!std::filesystem::exists(path(last)))
        ++last;
    EXPECT_GE(last, 3u);
    EXPECT_FALSE(std::filesystem::exists(path(1)));
    const auto kept = files(last, last + 1);
    EXPECT_FALSE(std::filesystem::exists(path(last + 2)));
    std::set<std::uint64_t> begins;
    for (const decoded_file &file : kept) {
        for (const decoded_transaction &tx : recorded(file))
            begins.insert(tx.begin / 10);
    }
    // The newest, without a gap.
    EXPECT_EQ(*begins.rbegin(), count - 1);
    EXPECT_EQ(count - *begins.begin(), begins.size());
    EXPECT_EQ(reports_.count(std::to_string(count - begins.size()) +
                             " transactions were in files that newer files replaced"),
              1u);
    EXPECT_GT(lost_by(kept[0], "newer files replaced").count, 0u);
}

TEST_P(Limits, SizeLimitLosesOnlyATransactionThatIsLarger)
{
    ftr_recorder_options with = options();
    with.max_size = 100000;
    with.max_files = 10;
    open(with);
    record(1);
    // Random, so that compression does not help.
    std::string large;
    for (std::uint64_t i = 0, x = 1; i < 300000; ++i) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        large += static_cast<char>(' ' + (x >> 33) % 90);
    }
    const ftr_value value = text_value(FTR_TYPE_STRING, large.c_str());
    ASSERT_EQ(ftr_tx_record(recorder_, generators_[0], 100, 200, &value, 1, nullptr), FTR_OK);
    record(30);
    close();
    const unsigned last = count_files();
    std::size_t found = 0;
    std::uint64_t told = 0;
    for (const decoded_file &file : files(1, last)) {
        found += recorded(file).size();
        told += lost_by(file, too_large).count;
    }
    EXPECT_EQ(found, 2u);
    EXPECT_EQ(told, 1u);
}

// Runs @p body in a process of its own.
void in_child(const std::function<void()> &body)
{
    std::fflush(nullptr);
    const pid_t child = fork_at_rest();
    if (child == 0) {
        body();
        std::fflush(nullptr);
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

bool has_small_disk(const std::string &at, const char *size)
{
    mkdir(at.c_str(), 0755);
    return unshare(CLONE_NEWNS) == 0 &&
           mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           mount("none", at.c_str(), "tmpfs", 0, size) == 0;
}

TEST_P(Limits, MinimumFreeSpaceStopsRecording)
{
    constexpr std::uint64_t count = 25000;
    const std::string copy = directory_.path("copy.ftr");
    in_child([&] {
        if (!has_small_disk(directory_.path("disk"), "size=2m"))
            return; // only root can mount
        const std::string file = directory_.path("disk/run.ftr");
        ftr_recorder_options with = options();
        with.min_free = 1800000;
        with.journal_directory = "none";
        ASSERT_EQ(ftr_recorder_open(file.c_str(), &with, &recorder_), FTR_OK);
        ftr_stream stream;
        ASSERT_EQ(ftr_stream_define(recorder_, "top", "kind", &stream), FTR_OK);
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
        for (ftr_generator &generator : generators_)
            ASSERT_EQ(ftr_generator_define(recorder_, stream, "g", &text, 1, &generator), FTR_OK);
        for (std::uint64_t n = 0; n < count; ++n)
            record(n);
        close();
        std::filesystem::copy_file(file, copy);
    });
    if (!std::filesystem::exists(copy))
        GTEST_SKIP() << "only root can mount a small disk";
    EXPECT_EQ(findings(copy), std::vector<std::string>{});
    const decoded_file file = decode(copy);
    EXPECT_LT(std::filesystem::file_size(copy), 297152u);
    EXPECT_GT(std::filesystem::file_size(copy), 200000u);
    EXPECT_EQ(lost_by(file, "free space of the disk reached its minimum").count +
                  recorded(file).size(),
              count);
}

TEST_P(Limits, FullDiskLeavesASoundFileAndReportsLosses)
{
    const std::string copy = directory_.path("done");
    for (int round = 0; round < 3; ++round) {
        std::filesystem::remove(copy);
        in_child([&] {
            if (!has_small_disk(directory_.path("disk"), "size=1m"))
                return;
            // The disk is full at a random byte.
            const std::uint64_t size = 1 + static_cast<std::uint64_t>(round) * 371717 % 900000;
            std::ofstream(directory_.path("disk/filler")) << std::string(size, 'x');
            const std::string file = directory_.path("disk/run.ftr");
            const std::string outside = directory_.path();
            ftr_recorder_options with = options();
            with.journal_directory = outside.c_str();
            ASSERT_EQ(ftr_recorder_open(file.c_str(), &with, &recorder_), FTR_OK);
            ftr_stream stream;
            ftr_generator generator;
            ASSERT_EQ(ftr_stream_define(recorder_, "top", "kind", &stream), FTR_OK);
            const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
            ASSERT_EQ(ftr_generator_define(recorder_, stream, "g", &text, 1, &generator), FTR_OK);
            std::uint64_t ended = 0;
            std::uint64_t refused = 0;
            std::string random;
            for (std::uint64_t n = 0, x = 1; n < 40000; ++n) {
                random.clear();
                for (int i = 0; i < 40; ++i) {
                    x = x * 6364136223846793005u + 1442695040888963407u;
                    random += static_cast<char>('0' + (x >> 33) % 70);
                }
                const ftr_value value = text_value(FTR_TYPE_STRING, random.c_str());
                if (ftr_tx_record(recorder_, generator, n, n, &value, 1, nullptr) == FTR_OK)
                    ++ended;
                else
                    ++refused;
                if (n % 1000 == 999) // the writer may be far behind
                    static_cast<void>(ftr_recorder_flush(recorder_));
            }
            ASSERT_EQ(ended + refused, 40000u);
            // The end of the file has reserved room, even if other programs fill the disk.
            EXPECT_EQ(ftr_recorder_flush(recorder_), FTR_ERR_IO);
            std::ofstream rest(directory_.path("disk/rest"));
            while (rest << std::string(1000, 'x') << std::flush)
                continue;
            close(FTR_ERR_IO);
            EXPECT_EQ(findings(file), std::vector<std::string>{});
            const decoded_file cut = decode(file);
            const lost lost = lost_by(cut, "could not be written");
            EXPECT_EQ(recorded(cut).size() + lost.count, 40000u);
            EXPECT_EQ(lost.from, recorded(cut).size());
            EXPECT_EQ(lost.to, 39999u);
            const std::string count = std::to_string(lost.count) + " transactions are not in";
            bool is_told = false; // notes are shown on request only
            for (const reported &one : reports_.all())
                is_told |= one.message.find(count) == 0 && one.severity == FTR_SEVERITY_WARNING;
            EXPECT_TRUE(is_told) << count;
            // All transactions that had ended are recovered.
            char journal[4096];
            const std::string sound = directory_.path("sound.ftr");
            ftr_recovery found{};
            ASSERT_EQ(ftr_recovery_find(file.c_str(), outside.c_str(), journal, sizeof journal),
                      FTR_OK);
            ASSERT_EQ(ftr_recovery_run(journal, nullptr, sound.c_str(), &found), FTR_OK)
                << found.message;
            EXPECT_EQ(findings(sound), std::vector<std::string>{});
            const decoded_file whole = decode(sound);
            EXPECT_EQ(lost_by(whole, "could not be written").count, refused);
            const std::vector<decoded_transaction> brought = recorded(whole);
            ASSERT_EQ(brought.size(), ended);
            for (std::uint64_t n = 0; n < ended; ++n)
                ASSERT_EQ(brought[n].begin, n);
            std::filesystem::remove(journal);
            write_contents(copy, "done");
        });
        if (!std::filesystem::exists(copy))
            GTEST_SKIP() << "only root can mount a small disk";
    }
}

// Files that stop anywhere in a page of a full disk, with no space other than the reserved one: the
// rest of the last page would be enough for most ends, but not for all.
TEST_P(Limits, FullDiskLeavesSpaceForTheEndOfTheFile)
{
    constexpr std::size_t rounds = 10;
    std::vector<std::string> copies;
    for (std::size_t round = 0; round < rounds; ++round)
        copies.push_back(directory_.path("copy-" + std::to_string(round) + ".ftr"));
    in_child([&] {
        if (!has_small_disk(directory_.path("disk"), "size=256k"))
            return;
        const std::string file = directory_.path("disk/run.ftr");
        const std::string rest = directory_.path("disk/rest");
        for (std::size_t round = 0; round < rounds; ++round) {
            ftr_recorder_options with = options();
            with.threads = 0; // the bytes depend only on the calls
            with.journal_directory = "none";
            with.clock = [](void *) { return std::uint64_t{1}; };
            ASSERT_EQ(ftr_recorder_open(file.c_str(), &with, &recorder_), FTR_OK);
            ftr_stream stream;
            ASSERT_EQ(ftr_stream_define(recorder_, "top", "kind", &stream), FTR_OK);
            const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
            for (ftr_generator &generator : generators_)
                ASSERT_EQ(ftr_generator_define(recorder_, stream, "g", &text, 1, &generator),
                          FTR_OK);
            ftr_status status = FTR_OK;
            for (std::uint64_t n = 0; n < 40000 && status == FTR_OK; ++n) {
                const std::string unique = std::to_string(n * 0x9e3779b97f4a7c15u);
                const ftr_value value = text_value(FTR_TYPE_STRING, unique.c_str());
                status = ftr_tx_record(recorder_, generators_[n % 3], n, n, &value, 1, nullptr);
                if (status == FTR_OK && n % (20 + 7 * round) == 0)
                    status = ftr_recorder_flush(recorder_);
            }
            ASSERT_EQ(status, FTR_ERR_IO);
            std::ofstream filler(rest);
            while (filler << std::string(100, 'x') << std::flush)
                continue;
            close(FTR_ERR_IO);
            std::filesystem::copy_file(file, copies[round]);
            std::filesystem::remove(rest);
        }
    });
    if (!std::filesystem::exists(copies[0]))
        GTEST_SKIP() << "only root can mount a small disk";
    EXPECT_EQ(findings(copies), std::vector<std::string>{});
    for (const auto &[path, file] : decode_all(copies))
        EXPECT_GT(lost_by(file, "could not be written").count, 0u) << path;
}

// Short traces that stop anywhere in the last pages of a disk: no space was allocated in advance,
// so the disk is full when the last data, the losses or the end of the file are written.
TEST_P(Limits, DiskThatIsFullAtTheEndOfAShortTraceLeavesASoundFile)
{
    constexpr std::uint64_t first = 20, step = 3, rounds = 60;
    std::vector<std::string> copies;
    for (std::uint64_t round = 0; round < rounds; ++round)
        copies.push_back(directory_.path("copy-" + std::to_string(round) + ".ftr"));
    in_child([&] {
        if (!has_small_disk(directory_.path("disk"), "size=64k"))
            return;
        const std::string file = directory_.path("disk/run.ftr");
        const std::string rest = directory_.path("disk/rest");
        for (std::uint64_t round = 0; round < rounds; ++round) {
            std::ofstream filler(rest);
            while (filler << std::string(100, 'x') << std::flush)
                continue;
            filler.close();
            std::filesystem::resize_file(rest, std::filesystem::file_size(rest) / 4096 * 4096 -
                                                   (1 + round % 2) * 4096);
            ftr_recorder_options with = options();
            with.journal_directory = "none";
            ASSERT_EQ(ftr_recorder_open(file.c_str(), &with, &recorder_), FTR_OK);
            ftr_stream stream;
            ASSERT_EQ(ftr_stream_define(recorder_, "top", "kind", &stream), FTR_OK);
            const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN};
            for (ftr_generator &generator : generators_)
                ASSERT_EQ(ftr_generator_define(recorder_, stream, "g", &text, 1, &generator),
                          FTR_OK);
            for (std::uint64_t n = 0; n < first + round * step; ++n) {
                const std::string unique = std::to_string(n * 0x9e3779b97f4a7c15u);
                const ftr_value value = text_value(FTR_TYPE_STRING, unique.c_str());
                ASSERT_EQ(ftr_tx_record(recorder_, generators_[n % 3], n, n, &value, 1, nullptr),
                          FTR_OK);
            }
            static_cast<void>(ftr_recorder_close(recorder_));
            std::filesystem::copy_file(file, copies[round]);
            std::filesystem::remove(file);
            std::filesystem::remove(rest);
        }
    });
    if (!std::filesystem::exists(copies[0]))
        GTEST_SKIP() << "only root can mount a small disk";
    EXPECT_EQ(findings(copies), std::vector<std::string>{});
    unsigned full = 0, whole = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const decoded_file file = decode(copies[round]);
        const lost lost = lost_by(file, "could not be written");
        EXPECT_EQ(recorded(file).size() + lost.count, first + round * step) << round;
        ++(lost.count > 0 ? full : whole);
    }
    EXPECT_GT(full, 10u);
    EXPECT_GT(whole, 10u);
}

// A run with several files that is killed @p delay microseconds after its last call. Returns its
// pid.
class KilledLimits : public Limits
{
  protected:
    pid_t killed_run(std::uint64_t count, unsigned delay)
    {
        std::fflush(nullptr);
        const pid_t child = fork_at_rest();
        if (child == 0) {
            ftr_recorder_options with = options();
            with.max_size = 100000;
            with.max_files = 1000;
            open(with);
            for (std::uint64_t n = 0; n < count; ++n) {
                record(n);
                if (n == 4000 && ftr_recorder_flush(recorder_) != FTR_OK)
                    _exit(1);
            }
            usleep(delay);
            raise(SIGKILL);
        }
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status));
        return child;
    }

    // Everything recorded is in the files, once.
    void expect_all(const std::vector<std::string> &paths, std::uint64_t count)
    {
        EXPECT_EQ(findings(paths, "--allow end-order,file-name"), std::vector<std::string>{});
        std::set<std::uint64_t> numbers;
        for (const std::string &one : paths) {
            for (const decoded_transaction &tx : recorded(decode(one))) {
                EXPECT_TRUE(numbers.insert(tx.begin / 10).second) << tx.begin << " is there twice";
                EXPECT_EQ(tx.value("text"),
                          "a text of its own for " + std::to_string(tx.begin / 10 * 7919));
            }
        }
        EXPECT_EQ(numbers.size(), count);
    }
};

TEST_P(KilledLimits, LoseNoEndedTransaction)
{
    for (unsigned round = 0; round < 4; ++round) {
        const std::uint64_t count = 5000 + round * 511;
        killed_run(count, round * 1500);
        ftr_recovery found{};
        std::vector<std::string> paths = {directory_.path("sound.ftr")};
        ASSERT_EQ(ftr_recovery_run((path() + ".journal").c_str(), path().c_str(), paths[0].c_str(),
                                   &found),
                  FTR_OK)
            << found.message;
        ASSERT_GT(found.file, 1u);
        for (unsigned i = 1; i < found.file; ++i)
            paths.push_back(path(i));
        expect_all(paths, count);
        for (unsigned i = 1; i <= found.file + 1; ++i)
            std::filesystem::remove(path(i));
        std::filesystem::remove(path() + ".journal");
    }
}

TEST_P(KilledLimits, NextRunDoesNotReplaceAnyFile)
{
    const pid_t pid = killed_run(6000, 0);
    ftr_recorder_options with = options();
    with.max_size = 100000;
    with.max_files = 1000;
    open(with);
    for (std::uint64_t n = 0; n < 6000; ++n)
        record(n);
    close();
    const std::string stem = directory_.path("run-" + std::to_string(pid));
    std::vector<std::string> old;
    for (unsigned i = 1; std::filesystem::exists(file_of(stem, i)); ++i)
        old.push_back(file_of(stem, i));
    EXPECT_GT(old.size(), 1u);
    expect_all(old, 6000);
    EXPECT_EQ(reports_.count("recovered to " + stem + ".ftr"), 1u);
    std::vector<std::string> now;
    for (unsigned i = 1; i <= count_files(); ++i)
        now.push_back(path(i));
    expect_all(now, 6000);
}

TEST(LimitOptions, WithInvalidValuesAreRefused)
{
    scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    ftr_recorder *recorder = nullptr;
    ftr_recorder_options options = {};
    options.max_size = 65535;
    EXPECT_EQ(ftr_recorder_open(path.c_str(), &options, &recorder), FTR_ERR_ARGUMENT);
    options.max_size = 0;
    options.max_files = 3;
    EXPECT_EQ(ftr_recorder_open(path.c_str(), &options, &recorder), FTR_ERR_ARGUMENT);
    options.max_size = 65536;
    options.max_files = 1;
    EXPECT_EQ(ftr_recorder_open(path.c_str(), &options, &recorder), FTR_ERR_ARGUMENT);
    EXPECT_FALSE(std::filesystem::exists(path));
}

INSTANTIATE_TEST_SUITE_P(Compressions, Limits,
                         testing::Values(FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4));
INSTANTIATE_TEST_SUITE_P(Compressions, KilledLimits,
                         testing::Values(FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4));

} // namespace
