#include "cbor_vectors.hpp"
#include "cbor_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

// Linked with --wrap=realloc.
namespace
{
bool realloc_fails = false;
}
extern "C" void *__real_realloc(void *memory, std::size_t size);
extern "C" void *__wrap_realloc(void *memory, std::size_t size);
extern "C" void *__wrap_realloc(void *memory, std::size_t size)
{
    return realloc_fails ? nullptr : __real_realloc(memory, size);
}

namespace
{
// A buffer on the heap, followed by bytes that must not change.
class guarded_buffer
{
  public:
    explicit guarded_buffer(std::size_t size) : size_(size), bytes_(size + 16, guard) {}
    std::uint8_t *data() { return bytes_.data(); }
    std::string hex(std::size_t size) const { return hex_of_bytes(bytes_.data(), size); }
    bool intact() const
    {
        return std::all_of(bytes_.begin() + static_cast<std::ptrdiff_t>(size_), bytes_.end(),
                           [](std::uint8_t byte) { return byte == guard; });
    }

  private:
    static constexpr std::uint8_t guard = 0xa5;
    std::size_t size_;
    std::vector<std::uint8_t> bytes_;
};

class growing_writer
{
  public:
    explicit growing_writer(std::size_t max = 0) { ftr_cbor_writer_init_growing(&w, max); }
    ~growing_writer() { ftr_cbor_writer_free(&w); }
    growing_writer(const growing_writer &) = delete;
    growing_writer &operator=(const growing_writer &) = delete;
    std::string hex() const { return hex_of_bytes(w.begin, ftr_cbor_writer_size(&w)); }

    ftr_cbor_writer w;
};

std::string hex_of(void (*put)(ftr_cbor_writer *w))
{
    growing_writer writer;
    put(&writer.w);
    EXPECT_EQ(writer.w.status, FTR_OK);
    return writer.hex();
}
} // namespace

TEST(CborWriter, WritesEveryRfcExample)
{
    ASSERT_EQ(cbor_vectors.size(), 81U);
    for (const cbor_vector &vector : cbor_vectors)
        EXPECT_EQ(hex_of(vector.put), vector.hex) << vector.text;
}

TEST(CborWriter, FillsABufferOfTheExactSize)
{
    for (const cbor_vector &vector : cbor_vectors) {
        SCOPED_TRACE(vector.text);
        const std::string hex = vector.hex;
        guarded_buffer buffer(hex.size() / 2);
        ftr_cbor_writer w;
        ftr_cbor_writer_init(&w, buffer.data(), hex.size() / 2);
        vector.put(&w);
        EXPECT_EQ(w.status, FTR_OK);
        EXPECT_EQ(buffer.hex(ftr_cbor_writer_size(&w)), hex);
        EXPECT_TRUE(buffer.intact());
    }
}

TEST(CborWriter, LatchesLimitAtEveryShorterCapacity)
{
    for (const cbor_vector &vector : cbor_vectors) {
        const std::string hex = vector.hex;
        for (std::size_t capacity = 0; capacity < hex.size() / 2; capacity++) {
            SCOPED_TRACE(std::string(vector.text) + " in " + std::to_string(capacity));
            guarded_buffer buffer(capacity);
            ftr_cbor_writer w;
            ftr_cbor_writer_init(&w, buffer.data(), capacity);
            vector.put(&w);
            EXPECT_EQ(w.status, FTR_ERR_LIMIT);
            EXPECT_TRUE(buffer.intact());
            const std::size_t size = ftr_cbor_writer_size(&w);
            ASSERT_LE(size, capacity);
            EXPECT_EQ(buffer.hex(size), hex.substr(0, 2 * size));
        }
    }
}

TEST(CborWriter, LatchesMemoryIfGrowingFails)
{
    growing_writer writer;
    realloc_fails = true;
    ftr_cbor_put_uint(&writer.w, 1);
    realloc_fails = false;
    EXPECT_EQ(writer.w.status, FTR_ERR_MEMORY);
    ftr_cbor_put_uint(&writer.w, 2);
    EXPECT_EQ(ftr_cbor_writer_size(&writer.w), 0U);
    EXPECT_EQ(writer.w.status, FTR_ERR_MEMORY);
}

