// A collector that counts small latencies in an array gives the same figures as one that does not.
extern "C" {
#include "run_collector.h"
}

#include <random>

#include <gtest/gtest.h>

namespace
{

// The figures of transactions, most of them shorter than `usual`.
ftr_run_record record(bool is_reduced, uint64_t count, uint64_t usual)
{
    ftr_run_collector *collector = nullptr;
    ftr_run_record run = {};
    size_t stream, generator;
    std::mt19937_64 random{3};
    EXPECT_EQ(ftr_run_collector_create(FTR_COLLECT_BY_BEGIN, &collector), FTR_OK);
    if (is_reduced)
        ftr_run_collector_reduce(collector, true);
    EXPECT_EQ(ftr_run_collector_stream(collector, "bus", 3, "", 0, &stream), FTR_OK);
    EXPECT_EQ(ftr_run_collector_generator(collector, stream, "read", 4, &generator), FTR_OK);
    for (uint64_t i = 0; i < count; ++i) {
        ftr_tx_figures tx = {};
        tx.id = i + 1;
        tx.begin = i * 10;
        tx.end = tx.begin + (i % 100 == 0 ? random() % (40 * usual) : random() % usual);
        EXPECT_EQ(ftr_run_collector_add(collector, generator, &tx), FTR_OK);
    }
    ftr_run_source source = {};
    source.file = "run.ftr";
    source.part = 1;
    source.time_scale = -12;
    EXPECT_EQ(ftr_run_collector_record(collector, &source, &run), FTR_OK);
    ftr_run_collector_destroy(collector);
    return run;
}

void expect_equal_latencies(uint64_t count, uint64_t usual)
{
    ftr_run_record fast = record(true, count, usual), exact = record(false, count, usual);
    const ftr_latency_bins &x = fast.streams[0].generators[0].latency;
    const ftr_latency_bins &y = exact.streams[0].generators[0].latency;
    EXPECT_EQ(x.count, count);
    EXPECT_EQ(x.least, y.least);
    EXPECT_EQ(x.greatest, y.greatest);
    EXPECT_TRUE(x.sum == y.sum);
    ASSERT_EQ(x.used, y.used);
    for (size_t i = 0; i < x.used; ++i) {
        EXPECT_EQ(x.bins[i].value, y.bins[i].value);
        EXPECT_EQ(x.bins[i].count, y.bins[i].count);
    }
    ftr_run_record_release(&fast);
    ftr_run_record_release(&exact);
}

TEST(SmallLatencies, EqualTheFiguresOfTheHashTableWithManyLatencies)
{
    expect_equal_latencies(50000, 5000);
}

TEST(SmallLatencies, EqualTheFiguresOfTheHashTableWithManyTransactions)
{
    for (const uint64_t count : {65535, 65536, 65537, 65538, 100000})
        expect_equal_latencies(count, 20);
}

} // namespace
