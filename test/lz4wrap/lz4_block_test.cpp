#include "lz4_block.h"

#include <gtest/gtest.h>

#include <lz4.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

// Linked with --wrap=malloc: the allocation of this number, counted down, fails.
namespace
{
int mallocs_until_failure = 0;
}
extern "C" void *__real_malloc(std::size_t size);
extern "C" void *__wrap_malloc(std::size_t size);
extern "C" void *__wrap_malloc(std::size_t size)
{
    if (mallocs_until_failure > 0 && --mallocs_until_failure == 0)
        return nullptr;
    return __real_malloc(size);
}

namespace
{
using bytes = std::vector<std::uint8_t>;

struct destroy_compressor {
    void operator()(ftr_lz4_compressor *compressor) const
    {
        ftr_lz4_compressor_destroy(compressor);
    }
};
using compressor_ptr = std::unique_ptr<ftr_lz4_compressor, destroy_compressor>;

compressor_ptr create(int level)
{
    ftr_lz4_compressor *compressor = nullptr;
    EXPECT_EQ(ftr_lz4_compressor_create(level, &compressor), FTR_OK);
    return compressor_ptr(compressor);
}

bytes compress(ftr_lz4_compressor *compressor, const bytes &raw)
{
    bytes block(ftr_lz4_bound(raw.size()));
    std::size_t size = 0;
    EXPECT_EQ(
        ftr_lz4_compress(compressor, 0, raw.data(), raw.size(), block.data(), block.size(), &size),
        FTR_OK);
    // Exactly as large as the block, so that AddressSanitizer detects a read beyond it.
    return bytes(block.data(), block.data() + size);
}

// Similar records, as in a trace: literals and matches, short and long.
bytes records(std::size_t size)
{
    std::mt19937 random(1);
    bytes raw;
    while (raw.size() < size) {
        const bytes record = {0x84,
                              0x1a,
                              0,
                              0,
                              static_cast<std::uint8_t>(random()),
                              0x19,
                              static_cast<std::uint8_t>(random()),
                              0x07,
                              'b',
                              'u',
                              's',
                              '_',
                              'r'};
        raw.insert(raw.end(), record.begin(), record.end());
        if (random() % 32 == 0)
            raw.insert(raw.end(), random() % 600, 0);
        if (random() % 32 == 0)
            for (unsigned literals = random() % 600; literals > 0; literals--)
                raw.push_back(static_cast<std::uint8_t>(random()));
    }
    raw.resize(size);
    return raw;
}

bytes noise(std::size_t size)
{
    std::mt19937 random(2);
    bytes raw(size);
    for (std::uint8_t &byte : raw)
        byte = static_cast<std::uint8_t>(random());
    return raw;
}

ftr_status expand(const bytes &block, bytes &raw)
{
    return ftr_lz4_expand(block.data(), block.size(), raw.data(), raw.size());
}

bytes expand_prefix(const bytes &block, std::size_t capacity)
{
    bytes raw(capacity);
    raw.resize(ftr_lz4_expand_prefix(block.data(), block.size(), raw.data(), capacity));
    return raw;
}

bool begins_with(const bytes &whole, const bytes &prefix)
{
    return prefix.size() <= whole.size() && std::equal(prefix.begin(), prefix.end(), whole.begin());
}
} // namespace

TEST(Lz4Block, ExpandsBlocksOfEveryLevel)
{
    for (int level = FTR_LZ4_LEVEL_FAST; level <= FTR_LZ4_LEVEL_MAX; level++) {
        const compressor_ptr compressor = create(level);
        for (std::size_t size : {0, 1, 4, 12, 13, 14, 100, 1000, 65535, 65536, 65537, 300000}) {
            for (const bytes &raw : {records(size), noise(size), bytes(size, 0)}) {
                SCOPED_TRACE(std::to_string(size) + " bytes at level " + std::to_string(level));
                const bytes block = compress(compressor.get(), raw);
                bytes expanded(size);
                EXPECT_EQ(expand(block, expanded), FTR_OK);
                EXPECT_EQ(expanded, raw);
            }
        }
    }
}

TEST(Lz4Block, CompressesHarderAtHigherLevels)
{
    const bytes raw = records(200000);
    const std::size_t fast = compress(create(FTR_LZ4_LEVEL_FAST).get(), raw).size();
    const std::size_t high = compress(create(FTR_LZ4_LEVEL_MAX).get(), raw).size();
    EXPECT_LT(fast, raw.size());
    EXPECT_LT(high, fast);
}