TEST(CborWriter, KeepsItsBytesIfGrowingFails)
{
    growing_writer writer;
    const std::string text(200, 'x');
    ftr_cbor_put_text(&writer.w, text.data(), text.size());
    const std::string before = writer.hex();
    realloc_fails = true;
    while (writer.w.status == FTR_OK)
        ftr_cbor_put_null(&writer.w);
    realloc_fails = false;
    EXPECT_EQ(writer.w.status, FTR_ERR_MEMORY);
    EXPECT_EQ(writer.hex().substr(0, before.size()), before);
    EXPECT_EQ(ftr_cbor_writer_size(&writer.w), writer.w.capacity);
}

TEST(CborWriter, GrowsGeometrically)
{
    growing_writer writer;
    std::set<std::size_t> capacities;
    for (int i = 0; i < 1 << 20; i++) {
        ftr_cbor_put_null(&writer.w);
        capacities.insert(writer.w.capacity);
    }
    EXPECT_EQ(ftr_cbor_writer_size(&writer.w), std::size_t(1) << 20);
    EXPECT_LE(capacities.size(), 16U);
}

TEST(CborWriter, GrowsAtOnceForALargeText)
{
    growing_writer writer;
    const std::string text(100000, 'x');
    ftr_cbor_put_text(&writer.w, text.data(), text.size());
    ASSERT_EQ(writer.w.status, FTR_OK);
    ASSERT_EQ(ftr_cbor_writer_size(&writer.w), 5 + text.size());
    EXPECT_EQ(std::string(reinterpret_cast<char *>(writer.w.begin) + 5, text.size()), text);
}

TEST(CborWriter, GrowsToItsLimitAndNoFurther)
{
    growing_writer writer(1000);
    for (int i = 0; i < 1000; i++)
        ftr_cbor_put_null(&writer.w);
    EXPECT_EQ(writer.w.status, FTR_OK);
    EXPECT_LE(writer.w.capacity, 1000U);
    ftr_cbor_put_null(&writer.w);
    EXPECT_EQ(writer.w.status, FTR_ERR_LIMIT);
    EXPECT_EQ(ftr_cbor_writer_size(&writer.w), 1000U);
}

TEST(CborWriter, DoesNotGrowForAnItemAboveItsLimit)
{
    growing_writer writer(10000);
    ftr_cbor_put_null(&writer.w);
    const std::size_t capacity = writer.w.capacity;
    const std::string text(10000, 'x');
    ftr_cbor_put_encoded(&writer.w, text.data(), text.size());
    EXPECT_EQ(writer.w.status, FTR_ERR_LIMIT);
    EXPECT_EQ(writer.w.capacity, capacity);
    EXPECT_EQ(writer.hex(), "f6");
}

TEST(CborWriter, DoesNothingAfterAnError)
{
    guarded_buffer buffer(64);
    ftr_cbor_writer w;
    ftr_cbor_writer_init(&w, buffer.data(), 64);
    ftr_cbor_put_uint(&w, 1);
    ftr_cbor_writer_fail(&w, FTR_ERR_TYPE);
    for (const cbor_vector &vector : cbor_vectors)
        vector.put(&w);
    ftr_cbor_writer_fail(&w, FTR_ERR_IO);
    EXPECT_EQ(ftr_cbor_reserve(&w, 1), nullptr);
    EXPECT_EQ(w.status, FTR_ERR_TYPE);
    EXPECT_EQ(buffer.hex(ftr_cbor_writer_size(&w)), "01");
}

TEST(CborWriter, ResetClearsBytesAndError)
{
    guarded_buffer buffer(2);
    ftr_cbor_writer w;
    ftr_cbor_writer_init(&w, buffer.data(), 2);
    ftr_cbor_put_uint(&w, 1000);
    ASSERT_EQ(w.status, FTR_ERR_LIMIT);
    ftr_cbor_writer_reset(&w);
    EXPECT_EQ(ftr_cbor_writer_size(&w), 0U);
    ftr_cbor_put_uint(&w, 100);
    EXPECT_EQ(w.status, FTR_OK);
    EXPECT_EQ(buffer.hex(ftr_cbor_writer_size(&w)), "1864");
}

TEST(CborWriter, ResetKeepsTheMemory)
{
    growing_writer writer;
    const std::string text(5000, 'x');
    ftr_cbor_put_text(&writer.w, text.data(), text.size());
    ftr_cbor_writer_reset(&writer.w);
    realloc_fails = true;
    ftr_cbor_put_text(&writer.w, text.data(), text.size());
    realloc_fails = false;
    EXPECT_EQ(writer.w.status, FTR_OK);
}

