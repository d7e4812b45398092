// The index of ids: the number of entries that the planner of queries assumes is the number for
// which the index is built.
#include "reader_fixture.hpp"

#include <gtest/gtest.h>

#include <cstring>

extern "C" {
#include "id_positions.h"
}

using namespace reader_test;

namespace
{

// Returns whether an index of @p count transactions is built with a budget.
bool is_built(unsigned count, size_t budget)
{
    Recording r;
    ftr_stream stream;
    ftr_generator generator;
    EXPECT_EQ(FTR_OK, ftr_stream_define(r(), "s", "kind", &stream));
    EXPECT_EQ(FTR_OK, ftr_generator_define(r(), stream, "g", nullptr, 0, &generator));
    for (unsigned i = 0; i < count; i++)
        EXPECT_EQ(FTR_OK, ftr_tx_record(r(), generator, i, i + 1, nullptr, 0, nullptr));
    Reading reading(r.close());
    ftr_id_positions positions{};
    bool usable = false;
    uint64_t moves = 0;
    for (unsigned look_ups = 0; look_ups < 3; look_ups++)
        EXPECT_EQ(FTR_OK, ftr_id_positions_ask(&positions, reading(), budget, &moves, &usable));
    ftr_id_positions_release(&positions);
    return usable;
}

TEST(IdPositions, AreBuiltUpToTheLimit)
{
    const size_t entry = sizeof(ftr_id_position);
    const size_t few_chunks = 1000;
    for (const size_t entries : {4096, 5000, 6143, 8000, 8192, 12000, 16000}) {
        SCOPED_TRACE(entries);
        const size_t budget = entries * entry + few_chunks;
        const size_t limit = ftr_id_positions_limit(budget);
        EXPECT_LE(limit, entries);
        EXPECT_GT(2 * limit, entries);
        EXPECT_TRUE(is_built(static_cast<unsigned>(limit), budget));
        EXPECT_FALSE(is_built(static_cast<unsigned>(limit) + 1, budget));
    }
}

TEST(IdPositions, AreNotBuiltWithASmallBudget)
{
    EXPECT_EQ(0u, ftr_id_positions_limit(0));
    const size_t budget = 4096 * sizeof(ftr_id_position);
    EXPECT_EQ(0u, ftr_id_positions_limit(budget)) << "the offset of a chunk does not fit";
    EXPECT_FALSE(is_built(10, budget));
    EXPECT_EQ(4096u, ftr_id_positions_limit(budget + sizeof(uint64_t)));
}

// The default memory of `ftr sql` is 96 MiB, of which the index may take a quarter.
TEST(IdPositions, HaveAMillionEntriesByDefault)
{
    EXPECT_EQ(size_t{1} << 20, ftr_id_positions_limit((size_t{96} << 20) / 4));
}

} // namespace