TEST(Lz4Block, BlocksAreIndependent)
{
    for (int level : {0, 1, 9, 12}) {
        const compressor_ptr compressor = create(level);
        const bytes raw = records(20000);
        const bytes first = compress(compressor.get(), raw);
        (void)compress(compressor.get(), noise(70000));
        EXPECT_EQ(compress(compressor.get(), raw), first) << level;
    }
}

// The tables of liblz4 are not cleared between small blocks, so an earlier block with the same
// bytes would be found there. A block with too little room leaves the tables in an unknown state.
TEST(Lz4Block, SmallBlocksAreIndependent)
{
    for (int level : {0, 1, 9, 12}) {
        const compressor_ptr compressor = create(level);
        for (std::size_t size : {0, 1, 13, 64, 272, 1000, 4095, 4096, 4097}) {
            SCOPED_TRACE(std::to_string(size) + " bytes at level " + std::to_string(level));
            const bytes raw = noise(size);
            const bytes alone = compress(create(level).get(), raw);
            // Even with a copy of the block before it, noise cannot be compressed.
            EXPECT_GE(alone.size(), size);
            for (int i = 0; i < 3; i++)
                ASSERT_EQ(compress(compressor.get(), raw), alone);
            (void)compress(compressor.get(), records(70000));
            ASSERT_EQ(compress(compressor.get(), raw), alone);
            std::size_t written = 0;
            std::uint8_t small[4];
            if (size > sizeof small) {
                ASSERT_EQ(ftr_lz4_compress(compressor.get(), 0, raw.data(), size, small,
                                           sizeof small, &written),
                          FTR_ERR_LIMIT);
            }
            ASSERT_EQ(compress(compressor.get(), raw), alone);
            bytes expanded(size);
            EXPECT_EQ(expand(alone, expanded), FTR_OK);
            EXPECT_EQ(expanded, raw);
        }
    }
}

// liblz4 compresses small blocks if there is less room than the largest block needs.
TEST(Lz4Block, SmallBlocksOfLiblz4AreIndependent)
{
    const compressor_ptr compressor = create(FTR_LZ4_LEVEL_FAST);
    for (std::size_t size : {64, 272, 1000, 4095, 4096}) {
        const bytes raw = records(size);
        bytes alone;
        for (int i = 0; i < 200; i++) {
            bytes block(ftr_lz4_bound(size) - 1);
            std::size_t written = 0;
            ASSERT_EQ(ftr_lz4_compress(compressor.get(), 0, raw.data(), size, block.data(),
                                       block.size(), &written),
                      FTR_OK);
            block.resize(written);
            if (i == 0)
                alone = block;
            ASSERT_EQ(block, alone) << i;
            bytes expanded(size);
            ASSERT_EQ(expand(block, expanded), FTR_OK);
            ASSERT_EQ(expanded, raw);
        }
    }
}

TEST(Lz4Block, RefusesInvalidLevels)
{
    ftr_lz4_compressor *compressor = nullptr;
    EXPECT_EQ(ftr_lz4_compressor_create(-1, &compressor), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_lz4_compressor_create(FTR_LZ4_LEVEL_MAX + 1, &compressor), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_lz4_compressor_create(0, nullptr), FTR_ERR_ARGUMENT);
    EXPECT_EQ(compressor, nullptr);
}

TEST(Lz4Block, ReportsEveryFailedAllocation)
{
    for (int level : {0, 12}) {
        for (int nth = 1; nth <= 2; nth++) {
            ftr_lz4_compressor *compressor = nullptr;
            mallocs_until_failure = nth;
            const ftr_status status = ftr_lz4_compressor_create(level, &compressor);
            mallocs_until_failure = 0;
            EXPECT_EQ(status, FTR_ERR_MEMORY);
            EXPECT_EQ(compressor, nullptr);
        }
    }
}

