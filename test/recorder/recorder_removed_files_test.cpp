// Losses of a trace of which older files are removed (FTR_MAX_FILES): the files that remain count
// every transaction that they do not contain, with its cause, and so does a recovered trace.
#include "recording.hpp"
#include "rotated_files.hpp"

#include <ftr/buffer.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
constexpr std::uint64_t size_max = 64u << 10;

// Cause and buffer of losses.
using loss_kind = std::pair<std::string, std::string>;

struct content {
    std::set<std::uint64_t> ids;
    std::map<loss_kind, std::uint64_t> lost;
    std::uint64_t copies = 0; // transactions that are in more than one file

    void add(const decoded_file &file)
    {
        for (const decoded_transaction &tx : file.transactions) {
            if (tx.stream == "ftr.losses")
                add_loss(tx);
            else
                copies += !ids.insert(tx.id).second;
        }
    }

    void add_loss(const decoded_transaction &tx)
    {
        loss_kind kind{tx.value("what").get<std::string>(), ""};
        for (const decoded_attribute &one : tx.attributes) {
            if (one.name == "buffer")
                kind.second = one.value.get<std::string>();
        }
        lost[kind] += tx.value("count").get<std::uint64_t>();
    }

    std::uint64_t lost_transactions() const
    {
        std::uint64_t sum = 0;
        for (const auto &one : lost)
            sum += one.first.first.find("transactions") == 0 ? one.second : 0;
        return sum;
    }

    bool has(const std::string &cause, const std::string &buffer = "") const
    {
        for (const auto &one : lost) {
            if (one.first.first.find(cause) != std::string::npos && one.first.second == buffer)
                return true;
        }
        return false;
    }
};

class RemovedFiles : public testing::TestWithParam<unsigned>
{
  protected:
    std::string stem() const { return directory_.path("run"); }

    ftr_recorder_options options()
    {
        ftr_recorder_options options{};
        options.max_size = size_max;
        options.max_files = 2 + GetParam() % 3;
        options.report = report_list::report;
        options.report_user = &reports_;
        return options;
    }

    void open(const ftr_recorder_options &options)
    {
        ASSERT_EQ(ftr_recorder_open((stem() + ".ftr").c_str(), &options, &recorder_), FTR_OK);
        ftr_buffer_options ring{};
        ring.name = "ring";
        ring.kind = FTR_BUFFER_RING;
        ring.memory = 128u << 10;
        ring.streams = "ring.*";
        ASSERT_EQ(ftr_buffer_define(recorder_, &ring, &ring_), FTR_OK);
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        const char *const names[] = {"top.a", "top.b", "ring.c"};
        for (std::size_t i = 0; i < std::size(names); ++i) {
            ftr_stream stream;
            ASSERT_EQ(ftr_stream_define(recorder_, names[i], nullptr, &stream), FTR_OK);
            ASSERT_EQ(ftr_generator_define(recorder_, stream, "g", &text, 1, &generators_[i]),
                      FTR_OK);
        }
    }

    std::string incompressible(std::size_t size)
    {
        std::string text;
        while (text.size() < size)
            text += static_cast<char>(' ' + random_() % 90);
        return text;
    }

    void record(unsigned generator, const std::string &text)
    {
        const ftr_value value = text_value(FTR_TYPE_STRING, text.data(), text.size());
        ASSERT_EQ(ftr_tx_record(recorder_, generators_[generator], recorded_, recorded_, &value, 1,
                                nullptr),
                  FTR_OK);
        ++recorded_;
    }

    // Records transactions into several files; some are too large for a file, and some leave a ring
    // before it is triggered.
    void record_some()
    {
        for (int n = 0; n < 3000; ++n) {
            const unsigned kind = random_() % 300;
            if (kind == 0)
                record(0, incompressible(size_max + 10));
            else if (kind == 1)
                ASSERT_EQ(ftr_buffer_trigger(recorder_, ring_), FTR_OK);
            else
                record(kind < 100 ? 2 : kind % 2, incompressible(200));
        }
    }

    // The files that exist, with @p last instead of the one with this number.
    content found(unsigned number = 0, const std::string &last = "")
    {
        std::vector<std::string> files;
        for (unsigned i = 1; i < 1000; ++i) {
            const std::string file = number == i ? last : file_of(stem(), i);
            if (access(file.c_str(), F_OK) == 0)
                files.push_back(file);
        }
        EXPECT_EQ(files.size(), options().max_files);
        EXPECT_NE(access(file_of(stem(), 1).c_str(), F_OK), 0);
        EXPECT_EQ(findings(files, "--allow end-order,file-name"), std::vector<std::string>{});
        content all;
        for (const auto &one : decode_all(files))
            all.add(one.second);
        EXPECT_EQ(all.copies, 0u);
        return all;
    }

