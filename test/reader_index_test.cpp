// The index of a file is the same as that of the same bytes in memory: of the whole file, of its
// first part, and with a damaged byte in the head of a chunk.
#include "reader_fixture.hpp"
#include "scratch_directory.hpp"

#include <gtest/gtest.h>

using namespace reader_test;

namespace
{

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

INSTANTIATE_TEST_SUITE_P(Compressions, Index,
                         testing::Values(FTR_COMPRESSION_NONE, FTR_COMPRESSION_LZ4));

} // namespace
