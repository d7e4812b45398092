// The messages about invalid calls: they name the public function, the transaction and the error.
#include "recording.hpp"

#include <ftr/buffer.h>
#include <ftr/detail/call_names.h>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <thread>

namespace
{
const std::vector<ftr_attribute> declared = {
    {"size", FTR_TYPE_UNSIGNED, FTR_CLASS_BEGIN},
    {"count", FTR_TYPE_INTEGER, FTR_CLASS_END},
};

class RecorderMisuseText : public testing::Test
{
  protected:
    RecorderMisuseText()
    {
        stream_ = rec_.stream("ram.port");
        generator_ = rec_.generator(stream_, "read", declared);
        EXPECT_EQ(ftr_tx_begin(rec_, generator_, 10, &open_), FTR_OK);
        EXPECT_EQ(ftr_tx_begin(rec_, generator_, 11, &ended_), FTR_OK);
        EXPECT_EQ(ftr_tx_end(rec_, ended_, 12), FTR_OK);
    }

    // Expects one more message, the warning @p text.
    void expect_report(const std::string &text)
    {
        const std::vector<reported> all = rec_.reports().all();
        ASSERT_EQ(all.size(), ++reports_) << text;
        EXPECT_EQ(all.back().message, text);
        EXPECT_EQ(all.back().severity, FTR_SEVERITY_WARNING);
    }

    // Expects that a call returned @p expected, and one more message: the call, and @p text.
    void expect_misuse(ftr_status status, ftr_status expected, const std::string &text)
    {
        EXPECT_EQ(status, expected) << text;
        expect_report("invalid call of " + text);
    }

