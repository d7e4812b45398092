// Lists of globs on stream names.
extern "C" {
#include "glob.h"
}

#include <gtest/gtest.h>

#include <string>

namespace
{
struct glob_case {
    const char *list;
    const char *name;
    bool matches;
};

TEST(Glob, MatchesAsItIsWritten)
{
    const glob_case cases[] = {
        {"top.cpu", "top.cpu", true},
        {"top.cpu", "top.cpu0", false},
        {"top.cpu", "top.cp", false},
        {"top.cpu", "Top.cpu", false},
        {"*", "anything.at/all", true},
        {"*", "", true},
        {"top.*", "top.cpu.isock_bl", true},
        {"top.*", "top", false},
        {"*_bl", "top.cpu.isock_bl", true},
        {"*_bl", "top.cpu.isock_bl_timed", false},
        {"*cpu*", "top.cpu1.x", true},
        {"a*b*c", "aXbXbXc", true},
        {"a*b*c", "aXbXbX", false},
        {"**", "x", true},
        {"top.cpu?", "top.cpu7", true},
        {"top.cpu?", "top.cpu", false},
        {"top.cpu?", "top.cpu10", false},
        {"cpu[0-3]", "cpu2", true},
        {"cpu[0-3]", "cpu4", false},
        {"cpu[!0-3]", "cpu4", true},
        {"cpu[^0-3]", "cpu3", false},
        {"cpu[]x]", "cpu]", true},
        {"cpu[!]x]", "cpu]", false},
        {"cpu[a-]", "cpu-", true},
        {"cpu[02468]", "cpu6", true},
        {"cpu[0", "cpu[0", true},
        {"cpu[0", "cpu0", false},
        {"a\\*b", "a*b", true},
        {"a\\*b", "axb", false},
        {"a\\", "a\\", true},
        {"", "x", false},
        {"", "", false},
    };
    for (const glob_case &one : cases)
        EXPECT_EQ(ftr_glob_list_matches(one.list, one.name), one.matches)
            << one.list << " on " << one.name;
}

TEST(Glob, AnyOfAListMayMatch)
{
    for (const char *name : {"a", "b1", "c"})
        EXPECT_TRUE(ftr_glob_list_matches("a,b?,c", name)) << name;
    EXPECT_FALSE(ftr_glob_list_matches("a,b?,c", "b"));
    EXPECT_FALSE(ftr_glob_list_matches("a,b?,c", "a,b1"));
}

TEST(Glob, BlanksAndEmptyElementsDoNotCount)
{
    EXPECT_TRUE(ftr_glob_list_matches(" a , \tb\t,,c ", "a"));
    EXPECT_TRUE(ftr_glob_list_matches(" a , \tb\t,,c ", "b"));
    EXPECT_TRUE(ftr_glob_list_matches(" a , \tb\t,,c ", "c"));
    EXPECT_FALSE(ftr_glob_list_matches(" a , \tb\t,,c ", ""));
    EXPECT_TRUE(ftr_glob_list_matches("a b", "a b"));
}

TEST(Glob, ManyStarsTakeNoMoreThanTheProductOfLengths)
{
    std::string glob;
    for (int i = 0; i < 200; ++i)
        glob += "*a";
    glob += "b";
    // Backtracking over every star would outlast the universe.
    EXPECT_FALSE(ftr_glob_list_matches(glob.c_str(), std::string(20000, 'a').c_str()));
}
} // namespace