TEST(CborWriter, CanBeUsedAgainAfterFree)
{
    growing_writer writer(100);
    ftr_cbor_put_uint(&writer.w, 1);
    ftr_cbor_writer_free(&writer.w);
    EXPECT_EQ(ftr_cbor_writer_size(&writer.w), 0U);
    ftr_cbor_put_uint(&writer.w, 2);
    EXPECT_EQ(writer.hex(), "02");
    EXPECT_EQ(writer.w.max, 100U);
}

TEST(CborWriter, ChoosesTheShortestHeadAtEveryBoundary)
{
    const struct {
        std::uint64_t argument;
        const char *hex;
    } heads[] = {{0, "c0"},
                 {23, "d7"},
                 {24, "d818"},
                 {0xff, "d8ff"},
                 {0x100, "d90100"},
                 {0xffff, "d9ffff"},
                 {0x10000, "da00010000"},
                 {0xffffffff, "daffffffff"},
                 {0x100000000, "db0000000100000000"},
                 {UINT64_MAX, "dbffffffffffffffff"}};
    for (const auto &head : heads) {
        guarded_buffer buffer(FTR_CBOR_HEAD_MAX);
        const std::uint8_t *end =
            ftr_cbor_head_at(buffer.data(), FTR_CBOR_MAJOR_TAG, head.argument);
        EXPECT_EQ(buffer.hex(static_cast<std::size_t>(end - buffer.data())), head.hex);
        EXPECT_TRUE(buffer.intact());
    }
}

TEST(CborWriter, WritesTheExtremesOfInt64)
{
    EXPECT_EQ(hex_of([](ftr_cbor_writer *w) { ftr_cbor_put_int(w, INT64_MIN); }),
              "3b7fffffffffffffff");
    EXPECT_EQ(hex_of([](ftr_cbor_writer *w) { ftr_cbor_put_int(w, INT64_MAX); }),
              "1b7fffffffffffffff");
    EXPECT_EQ(hex_of([](ftr_cbor_writer *w) { ftr_cbor_put_int(w, -24); }), "37");
    EXPECT_EQ(hex_of([](ftr_cbor_writer *w) { ftr_cbor_put_int(w, -25); }), "3818");
}

TEST(CborWriter, UncheckedBlocksWriteTheSameBytesAsPuts)
{
    const std::string reserved = hex_of([](ftr_cbor_writer *w) {
        std::uint8_t *p = ftr_cbor_reserve(w, 7 * FTR_CBOR_HEAD_MAX);
        p = ftr_cbor_head_at(p, FTR_CBOR_MAJOR_ARRAY, 6);
        p = ftr_cbor_uint_at(p, 1000);
        p = ftr_cbor_int_at(p, -1000000);
        p = ftr_cbor_int_at(p, INT64_MIN);
        p = ftr_cbor_bool_at(p, true);
        p = ftr_cbor_float_at(p, 0.5F);
        p = ftr_cbor_double_at(p, -1.1);
        ftr_cbor_advance(w, p);
    });
    const std::string checked = hex_of([](ftr_cbor_writer *w) {
        ftr_cbor_put_array(w, 6);
        ftr_cbor_put_uint(w, 1000);
        ftr_cbor_put_int(w, -1000000);
        ftr_cbor_put_int(w, INT64_MIN);
        ftr_cbor_put_bool(w, true);
        const std::uint8_t floats[] = {0xfa, 0x3f, 0,    0,    0,    0xfb, 0xbf,
                                       0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a};
        ftr_cbor_put_encoded(w, floats, sizeof floats);
    });
    EXPECT_EQ(reserved, checked);
    EXPECT_EQ(reserved, "861903e83a000f423f3b7ffffffffffffffff5fa3f000000fbbff199999999999a");
}

TEST(CborWriter, AcceptsEmptyStringsWithoutAPointer)
{
    EXPECT_EQ(hex_of([](ftr_cbor_writer *w) {
                  ftr_cbor_put_text(w, nullptr, 0);
                  ftr_cbor_put_bytes(w, nullptr, 0);
                  ftr_cbor_put_encoded(w, nullptr, 0);
              }),
              "6040");
}
