#include "record_blocks.h"

#include "lz4_block.h"

#include <gtest/gtest.h>

#include <lz4.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#ifndef FTR_RECORD_BLOCKS
TEST(RecordBlocks, AreUsedOnlyWithSse2)
{
    GTEST_SKIP() << "this processor has no SSE2";
}
#else

namespace
{
using bytes = std::vector<std::uint8_t>;

ftr_record_work work_full_of(std::uint8_t byte)
{
    ftr_record_work work;
    std::memset(&work, byte, sizeof work);
    return work;
}

bytes compress_with(ftr_record_work work, const bytes &raw)
{
    bytes block(ftr_lz4_bound(raw.size()));
    // Exactly as large as its content, so that AddressSanitizer detects a read beyond it.
    const bytes exact(raw.data(), raw.data() + raw.size());
    block.resize(ftr_record_block_compress(&work, exact.data(), exact.size(), block.data()));
    return block;
}

bytes compress(const bytes &raw)
{
    return compress_with(work_full_of(0xff), raw);
}

bytes compress_with_liblz4(const bytes &raw, int acceleration = 4)
{
    bytes block(ftr_lz4_bound(raw.size()));
    const int size = LZ4_compress_fast(
        reinterpret_cast<const char *>(raw.data()), reinterpret_cast<char *>(block.data()),
        static_cast<int>(raw.size()), static_cast<int>(block.size()), acceleration);
    block.resize(static_cast<std::size_t>(size));
    return block;
}

bytes expand_with_liblz4(const bytes &block, std::size_t size)
{
    bytes raw(size);
    const int count = LZ4_decompress_safe(reinterpret_cast<const char *>(block.data()),
                                          reinterpret_cast<char *>(raw.data()),
                                          static_cast<int>(block.size()), static_cast<int>(size));
    EXPECT_EQ(count, static_cast<int>(size));
    return raw;
}

std::size_t length_of(const bytes &block, std::size_t &at, std::size_t nibble)
{
    std::size_t length = nibble;
    for (std::uint8_t byte = nibble == 15 ? 255 : 0; byte == 255; length += byte)
        byte = block.at(at++);
    return length;
}

// Checks the rules of the format for the end of a block: the last five bytes are literals, and the
// last match starts at least 12 bytes before the end.
void expect_regular_end(const bytes &block, std::size_t size)
{
    std::size_t at = 0;
    std::size_t written = 0;
    std::size_t last_start = 0;
    std::size_t last_end = 0;
    for (;;) {
        const unsigned token = block.at(at++);
        const std::size_t literals = length_of(block, at, token >> 4);
        at += literals;
        written += literals;
        ASSERT_LE(at, block.size());
        if (at == block.size())
            break;
        const std::size_t distance = block.at(at) | std::size_t(block.at(at + 1)) << 8;
        at += 2;
        ASSERT_GE(distance, 1U);
        ASSERT_LE(distance, written);
        last_start = written;
        written += length_of(block, at, token & 15) + 4;
        last_end = written;
    }
    ASSERT_EQ(written, size);
    if (last_end > 0) {
        EXPECT_LE(last_start + 12, size);
        EXPECT_LE(last_end + 5, size);
    }
}

void expect_round_trip(const bytes &raw)
{
    const bytes block = compress(raw);
    ASSERT_LE(block.size(), ftr_lz4_bound(raw.size()));
    ASSERT_EQ(expand_with_liblz4(block, raw.size()), raw);
    expect_regular_end(block, raw.size());
}

void append_number(bytes &raw, std::uint32_t value)
{
    raw.push_back(0x1a);
    for (int shift = 24; shift >= 0; shift -= 8)
        raw.push_back(static_cast<std::uint8_t>(value >> shift));
}

// Transactions with times, two generators and three attributes with few or many values.
bytes transactions(std::size_t size)
{
    std::mt19937 random(3);
    bytes raw;
    for (std::uint32_t number = 100000; raw.size() < size; number += 1 + random() % 7) {
        const std::uint8_t generator = random() % 2 ? 11 : 12;
        raw.insert(raw.end(), {0x84, 0xc6, 0x84});
        append_number(raw, number);
        raw.push_back(generator);
        append_number(raw, 15 * number);
        append_number(raw, 15 * number + random() % 4096);
        raw.insert(raw.end(), {0xc8, 0x83, 6, 3});
        append_number(raw, 0x40000000U + 64 * (number / 4));
        raw.insert(raw.end(), {0xc8, 0x83, 7, 3, 0x18, std::uint8_t(32 << random() % 3), 0xc8, 0x83,
                               8, 10, 10});
    }
    raw.resize(size);
    return raw;
}

// Transactions of one of many streams: between two of them, ids and times advance a lot.
bytes distant_transactions(std::size_t size)
{
    std::mt19937 random(6);
    bytes raw;
    for (std::uint32_t number = 100000; raw.size() < size; number += 10000) {
        raw.insert(raw.end(), {0x83, 0xc6, 0x84});
        append_number(raw, number);
        raw.insert(raw.end(), {0x19, 0x17, 0x2a});
        append_number(raw, 1000 * number);
        append_number(raw, 1000 * number + 1000 * (random() % 64));
        raw.insert(raw.end(), {0xc8, 0x83, 0x19, 0x75, 0x31, 3});
        append_number(raw, 0x80000000U + 4 * (random() % 0x100000));
        raw.insert(raw.end(), {0xc8, 0x83, 0x19, 0x75, 0x32, 3, std::uint8_t(4 << random() % 3)});
    }
    raw.resize(size);
    return raw;
}

// Numbers of a small set at positions without a period, for which liblz4 finds more matches.
bytes shuffled_numbers(std::size_t size)
{
    std::mt19937 random(4);
    bytes raw;
    while (raw.size() < size) {
        append_number(raw, 0x01020304U * (random() % 200));
        raw.resize(raw.size() + random() % 3, static_cast<std::uint8_t>(random()));
    }
    raw.resize(size);
    return raw;
}

// Words of one language, of different lengths and in any order.
bytes text(std::size_t size)
{
    static const std::vector<std::string> syllables = {"re",    "cor", "der",   "ing", "a",   "con",
                                                       "tains", "the", "trans", "act", "ion", "s"};
    std::mt19937 random(5);
    std::vector<std::string> words(60);
    for (std::string &word : words)
        for (unsigned i = 0; i < 1 + random() % 4; i++)
            word += syllables[random() % syllables.size()];
    bytes raw;
    while (raw.size() < size) {
        const std::string &word = words[random() % words.size()];
        raw.insert(raw.end(), word.begin(), word.end());
        raw.push_back(' ');
    }
    raw.resize(size);
    return raw;
}

bytes noise(std::size_t size)
{
    std::mt19937 random(2);
    bytes raw(size);
    std::generate(raw.begin(), raw.end(), [&] { return static_cast<std::uint8_t>(random()); });
    return raw;
}

bytes periodic(std::size_t size, std::size_t period)
{
    const bytes start = noise(period);
    bytes raw(size);
    for (std::size_t i = 0; i < size; i++)
        raw[i] = start[i % period];
    return raw;
}

// Copies of earlier parts, changed bytes and new bytes, in random order.
bytes random_mixture(unsigned seed)
{
    std::mt19937 random(seed);
    const std::size_t size = random() % (seed % 50 == 0 ? 65537 : 2000);
    const unsigned values = 1U << random() % 9;
    bytes raw;
    while (raw.size() < size) {
        const std::size_t count = random() % (random() % 8 == 0 ? 700 : 40);
        const std::size_t distance = 1 + (raw.empty() ? 0 : random() % raw.size());
        const bool copies = !raw.empty() && random() % 3 > 0;
        for (std::size_t i = 0; i < count; i++)
            raw.push_back(copies ? raw[raw.size() - distance]
                                 : static_cast<std::uint8_t>(random() % values));
    }
    raw.resize(size);
    return raw;
}
using compressor_ptr = std::unique_ptr<ftr_lz4_compressor, decltype(&ftr_lz4_compressor_destroy)>;

compressor_ptr create_fast()
{
    ftr_lz4_compressor *compressor = nullptr;
    EXPECT_EQ(ftr_lz4_compressor_create(FTR_LZ4_LEVEL_FAST, &compressor), FTR_OK);
    return compressor_ptr(compressor, ftr_lz4_compressor_destroy);
}

bytes written(const compressor_ptr &compressor, unsigned kind, const bytes &raw)
{
    bytes block(ftr_lz4_bound(raw.size()));
    std::size_t size = 0;
    EXPECT_EQ(ftr_lz4_compress(compressor.get(), kind, raw.data(), raw.size(), block.data(),
                               block.size(), &size),
              FTR_OK);
    block.resize(size);
    return block;
}
} // namespace

