// Every public call in every wrong state: it returns a status, and does not affect the rest of the
// file.
#include "fork_at_rest.hpp"
#include "memory_sink.hpp"
#include "recording.hpp"

#include <ftr/detail/word_calls.h>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>

namespace
{
const std::vector<ftr_attribute> declared = {
    {"flag", FTR_TYPE_BOOLEAN, FTR_CLASS_BEGIN},
    {"count", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN},
    {"size", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD},
    {"level", FTR_TYPE_FLOATING_POINT, FTR_CLASS_END},
    {"name", FTR_TYPE_STRING, FTR_CLASS_END},
};
enum { FLAG, COUNT, SIZE, LEVEL, NAME };

// Valid arguments; a test replaces one of them.
struct arguments {
    ftr_recorder *rec = nullptr;
    ftr_stream stream = 0;
    ftr_generator generator = 0;
    ftr_relation relation = 0;
    ftr_text text = 0;
    ftr_tx open = {};
    ftr_tx ended = {};
    ftr_tx recorded = {};
};

arguments make_arguments(recording &rec, const char *stream)
{
    arguments made;
    made.rec = rec;
    made.stream = rec.stream(stream, "kind");
    made.generator = rec.generator(made.stream, "g", declared);
    EXPECT_EQ(ftr_relation_define(rec, "follows", &made.relation), FTR_OK);
    EXPECT_EQ(ftr_text_define(rec, "defined", FTR_NUL_TERMINATED, &made.text), FTR_OK);
    EXPECT_EQ(ftr_tx_begin(rec, made.generator, 10, &made.open), FTR_OK);
    EXPECT_EQ(ftr_tx_begin(rec, made.generator, 11, &made.ended), FTR_OK);
    EXPECT_EQ(ftr_tx_end(rec, made.ended, 12), FTR_OK);
    EXPECT_EQ(ftr_tx_record(rec, made.generator, 13, 14, nullptr, 0, &made.recorded), FTR_OK);
    return made;
}

// Results that a call may write only on success; a handle of a transaction may become invalid.
struct results {
    results() { std::memset(this, 0x5a, sizeof *this); }
    ftr_stream stream;
    ftr_generator generator;
    ftr_relation relation;
    ftr_text text;
    ftr_tx tx;
    bool untouched() const
    {
        const results fresh;
        return stream == fresh.stream && generator == fresh.generator &&
               relation == fresh.relation && text == fresh.text &&
               (is_same(tx, fresh.tx) || is_same(tx, {0, 0}));
    }

  private:
    static bool is_same(ftr_tx a, ftr_tx b) { return a.id == b.id && a.place == b.place; }

