// Attributes: every type, value and class, put in every way, in both numberings.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

namespace
{
using json = nlohmann::json;

struct value_case {
    ftr_value value;
    std::string type; // as written
    json written;
    // For the published text's numbering if different: vectors are integers if possible.
    std::string text_type;
    json text_written;
};

value_case same(const ftr_value &value, const std::string &type, const json &written)
{
    return {value, type, written, type, written};
}

std::vector<value_case> value_cases()
{
    std::vector<value_case> cases = {
        same(boolean_value(true), "BOOLEAN", true),
        same(boolean_value(false), "BOOLEAN", false),
        same(text_value(FTR_TYPE_ENUMERATION, "TLM_OK"), "ENUMERATION", "TLM_OK"),
        same(text_value(FTR_TYPE_ENUMERATION, ""), "ENUMERATION", ""),
        same(text_value(FTR_TYPE_STRING, "a text"), "STRING", "a text"),
        same(text_value(FTR_TYPE_STRING, "cut here", 3), "STRING", "cut"),
        same(real_value(FTR_TYPE_FLOATING_POINT, 0.5), "FLOATING_POINT_NUMBER", 0.5),
        same(real_value(FTR_TYPE_FLOATING_POINT, -0.0), "FLOATING_POINT_NUMBER", -0.0),
        same(real_value(FTR_TYPE_FLOATING_POINT, HUGE_VAL), "FLOATING_POINT_NUMBER", "inf"),
        same(real_value(FTR_TYPE_FLOATING_POINT, -HUGE_VAL), "FLOATING_POINT_NUMBER", "-inf"),
        same(real_value(FTR_TYPE_FLOATING_POINT, std::nan("")), "FLOATING_POINT_NUMBER", "nan"),
        same(real_value(FTR_TYPE_FIXED_POINT_INTEGER, -1.25), "FIXED_POINT_INTEGER", -1.25),
        same(real_value(FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, 3.75),
             "UNSIGNED_FIXED_POINT_INTEGER", 3.75),
        {text_value(FTR_TYPE_BIT_VECTOR, "0101"), "BIT_VECTOR", "0101", "BIT_VECTOR", 5},
        {text_value(FTR_TYPE_LOGIC_VECTOR, "0110"), "LOGIC_VECTOR", "0110", "LOGIC_VECTOR", 6},
        {text_value(FTR_TYPE_LOGIC_VECTOR, "01XZ"), "LOGIC_VECTOR", "01XZ", "STRING", "01XZ"},
        {text_value(FTR_TYPE_BIT_VECTOR, ""), "BIT_VECTOR", "", "STRING", ""},
    };
    static const std::string ones(64, '1');
    static const std::string wide(65, '1');
    cases.push_back({text_value(FTR_TYPE_BIT_VECTOR, ones.c_str()), "BIT_VECTOR", ones,
                     "BIT_VECTOR", std::numeric_limits<std::uint64_t>::max()});
    cases.push_back(
        {text_value(FTR_TYPE_BIT_VECTOR, wide.c_str()), "BIT_VECTOR", wide, "STRING", wide});
    // Around every width of a CBOR head, and the limits of 64 bits.
    for (std::uint64_t edge :
         {std::uint64_t(0), std::uint64_t(23), std::uint64_t(255), std::uint64_t(65535),
          std::uint64_t(4294967295), std::uint64_t(INT64_MAX) - 1}) {
        for (std::uint64_t number : {edge, edge + 1}) {
            cases.push_back(same(integer_value(std::int64_t(number)), "INTEGER", number));
            cases.push_back(same(integer_value(-1 - std::int64_t(number)), "INTEGER",
                                 -1 - std::int64_t(number)));
            cases.push_back(same(number_value(FTR_TYPE_UNSIGNED, number), "UNSIGNED", number));
            cases.push_back(same(number_value(FTR_TYPE_POINTER, number), "POINTER", number));
            cases.push_back(same(number_value(FTR_TYPE_TIME, number), "TIME", number));
        }
    }
    cases.push_back(same(integer_value(INT64_MIN), "INTEGER", INT64_MIN));
    cases.push_back(same(number_value(FTR_TYPE_UNSIGNED, UINT64_MAX), "UNSIGNED", UINT64_MAX));
    cases.push_back(same(number_value(FTR_TYPE_POINTER, UINT64_MAX), "POINTER", UINT64_MAX));
    cases.push_back(same(number_value(FTR_TYPE_TIME, UINT64_MAX), "TIME", UINT64_MAX));
    return cases;
}

enum way { DECLARED, NAMED, ONE_CALL, DECLARED_DEFINED, NAMED_DEFINED, ONE_CALL_DEFINED };

const char *const class_names[] = {"begin", "record", "end"};

ftr_status put_declared(ftr_recorder *recorder, ftr_tx tx, unsigned number, const ftr_value &value)
{
    if (value.defined)
        return ftr_tx_put_defined(recorder, tx, number, value.defined);
    switch (value.type) {
    case FTR_TYPE_BOOLEAN:
        return ftr_tx_put_bool(recorder, tx, number, value.as.boolean);
    case FTR_TYPE_INTEGER:
        return ftr_tx_put_int(recorder, tx, number, value.as.integer);
    case FTR_TYPE_UNSIGNED:
    case FTR_TYPE_POINTER:
    case FTR_TYPE_TIME:
        return ftr_tx_put_number(recorder, tx, number, value.as.number);
    case FTR_TYPE_FLOATING_POINT:
    case FTR_TYPE_FIXED_POINT_INTEGER:
    case FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER:
        return ftr_tx_put_real(recorder, tx, number, value.as.real);
    default:
        return ftr_tx_put_text(recorder, tx, number, value.as.text, value.text_length);
    }
}

class RecorderAttributes : public testing::TestWithParam<std::tuple<ftr_numbering, way, int>>
{
};

TEST_P(RecorderAttributes, AreWrittenWithTheirValues)
{
    const auto [numbering, how, threads] = GetParam();
    ftr_recorder_options options = {};
    options.numbering = numbering;
    options.threads = threads;
    recording rec(options);

    std::vector<value_case> cases = value_cases();
    std::vector<std::string> names;
    std::vector<ftr_attribute> attributes;
    std::vector<ftr_value> values;
    for (value_case &one : cases) {
        const std::size_t i = names.size();
        names.push_back("attribute " + std::to_string(i));
        const bool is_text =
            one.value.type == FTR_TYPE_ENUMERATION || one.value.type == FTR_TYPE_STRING ||
            one.value.type == FTR_TYPE_BIT_VECTOR || one.value.type == FTR_TYPE_LOGIC_VECTOR;
        if (is_text && how >= DECLARED_DEFINED) {
            ftr_text text = 0;
            ASSERT_EQ(ftr_text_define(rec, one.value.as.text, one.value.text_length, &text),
                      FTR_OK);
            one.value = defined_value(one.value.type, text);
        }
        values.push_back(one.value);
    }
    for (std::size_t i = 0; i < cases.size(); ++i)
        attributes.push_back({names[i].c_str(), values[i].type, ftr_attribute_class(i % 3)});

    const ftr_stream stream = rec.stream("top.bus");
    const bool is_named = how == NAMED || how == NAMED_DEFINED;
    const ftr_generator generator =
        rec.generator(stream, "read", is_named ? std::vector<ftr_attribute>{} : attributes);
    ftr_tx tx = {};
    // Twice, because in the second round everything is defined and buffers are reused.
    for (int round = 0; round < 2; ++round) {
        if (how == ONE_CALL || how == ONE_CALL_DEFINED) {
            ASSERT_EQ(ftr_tx_record(rec, generator, 10, 20, values.data(), values.size(), &tx),
                      FTR_OK);
            continue;
        }
        ASSERT_EQ(ftr_tx_begin(rec, generator, 10, &tx), FTR_OK);
        for (std::size_t i = 0; i < cases.size(); ++i) {
            ASSERT_EQ(is_named ? ftr_tx_put_named(rec, tx, attributes[i].class_, attributes[i].name,
                                                  &values[i])
                               : put_declared(rec, tx, unsigned(i), values[i]),
                      FTR_OK);
        }
        ASSERT_EQ(ftr_tx_end(rec, tx, 20), FTR_OK);
    }

    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), 2u);
    for (const decoded_transaction &read : file.transactions) {
        ASSERT_EQ(read.attributes.size(), cases.size());
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const bool is_deployed = numbering == FTR_NUMBERING_DEPLOYED;
            const decoded_attribute expected = {
                class_names[i % 3], names[i], is_deployed ? cases[i].type : cases[i].text_type,
                is_deployed ? cases[i].written : cases[i].text_written};
            EXPECT_EQ(read.attributes[i], expected);
            if (cases[i].written.is_number_float()) {
                EXPECT_EQ(std::signbit(double(read.attributes[i].value)),
                          std::signbit(double(cases[i].written)));
            }
        }
    }
    EXPECT_EQ(rec.statistics().attributes, 2 * cases.size());
    EXPECT_EQ(rec.statistics().rounded_floats, 0u);
}