TEST(RecordBlocks, AreExpandedByLiblz4)
{
    for (std::size_t size :
         {0, 1, 4, 5, 12, 13, 47, 48, 49, 50, 64, 65, 100, 1000, 4095, 4096, 4097, 65535, 65536})
        for (const bytes &raw :
             {transactions(size), shuffled_numbers(size), noise(size), bytes(size, 0),
              periodic(size, 3), periodic(size, 17), periodic(size, 41), periodic(size, 300)}) {
            SCOPED_TRACE(size);
            expect_round_trip(raw);
        }
}

TEST(RecordBlocks, AreExpandedByLiblz4AtEverySize)
{
    const bytes raw = transactions(400);
    for (std::size_t size = 0; size <= raw.size(); size++) {
        SCOPED_TRACE(size);
        expect_round_trip(bytes(raw.data(), raw.data() + size));
        expect_round_trip(bytes(size, 7));
    }
}

// The sizes around the largest small block, and every end of a small block within a few records.
TEST(RecordBlocks, AreExpandedByLiblz4AtTheLimitOfSmallBlocks)
{
    const bytes raw = transactions(FTR_RECORD_SMALL_MAX + 40);
    for (std::size_t size = FTR_RECORD_SMALL_MAX - 80; size <= raw.size(); size++) {
        SCOPED_TRACE(size);
        expect_round_trip(bytes(raw.data(), raw.data() + size));
        expect_round_trip(periodic(size, 37));
    }
}

