// Chunks that a helper thread compresses: the same bytes, in the same order, as without a helper.
#include "fault_injection.hpp"
#include "wrapped_calls.hpp"

extern "C" {
#include "chunk_writer.h"
}

#include <gtest/gtest.h>

#include <dirent.h>

#include <cstdint>
#include <string>
#include <vector>

// The output is a string. See the options of the linker in recorder_tests.cmake.
FTR_WRAPPED(ftr_status, ftr_output_append, ftr_output *output, const void *data, size_t size,
            ftr_failure *failure);

ftr_status __wrap_ftr_output_append(ftr_output *output, const void *data, size_t size,
                                    ftr_failure * /*failure*/)
{
    reinterpret_cast<std::string *>(output)->append(static_cast<const char *>(data), size);
    return FTR_OK;
}

namespace
{
using bytes = std::vector<std::uint8_t>;

// Records with a counter, which both compressors make shorter.
bytes body_of(std::size_t size)
{
    bytes body;
    for (unsigned n = 0; body.size() < size; ++n)
        body.insert(body.end(), {0x84, 0xc6, 0x1a, 0, 1, static_cast<std::uint8_t>(n >> 8),
                                 static_cast<std::uint8_t>(n), 0xc8, 0x83, 6, 3, 10});
    body.resize(size);
    return body;
}

std::size_t threads()
{
    std::size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (const dirent *entry = readdir(tasks))
        count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

// A writer of chunks, with or without a helper.
class chunks
{
  public:
    explicit chunks(ftr_compression compression, bool has_helper)
    {
        status_ = ftr_chunk_writer_init(&writer_, compression, 9);
        is_open_ = status_ == FTR_OK;
        ftr_cbor_writer_init_growing(&body_, 0);
        if (is_open_ && has_helper)
            ftr_chunk_writer_start_helper(&writer_);
    }
    chunks(const chunks &) = delete;
    chunks &operator=(const chunks &) = delete;
    ~chunks()
    {
        if (is_open_)
            ftr_chunk_writer_release(&writer_);
        ftr_cbor_writer_free(&body_);
    }

    ftr_chunk_writer *writer() { return &writer_; }
    bool has_helper() const { return is_open_ && ftr_chunk_writer_has_helper(&writer_); }

    void transactions(std::uint32_t stream, const bytes &body)
    {
        ftr_chunk_head head = {};
        head.tag = FTR_TAG_TRANSACTIONS;
        head.has_range = true;
        head.range = {stream, 23, 65536};
        ftr_cbor_put_encoded(&body_, body.data(), body.size());
        if (status_ == FTR_OK)
            status_ = body_.status;
        if (status_ == FTR_OK)
            ftr_chunk_put_transactions(&writer_, &head, &body_);
        if (status_ == FTR_OK) {
            EXPECT_EQ(ftr_cbor_writer_size(&body_), 0u);
        }
    }
    void strings(const bytes &body)
    {
        ftr_chunk_head head = {};
        head.tag = FTR_TAG_DICTIONARY;
        if (status_ == FTR_OK)
            ftr_chunk_put(&writer_, &head, body.data(), body.size());
    }
    void end()
    {
        if (status_ == FTR_OK)
            ftr_chunk_put_break(&writer_);
        send();
    }
    void send()
    {
        ftr_failure ignored;
        if (status_ == FTR_OK)
            status_ = ftr_chunk_send(&writer_, reinterpret_cast<ftr_output *>(&sent_), &ignored);
    }
    ftr_status status() const { return status_; }
    const std::string &sent() const { return sent_; }

  private:
    std::string sent_;
    ftr_chunk_writer writer_ = {};
    ftr_cbor_writer body_ = {};
    ftr_status status_ = FTR_OK;
    bool is_open_ = false;
};

// Chunks of all sizes; a send now and then.
void write_many(chunks &to, std::uint32_t rounds)
{
    const std::size_t sizes[] = {1,     2,     23,    24,    255,   256,    16383,
                                 16384, 40000, 65535, 65536, 65537, 200000, 0};
    for (std::uint32_t round = 1; round <= rounds; ++round) {
        for (const std::size_t size : sizes) {
            to.transactions(size % 3 + 1, body_of(size));
            if (size % 2 == 1)
                to.strings(body_of(size / 2));
            if (size % 100 == 55 * (round % 2))
                to.send();
        }
    }
    to.end();
}

class ChunkQueue : public testing::TestWithParam<ftr_compression>
{
};

TEST_P(ChunkQueue, WritesTheSameAsOneThread)
{
    chunks alone(GetParam(), false);
    chunks helped(GetParam(), true);
    if (!helped.has_helper())
        GTEST_SKIP() << "there is only one processor";
    write_many(alone, 4);
    write_many(helped, 4);
    EXPECT_EQ(alone.status(), FTR_OK);
    EXPECT_EQ(helped.status(), FTR_OK);
    EXPECT_GT(alone.sent().size(), 10000u);
    EXPECT_TRUE(helped.sent() == alone.sent());
    EXPECT_EQ(helped.writer()->chunks, alone.writer()->chunks);
    EXPECT_EQ(helped.writer()->bytes_uncompressed, alone.writer()->bytes_uncompressed);
}

TEST_P(ChunkQueue, AnnouncesAtLeastTheBytesThatItSends)
{
    chunks helped(GetParam(), true);
    std::size_t announced = 0;
    for (const std::size_t size : {0, 24, 300, 17000, 70000}) {
        helped.transactions(1, body_of(size));
        announced = ftr_chunk_unsent(helped.writer());
    }
    helped.send();
    EXPECT_GE(announced, helped.sent().size());
    EXPECT_EQ(ftr_chunk_unsent(helped.writer()), 0u);
}

TEST_P(ChunkQueue, DropsAllThatIsNotSent)
{
    chunks helped(GetParam(), true);
    helped.transactions(1, body_of(50000));
    helped.send();
    const std::string sent = helped.sent();
    for (int i = 0; i < 20; ++i)
        helped.transactions(1, body_of(50000));
    ftr_chunk_drop(helped.writer());
    helped.send();
    EXPECT_EQ(helped.status(), FTR_OK);
    EXPECT_EQ(helped.sent(), sent);
}

// The helper can end and start again at any time; nothing is lost.
TEST_P(ChunkQueue, EndsWithItsThread)
{
    chunks alone(GetParam(), false);
    chunks helped(GetParam(), true);
    if (!helped.has_helper())
        GTEST_SKIP() << "there is only one processor";
    const std::size_t with_helper = threads();
    for (int i = 0; i < 10; ++i) {
        for (chunks *each : {&alone, &helped})
            each->transactions(1, body_of(30000));
        if (i % 3 == 1)
            ftr_chunk_writer_end_helper(helped.writer());
        if (i % 3 == 2)
            ftr_chunk_writer_start_helper(helped.writer());
    }
    ftr_chunk_writer_end_helper(helped.writer());
    EXPECT_EQ(threads(), with_helper - 1);
    alone.send();
    helped.send();
    EXPECT_TRUE(helped.sent() == alone.sent());
}

TEST_P(ChunkQueue, EveryFailedAllocationIsReported)
{
    chunks alone(GetParam(), false);
    write_many(alone, 1);
    for (const bool for_good : {false, true}) {
        bool has_failed = true;
        for (std::size_t n = 1; has_failed; ++n) {
            fault::fail_allocation(n, for_good);
            chunks helped(GetParam(), true);
            write_many(helped, 1);
            has_failed = fault::allocations() >= n;
            fault::allocations_succeed();
            ASSERT_TRUE(helped.status() == FTR_OK || helped.status() == FTR_ERR_MEMORY);
            if (helped.status() == FTR_OK) {
                ASSERT_TRUE(helped.sent() == alone.sent()) << n;
            } else {
                ASSERT_TRUE(has_failed) << n;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Compressions, ChunkQueue,
                         testing::Values(FTR_COMPRESSION_LZ4, FTR_COMPRESSION_LZ4HC));

TEST(ChunkQueueOptions, NoHelperWithoutCompressedTransactions)
{
    for (const ftr_compression compression : {FTR_COMPRESSION_NONE, FTR_COMPRESSION_META}) {
        chunks plain(compression, true);
        EXPECT_FALSE(plain.has_helper());
        plain.transactions(1, body_of(40000));
        plain.send();
        EXPECT_GT(plain.sent().size(), 40000u);
    }
}
} // namespace