  public:
};

struct public_call {
    const char *name;
    std::function<ftr_status(const arguments &, results &)> make;
};

// Returns each call once, with valid arguments.
const std::vector<public_call> &public_calls()
{
    static const ftr_value flag = boolean_value(true);
    static const std::vector<public_call> calls = {
        {"set_time_scale",
         [](const arguments &a, results &) { return ftr_recorder_set_time_scale(a.rec, -9); }},
        {"set_recording",
         [](const arguments &a, results &) { return ftr_recorder_set_recording(a.rec, true); }},
        {"flush", [](const arguments &a, results &) { return ftr_recorder_flush(a.rec); }},
        {"stream_define",
         [](const arguments &a, results &r) {
             return ftr_stream_define(a.rec, "another", "kind", &r.stream);
         }},
        {"generator_define",
         [](const arguments &a, results &r) {
             return ftr_generator_define(a.rec, a.stream, "another", declared.data(), 5,
                                         &r.generator);
         }},
        {"relation_define",
         [](const arguments &a, results &r) {
             return ftr_relation_define(a.rec, "another", &r.relation);
         }},
        {"text_define",
         [](const arguments &a, results &r) {
             return ftr_text_define(a.rec, "another", FTR_NUL_TERMINATED, &r.text);
         }},
        {"tx_begin", [](const arguments &a,
                        results &r) { return ftr_tx_begin(a.rec, a.generator, 20, &r.tx); }},
        {"tx_put_bool",
         [](const arguments &a, results &) { return ftr_tx_put_bool(a.rec, a.open, FLAG, true); }},
        {"tx_put_int",
         [](const arguments &a, results &) { return ftr_tx_put_int(a.rec, a.open, COUNT, 1); }},
        {"tx_put_number",
         [](const arguments &a, results &) { return ftr_tx_put_number(a.rec, a.open, SIZE, 1); }},
        {"tx_put_real",
         [](const arguments &a, results &) { return ftr_tx_put_real(a.rec, a.open, LEVEL, 1); }},
        {"tx_put_text",
         [](const arguments &a, results &) {
             return ftr_tx_put_text(a.rec, a.open, NAME, "text", FTR_NUL_TERMINATED);
         }},
        {"tx_put_defined",
         [](const arguments &a, results &) {
             return ftr_tx_put_defined(a.rec, a.open, NAME, a.text);
         }},
        {"tx_put_word",
         [](const arguments &a, results &) { return ftr_tx_put_word(a.rec, a.open, SIZE, 1); }},
        {"tx_put_named",
         [](const arguments &a, results &) {
             return ftr_tx_put_named(a.rec, a.open, FTR_CLASS_BEGIN, "flag", &flag);
         }},
        {"tx_end", [](const arguments &a, results &) { return ftr_tx_end(a.rec, a.open, 30); }},
        {"tx_record",
         [](const arguments &a, results &r) {
             return ftr_tx_record(a.rec, a.generator, 20, 30, &flag, 1, &r.tx);
         }},
        {"tx_begin_words",
         [](const arguments &a, results &r) {
             const std::uint64_t word = 1;
             return ftr_tx_begin_words(a.rec, a.generator, 20, &word, 1, &r.tx);
         }},
        {"tx_record_words",
         [](const arguments &a, results &r) {
             const std::uint64_t word = 1;
             return ftr_tx_record_words(a.rec, a.generator, 20, 30, &word, 1, &r.tx);
         }},
        {"tx_event",
         [](const arguments &a, results &r) {
             return ftr_tx_event(a.rec, a.recorded, a.generator, 20, &flag, 1, &r.tx);
         }},
        {"tx_event_between",
         [](const arguments &a, results &r) {
             return ftr_tx_event_between(a.rec, a.recorded, a.generator, 20, 21, &flag, 1, &r.tx);
         }},
        {"tx_event_words",
         [](const arguments &a, results &r) {
             const std::uint64_t word = 1;
             return ftr_tx_event_words(a.rec, a.recorded, a.generator, 20, 21, &word, 1, &r.tx);
         }},
        {"tx_event_named",
         [](const arguments &a, results &r) {
             const ftr_value name = text_value(FTR_TYPE_STRING, "event");
             return ftr_tx_event_named(a.rec, a.open, 20, 21, &name, nullptr, 0, &r.tx);
         }},
        {"tx_find_events",
         [](const arguments &a, results &r) {
             return ftr_tx_find_events(a.rec, a.open, &r.generator);
         }},
        {"events_define",
         [](const arguments &a, results &r) {
             return ftr_events_define(a.rec, a.generator, nullptr, 0, &r.generator);
         }},
        {"relation_put",
         [](const arguments &a, results &) {
             return ftr_relation_put(a.rec, a.relation, a.recorded, a.ended);
         }},
    };
    return calls;
}

// Makes every call on a recorder that must return the same status for all. Returns the number of
// other results, so that a forked child can report it.
int count_other_answers(const arguments &with, ftr_status expected)
{
    int wrong = 0;
    for (const public_call &call : public_calls()) {
        results out;
        const ftr_status status = call.make(with, out);
        if (status != expected || !out.untouched()) {
            std::fprintf(stderr, "ftr_%s: %s\n", call.name, ftr_status_name(status));
            ++wrong;
        }
    }
    if (ftr_stream_is_recorded(with.rec, with.stream)) {
        std::fprintf(stderr, "ftr_stream_is_recorded: true\n");
        ++wrong;
    }
    return wrong;
}

// A handle that does not belong to an open transaction of `good`.
struct wrong_tx {
    const char *name;
    ftr_tx tx;
    bool was_here; // it was a transaction of this recorder, so relations may name it
};

std::vector<wrong_tx> wrong_transactions(const arguments &good, const arguments &other)
{
    ftr_tx later = good.open;
    later.id += 1000000;
    ftr_tx elsewhere = good.open;
    elsewhere.place += 1;
    ftr_tx no_stream = good.open;
    no_stream.place &= UINT32_MAX;
    no_stream.id = 0;
    return {{"zero", {}, false},
            {"ended", good.ended, true},
            {"recorded in one call", good.recorded, true},
            {"never begun", later, false},
            {"in another slot", elsewhere, true},
            {"open elsewhere", other.open, false},
            {"ended elsewhere", other.ended, false},
            {"recorded elsewhere", other.recorded, false},
            {"of no stream", no_stream, false}};
}

struct wrong_call {
    std::string what;
    ftr_status expected;
    std::function<ftr_status(results &)> make;
};

const std::size_t more_than_a_gibibyte = (std::size_t(1) << 30) + 1;

void add_wrong_recorder_calls(std::vector<wrong_call> &calls, const arguments &a)
{
    ftr_recorder *const rec = a.rec;
    auto add = [&](const char *what, ftr_status expected,
                   std::function<ftr_status(results &)> make) {
        calls.push_back({what, expected, std::move(make)});
    };
    add("statistics to NULL", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_recorder_get_statistics(rec, nullptr); });
    add("failure to NULL", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_recorder_get_failure(rec, nullptr); });
    add("time scale that is known", FTR_ERR_STATE,
        [=](results &) { return ftr_recorder_set_time_scale(rec, -9); });
    add("time scale out of range", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_recorder_set_time_scale(rec, 3); });
}

