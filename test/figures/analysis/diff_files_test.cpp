// Properties of files that make no difference (settings, ids, stored order), and relations.
#include "traces.hpp"

#include <gtest/gtest.h>

#include <algorithm>

using namespace diff_test;

namespace
{

Trace pairs_of_calls(size_t count)
{
    Trace trace;
    for (size_t i = 0; i < count; ++i)
        trace.push_back({static_cast<unsigned>(i % 2), i * 10, i * 10 + 7, 0x1000 + i % 50 * 4, i});
    return trace;
}

std::vector<Relation> chain(size_t count)
{
    std::vector<Relation> relations;
    for (size_t i = 1; i < count; ++i)
        relations.push_back({i - 1, i});
    return relations;
}

TEST(DiffFiles, AreEqualWithAnyCompressionAndChunks)
{
    const Trace trace = pairs_of_calls(5000);
    const auto relations = chain(5000);
    const reader_test::Bytes reference = record(trace, {FTR_COMPRESSION_NONE, 0, relations});
    for (const ftr_compression compression :
         {FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4, FTR_COMPRESSION_LZ4HC, FTR_COMPRESSION_META})
        for (const size_t chunk : {0, 4096, 65536, 1 << 20}) {
            SCOPED_TRACE(testing::Message() << compression << ", chunks of " << chunk);
            const Result result =
                compare(reference, record(trace, {compression, chunk, relations}));
            EXPECT_EQ(result.status, FTR_OK);
            EXPECT_TRUE(result.equal) << result.total << " and " << result.relations;
            EXPECT_EQ(result.pairs, trace.size());
        }
}

TEST(DiffFiles, AreEqualInAnyOrderOfEqualBegins)
{
    Trace trace;
    for (size_t i = 0; i < 600; ++i)
        trace.push_back({0, i / 6 * 100, i / 6 * 100 + 10 + i % 6, 0x1000 + i % 3 * 4, i % 2});
    Trace reversed = trace;
    for (size_t i = 0; i < trace.size(); i += 6)
        std::reverse(reversed.begin() + static_cast<long>(i),
                     reversed.begin() + static_cast<long>(i) + 6);
    EXPECT_TRUE(compare(trace, reversed).equal);
}

// Two calls with one address begin at the same time. In the second run the first one lasts longer,
// so it is stored after the other; only its id identifies it.
TEST(DiffFiles, PairsEqualBeginsById)
{
    using namespace reader_test;
    const auto file = [](const std::vector<Bytes> &transactions) {
        return beginning() + definitions() +
               transaction_chunk(1, 0, 100, indefinite(transactions)) + Bytes{0xff};
    };
    const Bytes one = file({transaction(1, 2, 10, 20), transaction(2, 2, 10, 30)});
    const Bytes other = file({transaction(2, 2, 10, 31), transaction(1, 2, 10, 40)});
    const Result result = compare(one, other);
    ASSERT_EQ(result.differences.size(), 2u);
    std::vector<int64_t> deltas = {result.differences[0].delta, result.differences[1].delta};
    std::sort(deltas.begin(), deltas.end());
    EXPECT_EQ(deltas, (std::vector<int64_t>{1, 20}));
}

TEST(DiffFiles, ReportsARelationToAnotherTransaction)
{
    const Trace trace = pairs_of_calls(1000);
    const auto relations = chain(1000);
    auto changed = relations;
    changed[500].to = 700;
    const Result result = compare(record(trace, {FTR_COMPRESSION_NONE, 0, relations}),
                                  record(trace, {FTR_COMPRESSION_NONE, 0, changed}));
    EXPECT_FALSE(result.equal);
    EXPECT_EQ(result.relations, 1u);
    EXPECT_EQ(result.total, 0u);
}

TEST(DiffFiles, ReportsEachRelationMissingInOneFile)
{
    const Trace trace = pairs_of_calls(1000);
    const auto relations = chain(1000);
    for (const size_t k : {0, 1, 2, 255, 256, 998, 999}) {
        SCOPED_TRACE(k);
        const std::vector<Relation> fewer(relations.begin() + static_cast<long>(k),
                                          relations.end());
        const auto one = record(trace, {FTR_COMPRESSION_NONE, 0, relations});
        const auto other = record(trace, {FTR_COMPRESSION_NONE, 0, fewer});
        EXPECT_EQ(compare(one, other).relations, k);
        EXPECT_EQ(compare(other, one).relations, k);
    }
}

TEST(DiffFiles, CountsDifferencesThatNoFunctionTakes)
{
    const Trace trace = pairs_of_calls(1000);
    Trace edited = trace;
    edited[40].data++;
    edited[60].end++;
    const auto relations = chain(1000);
    auto changed = relations;
    changed[500].to = 700;
    changed.pop_back();
    const Result result = count_differences(record(trace, {FTR_COMPRESSION_NONE, 0, relations}),
                                            record(edited, {FTR_COMPRESSION_NONE, 0, changed}));
    EXPECT_EQ(result.status, FTR_OK);
    EXPECT_FALSE(result.equal);
    EXPECT_EQ(result.relations, 2u);
    EXPECT_EQ(result.total, 2u);
}

// Ids are not compared: without the first transaction all others have different ids.
TEST(DiffFiles, ComparesRelationsByTheirTransactions)
{
    Trace trace = pairs_of_calls(1000);
    const auto one = record(trace, {FTR_COMPRESSION_NONE, 0, chain(1000)});
    trace.erase(trace.begin());
    const Result result = compare(one, record(trace, {FTR_COMPRESSION_NONE, 0, chain(999)}));
    EXPECT_EQ(result.counts[FTR_DIFF_DELETED], 1u);
    EXPECT_EQ(result.total, 1u);
    EXPECT_EQ(result.relations, 0u);
}

bool is_first_stream(void *, const ftr_stream_info *stream)
{
    return reader_test::text(stream->name) == "top.s0";
}

TEST(DiffFiles, ComparesRelationsOfSelectedStreamsOnly)
{
    const Trace trace = pairs_of_calls(100);
    auto relations = chain(100); // between both streams
    const auto one = record(trace, {FTR_COMPRESSION_NONE, 0, relations});
    relations.resize(50);
    const auto other = record(trace, {FTR_COMPRESSION_NONE, 0, relations});
    EXPECT_FALSE(compare(one, other).equal);
    ftr_diff_options options{};
    for (ftr_query &query : options.query)
        query.choose_stream = is_first_stream;
    EXPECT_TRUE(compare(one, other, options).equal);
}

bool is_named_s(void *, const ftr_stream_info *stream)
{
    return reader_test::text(stream->name) == "s";
}

// This file is invalid. The transaction must not be compared if its stream is excluded.
TEST(DiffFiles, IgnoresTransactionsOfOtherStreamsInAChunk)
{
    using namespace reader_test;
    const auto entry = [](unsigned tag, uint64_t id, uint64_t name, uint64_t kind) {
        return head(6, tag) + head(4, 3) + head(0, id) + head(0, name) + head(0, kind);
    };
    const auto file = [&](uint64_t end) {
        return beginning() + definitions() + dictionary(3, {"other"}) +
               chunk(10, indefinite({entry(16, 3, 3, 1), entry(17, 4, 2, 3)})) +
               transaction_chunk(
                   1, 0, 100, indefinite({transaction(1, 2, 10, 20), transaction(2, 4, 30, end)})) +
               Bytes{0xff};
    };
    ftr_diff_options options{};
    EXPECT_EQ(compare(file(40), file(50), options).total, 1u);
    for (ftr_query &query : options.query)
        query.choose_stream = is_named_s;
    const Result chosen = compare(file(40), file(50), options);
    EXPECT_EQ(chosen.status, FTR_OK);
    EXPECT_TRUE(chosen.equal);
    EXPECT_EQ(chosen.pairs, 1u);
}

TEST(DiffFiles, ReportsATransactionThatEndsBeforeItBegins)
{
    using namespace reader_test;
    const auto file = [](uint64_t end) {
        return beginning() + definitions() +
               transaction_chunk(1, 0, 100, indefinite({transaction(1, 2, 10, end)})) + Bytes{0xff};
    };
    EXPECT_TRUE(compare(file(9), file(9)).equal);
    EXPECT_EQ(compare(file(10), file(9)).counts[FTR_DIFF_CHANGED], 1u);
    EXPECT_EQ(compare(file(9), file(8)).total, 1u);
}

TEST(DiffFiles, ReportsTheUncomparedPartOfAStreamThatIsTooDifferent)
{
    const size_t count = 300000;
    Trace one;
    Trace other;
    for (size_t i = 0; i < count; ++i) {
        one.push_back({0, i * 10, i * 10 + 3, i, 0});
        other.push_back({0, i * 10 + 4, i * 10 + 9, count + i, 1});
    }
    for (size_t i = 0; i < 100; ++i) {
        one.push_back({1, i * 10, i * 10 + 3, i, 0});
        other.push_back({1, i * 10, i * 10 + 3, i, 0});
    }
    const Result result = compare(one, other);
    EXPECT_EQ(result.status, FTR_OK);
    EXPECT_FALSE(result.equal);
    EXPECT_EQ(result.not_aligned[0], count);
    EXPECT_EQ(result.not_aligned[1], count);
    EXPECT_EQ(result.pairs, 100u);
    EXPECT_EQ(result.total, 0u);
}

TEST(DiffFiles, AlignsTransactionsAfterALongInsertion)
{
    for (const size_t inserted : {100u, 1000u, 40000u}) {
        SCOPED_TRACE(inserted);
        Trace one;
        Trace other;
        for (size_t i = 0; i < 100000; ++i) {
            const uint64_t begin = i * 10 + (i >= 50000 ? inserted * 10 : 0);
            one.push_back({0, i * 10, i * 10 + 3, 0x1000 + i, 0});
            if (i == 50000)
                for (size_t k = 0; k < inserted; ++k)
                    other.push_back({0, i * 10 + k * 10, i * 10 + k * 10 + 3, 0x9000000 + k, 0});
            other.push_back({0, begin, begin + 3, 0x1000 + i, 0});
        }
        const Result result = compare(one, other);
        EXPECT_EQ(result.counts[FTR_DIFF_INSERTED], inserted);
        EXPECT_EQ(result.counts[FTR_DIFF_SHIFTED], 1u);
        EXPECT_EQ(result.total, inserted + 1);
    }
}

} // namespace
