// The recorder writes exactly the annotated file of docs/format.md; its index is that of
// docs/index-format.md.
#include "scratch_directory.hpp"

#include <ftr/reader.h>
#include <ftr/recorder.h>

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace
{

using byte_list = std::vector<std::uint8_t>;

std::vector<std::string> example_lines(const char *page)
{
    std::ifstream document(FTR_DOCUMENTS + std::string(page));
    std::vector<std::string> lines;
    std::string line;
    while (std::getline(document, line) && line != "```ftr") {
    }
    while (std::getline(document, line) && line != "```")
        lines.push_back(line);
    return lines;
}

// Returns the bytes of a line: pairs of hexadecimal digits between the offset and the remark.
byte_list bytes_of(const std::string &line)
{
    const std::size_t offset_width = 3;
    const std::size_t remark_at = 36;
    std::string digits;
    for (std::size_t i = offset_width; i < line.size() && i < remark_at; ++i) {
        if (std::isxdigit(static_cast<unsigned char>(line[i])))
            digits += line[i];
    }
    byte_list bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    return bytes;
}

std::int64_t append(void *user, const void *data, std::size_t size)
{
    auto *to = static_cast<byte_list *>(user);
    const auto *from = static_cast<const std::uint8_t *>(data);
    to->insert(to->end(), from, from + size);
    return static_cast<std::int64_t>(size);
}

byte_list recorded_example()
{
    byte_list file;
    const ftr_sink sink = {&file, append, nullptr};
    ftr_recorder_options options = {};
    options.compression = FTR_COMPRESSION_NONE;
    options.epoch_seconds = 1700000000;
    options.sink = &sink;
    ftr_recorder *rec = nullptr;
    EXPECT_EQ(ftr_recorder_open(nullptr, &options, &rec), FTR_OK);

    const ftr_attribute attributes[] = {{"address", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                        {"gain", FTR_TYPE_FLOATING_POINT, FTR_CLASS_RECORD},
                                        {"status", FTR_TYPE_ENUMERATION, FTR_CLASS_END}};
    ftr_stream bus = 0;
    ftr_generator read = 0;
    ftr_relation next = 0;
    EXPECT_EQ(ftr_stream_define(rec, "top.bus", "tlm", &bus), FTR_OK);
    EXPECT_EQ(ftr_generator_define(rec, bus, "read", attributes, 3, &read), FTR_OK);
    EXPECT_EQ(ftr_relation_define(rec, "next", &next), FTR_OK);

    ftr_tx first = {};
    ftr_tx second = {};
    EXPECT_EQ(ftr_tx_begin(rec, read, 1000, &first), FTR_OK);
    EXPECT_EQ(ftr_tx_put_number(rec, first, 0, 128), FTR_OK);
    EXPECT_EQ(ftr_tx_put_real(rec, first, 1, 0.5), FTR_OK);
    EXPECT_EQ(ftr_tx_put_text(rec, first, 2, "OK", FTR_NUL_TERMINATED), FTR_OK);
    EXPECT_EQ(ftr_tx_end(rec, first, 5000), FTR_OK);
    EXPECT_EQ(ftr_tx_begin(rec, read, 6000, &second), FTR_OK);
    EXPECT_EQ(ftr_tx_put_number(rec, second, 0, 132), FTR_OK);
    EXPECT_EQ(ftr_relation_put(rec, next, first, second), FTR_OK);
    EXPECT_EQ(ftr_recorder_close(rec), FTR_OK);
    return file;
}

byte_list documented_example(const char *page)
{
    byte_list documented;
    for (const std::string &line : example_lines(page)) {
        EXPECT_EQ(std::stoul(line.substr(0, 3), nullptr, 16), documented.size()) << line;
        const byte_list bytes = bytes_of(line);
        documented.insert(documented.end(), bytes.begin(), bytes.end());
    }
    return documented;
}

TEST(FormatDocument, ExampleEqualsTheRecordedFile)
{
    EXPECT_EQ(documented_example("format.md"), recorded_example());
}

TEST(FormatDocument, ExampleOfTheIndexEqualsTheWrittenFile)
{
    const scratch_directory directory;
    const std::string path = directory.path("run.ftr");
    const byte_list trace = recorded_example();
    write_contents(path, std::string(trace.begin(), trace.end()));
    ftr_reader *reader = nullptr;
    ASSERT_EQ(ftr_reader_open(path.c_str(), nullptr, &reader), FTR_OK);
    EXPECT_EQ(ftr_reader_collect_ids(reader), FTR_OK);
    EXPECT_EQ(ftr_reader_write_index(reader, path.c_str()), FTR_OK);
    ftr_reader_close(reader);
    const std::string index = contents_of(path + ".idx");
    EXPECT_EQ(documented_example("index-format.md"), byte_list(index.begin(), index.end()));
}

} // namespace