void add_wrong_definitions(std::vector<wrong_call> &calls, const arguments &a)
{
    ftr_recorder *const rec = a.rec;
    auto add = [&](const std::string &what, ftr_status expected,
                   std::function<ftr_status(results &)> make) {
        calls.push_back({what, expected, std::move(make)});
    };
    for (const char *name : {static_cast<const char *>(nullptr), ""}) {
        add("stream without a name", FTR_ERR_ARGUMENT,
            [=](results &r) { return ftr_stream_define(rec, name, nullptr, &r.stream); });
        add("generator without a name", FTR_ERR_ARGUMENT, [=](results &r) {
            return ftr_generator_define(rec, a.stream, name, nullptr, 0, &r.generator);
        });
        add("relation without a name", FTR_ERR_ARGUMENT,
            [=](results &r) { return ftr_relation_define(rec, name, &r.relation); });
        add("attribute without a name", FTR_ERR_ARGUMENT, [=](results &r) {
            const ftr_attribute attribute = {name, FTR_TYPE_STRING, FTR_CLASS_END};
            return ftr_generator_define(rec, a.stream, "new", &attribute, 1, &r.generator);
        });
    }
    add("stream to NULL", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_stream_define(rec, "new", nullptr, nullptr); });
    add("generator to NULL", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_generator_define(rec, a.stream, "new", nullptr, 0, nullptr); });
    add("relation to NULL", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_relation_define(rec, "new", nullptr); });
    add("text to NULL", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_text_define(rec, "new", 3, nullptr); });
    add("no text", FTR_ERR_ARGUMENT,
        [=](results &r) { return ftr_text_define(rec, nullptr, 0, &r.text); });
    add("text of more than a GiB", FTR_ERR_ARGUMENT,
        [=](results &r) { return ftr_text_define(rec, "new", more_than_a_gibibyte, &r.text); });
    add("no attributes", FTR_ERR_ARGUMENT, [=](results &r) {
        return ftr_generator_define(rec, a.stream, "new", nullptr, 1, &r.generator);
    });
    add("65536 attributes", FTR_ERR_ARGUMENT, [=](results &r) {
        return ftr_generator_define(rec, a.stream, "new", declared.data(), 65536, &r.generator);
    });
    add("attribute of no type", FTR_ERR_ARGUMENT, [=](results &r) {
        const ftr_attribute attribute = {"a", ftr_type(12), FTR_CLASS_END};
        return ftr_generator_define(rec, a.stream, "new", &attribute, 1, &r.generator);
    });
    add("attribute of no class", FTR_ERR_ARGUMENT, [=](results &r) {
        const ftr_attribute attribute = {"a", FTR_TYPE_STRING, ftr_attribute_class(3)};
        return ftr_generator_define(rec, a.stream, "new", &attribute, 1, &r.generator);
    });
    for (ftr_stream stream : {ftr_stream(0), a.generator, ftr_stream(9999), UINT32_MAX}) {
        add("generator of stream " + std::to_string(stream), FTR_ERR_UNDEFINED, [=](results &r) {
            return ftr_generator_define(rec, stream, "new", nullptr, 0, &r.generator);
        });
    }
}