    scratch_directory directory_;
    report_list reports_;
    ftr_recorder *recorder_ = nullptr;
    ftr_buffer ring_ = 0;
    ftr_generator generators_[3] = {};
    std::uint64_t recorded_ = 0;
    std::mt19937 random_{GetParam()};
};

TEST_P(RemovedFiles, LeaveTheirLossesToTheFilesThatRemain)
{
    open(options());
    record_some();
    ASSERT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    const content all = found();
    EXPECT_EQ(all.ids.size() + all.lost_transactions(), recorded_);
    EXPECT_TRUE(all.has("maximum size"));
    EXPECT_TRUE(all.has("newer files replaced"));
    EXPECT_TRUE(all.has("left the flight recorder", "ring"));
    // The messages at the end have the same numbers.
    for (const auto &one : all.lost)
        EXPECT_EQ(reports_.count(std::to_string(one.second) + " " + one.first.first), 1u)
            << one.second << " " << one.first.first;
}

TEST_P(RemovedFiles, LeaveNoLossThatTheyDoNotHave)
{
    open(options());
    for (int n = 0; n < 250; ++n)
        record(0, incompressible(1000));
    ASSERT_EQ(ftr_recorder_close(recorder_), FTR_OK);
    const content all = found();
    EXPECT_EQ(all.ids.size() + all.lost_transactions(), recorded_);
    EXPECT_EQ(all.lost.size(), 1u); // the transactions of the removed files
}

TEST_P(RemovedFiles, LeaveTheirLossesIfTheProcessIsKilled)
{
    std::fflush(nullptr);
    int counted[2];
    ASSERT_EQ(pipe(counted), 0);
    const pid_t child = fork();
    if (child == 0) {
        open(options());
        record_some();
        if (ftr_recorder_flush(recorder_) != FTR_OK ||
            write(counted[1], &recorded_, sizeof recorded_) != sizeof recorded_)
            _exit(1);
        raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(read(counted[0], &recorded_, sizeof recorded_), (ssize_t)sizeof recorded_);
    close(counted[0]);
    close(counted[1]);
    const std::string sound = directory_.path("sound.ftr");
    ftr_recovery recovery{};
    ASSERT_EQ(
        ftr_recovery_run((stem() + ".ftr.journal").c_str(), nullptr, sound.c_str(), &recovery),
        FTR_OK)
        << recovery.message;
    const content all = found(recovery.file, sound);
    EXPECT_EQ(all.ids.size() + all.lost_transactions(), recorded_);
    EXPECT_TRUE(all.has("maximum size"));
}

// The losses are in the last file that could be opened.
TEST_P(RemovedFiles, CountTheRestIfTheNextFileCannotBeOpened)
{
    open(options());
    ASSERT_EQ(mkdir(file_of(stem(), 4).c_str(), 0755), 0);
    for (int n = 0; n < 1000; ++n) {
        const std::string text = incompressible(1000);
        const ftr_value value = text_value(FTR_TYPE_STRING, text.data(), text.size());
        static_cast<void>(
            ftr_tx_record(recorder_, generators_[0], recorded_, recorded_, &value, 1, nullptr));
        ++recorded_;
    }
    EXPECT_EQ(ftr_recorder_close(recorder_), FTR_ERR_IO);
    EXPECT_EQ(reports_.count(file_of(stem(), 4)), 1u);
    ASSERT_EQ(rmdir(file_of(stem(), 4).c_str()), 0);
    std::vector<std::string> files;
    for (unsigned i = 1; i < 4; ++i) {
        if (access(file_of(stem(), i).c_str(), F_OK) == 0)
            files.push_back(file_of(stem(), i));
    }
    EXPECT_EQ(files.size(), options().max_files < 3 ? 2u : 3u);
    EXPECT_EQ(findings(files, "--allow end-order"), std::vector<std::string>{});
    content all;
    for (const auto &one : decode_all(files))
        all.add(one.second);
    EXPECT_EQ(all.ids.size() + all.lost_transactions(), recorded_);
    EXPECT_TRUE(all.has("could not be written"));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RemovedFiles, testing::Range(1u, 4u));

} // namespace
