// A process that is killed while its threads record to one stream: every transaction and relation
// is recovered if its call had returned. The content is compared by the independent decoder.
#include "killed_process.hpp"
#include "recording.hpp"
#include "rotated_files.hpp"

#include <ftr/recorder.h>
#include <ftr/recovery.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>
#include <map>
#include <thread>
#include <utility>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace
{
using relation_ends = std::pair<std::uint64_t, std::uint64_t>;

ftr_recovery recover(const std::string &trace, const std::string &out)
{
    ftr_recovery found{};
    EXPECT_EQ(ftr_recovery_run((trace + ".journal").c_str(), nullptr, out.c_str(), &found), FTR_OK)
        << found.message;
    return found;
}

// One stream and one generator with a text, in a recorder that a child opens.
struct shared_stream {
    ftr_recorder *rec = nullptr;
    ftr_generator generator = 0;
    ftr_relation relation = 0;

    shared_stream(const std::string &path, const ftr_recorder_options &options)
    {
        const ftr_attribute text = {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD};
        ftr_stream stream;
        if (ftr_recorder_open(path.c_str(), &options, &rec) != FTR_OK ||
            ftr_stream_define(rec, "top.shared", nullptr, &stream) != FTR_OK ||
            ftr_generator_define(rec, stream, "g", &text, 1, &generator) != FTR_OK ||
            ftr_relation_define(rec, "after", &relation) != FTR_OK)
            _exit(2);
    }

    // Records a text of which few fit into a block; a body stores only its number, so it holds
    // many.
    ftr_tx record(std::uint64_t begin) const
    {
        static const std::string text(200, 'x');
        const ftr_value value = text_value(FTR_TYPE_STRING, text.data(), text.size());
        ftr_tx tx;
        if (ftr_tx_record(rec, generator, begin, begin + 1, &value, 1, &tx) != FTR_OK)
            _exit(3);
        return tx;
    }

    void relate(ftr_tx from, ftr_tx to) const
    {
        if (ftr_relation_put(rec, relation, from, to) != FTR_OK)
            _exit(4);
    }

    void drain() const
    {
        ftr_statistics ignored;
        if (ftr_recorder_get_statistics(rec, &ignored) != FTR_OK)
            _exit(5);
    }
};

// ---- one block that is read in parts, and a younger one -----------------------------------------

// The blocks of two threads are read alternately: the older one first and last, so that its last
// records are in a body that began with the younger block. Then the older block is full and is read
// to its end.
template <typename Record> void record_in_two_blocks(const shared_stream &shared, Record record)
{
    record(0);
    if (ftr_recorder_flush(shared.rec) != FTR_OK)
        _exit(6);
    std::thread([&] { record(1); }).join();
    shared.drain();
    // More than a block holds, for transactions with a text and for relations.
    for (std::uint64_t i = 2; i < 2000; ++i)
        record(i);
    shared.drain();
    for (std::uint64_t i = 2000; i < 4000; ++i) // fills the free blocks again
        record(i);
}

// Options with which nothing is written because of its age or size.
ftr_recorder_options patient_options()
{
    ftr_recorder_options options{};
    options.chunk_size = std::size_t{16} << 20;
    options.clock = [](void *) { return std::uint64_t{1}; };
    return options;
}

TEST(KilledThreads, KeepTransactionsInABlockOlderThanTheirBody)
{
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    killed_process([&] {
        const shared_stream shared(trace, patient_options());
        record_in_two_blocks(shared, [&](std::uint64_t i) { shared.record(i); });
    });
    recover(trace, directory.path("sound.ftr"));
    EXPECT_EQ(decode(directory.path("sound.ftr")).transactions.size(), 4000u);
}

TEST(KilledThreads, KeepRelationsInABlockOlderThanTheirBody)
{
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    killed_process([&] {
        const shared_stream shared(trace, patient_options());
        const ftr_tx first = shared.record(0);
        record_in_two_blocks(shared, [&](std::uint64_t) { shared.relate(first, first); });
    });
    recover(trace, directory.path("sound.ftr"));
    EXPECT_EQ(decode(directory.path("sound.ftr")).relations.size(), 4000u);
}

// A relation that waits for the end of a transaction keeps its block, however old that is.
TEST(KilledThreads, KeepPendingRelations)
{
    scratch_directory directory;
    const std::string trace = directory.path("run.ftr");
    killed_process([&] {
        ftr_recorder_options options = patient_options();
        options.stop = "1 s"; // with a time window, transactions may be discarded, so relations to
                              // open ones wait
        const shared_stream shared(trace, options);
        const ftr_tx first = shared.record(0);
        ftr_tx open;
        if (ftr_tx_begin(shared.rec, shared.generator, 1, &open) != FTR_OK)
            _exit(7);
        shared.relate(first, open);
        for (std::uint64_t i = 2; i < 1000; ++i)
            shared.record(i);
        if (ftr_recorder_flush(shared.rec) != FTR_OK)
            _exit(9);
        if (ftr_tx_end(shared.rec, open, 1000) != FTR_OK)
            _exit(8);
        for (std::uint64_t i = 1001; i < 2000; ++i)
            shared.record(i);
        shared.drain(); // the relation is settled now and is in a body
        for (std::uint64_t i = 2000; i < 3000; ++i)
            shared.record(i);
    });
    recover(trace, directory.path("sound.ftr"));
    const decoded_file file = decode(directory.path("sound.ftr"));
    EXPECT_EQ(file.transactions.size(), 2999u);
    EXPECT_EQ(file.relations.size(), 1u);
}

// ---- kills at any moment ------------------------------------------------------------------------

constexpr unsigned threads_max = 8;
constexpr std::size_t reported_max = 1u << 16;

// Progress of the child's threads, in shared memory.
struct reported {
    std::atomic<std::uint64_t> transactions[threads_max];
    std::atomic<std::uint64_t> relations[threads_max];
    std::uint64_t ids[threads_max][reported_max];
    relation_ends ends[threads_max][reported_max];
};

using shared_reported = std::unique_ptr<reported, void (*)(reported *)>;

shared_reported make_reported()
{
    void *memory =
        mmap(nullptr, sizeof(reported), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return {static_cast<reported *>(memory), [](reported *at) { munmap(at, sizeof *at); }};
}

// The activity of each thread. Some record rarely, so that their blocks are read in many parts.
void record_and_report(const shared_stream &shared, reported &reported, unsigned thread)
{
    const unsigned pace = thread % 3 == 1 ? 3 : 50;
    ftr_tx last = {};
    for (std::uint64_t n = 0; n < reported_max; ++n) {
        const ftr_tx tx = shared.record(n);
        reported.ids[thread][n] = tx.id;
        reported.transactions[thread].store(n + 1, std::memory_order_release);
        if (n > 0) {
            shared.relate(last, tx);
            reported.ends[thread][n - 1] = {last.id, tx.id};
            reported.relations[thread].store(n, std::memory_order_release);
        }
        last = tx;
        if (n % pace == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(500));
    }
}

struct kill_setting {
    unsigned threads;
    bool rotates;
};

std::ostream &operator<<(std::ostream &out, kill_setting setting)
{
    return out << setting.threads << (setting.rotates ? "Rotating" : "");
}

class KilledAtAnyInstant : public testing::TestWithParam<kill_setting>
{
  protected:
    // Records to @p trace in a child that is killed after @p microseconds.
    static void record_until_killed(const std::string &trace, reported &reported,
                                    unsigned microseconds)
    {
        const pid_t child = fork();
        if (child == 0) {
            ftr_recorder_options options{};
            options.threads = 1;
            options.max_size = GetParam().rotates ? 64u << 10 : 0;
            options.max_files = GetParam().rotates ? 10000 : 0;
            const shared_stream shared(trace, options);
            for (unsigned i = 0; i < GetParam().threads; ++i)
                std::thread(record_and_report, std::cref(shared), std::ref(reported), i).detach();
            for (;;)
                pause();
        }
        while (reported.transactions[0].load(std::memory_order_acquire) < 100)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
        kill(child, SIGKILL);
        int status = 0;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << status;
    }

    // Compares the files of a run with the recorded calls: each transaction and relation is in one
    // file, once, or a relation is counted as lost.
    static void expect_all(const reported &reported,
                           const std::map<std::string, decoded_file> &files)
    {
        std::map<std::uint64_t, unsigned> transactions;
        std::map<relation_ends, unsigned> relations;
        std::uint64_t counted = 0;
        for (const auto &[path, file] : files) {
            for (const decoded_transaction &tx : file.transactions) {
                if (tx.stream == "ftr.losses")
                    counted += relations_lost(tx);
                else
                    ++transactions[tx.id];
            }
            for (const decoded_relation &relation : file.relations)
                ++relations[{relation.from, relation.to}];
        }
        EXPECT_EQ(duplicates(transactions), 0u);
        EXPECT_EQ(duplicates(relations), 0u);
        std::size_t lost = 0;
        std::uint64_t put = 0;
        for (unsigned thread = 0; thread < GetParam().threads; ++thread) {
            for (std::uint64_t n = 0; n < reported.transactions[thread]; ++n)
                lost += transactions.count(reported.ids[thread][n]) == 0;
            put += reported.relations[thread];
        }
        EXPECT_EQ(lost, 0u);
        // The kill may come between the call of a thread and its report.
        EXPECT_GE(relations.size() + counted, put);
        EXPECT_LE(relations.size() + counted, put + GetParam().threads);
    }

    static std::uint64_t relations_lost(const decoded_transaction &loss)
    {
        EXPECT_EQ(loss.value("what").get<std::string>().find("relations"), 0u);
        return loss.value("count").get<std::uint64_t>();
    }

    template <typename Counts> static std::size_t duplicates(const Counts &counts)
    {
        return std::count_if(counts.begin(), counts.end(),
                             [](const auto &one) { return one.second > 1; });
    }
};

// Number of kills for each setting: 200 for the soak test.
int kills()
{
    const char *soak = std::getenv("FTR_SOAK");
    return soak && *soak ? std::atoi(soak) : 2;
}

TEST_P(KilledAtAnyInstant, KeepsOrCountsEachTransactionOnce)
{
    std::mt19937 random(GetParam().threads * 2 + GetParam().rotates);
    for (int i = 0; i < kills(); ++i) {
        scratch_directory directory;
        const shared_reported reported = make_reported();
        const std::string trace = directory.path("run.ftr");
        record_until_killed(trace, *reported, random() % 20000);
        const ftr_recovery found = recover(trace, directory.path("sound.ftr"));
        std::vector<std::string> paths{directory.path("sound.ftr")};
        for (unsigned number = 1; number < found.file; ++number)
            paths.push_back(file_of(directory.path("run"), number));
        expect_all(*reported, decode_all(paths));
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, KilledAtAnyInstant,
                         testing::Values(kill_setting{1, false}, kill_setting{2, false},
                                         kill_setting{4, false}, kill_setting{8, false},
                                         kill_setting{1, true}, kill_setting{2, true},
                                         kill_setting{4, true}, kill_setting{8, true}),
                         testing::PrintToStringParamName());

} // namespace