void add_wrong_puts(std::vector<wrong_call> &calls, const arguments &a)
{
    ftr_recorder *const rec = a.rec;
    auto add = [&](const std::string &what, ftr_status expected,
                   std::function<ftr_status(results &)> make) {
        calls.push_back({what, expected, std::move(make)});
    };
    for (unsigned number : {5u, 6u, 65536u, UINT_MAX}) {
        const std::string what = " as attribute " + std::to_string(number);
        add("bool" + what, FTR_ERR_ATTRIBUTE,
            [=](results &) { return ftr_tx_put_bool(rec, a.open, number, true); });
        add("int" + what, FTR_ERR_ATTRIBUTE,
            [=](results &) { return ftr_tx_put_int(rec, a.open, number, 1); });
        add("number" + what, FTR_ERR_ATTRIBUTE,
            [=](results &) { return ftr_tx_put_number(rec, a.open, number, 1); });
        add("real" + what, FTR_ERR_ATTRIBUTE,
            [=](results &) { return ftr_tx_put_real(rec, a.open, number, 1); });
        add("text" + what, FTR_ERR_ATTRIBUTE,
            [=](results &) { return ftr_tx_put_text(rec, a.open, number, "x", 1); });
        add("defined" + what, FTR_ERR_ATTRIBUTE,
            [=](results &) { return ftr_tx_put_defined(rec, a.open, number, a.text); });
        add("word" + what, FTR_ERR_ATTRIBUTE,
            [=](results &) { return ftr_tx_put_word(rec, a.open, number, 1); });
    }
    for (unsigned number = 0; number < 5; ++number) {
        const std::string what = std::string(" as ") + declared[number].name;
        if (number != FLAG)
            add("bool" + what, FTR_ERR_TYPE,
                [=](results &) { return ftr_tx_put_bool(rec, a.open, number, true); });
        if (number != COUNT)
            add("int" + what, FTR_ERR_TYPE,
                [=](results &) { return ftr_tx_put_int(rec, a.open, number, 1); });
        if (number != SIZE)
            add("number" + what, FTR_ERR_TYPE,
                [=](results &) { return ftr_tx_put_number(rec, a.open, number, 1); });
        if (number != LEVEL)
            add("real" + what, FTR_ERR_TYPE,
                [=](results &) { return ftr_tx_put_real(rec, a.open, number, 1); });
        if (number == NAME)
            continue;
        add("text" + what, FTR_ERR_TYPE,
            [=](results &) { return ftr_tx_put_text(rec, a.open, number, "x", 1); });
        add("defined" + what, FTR_ERR_TYPE,
            [=](results &) { return ftr_tx_put_defined(rec, a.open, number, a.text); });
    }
    for (std::size_t length : {FTR_NUL_TERMINATED, std::size_t(0), std::size_t(3)})
        add("no text", FTR_ERR_ARGUMENT,
            [=](results &) { return ftr_tx_put_text(rec, a.open, NAME, nullptr, length); });
    add("text of more than a GiB", FTR_ERR_LIMIT,
        [=](results &) { return ftr_tx_put_text(rec, a.open, NAME, "x", more_than_a_gibibyte); });
    for (ftr_text text : {ftr_text(0), a.text + 1, UINT32_MAX})
        add("text that is not defined", FTR_ERR_UNDEFINED,
            [=](results &) { return ftr_tx_put_defined(rec, a.open, NAME, text); });
}

