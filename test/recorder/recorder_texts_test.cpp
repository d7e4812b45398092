// Texts: NULs, invalid UTF-8, lengths, and shared dictionary entries.
#include <ftr/detail/word_calls.h>

#include "recording.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace
{
class RecorderTexts : public testing::Test
{
  protected:
    RecorderTexts() { open({}); }

    void open(const ftr_recorder_options &options)
    {
        rec_ = std::make_unique<recording>(options);
        generator_ = rec_->generator(rec_->stream("top"), "say",
                                     {{"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}});
    }

    // Records one transaction with the text, put in every way.
    void say(const std::string &text)
    {
        ftr_tx tx;
        ftr_text defined;
        const ftr_value value = text_value(FTR_TYPE_STRING, text.data(), text.size());
        ASSERT_EQ(ftr_text_define(*rec_, text.data(), text.size(), &defined), FTR_OK);
        ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 0, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_put_text(*rec_, tx, 0, text.data(), text.size()), FTR_OK);
        ASSERT_EQ(ftr_tx_put_defined(*rec_, tx, 0, defined), FTR_OK);
        ASSERT_EQ(ftr_tx_put_named(*rec_, tx, FTR_CLASS_RECORD, "text", &value), FTR_OK);
        ASSERT_EQ(ftr_tx_end(*rec_, tx, 0), FTR_OK);
        ASSERT_EQ(ftr_tx_record(*rec_, generator_, 0, 0, &value, 1, nullptr), FTR_OK);
    }

    // Returns the recorded texts in order; each must be equal in all four forms.
    std::vector<std::string> heard()
    {
        const decoded_file file = rec_->decoded();
        std::vector<std::string> texts;
        for (const decoded_transaction &tx : file.transactions) {
            for (const decoded_attribute &attribute : tx.attributes)
                texts.push_back(attribute.value);
        }
        EXPECT_EQ(texts.size() % 4, 0u);
        std::vector<std::string> once;
        for (std::size_t i = 0; i < texts.size(); i += 4) {
            for (std::size_t k = 1; k < 4; ++k)
                EXPECT_EQ(texts[i], texts[i + k]);
            once.push_back(texts[i]);
        }
        return once;
    }

    std::unique_ptr<recording> rec_;
    ftr_generator generator_ = 0;
};

using strings = std::vector<std::string>;

TEST_F(RecorderTexts, CanContainNul)
{
    const strings said = {std::string("a\0b", 3), std::string("a\0c", 3), std::string("a"),
                          std::string("\0", 1),   std::string("\0\0", 2), ""};
    for (const std::string &text : said)
        say(text);
    EXPECT_EQ(heard(), said);
}

// Returns the length of each byte string at the top level of a file, by the tag of its chunk.
std::vector<std::pair<unsigned, std::size_t>> byte_strings(const std::string &path)
{
    std::ifstream stream(path, std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(stream)), {});
    std::vector<std::pair<unsigned, std::size_t>> found;
    std::size_t at = 4; // behind the tag of the file and the head of its array
    const auto head = [&](unsigned &major) {
        const auto first = static_cast<unsigned char>(file.at(at++));
        major = first >> 5;
        std::uint64_t value = first & 31;
        if (value >= 24) {
            for (std::size_t bytes = std::size_t(1) << (value - 24), i = value = 0; i < bytes; ++i)
                value = value << 8 | static_cast<unsigned char>(file.at(at++));
        }
        return value;
    };
    unsigned tag = 0;
    while (at < file.size() && file[at] != '\xff') {
        unsigned major;
        const std::uint64_t value = head(major);
        if (major == 6)
            tag = static_cast<unsigned>(value);
        if (major != 2)
            continue;
        found.emplace_back(tag, value);
        at += value;
    }
    return found;
}

// impulse stops at a longer byte string.
TEST_F(RecorderTexts, ThatAreLongLeaveByteStringsOf64KiBWithoutCompression)
{
    ftr_recorder_options options{};
    options.compression = FTR_COMPRESSION_NONE;
    open(options);
    strings said;
    for (const std::size_t length : {60000, 70000, 2, 65536, 40000, 40000, 65530, 20, 200000})
        said.push_back(std::string(length, char('a' + said.size())));
    for (const std::string &text : said)
        say(text);
    EXPECT_EQ(heard(), said);
    std::size_t plain = 0;
    for (const auto &[tag, size] : byte_strings(rec_->path())) {
        EXPECT_LE(size, std::size_t(65536)) << "chunk with tag " << tag;
        plain += tag == 8;
        EXPECT_NE(tag, 13u);
    }
    EXPECT_GE(plain, 3u);
}

TEST_F(RecorderTexts, OfEveryLengthAroundThePaddingAreComplete)
{
    strings said;
    for (std::size_t length = 0; length < 70; ++length)
        said.push_back(std::string(length, char('a' + length % 26)));
    for (const std::string &text : said)
        say(text);
    EXPECT_EQ(heard(), said);
}

// The inline calls read and write texts in pieces, which end behind the text.
TEST_F(RecorderTexts, OfEveryLengthAtEveryAddressLeaveTheirNeighboursUnchanged)
{
    recording rec;
    const ftr_generator generator = rec.generator(rec.stream("top"), "say",
                                                  {{"before", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                                   {"first", FTR_TYPE_STRING, FTR_CLASS_RECORD},
                                                   {"second", FTR_TYPE_STRING, FTR_CLASS_RECORD},
                                                   {"after", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD}});
    const std::uint64_t all_bits = UINT64_MAX;
    strings said;
    for (std::size_t length = 0; length <= 50; ++length) {
        for (std::size_t offset = 0; offset < 16; ++offset) {
            alignas(16) char buffer[80];
            memset(buffer, '#', sizeof buffer);
            std::string text;
            for (std::size_t i = 0; i < length; ++i)
                text += char('a' + (i + offset) % 26);
            memcpy(buffer + offset, text.c_str(), length + 1);
            const char *at = buffer + offset;
            ftr_tx tx;
            ASSERT_EQ(ftr_tx_begin(rec, generator, 0, &tx), FTR_OK);
            ASSERT_EQ(ftr_tx_put_number(rec, tx, 0, all_bits), FTR_OK);
            ASSERT_EQ(ftr_tx_put_text(rec, tx, 1, at, FTR_NUL_TERMINATED), FTR_OK);
            ASSERT_EQ(ftr_tx_put_text(rec, tx, 2, at, FTR_NUL_TERMINATED), FTR_OK);
            ASSERT_EQ(ftr_tx_put_number(rec, tx, 3, all_bits), FTR_OK);
            ASSERT_EQ(ftr_tx_end(rec, tx, 0), FTR_OK);
            const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, all_bits),
                                        text_value(FTR_TYPE_STRING, at, FTR_NUL_TERMINATED),
                                        text_value(FTR_TYPE_STRING, at, FTR_NUL_TERMINATED),
                                        number_value(FTR_TYPE_UNSIGNED, all_bits)};
            ASSERT_EQ(ftr_tx_record(rec, generator, 0, 0, values, 4, nullptr), FTR_OK);
            said.insert(said.end(), 2, text);
        }
    }
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
        const decoded_transaction &tx = file.transactions[i];
        ASSERT_EQ(tx.value("before"), all_bits) << i;
        ASSERT_EQ(tx.value("first"), said[i]) << i;
        ASSERT_EQ(tx.value("second"), said[i]) << i;
        ASSERT_EQ(tx.value("after"), all_bits) << i;
    }
}

