// Buffers of the recorder's own trace: the transactions that each keeps, and those that a trigger
// writes.
#include "buffered_recording.hpp"
#include "sanitizers.hpp"

#include <ftr/detail/word_calls.h>
#include <ftr/recovery.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace
{

constexpr std::uint64_t small = 256 << 10;
const std::string evicted = "left the flight recorder";

class Buffers : public Buffered
{
  protected:
    // Returns the name of the trace's file with this number.
    static std::string file_name(unsigned number)
    {
        return number == 1 ? "run.ftr"
                           : "run_file" + std::to_string(10000 + number).substr(1) + ".ftr";
    }
};

// Nothing is dropped without a writer thread, and other threads make no difference then.
class BuffersWithAWriter : public Buffers
{
};

TEST_P(Buffers, OfBusyStreamsDoNotEvictQuietStreams)
{
    open();
    buffer(buffer_options("chatty", FTR_BUFFER_RING, small, "bus.*"));
    buffer(buffer_options("rare", FTR_BUFFER_RING, small, "irq,*.irq"));
    const ftr_generator bus = generator("bus.port");
    const ftr_generator irq = generator("top.irq");
    const ftr_generator own = generator("cpu");
    for (std::uint64_t n = 0; n < 50000; ++n) {
        record(bus, n);
        if (n % 50 == 0) { // more than a block of it
            record(irq, n);
            record(own, n);
        }
    }
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    close();
    const decoded_file file = sound(path());
    EXPECT_EQ(numbers(file, "cpu").size(), 1000u);
    EXPECT_EQ(numbers(file, "top.irq").size(), 1000u);
    const std::set<std::uint64_t> kept = numbers(file, "bus.port");
    ASSERT_FALSE(kept.empty());
    EXPECT_EQ(kept, range(*kept.begin(), 49999));
    // Header, text and number take 104 bytes; the block being filled does not count against the
    // budget.
    EXPECT_GT(kept.size(), small / 104 * 9 / 10);
    EXPECT_LT(kept.size(), (small + 65536) / 104 * 11 / 10);
    EXPECT_EQ(lost(file, "chatty", evicted), *kept.begin());
    EXPECT_EQ(lost(file, "rare", ""), 0u);
    EXPECT_EQ(lost(file, "", ""), 0u);
    EXPECT_EQ(reports_.count(", of buffer chatty"), 1u);
}

TEST_P(Buffers, OfAFlightRecorderHaveSeparateRings)
{
    ftr_recorder_options with = options();
    with.mode = FTR_MODE_FLIGHT;
    with.flight_size = 1 << 20;
    open(with);
    buffer(buffer_options("rare", FTR_BUFFER_RING, small, "irq"));
    buffer(buffer_options("first", FTR_BUFFER_LINEAR, small, "setup"));
    const ftr_generator bus = generator("bus");
    const ftr_generator irq = generator("irq");
    const ftr_generator setup = generator("setup");
    for (std::uint64_t n = 0; n < 50000; ++n) {
        record(bus, n);
        if (n % 50 == 0)
            record(irq, n);
        if (n < 20000)
            record(setup, n);
    }
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    const decoded_file file = sound(path());
    EXPECT_EQ(numbers(file, "irq").size(), 1000u);
    const std::set<std::uint64_t> newest = numbers(file, "bus");
    ASSERT_FALSE(newest.empty());
    EXPECT_EQ(newest, range(*newest.begin(), 49999));
    EXPECT_EQ(lost(file, "", evicted), *newest.begin());
    // A linear buffer without a sink keeps the oldest ones.
    const std::set<std::uint64_t> oldest = numbers(file, "setup");
    EXPECT_EQ(oldest, range(0, oldest.size() - 1));
    EXPECT_GT(oldest.size(), small / 104 * 9 / 10);
    EXPECT_EQ(lost(file, "first", "their buffer is full"), 20000 - oldest.size());
    close();
}

TEST_P(Buffers, ContinueAfterATrigger)
{
    open();
    const ftr_buffer one = buffer(buffer_options("one", FTR_BUFFER_RING, small, "one"));
    const ftr_buffer two = buffer(buffer_options("two", FTR_BUFFER_RING, small, "two"));
    const ftr_generator a = generator("one");
    const ftr_generator b = generator("two");
    for (std::uint64_t n = 0; n < 100; ++n) {
        record(a, n);
        record(b, n);
    }
    ASSERT_EQ(ftr_buffer_trigger(recorder_, one), FTR_OK);
    const decoded_file then = decode(path()); // it has no end yet
    EXPECT_EQ(numbers(then, "one"), range(0, 99));
    EXPECT_EQ(numbers(then, "two").size(), 0u);
    // Far enough that the block read by a trigger is evicted from the ring.
    for (std::uint64_t n = 100; n < 30000; ++n)
        record(a, n);
    ASSERT_EQ(ftr_buffer_trigger(recorder_, one), FTR_OK);
    record(a, 30000);
    ASSERT_EQ(ftr_buffer_trigger(recorder_, one), FTR_OK);
    ASSERT_EQ(ftr_buffer_trigger(recorder_, one), FTR_OK);
    record(a, 30001);
    ASSERT_EQ(ftr_buffer_trigger(recorder_, two), FTR_OK);
    close();
    const decoded_file file = sound(path());
    std::set<std::uint64_t> kept = numbers(file, "one");
    EXPECT_EQ(kept.count(30001), 0u); // not triggered again
    kept.erase(kept.begin(), kept.lower_bound(100));
    ASSERT_FALSE(kept.empty());
    EXPECT_EQ(kept, range(*kept.begin(), 30000));
    EXPECT_EQ(numbers(file, "two"), range(0, 99));
    EXPECT_EQ(lost(file, "one", evicted), *kept.begin() - 100 + 1);
    EXPECT_EQ(lost(file, "two", ""), 0u);
}

TEST_P(Buffers, WriteTransactionsOpenAtTheTriggerWhenTheyEnd)
{
    open();
    const ftr_buffer ring = buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
    const ftr_generator generator = this->generator("ring");
    ftr_tx ended{};
    ftr_tx open_one{};
    ftr_tx lost_one{};
    ASSERT_EQ(ftr_tx_begin(recorder_, generator, 10, &ended), FTR_OK);
    ASSERT_EQ(ftr_tx_begin(recorder_, generator, 20, &open_one), FTR_OK);
    ASSERT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
    ASSERT_EQ(ftr_tx_put_number(recorder_, ended, 1, 4711), FTR_OK);
    ASSERT_EQ(ftr_tx_end(recorder_, ended, 30), FTR_OK);
    ASSERT_EQ(ftr_tx_begin(recorder_, generator, 40, &lost_one), FTR_OK);
    close();
    const decoded_file file = sound(path());
    EXPECT_EQ(file.transaction(ended.id).value("number"), 4711);
    EXPECT_EQ(file.transaction(ended.id).end, 30u);
    EXPECT_EQ(file.transaction(open_one.id).value("unfinished"), true);
    EXPECT_FALSE(file.has_transaction(lost_one.id));
    EXPECT_EQ(lost(file, "ring", evicted), 1u);
}

TEST_P(Buffers, AreWrittenAtTheEndOfAFailedRun)
{
    for (const bool has_failed : {false, true}) {
        open();
        buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
        const ftr_generator ring = generator("ring");
        const ftr_generator own = generator("own");
        for (std::uint64_t n = 0; n < 100; ++n) {
            record(ring, n);
            record(own, n);
        }
        ftr_tx open_one{};
        ASSERT_EQ(ftr_tx_begin(recorder_, ring, 1, &open_one), FTR_OK);
        if (has_failed) {
            ASSERT_EQ(ftr_recorder_mark_failed(recorder_), FTR_OK);
        }
        close();
        const decoded_file file = sound(path());
        EXPECT_EQ(file.has_transaction(open_one.id), has_failed);
        EXPECT_EQ(lost(file, "ring", evicted), has_failed ? 0u : 101u);
        EXPECT_EQ(numbers(file, "own"), range(0, 99));
        EXPECT_EQ(file.transactions.size(), has_failed ? 201u : 101u);
    }
}

TEST_P(Buffers, ContainTheRelationsOfTheirTransactions)
{
    open();
    const ftr_buffer ring = buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
    const ftr_generator in_ring = generator("ring");
    const ftr_generator own = generator("own");
    ftr_relation after = 0;
    ASSERT_EQ(ftr_relation_define(recorder_, "after", &after), FTR_OK);
    constexpr std::uint64_t count = 20000;
    std::vector<std::pair<ftr_tx, ftr_tx>> pairs;
    for (std::uint64_t n = 0; n < count; ++n) {
        const ftr_tx from = record(n % 3 ? own : in_ring, n);
        const ftr_tx to = record(in_ring, count + n);
        ASSERT_EQ(ftr_relation_put(recorder_, after, from, to), FTR_OK);
        pairs.emplace_back(from, to);
        // Enough time that the relation is read before the ring is written.
        if (n % 4096 == 0) {
            ASSERT_EQ(ftr_recorder_flush(recorder_), FTR_OK);
        }
    }
    ASSERT_EQ(ftr_recorder_flush(recorder_), FTR_OK);
    ASSERT_EQ(ftr_recorder_flush(recorder_), FTR_OK);
    ASSERT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
    close();
    const decoded_file file = sound(path());
    std::set<std::pair<std::uint64_t, std::uint64_t>> related;
    for (const decoded_relation &relation : file.relations)
        EXPECT_TRUE(related.insert({relation.from, relation.to}).second);
    // The newest have their relations. The ring has relations of about its own age.
    const std::size_t newest = numbers(file, "ring").size() / 2;
    std::size_t found = 0;
    for (std::size_t i = count - newest / 2; i < count; ++i)
        found += related.count({pairs[i].first.id, pairs[i].second.id});
    EXPECT_EQ(found, newest / 2);
    ftr_statistics statistics{};
    ASSERT_EQ(ftr_recorder_get_statistics(recorder_, &statistics), FTR_OK);
    EXPECT_EQ(statistics.relations, file.relations.size());
    EXPECT_EQ(statistics.relations_discarded + statistics.relations, count);
}

TEST_P(BuffersWithAWriter, DropOnlyTheirOwnTransactions)
{
    // The whole recorder waits for a blocked sink; only one buffer drops.
    ftr_recorder_options with = options();
    with.when_full = FTR_WHEN_FULL_DROP;
    with.time_scale = FTR_TIME_SCALE_LATER;
    open(with);
    buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
    const ftr_generator ring = generator("ring");
    for (std::uint64_t n = 0; n < 20000; ++n)
        record(ring, n);
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    ASSERT_EQ(ftr_recorder_set_time_scale(recorder_, -9), FTR_OK);
    close();
    const decoded_file file = sound(path());
    const std::set<std::uint64_t> kept = numbers(file, "ring");
    ASSERT_FALSE(kept.empty());
    EXPECT_EQ(kept, range(*kept.begin(), 19999));
    EXPECT_EQ(lost(file, "ring", evicted), *kept.begin());
}

TEST_P(Buffers, ContinueInFurtherFilesOfLimitedSize)
{
    ftr_recorder_options with = options();
    with.max_size = 100000;
    with.max_files = 100;
    open(with);
    const ftr_buffer ring = buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
    const ftr_generator in_ring = generator("ring");
    const ftr_generator own = generator("own");
    for (std::uint64_t n = 0; n < 10000; ++n) {
        record(in_ring, n);
        record(own, n);
        if (n % 2500 == 2499) {
            ASSERT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
        }
    }
    close();
    std::set<std::uint64_t> of_ring;
    std::set<std::uint64_t> of_own;
    std::uint64_t reported = 0;
    unsigned files = 0;
    for (std::string at = path(); std::filesystem::exists(at); at = path(file_name(files + 1))) {
        ++files;
        const decoded_file file = sound(at);
        for (const std::uint64_t n : numbers(file, "ring"))
            EXPECT_TRUE(of_ring.insert(n).second) << n << " is in two files";
        for (const std::uint64_t n : numbers(file, "own"))
            EXPECT_TRUE(of_own.insert(n).second) << n << " is in two files";
        reported += lost(file, "ring", evicted);
        EXPECT_LE(std::filesystem::file_size(at), with.max_size);
    }
    EXPECT_GE(files, 3u);
    EXPECT_EQ(of_own, range(0, 9999));
    EXPECT_EQ(of_ring, range(0, 9999));
    EXPECT_EQ(reported, 0u);
}

TEST_P(Buffers, AreRecoveredFromTheJournalAfterAKill)
{
    killed_process([&] {
        open();
        const ftr_buffer ring = buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
        buffer(buffer_options("kept", FTR_BUFFER_RING, 1 << 20, "kept"));
        const ftr_generator a = generator("ring");
        const ftr_generator b = generator("kept");
        const ftr_generator c = generator("own");
        ftr_relation after = 0;
        static_cast<void>(!ftr_relation_define(recorder_, "after", &after));
        for (std::uint64_t n = 0; n < 20000; ++n) {
            const ftr_tx from = record(a, n);
            if (n < 5000)
                record(b, n);
            const ftr_tx to = record(c, n);
            static_cast<void>(ftr_relation_put(recorder_, after, from, to));
            if (n == 5000)
                static_cast<void>(ftr_buffer_trigger(recorder_, ring));
        }
        static_cast<void>(ftr_recorder_flush(recorder_));
        ftr_tx open_one;
        static_cast<void>(ftr_tx_begin(recorder_, a, 1, &open_one));
    });
    ftr_recovery found{};
    const std::string out = path("sound.ftr");
    ASSERT_EQ(ftr_recovery_run((path() + ".journal").c_str(), nullptr, out.c_str(), &found), FTR_OK)
        << found.message;
    EXPECT_EQ(found.unfinished, 1u);
    decoded_file file = sound(out);
    EXPECT_EQ(numbers(file, "own"), range(0, 19999));
    EXPECT_EQ(numbers(file, "kept"), range(0, 4999));
    file.transactions.erase(std::remove_if(file.transactions.begin(), file.transactions.end(),
                                           [](const auto &tx) { return tx.attributes.size() < 2; }),
                            file.transactions.end());
    std::set<std::uint64_t> kept = numbers(file, "ring");
    // The triggered transactions, and the newest.
    std::set<std::uint64_t> newest(kept.upper_bound(5000), kept.end());
    EXPECT_EQ(newest, range(*newest.begin(), 19999));
    kept.erase(kept.upper_bound(5000), kept.end());
    EXPECT_EQ(kept, range(*kept.begin(), 5000));
    EXPECT_GT(newest.size(), small / 144 * 9 / 10); // with their relations
    std::set<std::pair<std::uint64_t, std::uint64_t>> related;
    for (const decoded_relation &relation : file.relations)
        EXPECT_TRUE(related.insert({relation.from, relation.to}).second) << "is there twice";
    EXPECT_GT(related.size(), newest.size());
}

TEST_P(Buffers, AreNotDuplicatedInFilesAfterAKill)
{
    killed_process([&] {
        ftr_recorder_options with = options();
        with.max_size = 100000;
        with.max_files = 100;
        open(with);
        const ftr_buffer ring = buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
        const ftr_generator in_ring = generator("ring");
        const ftr_generator own = generator("own");
        // A block of the ring is partly written to one file; it stays while further files follow.
        for (std::uint64_t n = 0; n < 20000; ++n) {
            if (n < 300)
                record(in_ring, n);
            record(own, n);
            if (n == 100)
                static_cast<void>(ftr_buffer_trigger(recorder_, ring));
        }
        static_cast<void>(ftr_recorder_flush(recorder_));
    });
    ftr_recovery found{};
    ASSERT_EQ(ftr_recovery_run((path() + ".journal").c_str(), path().c_str(),
                               path("sound.ftr").c_str(), &found),
              FTR_OK)
        << found.message;
    ASSERT_GT(found.file, 3u);
    std::set<std::uint64_t> of_ring;
    for (unsigned i = 1; i <= found.file; ++i) {
        const std::string name = i == found.file ? "sound.ftr" : file_name(i);
        for (const std::uint64_t n : numbers(sound(path(name)), "ring"))
            EXPECT_TRUE(of_ring.insert(n).second) << n << " is in two files";
    }
    EXPECT_EQ(of_ring, range(0, 299));
}

// Transactions on the inline path take ids without a check, as many as remain since the thread's
// last check.
TEST_P(BuffersWithAWriter, NeverUseAnIdTwice)
{
    open();
    constexpr std::size_t count = 8;
    std::string names[count];
    ftr_generator generators[count];
    for (std::size_t i = 0; i < count; ++i) {
        names[i] = "b" + std::to_string(i);
        buffer(buffer_options(names[i].c_str(), FTR_BUFFER_RING, 128 << 10, names[i].c_str()));
    }
    for (std::size_t i = 0; i < count; ++i)
        generators[i] = generator(names[i].c_str());
    const ftr_generator own = generator("own");
    std::vector<std::uint64_t> ids[2];
    /* a thread takes 65536 ids at once */
    constexpr std::uint64_t many = FTR_TEST_IS_SANITIZED ? 400000 : 3000000;
    const auto work = [&](std::vector<std::uint64_t> &mine) {
        const std::uint64_t none = 0;
        for (std::uint64_t n = 0; n < many; ++n) {
            ftr_tx tx{};
            if (n % 7 == 0) {
                static_cast<void>(ftr_tx_begin(recorder_, own, n, &tx));
                static_cast<void>(ftr_tx_end(recorder_, tx, n));
            } else {
                static_cast<void>(
                    ftr_tx_record_words(recorder_, generators[n % count], n, n, &none, 0, &tx));
            }
            mine.push_back(tx.id);
        }
    };
    std::thread first(work, std::ref(ids[0]));
    work(ids[1]);
    first.join();
    close();
    std::vector<std::uint64_t> all = ids[0];
    all.insert(all.end(), ids[1].begin(), ids[1].end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

// A sink that lets a thread record during one of its writes, and waits until the thread is done.
class interrupting_sink
{
  public:
    const ftr_sink *sink() const { return &sink_; }
    const std::string &bytes() const { return bytes_; }

    // Chooses the write with this number, from now on.
    void arm(int number)
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        writes_left_ = number;
    }
    // For the thread: waits until it may record, and reports that it is done.
    void await() { wait_for(recording); }
    void done() { set(over); }
    // Lets the thread record, unless it has done so, and waits until it is done.
    void finish()
    {
        set(recording);
        wait_for(over);
    }

  private:
    enum turn { waiting, recording, over };

    std::int64_t write(const void *data, std::size_t size)
    {
        bytes_.append(static_cast<const char *>(data), size);
        std::unique_lock<std::mutex> guard(mutex_);
        const bool is_it = writes_left_ > 0 && --writes_left_ == 0;
        guard.unlock();
        if (is_it)
            finish();
        return std::int64_t(size);
    }
    void set(turn to)
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        if (to > turn_)
            turn_ = to;
        changed_.notify_all();
    }
    void wait_for(turn awaited)
    {
        std::unique_lock<std::mutex> guard(mutex_);
        changed_.wait(guard, [&] { return turn_ >= awaited; });
    }

    ftr_sink sink_ = {this,
                      [](void *user, const void *data, std::size_t size) {
                          return static_cast<interrupting_sink *>(user)->write(data, size);
                      },
                      nullptr};
    std::string bytes_;
    std::mutex mutex_;
    std::condition_variable changed_;
    int writes_left_ = 0;
    turn turn_ = waiting;
};

// A thread gets its first block again, which the same drain has read and released. Its previous
// content was partly read by an earlier drain; its current content is all new.
TEST_P(BuffersWithAWriter, ReadAReusedBlockFromItsStart)
{
    // A block takes 630 transactions. The first trigger reads 100 of the thread's first block. At
    // the second one the thread has filled this block and the next, and begun a third. During one
    // of the writes of this drain it fills the third and gets a fourth. The encoder determines
    // which of the writes comes between the release of the first block and the end of the second.
    constexpr std::uint64_t before = 100;
    constexpr std::uint64_t blocks = 1400;
    constexpr std::uint64_t all = 2400;
    for (int number = 1; number <= 8; ++number) {
        interrupting_sink sink;
        ftr_recorder_options with = options();
        with.sink = sink.sink();
        with.chunk_size = 16 << 10;
        ASSERT_EQ(ftr_recorder_open(nullptr, &with, &recorder_), FTR_OK);
        const ftr_buffer ring = buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
        const ftr_generator in_ring = generator("ring");
        std::promise<void> half;
        std::promise<void> go_on;
        std::promise<void> full;
        std::thread other([&] {
            for (std::uint64_t n = 0; n < before; ++n)
                record(in_ring, n);
            half.set_value();
            go_on.get_future().wait();
            for (std::uint64_t n = before; n < blocks; ++n)
                record(in_ring, n);
            full.set_value();
            sink.await();
            for (std::uint64_t n = blocks; n < all; ++n)
                record(in_ring, n);
            sink.done();
        });
        half.get_future().wait();
        EXPECT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
        go_on.set_value();
        full.get_future().wait();
        for (std::uint64_t n = all; n < all + 700; ++n)
            record(in_ring, n);
        sink.arm(number);
        EXPECT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
        sink.finish();
        other.join();
        EXPECT_EQ(ftr_buffer_trigger(recorder_, ring), FTR_OK);
        close();
        const std::string bytes = path(std::to_string(number) + ".ftr");
        write_contents(bytes, sink.bytes());
        EXPECT_EQ(numbers(sound(bytes), "ring"), range(0, all + 699)) << number;
    }
}

TEST_P(BuffersWithAWriter, RecordSeveralThreads)
{
    open();
    const ftr_buffer kept = buffer(buffer_options("kept", FTR_BUFFER_RING, 1 << 20, "kept"));
    const ftr_buffer ring = buffer(buffer_options("ring", FTR_BUFFER_RING, small, "ring"));
    buffer(buffer_options("linear", FTR_BUFFER_LINEAR, small, "linear"));
    const ftr_generator generators[] = {generator("ring"), generator("kept"), generator("linear"),
                                        generator("own")};
    std::atomic<bool> is_over{false};
    std::atomic<std::uint64_t> ended{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] {
            for (std::uint64_t n = 0; !is_over; ++n) {
                ftr_tx tx{};
                EXPECT_EQ(ftr_tx_begin(recorder_, generators[(n + i) % 4], n, &tx), FTR_OK);
                EXPECT_EQ(ftr_tx_put_text(recorder_, tx, 0, "text", FTR_NUL_TERMINATED), FTR_OK);
                EXPECT_EQ(ftr_tx_end(recorder_, tx, n), FTR_OK);
                ++ended;
            }
        });
    }
    for (std::uint64_t n = 1; n <= 5; ++n) {
        while (ended < 20000 * n)
            std::this_thread::yield();
        ASSERT_EQ(ftr_buffer_trigger(recorder_, n % 2 ? ring : kept), FTR_OK);
    }
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    is_over = true;
    for (std::thread &thread : threads)
        thread.join();
    ASSERT_EQ(ftr_recorder_trigger(recorder_), FTR_OK);
    close();
    const decoded_file file = sound(path());
    std::map<std::string, std::uint64_t> counts;
    std::uint64_t reported = 0;
    std::set<std::uint64_t> ids;
    for (const decoded_transaction &tx : file.transactions) {
        EXPECT_TRUE(ids.insert(tx.id).second);
        if (tx.stream == "ftr.losses")
            reported += tx.value("count").get<std::uint64_t>();
        else
            ++counts[tx.stream];
    }
    EXPECT_EQ(counts["ring"] + counts["kept"] + counts["linear"] + counts["own"] + reported, ended);
    EXPECT_GT(counts["ring"], 3000u);
    EXPECT_EQ(counts["linear"] + counts["own"], ended - lost(file, "ring", "") -
                                                    lost(file, "kept", "") - counts["ring"] -
                                                    counts["kept"]);
}

INSTANTIATE_TEST_SUITE_P(Threads, Buffers, testing::Values(0, 1));
INSTANTIATE_TEST_SUITE_P(Threads, BuffersWithAWriter, testing::Values(1));

} // namespace