// Invalid values for a transaction, with the expected status.
std::vector<std::pair<ftr_value, ftr_status>> wrong_texts(const arguments &a)
{
    return {{text_value(FTR_TYPE_STRING, nullptr), FTR_ERR_ARGUMENT},
            {text_value(FTR_TYPE_STRING, nullptr, 3), FTR_ERR_ARGUMENT},
            {text_value(FTR_TYPE_STRING, "x", more_than_a_gibibyte), FTR_ERR_LIMIT},
            {defined_value(FTR_TYPE_STRING, a.text + 1), FTR_ERR_UNDEFINED},
            {defined_value(FTR_TYPE_STRING, FTR_BYTES - 1), FTR_ERR_UNDEFINED},
            {bytes_value(FTR_TYPE_STRING, nullptr, 3), FTR_ERR_ARGUMENT},
            {bytes_value(FTR_TYPE_ENUMERATION, "x", 1), FTR_ERR_TYPE},
            {bytes_value(FTR_TYPE_STRING, "x", more_than_a_gibibyte), FTR_ERR_LIMIT}};
}

void add_wrong_named(std::vector<wrong_call> &calls, const arguments &a)
{
    ftr_recorder *const rec = a.rec;
    static const ftr_value good = integer_value(1);
    static const std::string long_name(65536, 'n');
    auto add = [&](const std::string &what, ftr_status expected, ftr_attribute_class class_,
                   const char *name, const ftr_value *value) {
        calls.push_back({what, expected, [=](results &) {
                             return ftr_tx_put_named(rec, a.open, class_, name, value);
                         }});
    };
    add("named without a name", FTR_ERR_ARGUMENT, FTR_CLASS_END, nullptr, &good);
    add("named with an empty name", FTR_ERR_ARGUMENT, FTR_CLASS_END, "", &good);
    add("named with a name of 65536", FTR_ERR_LIMIT, FTR_CLASS_END, long_name.c_str(), &good);
    add("named without a value", FTR_ERR_ARGUMENT, FTR_CLASS_END, "n", nullptr);
    add("named of no class", FTR_ERR_ARGUMENT, ftr_attribute_class(3), "n", &good);
    static const ftr_value no_type = number_value(ftr_type(12), 1);
    static const ftr_value far_type = number_value(ftr_type(1 << 30), 1);
    add("named of no type", FTR_ERR_ARGUMENT, FTR_CLASS_END, "n", &no_type);
    add("named of no type at all", FTR_ERR_ARGUMENT, FTR_CLASS_END, "n", &far_type);
    for (const auto &[value, expected] : wrong_texts(a)) {
        calls.push_back({"named wrong text", expected, [=, wrong = value](results &) {
                             return ftr_tx_put_named(rec, a.open, FTR_CLASS_END, "n", &wrong);
                         }});
    }
}

void add_wrong_transactions(std::vector<wrong_call> &calls, const arguments &a)
{
    ftr_recorder *const rec = a.rec;
    auto add = [&](const std::string &what, ftr_status expected,
                   std::function<ftr_status(results &)> make) {
        calls.push_back({what, expected, std::move(make)});
    };
    for (ftr_generator generator : {ftr_generator(0), a.stream, ftr_generator(9999), UINT32_MAX}) {
        const std::string what = " of generator " + std::to_string(generator);
        add("begin" + what, FTR_ERR_UNDEFINED,
            [=](results &r) { return ftr_tx_begin(rec, generator, 1, &r.tx); });
        add("record" + what, FTR_ERR_UNDEFINED,
            [=](results &r) { return ftr_tx_record(rec, generator, 1, 2, nullptr, 0, &r.tx); });
        add("event" + what, FTR_ERR_UNDEFINED,
            [=](results &r) { return ftr_tx_event(rec, a.open, generator, 1, nullptr, 0, &r.tx); });
    }
    add("begin to NULL", FTR_ERR_ARGUMENT,
        [=](results &) { return ftr_tx_begin(rec, a.generator, 1, nullptr); });
    add("end before begin", FTR_ERR_ORDER, [=](results &) { return ftr_tx_end(rec, a.open, 9); });
    add("record backwards", FTR_ERR_ORDER,
        [=](results &r) { return ftr_tx_record(rec, a.generator, 2, 1, nullptr, 0, &r.tx); });
    static const std::vector<ftr_value> values(
        6, boolean_value(true)); // valid as the first, and invalid as the second
    add("record of six attributes", FTR_ERR_ATTRIBUTE,
        [=](results &r) { return ftr_tx_record(rec, a.generator, 1, 2, values.data(), 6, &r.tx); });
    add("record of no values", FTR_ERR_ARGUMENT,
        [=](results &r) { return ftr_tx_record(rec, a.generator, 1, 2, nullptr, 1, &r.tx); });
    add("record of a wrong type", FTR_ERR_TYPE,
        [=](results &r) { return ftr_tx_record(rec, a.generator, 1, 2, values.data(), 2, &r.tx); });
    add("event of a wrong type", FTR_ERR_TYPE, [=](results &r) {
        return ftr_tx_event(rec, a.open, a.generator, 1, values.data(), 2, &r.tx);
    });
    for (const auto &[value, expected] : wrong_texts(a)) {
        const std::vector<ftr_value> with = {boolean_value(true), integer_value(1),
                                             number_value(FTR_TYPE_UNSIGNED, 1),
                                             real_value(FTR_TYPE_FLOATING_POINT, 1), value};
        add("record of a wrong text", expected, [=](results &r) {
            return ftr_tx_record(rec, a.generator, 1, 2, with.data(), 5, &r.tx);
        });
    }
}