    recording rec_;
    ftr_stream stream_ = 0;
    ftr_generator generator_ = 0;
    ftr_tx open_ = {};
    ftr_tx ended_ = {};
    std::size_t reports_ = 0;
};

TEST_F(RecorderMisuseText, NamesTheStreamOfATransactionThatHasEnded)
{
    expect_misuse(ftr_tx_end(rec_, ended_, 13), FTR_ERR_UNKNOWN_TX,
                  "ftr_tx_end: transaction #2 of stream \"ram.port\" has already ended");
    expect_misuse(ftr_tx_put_number(rec_, ended_, 0, 1), FTR_ERR_UNKNOWN_TX,
                  "ftr_tx_put_number: transaction #2 of stream \"ram.port\" has already ended");
    const ftr_value value = integer_value(1);
    expect_misuse(ftr_tx_put_named(rec_, ended_, FTR_CLASS_END, "n", &value), FTR_ERR_UNKNOWN_TX,
                  "ftr_tx_put_named: transaction #2 of stream \"ram.port\" has "
                  "already ended");
}

TEST_F(RecorderMisuseText, NamesTheKindOfAHandleThatIsNoTransaction)
{
    expect_misuse(
        ftr_tx_end(rec_, ftr_tx{}, 13), FTR_ERR_UNKNOWN_TX,
        "ftr_tx_end: the handle {0} (no transaction) is not a transaction of this recorder");
    recording other;
    ftr_tx elsewhere;
    ASSERT_EQ(ftr_tx_begin(other, other.generator(other.stream("s"), "g"), 1, &elsewhere), FTR_OK);
    expect_misuse(
        ftr_tx_put_int(rec_, elsewhere, 1, 1), FTR_ERR_UNKNOWN_TX,
        "ftr_tx_put_int: a handle of another recorder, #1, is not a transaction of this recorder");
    ftr_tx forged = open_;
    forged.id = 1000000;
    expect_misuse(ftr_tx_put_bool(rec_, forged, 1, true), FTR_ERR_UNKNOWN_TX,
                  "ftr_tx_put_bool: the handle #1000000, which no call returned, is not a "
                  "transaction of this recorder");
}

TEST_F(RecorderMisuseText, TellsTheTimesOfATransactionThatCannotEnd)
{
    expect_misuse(ftr_tx_end(rec_, open_, 9), FTR_ERR_ORDER,
                  "ftr_tx_end: transaction #1 of generator \"read\" in stream \"ram.port\" cannot "
                  "end at tick 9: it begins at tick 10");
    expect_misuse(ftr_tx_record(rec_, generator_, 8, 7, nullptr, 0, nullptr), FTR_ERR_ORDER,
                  "ftr_tx_record: a transaction of generator \"read\" in stream \"ram.port\" "
                  "cannot end at tick 7: it begins at tick 8");
}

TEST_F(RecorderMisuseText, TellsWhichAttributesTheGeneratorDeclares)
{
    expect_misuse(ftr_tx_put_number(rec_, open_, 7, 1), FTR_ERR_ATTRIBUTE,
                  "ftr_tx_put_number: transaction #1 of generator \"read\" in stream \"ram.port\": "
                  "attribute 7 does not exist, the generator declares 2");
    expect_misuse(ftr_tx_put_number(rec_, open_, 1, 1), FTR_ERR_TYPE,
                  "ftr_tx_put_number: transaction #1 of generator \"read\" in stream \"ram.port\": "
                  "attribute 1, \"count\", is declared as INTEGER");
    const ftr_value values[] = {number_value(FTR_TYPE_UNSIGNED, 1), boolean_value(true),
                                boolean_value(true)};
    expect_misuse(ftr_tx_record(rec_, generator_, 1, 2, values, 2, nullptr), FTR_ERR_TYPE,
                  "ftr_tx_record: a transaction of generator \"read\" in stream \"ram.port\": "
                  "value 1 is BOOLEAN, attribute \"count\" is declared as INTEGER");
    expect_misuse(ftr_tx_record(rec_, generator_, 1, 2, values, 3, nullptr), FTR_ERR_ATTRIBUTE,
                  "ftr_tx_record: a transaction of generator \"read\" in stream \"ram.port\": 3 "
                  "values, but the generator declares 2 attributes");
}

TEST_F(RecorderMisuseText, TellsAnUnknownType)
{
    ftr_value value = number_value(FTR_TYPE_UNSIGNED, 1);
    const int type = 256 + FTR_TYPE_UNSIGNED;
    std::memcpy(&value.type, &type, sizeof type); // not a value of the enumeration
    expect_misuse(ftr_tx_record(rec_, generator_, 1, 2, &value, 1, nullptr), FTR_ERR_TYPE,
                  "ftr_tx_record: a transaction of generator \"read\" in stream \"ram.port\": "
                  "value 0 is NONE, attribute \"size\" is declared as UNSIGNED");
}

TEST_F(RecorderMisuseText, NamesAHandleThatIsNoGenerator)
{
    ftr_tx tx;
    expect_misuse(ftr_tx_begin(rec_, 999, 1, &tx), FTR_ERR_UNDEFINED,
                  "ftr_tx_begin: the handle 999: the stream, generator, relation or text was never "
                  "defined here");
    expect_misuse(ftr_tx_begin(rec_, generator_, 1, nullptr), FTR_ERR_ARGUMENT,
                  "ftr_tx_begin: a transaction of generator \"read\" in stream \"ram.port\": an "
                  "argument is NULL, empty or out of its range");
    expect_misuse(ftr_tx_event(rec_, open_, stream_, 1, nullptr, 0, &tx), FTR_ERR_UNDEFINED,
                  "ftr_tx_event: the handle " + std::to_string(stream_) +
                      ": the stream, generator, relation or text was never defined here");
}

TEST_F(RecorderMisuseText, NamesTheWrongTransactionOfARelation)
{
    ftr_relation follows = 0;
    ASSERT_EQ(ftr_relation_define(rec_, "follows", &follows), FTR_OK);
    expect_misuse(
        ftr_relation_put(rec_, follows, open_, ftr_tx{}), FTR_ERR_UNKNOWN_TX,
        "ftr_relation_put: the handle {0} (no transaction) is not a transaction of this recorder");
    expect_misuse(ftr_relation_put(rec_, 77, open_, ended_), FTR_ERR_UNDEFINED,
                  "ftr_relation_put: the handle 77: the stream, generator, relation or text was "
                  "never defined here");
}

TEST_F(RecorderMisuseText, NamesADefinition)
{
    ftr_generator generator;
    expect_misuse(ftr_generator_define(rec_, 999, "write", nullptr, 0, &generator),
                  FTR_ERR_UNDEFINED,
                  "ftr_generator_define: \"write\": the stream, generator, "
                  "relation or text was never defined here");
    ftr_text text;
    expect_misuse(ftr_text_define(rec_, nullptr, 1, &text), FTR_ERR_ARGUMENT,
                  "ftr_text_define: an argument is NULL, empty or out of its range");
}

TEST_F(RecorderMisuseText, ReportsTheFirstCallOfAKindAtOnceAndTheNumbersAtClose)
{
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(ftr_tx_end(rec_, ended_, 13), FTR_ERR_UNKNOWN_TX);
    EXPECT_EQ(ftr_tx_end(rec_, open_, 9), FTR_ERR_ORDER);
    EXPECT_EQ(rec_.reports().all().size(), 2u);
    EXPECT_EQ(ftr_tx_end(rec_, open_, 20), FTR_OK);
    reports_ = 2;
    EXPECT_EQ(rec_.close(), FTR_OK);
    expect_report("6 calls were invalid and had no effect: 5 ftr_tx_end FTR_ERR_UNKNOWN_TX, 1 "
                  "ftr_tx_end FTR_ERR_ORDER");
}

TEST_F(RecorderMisuseText, CountsTheCallsOfFurtherKinds)
{
    ftr_tx tx;
    const std::vector<std::function<ftr_status()>> calls = {
        [&] { return ftr_tx_put_bool(rec_, ended_, 0, true); },
        [&] { return ftr_tx_put_int(rec_, ended_, 0, 1); },
        [&] { return ftr_tx_put_number(rec_, ended_, 0, 1); },
        [&] { return ftr_tx_put_real(rec_, ended_, 0, 1); },
        [&] { return ftr_tx_put_text(rec_, ended_, 0, "", 0); },
        [&] { return ftr_tx_put_defined(rec_, ended_, 0, 1); },
        [&] { return ftr_tx_end(rec_, ended_, 20); },
        [&] { return ftr_tx_end(rec_, open_, 9); },
        [&] { return ftr_tx_begin(rec_, 999, 1, &tx); },
        [&] { return ftr_tx_begin(rec_, 999, 1, nullptr); },
    };
    for (const auto &call : calls)
        EXPECT_NE(call(), FTR_OK);
    EXPECT_EQ(ftr_tx_end(rec_, open_, 20), FTR_OK);
    EXPECT_EQ(rec_.close(), FTR_OK);
    EXPECT_EQ(rec_.reports().all().size(), 9u);
    EXPECT_EQ(rec_.reports().count("10 calls were invalid and had no effect: "), 1u);
    EXPECT_EQ(rec_.reports().count("1 ftr_tx_end FTR_ERR_ORDER, 2 others"), 1u);
}

const char *spell(const char *call)
{
    if (std::strcmp(call, "ftr_tx_begin") == 0)
        return ""; // the adapter reports the failure
    return std::strcmp(call, "ftr_tx_end") == 0 ? "end()" : nullptr;
}

TEST_F(RecorderMisuseText, UsesTheNamesOfAnAdapter)
{
    ftr_recorder_set_call_names(nullptr, spell);
    ftr_recorder_set_call_names(rec_, spell);
    expect_misuse(ftr_tx_end(rec_, open_, 9), FTR_ERR_ORDER,
                  "end() (ftr_tx_end): transaction #1 of generator \"read\" in stream \"ram.port\" "
                  "cannot end at tick 9: it begins at tick 10");
    expect_misuse(ftr_tx_put_int(rec_, ended_, 0, 1), FTR_ERR_UNKNOWN_TX,
                  "ftr_tx_put_int: transaction #2 of stream \"ram.port\" has already ended");
    ftr_tx tx;
    EXPECT_EQ(ftr_tx_begin(rec_, 999, 1, &tx), FTR_ERR_UNDEFINED);
    EXPECT_EQ(rec_.reports().all().size(), 2u);
    reports_ = 2;
    EXPECT_EQ(ftr_tx_end(rec_, open_, 20), FTR_OK);
    EXPECT_EQ(rec_.close(), FTR_OK);
    expect_report("3 calls were invalid and had no effect: 1 end() (ftr_tx_end) FTR_ERR_ORDER, 1 "
                  "ftr_tx_put_int FTR_ERR_UNKNOWN_TX, 1 ftr_tx_begin FTR_ERR_UNDEFINED");
}

TEST_F(RecorderMisuseText, KeepsTheErrorOfALongName)
{
    const std::string name(5000, 'n');
    const ftr_generator generator =
        rec_.generator(rec_.stream(name.c_str()), name.c_str(), declared);
    ftr_tx tx;
    ASSERT_EQ(ftr_tx_begin(rec_, generator, 10, &tx), FTR_OK);
    EXPECT_EQ(ftr_tx_put_number(rec_, tx, 1, 1), FTR_ERR_TYPE);
    EXPECT_EQ(rec_.reports().count("\", is declared as INTEGER"), 1u);
}

TEST_F(RecorderMisuseText, ReportsOneCallOfThreadsThatMakeTheSameError)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([this] {
            for (int n = 0; n < 100; ++n)
                EXPECT_EQ(ftr_tx_end(rec_, ended_, 13), FTR_ERR_UNKNOWN_TX);
        });
    for (std::thread &thread : threads)
        thread.join();
    EXPECT_EQ(rec_.reports().all().size(), 1u);
    EXPECT_EQ(ftr_tx_end(rec_, open_, 20), FTR_OK);
    EXPECT_EQ(rec_.close(), FTR_OK);
    EXPECT_EQ(rec_.reports().count("400 calls were invalid and had no effect: 400 ftr_tx_end "),
              1u);
}