// Bytes behind a text are read only in the same page.
TEST_F(RecorderTexts, AreNotReadBeyondTheirPage)
{
    constexpr std::size_t page = 4096;
    void *mapped = mmap(nullptr, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    char *const begin = static_cast<char *>(mapped) + page;
    ASSERT_EQ(mprotect(begin, page, PROT_READ | PROT_WRITE), 0);
    memset(begin, '#', page);
    strings said;
    const auto say_terminated = [&](const char *text) {
        ftr_tx tx;
        const ftr_value value = text_value(FTR_TYPE_STRING, text, FTR_NUL_TERMINATED);
        ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 0, &tx), FTR_OK);
        for (int i = 0; i < 2; ++i)
            ASSERT_EQ(ftr_tx_put_text(*rec_, tx, 0, text, FTR_NUL_TERMINATED), FTR_OK);
        ASSERT_EQ(ftr_tx_put_named(*rec_, tx, FTR_CLASS_RECORD, "text", &value), FTR_OK);
        ASSERT_EQ(ftr_tx_end(*rec_, tx, 0), FTR_OK);
        ASSERT_EQ(ftr_tx_record(*rec_, generator_, 0, 0, &value, 1, nullptr), FTR_OK);
        said.push_back(text);
    };
    for (std::size_t behind = 0; behind < 20; ++behind) {
        for (std::size_t length = 0; length < 50; ++length) {
            char *const text = begin + page - behind - length - 1;
            memset(text, char('a' + length % 26), length);
            text[length] = '\0';
            say_terminated(text);
            memset(text, '#', length + 1);
        }
    }
    memcpy(begin, "at the start", sizeof "at the start");
    say_terminated(begin);
    EXPECT_EQ(heard(), said);
    munmap(mapped, 3 * page);
}