TEST(Lz4Block, StaysWithinEveryCapacity)
{
    const bytes raw = records(300);
    for (int level : {0, 1, 12}) {
        const compressor_ptr compressor = create(level);
        const std::size_t enough = compress(compressor.get(), raw).size();
        bool fitted = false;
        for (std::size_t capacity = 0; capacity <= ftr_lz4_bound(raw.size()); capacity++) {
            SCOPED_TRACE("level " + std::to_string(level) + " in " + std::to_string(capacity));
            bytes block(capacity + 16, 0xa5);
            std::size_t size = 99999;
            const ftr_status status = ftr_lz4_compress(compressor.get(), 0, raw.data(), raw.size(),
                                                       block.data(), capacity, &size);
            EXPECT_TRUE(std::all_of(block.begin() + static_cast<std::ptrdiff_t>(capacity),
                                    block.end(), [](std::uint8_t byte) { return byte == 0xa5; }));
            if (status == FTR_OK) {
                ASSERT_LE(size, capacity);
                block.resize(size);
                bytes expanded(raw.size());
                EXPECT_EQ(expand(block, expanded), FTR_OK);
                EXPECT_EQ(expanded, raw);
                fitted = true;
            } else {
                EXPECT_EQ(status, FTR_ERR_LIMIT);
                EXPECT_EQ(size, 99999U);
                // liblz4 needs a few bytes more than it finally uses.
                EXPECT_LT(capacity, enough + 16);
            }
        }
        EXPECT_TRUE(fitted);
    }
}

TEST(Lz4Block, RefusesInvalidSizes)
{
    const compressor_ptr compressor = create(FTR_LZ4_LEVEL_FAST);
    std::uint8_t byte = 0;
    bytes block(64);
    std::size_t size = 7;
    for (std::size_t huge : {std::size_t(LZ4_MAX_INPUT_SIZE) + 1, std::size_t(INT_MAX) + 1,
                             std::size_t(UINT32_MAX) + 2, SIZE_MAX}) {
        EXPECT_EQ(ftr_lz4_bound(huge), 0U);
        EXPECT_EQ(
            ftr_lz4_compress(compressor.get(), 0, &byte, huge, block.data(), block.size(), &size),
            FTR_ERR_LIMIT);
        if (huge <= INT_MAX)
            continue;
        EXPECT_EQ(ftr_lz4_expand(&byte, huge, &byte, 1), FTR_ERR_LIMIT);
        EXPECT_EQ(ftr_lz4_expand(&byte, 1, &byte, huge), FTR_ERR_LIMIT);
    }
    EXPECT_EQ(size, 7U);
    EXPECT_GT(ftr_lz4_bound(LZ4_MAX_INPUT_SIZE), std::size_t(LZ4_MAX_INPUT_SIZE));
}

TEST(Lz4Block, AcceptsACapacityAboveIntMax)
{
    const compressor_ptr compressor = create(FTR_LZ4_LEVEL_FAST);
    const bytes raw(100, 1);
    bytes block(ftr_lz4_bound(raw.size()));
    std::size_t size = 0;
    EXPECT_EQ(ftr_lz4_compress(compressor.get(), 0, raw.data(), raw.size(), block.data(), SIZE_MAX,
                               &size),
              FTR_OK);
    EXPECT_GT(size, 0U);
}

TEST(Lz4Block, RequiresTheExactRawSize)
{
    const bytes raw = records(1000);
    const bytes block = compress(create(FTR_LZ4_LEVEL_FAST).get(), raw);
    for (std::size_t wrong : {0, 1, 999, 1001, 100000}) {
        bytes expanded(wrong);
        EXPECT_EQ(expand(block, expanded), FTR_ERR_FORMAT) << wrong;
    }
}

TEST(Lz4Block, RefusesEveryTruncatedBlock)
{
    const bytes raw = records(1000);
    const bytes block = compress(create(FTR_LZ4_LEVEL_FAST).get(), raw);
    for (std::size_t size = 0; size < block.size(); size++) {
        const bytes cut(block.data(), block.data() + size);
        bytes expanded(raw.size());
        EXPECT_EQ(expand(cut, expanded), FTR_ERR_FORMAT) << size;
    }
}