void add_wrong_handles(std::vector<wrong_call> &calls, const arguments &a, const arguments &other)
{
    ftr_recorder *const rec = a.rec;
    for (const wrong_tx &wrong : wrong_transactions(a, other)) {
        arguments with = a;
        with.open = wrong.tx;
        for (const public_call &call : public_calls()) {
            const std::string name = call.name;
            if (name == "tx_end" || name.rfind("tx_put_", 0) == 0)
                calls.push_back({name + " on one " + wrong.name, FTR_ERR_UNKNOWN_TX,
                                 [=](results &r) { return call.make(with, r); }});
        }
        if (wrong.was_here)
            continue;
        calls.push_back(
            {std::string("event on one ") + wrong.name, FTR_ERR_UNKNOWN_TX, [=](results &r) {
                 return ftr_tx_event(rec, wrong.tx, a.generator, 1, nullptr, 0, &r.tx);
             }});
        calls.push_back(
            {std::string("relation from one ") + wrong.name, FTR_ERR_UNKNOWN_TX,
             [=](results &) { return ftr_relation_put(rec, a.relation, wrong.tx, a.open); }});
        calls.push_back(
            {std::string("relation to one ") + wrong.name, FTR_ERR_UNKNOWN_TX,
             [=](results &) { return ftr_relation_put(rec, a.relation, a.open, wrong.tx); }});
    }
    for (ftr_relation relation : {ftr_relation(0), a.relation + 1, UINT32_MAX})
        calls.push_back({"relation " + std::to_string(relation), FTR_ERR_UNDEFINED, [=](results &) {
                             return ftr_relation_put(rec, relation, a.open, a.ended);
                         }});
}

class RecorderMisuse : public testing::TestWithParam<int>
{
  protected:
    static ftr_recorder_options options()
    {
        ftr_recorder_options options = {};
        options.threads = GetParam();
        return options;
    }
};

// Expects only the transactions of make_arguments(), and the two that prove that the recorder still
// works.
void expect_only_what_was_right(const decoded_file &file, const arguments &good)
{
    EXPECT_EQ(file.stream_names(), std::vector<std::string>{"top"});
    EXPECT_EQ(file.generators.size(), 1u);
    EXPECT_EQ(file.transactions.size(), 3u);
    const std::vector<decoded_attribute> attributes = {{"record", "size", "UNSIGNED", 7}};
    EXPECT_EQ(file.transaction(good.open.id),
              (decoded_transaction{good.open.id, "top", "g", 10, 40, attributes}));
    EXPECT_EQ(file.transaction(good.ended.id),
              (decoded_transaction{good.ended.id, "top", "g", 11, 12, {}}));
    EXPECT_EQ(file.transaction(good.recorded.id),
              (decoded_transaction{good.recorded.id, "top", "g", 13, 14, {}}));
    ASSERT_EQ(file.relations.size(), 1u);
    EXPECT_EQ(file.relations[0].from, good.recorded.id);
    EXPECT_EQ(file.relations[0].to, good.ended.id);
}