std::string name_of_case(const testing::TestParamInfo<RecorderAttributes::ParamType> &tested)
{
    static const char *const ways[] = {"Declared",        "Named",        "OneCall",
                                       "DeclaredDefined", "NamedDefined", "OneCallDefined"};
    const auto &[numbering, how, threads] = tested.param;
    return std::string(numbering == FTR_NUMBERING_SPEC ? "Text" : "Deployed") + ways[how] +
           (threads ? "WriterThread" : "NoThread");
}

INSTANTIATE_TEST_SUITE_P(
    All, RecorderAttributes,
    testing::Combine(testing::Values(FTR_NUMBERING_DEPLOYED, FTR_NUMBERING_SPEC),
                     testing::Values(DECLARED, NAMED, ONE_CALL, DECLARED_DEFINED, NAMED_DEFINED,
                                     ONE_CALL_DEFINED),
                     testing::Values(0, 1)),
    name_of_case);

TEST(RecorderAttributesMore, DeclaredAttributesCanBeRecordedInPart)
{
    recording rec;
    const ftr_generator generator = rec.generator(rec.stream("top"), "read",
                                                  {{"a", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN},
                                                   {"b", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN},
                                                   {"c", FTR_TYPE_INTEGER, FTR_CLASS_END}});
    const ftr_value values[] = {integer_value(1), integer_value(2), integer_value(3)};
    for (std::size_t count = 0; count <= 3; ++count)
        ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, values, count, nullptr), FTR_OK);
    ASSERT_EQ(ftr_tx_record(rec, generator, 1, 2, nullptr, 0, nullptr), FTR_OK);
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), 5u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(file.transactions[i].attributes.size(), i);
    EXPECT_EQ(file.transactions[4].attributes.size(), 0u);
    EXPECT_EQ(file.transactions[3].value("c"), 3);
}