TEST(RecordBlocks, AreExpandedByLiblz4ForRandomMixtures)
{
    for (unsigned seed = 0; seed < 1500; seed++) {
        SCOPED_TRACE(seed);
        expect_round_trip(random_mixture(seed));
        ASSERT_FALSE(testing::Test::HasFailure());
    }
}

TEST(RecordBlocks, AreSmallerThanThoseOfLiblz4ForTransactions)
{
    const bytes raw = transactions(64000);
    EXPECT_LT(compress(raw).size(), compress_with_liblz4(raw).size());
}

// A small block has few records, so their first and last bytes matter, too.
TEST(RecordBlocks, OfFewTransactionsAreSmallerThanThoseOfLiblz4)
{
    for (std::size_t size : {200, 300, 700, 1500, 4096}) {
        const bytes raw = distant_transactions(size);
        const std::size_t ours = compress(raw).size();
        const std::size_t theirs = compress_with_liblz4(raw, 1).size();
        EXPECT_LT(ours, theirs - theirs / 20) << size;
        const bytes mixed = transactions(size);
        EXPECT_LE(compress(mixed).size() * 40, compress_with_liblz4(mixed, 1).size() * 41) << size;
    }
}

TEST(RecordBlocks, DependOnTheBytesOnly)
{
    for (std::size_t size : {300, 4096, 4097, 30000}) {
        const bytes raw = transactions(size);
        EXPECT_EQ(compress_with(work_full_of(0x5a), raw), compress(raw)) << size;
    }
}

TEST(RecordBlocks, AreChosenForTheKindsThatTheySuit)
{
    const compressor_ptr compressor = create_fast();
    const bytes suited = transactions(60000);
    const bytes unsuited = shuffled_numbers(60000);
    const bytes theirs = compress_with_liblz4(unsuited);
    ASSERT_GT(compress(unsuited).size(), theirs.size() + theirs.size() / 40);
    for (int i = 0; i < 200; i++) {
        ASSERT_EQ(written(compressor, 0, suited), compress(suited)) << i;
        ASSERT_EQ(written(compressor, 1, unsuited), theirs) << i;
    }
    // The content of both kinds changes: a later trial notices it.
    for (int i = 0; i < 200; i++) {
        (void)written(compressor, 0, unsuited);
        (void)written(compressor, 1, suited);
    }
    EXPECT_EQ(written(compressor, 0, unsuited), theirs);
    EXPECT_EQ(written(compressor, 1, suited), compress(suited));
    // Larger blocks are those of liblz4.
    const bytes large = transactions(70000);
    EXPECT_EQ(written(compressor, 1, large), compress_with_liblz4(large));
}

// The kinds of small blocks are other kinds than those of large blocks with the same numbers.
TEST(RecordBlocks, AreChosenForTheKindsOfSmallBlocksThatTheySuit)
{
    const compressor_ptr compressor = create_fast();
    const bytes suited = transactions(2000);
    const bytes unsuited = text(FTR_RECORD_SMALL_MAX);
    const bytes theirs = compress_with_liblz4(unsuited, 1);
    ASSERT_GT(compress(unsuited).size(), theirs.size() + theirs.size() / 40);
    for (int i = 0; i < 200; i++) {
        ASSERT_EQ(written(compressor, 0, suited), compress(suited)) << i;
        (void)written(compressor, 1, unsuited);
    }
    EXPECT_NE(written(compressor, 1, unsuited), compress(unsuited));
    EXPECT_EQ(expand_with_liblz4(written(compressor, 1, unsuited), unsuited.size()), unsuited);
    const bytes large = transactions(60000);
    EXPECT_EQ(written(compressor, 1, large), compress(large));
}
#endif
