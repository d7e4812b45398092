// Packed blocks, expanded with zlib.
extern "C" {
#include "data_block.h"
}

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace
{

std::vector<uint8_t> expand(const ftr_packed_block &packed, size_t size)
{
    std::vector<uint8_t> bytes(size + 1);
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, -15), Z_OK);
    stream.next_in = packed.bytes;
    stream.avail_in = static_cast<uInt>(packed.size);
    stream.next_out = bytes.data();
    stream.avail_out = static_cast<uInt>(bytes.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    EXPECT_EQ(stream.avail_in, 0u);
    bytes.resize(bytes.size() - stream.avail_out);
    inflateEnd(&stream);
    return bytes;
}

TEST(DataBlock, ExpandsToItsColumnsForAnyNumberOfThreads)
{
    std::mt19937_64 random(8);
    for (const size_t count : {0, 1, 1000, 524288, 600000, 20000000}) {
        std::vector<uint8_t> values(count);
        for (uint8_t &value : values)
            value = static_cast<uint8_t>(random() % 7);
        ftr_data_block block{};
        block.name = "block";
        (void)ftr_data_block_put(&block, {values.data(), 1, 1, count}, false);
        ftr_packed_block first{}, second{};
        ASSERT_TRUE(ftr_data_block_pack(&block, 1, &first));
        ASSERT_TRUE(ftr_data_block_pack(&block, 3, &second));
        EXPECT_EQ(expand(first, count), values);
        EXPECT_EQ(std::vector<uint8_t>(first.bytes, first.bytes + first.size),
                  std::vector<uint8_t>(second.bytes, second.bytes + second.size));
        ftr_packed_block_release(&first);
        ftr_packed_block_release(&second);
        ftr_data_block_release(&block);
    }
}

TEST(DataBlock, StoresPlanesOfBytes)
{
    const std::vector<uint32_t> values{0x04030201, 0x14131211, 0x04030201};
    ftr_data_block block{};
    const ftr_data_column column =
        ftr_data_block_put(&block, {values.data(), 4, 4, values.size()}, false);
    EXPECT_EQ(column.count, values.size());
    EXPECT_EQ(std::vector<uint8_t>(block.bytes, block.bytes + block.size),
              (std::vector<uint8_t>{1, 0x11, 1, 2, 0x12, 2, 3, 0x13, 3, 4, 0x14, 4}));
    ftr_data_block_release(&block);
}

TEST(DataBlock, StoresPartsOfAReservedColumnLikeAWholeColumn)
{
    std::mt19937_64 random(9);
    std::vector<uint64_t> values(1000);
    for (uint64_t &value : values)
        value = random();
    for (const bool differences : {false, true}) {
        ftr_data_block whole{}, parts{};
        (void)ftr_data_block_put(&whole, {values.data(), 8, 8, values.size()}, differences);
        const ftr_data_column column =
            ftr_data_block_reserve(&parts, 8, values.size(), differences);
        for (const size_t first : {900, 0, 1, 300}) { // in any order
            const size_t end = first == 0 ? 1 : first == 1 ? 300 : first == 300 ? 900 : 1000;
            ftr_data_block_fill(&parts, &column, first, {&values[first], 8, 8, end - first},
                                first > 0 ? values[first - 1] : 0);
        }
        EXPECT_EQ(std::vector<uint8_t>(parts.bytes, parts.bytes + parts.size),
                  std::vector<uint8_t>(whole.bytes, whole.bytes + whole.size));
        ftr_data_block_release(&whole);
        ftr_data_block_release(&parts);
    }
}

} // namespace
