// The grammar of configuration files.
#include "configuration_text.hpp"

#include <gtest/gtest.h>

using texts = std::vector<std::string>;

TEST(IniFile, KeepsEveryOccurrenceOfAKeyInOrder)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\ntrace = one\ntrace = two\n"));
    EXPECT_STREQ(t.value("a", 0).text, "one");
    EXPECT_STREQ(t.value("a", 1).text, "two");
    EXPECT_EQ(t.value("a", 1).line, 3U);
}

TEST(IniFile, JoinsSectionsOfOneFile)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\nk = 1\n[b]\n[a]\nk = 2\n"));
    EXPECT_EQ(ftr_ini_files_find(t.files(), "a")->count, 2U);
}

TEST(IniFile, ReadsASectionFromTheFirstFileThatContainsIt)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\nk = 1\n", "one.ini"));
    ASSERT_TRUE(t.parse("[a]\nk = 2\n", "two.ini"));
    EXPECT_EQ(ftr_ini_files_find(t.files(), "a")->count, 1U);
    EXPECT_STREQ(t.value("a").text, "1");
}

TEST(IniFile, KeepsABlockVerbatim)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\ncode = <<<CODE\n  int a[3]; ; x\n[b]\n# c = 1\n\nCODE\nk = v\n"));
    EXPECT_STREQ(t.value("a").text, "  int a[3]; ; x\n[b]\n# c = 1\n\n");
    EXPECT_TRUE(t.value("a").block);
    EXPECT_EQ(t.value("a", 1).line, 8U);
    EXPECT_EQ(ftr_ini_files_find(t.files(), "b"), nullptr);
}

TEST(IniFile, ReadsABlockWithTwoMarksAsDocumented)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\ncode = <<CODE\nint x;\nCODE\n"));
    EXPECT_STREQ(t.value("a").text, "int x;\n");
}

TEST(IniFile, KeepsAValueThatStartsLikeABlock)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\nk = << 3; x\nk = <<<\n"));
    EXPECT_STREQ(t.value("a").text, "<< 3; x");
    EXPECT_STREQ(t.value("a", 1).text, "<<<");
}

TEST(IniFile, KeepsSemicolonsAndColonsInValues)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("; comment\n# comment\n[a]\nentry-trace = \"f(a) ; g(b::c)\"\n"));
    EXPECT_STREQ(ftr_ini_value_single(t.files(), &t.value("a")), "f(a) ; g(b::c)");
}

TEST(IniFile, AcceptsCarriageReturnsAndAByteOrderMark)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("\xef\xbb\xbf[a]\r\nk = v\r\ncode = <<<E\r\nx\r\nE\r\n"));
    EXPECT_STREQ(t.value("a").text, "v");
    EXPECT_STREQ(t.value("a", 1).text, "x\r\n");
}

TEST(IniFile, AcceptsNamesOfAnyLength)
{
    configuration_text t;
    std::string name(3000, 'f');
    ASSERT_TRUE(t.parse("[" + name + "]\n" + name + " = void, void\n"));
    EXPECT_EQ(t.value(name.c_str()).key, name);
}

TEST(IniFile, SplitsListsAtCommasAndDropsEmptyPieces)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\ntrace = one ,  two,,three, \n"));
    EXPECT_EQ(t.split("a"), (texts{"one", "two", "three"}));
}

TEST(IniFile, DoesNotSplitInsideQuotesOrParentheses)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\n"
                        "define = \"#define M(a, b) a\", '#define N 1'\n"
                        "header = '#include \"a,b.h\"'\n"
                        "f = void, int (*)(int, char), int[2]\n"
                        "define = #define C ',', #define D \"x,y\"\n"));
    EXPECT_EQ(t.split("a", 0), (texts{"#define M(a, b) a", "#define N 1"}));
    EXPECT_EQ(t.split("a", 1), (texts{"#include \"a,b.h\""}));
    EXPECT_EQ(t.split("a", 2), (texts{"void", "int (*)(int, char)", "int[2]"}));
    EXPECT_EQ(t.split("a", 3), (texts{"#define C ','", "#define D \"x,y\""}));
}

TEST(IniFile, KeepsAnUnmatchedApostrophe)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\nname = it's a trace, and one\n"));
    EXPECT_STREQ(ftr_ini_value_single(t.files(), &t.value("a")), "it's a trace, and one");
}

TEST(IniFile, RefusesAnUnterminatedQuote)
{
    configuration_text t;
    ASSERT_TRUE(t.parse("[a]\nheader = \"#include <x.h>\n"));
    EXPECT_EQ(t.split("a"), (texts{"error"}));
    EXPECT_EQ(t.said(),
              "error: t.ini:2: [a] header: a quote that is not closed: \"#include <x.h>\n");
}

TEST(IniFile, ParsesEveryTruncatedText)
{
    const std::string whole = "[a]\nk = 'x', \"y\"\ncode = <<<E\n}\nE\n[b]\n; c\nl = m\n";
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        configuration_text t;
        bool good = t.parse(whole.substr(0, length));
        EXPECT_EQ(good, t.said().empty()) << whole.substr(0, length);
    }
}