TEST(RecorderAttributesMore, CanBePutRepeatedlyAndInAnyOrder)
{
    recording rec;
    const ftr_generator generator = rec.generator(
        rec.stream("top"), "read",
        {{"a", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}, {"b", FTR_TYPE_INTEGER, FTR_CLASS_BEGIN}});
    ftr_tx tx;
    ASSERT_EQ(ftr_tx_begin(rec, generator, 0, &tx), FTR_OK);
    for (unsigned attribute : {1u, 0u, 1u, 1u})
        ASSERT_EQ(ftr_tx_put_int(rec, tx, attribute, attribute), FTR_OK);
    ASSERT_EQ(ftr_tx_end(rec, tx, 0), FTR_OK);
    std::string order;
    const decoded_file file = rec.decoded();
    for (const decoded_attribute &attribute : file.transactions.at(0).attributes)
        order += attribute.name;
    EXPECT_EQ(order, "babb");
}

// From attributes that fit into the slot, over every size of spill, and back.
TEST(RecorderAttributesMore, TransactionCanHaveAnyNumber)
{
    recording rec;
    const ftr_generator generator =
        rec.generator(rec.stream("top"), "read", {{"number", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD}});
    const std::vector<unsigned> counts = {0,    1,  11,  12, 13,   63,    64,    65, 511, 512,
                                          5000, 23, 24,  25, 256,  65534, 3,     12, 600, 1,
                                          0,    64, 500, 11, 8000, 12,    70000, 1};
    for (unsigned count : counts) {
        ftr_tx tx;
        ASSERT_EQ(ftr_tx_begin(rec, generator, count, &tx), FTR_OK);
        for (unsigned i = 0; i < count; ++i)
            ASSERT_EQ(ftr_tx_put_number(rec, tx, 0, i), FTR_OK);
        ASSERT_EQ(ftr_tx_end(rec, tx, count), FTR_OK);
    }
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), counts.size());
    for (std::size_t t = 0; t < counts.size(); ++t) {
        const auto &attributes = file.transactions[t].attributes;
        ASSERT_EQ(attributes.size(), counts[t]);
        for (unsigned i = 0; i < counts[t]; ++i)
            ASSERT_EQ(attributes[i].value, i);
    }
}

