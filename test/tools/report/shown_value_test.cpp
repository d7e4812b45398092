// The text of a value, compared with the text that the page shows (attributes.js), run by Node.
extern "C" {
#include "report_attributes.h"
}

#include "scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace
{
constexpr int scale = -12;
constexpr std::size_t count = 20000;

// The forms of numbers in the columns of the page.
enum page_form { page_integer = 2, page_number = 3, page_double = 4, page_single = 6 };

struct shown {
    page_form form;
    int type;
    std::uint64_t bits; // the value in the columns of the page
    ftr_attribute_value value;
};

shown real(double value, page_form form)
{
    shown made{form, FTR_TYPE_FLOATING_POINT, 0, {}};
    std::memcpy(&made.bits, &value, sizeof value);
    made.value.form = FTR_FORM_REAL;
    made.value.as.real = value;
    made.value.real_size = form == page_double ? sizeof(double) : sizeof(float);
    return made;
}

shown random_value(std::mt19937_64 &random)
{
    static const int types[] = {FTR_TYPE_INTEGER, FTR_TYPE_POINTER, FTR_TYPE_TIME};
    std::uint64_t bits = random() >> random() % 64;
    switch (random() % 5) {
    case 0: { // any double
        double value;
        bits = random();
        std::memcpy(&value, &bits, sizeof value);
        return real(value, page_double);
    }
    case 1: { // any single
        const auto half = static_cast<std::uint32_t>(random());
        float value;
        std::memcpy(&value, &half, sizeof value);
        return real(value, page_single);
    }
    case 2: // singles with few digits, of which some are ties
        return real(static_cast<float>(bits % (1 << 24)) / static_cast<float>(1 << random() % 10),
                    page_single);
    case 3: // neighbours of a power of two have different distances
        return real(std::ldexp(random() % 2 ? 1.0 : -1.0, static_cast<int>(random() % 2098) - 1074),
                    page_double);
    default:
        break;
    }
    shown made{random() % 2 ? page_number : page_integer, types[random() % 3], bits, {}};
    made.value.form = made.form == page_number ? FTR_FORM_NUMBER : FTR_FORM_INTEGER;
    made.value.type = static_cast<ftr_type>(made.type);
    made.value.as.number = bits;
    return made;
}

// Runs the code of the page for all values. Returns its lines.
std::vector<std::string> texts_of_page(const std::vector<shown> &values)
{
    const scratch_directory directory;
    std::ofstream script(directory.path("texts.js"));
    script << "import { Attributes } from \"" FTR_PAGE_FOLDER "/data/attributes.js\";\n"
              "const all = [\n";
    for (const shown &each : values)
        script << "[" << each.form << "," << each.type << "," << each.bits << "n],\n";
    script << "];\n"
              "const given = { forms: all.map((e) => e[0]), types: all.map((e) => e[1]), "
              "values: all.map((e) => e[2]) };\n"
              "const attributes = new Attributes(given, []);\n"
              "console.log(all.map((e, at) => attributes.text(at, "
           << scale << ")).join(\"\\n\"));\n";
    script.close();
    const std::string command = FTR_ESBUILD " --bundle --log-level=error " +
                                directory.path("texts.js") + " | " FTR_NODE " >" +
                                directory.path("texts");
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ifstream file(directory.path("texts"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

TEST(ShownValue, IsTheTextOfThePage)
{
    std::mt19937_64 random(3);
    std::vector<shown> values = {
        real(2097152.25, page_single), real(-2097152.25, page_single),
        real(2097152.75, page_single), real(0.1F, page_single),
        real(0.0, page_double),        real(HUGE_VAL, page_double),
        real(5e-324, page_double),     real(9007199254740993.0, page_double)};
    while (values.size() < count)
        values.push_back(random_value(random));
    const std::vector<std::string> expected = texts_of_page(values);
    ASSERT_EQ(expected.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        char text[FTR_SHOWN_VALUE_MAX];
        const std::size_t size = ftr_shown_value(&values[i].value, scale, text);
        ASSERT_EQ(std::string(text, size), expected[i]) << "value " << i;
    }
}
} // namespace