TEST_P(RecorderMisuse, OfAnyCallReturnsAStatusWithoutOtherEffects)
{
    recording rec(options());
    recording another(options());
    const arguments other = make_arguments(another, "elsewhere");
    const arguments good = make_arguments(rec, "top");
    std::vector<wrong_call> calls;
    add_wrong_recorder_calls(calls, good);
    add_wrong_definitions(calls, good);
    add_wrong_puts(calls, good);
    add_wrong_named(calls, good);
    add_wrong_transactions(calls, good);
    add_wrong_handles(calls, good, other);
    EXPECT_GT(calls.size(), 200u);
    for (const wrong_call &call : calls) {
        results out;
        EXPECT_STREQ(ftr_status_name(call.make(out)), ftr_status_name(call.expected)) << call.what;
        EXPECT_TRUE(out.untouched()) << call.what;
    }
    EXPECT_EQ(rec.statistics().misuses, calls.size());
    for (ftr_stream stream : {ftr_stream(0), good.generator, ftr_stream(9999), UINT32_MAX})
        EXPECT_FALSE(ftr_stream_is_recorded(rec, stream));

    EXPECT_EQ(ftr_tx_put_number(rec, good.open, SIZE, 7), FTR_OK);
    EXPECT_EQ(ftr_tx_end(rec, good.open, 40), FTR_OK);
    EXPECT_EQ(ftr_relation_put(rec, good.relation, good.recorded, good.ended), FTR_OK);
    expect_only_what_was_right(rec.decoded(), good);
    EXPECT_EQ(rec.reports().all().size(), 9u);
    EXPECT_EQ(rec.reports().count("invalid call of "), 8u);
    EXPECT_EQ(rec.reports().count(std::to_string(calls.size()) + " calls were invalid"), 1u);
    EXPECT_EQ(another.statistics().misuses, 0u);
}

bool takes_open_handle(const std::string &name)
{
    return name == "tx_end" || name.rfind("tx_put_", 0) == 0;
}

// Calls with invalid handles, before anything was recorded and after each step.
TEST_P(RecorderMisuse, OfAZeroedHandleReturnsAStatus)
{
    for (const public_call &call : public_calls()) {
        if (!takes_open_handle(call.name))
            continue;
        recording rec(options());
        arguments zero;
        zero.rec = rec;
        const auto expect_refused = [&](const char *when) {
            results out;
            zero.open = {0, 0};
            EXPECT_EQ(call.make(zero, out), FTR_ERR_UNKNOWN_TX) << call.name << when;
            zero.open = {FTR_TX_NOT_RECORDED, 0};
            EXPECT_EQ(call.make(zero, out), FTR_OK) << call.name << when;
        };
        expect_refused(" first");
        const ftr_stream stream = rec.stream("top");
        const ftr_generator generator = rec.generator(stream, "g", declared);
        EXPECT_EQ(ftr_tx_begin(rec, 9999, 1, &zero.open), FTR_ERR_UNDEFINED);
        expect_refused(" after a begin that failed");
        EXPECT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, nullptr), FTR_OK);
        expect_refused(" after a record");
        ftr_tx open;
        EXPECT_EQ(ftr_tx_begin(rec, generator, 3, &open), FTR_OK);
        expect_refused(" after a begin");
        EXPECT_EQ(ftr_tx_end(rec, open, 4), FTR_OK);
        expect_refused(" after an end");
        EXPECT_EQ(rec.close(), FTR_OK);
        EXPECT_EQ(rec.statistics().transactions, 2u);
    }
}

// The same for a thread that has no lane yet.
TEST_P(RecorderMisuse, OfAZeroedHandleReturnsAStatusInAnyThread)
{
    recording rec(options());
    const ftr_generator generator = rec.generator(rec.stream("top"), "g", declared);
    EXPECT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, nullptr), FTR_OK);
    std::thread([&] {
        EXPECT_EQ(ftr_tx_put_int(rec, ftr_tx{}, COUNT, 1), FTR_ERR_UNKNOWN_TX);
        EXPECT_EQ(ftr_tx_end(rec, ftr_tx{}, 5), FTR_ERR_UNKNOWN_TX);
    }).join();
    EXPECT_EQ(rec.decoded().transactions.size(), 1u);
}