// A slot has space for 160 bytes of items.
TEST_F(RecorderTexts, AreCompleteWhereverInTheSlotTheyStart)
{
    recording rec;
    const ftr_generator generator = rec.generator(rec.stream("top"), "say",
                                                  {{"number", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
                                                   {"text", FTR_TYPE_STRING, FTR_CLASS_RECORD}});
    strings said;
    for (int before = 0; before <= 11; ++before) {
        for (std::size_t length = 0; length < 70; ++length) {
            const std::string text(length, char('a' + length % 26));
            const ftr_value value = text_value(FTR_TYPE_STRING, text.c_str(), FTR_NUL_TERMINATED);
            for (int way = 0; way < 3; ++way) {
                ftr_tx tx;
                ASSERT_EQ(ftr_tx_begin(rec, generator, 0, &tx), FTR_OK);
                for (int i = 0; i < before; ++i)
                    ASSERT_EQ(ftr_tx_put_number(rec, tx, 0, 7), FTR_OK);
                if (way == 0)
                    ASSERT_EQ(ftr_tx_put_text(rec, tx, 1, text.c_str(), FTR_NUL_TERMINATED),
                              FTR_OK);
                else if (way == 1)
                    ASSERT_EQ(ftr_tx_put_text(rec, tx, 1, text.data(), length), FTR_OK);
                else
                    ASSERT_EQ(ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "text", &value), FTR_OK);
                ASSERT_EQ(ftr_tx_put_number(rec, tx, 0, 8), FTR_OK);
                ASSERT_EQ(ftr_tx_end(rec, tx, 0), FTR_OK);
                said.push_back(text);
            }
        }
    }
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), said.size());
    for (std::size_t i = 0; i < said.size(); ++i) {
        const decoded_transaction &tx = file.transactions[i];
        ASSERT_EQ(tx.value("text"), said[i]) << i;
        ASSERT_EQ(tx.attributes.back().value, 8) << i;
    }
}

// The writer compares a text with the last one of the same attribute.
TEST_F(RecorderTexts, DifferingInOneByteOrInLengthStayDifferent)
{
    strings said;
    for (std::size_t length = 1; length <= 18; ++length) {
        const std::string text(length, 'x');
        std::string other = text;
        other[length / 2] = 'y';
        std::string last = text;
        last[length - 1] = 'z';
        for (const std::string &one : {text, text, other, text, last, last, text + "x", text})
            said.push_back(one);
    }
    for (const std::string &text : said)
        say(text);
    EXPECT_EQ(heard(), said);
}