// The table of attributes gets memory in steps of 64 KiB. The last attribute is the last one of a
// step, and another item follows it.
TEST(RecorderAttributesMore, UndeclaredAttributeCanFollowTheLastDeclaredOne)
{
    recording rec;
    const ftr_stream stream = rec.stream("top");
    const std::size_t count = (64 << 10) / sizeof(ftr_declared_attribute);
    const std::vector<ftr_attribute> attributes(count / 4,
                                                {"number", FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD});
    const ftr_value value = number_value(FTR_TYPE_UNSIGNED, 7);
    for (const char *name : {"first", "second", "third", "last"}) {
        const ftr_generator generator = rec.generator(stream, name, attributes);
        ftr_tx tx;
        ASSERT_EQ(ftr_tx_begin(rec, generator, 0, &tx), FTR_OK);
        ASSERT_EQ(ftr_tx_put_number(rec, tx, unsigned(count / 4 - 1), 1), FTR_OK);
        ASSERT_EQ(ftr_tx_put_named(rec, tx, FTR_CLASS_RECORD, "more", &value), FTR_OK);
        ASSERT_EQ(ftr_tx_end(rec, tx, 0), FTR_OK);
    }
    const decoded_file file = rec.decoded();
    ASSERT_EQ(file.transactions.size(), 4U);
    for (const decoded_transaction &tx : file.transactions)
        EXPECT_EQ(tx.value("more"), 7);
}

TEST(RecorderAttributesMore, GeneratorCanDeclareThousands)
{
    recording rec;
    std::vector<std::string> names;
    for (int i = 0; i < 65535; ++i)
        names.push_back("a" + std::to_string(i));
    std::vector<ftr_attribute> attributes;
    for (const std::string &name : names)
        attributes.push_back({name.c_str(), FTR_TYPE_UNSIGNED, FTR_CLASS_RECORD});
    const ftr_generator generator = rec.generator(rec.stream("top"), "wide", attributes);
    ftr_tx tx;
    ASSERT_EQ(ftr_tx_begin(rec, generator, 0, &tx), FTR_OK);
    for (unsigned i : {0u, 30000u, 65534u})
        ASSERT_EQ(ftr_tx_put_number(rec, tx, i, i), FTR_OK);
    EXPECT_EQ(ftr_tx_put_number(rec, tx, 65535, 0), FTR_ERR_ATTRIBUTE);
    ASSERT_EQ(ftr_tx_end(rec, tx, 0), FTR_OK);
    const decoded_file file = rec.decoded();
    const decoded_transaction &read = file.transactions.at(0);
    for (unsigned i : {0u, 30000u, 65534u})
        EXPECT_EQ(read.value("a" + std::to_string(i)), i);
}
} // namespace
