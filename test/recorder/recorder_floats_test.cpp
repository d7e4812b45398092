// Floating point: single, double or text, and the loss of precision.
#include "recording.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <cstdlib>

namespace
{
const std::vector<double> numbers = {0.0,     0.5,      -3.25,   1.0 / 3, 0.1,     1e300,
                                     -1e-300, 16777217, FLT_MAX, DBL_MIN, HUGE_VAL};

// Records every number with each of the three types that hold one.
decoded_file record_with(ftr_floats floats, ftr_numbering numbering, ftr_statistics *statistics,
                         std::vector<reported> *reports = nullptr)
{
    ftr_recorder_options options = {};
    options.floats = floats;
    options.numbering = numbering;
    recording rec(options);
    const ftr_generator generator =
        rec.generator(rec.stream("top"), "sample",
                      {{"float", FTR_TYPE_FLOATING_POINT, FTR_CLASS_RECORD},
                       {"fixed", FTR_TYPE_FIXED_POINT_INTEGER, FTR_CLASS_RECORD},
                       {"ufixed", FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, FTR_CLASS_RECORD}});
    for (double number : numbers) {
        const ftr_value values[] = {real_value(FTR_TYPE_FLOATING_POINT, number),
                                    real_value(FTR_TYPE_FIXED_POINT_INTEGER, number),
                                    real_value(FTR_TYPE_UNSIGNED_FIXED_POINT_INTEGER, number)};
        EXPECT_EQ(ftr_tx_record(rec, generator, 0, 0, values, 3, nullptr), FTR_OK);
    }
    const decoded_file file = rec.decoded();
    *statistics = rec.statistics();
    if (reports)
        *reports = rec.reports().all();
    EXPECT_EQ(file.transactions.size(), numbers.size());
    return file;
}

double number_of(const nlohmann::json &value)
{
    return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr)
                             : value.get<double>();
}

class RecorderFloats : public testing::TestWithParam<ftr_numbering>
{
};

TEST_P(RecorderFloats, SingleRoundsAndWarnsOnce)
{
    ftr_statistics statistics;
    std::vector<reported> reports;
    const decoded_file file = record_with(FTR_FLOATS_SINGLE, GetParam(), &statistics, &reports);
    std::uint64_t rounded = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto single = float(numbers[i]);
        rounded += 3 * (double(single) != numbers[i]);
        for (const decoded_attribute &attribute : file.transactions[i].attributes)
            EXPECT_EQ(number_of(attribute.value), double(single)) << numbers[i];
    }
    EXPECT_EQ(rounded, 18u);
    EXPECT_EQ(statistics.rounded_floats, rounded);
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].severity, FTR_SEVERITY_WARNING);
    EXPECT_EQ(reports[0].message.rfind("18 values are not exact in single precision", 0), 0u)
        << reports[0].message;
}

TEST_P(RecorderFloats, DoubleLosesNothing)
{
    ftr_statistics statistics;
    const decoded_file file = record_with(FTR_FLOATS_DOUBLE, GetParam(), &statistics);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (const decoded_attribute &attribute : file.transactions[i].attributes)
            EXPECT_EQ(number_of(attribute.value), numbers[i]);
        EXPECT_EQ(file.transactions[i].attributes[0].type, "FLOATING_POINT_NUMBER");
    }
    EXPECT_EQ(statistics.rounded_floats, 0u);
}

TEST_P(RecorderFloats, TextLosesNothing)
{
    ftr_statistics statistics;
    const decoded_file file = record_with(FTR_FLOATS_TEXT, GetParam(), &statistics);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        for (const decoded_attribute &attribute : file.transactions[i].attributes) {
            EXPECT_EQ(attribute.type, "STRING");
            ASSERT_TRUE(attribute.value.is_string());
            EXPECT_EQ(number_of(attribute.value), numbers[i]);
        }
    }
    EXPECT_EQ(file.transactions[4].attributes[0].value, "0.1");
    EXPECT_EQ(statistics.rounded_floats, 0u);
}

INSTANTIATE_TEST_SUITE_P(Numberings, RecorderFloats,
                         testing::Values(FTR_NUMBERING_DEPLOYED, FTR_NUMBERING_SPEC));
} // namespace