TEST_F(RecorderTexts, OfManyAttributesStayApart)
{
    recording rec;
    std::vector<std::string> names;
    for (int i = 0; i < 200; ++i)
        names.push_back("text " + std::to_string(i));
    std::vector<ftr_attribute> attributes;
    for (const std::string &name : names)
        attributes.push_back({name.c_str(), FTR_TYPE_STRING, FTR_CLASS_RECORD});
    const ftr_generator generator = rec.generator(rec.stream("top"), "say", attributes);
    for (int round = 0; round < 3; ++round) {
        ftr_tx tx;
        ASSERT_EQ(ftr_tx_begin(rec, generator, 0, &tx), FTR_OK);
        for (unsigned i = 0; i < names.size(); ++i)
            ASSERT_EQ(ftr_tx_put_text(rec, tx, i, names[i].c_str(), FTR_NUL_TERMINATED), FTR_OK);
        ASSERT_EQ(ftr_tx_end(rec, tx, 0), FTR_OK);
    }
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), 3U);
    for (const decoded_transaction &tx : file.transactions) {
        for (const std::string &name : names)
            ASSERT_EQ(tx.value(name), name);
    }
}

TEST_F(RecorderTexts, OfAMebibyteAndMoreAreComplete)
{
    std::string mebibyte(1 << 20, 'm');
    for (std::size_t i = 0; i < mebibyte.size(); i += 7)
        mebibyte[i] = char('a' + i % 23);
    const strings said = {
        "before", mebibyte, std::string(65536, 'b'), std::string(65535, 'c'), mebibyte + mebibyte,
        "after"};
    for (const std::string &text : said)
        say(text);
    EXPECT_EQ(heard(), said);
}

TEST_F(RecorderTexts, OfBytesAreHexadecimalInEveryCall)
{
    std::mt19937 random(7);
    strings expected;
    for (std::size_t size = 0; size < 300; ++size) {
        std::vector<unsigned char> bytes(size);
        std::string digits;
        for (unsigned char &byte : bytes) {
            byte = static_cast<unsigned char>(size == 256 ? digits.size() / 2 : random());
            digits += "0123456789abcdef"[byte / 16];
            digits += "0123456789abcdef"[byte % 16];
        }
        ftr_tx tx;
        ftr_value value{};
        value.type = FTR_TYPE_STRING;
        value.defined = FTR_BYTES;
        value.text_length = size;
        value.as.bytes = size > 0 ? bytes.data() : nullptr;
        ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 0, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_put_bytes(*rec_, tx, 0, value.as.bytes, size), FTR_OK);
        ASSERT_EQ(ftr_tx_put_text(*rec_, tx, 0, digits.data(), digits.size()), FTR_OK);
        ASSERT_EQ(ftr_tx_put_named(*rec_, tx, FTR_CLASS_RECORD, "text", &value), FTR_OK);
        ASSERT_EQ(ftr_tx_end(*rec_, tx, 0), FTR_OK);
        ASSERT_EQ(ftr_tx_record(*rec_, generator_, 0, 0, &value, 1, nullptr), FTR_OK);
        expected.push_back(digits);
    }
    EXPECT_EQ(heard(), expected);
    EXPECT_EQ(rec_->statistics().repaired_texts, 0u);
}

