// Traces with a known number of edits: exactly these are reported, in either direction.
#include "traces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace diff_test;

namespace
{

const unsigned COUNTS[] = {0,  1,  2,  3,  4,   5,   7,   8,   15,  16,
                           17, 63, 64, 65, 255, 256, 257, 512, 999, 1000};

// The similarity of the transactions of a trace.
enum class Shape { Distinct, FewAddresses, AllAlike, Overlapping, SameBegins };

Trace make_trace(Shape shape, size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    Trace trace;
    std::vector<uint64_t> times(3, 0);
    for (size_t i = 0; i < count; ++i) {
        Tx tx;
        tx.stream = static_cast<unsigned>(random() % 3);
        uint64_t &time = times[tx.stream];
        switch (shape) {
        case Shape::Distinct:
            time += 10 + random() % 50;
            tx = {tx.stream, time, time + 5, 0x1000 + i * 4, random() % 100};
            break;
        case Shape::FewAddresses:
            time += 10 + random() % 50;
            tx = {tx.stream, time, time + 5 + random() % 4, random() % 4, random() % 3};
            break;
        case Shape::AllAlike:
            time += 10;
            tx = {tx.stream, time, time + 5, 0, 0};
            break;
        case Shape::Overlapping:
            time += 1 + random() % 8;
            tx = {tx.stream, time, time + 20 + random() % 40, random() % 64, i};
            break;
        case Shape::SameBegins:
            time += random() % 3 == 0 ? 20 : 0;
            tx = {tx.stream, time, time + 5 + random() % 9, 0x1000 + i * 4, random() % 9};
            break;
        }
        trace.push_back(tx);
    }
    std::stable_sort(trace.begin(), trace.end(),
                     [](const Tx &a, const Tx &b) { return a.end < b.end; });
    return trace;
}

std::vector<size_t> choose(size_t count, size_t k, std::mt19937 &random)
{
    std::vector<size_t> indices(count);
    std::iota(indices.begin(), indices.end(), size_t{0});
    std::shuffle(indices.begin(), indices.end(), random);
    indices.resize(k);
    std::sort(indices.begin(), indices.end());
    return indices;
}

Trace without(const Trace &trace, const std::vector<size_t> &indices)
{
    Trace rest;
    for (size_t i = 0, next = 0; i < trace.size(); ++i)
        if (next < indices.size() && indices[next] == i)
            ++next;
        else
            rest.push_back(trace[i]);
    return rest;
}

class DiffEdits : public testing::TestWithParam<Shape>
{
};

const size_t LENGTH = 2000;

TEST_P(DiffEdits, ReportsEachDeletedAndInsertedTransaction)
{
    for (const unsigned k : COUNTS) {
        SCOPED_TRACE(k);
        std::mt19937 random(k + 1);
        const Trace whole = make_trace(GetParam(), LENGTH, k);
        const Trace part = without(whole, choose(whole.size(), k, random));
        const Result deleted = compare(whole, part);
        EXPECT_EQ(deleted.counts[FTR_DIFF_DELETED], k);
        EXPECT_EQ(deleted.total, k);
        EXPECT_EQ(deleted.equal, k == 0);
        const Result inserted = compare(part, whole);
        EXPECT_EQ(inserted.counts[FTR_DIFF_INSERTED], k);
        EXPECT_EQ(inserted.total, k);
    }
}

TEST_P(DiffEdits, ReportsEachChangedAttribute)
{
    for (const unsigned k : COUNTS)
        for (const bool at_begin : {true, false}) {
            SCOPED_TRACE(testing::Message() << k << (at_begin ? " begin" : " end"));
            std::mt19937 random(k + 1);
            const Trace one = make_trace(GetParam(), LENGTH, k);
            Trace other = one;
            for (const size_t i : choose(one.size(), k, random))
                (at_begin ? other[i].address : other[i].data) += 1000000 + random() % 1000;
            const Result there = compare(one, other);
            EXPECT_EQ(there.counts[FTR_DIFF_CHANGED], k);
            EXPECT_EQ(there.total, k);
            const Result back = compare(other, one);
            EXPECT_EQ(back.counts[FTR_DIFF_CHANGED], k);
            EXPECT_EQ(back.total, k);
        }
}

TEST_P(DiffEdits, ReportsEachChangedDuration)
{
    for (const unsigned k : COUNTS)
        for (const unsigned variety : {1u, 3u, 1000u}) {
            SCOPED_TRACE(testing::Message() << k << " of " << variety);
            std::mt19937 random(k + 1);
            const Trace one = make_trace(GetParam(), LENGTH, k);
            Trace other = one;
            for (const size_t i : choose(one.size(), k, random))
                other[i].end += 1 + random() % variety;
            const Result there = compare(one, other);
            EXPECT_EQ(there.counts[FTR_DIFF_DURATION], k);
            EXPECT_EQ(there.total, k);
            EXPECT_EQ(compare(other, one).total, k);
        }
}

TEST_P(DiffEdits, ReportsEachOfMixedEditsOnce)
{
    for (const unsigned k : COUNTS) {
        SCOPED_TRACE(k);
        std::mt19937 random(k + 1);
        const Trace one = make_trace(GetParam(), LENGTH, k);
        Trace other = one;
        std::vector<size_t> deleted;
        for (const size_t i : choose(one.size(), k, random))
            switch (random() % 3) {
            case 0:
                deleted.push_back(i);
                break;
            case 1:
                other[i].data += 1000;
                break;
            default:
                other[i].address += 100000 + random() % 1000;
            }
        const Result there = compare(one, without(other, deleted));
        EXPECT_EQ(there.counts[FTR_DIFF_DELETED], deleted.size());
        EXPECT_EQ(there.total, k);
        const Result back = compare(without(other, deleted), one);
        EXPECT_EQ(back.counts[FTR_DIFF_INSERTED], deleted.size());
        EXPECT_EQ(back.total, k);
    }
}

std::string name_of_shape(const testing::TestParamInfo<Shape> &shape)
{
    static const char *const names[] = {"Distinct", "FewAddresses", "AllAlike", "Overlapping",
                                        "SameBegins"};
    return names[static_cast<int>(shape.param)];
}

INSTANTIATE_TEST_SUITE_P(Shapes, DiffEdits,
                         testing::Values(Shape::Distinct, Shape::FewAddresses, Shape::AllAlike,
                                         Shape::Overlapping, Shape::SameBegins),
                         name_of_shape);

} // namespace