// The report function calls the recorder: this call is refused and reported at close.
struct nested_report {
    ftr_recorder *rec = nullptr;
    std::vector<std::string> messages;
};

void report_nested(void *user, ftr_severity, const char *message)
{
    nested_report &of = *static_cast<nested_report *>(user);
    of.messages.emplace_back(message);
    if (of.messages.size() == 1) {
        EXPECT_EQ(ftr_recorder_flush(of.rec), FTR_ERR_STATE);
    }
}

TEST(RecorderMisuseReport, IsNotNested)
{
    nested_report user;
    ftr_recorder_options options = {};
    options.report = report_nested;
    options.report_user = &user;
    const scratch_directory directory;
    ASSERT_EQ(ftr_recorder_open((directory.path() + "/t.ftr").c_str(), &options, &user.rec),
              FTR_OK);
    EXPECT_EQ(ftr_tx_end(user.rec, ftr_tx{}, 1), FTR_ERR_UNKNOWN_TX);
    EXPECT_EQ(user.messages.size(), 1u);
    EXPECT_EQ(ftr_recorder_close(user.rec), FTR_OK);
    ASSERT_EQ(user.messages.size(), 3u);
    EXPECT_EQ(user.messages[1], "invalid call of ftr_recorder_flush: the call came too late or too "
                                "early in the recorder's life");
    EXPECT_EQ(user.messages[2].rfind("2 calls were invalid", 0), 0u) << user.messages[2];
}

TEST(RecorderMisuseReport, TellsTheErrorOfABufferOnce)
{
    recording rec;
    ftr_buffer_options options = {};
    options.name = "no name";
    ftr_buffer buffer;
    EXPECT_EQ(ftr_buffer_define(rec, &options, &buffer), FTR_ERR_ARGUMENT);
    EXPECT_EQ(rec.reports().all().size(), 1u);
    EXPECT_EQ(ftr_buffer_trigger(rec, 5), FTR_ERR_UNDEFINED);
    EXPECT_EQ(rec.reports().count("invalid call of ftr_buffer_trigger: the handle 5: "), 1u);
    EXPECT_EQ(rec.close(), FTR_OK);
    EXPECT_EQ(rec.reports().count("2 calls were invalid and had no effect: 1 ftr_buffer_define "
                                  "FTR_ERR_ARGUMENT, 1 ftr_buffer_trigger FTR_ERR_UNDEFINED"),
              1u);
}
} // namespace
