// A process that records several files, or one of limited size, and is killed before each of its
// system calls in turn. Each transaction and relation is in one file, once, or is counted in the
// stream ftr.losses.
#include "killed_process.hpp"
#include "recording.hpp"
#include "rotated_files.hpp"
#include "system_steps.hpp"

#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <string>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
// Counts of a child, in memory shared with the test.
struct reported {
    std::atomic<std::uint64_t> transactions;
    std::atomic<std::uint64_t> relations;
};

using shared_reported = std::unique_ptr<reported, void (*)(reported *)>;

shared_reported make_reported()
{
    void *memory =
        mmap(nullptr, sizeof(reported), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {static_cast<reported *>(memory), [](reported *at) { munmap(at, sizeof *at); }};
}

void check(ftr_status status)
{
    if (status != FTR_OK)
        _exit(2);
}

// The calls of the child: transactions with an incompressible text, each related to the previous
// one. Some are related to an open transaction, which delays the end of files. A relation of two
// open transactions keeps its block, with transactions of the finished file, until the next file.
class recorded_calls
{
  public:
    recorded_calls(const std::string &path, const ftr_recorder_options &options, reported &reported)
        : reported_(reported), count_(options.max_files == 2 ? 1500 : 1000)
    {
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        ftr_stream stream;
        check(ftr_recorder_open(path.c_str(), &options, &rec_));
        check(ftr_stream_define(rec_, "top", nullptr, &stream));
        check(ftr_generator_define(rec_, stream, "g", &text, 1, &generator_));
        check(ftr_relation_define(rec_, "after", &relation_));
    }

    void run()
    {
        ftr_tx last{};
        for (std::uint64_t n = 0; n < count_; ++n) {
            if (n % 800 == 0)
                begin_open(n);
            const ftr_tx tx = record(n);
            if (n > 0)
                relate(last, tx);
            if (n % 50 == 0)
                relate(open_[0], tx);
            if (n % 50 == 25)
                relate(open_[0], open_[1]);
            last = tx;
            if (n % 100 == 99)
                static_cast<void>(ftr_recorder_flush(rec_));
        }
        end_open(count_);
        check(ftr_recorder_close(rec_));
    }

  private:
    void begin_open(std::uint64_t time)
    {
        if (time > 0)
            end_open(time);
        for (ftr_tx &tx : open_)
            check(ftr_tx_begin(rec_, generator_, time, &tx));
    }

    void end_open(std::uint64_t time)
    {
        for (const ftr_tx tx : open_) {
            check(ftr_tx_end(rec_, tx, time));
            ++reported_.transactions;
        }
    }

    ftr_tx record(std::uint64_t begin)
    {
        std::string text;
        for (int i = 0; i < 200; ++i) {
            random_ = random_ * 6364136223846793005u + 1442695040888963407u;
            text += static_cast<char>('0' + (random_ >> 33) % 70);
        }
        const ftr_value value = text_value(FTR_TYPE_STRING, text.data(), text.size());
        ftr_tx tx;
        check(ftr_tx_record(rec_, generator_, begin, begin, &value, 1, &tx));
        ++reported_.transactions;
        return tx;
    }

    void relate(ftr_tx from, ftr_tx to)
    {
        check(ftr_relation_put(rec_, relation_, from, to));
        ++reported_.relations;
    }

    reported &reported_;
    const std::uint64_t count_; // at least five files, so that one with losses is removed
    ftr_recorder *rec_ = nullptr;
    ftr_generator generator_ = 0;
    ftr_relation relation_ = 0;
    ftr_tx open_[2] = {};
    std::uint64_t random_ = 1;
};

// Transactions and relations in the files of a run, and those counted as lost.
struct account {
    std::map<std::uint64_t, unsigned> ended; // ids of transactions
    std::uint64_t relations = 0;
    std::uint64_t lost_transactions = 0;
    std::uint64_t lost_relations = 0;

    void add(const decoded_file &file)
    {
        for (const decoded_transaction &tx : file.transactions) {
            if (tx.stream == "ftr.losses")
                add_loss(tx);
            else if (!is_unfinished(tx))
                ++ended[tx.id];
        }
        relations += file.relations.size();
    }

    static bool is_unfinished(const decoded_transaction &tx)
    {
        return std::any_of(tx.attributes.begin(), tx.attributes.end(),
                           [](const decoded_attribute &one) { return one.name == "unfinished"; });
    }

    void add_loss(const decoded_transaction &tx)
    {
        const bool is_of_relations = tx.value("what").get<std::string>().find("relations") == 0;
        (is_of_relations ? lost_relations : lost_transactions) +=
            tx.value("count").get<std::uint64_t>();
    }
};

template <typename Counts> bool has_duplicates(const Counts &counts)
{
    return std::any_of(counts.begin(), counts.end(),
                       [](const auto &one) { return one.second > 1; });
}

class KilledBeforeEachSystemCall : public testing::TestWithParam<unsigned>
{
  protected:
    static ftr_recorder_options options()
    {
        ftr_recorder_options options{};
        options.max_size = 64u << 10;
        options.max_files = GetParam();
        options.clock = [](void *) { return std::uint64_t{1}; };
        return options;
    }

    // Returns true if the child was killed before its end.
    static bool record_until_step(const std::string &trace, reported &reported, std::size_t step)
    {
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            recorded_calls calls(trace, options(), reported);
            raise_at_step(step, SIGKILL);
            calls.run();
            _exit(0);
        }
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
            << status;
        return WIFSIGNALED(status);
    }

    struct run {
        std::size_t step;
        std::uint64_t transactions;
        std::uint64_t relations;
        std::vector<std::string> files;
        bool removes_file; // the empty next one
    };

    // Recovers the trace, and lists the run's files.
    static run recovered(const scratch_directory &directory, const reported &reported,
                         std::size_t step)
    {
        const std::string stem = directory.path("run");
        run found{
            step, reported.transactions, reported.relations, {directory.path("sound.ftr")}, false};
        ftr_recovery recovery{};
        EXPECT_EQ(ftr_recovery_run((stem + ".ftr.journal").c_str(), nullptr, found.files[0].c_str(),
                                   &recovery),
                  FTR_OK)
            << recovery.message;
        // An older file that still exists is counted as removed: the process was killed before it
        // removed the file.
        const unsigned kept = GetParam() > 0 ? GetParam() : 1;
        const unsigned first = recovery.file > kept ? recovery.file - kept + 1 : 1;
        for (unsigned number = first; number < recovery.file; ++number)
            found.files.push_back(file_of(stem, number));
        EXPECT_FALSE(std::filesystem::exists(file_of(stem, recovery.file + 1))) << step;
        found.removes_file = recovery.message[0] != '\0';
        return found;
    }

    static void expect_complete(const run &run, const std::map<std::string, decoded_file> &decoded)
    {
        account found;
        for (const std::string &file : run.files)
            found.add(decoded.at(file));
        EXPECT_FALSE(has_duplicates(found.ended)) << "step " << run.step;
        const std::uint64_t transactions = found.ended.size() + found.lost_transactions;
        EXPECT_GE(transactions, run.transactions) << "step " << run.step;
        EXPECT_LE(transactions, run.transactions + 1) << "step " << run.step; // 1: in its call
        // Relations are counted if no file contains both transactions, but not those of a removed
        // file, and not those discarded because of the size limit.
        if (GetParam() < 10000)
            return;
        const std::uint64_t relations = found.relations + found.lost_relations;
        EXPECT_GE(relations, run.relations) << "step " << run.step;
        EXPECT_LE(relations, run.relations + 1) << "step " << run.step;
    }
};

