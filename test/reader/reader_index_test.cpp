// The index of a file is the same as that of the same bytes in memory: of the whole file, of its
// first part, with a damaged byte in the head of a chunk, and while the file grows.
extern "C" {
#include "chunk_frame.h"
}
#include "reader_fixture.hpp"
#include "scratch_directory.hpp"

#include <gtest/gtest.h>
#include <sys/uio.h>

#include <fstream>

using namespace reader_test;

namespace
{

// Bytes that a writer appends to a file immediately before the reader copies the head at `offset`.
struct Growth {
    std::string path;
    off_t offset;
    std::string bytes;
    bool done = false;
};

Growth *growth = nullptr;

// Calls the function while the file grows.
template <class Function> void with_growth(Growth &of, Function function)
{
    growth = &of;
    function();
    growth = nullptr;
}

void append(std::string &findings, uint64_t offset, const std::string &message)
{
    findings += std::to_string(offset) + " " + message + "\n";
}

std::string chunks_of(ftr_reader *reader)
{
    std::string result;
    ftr_chunk_info info;
    for (size_t i = 0; ftr_reader_get_chunk(reader, i, &info); i++)
        append(result, info.offset,
               std::to_string(info.kind) + " of " + std::to_string(info.size) +
                   " bytes, expanded " + std::to_string(info.bytes_expanded) + ", times " +
                   std::to_string(info.start) + " " + std::to_string(info.end));
    return result;
}

std::string index_in_memory(const Bytes &bytes)
{
    Reading r(bytes);
    if (r() == nullptr)
        return ftr_status_text(r.status());
    std::string findings;
    for (const Finding &finding : r.findings)
        append(findings, finding.offset, finding.message);
    return chunks_of(r()) + findings;
}

std::string index_of_file(const std::string &path)
{
    std::string findings;
    ftr_reader_options options{};
    options.size = sizeof options;
    options.finding_user = &findings;
    options.finding = [](void *user, const ftr_finding *finding) {
        append(*static_cast<std::string *>(user), finding->offset, finding->message);
    };
    ftr_reader *reader = nullptr;
    const ftr_status status = ftr_reader_open(path.c_str(), &options, &reader);
    if (status != FTR_OK)
        return ftr_status_text(status);
    const std::string chunks = chunks_of(reader);
    ftr_reader_close(reader);
    return chunks + findings;
}

class Index : public testing::TestWithParam<ftr_compression>
{
  protected:
    void expect_same(const Bytes &bytes)
    {
        const std::string path = directory_.path("trace.ftr");
        write_contents(path, std::string(bytes.begin(), bytes.end()));
        EXPECT_EQ(index_in_memory(bytes), index_of_file(path));
    }

    // The file ends at `size` when it is opened, and grows before the head at `offset` is copied.
    void expect_first_part(const Bytes &bytes, size_t offset, size_t size)
    {
        const auto cut = bytes.begin() + static_cast<long>(size);
        const std::string path = directory_.path("growing.ftr");
        write_contents(path, std::string(bytes.begin(), cut));
        Growth more{path, static_cast<off_t>(offset), std::string(cut, bytes.end())};
        std::string index;
        with_growth(more, [&] { index = index_of_file(path); });
        EXPECT_EQ(more.done, size - offset >= FTR_FRAME_HEAD_MAX); // else nothing is copied
        EXPECT_EQ(index_in_memory(Bytes(bytes.begin(), cut)), index);
    }

  private:
    scratch_directory directory_;
};

// Returns positions near the start of each chunk, and the size of the file.
std::vector<size_t> positions(const Bytes &file, size_t count, size_t step)
{
    Reading r(file);
    std::vector<size_t> result{file.size()};
    ftr_chunk_info info;
    for (size_t i = 0; ftr_reader_get_chunk(r(), i, &info); i++)
        for (size_t k = 0; k < count && info.offset + k * step < file.size(); k++)
            result.push_back(info.offset + k * step);
    return result;
}

TEST_P(Index, OfAFirstPartIsThatOfTheBytes)
{
    const Bytes file = small_file(GetParam());
    for (const size_t size : positions(file, 12, 7)) {
        SCOPED_TRACE("cut at byte " + std::to_string(size));
        expect_same(Bytes(file.begin(), file.begin() + static_cast<long>(size)));
    }
}

TEST_P(Index, WithADamagedByteIsThatOfTheBytes)
{
    const Bytes file = small_file(GetParam());
    for (const size_t i : positions(file, 12, 1))
        for (const uint8_t bits : {0x01, 0x20}) {
            if (i == file.size())
                continue;
            SCOPED_TRACE("byte " + std::to_string(i) + " changed by " + std::to_string(bits));
            Bytes damaged = file;
            damaged[i] ^= bits;
            expect_same(damaged);
        }
}

TEST_P(Index, OfAGrowingFileIsThatOfItsFirstPart)
{
    const Bytes file = small_file(GetParam());
    Reading r(file);
    ftr_chunk_info info;
    for (size_t i = 0; ftr_reader_get_chunk(r(), i, &info); i++)
        for (size_t k = 1; k < FTR_FRAME_HEAD_MAX + 4 && info.offset + k < file.size(); k++) {
            SCOPED_TRACE("the file ends " + std::to_string(k) + " bytes after byte " +
                         std::to_string(info.offset));
            expect_first_part(file, info.offset, info.offset + k);
        }
}

TEST(Head, IsNoChunkIfItsContentEndsAfterTheFile)
{
    const Bytes item = chunk(FTR_TAG_DICTIONARY, Bytes(100, 0));
    ftr_frame frame;
    for (size_t size = 0; size < item.size(); size++)
        EXPECT_FALSE(ftr_frame_parse_head(item.data(), FTR_FRAME_HEAD_MAX, size, &frame)) << size;
    EXPECT_TRUE(ftr_frame_parse_head(item.data(), FTR_FRAME_HEAD_MAX, item.size(), &frame));
    EXPECT_EQ(frame.size, item.size());
}

INSTANTIATE_TEST_SUITE_P(Compressions, Index,
                         testing::Values(FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4));

} // namespace

extern "C" {
ssize_t __real_preadv2(int fd, const iovec *parts, int count, off_t offset, int flags);
ssize_t __wrap_preadv2(int fd, const iovec *parts, int count, off_t offset, int flags);
}

ssize_t __wrap_preadv2(int fd, const iovec *parts, int count, off_t offset, int flags)
{
    if (growth == nullptr)
        return __real_preadv2(fd, parts, count, offset, flags);
    if (offset == growth->offset && !growth->done) {
        std::ofstream(growth->path, std::ios::app | std::ios::binary) << growth->bytes;
        growth->done = true;
    }
    // Without flags: also reads bytes that are not in the page cache.
    return __real_preadv2(fd, parts, count, offset, 0);
}