TEST_F(RecorderTexts, OfBytesNeedAnAttributeOfTypeString)
{
    const ftr_generator other = rec_->generator(rec_->stream("other"), "g",
                                                {{"mode", FTR_TYPE_ENUMERATION, FTR_CLASS_RECORD},
                                                 {"n", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD}});
    const unsigned char bytes[] = {1, 2};
    ftr_value value{};
    value.type = FTR_TYPE_ENUMERATION;
    value.defined = FTR_BYTES;
    value.text_length = 2;
    value.as.bytes = bytes;
    ftr_tx tx;
    ASSERT_EQ(ftr_tx_begin(*rec_, other, 0, &tx), FTR_OK);
    EXPECT_EQ(ftr_tx_put_bytes(*rec_, tx, 0, bytes, 2), FTR_ERR_TYPE);
    EXPECT_EQ(ftr_tx_put_bytes(*rec_, tx, 1, bytes, 2), FTR_ERR_TYPE);
    EXPECT_EQ(ftr_tx_put_bytes(*rec_, tx, 2, bytes, 2), FTR_ERR_ATTRIBUTE);
    EXPECT_EQ(ftr_tx_put_named(*rec_, tx, FTR_CLASS_RECORD, "mode", &value), FTR_ERR_TYPE);
    EXPECT_EQ(ftr_tx_record(*rec_, other, 0, 0, &value, 1, nullptr), FTR_ERR_TYPE);
    ASSERT_EQ(ftr_tx_end(*rec_, tx, 0), FTR_OK);
    EXPECT_EQ(ftr_tx_put_bytes(*rec_, tx, 0, bytes, 2), FTR_ERR_UNKNOWN_TX);
    ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 0, &tx), FTR_OK);
    EXPECT_EQ(ftr_tx_put_bytes(*rec_, tx, 0, nullptr, 2), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_tx_put_bytes(*rec_, tx, 0, bytes, SIZE_MAX / 2), FTR_ERR_LIMIT);
    ASSERT_EQ(ftr_tx_end(*rec_, tx, 0), FTR_OK);
    for (const decoded_transaction &each : rec_->decoded().transactions)
        EXPECT_TRUE(each.attributes.empty());
}

TEST_F(RecorderTexts, InvalidUtf8IsRepairedAndCounted)
{
    const std::string r = "\xef\xbf\xbd";
    say("fine \xc3\xbc");
    say("bad \xff");
    say("bad \xff");
    say("cut \xe2\x82");
    const strings expected = {"fine \xc3\xbc", "bad " + r, "bad " + r, "cut " + r};
    EXPECT_EQ(heard(), expected);
    EXPECT_EQ(rec_->statistics().repaired_texts, 2u) << "two texts, however often they came";
    EXPECT_EQ(rec_->reports().count(
                  "2 texts were not UTF-8; their invalid bytes became U+FFFD; the first one is "
                  "\"bad " +
                  r + "\", attribute \"text\" of generator \"say\" in stream \"top\""),
              1u);
}

TEST_F(RecorderTexts, MessageNamesTheFirstRepairedText)
{
    struct {
        std::string description;
        std::function<void()> record;
    } const cases[] = {
        {"\"\ufffd\", attribute \"note\" of generator \"say\" in stream \"top\"",
         [this] {
             ftr_value value{};
             value.type = FTR_TYPE_STRING;
             value.text_length = 1;
             value.as.text = "\xff";
             ftr_tx tx;
             ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 0, &tx), FTR_OK);
             ASSERT_EQ(ftr_tx_put_text(*rec_, tx, 0, "fine", 4), FTR_OK);
             ASSERT_EQ(ftr_tx_put_named(*rec_, tx, FTR_CLASS_END, "note", &value), FTR_OK);
             ASSERT_EQ(ftr_tx_end(*rec_, tx, 0), FTR_OK);
             say("later \xff");
         }},
        {"\"defined \ufffd\", attribute \"text\" of generator \"say\" in stream \"top\"",
         [this] {
             ftr_text text;
             ftr_tx tx;
             ASSERT_EQ(ftr_text_define(*rec_, "defined \xff", 9, &text), FTR_OK);
             ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 0, &tx), FTR_OK);
             ASSERT_EQ(ftr_tx_put_defined(*rec_, tx, 0, text), FTR_OK);
             ASSERT_EQ(ftr_tx_end(*rec_, tx, 0), FTR_OK);
         }},
        {"\"in a row \ufffd\", attribute \"b\" of generator \"g\" in stream \"row\"",
         [this] {
             const ftr_generator row = rec_->generator(rec_->stream("row"), "g",
                                                       {{"a", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
                                                        {"b", FTR_TYPE_STRING, FTR_CLASS_BEGIN}});
             ftr_text text;
             ASSERT_EQ(ftr_text_define(*rec_, "in a row \xff", 10, &text), FTR_OK);
             const std::uint64_t words[] = {7, text};
             ASSERT_EQ(ftr_tx_record_words(*rec_, row, 0, 1, words, 2, nullptr), FTR_OK);
         }},
        {"\"open \ufffd\", attribute \"text\" of generator \"say\" in stream \"top\"",
         [this] {
             ftr_tx tx;
             ASSERT_EQ(ftr_tx_begin(*rec_, generator_, 0, &tx), FTR_OK);
             ASSERT_EQ(ftr_tx_put_text(*rec_, tx, 0, "open \xff", 6), FTR_OK);
         }},
        {"the name \"g\ufffd\"",
         [this] {
             const ftr_generator named = rec_->generator(rec_->stream("other"), "g\xff");
             ASSERT_EQ(ftr_tx_record(*rec_, named, 0, 1, nullptr, 0, nullptr), FTR_OK);
         }},
        {"\"after 100 KB \ufffd\", attribute \"text\" of generator \"say\" in stream \"top\"",
         [this] {
             for (int i = 0; i < 100; ++i)
                 say(std::string(1000, 'x') + std::to_string(i));
             say("after 100 KB \xff");
         }},
        {"\"" + std::string(48, 'x') + "...\", attribute",
         [this] { say(std::string(70000, 'x') + "\xff"); }},
    };
    for (const auto &each : cases) {
        open({});
        each.record();
        ASSERT_EQ(rec_->close(), FTR_OK);
        EXPECT_EQ(rec_->reports().count("the first one is " + std::string(each.description)), 1u)
            << each.description;
        EXPECT_GE(rec_->statistics().repaired_texts, 1u);
    }
}

