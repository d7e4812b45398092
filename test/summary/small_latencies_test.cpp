// A collector that counts small latencies in an array gives the same figures as one that does not.
extern "C" {
#include "run_collector.h"
}

#include <random>

#include <gtest/gtest.h>

namespace
{

// The figures of 50000 transactions, most of them short.
ftr_run_record record(bool is_reduced)
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
    for (uint64_t i = 0; i < 50000; ++i) {
        ftr_tx_figures tx = {};
        tx.id = i + 1;
        tx.begin = i * 10;
        tx.end = tx.begin + (i % 100 == 0 ? random() % 200000 : random() % 5000);
        EXPECT_EQ(ftr_run_collector_add(collector, generator, &tx), FTR_OK);
    }
    EXPECT_EQ(ftr_run_collector_record(collector, "run.ftr", 1, FTR_RUN_SOUND, -12, &run), FTR_OK);
    ftr_run_collector_destroy(collector);
    return run;
}

TEST(SmallLatencies, EqualTheFiguresOfTheHashTable)
{
    ftr_run_record fast = record(true), exact = record(false);
    const ftr_latency_bins &x = fast.streams[0].generators[0].latency;
    const ftr_latency_bins &y = exact.streams[0].generators[0].latency;
    EXPECT_EQ(x.count, 50000u);
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

} // namespace
