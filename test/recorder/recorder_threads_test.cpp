// Recording from many threads at the same time: the content is exact, and a thread sanitizer finds
// nothing.
#include "memory_sink.hpp"
#include "recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <tuple>

namespace
{
constexpr int thread_count = 8;

// The expected content of the file for one transaction.
struct expectation {
    std::string stream;
    std::string generator;
    std::uint64_t begin;
    std::uint64_t end;
    std::vector<decoded_attribute> attributes;
};

using expectations = std::map<std::uint64_t, expectation>;
// name, from, to, from stream, to stream
using relation_tuple =
    std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

void expect_exactly(const decoded_file &file, const expectations &expected,
                    const std::multiset<relation_tuple> &relations)
{
    ASSERT_EQ(file.transactions.size(), expected.size());
    for (const decoded_transaction &read : file.transactions) {
        const auto found = expected.find(read.id);
        ASSERT_NE(found, expected.end()) << read;
        const expectation &one = found->second;
        ASSERT_EQ(read, (decoded_transaction{read.id, one.stream, one.generator, one.begin, one.end,
                                             one.attributes}));
    }
    std::multiset<relation_tuple> written;
    for (const decoded_relation &relation : file.relations)
        written.emplace(relation.name, relation.from, relation.to, relation.from_stream,
                        relation.to_stream);
    EXPECT_TRUE(written == relations);
}

// A transaction that is passed from the thread that began it to the one that ends it.
struct handed_over {
    ftr_tx tx;
    expectation expected;
};

class mailbox
{
  public:
    void put(handed_over item)
    {
        {
            const std::lock_guard<std::mutex> guard(mutex_);
            items_.push_back(std::move(item));
        }
        arrived_.notify_one();
    }
    handed_over take()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        arrived_.wait(lock, [this] { return !items_.empty(); });
        handed_over item = std::move(items_.front());
        items_.pop_front();
        return item;
    }

  private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<handed_over> items_;
};

// Ended transactions to which any thread may add relations.
class ended_transactions
{
  public:
    void add(ftr_tx tx)
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        all_.push_back(tx);
    }
    ftr_tx any(std::mt19937 &random)
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        return all_.empty() ? ftr_tx{} : all_[random() % all_.size()];
    }

  private:
    std::mutex mutex_;
    std::vector<ftr_tx> all_;
};

struct named_generator {
    ftr_generator handle;
    std::string stream;
    std::string name;
};

