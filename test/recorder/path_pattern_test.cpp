// Paths with placeholders.
extern "C" {
#include "path_pattern.h"
}

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>

namespace
{
std::string expanded(const std::string &pattern)
{
    char path[4096];
    EXPECT_EQ(ftr_path_pattern_expand(pattern.c_str(), path, sizeof path), FTR_OK) << path;
    return path;
}

std::string complaint(const std::string &pattern, std::size_t size = 4096)
{
    char path[4096];
    EXPECT_EQ(ftr_path_pattern_expand(pattern.c_str(), path, size), FTR_ERR_ARGUMENT) << pattern;
    return path;
}

TEST(PathPattern, KeepsPlainText)
{
    EXPECT_EQ(expanded("run.ftr"), "run.ftr");
    EXPECT_EQ(expanded("/a/b.c/run 1.ftr"), "/a/b.c/run 1.ftr");
    EXPECT_EQ(expanded(""), "");
}

TEST(PathPattern, DoublePercentIsAPercentSign)
{
    EXPECT_EQ(expanded("100%%.ftr"), "100%.ftr");
    EXPECT_EQ(expanded("%%p"), "%p");
}

TEST(PathPattern, ExpandsProcessProgramHostAndTime)
{
    EXPECT_EQ(expanded("x-%p.ftr"), "x-" + std::to_string(getpid()) + ".ftr");
    EXPECT_EQ(expanded("%e.ftr"), "path_pattern_test.ftr");
    char host[256] = {};
    ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
    std::string name = host;
    for (char &c : name)
        c = c == '.' ? '-' : c;
    EXPECT_EQ(expanded("%h.ftr"), name + ".ftr");
    const std::time_t before = std::time(nullptr);
    const std::string time = expanded("%t");
    const std::time_t after = std::time(nullptr);
    ASSERT_EQ(time.size(), 15u) << time;
    std::tm utc = {};
    ASSERT_NE(strptime(time.c_str(), "%Y%m%dT%H%M%S", &utc), nullptr);
    EXPECT_GE(timegm(&utc), before);
    EXPECT_LE(timegm(&utc), after);
}

TEST(PathPattern, ReplacesDotsAndSlashesInExpansions)
{
    setenv("FTR_TEST_NAME", "a.b/../c", 1);
    EXPECT_EQ(expanded("out/%q{FTR_TEST_NAME}.ftr"), "out/a-b----c.ftr");
}

TEST(PathPattern, ExpandsAnUnsetVariableToNothing)
{
    unsetenv("FTR_TEST_NAME");
    EXPECT_EQ(expanded("x%q{FTR_TEST_NAME}y.ftr"), "xy.ftr");
}

TEST(PathPattern, NamesAnUnknownPlaceholder)
{
    EXPECT_EQ(complaint("run%z.ftr"), "%z.ftr is not a placeholder (%p %h %e %t %q{VAR} %%)");
    for (const char *pattern : {"%", "a%", "%q", "%qVAR", "%q{VAR", "%P"})
        EXPECT_NE(complaint(pattern).find("is not a placeholder"), std::string::npos) << pattern;
}

TEST(PathPattern, FillsABufferOfTheExactSize)
{
    char path[8] = {};
    EXPECT_EQ(ftr_path_pattern_expand("1234567", path, sizeof path), FTR_OK);
    EXPECT_STREQ(path, "1234567");
    EXPECT_EQ(complaint("a path that is much longer than it may be by all means", 40),
              "it is longer than 39 bytes");
}

TEST(PathPattern, RefusesAnExpansionThatDoesNotFit)
{
    setenv("FTR_TEST_NAME", std::string(2000, 'n').c_str(), 1);
    EXPECT_EQ(expanded("%q{FTR_TEST_NAME}").size(), 2000u);
    setenv("FTR_TEST_NAME", std::string(5000, 'n').c_str(), 1);
    EXPECT_EQ(complaint("%q{FTR_TEST_NAME}"), "it is longer than 4095 bytes");
    unsetenv("FTR_TEST_NAME");
}
} // namespace