TEST_P(KilledBeforeEachSystemCall, KeepsOrCountsEachTransactionOnce)
{
    std::vector<std::unique_ptr<scratch_directory>> directories;
    std::vector<run> runs;
    std::vector<std::string> files;
    bool is_killed = true;
    for (std::size_t step = 1; is_killed; ++step) {
        directories.push_back(std::make_unique<scratch_directory>());
        const shared_reported reported = make_reported();
        is_killed = record_until_step(directories.back()->path("run.ftr"), *reported, step);
        // The last steps remove the journal: the run is complete then.
        if (!is_killed || !std::filesystem::exists(directories.back()->path("run.ftr.journal")))
            continue;
        runs.push_back(recovered(*directories.back(), *reported, step));
        files.insert(files.end(), runs.back().files.begin(), runs.back().files.end());
    }
    EXPECT_GT(runs.size(), GetParam() ? 30u : 6u);
    EXPECT_EQ(
        std::any_of(runs.begin(), runs.end(), [](const run &one) { return one.removes_file; }),
        GetParam() > 0);
    EXPECT_EQ(findings(files), std::vector<std::string>{});
    const std::map<std::string, decoded_file> decoded = decode_all(files);
    for (const run &one : runs)
        expect_complete(one, decoded);
}

INSTANTIATE_TEST_SUITE_P(Files, KilledBeforeEachSystemCall, testing::Values(0u, 2u, 10000u));

} // namespace