TEST(Lz4Block, StaysWithinItsBytesForEveryBitFlip)
{
    const bytes raw = records(600);
    const bytes block = compress(create(FTR_LZ4_LEVEL_FAST).get(), raw);
    std::size_t refused = 0;
    std::size_t shorter = 0;
    for (std::size_t bit = 0; bit < 8 * block.size(); bit++) {
        bytes flipped = block;
        flipped[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        bytes expanded(raw.size());
        const ftr_status status = expand(flipped, expanded);
        EXPECT_TRUE(status == FTR_OK || status == FTR_ERR_FORMAT);
        refused += status == FTR_ERR_FORMAT ? 1 : 0;
        const bytes prefix = expand_prefix(flipped, raw.size());
        if (status == FTR_OK) {
            // liblz4 accepts a distance of 0, which the format forbids: the prefix ends there.
            EXPECT_TRUE(begins_with(expanded, prefix)) << bit;
            shorter += prefix.size() < expanded.size() ? 1 : 0;
        }
    }
    EXPECT_GT(refused, 0U);
    EXPECT_LE(shorter, 2U);
}

TEST(Lz4Block, SalvagesACompleteBlock)
{
    for (int level : {0, 12}) {
        const compressor_ptr compressor = create(level);
        for (std::size_t size : {0, 1, 13, 1000, 70000}) {
            for (const bytes &raw : {records(size), noise(size), bytes(size, 0)}) {
                const bytes block = compress(compressor.get(), raw);
                EXPECT_EQ(expand_prefix(block, raw.size()), raw);
                EXPECT_EQ(expand_prefix(block, raw.size() + 1000), raw);
            }
        }
    }
}

TEST(Lz4Block, SalvagesAtLeastAsMuchAsLiblz4AtEveryCut)
{
    const bytes raw = records(20000);
    const bytes block = compress(create(FTR_LZ4_LEVEL_FAST).get(), raw);
    std::size_t before = 0;
    for (std::size_t size = 0; size <= block.size(); size++) {
        const bytes cut(block.data(), block.data() + size);
        const bytes prefix = expand_prefix(cut, raw.size());
        ASSERT_TRUE(begins_with(raw, prefix)) << size;
        ASSERT_GE(prefix.size(), before) << "fewer bytes from a longer block, cut to " << size;
        before = prefix.size();
        bytes theirs(raw.size());
        const int count = LZ4_decompress_safe_partial(
            reinterpret_cast<const char *>(cut.data()), reinterpret_cast<char *>(theirs.data()),
            static_cast<int>(size), static_cast<int>(raw.size()), static_cast<int>(raw.size()));
        if (count >= 0) {
            ASSERT_GE(prefix.size(), static_cast<std::size_t>(count)) << size;
        }
    }
    EXPECT_EQ(before, raw.size());
}

TEST(Lz4Block, SalvagesUpToTheLastValidByte)
{
    // Three literals; a match of 4 + 15 + 255 + 2 bytes at distance 3; literals "xy".
    const bytes block = {0x3f, 'a', 'b', 'c', 3, 0, 255, 2, 0x20, 'x', 'y'};
    const std::size_t salvaged[] = {0, 0, 1, 2, 3, 3, 22, 277, 279, 279, 280, 281};
    std::string raw;
    while (raw.size() < 3 + 276)
        raw += "abc"[raw.size() % 3];
    raw += "xy";
    for (std::size_t size = 0; size <= block.size(); size++) {
        const bytes prefix = expand_prefix(bytes(block.data(), block.data() + size), 1000);
        EXPECT_EQ(std::string(prefix.begin(), prefix.end()), raw.substr(0, salvaged[size])) << size;
    }
}

TEST(Lz4Block, SalvagesTheBytesBeforeAnInvalidDistance)
{
    for (const bytes &block :
         {bytes{0x30, 'a', 'b', 'c', 0, 0, 0x10, 'd'}, bytes{0x30, 'a', 'b', 'c', 4, 0, 0x10, 'd'},
          bytes{0x30, 'a', 'b', 'c', 0, 1, 0x10, 'd'}})
        EXPECT_EQ(expand_prefix(block, 100), (bytes{'a', 'b', 'c'}));
}

TEST(Lz4Block, SalvagesAtMostTheCapacity)
{
    const bytes raw = records(2000);
    const bytes block = compress(create(FTR_LZ4_LEVEL_FAST).get(), raw);
    for (std::size_t capacity = 0; capacity <= raw.size(); capacity++) {
        const bytes prefix = expand_prefix(block, capacity);
        ASSERT_EQ(prefix.size(), capacity);
        ASSERT_TRUE(begins_with(raw, prefix));
    }
}