const std::vector<ftr_attribute> declared = {{"thread", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                             {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD},
                                             {"ended by", FTR_TYPE_INTEGER, FTR_CLASS_END}};

// One of eight threads: its actions, and the resulting content of the file.
class worker
{
  public:
    worker(recording &rec, unsigned number, std::vector<named_generator> shared,
           ftr_relation follows, ended_transactions &ended, std::vector<mailbox> &mailboxes)
        : rec_(rec), number_(number), generators_(std::move(shared)), follows_(follows),
          ended_(ended), mailboxes_(mailboxes), random_(number)
    {
    }

    void run(int rounds)
    {
        define_own();
        for (int i = 0; i < rounds; ++i) {
            record(std::uint64_t(i));
            hand_on(std::uint64_t(i));
            end(mailboxes_[number_].take(), std::uint64_t(i));
        }
    }

    expectations expected;
    std::multiset<relation_tuple> relations;

  private:
    void define_own()
    {
        const std::string name = "own." + std::to_string(number_);
        const ftr_stream stream = rec_.stream(name.c_str());
        generators_.push_back({rec_.generator(stream, "own", declared), name, "own"});
    }

    const named_generator &any_generator() { return generators_[random_() % generators_.size()]; }

    void record(std::uint64_t i)
    {
        const named_generator &of = any_generator();
        const std::string text = "text " + std::to_string(random_() % 500);
        const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, number_),
                                    text_value(FTR_TYPE_STRING, text.c_str())};
        ftr_tx tx = {};
        ASSERT_EQ(ftr_tx_record(rec_, of.handle, i, i + number_, values, 2, &tx), FTR_OK);
        keep(tx, {of.stream,
                  of.name,
                  i,
                  i + number_,
                  {{"begin", "thread", "UNSIGNED", number_}, {"record", "text", "STRING", text}}});
    }

    void hand_on(std::uint64_t i)
    {
        const named_generator &of = any_generator();
        ftr_tx tx = {};
        ASSERT_EQ(ftr_tx_begin(rec_, of.handle, i, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_put_number(rec_, tx, 0, number_), FTR_OK);
        mailboxes_[(number_ + 1) % mailboxes_.size()].put(
            {tx, {of.stream, of.name, i, 0, {{"begin", "thread", "UNSIGNED", number_}}}});
    }

    void end(handed_over item, std::uint64_t i)
    {
        const std::string text(random_() % 400, char('a' + number_));
        ASSERT_EQ(ftr_tx_put_text(rec_, item.tx, 1, text.data(), text.size()), FTR_OK);
        ASSERT_EQ(ftr_tx_put_int(rec_, item.tx, 2, number_), FTR_OK);
        item.expected.attributes.push_back({"record", "text", "STRING", text});
        item.expected.attributes.push_back({"end", "ended by", "INTEGER", number_});
        item.expected.end = item.expected.begin + i + 5;
        relate(item.tx);
        ASSERT_EQ(ftr_tx_end(rec_, item.tx, item.expected.end), FTR_OK);
        keep(item.tx, std::move(item.expected));
    }

    void keep(ftr_tx tx, expectation one)
    {
        ASSERT_TRUE(expected.emplace(tx.id, std::move(one)).second) << "an id came twice";
        ended_.add(tx);
        relate(tx);
    }

    void relate(ftr_tx to)
    {
        const ftr_tx from = ended_.any(random_);
        if (from.id == 0)
            return;
        ASSERT_EQ(ftr_relation_put(rec_, follows_, from, to), FTR_OK);
        relations.emplace("follows", from.id, to.id, ftr_tx_stream(from), ftr_tx_stream(to));
    }

    recording &rec_;
    unsigned number_;
    std::vector<named_generator> generators_;
    ftr_relation follows_;
    ended_transactions &ended_;
    std::vector<mailbox> &mailboxes_;
    std::mt19937 random_;
};

class RecorderThreads : public testing::TestWithParam<int>
{
  protected:
    static ftr_recorder_options options()
    {
        ftr_recorder_options options = {};
        options.threads = GetParam();
        options.block_memory = 1; // threads sometimes wait for the writer
        options.chunk_size = 4000;
        return options;
    }
};

TEST_P(RecorderThreads, EightThreadsRecordSharedAndOwnStreamsWithRelations)
{
    recording rec(options());
    std::vector<named_generator> shared;
    for (int i = 0; i < 4; ++i) {
        const std::string stream = "shared." + std::to_string(i);
        const ftr_stream handle = rec.stream(stream.c_str());
        for (const char *name : {"read", "write"})
            shared.push_back({rec.generator(handle, name, declared), stream, name});
    }
    ftr_relation follows = 0;
    ASSERT_EQ(ftr_relation_define(rec, "follows", &follows), FTR_OK);
    ended_transactions ended;
    std::vector<mailbox> mailboxes(thread_count);
    std::vector<worker> workers;
    workers.reserve(thread_count);
    for (unsigned i = 0; i < thread_count; ++i)
        workers.emplace_back(rec, i, shared, follows, ended, mailboxes);
    std::vector<std::thread> threads;
    for (worker &one : workers)
        threads.emplace_back([&one] { one.run(800); });
    for (std::thread &thread : threads)
        thread.join();

    expectations expected;
    std::multiset<relation_tuple> relations;
    for (const worker &one : workers) {
        for (const auto &[id, tx] : one.expected)
            ASSERT_TRUE(expected.emplace(id, tx).second) << "an id came from two threads";
        relations.insert(one.relations.begin(), one.relations.end());
    }
    ASSERT_EQ(expected.size(), 2u * 800 * thread_count);
    expect_exactly(rec.decoded(), expected, relations);
    const ftr_statistics statistics = rec.statistics();
    EXPECT_EQ(statistics.transactions, expected.size());
    EXPECT_EQ(statistics.relations, relations.size());
    EXPECT_EQ(statistics.misuses, 0u);
}

