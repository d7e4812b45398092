// The orders in which the reader returns transactions, in memory and with temporary files.
#include "reader_fixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace reader_test;

namespace
{

// Chunks that all state a start of 0, with times in no order.
Bytes overlapping(unsigned chunks, unsigned each)
{
    Bytes file = beginning() + definitions();
    uint64_t id = 1;
    uint64_t random = 12345;
    for (unsigned c = 0; c < chunks; c++) {
        Bytes body{0x9f};
        for (unsigned i = 0; i < each; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const uint64_t begin = (random >> 40) % 100000;
            const Bytes tx = transaction(id++, 2, begin, begin + (random >> 20) % 1000);
            body.insert(body.end(), tx.begin(), tx.end());
        }
        body.push_back(0xff);
        const Bytes whole = transaction_chunk(1, 0, 200000, body);
        file.insert(file.end(), whole.begin(), whole.end());
    }
    file.push_back(0xff);
    return file;
}

void expect_sorted(const std::vector<Transaction> &found, bool by_end)
{
    for (size_t i = 1; i < found.size(); i++) {
        const uint64_t before = by_end ? found[i - 1].end : found[i - 1].begin;
        const uint64_t here = by_end ? found[i].end : found[i].begin;
        ASSERT_LE(before, here) << "at " << i;
    }
}

TEST(Order, EveryChunkStartingAtZeroSpills)
{
    const Bytes file = overlapping(200, 1000);
    ftr_reader_options options{};
    options.memory = 1u << 20; // sorting alone would need 3 MiB
    Reading r(file, options);
    std::vector<uint64_t> stored = ids(r(), FTR_ORDER_STORED);
    ASSERT_EQ(200000u, stored.size());
    for (bool by_end : {false, true}) {
        ftr_query query{};
        query.order = by_end ? FTR_ORDER_END : FTR_ORDER_BEGIN;
        const std::vector<Transaction> found = transactions(r(), query);
        expect_sorted(found, by_end);
        std::vector<uint64_t> sorted = ids(found);
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(stored, sorted); // ids were assigned in stored order
    }
    EXPECT_TRUE(r.findings.empty());
}

TEST(Order, SpillingReturnsTheSameOrder)
{
    const Bytes file = overlapping(50, 1000);
    ftr_reader_options little{};
    little.memory = 1u << 20;
    Reading a(file, little);
    Reading b(file);
    for (ftr_order order : {FTR_ORDER_BEGIN, FTR_ORDER_END, FTR_ORDER_STREAM})
        EXPECT_EQ(ids(b(), order), ids(a(), order));
    EXPECT_EQ(ids(b(), FTR_ORDER_BEGIN), ids(b(), FTR_ORDER_STREAM)); // of a file with one stream
}

// Chunks of three streams in turn. Transactions of neighbouring chunks of a stream overlap in time,
// and the chunks of the third stream are long.
Bytes streams_in_turn(unsigned rounds)
{
    std::vector<std::string> texts{"s0", "g0", "s1", "g1", "s2", "g2", ""};
    Bytes entries{0x9f};
    for (uint64_t s = 0; s < 3; s++)
        entries = entries + head(6, 16) + head(4, 3) + head(0, s + 1) + head(0, 2 * s) +
                  head(0, 6) + head(6, 17) + head(4, 3) + head(0, s + 11) + head(0, 2 * s + 1) +
                  head(0, s + 1);
    entries.push_back(0xff);
    Bytes file = beginning() + dictionary(0, texts) + chunk(10, entries);
    uint64_t id = 1;
    for (unsigned r = 0; r < rounds; r++)
        for (uint64_t s = 0; s < 3; s++) {
            if (s == 2 && r % 5 != 0)
                continue;
            const uint64_t span = s == 2 ? 500 : 100;
            std::vector<Bytes> of_chunk;
            for (unsigned i = 0; i < 50; i++)
                of_chunk.push_back(transaction(id++, s + 11, r * 100 + i * (span + 30) / 50,
                                               r * 100 + i * (span + 30) / 50 + 20));
            const uint64_t start = r * 100;
            file = file + transaction_chunk(s + 1, start, start + span + 100, indefinite(of_chunk));
        }
    return file + BREAK;
}

std::vector<Transaction> of_stream(const std::vector<Transaction> &all, const std::string &name)
{
    std::vector<Transaction> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const Transaction &tx) { return tx.stream == name; });
    return found;
}

size_t count_changes_of_stream(const std::vector<Transaction> &all)
{
    size_t changes = 0;
    for (size_t i = 1; i < all.size(); i++)
        changes += all[i].stream != all[i - 1].stream;
    return changes;
}

TEST(Order, ByStreamIsInOrderOfBeginForEachStream)
{
    const unsigned rounds = 100;
    const Bytes file = streams_in_turn(rounds);
    for (const size_t memory : {size_t{0}, size_t{1} << 17}) {
        ftr_reader_options options{};
        options.memory = memory;
        Reading r(file, options);
        ftr_query query{};
        query.order = FTR_ORDER_BEGIN;
        const std::vector<Transaction> by_begin = transactions(r(), query);
        query.order = FTR_ORDER_STREAM;
        const std::vector<Transaction> by_stream = transactions(r(), query);
        ASSERT_EQ(by_begin.size(), by_stream.size());
        for (const char *name : {"s0", "s1", "s2"})
            EXPECT_EQ(of_stream(by_begin, name), of_stream(by_stream, name));
        EXPECT_GT(count_changes_of_stream(by_begin), by_begin.size() / 4);
        EXPECT_LT(count_changes_of_stream(by_stream), 3 * rounds);
        EXPECT_TRUE(r.findings.empty());
    }
}

// The chunk of stream 9 is complete before that of stream 1 begins, so it need not stay in memory.
TEST(Order, ByStreamReturnsACompleteStreamBeforeLaterChunks)
{
    Reading r(beginning() + definitions() +
              transaction_chunk(9, 0, 5, indefinite({transaction(1, 11, 0, 5)})) +
              transaction_chunk(1, 10, 15, indefinite({transaction(2, 2, 10, 15)})) + BREAK);
    EXPECT_EQ((std::vector<uint64_t>{1, 2}), ids(r(), FTR_ORDER_STREAM));
}

TEST(Order, EqualTimesAreInStoredOrder)
{
    Reading r(
        beginning() + definitions() +
        transaction_chunk(1, 0, 5, indefinite({transaction(3, 2, 5, 5), transaction(1, 2, 0, 5)})) +
        transaction_chunk(1, 0, 5, indefinite({transaction(2, 2, 0, 5)})) + BREAK);
    EXPECT_EQ((std::vector<uint64_t>{1, 2, 3}), ids(r(), FTR_ORDER_BEGIN));
    EXPECT_EQ((std::vector<uint64_t>{1, 2, 3}), ids(r(), FTR_ORDER_STREAM));
    // Of equal ends, the one without duration is last.
    EXPECT_EQ((std::vector<uint64_t>{1, 2, 3}), ids(r(), FTR_ORDER_END));
}

} // namespace