TEST_P(RecorderMisuse, OfAnInvalidRecorderReturnsAStatus)
{
    recording rec(options());
    arguments none = make_arguments(rec, "top");
    none.rec = nullptr;
    EXPECT_EQ(count_other_answers(none, FTR_ERR_ARGUMENT), 0);
    ftr_statistics statistics;
    ftr_failure failure;
    EXPECT_EQ(ftr_recorder_get_statistics(nullptr, &statistics), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_recorder_get_failure(nullptr, &failure), FTR_ERR_ARGUMENT);
    EXPECT_EQ(ftr_recorder_close(nullptr), FTR_ERR_ARGUMENT);
}

TEST_P(RecorderMisuse, AfterCloseReturnsAStatus)
{
    recording rec(options());
    const arguments good = make_arguments(rec, "top");
    EXPECT_EQ(rec.close(), FTR_OK);
    const std::string bytes = contents_of(rec.path());
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(count_other_answers(good, FTR_ERR_CLOSED), 0);
        EXPECT_EQ(ftr_recorder_close(rec), FTR_ERR_CLOSED);
    }
    EXPECT_EQ(contents_of(rec.path()), bytes);
    EXPECT_EQ(rec.statistics().transactions, 3u);
    ftr_failure failure;
    EXPECT_EQ(ftr_recorder_get_failure(rec, &failure), FTR_OK);
    EXPECT_EQ(failure.status, FTR_OK);
}

TEST_P(RecorderMisuse, AfterAFailureReturnsThatFailure)
{
    memory_sink sink;
    ftr_recorder_options with = options();
    with.sink = sink.sink();
    sink.fail_at(2, -ENOSPC, false);
    recording rec(with);
    const arguments good = make_arguments(rec, "top");
    EXPECT_EQ(ftr_recorder_flush(rec), FTR_ERR_IO);
    for (int round = 0; round < 2; ++round)
        EXPECT_EQ(count_other_answers(good, FTR_ERR_IO), 0);
    ftr_failure failure;
    EXPECT_EQ(ftr_recorder_get_failure(rec, &failure), FTR_OK);
    EXPECT_EQ(failure.status, FTR_ERR_IO);
    EXPECT_EQ(failure.system_error, ENOSPC);
    EXPECT_EQ(rec.close(), FTR_ERR_IO);
    EXPECT_EQ(count_other_answers(good, FTR_ERR_CLOSED), 0);
}

TEST_P(RecorderMisuse, InAForkedChildReturnsAStatusAndKeepsTheFile)
{
    recording rec(options());
    const arguments good = make_arguments(rec, "top");
    EXPECT_EQ(ftr_tx_put_number(rec, good.open, SIZE, 7), FTR_OK);
    std::fflush(nullptr);
    const pid_t child = fork_at_rest();
    if (child == 0) {
        int wrong = count_other_answers(good, FTR_ERR_FORKED);
        ftr_failure failure;
        ftr_statistics statistics;
        wrong += ftr_recorder_close(rec) != FTR_ERR_FORKED;
        wrong += ftr_recorder_close(rec) != FTR_ERR_FORKED;
        wrong += ftr_recorder_get_failure(rec, &failure) != FTR_OK;
        wrong += ftr_recorder_get_statistics(rec, &statistics) != FTR_OK;
        // A separate recorder is allowed.
        memory_sink sink;
        ftr_recorder_options with = options();
        with.sink = sink.sink();
        ftr_recorder *own = nullptr;
        wrong += ftr_recorder_open(nullptr, &with, &own) != FTR_OK;
        wrong += ftr_recorder_close(own) != FTR_OK;
        _exit(wrong);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(ftr_tx_end(rec, good.open, 40), FTR_OK);
    EXPECT_EQ(ftr_relation_put(rec, good.relation, good.recorded, good.ended), FTR_OK);
    expect_only_what_was_right(rec.decoded(), good);
}

INSTANTIATE_TEST_SUITE_P(Threads, RecorderMisuse, testing::Values(0, 1));
} // namespace