TEST_P(RecorderThreads, OtherCallsAreSafeDuringRecording)
{
    recording rec(options());
    const ftr_generator generator = rec.generator(rec.stream("top"), "g", declared);
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> filtered{0};
    std::vector<std::thread> recorders;
    for (int t = 0; t < 3; ++t) {
        recorders.emplace_back([&] {
            for (std::uint64_t i = 0; !stop; ++i) {
                if (i > 5000) // enough to decode; slower from here on
                    std::this_thread::sleep_for(std::chrono::microseconds(100));
                ftr_tx tx = {};
                EXPECT_EQ(ftr_tx_begin(rec, generator, i, &tx), FTR_OK);
                EXPECT_EQ(ftr_tx_put_number(rec, tx, 0, i), FTR_OK);
                EXPECT_EQ(ftr_tx_end(rec, tx, i), FTR_OK);
                filtered += tx.id == FTR_TX_NOT_RECORDED;
            }
        });
    }
    std::vector<std::thread> callers;
    callers.emplace_back([&] {
        for (int i = 0; i < 100; ++i)
            EXPECT_EQ(ftr_recorder_flush(rec), FTR_OK);
    });
    callers.emplace_back([&] {
        for (int i = 0; i < 100; ++i) {
            EXPECT_EQ(ftr_recorder_set_recording(rec, i % 2), FTR_OK);
            std::this_thread::yield();
        }
    });
    callers.emplace_back([&] {
        for (int i = 0; i < 100; ++i) {
            const ftr_statistics statistics = rec.statistics();
            EXPECT_LE(statistics.open_transactions, 3u);
            ftr_failure failure;
            EXPECT_EQ(ftr_recorder_get_failure(rec, &failure), FTR_OK);
        }
    });
    for (int t = 0; t < 2; ++t) {
        callers.emplace_back([&] {
            for (int i = 0; i < 100; ++i) {
                const ftr_stream stream = rec.stream("same name");
                rec.generator(stream, "g", declared); // not used: not in the file
                EXPECT_TRUE(ftr_stream_is_recorded(rec, stream));
                ftr_relation relation = 0;
                EXPECT_EQ(ftr_relation_define(rec, "same name", &relation), FTR_OK);
                ftr_text text = 0;
                EXPECT_EQ(ftr_text_define(rec, "same text", FTR_NUL_TERMINATED, &text), FTR_OK);
            }
        });
    }
    for (std::thread &thread : callers)
        thread.join();
    stop = true;
    for (std::thread &thread : recorders)
        thread.join();
    ASSERT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(findings(rec.path(), "--allow end-order"), std::vector<std::string>{});
    const nlohmann::json summary = summary_of(rec.path());
    EXPECT_EQ(summary.at("streams"), 201);
    EXPECT_EQ(summary.at("generators"), 1);
    EXPECT_EQ(summary.at("transactions"), rec.statistics().transactions);
    EXPECT_EQ(rec.statistics().filtered, filtered);
    EXPECT_EQ(rec.statistics().renamed_streams, 199u);
}

TEST_P(RecorderThreads, NewThreadsReuseTheLanesOfEndedThreads)
{
    recording rec(options());
    const ftr_generator generator = rec.generator(rec.stream("top"), "g", declared);
    std::uint64_t memory = 0;
    for (int i = 0; i < 400; ++i) {
        std::vector<std::thread> threads;
        for (int t = 0; t < 2; ++t) {
            threads.emplace_back([&] {
                ftr_tx open = {};
                EXPECT_EQ(ftr_tx_begin(rec, generator, 1, &open), FTR_OK);
                EXPECT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, nullptr), FTR_OK);
                EXPECT_EQ(ftr_tx_end(rec, open, 3), FTR_OK);
            });
        }
        for (std::thread &thread : threads)
            thread.join();
        if (i == 40)
            memory = rec.statistics().memory;
    }
    EXPECT_LT(rec.statistics().memory, memory + (1 << 20))
        << "a lane each would take a block each: 45 MiB";
    EXPECT_EQ(rec.decoded().transactions.size(), 1600u);
}

