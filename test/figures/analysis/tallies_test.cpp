// Counts and sums by number, appended together.
#include "reader_fixture.hpp"

extern "C" {
#include "tallies.h"
}

#include <gtest/gtest.h>

#include <map>

using namespace reader_test;

namespace
{

constexpr uint64_t NUMBERS[] = {0, 1, 23, 24, 255, 256, 65535, 65536, 1u << 20};

struct Counting {
    ftr_tallies tallies;
    uint64_t further; // counted as well, unless 0
};

bool prepare(void *user, unsigned, ftr_reader *, ftr_transaction *tx, ftr_prepared *)
{
    auto *counting = static_cast<Counting *>(user);
    for (const uint64_t number : NUMBERS)
        if (tx->id % 3 != 0 || number % 2 == 0)
            ftr_tallies_add(&counting->tallies, number, tx->id);
    if (counting->further > 0)
        ftr_tallies_add(&counting->tallies, counting->further, 1);
    return false;
}

void conclude(void *user, unsigned, ftr_prepared *prepared)
{
    ftr_tallies_append(&static_cast<Counting *>(user)->tallies, prepared);
}

// Returns the tallies of each conclusion.
std::vector<std::vector<ftr_tally>> conclusions(uint64_t further)
{
    Counting counting{{}, further};
    std::vector<std::vector<ftr_tally>> all;
    Reading reading(small_file(FTR_COMPRESSION_LZ4));
    ftr_query query{};
    query.size = sizeof query;
    query.prepare = prepare;
    query.conclude = conclude;
    query.prepare_user = &counting;
    ftr_cursor *cursor;
    EXPECT_EQ(FTR_OK, ftr_cursor_open(reading(), &query, &cursor));
    const void *bytes;
    size_t size;
    while (ftr_cursor_next_prepared(cursor, &bytes, &size) == FTR_OK) {
        const auto *first = static_cast<const ftr_tally *>(bytes);
        all.emplace_back(first, first + size / sizeof *first);
    }
    ftr_cursor_close(cursor);
    ftr_tallies_release(&counting.tallies);
    return all;
}

TEST(Tallies, CountAndSumEachNumber)
{
    std::map<uint64_t, std::pair<uint64_t, uint64_t>> expected, found;
    Reading reading(small_file(FTR_COMPRESSION_LZ4));
    for (const Transaction &tx : transactions(reading()))
        for (const uint64_t number : NUMBERS)
            if (tx.id % 3 != 0 || number % 2 == 0) {
                expected[number].first++;
                expected[number].second += tx.id;
            }
    const auto all = conclusions(0);
    EXPECT_GT(all.size(), 1u);
    for (const auto &tallies : all)
        for (const ftr_tally &tally : tallies) {
            found[tally.number].first += tally.count;
            found[tally.number].second += tally.sum;
        }
    EXPECT_EQ(expected, found);
}

TEST(Tallies, TellThatANumberIsTooLarge)
{
    for (const uint64_t further : {uint64_t{UINT32_MAX}, UINT64_MAX})
        for (const auto &tallies : conclusions(further)) {
            ASSERT_EQ(1u, tallies.size());
            EXPECT_EQ(FTR_TALLY_FAILED, tallies[0].number);
        }
}

} // namespace