TEST_F(RecorderTexts, InvalidNamesAreRepaired)
{
    const ftr_stream stream = rec_->stream("s\xff", "k\xff");
    const ftr_generator generator =
        rec_->generator(stream, "g\xff", {{"a\xff", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
    const ftr_value value = integer_value(7);
    ASSERT_EQ(ftr_tx_record(*rec_, generator, 1, 2, &value, 1, nullptr), FTR_OK);
    const decoded_file file = rec_->decoded();
    EXPECT_EQ(file.streams.back().name, "s\xef\xbf\xbd");
    EXPECT_EQ(file.streams.back().kind, "k\xef\xbf\xbd");
    EXPECT_EQ(file.transactions.at(0).generator, "g\xef\xbf\xbd");
    EXPECT_EQ(file.transactions.at(0).value("a\xef\xbf\xbd"), 7);
    EXPECT_EQ(rec_->statistics().renamed_streams, 1u);
}

TEST_F(RecorderTexts, AreWrittenOnce)
{
    for (int i = 0; i < 100; ++i)
        say("the same all the time");
    EXPECT_EQ(heard(), strings(100, "the same all the time"));
    // top, its empty kind, say, text, and the text.
    EXPECT_EQ(rec_->statistics().strings, 5u);
    EXPECT_EQ(rec_->statistics().strings_evicted, 0u);
    EXPECT_EQ(summary_of(rec_->path()).at("strings"), 5);
}

TEST_F(RecorderTexts, EvictedStringsGetANewId)
{
    ftr_recorder_options options = {};
    options.dictionary_memory = 1; // the minimum
    open(options);
    strings said;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 2000; ++i)
            said.push_back("a text of its own, as most addresses are " + std::to_string(i));
    }
    for (const std::string &text : said)
        say(text);
    EXPECT_EQ(heard(), said);
    const ftr_statistics statistics = rec_->statistics();
    EXPECT_GT(statistics.strings, 3000u);
    EXPECT_GT(statistics.strings_evicted, 1000u);
    EXPECT_EQ(summary_of(rec_->path()).at("strings"), statistics.strings);
}

TEST_F(RecorderTexts, FillManyDictionaryChunks)
{
    ftr_recorder_options options = {};
    options.chunk_size = 512;
    open(options);
    strings said;
    for (int i = 0; i < 500; ++i)
        said.push_back("text " + std::to_string(i * i));
    for (const std::string &text : said)
        say(text);
    EXPECT_EQ(heard(), said);
    const nlohmann::json chunks = summary_of(rec_->path()).at("chunks_by_tag");
    EXPECT_GT(chunks.value("8", 0) + chunks.value("9", 0), 5);
}
} // namespace
