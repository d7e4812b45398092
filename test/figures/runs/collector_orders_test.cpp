// The order in which transactions are added to a collector, and the way in which its state is kept
// meanwhile, do not change the record of the run.
extern "C" {
#include "activity.h"
#include "cbor_reader.h"
#include "cbor_writer.h"
#include "late_activity.h"
#include "run_collector.h"
#include "run_encoding.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace
{

struct transaction {
    uint64_t begin, end;
    size_t generator;
    uint64_t bytes;
    bool unfinished;
};

// The streams and generators of a run: generator `g` belongs to stream `g % streams`.
struct model {
    size_t streams, generators;
    uint64_t step, longest;
};

std::vector<transaction> transactions_of(const model &of, size_t count)
{
    std::mt19937_64 random(of.streams * 1000003 + of.step);
    std::vector<transaction> made;
    uint64_t now = random() % 1000;
    for (size_t i = 0; i < count; ++i) {
        now += random() % (of.step + 1);
        if (random() % 500 == 0)
            now += of.step * 1000;
        const uint64_t last = random() % 6 == 0 ? now : now + random() % (of.longest + 1);
        made.push_back({now, random() % 200 == 0 ? last + 50 * of.longest : last,
                        random() % of.generators, random() % 100, i + 40 > count && i % 4 == 0});
    }
    return made;
}

class collector
{
  public:
    collector(const model &of, ftr_collect_order order) : model_(of), order_(order)
    {
        create();
        for (size_t i = 0; i < of.generators; ++i)
            enter(i);
    }
    collector(const collector &) = delete;
    collector &operator=(const collector &) = delete;
    ~collector() { ftr_run_collector_destroy(collector_); }

    void add(const transaction &of)
    {
        ftr_tx_figures tx = {};
        tx.id = of.begin * 7 + of.generator;
        tx.begin = of.begin;
        tx.end = of.end;
        tx.bytes = of.bytes;
        tx.unfinished = of.unfinished;
        ASSERT_EQ(ftr_run_collector_add(collector_, of.generator, &tx), FTR_OK);
    }

    void hold() { ftr_run_collector_hold(collector_); }
    void let_go(uint64_t until) { ASSERT_EQ(ftr_run_collector_let_go(collector_, until), FTR_OK); }

    // Continues with a collector that has the same state.
    void restore()
    {
        ftr_cbor_writer w;
        ftr_cbor_reader r;
        ftr_cbor_writer_init_growing(&w, 0);
        ftr_collector_state_put(collector_, &w);
        ftr_run_collector_destroy(collector_);
        create();
        ftr_cbor_reader_init(&r, w.begin, ftr_cbor_writer_size(&w));
        EXPECT_EQ(ftr_collector_state_get(collector_, &r), FTR_OK);
        ftr_cbor_writer_free(&w);
    }

    std::string bytes()
    {
        ftr_run_source source = {};
        source.file = "run.ftr";
        source.part = 1;
        source.time_scale = -12;
        ftr_run_record run = {};
        if (order_ == FTR_COLLECT_AS_RECORDED) {
            EXPECT_EQ(ftr_run_collector_settle(collector_), FTR_OK);
        }
        EXPECT_EQ(ftr_run_collector_record(collector_, &source, &run), FTR_OK);
        slots_ = run.streams[0].generators[0].series.count;
        ftr_encoded_run encoded = {};
        EXPECT_EQ(ftr_run_encode(&run, &encoded), FTR_OK);
        std::string made(reinterpret_cast<const char *>(encoded.bytes), encoded.size);
        ftr_encoded_run_release(&encoded);
        ftr_run_record_release(&run);
        return made;
    }

    unsigned slots() const { return slots_; }

  private:
    void create() { ASSERT_EQ(ftr_run_collector_create(order_, &collector_), FTR_OK); }

    void enter(size_t i)
    {
        size_t stream, generator;
        const std::string of = "s" + std::to_string(i % model_.streams);
        const std::string name = (i % 5 == 3 ? "events" : "g") + std::to_string(i);
        ASSERT_EQ(ftr_run_collector_stream(collector_, of.data(), of.size(), "", 0, &stream),
                  FTR_OK);
        ASSERT_EQ(
            ftr_run_collector_generator(collector_, stream, name.data(), name.size(), &generator),
            FTR_OK);
        ASSERT_EQ(generator, i);
    }

    model model_;
    ftr_collect_order order_;
    ftr_run_collector *collector_ = nullptr;
    unsigned slots_ = 0;
};

bool ends_before(const transaction &a, const transaction &b)
{
    return a.end < b.end;
}

// A recorder reads transactions nearly in order of end: each one at most `distance` places late.
std::vector<transaction> as_recorded(std::vector<transaction> all, size_t distance)
{
    std::mt19937_64 random(distance);
    std::stable_sort(all.begin(), all.end(), ends_before);
    for (size_t i = 0; distance > 0 && i < all.size(); i += distance + 1)
        std::shuffle(all.begin() + static_cast<std::ptrdiff_t>(i),
                     all.begin() + static_cast<std::ptrdiff_t>(std::min(i + distance, all.size())),
                     random);
    return all;
}

const std::vector<model> models = {
    {1, 1, 10, 9},     {1, 3, 2, 60},      {4, 8, 1, 40},          {3, 3, 100000, 5000},
    {30, 90, 1, 200},  {200, 500, 3, 100}, {400, 401, 1 << 20, 9}, {1, 2, UINT64_C(1) << 50, 7},
    {2, 300, 7, 1000},
};

std::string in_order_of_begin(const model &of, const std::vector<transaction> &all)
{
    collector in_order(of, FTR_COLLECT_BY_BEGIN);
    for (const transaction &tx : all)
        in_order.add(tx);
    return in_order.bytes();
}

TEST(CollectorOrders, OrderOfEndGivesTheRecordOfTheOrderOfBegin)
{
    for (const model &of : models) {
        const std::vector<transaction> all = transactions_of(of, 6000);
        const std::string expected = in_order_of_begin(of, all);
        for (const size_t distance : {0, 1, 30, 900}) {
            collector recorded(of, FTR_COLLECT_AS_RECORDED);
            for (const transaction &tx : as_recorded(all, distance))
                recorded.add(tx);
            EXPECT_TRUE(recorded.bytes() == expected) << of.streams << " " << distance;
        }
    }
}

TEST(CollectorOrders, StatesThatAreWrittenAndReadChangeNothing)
{
    for (const model &of : models) {
        const std::vector<transaction> all = transactions_of(of, 3000);
        const std::string expected = in_order_of_begin(of, all);
        collector recorded(of, FTR_COLLECT_AS_RECORDED);
        size_t left = 0;
        for (const transaction &tx : as_recorded(all, 20)) {
            recorded.add(tx);
            if (left-- == 0) {
                recorded.restore();
                left = 377;
            }
        }
        EXPECT_TRUE(recorded.bytes() == expected) << of.streams;
    }
}

// Passes of the drain read one thread after the other.
TEST(CollectorOrders, TransactionsOfSeveralThreadsAreSortedInEachPass)
{
    for (const model &of : models) {
        const std::vector<transaction> all = transactions_of(of, 6000);
        const std::string expected = in_order_of_begin(of, all);
        const std::vector<transaction> ends = as_recorded(all, 0);
        collector recorded(of, FTR_COLLECT_AS_RECORDED);
        uint64_t until = 0;
        for (size_t from = 0; from < ends.size(); from += 2500) {
            const size_t to = std::min(from + 2500, ends.size());
            recorded.hold();
            for (size_t thread = 0; thread < 3; ++thread)
                for (size_t i = from; i < to; ++i)
                    if (i % 3 == thread)
                        recorded.add(ends[i]);
            recorded.let_go(until);
            until = ends[to - 1].end;
        }
        EXPECT_TRUE(recorded.bytes() == expected) << of.streams;
    }
}

// With many streams, transactions wait for a shorter time, so the order has to be better.
TEST(CollectorOrders, ThousandsOfStreamsShareTheMemory)
{
    const model of = {9000, 18000, 1, 3000};
    const std::vector<transaction> all = transactions_of(of, 700000);
    collector recorded(of, FTR_COLLECT_AS_RECORDED);
    for (const transaction &tx : as_recorded(all, 50))
        recorded.add(tx);
    const std::string expected = in_order_of_begin(of, all);
    EXPECT_TRUE(recorded.bytes() == expected);
    EXPECT_LE(recorded.slots(), 9u);
    EXPECT_GE(recorded.slots(), 3u);
}

TEST(CollectorOrders, ExcessiveStreamsShareOneSlot)
{
    const model of = {100000, 100000, 1, 3000};
    collector recorded(of, FTR_COLLECT_AS_RECORDED), in_order(of, FTR_COLLECT_BY_BEGIN);
    for (size_t round = 0; round < 3; ++round)
        for (size_t i = 0; i < of.generators; ++i) {
            const uint64_t begin = round * 1000000 + i;
            recorded.add({begin, begin + 5, i, 1, false});
            in_order.add({begin, begin + 5, i, 1, false});
        }
    EXPECT_TRUE(recorded.bytes() == in_order.bytes());
    EXPECT_EQ(recorded.slots(), 1u);
}

void take_ticks(void *ticks, uint64_t begin, uint64_t end)
{
    for (; begin < end; ++begin)
        ASSERT_TRUE(static_cast<std::set<uint64_t> *>(ticks)->insert(begin).second);
}

// activity_test.cpp compares the activity in order of begin with a count of all transactions.
TEST(LateActivity, CountsOverlappingTransactionsAndBusyTicks)
{
    unsigned some = 0;
    for (const uint64_t longest : {1, 2, 9, 40, 400})
        for (const uint64_t step : {0, 1, 3, 20}) {
            const std::vector<transaction> all = transactions_of({1, 1, step, longest}, 1500);
            ftr_activity by_begin = {};
            for (const transaction &tx : all) {
                uint64_t idle;
                ASSERT_TRUE(ftr_activity_add(&by_begin, tx.begin, tx.end, &idle));
            }
            ftr_late_activity by_end = {};
            std::set<uint64_t> busy;
            unsigned usual = 0;
            for (const transaction &tx : as_recorded(all, 0)) {
                uint64_t idle = 0;
                if (ftr_late_activity_add_usual(&by_end, tx.begin, tx.end, &idle)) {
                    take_ticks(&busy, idle, tx.end);
                    ++usual;
                } else {
                    ASSERT_TRUE(
                        ftr_late_activity_add(&by_end, tx.begin, tx.end, take_ticks, &busy));
                }
            }
            EXPECT_EQ(by_end.outstanding, by_begin.outstanding) << longest << " " << step;
            EXPECT_EQ(by_end.busy, by_begin.busy);
            EXPECT_EQ(busy.size(), by_begin.busy);
            some += usual;
            ftr_late_activity_release(&by_end);
            ftr_activity_release(&by_begin);
        }
    EXPECT_GT(some, 3000u);
}

} // namespace
