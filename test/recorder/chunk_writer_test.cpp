// The framing of chunks: which of them are compressed alike.
extern "C" {
#include "chunk_writer.h"
}

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace
{
using bytes = std::vector<std::uint8_t>;

// Records with one counter and one value of few, for which the compressor of records is better.
bytes suited_body()
{
    std::mt19937 random(1);
    bytes body;
    for (unsigned number = 0x10000; body.size() < 40000; number += 1 + random() % 7) {
        const auto high = static_cast<std::uint8_t>(number >> 8);
        const auto low = static_cast<std::uint8_t>(number);
        const auto value = static_cast<std::uint8_t>(32 << random() % 3);
        body.insert(body.end(),
                    {0x84, 0xc6, 0x84, 0x1a, 0,    1, high, low,  0xc8,  0x83, 6,    3, 0x1a, 0x40,
                     0,    high, low,  0xc8, 0x83, 7, 3,    0x18, value, 0xc8, 0x83, 8, 10,   10});
    }
    return body;
}

// Numbers at positions without a period, for which liblz4 is better.
bytes unsuited_body()
{
    std::mt19937 random(4);
    bytes body;
    while (body.size() < 40000) {
        const auto number = static_cast<std::uint8_t>(random() % 200);
        body.insert(body.end(), {0x1a, number, number, number, number});
        body.resize(body.size() + random() % 3, static_cast<std::uint8_t>(random()));
    }
    return body;
}

class chunk_sizes
{
  public:
    chunk_sizes() { EXPECT_EQ(ftr_chunk_writer_init(&writer_, FTR_COMPRESSION_LZ4, 0), FTR_OK); }
    chunk_sizes(const chunk_sizes &) = delete;
    chunk_sizes &operator=(const chunk_sizes &) = delete;
    ~chunk_sizes() { ftr_chunk_writer_release(&writer_); }
    std::size_t of(std::uint64_t tag, std::uint32_t stream, const bytes &body)
    {
        ftr_chunk_head head = {};
        head.tag = tag;
        head.has_range = stream > 0;
        head.range.stream = stream;
        const std::size_t before = ftr_cbor_writer_size(&writer_.framed);
        ftr_chunk_put(&writer_, &head, body.data(), body.size());
        return ftr_cbor_writer_size(&writer_.framed) - before;
    }

  private:
    ftr_chunk_writer writer_;
};
} // namespace

TEST(ChunkWriter, CompressesStreamsRelationsAndStringsIndependently)
{
#ifndef __SSE2__
    GTEST_SKIP() << "without SSE2, liblz4 compresses all chunks";
#endif
    const bytes suited = suited_body();
    const bytes unsuited = unsuited_body();
    chunk_sizes size;
    // The first chunk of each kind decides about the following ones.
    size.of(FTR_TAG_TRANSACTIONS, 1, suited);
    size.of(FTR_TAG_TRANSACTIONS, 2, unsuited);
    size.of(FTR_TAG_RELATIONS, 0, suited);
    size.of(FTR_TAG_DICTIONARY, 0, unsuited);
    EXPECT_LT(size.of(FTR_TAG_TRANSACTIONS, 1, suited), size.of(FTR_TAG_TRANSACTIONS, 2, suited));
    EXPECT_LT(size.of(FTR_TAG_RELATIONS, 0, suited), size.of(FTR_TAG_DICTIONARY, 0, suited));
}