TEST_P(RecorderThreads, CanEndDuringAndAfterClose)
{
    for (int i = 0; i < 100; ++i) {
        memory_sink sink;
        ftr_recorder_options with = options();
        with.sink = sink.sink();
        recording rec(with);
        const ftr_generator generator = rec.generator(rec.stream("top"), "g");
        std::atomic<int> recorded{0};
        std::atomic<bool> is_closed{false};
        const auto record = [&](bool waits) {
            EXPECT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, nullptr), FTR_OK);
            ++recorded;
            while (waits && !is_closed)
                std::this_thread::yield();
        };
        std::thread ends_meanwhile(record, false);
        std::thread ends_after(record, true);
        while (recorded < 2)
            std::this_thread::yield();
        ASSERT_EQ(rec.close(), FTR_OK);
        is_closed = true;
        ends_meanwhile.join();
        ends_after.join();
        EXPECT_EQ(rec.statistics().transactions, 2u);
    }
}

TEST_P(RecorderThreads, CanAlternateBetweenRecorders)
{
    std::vector<std::unique_ptr<recording>> all;
    std::vector<ftr_generator> generators;
    for (int i = 0; i < 3; ++i) {
        all.push_back(std::make_unique<recording>(options()));
        generators.push_back(all[i]->generator(all[i]->stream("top"), "g", declared));
    }
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 0; i < 1000; ++i) {
                ftr_tx open[3] = {};
                for (int r = 0; r < 3; ++r)
                    EXPECT_EQ(ftr_tx_begin(*all[r], generators[r], i, &open[r]), FTR_OK);
                for (int r = 0; r < 3; ++r) {
                    EXPECT_EQ(ftr_tx_put_number(*all[r], open[r], 0, r), FTR_OK);
                    EXPECT_EQ(ftr_tx_end(*all[r], open[r], i), FTR_OK);
                }
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    for (int r = 0; r < 3; ++r) {
        const decoded_file file = all[r]->decoded();
        ASSERT_EQ(file.transactions.size(), 4000u);
        for (const decoded_transaction &tx : file.transactions)
            ASSERT_EQ(tx.value("thread"), r);
    }
}

TEST_P(RecorderThreads, CanEndTransactionsOfOtherThreads)
{
    recording rec(options());
    const ftr_generator generator = rec.generator(rec.stream("top"), "g", declared);
    // One thread only begins, the other only ends: slots must return to the first one.
    mailbox box;
    constexpr int count = 60000;
    std::thread begins([&] {
        for (int i = 0; i < count; ++i) {
            ftr_tx tx = {};
            EXPECT_EQ(ftr_tx_begin(rec, generator, std::uint64_t(i), &tx), FTR_OK);
            box.put({tx, {}});
        }
    });
    std::thread ends([&] {
        for (int i = 0; i < count; ++i)
            EXPECT_EQ(ftr_tx_end(rec, box.take().tx, count), FTR_OK);
    });
    begins.join();
    ends.join();
    ASSERT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(findings(rec.path()), std::vector<std::string>{});
    EXPECT_EQ(summary_of(rec.path()).at("transactions"), count);
}

// The encoder reads the entry behind the attributes of a generator. This entry must not be an
// attribute of the generator that another thread is defining.
TEST_P(RecorderThreads, CanDefineAGeneratorDuringTheEncodingOfThePreviousOne)
{
    recording rec(options());
    const ftr_stream stream = rec.stream("top");
    const std::vector<ftr_attribute> only = {declared[0]};
    std::atomic<ftr_generator> newest{rec.generator(stream, "g", only)};
    constexpr int count = 2000;
    std::atomic<int> recorded{0};
    std::thread records([&] {
        const ftr_value value = {FTR_TYPE_UNSIGNED, 0, 0, {1}};
        for (int i = 0; i < count; ++i) {
            ftr_tx tx = {};
            EXPECT_EQ(ftr_tx_begin(rec, newest, 1, &tx), FTR_OK);
            EXPECT_EQ(ftr_tx_put_number(rec, tx, 0, 1), FTR_OK);
            EXPECT_EQ(ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "more", &value), FTR_OK);
            EXPECT_EQ(ftr_tx_end(rec, tx, 2), FTR_OK);
            ++recorded;
            EXPECT_EQ(ftr_recorder_flush(rec), FTR_OK);
        }
    });
    for (int i = 0; i < count; ++i) {
        while (recorded <= i)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::microseconds(i % 100));
        newest = rec.generator(stream, "g", only);
    }
    records.join();
    ASSERT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(findings(rec.path()), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(WriterThreads, RecorderThreads, testing::Values(0, 1));
} // namespace
