// A recorder with buffers and files in a scratch directory, shared by the tests of buffers.
#ifndef FTR_TEST_BUFFERED_RECORDING_HPP
#define FTR_TEST_BUFFERED_RECORDING_HPP

#include "killed_process.hpp"
#include "recording.hpp"

#include <ftr/buffer.h>

#include <gtest/gtest.h>

#include <map>
#include <set>

// The parameter is the number of writer threads.
class Buffered : public testing::TestWithParam<int>
{
  protected:
    std::string path(const std::string &name = "run.ftr") const { return directory_.path(name); }

    ftr_recorder_options options()
    {
        ftr_recorder_options options = {};
        options.threads = GetParam();
        options.report = report_list::report;
        options.report_user = &reports_;
        return options;
    }

    void open() { open(options()); }
    void open(const ftr_recorder_options &options)
    {
        ASSERT_EQ(ftr_recorder_open(path().c_str(), &options, &recorder_), FTR_OK);
    }

    ftr_buffer buffer(const ftr_buffer_options &options)
    {
        ftr_buffer made = 0;
        EXPECT_EQ(ftr_buffer_define(recorder_, &options, &made), FTR_OK);
        EXPECT_NE(made, 0u);
        return made;
    }

    // Returns options for a ring or linear buffer of @p memory bytes, for streams that match @p
    // globs.
    static ftr_buffer_options buffer_options(const char *name, ftr_buffer_kind kind,
                                             std::uint64_t memory, const char *globs = nullptr)
    {
        ftr_buffer_options options = {};
        options.name = name;
        options.kind = kind;
        options.memory = memory;
        options.streams = globs;
        return options;
    }

    ftr_generator generator(const char *stream)
    {
        const ftr_attribute attributes[] = {{"text", FTR_TYPE_STRING, FTR_CLASS_BEGIN},
                                            {"number", FTR_TYPE_UNSIGNED, FTR_CLASS_END}};
        ftr_stream made = 0;
        ftr_generator generator = 0;
        EXPECT_EQ(ftr_stream_define(recorder_, stream, "kind", &made), FTR_OK);
        EXPECT_EQ(ftr_generator_define(recorder_, made, "g", attributes, 2, &generator), FTR_OK);
        return generator;
    }

    static std::string text_of(std::uint64_t n) { return "a text for " + std::to_string(n * 7919); }

    // Records transaction n, from tick 10 n to 10 n + 5.
    ftr_tx record(ftr_generator generator, std::uint64_t n)
    {
        const std::string text = text_of(n);
        const ftr_value values[] = {text_value(FTR_TYPE_STRING, text.c_str()),
                                    number_value(FTR_TYPE_UNSIGNED, n)};
        ftr_tx tx{};
        EXPECT_EQ(ftr_tx_record(recorder_, generator, 10 * n, 10 * n + 5, values, 2, &tx), FTR_OK);
        return tx;
    }

    void close(ftr_status expected = FTR_OK) { EXPECT_EQ(ftr_recorder_close(recorder_), expected); }

    // Decodes a file, which must have no findings.
    static decoded_file sound(const std::string &path)
    {
        EXPECT_EQ(findings(path, "--allow end-order"), std::vector<std::string>{});
        return decode(path);
    }

    // Returns the numbers of a stream's transactions; each must be complete and occur once.
    static std::set<std::uint64_t> numbers(const decoded_file &file, const std::string &stream)
    {
        std::set<std::uint64_t> numbers;
        for (const decoded_transaction &tx : file.transactions) {
            if (tx.stream != stream)
                continue;
            const std::uint64_t n = tx.begin / 10;
            EXPECT_TRUE(numbers.insert(n).second) << n << " of " << stream << " is there twice";
            EXPECT_EQ(tx.value("number"), n);
            EXPECT_EQ(tx.value("text"), text_of(n));
        }
        return numbers;
    }

    // Returns the numbers from @p first up to @p last.
    static std::set<std::uint64_t> range(std::uint64_t first, std::uint64_t last)
    {
        std::set<std::uint64_t> numbers;
        for (; first <= last; ++first)
            numbers.insert(numbers.end(), first);
        return numbers;
    }

    // Returns the number of a buffer's transactions that were lost for a reason that contains
    // @p what; "" is the recorder's own buffer.
    static std::uint64_t lost(const decoded_file &file, const std::string &buffer,
                              const std::string &what)
    {
        std::uint64_t count = 0;
        for (const decoded_transaction &tx : file.transactions) {
            if (tx.stream != "ftr.losses" ||
                tx.value("what").get<std::string>().find(what) == std::string::npos)
                continue;
            const bool has_buffer = tx.attributes.size() == 3;
            if ((has_buffer ? tx.value("buffer").get<std::string>() : "") == buffer)
                count += tx.value("count").get<std::uint64_t>();
        }
        return count;
    }

    scratch_directory directory_;
    report_list reports_;
    ftr_recorder *recorder_ = nullptr;
};

#endif
